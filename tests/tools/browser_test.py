"""The HTML and SVG reports in headless Chromium, next to the JSON report.

Usage: browser_test.py TOOL WRITER SOURCE_DIR SCRATCH_DIR
Leaves screenshots in SCRATCH_DIR/screens. Exits with 77 without a browser.
"""

import json
import pathlib
import re
import sys
import unittest

import models
import page
import webdriver

TOOL, WRITER, SOURCE, SCRATCH = sys.argv[1:5]
OPENS_WITHIN_SECONDS = 8  # On a busy machine; else well below one.


def free_point(report):
    """(storage, step, address): a large storage, and a point of it where no
    other one lies."""
    drawn = sorted(
        (s["bytes"] * (1 + s["last_step"] - s["first_step"]), i)
        for i, s in enumerate(report["storages"]) if s["bytes"] > 0)
    for _, i in reversed(drawn):
        mine = report["storages"][i]
        for step in range(mine["first_step"], mine["last_step"] + 1):
            taken = [
                s for j, s in enumerate(report["storages"])
                if j != i and s["first_step"] <= step <= s["last_step"]]
            for part in (0.5, 0.2, 0.8):
                address = mine["offset"] + part * mine["bytes"]
                if not any(s["offset"] <= address < s["offset"] + s["bytes"]
                           for s in taken):
                    return i, step, address
    raise ValueError("no storage has a free point")


