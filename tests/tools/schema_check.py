"""Whether a value is what a JSON Schema says: the keywords that
schemas/report.schema.json uses, and an error for any other."""

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "number": (int, float),
    "integer": int,
    "null": type(None),
}
NOTES = {"$schema", "title", "description"}
KNOWN = NOTES | {
    "type", "const", "enum", "minimum", "required", "properties",
    "additionalProperties", "items",
}


def is_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def errors(value, schema, path="report"):
    """Sentences, one for each fault."""
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError(f"{path}: the check knows no {sorted(unknown)}")
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_type(value, name) for name in types):
        return [f"{path} is {value!r}, not of type {types}"]
    found = []
    if "const" in schema and value != schema["const"]:
        found.append(f"{path} is {value!r}, not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path} is {value!r}, not one of {schema['enum']}")
    if "minimum" in schema and value is not None and value < schema["minimum"]:
        found.append(f"{path} is {value}, less than {schema['minimum']}")
    if isinstance(value, dict):
        found += object_errors(value, schema, path)
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            found += errors(item, schema["items"], f"{path}[{i}]")
    return found


def object_errors(value, schema, path):
    found = []
    properties = schema.get("properties", {})
    for key in schema.get("required", []):
        if key not in value:
            found.append(f"{path} has no {key!r}")
    for key, item in value.items():
        if key in properties:
            found += errors(item, properties[key], f"{path}.{key}")
        elif not schema.get("additionalProperties", True):
            found.append(f"{path} has an undocumented {key!r}")
    return found
