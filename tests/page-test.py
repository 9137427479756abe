#!/usr/bin/env python3
"""The page of `qkcert report` in a real browser: page-test.py QKCERT SOURCE_DIR [unittest arguments].

Skipped, with a message, where Chromium is not installed; in CI that is an error.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path

sys.dont_write_bytecode = True

from chromium import Browser, chromium  # noqa: E402

BINARY, SOURCE = (Path(argument).resolve() for argument in sys.argv[1:3])
SKIPPED = 77
# Words that would be markup, script or text of another direction if they were not escaped.
EVIL = ["<script>window.pwned=1</script>", "</script><script>window.pwned=2</script>",
        "\"onmouseover=window.pwned=3 x=\"", "'><img src=x onerror=window.pwned=4>", "&lt;b&gt;",
        "\u202egnirts", "café", "</bdi></td></table><h1>gone</h1>"]
RATIOS = ["7/2", "10/3", "9/1", "10/11", "2/1", f"{10**30 + 1}/{10**30}", f"{10**30 + 2}/{10**30}", "1/1"]
EVIL_TITLE = "</title><script>window.pwned=5</script>"


def qkcert(*arguments, folder, status=0):
    done = subprocess.run([BINARY, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode != status:
        raise AssertionError((arguments, done.returncode, done.stdout, done.stderr))
    return done.stdout.decode()


def make_folder(folder):
    """Certificates of two sizes and two claims, one that is refused, and a graph of evil words."""
    for m, d in ((8, 4), (8, 6), (16, 8), (12, 6)):
        qkcert("construct", "--family", "permutation", "--vertices", str(m), "--one-hot", "--method",
               "onehot-code", "-o", f"code-{m}.qkc.gz", folder=folder)
        qkcert("certify", "--family", "permutation", "--vertices", str(m), "--gaussian", str(d), "--budget",
               "0.5", "-o", f"fit-{m}-{d}.qkc", folder=folder)
    qkcert("bound", "--family", "permutation", "--vertices", "64", "--d-model", "8", "-o", "bound.qkc",
           folder=folder)
    (folder / "vertices.txt").write_text("\n".join(EVIL) + "\n", encoding="utf-8")
    m = len(EVIL)
    (folder / "edges.tsv").write_text("".join(f"{u}\t{(u + 1) % m}\n" for u in range(m)))
    qkcert("construct", "--graph", "edges.tsv", "--vertices", str(m), "--one-hot", "--method", "onehot-code",
           "-o", "words.qkc", folder=folder)
    bad = (folder / "fit-8-4.qkc").read_text().replace("threshold-max ", "threshold-max 1", 1)
    (folder / "<img src=x onerror=window.pwned=6>.qkc").write_text(bad)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        root = Path(temporary.name)
        cls.folder = root / "certificates"
        cls.folder.mkdir()
        make_folder(cls.folder)
        cls.path = root / "page.html"
        qkcert("report", "certificates", "-o", "page.html", "--title", EVIL_TITLE, folder=root, status=1)
        cls.root = root
        cls.html = cls.path.read_text(encoding="utf-8")
        cls.browser = Browser(cls.path.as_uri(), root / "profile")
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.viewport(1280, 900)
        self.browser.media()
        self.browser.open(self.path.as_uri())
        self.addCleanup(lambda: self.assertEqual(self.browser.complaints(), []))

    def run_js(self, expression):
        return self.browser.run(expression)

    def column(self, header, table="#certificates"):
        return self.run_js(f"""(() => {{
            const table = document.querySelector('{table} table');
            const at = [...table.tHead.rows[0].cells].findIndex(cell => cell.textContent.trim() === '{header}');
            return [...table.tBodies[0].rows].map(row => row.cells[at].textContent);
        }})()""")

    def header(self, header, what, table="#certificates"):
        return self.run_js(f"""(() => {{
            const cells = [...document.querySelectorAll('{table} th')];
            const header = cells.find(cell => cell.textContent.trim() === '{header}');
            const button = header.querySelector('button');
            return {what};
        }})()""")

    # ---- the file ----

    def test_loads_nothing(self):
        loading = self.run_js("""[...document.querySelectorAll('*')].filter(each => ['src', 'srcset', 'data',
            'action', 'poster', 'background', 'formaction', 'ping'].some(name => each.hasAttribute(name))).length""")
        self.assertEqual(loading, 0)
        self.assertEqual({link[0] for link in re.findall(r"href=[\"']([^\"']*)", self.html)}, {"#"})
        self.assertNotRegex(self.html, r"@import|url\(|<link|<iframe|<object|<embed|<base|http-equiv=\"refresh")
        addresses = set(re.findall(r"https?://[^\s\"'<]*", self.html))
        self.assertLessEqual(addresses, {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"})
        self.assertEqual(self.html.count("<script>"), 1)
        self.assertIn("default-src 'none'", self.html)

    def test_ids_are_unique(self):
        ids = self.run_js("[...document.querySelectorAll('[id]')].map(each => each.id)")
        self.assertGreater(len(ids), 20)
        self.assertEqual(len(ids), len(set(ids)))
        missing = self.run_js("""[...document.querySelectorAll('[href^="#"]')].map(each =>
            each.getAttribute('href').slice(1)).filter(id => !document.getElementById(id))""")
        self.assertEqual(missing, [])

    def test_same_bytes_each_time(self):
        for threads in ("1", "3"):
            qkcert("report", "certificates/", "-o", "again.html", "--title", EVIL_TITLE, "--threads", threads,
                   folder=self.root, status=1)
            self.assertEqual((self.root / "again.html").read_bytes(), self.path.read_bytes())

    def test_readable_without_script(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        self.addCleanup(lambda: self.browser.call("Emulation.setScriptExecutionDisabled", value=False))
        self.browser.open(self.path.as_uri())
        visible = self.run_js("[...document.querySelectorAll('article')].every(each => each.offsetHeight > 0)")
        self.assertTrue(visible)
        self.assertEqual(self.run_js("document.querySelectorAll('th button, select').length"), 0)

    # ---- what it says ----

    def test_says_what_was_verified(self):
        names = sorted(path.name for path in self.folder.iterdir() if ".qkc" in path.name)
        self.assertEqual(self.column("certificate"), names)
        statuses = dict(zip(names, self.column("status")))
        refused = [name for name, status in statuses.items() if status == "refused"]
        self.assertEqual(refused, [name for name in names if name.startswith("<img")])
        self.assertEqual(set(statuses.values()), {"verified", "refused"})
        text = self.run_js("document.body.textContent")
        self.assertIn(f"{len(names) - 1} of {len(names)} certificates verified, 1 refused", text)
        reasons = self.run_js("document.querySelector('#refused + ul').textContent")
        self.assertIn("<img src=x onerror=window.pwned=6>.qkc: line 47: expected the hash", reasons)

    def test_numbers_are_those_of_info(self):
        for name, key_dimension in zip(self.column("certificate"), self.column("D_K")):
            if name.startswith(("fit", "code", "words")):
                info = json.loads(qkcert("info", name, "--json", folder=self.folder))
                self.assertEqual(key_dimension, str(info["key_dimension"]), name)

    def test_text_from_files_stays_text(self):
        self.assertIsNone(self.run_js("window.pwned ?? null"))
        self.assertEqual(self.run_js("document.title"), EVIL_TITLE)
        self.assertEqual(self.run_js("document.querySelectorAll('img, h1').length"), 1)
        words = self.run_js("""[...document.querySelectorAll('article')].find(each =>
            each.querySelector('h3').textContent === 'words.qkc').querySelector('.words').textContent""")
        for u, word in enumerate(EVIL):
            self.assertIn(f"{word} → {EVIL[(u + 1) % len(EVIL)]}", words)
        self.assertEqual(self.run_js("""[...document.querySelectorAll('*')].filter(each =>
            [...each.attributes].some(attribute => attribute.name.startsWith('on'))).length"""), 0)

    def test_least_margins_are_exact(self):
        """The nearest pairs are the extremes of the certificate, and edges lie above τ."""
        info = json.loads(qkcert("info", "fit-16-8.qkc", "--json", folder=self.folder))
        rows = self.run_js("""(() => {
            const article = [...document.querySelectorAll('article')].find(each =>
                each.querySelector('h3').textContent === 'fit-16-8.qkc');
            return [...article.querySelectorAll('.pairs table')].map(table =>
                [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent)));
        })()""")
        edges, others = rows
        tau = int(info["threshold"])
        self.assertEqual(int(edges[0][1]), int(info["least_edge_score"]))
        self.assertEqual(int(others[0][1]), int(info["greatest_nonedge_score"]))
        self.assertEqual([len(edges), len(others)], [10, 10])
        for above, table in ((True, edges), (False, others)):
            margins = [int(row[2]) for row in table]
            self.assertEqual(margins, sorted(margins, reverse=not above))
            for (_, score, margin) in table:
                self.assertEqual(int(score) - int(margin), tau)
                self.assertEqual(int(margin) > 0, above)

    def test_plots_are_there(self):
        labels = self.run_js("[...document.querySelectorAll('svg')].map(each => each.getAttribute('aria-label'))")
        self.assertTrue(any(label.startswith("ratios") for label in labels), labels)
        self.assertTrue(any(label.startswith("bounds and certified D_K") for label in labels), labels)
        self.assertEqual(sum(label.startswith("histogram") for label in labels), 8, labels)

    # ---- what it does ----

    def test_sorts_by_click(self):
        before = self.column("m")
        self.header("m", "button.click()")
        numbers = [int(text) for text in self.column("m") if text]
        self.assertEqual(numbers, sorted(numbers))
        self.assertNotEqual(self.column("m"), before)
        self.assertEqual(self.header("m", "header.getAttribute('aria-sort')"), "ascending")
        self.assertEqual(self.column("m")[-2:], ["", ""])  # the bound and the refused one have none
        self.header("m", "button.click()")
        numbers = [int(text) for text in self.column("m") if text]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertEqual(self.column("m")[-2:], ["", ""])
        self.assertEqual(self.header("m", "header.getAttribute('aria-sort')"), "descending")
        self.header("D_K", "button.click()")
        self.assertEqual(self.header("m", "header.getAttribute('aria-sort')"), None)

    def test_sorts_by_key(self):
        for key, order in (("Enter", "ascending"), ("Space", "descending")):
            self.header("D_K", "button.focus()")
            self.browser.press(key)
            self.assertEqual(self.header("D_K", "header.getAttribute('aria-sort')"), order, key)
            numbers = [int(text) for text in self.column("D_K") if text]
            self.assertEqual(numbers, sorted(numbers, reverse=order == "descending"))

    def test_sorts_ratios_exactly(self):
        values = """[...document.querySelectorAll('#certificates tbody tr')].map(row =>
            row.cells[10].dataset.value ?? '').filter(value => value)"""
        for replace in (False, True):
            if replace:  # by ratios that floating point takes for equal, among others
                self.run_js(f"""{json.dumps(RATIOS)}.forEach((value, i) =>
                    document.querySelectorAll('#certificates tbody tr')[i].cells[10].dataset.value = value)""")
            self.header("D_K / bound", "button.click()")
            self.header("D_K / bound", "header.getAttribute('aria-sort') === 'ascending' || button.click()")
            ratios = [Fraction(value) for value in self.run_js(values)]
            self.assertGreater(len(ratios), 4)
            self.assertEqual(ratios, sorted(ratios))

    def test_tab_reaches_the_first_header(self):
        for _ in range(40):
            self.browser.press("Tab")
            if self.run_js("document.activeElement.tagName") == "BUTTON":
                break
        self.assertEqual(self.run_js("document.activeElement.textContent"), "certificate")

    def shown(self):
        return self.run_js("""[...document.querySelectorAll('article')].filter(each =>
            each.offsetHeight > 0).map(each => each.querySelector('h3').textContent)""")

    def test_chooses_a_certificate(self):
        self.assertEqual(len(self.shown()), 1)
        first = self.shown()[0]
        self.run_js("document.querySelector('.choose select').focus()")
        self.browser.press("ArrowDown")
        self.assertEqual(len(self.shown()), 1)
        self.assertNotEqual(self.shown()[0], first)
        self.run_js("""new Promise(done => {
            window.addEventListener('hashchange', () => setTimeout(done));
            [...document.querySelectorAll('#certificates a')].find(each => each.textContent === 'words.qkc').click();
        })""")
        self.assertEqual(self.shown(), ["words.qkc"])
        self.assertEqual(self.run_js("document.querySelector('.choose select').selectedOptions[0].textContent"),
                         "words.qkc")

    def test_fits_a_phone(self):
        for width in (320, 390):
            self.browser.viewport(width, 800, mobile=True)
            self.browser.open(self.path.as_uri())
            articles = self.run_js("document.querySelectorAll('article').length")
            for at in range(articles):
                self.run_js(f"document.querySelectorAll('article').forEach((each, i) => each.hidden = i !== {at})")
                self.assertLessEqual(self.run_js("document.documentElement.scrollWidth"), width, at)
            self.assertEqual(self.run_js("window.innerWidth"), width)

    def test_light_and_dark_are_read(self):
        """WCAG contrast of at least 4.5 for text on the page, in both schemes."""
        paper = {}
        for scheme in ("light", "dark"):
            self.browser.media(scheme)
            colours = self.run_js("""['body', '.note', '.good', '.bad', 'a', 'caption'].map(each =>
                getComputedStyle(document.querySelector(each)).color)""")
            paper[scheme] = self.run_js("getComputedStyle(document.body).backgroundColor")
            for colour in colours:
                self.assertGreaterEqual(contrast(colour, paper[scheme]), 4.5, (scheme, colour))
        self.assertNotEqual(paper["light"], paper["dark"])

    def test_prints_black_on_white(self):
        self.browser.media("dark", "print")
        self.assertEqual(self.run_js("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(self.run_js("getComputedStyle(document.querySelector('nav')).display"), "none")


def contrast(*colours):
    def luminance(colour):
        channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    darker, lighter = sorted(map(luminance, colours))
    return (lighter + 0.05) / (darker + 0.05)


if __name__ == "__main__":
    if not chromium():
        print("page-test: chromium is not installed (Debian: chromium)")
        sys.exit(1 if os.environ.get("CI") else SKIPPED)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
