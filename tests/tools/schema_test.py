"""What `bench`, `diff` and `explain` print as JSON, against their schemas.

Usage: schema_test.py TOOL WRITER SOURCE_DIR SCRATCH_DIR
"""

import json
import pathlib
import subprocess
import sys
import unittest

import models
import schema_check

TOOL, WRITER, SOURCE, SCRATCH = sys.argv[1:5]


def run(*arguments):
    done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"{arguments}: {done.stderr.decode()}")
    return json.loads(done.stdout)


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.models = models.written_models(
            TOOL, WRITER, pathlib.Path(SCRATCH, "models"))

    def check(self, command, value):
        schema = json.loads(
            pathlib.Path(SOURCE, f"schemas/{command}.schema.json").read_text())
        self.assertEqual(schema_check.errors(value, schema, command), [])

    def test_bench(self):
        path = pathlib.Path(SCRATCH, "bench.tflite")
        subprocess.run([TOOL, "zoo", "ds_cnn", "--int8", "-o", path],
                       check=True, capture_output=True)
        arguments = ["bench", path, "--json", "--num-runs", 2, "--min-secs", 0,
                     "--warmup-min-secs", 0]
        self.check("bench", run(*arguments))
        with_ops = run(*arguments, "--ops")
        self.check("bench", with_ops)
        ops = with_ops["ops"]
        self.assertAlmostEqual(
            sum(op["share_percent"] for op in ops["nodes"]), 100, 3)
        self.assertAlmostEqual(
            sum(op["mean_ms"] for op in ops["types"]), ops["total_ms"], 6)

    def test_diff(self):
        for name, path in self.models.items():
            with self.subTest(name):
                diff = run("diff", path, "--format", "json",
                           "--b-preserve-all-tensors")
                self.check("diff", diff)
                arena = diff["figures"]["arena_bytes"]
                self.assertEqual(diff["growth_bytes"], arena["b"] - arena["a"])

    def test_explain(self):
        for name, path in self.models.items():
            report = json.loads(models.plan(TOOL, path, "--format", "json"))
            for tensor in report["tensors"][:40]:
                with self.subTest(name, tensor=tensor["name"]):
                    value = run("explain", path, "--format", "json", "--tensor",
                                tensor["index"], "--subgraph",
                                tensor["subgraph"])
                    self.check("explain", value)
                    self.assertEqual(value["bytes"], tensor["bytes"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
