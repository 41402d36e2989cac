"""The formats of `arenalite plan`: the JSON against its schema and against
itself, and the other formats against the JSON.

Usage: report_test.py TOOL WRITER SOURCE_DIR SCRATCH_DIR
"""

import csv
import html.parser
import io
import json
import pathlib
import sys
import unittest
import xml.etree.ElementTree

import models
import schema_check

TOOL, WRITER, SOURCE, SCRATCH = sys.argv[1:5]
SVG = "{http://www.w3.org/2000/svg}"


KNOWN_TAGS = set(
    "html head meta link title style body header h1 h2 p noscript main section "
    "div ol ul label input span form output button svg aside table thead tbody "
    "script".split())


class Tags(html.parser.HTMLParser):
    """Elements, what they load, and script in attributes."""

    CDATA_CONTENT_ELEMENTS = ("script", "style", "noscript")

    def __init__(self):
        super().__init__()
        self.names, self.links, self.handlers = set(), [], []

    def handle_starttag(self, tag, attributes):
        self.names.add(tag)
        for key, value in attributes:
            if key in ("src", "href", "srcset", "action", "data"):
                self.links.append(value)
            if key.startswith("on"):
                self.handlers.append(key)


def overlap_is_allowed(report, a, b, step):
    """The rule of planner.h for two storages that meet at a step."""
    for pair in report["overlaps"]:
        if pair["step"] != step or {pair["output"], pair["input"]} != {a, b}:
            continue
        output = report["storages"][pair["output"]]
        source = report["storages"][pair["input"]]
        end = output["offset"] + output["bytes"] - pair["allowed_bytes"]
        return pair["verdict"] == "allowed" and end <= source["offset"]
    return False


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.models = models.written_models(
            TOOL, WRITER, pathlib.Path(SCRATCH, "models"))
        cls.models.update(models.corpus_models(SOURCE))
        cls.reports = {
            name: json.loads(models.plan(
                TOOL, path, "--format", "json", suggestions=name == "zoo"))
            for name, path in cls.models.items()
        }
        schema = pathlib.Path(SOURCE, "schemas/report.schema.json")
        cls.schema = json.loads(schema.read_text())

    def each(self, check):
        for name, report in self.reports.items():
            with self.subTest(name):
                check(name, report)

    def plan(self, name, form):
        return models.plan(TOOL, self.models[name], "--format", form).decode()

    def test_json_fits_its_schema(self):
        def check(name, report):
            self.assertEqual(schema_check.errors(report, self.schema)[:5], [])

        self.each(check)

    def test_the_schema_check_finds_faults(self):
        report = json.loads(json.dumps(self.reports["zoo"]))
        del report["usage"]["arena_bytes"]
        report["peak"]["step"] = "two"
        report["steps"][0]["surprise"] = 1
        report["storages"][0]["offset"] = -1
        self.assertEqual(len(schema_check.errors(report, self.schema)), 4)

    def test_bytes_of_steps_are_those_of_storages(self):
        def check(name, report):
            live = [0] * (len(report["steps"]) + 2)
            for storage in report["storages"]:
                live[storage["first_step"]] += storage["bytes"]
                live[storage["last_step"] + 1] -= storage["bytes"]
            for step in range(1, len(live)):
                live[step] += live[step - 1]
            told = [step["live_bytes"] for step in report["steps"]]
            told.append(report["end_bytes"])
            self.assertEqual(told + [0], live)
            bounds = [step["bound_bytes"] for step in report["steps"]]
            bounds.append(report["end_bytes"])
            usage = report["usage"]
            self.assertEqual(max(told), usage["liveness_bound_bytes"])
            # A search may have proven more.
            self.assertLessEqual(max(bounds), usage["lower_bound_bytes"])
            self.assertEqual(bounds[report["peak"]["step"]], max(bounds))
            self.assertEqual(
                usage["planned_bytes"],
                max(s["offset"] + s["bytes"] for s in report["storages"]))

        self.each(check)

    def test_the_peak_lists_what_is_live(self):
        def check(name, report):
            peak = report["peak"]
            live = {
                i: storage["bytes"]
                for i, storage in enumerate(report["storages"])
                if storage["first_step"] <= peak["step"] <= storage["last_step"]
                and storage["bytes"] > 0
            }
            told = {s["storage"]: s["bytes"] for s in peak["storages"]}
            self.assertEqual(told, live)
            self.assertEqual(sum(live.values()), peak["live_bytes"])
            self.assertAlmostEqual(
                sum(s["percent"] for s in peak["storages"]), 100,
                delta=0.006 * len(live))

        self.each(check)

    def test_storages_lie_on_each_other_only_as_allowed(self):
        def check(name, report):
            if len(report["steps"]) > 500:
                return
            storages = report["storages"]
            for i, a in enumerate(storages):
                for j in range(i):
                    b = storages[j]
                    step = max(a["first_step"], b["first_step"])
                    together = step <= min(a["last_step"], b["last_step"])
                    shared = min(a["offset"] + a["bytes"],
                                 b["offset"] + b["bytes"]) - max(
                                     a["offset"], b["offset"])
                    if together and shared > 0:
                        self.assertTrue(
                            overlap_is_allowed(report, i, j, step), (i, j))

        self.each(check)

    def test_kinds_of_memory_are_told_apart(self):
        report = self.reports["kinds"]
        tensors = {t["name"]: t for t in report["tensors"]
                   if t["subgraph"] == 0}
        self.assertNotIn("shape", tensors)
        self.assertEqual(tensors["state"]["memory"], "variable")
        self.assertEqual(tensors["unique"]["memory"], "bounded")
        self.assertEqual(tensors["unique"]["bytes"], 32 * 4)
        self.assertIsNotNone(tensors["unique"]["offset"])
        self.assertEqual(tensors["range"]["memory"], "dynamic")
        self.assertIsNone(tensors["range"]["offset"])
        self.assertEqual(
            tensors["view"]["storage"], tensors["chosen"]["storage"])
        self.assertTrue(any(s["is_scratch"] for s in report["storages"]))
        self.assertTrue(any(s["is_control"] for s in report["steps"]))
        table = self.plan("kinds", "table")
        for text in ("(variable)", "(subgraph 2)", "(dynamic: ", "(at most: ",
                     "scratch of UNIQUE"):
            self.assertIn(text, table)

    def test_the_table_leads_with_the_peak(self):
        def check(name, report):
            table = self.plan(name, "table")
            peak = report["peak"]
            self.assertIn(
                f"\npeak step {peak['step']} of {len(report['steps'])}, "
                f"{peak['op']}: needs {peak['bound_bytes']} bytes", table)
            largest = peak["storages"][0]
            self.assertRegex(
                table,
                f"\n *{largest['percent']:.1f} % +{largest['bytes']} ")

        self.each(check)

    def test_csv_has_every_tensor(self):
        def check(name, report):
            text = self.plan(name, "csv")
            rows = list(csv.DictReader(io.StringIO(text, newline="")))
            planned = [t for t in report["tensors"] if t["storage"] is not None]
            scratch = [s for s in report["storages"] if s["is_scratch"]]
            self.assertEqual(len(rows), len(planned) + len(scratch))
            found = {(r["name"], int(r["bytes"]), int(r["offset"]),
                      int(r["first_step"]), int(r["last_step"]))
                     for r in rows if r["role"] != "scratch"}
            self.assertEqual(found, {
                (t["name"], t["bytes"], t["offset"], t["first_step"],
                 t["last_step"]) for t in planned})

        self.each(check)

    def test_svg_is_well_formed_and_has_no_script(self):
        def check(name, report):
            text = self.plan(name, "svg")
            root = xml.etree.ElementTree.fromstring(text)
            tags = {e.tag.replace(SVG, "") for e in root.iter()}
            self.assertEqual(
                tags - {"svg", "title", "style", "defs", "pattern", "rect",
                        "path", "text", "g"}, set())
            words = " ".join(root.itertext())
            self.assertIn(f"{report['usage']['arena_bytes']:,} bytes", words)
            self.assertIn(f"peak: step {report['peak']['step']} ", words)

        self.each(check)

    def test_html_has_nothing_from_elsewhere(self):
        def check(name, report):
            page = self.plan(name, "html")
            tags = Tags()
            tags.feed(page)
            self.assertEqual(tags.names - KNOWN_TAGS, set())
            self.assertEqual(tags.links, ["data:,"])
            self.assertEqual(tags.handlers, [])
            self.assertEqual(page.count("</script"), 2)
            self.assertEqual(page.replace("{{data}}", "").count("{{"), 0)
            self.assertNotIn("@import", page)
            names = sum(len(t["name"]) for t in report["tensors"])
            self.assertLess(
                len(page), 100_000 + 400 * len(report["tensors"]) + 4 * names)

        self.each(check)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