def name_of(report, storage):
    main = report["storages"][storage]["main_tensor"]
    if main is None:
        step = report["storages"][storage]["first_step"]
        return "scratch of " + report["steps"][step]["op"]
    tensor = report["tensors"][main]
    return tensor["name"] or f"tensor {tensor['index']}"


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(SCRATCH).resolve()
        cls.screens = folder / "screens"
        cls.screens.mkdir(parents=True, exist_ok=True)
        cls.files = models.written_models(TOOL, WRITER, folder / "models")
        cls.files.update(models.corpus_models(SOURCE))
        cls.reports = {}
        for name, path in cls.files.items():
            text = models.plan(TOOL, path, "--format", "json")
            cls.reports[name] = json.loads(text)
            for ending in ("html", "svg"):
                models.plan(TOOL, path, "-o", folder / f"{name}.{ending}",
                            suggestions=ending == "html")
        cls.folder = folder
        cls.browser = webdriver.Browser(*webdriver.find_browser()).__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def each(self, check, only=None):
        for name, report in self.reports.items():
            if only and name not in only:
                continue
            with self.subTest(name):
                self.browser.prefer("light")
                seconds = self.browser.open(self.folder / f"{name}.html")
                check(name, report, seconds)
                self.assertEqual(self.browser.console(), [])

    def test_opens_and_shows_the_numbers_of_the_plan(self):
        def check(name, report, seconds):
            print(f"{name}: {seconds:.2f} s to open", file=sys.stderr)
            self.assertLess(seconds, OPENS_WITHIN_SECONDS)
            usage, peak = report["usage"], report["peak"]
            figures = self.browser.run(page.FIGURES)
            for key in ("arena", "lower_bound", "liveness_bound", "naive"):
                self.assertIn(f"{usage[key + '_bytes']:,}", figures)
            self.assertIn(
                f"step {peak['step']}, {peak['op']}",
                self.browser.run(page.TEXT, "#peak-title"))
            rows = self.browser.run(page.PEAK_ROWS)
            for row, storage in zip(rows[:8], peak["storages"]):
                self.assertEqual(row[1], f"{storage['bytes']:,}")
                self.assertAlmostEqual(
                    float(row[0].rstrip(" %")), storage["percent"], delta=.06)
            self.check_blocks(report)

        self.each(check)

    def check_blocks(self, report):
        plot = self.browser.run(page.PLOT)
        blocks = self.browser.run(page.BLOCKS)
        self.assertGreater(len(blocks), 0)
        columns = len(report["steps"]) + 1
        top = 1.02 * report["usage"]["planned_bytes"]
        for i, x, y, width, height in blocks:
            storage = report["storages"][i]
            steps = 1 + storage["last_step"] - storage["first_step"]
            self.assertAlmostEqual(
                x, plot["x"] + plot["w"] * storage["first_step"] / columns,
                delta=1)
            self.assertAlmostEqual(
                width, plot["w"] * steps / columns, delta=1)
            self.assertAlmostEqual(
                y + height,
                plot["y"] + plot["h"] * (1 - storage["offset"] / top),
                delta=1)
            self.assertAlmostEqual(
                height, plot["h"] * storage["bytes"] / top, delta=1)

    def test_the_table_has_every_tensor(self):
        def check(name, report, _):
            rows = self.browser.run(page.ALL_ROWS)
            end = len(report["steps"])
            expected = sorted(
                [t["index"], t["name"] or "(no name)", f"{t['bytes']:,}",
                 t["memory"] if t["offset"] is None else f"{t['offset']:,}",
                 page.number(t["first_step"], end),
                 page.number(t["last_step"], end)]
                for t in report["tensors"])
            self.assertEqual(len(rows), len(expected))
            self.assertEqual(sorted(rows), expected)

        self.each(check, only=("zoo", "kinds", "visqol_lattice"))

    def test_hover_shows_and_click_selects(self):
        def check(name, report, _):
            i, step, address = free_point(report)
            storage = report["storages"][i]
            x, y = self.browser.run(
                page.POINT, len(report["steps"]) + 1,
                1.02 * report["usage"]["planned_bytes"], step, address)
            self.browser.hover(x, y)
            tip = self.browser.run(page.TEXT, "#tip")
            title = name_of(report, i)
            expected = [title, f"offset {storage['offset']:,}",
                        f"step {storage['first_step']}"]
            if storage["main_tensor"] is not None:
                tensor = report["tensors"][storage["main_tensor"]]
                expected += [tensor["type"], f"{tensor['bytes']:,} bytes",
                             ", ".join(map(str, tensor["shape"]))]
            for text in expected:
                self.assertIn(text, tip)
            self.browser.click(x, y)
            self.browser.settle()
            panel = self.browser.run(page.TEXT, "#panel")
            self.assertTrue(panel.startswith(title), panel)
            self.assertIn(
                f"{storage['offset']:,} to "
                f"{storage['offset'] + storage['bytes']:,}", panel)
            for meeting in report["overlaps"]:
                if i in (meeting["output"], meeting["input"]) and (
                        meeting["shared_bytes"] > 0):
                    self.assertIn(f"{meeting['shared_bytes']:,} bytes", panel)
            self.assertEqual(
                self.browser.run(page.COUNT, "#map .overlay .selected"), 1)
            self.browser.screenshot(self.screens / f"{name}-selected.png")

        self.each(check)

    def test_keys_walk_and_select(self):
        def check(name, report, _):
            self.browser.run("document.getElementById('map').focus()")
            self.browser.press([webdriver.RIGHT, webdriver.UP, webdriver.ENTER])
            self.browser.settle()
            active = self.browser.run(
                "return document.getElementById('map')"
                ".getAttribute('aria-activedescendant')")
            self.assertRegex(active, "^s[0-9]+$")
            title = name_of(report, int(active[1:]))
            panel = self.browser.run(page.TEXT, "#panel")
            self.assertTrue(panel.startswith(title), panel)
            self.assertIn(title, self.browser.run(page.TEXT, "#tip"))

        self.each(check, only=("zoo", "kinds", "visqol_lattice"))

    def test_search_finds(self):
        def check(name, report, _):
            tensor = report["tensors"][len(report["tensors"]) // 2]
            query = tensor["name"][-12:] or "max"
            lower = query.strip().lower()
            found = [t for t in report["tensors"] if lower in t["name"].lower()
                     or (t["writer_step"] is not None and lower in
                         report["steps"][t["writer_step"]]["op"].lower())]
            self.browser.run(page.SEARCH, query)
            self.assertEqual(
                self.browser.run(page.TEXT, "#search-count"),
                f"{len(found):,} found")
            names = {row[1] for row in self.browser.run(page.ALL_ROWS)}
            self.assertEqual(
                names, {t["name"] or "(no name)" for t in found})
            self.browser.run(page.SUBMIT_SEARCH)
            panel = self.browser.run(page.TEXT, "#panel")
            self.assertTrue(
                any(panel.startswith(name_of(report, t["storage"]))
                    for t in found if t["storage"] is not None), panel)

        self.each(check, only=("zoo", "hostile", "visqol_lattice"))

    def test_views_stay_quick(self):
        def check(name, report, _):
            for view in ("time-in", "address-in", "peak", "fit"):
                milliseconds = self.browser.run_async(page.CHANGE_VIEW, view)
                self.assertLess(milliseconds, 2000, view)
            self.assertGreater(self.browser.run(page.COUNT, "#map .block"), 0)

        self.each(check, only=("zoo", "visqol_lattice"))

    def test_dark_and_light_can_be_read(self):
        def check(name, report, _):
            self.browser.screenshot(self.screens / f"{name}-light.png")
            light = self.browser.run(page.CONTRASTS)
            self.browser.prefer("dark")
            dark = self.browser.run(page.CONTRASTS)
            self.browser.screenshot(self.screens / f"{name}-dark.png")
            self.assertGreater(light["brightness"], 0.8)
            self.assertLess(dark["brightness"], 0.1)
            for scheme in (light, dark):
                for what, ratio in scheme["contrasts"].items():
                    self.assertGreaterEqual(ratio, 4.5, what)

        self.each(check)

    def test_controls_have_names(self):
        def check(name, report, _):
            tree = self.browser.command("Accessibility.getFullAXTree")
            roles = set()
            for node in tree["nodes"]:
                role = node.get("role", {}).get("value")
                if node["ignored"] or role not in page.NAMED_ROLES:
                    continue
                roles.add(role)
                self.assertNotEqual(node["name"]["value"].strip(), "", role)
            self.assertLessEqual({"button", "listbox", "option"}, roles)

        self.each(check, only=("zoo", "kinds"))

    def test_names_of_the_file_are_only_text(self):
        def check(name, report, _):
            self.assertNotIn("owned", self.browser.run("return document.title"))
            self.assertEqual(
                self.browser.run(page.COUNT, "img, b, [onload], [onerror]"), 0)
            self.assertEqual(self.browser.run(page.COUNT, "script"), 2)

        self.each(check, only=("hostile",))

    def test_shows_suggestions(self):
        text = (self.folder / "zoo.html").read_text()
        advice = [{"what": "halve <it>", "how": "By half.",
                   "saved_bytes": 12345, "arena_bytes": 54321}]
        changed, count = re.subn(
            r'"suggestions":\[.*?\],"steps":',
            f'"suggestions":{json.dumps(advice)},"steps":'.replace(
                "<", "\\\\u003c"), text)
        self.assertEqual(count, 1)
        (self.folder / "advice.html").write_text(changed)
        self.browser.open(self.folder / "advice.html")
        shown = self.browser.run(page.TEXT, "#advice")
        for part in ("12,345 bytes", "halve <it>", "54,321", "By half."):
            self.assertIn(part, shown)
        self.assertEqual(self.browser.console(), [])

    def test_the_picture_alone_opens(self):
        for name, report in self.reports.items():
            with self.subTest(name):
                self.browser.open(self.folder / f"{name}.svg")
                self.browser.screenshot(self.screens / f"{name}-svg.png")
                text = self.browser.run(
                    "return document.documentElement.textContent")
                self.assertIn(f"{report['usage']['arena_bytes']:,}", text)
                self.assertEqual(self.browser.console(), [])


if __name__ == "__main__":
    if webdriver.find_browser() is None:
        print("skipped: no chromium or no chromedriver (Debian: apt-get "
              "install chromium chromium-driver)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
