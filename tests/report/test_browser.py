"""The report in a real browser, opened from disk: what it shows, what it does, and what it must not do."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flat_parser import Flat

from synteval import evaluate
from synteval.explain import explain
from synteval.metrics.stm import STM
from synteval.results.run import Run

HOSTILE = [
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 2</script> &lt;b&gt;",
    "\"><img src=x onerror='window.hacked = 3'> <style>*{display:none}</style>",
    "both \" and ' and ` and \\ and \\u003c",
    "turned \u202egnp.exe\u200f around \u2066x",
    "😀 family 👩‍👩‍👧 flag 🏴",
    "long " * 2000,
    "a NUL\x00here and \x1b[31m there",
    "{{data}} ]]> <!-- ${7*7} {{script}}",
    "two  blanks and a\ttab",
    "",
]
PLAIN = ["the cat sat on the mat", "a dog barks", "it is so"]
REFERENCES = [
    *["the cat sat on a mat", "the dog barks", "it is so"],
    *["the reference of a hostile text"] * len(HOSTILE),
]
TITLE = "</title><script>window.hacked = 4</script>{{script}}"


@pytest.fixture(scope="module")
def run() -> Run:
    systems = {
        "good": [*REFERENCES[:3], *["the reference"] * len(HOSTILE)],
        "<b>bad</b>": [*PLAIN, *HOSTILE],
        "middle": [*PLAIN[:2], "what is that", *["reference a"] * len(HOSTILE)],
    }
    return evaluate(systems, REFERENCES, ["stm", "hwcm", "bleu", "ter"], Flat(), cache=False)


@pytest.fixture(scope="module")
def page(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    run.report(path, title=TITLE)
    return path


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    selenium = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    service = shutil.which("chromedriver")
    if chromium is None or service is None:
        pytest.skip("no browser: install it with apt-get install chromium chromium-driver")
    options = selenium.ChromeOptions()
    options.binary_location = chromium
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1280,900",
        f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = selenium.Chrome(options=options, service=selenium.ChromeService(service))
    yield browser
    browser.quit()


@pytest.fixture
def opened(driver: Any, page: Path) -> Any:
    from selenium.webdriver.support.ui import WebDriverWait

    driver.get_log("browser")
    driver.get_log("performance")
    driver.get(page.as_uri())
    WebDriverWait(driver, 30).until(lambda d: d.execute_script("return document.documentElement.dataset.ready"))
    yield driver
    assert driver.get_log("browser") == []
    assert driver.execute_script("return window.hacked") is None
    asked = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    urls = {m["params"]["request"]["url"] for m in asked if m["method"] == "Network.requestWillBeSent"}
    # The browser opens its own first page, and unpacking reads a blob of the page itself.
    assert {url for url in urls if not url.startswith(("blob:null/", "chrome://", "data:"))} == {page.as_uri()}


def texts(driver: Any, selector: str) -> list[str]:
    """What is visible of the elements."""
    found = driver.execute_script("return [...document.querySelectorAll(arguments[0])].map(e => e.innerText)", selector)
    return [text.strip() for text in found]


def click(driver: Any, selector: str, number: int = 0) -> None:
    driver.find_elements("css selector", selector)[number].click()


def choose(driver: Any, name: str, value: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(driver.find_element("id", name)).select_by_visible_text(value)


def shown(text: str) -> str:
    """As the page shows it: a box for what has no shape."""
    return "".join("\ufffd" if (ord(c) < 32 and c not in "\t\n") or 127 <= ord(c) < 160 else c for c in text)


def open_segment(driver: Any, segment: int) -> None:
    box = driver.find_element("id", "search")
    box.clear()
    choose(driver, "diff-who", "all segments")
    driver.execute_script(
        "for (const b of document.querySelectorAll('button.segment')) if (b.textContent === arguments[0]) "
        "{ b.focus(); b.click(); return true; } return false;",
        str(segment),
    )


def test_scores_are_shown_and_sorted(opened: Any, run: Run) -> None:
    assert opened.title == TITLE and texts(opened, "h1") == [TITLE]
    assert texts(opened, "#summary") == ["3 systems, 14 segments, 4 metrics, parser flat@1"]
    assert texts(opened, "#score-table tbody th") == ["good", "<b>bad</b>", "middle"]
    cell = texts(opened, "#score-table tbody tr:first-child td")[0]
    assert cell.startswith(f"{run.scores['good']['stm']:.4f}*")
    click(opened, "#score-table thead button", 1)
    ranked = sorted(run.scores, key=lambda name: -run.scores[name]["stm"])
    assert texts(opened, "#score-table tbody th") == ranked
    assert opened.execute_script("return document.querySelectorAll('#score-table th')[1].ariaSort") == "descending"
    click(opened, "#score-table thead button", 1)
    assert texts(opened, "#score-table tbody th") == ranked[::-1]
    click(opened, "#score-table thead button", 4)  # of ter, less is better
    assert texts(opened, "#score-table tbody th") == sorted(run.scores, key=lambda name: run.scores[name]["ter"])
    assert "Lower is better: ter." in texts(opened, "#score-notes")[0]
    assert len(texts(opened, "#signature-list dd")) == 4 and texts(opened, "#signature-list dd")[0].startswith("STM|")


def test_segments_are_sorted_filtered_and_searched(opened: Any, run: Run) -> None:
    choose(opened, "diff-other", "middle")
    one, other = (run.segment_scores[name]["stm"] for name in ("good", "middle"))
    largest = max(abs(a - b) for a, b in zip(one, other, strict=True))
    first = texts(opened, "#segment-table tbody tr:first-child td")[2]
    assert float(first.replace("−", "-")) == pytest.approx(largest, abs=1e-3)
    choose(opened, "diff-who", "where the second is better")
    worse = sum(a < b for a, b in zip(one, other, strict=True))
    assert len(texts(opened, "#segment-table tbody tr")) == worse
    assert texts(opened, "#segment-count") == [f"{worse} of 14 segments"]
    choose(opened, "diff-who", "all segments")
    opened.find_element("id", "search").send_keys("BARKS")
    assert texts(opened, "#segment-table tbody button") == ["2"]
    assert texts(opened, "#segment-count") == ["1 of 14 segments"]
    opened.find_element("id", "search").clear()
    opened.find_element("id", "search").send_keys("nothing says this")
    assert texts(opened, "#segment-count") == ["0 of 14 segments"]


def test_a_segment_opens_by_keyboard_with_its_trees(opened: Any, run: Run, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    click(opened, "#segment-table thead button", 0)
    row = opened.find_elements("css selector", "#segment-table tbody button")[0]
    row.send_keys(Keys.ENTER)
    assert texts(opened, "#detail-title") == ["Segment 1"]
    said = texts(opened, ".utterance p")
    assert said == ["the cat sat on a mat", "the cat sat on a mat", "the cat sat on the mat", "the cat sat on the mat"]
    # The marks of the page are those of the explanation.
    assert run.parses is not None
    for number, system in enumerate(run.inputs, start=1):
        pair = run.parses.chunk([STM()], [system.hypotheses[0]], [system.references[0]])
        drawing = explain(STM(), pair).hypothesis_drawing
        assert drawing is not None
        expected = ["matched" if m == 1 else "unmatched" if m == 0 else "partly" for m in drawing.marks]
        drawn = opened.execute_script(
            "return [...document.querySelectorAll('.utterance')[arguments[0]].querySelectorAll('g.node:not(.word)')]"
            ".map(g => g.classList[1])",
            number,
        )
        assert drawn == expected
    words = texts_of_svg(opened, 2)
    assert [word for word in words if word.islower()] == PLAIN[0].split()
    choose(opened, "tree-kind", "dependencies")
    assert texts_of_svg(opened, 2)[-6:] == PLAIN[0].split()
    assert opened.save_screenshot(str(tmp_path / "segment.png"))
    assert (tmp_path / "segment.png").stat().st_size > 10_000
    opened.find_element("id", "detail").send_keys(Keys.ESCAPE)
    assert opened.execute_script("return document.getElementById('detail').hidden")
    # The focus goes back into the list.
    assert opened.execute_script("return document.activeElement.closest('#segments') !== null")


def texts_of_svg(driver: Any, utterance: int) -> list[str]:
    return list(
        driver.execute_script(
            "return [...document.querySelectorAll('.utterance')[arguments[0]].querySelectorAll('svg text')]"
            ".map(t => t.textContent)",
            utterance,
        )
    )


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_text_is_shown_as_text(opened: Any, number: int) -> None:
    open_segment(opened, 4 + number)
    assert texts(opened, "#detail-title") == [f"Segment {4 + number}"]
    names = texts(opened, ".utterance h4")
    assert names[1:] == ["good", "<b>bad</b>", "middle"]
    said = opened.execute_script("return document.querySelectorAll('.utterance p[dir]')[2].textContent")
    assert said == (shown(HOSTILE[number]) or "(empty)")
    assert opened.execute_script("return document.querySelectorAll('main script, main img, main style').length") == 0
    choose(opened, "tree-kind", "dependencies")
    assert opened.execute_script("return document.querySelectorAll('.utterance').length") == 4


def test_charts_follow_the_choices(opened: Any) -> None:
    choose(opened, "length-metric", "hwcm")
    caption = opened.execute_script("return document.querySelector('#length-table caption').textContent")
    assert caption == "Median hwcm"
    assert opened.execute_script("return document.querySelectorAll('#length-chart circle').length") >= 3
    choose(opened, "metric-y", "ter")
    assert opened.execute_script("return document.querySelector('canvas').ariaLabel").startswith("ter against stm")
    choose(opened, "scatter-system", "middle")
    assert texts(opened, "#scatter-caption")[0].startswith("14 segments")
    assert opened.execute_script("return document.querySelector('#ranks svg').ariaLabel").startswith("Ranks")


def test_everything_has_a_name_and_fits(opened: Any, tmp_path: Path) -> None:
    open_segment(opened, 1)
    unlabelled = opened.execute_script(
        "return [...document.querySelectorAll('select, input')].filter(e => !e.labels.length && !e.ariaLabel).length"
    )
    assert unlabelled == 0
    nameless = opened.execute_script(
        "return [...document.querySelectorAll('[role=img], [role=region], button')]"
        ".filter(e => !e.ariaLabel && !e.getAttribute('aria-labelledby') && !e.textContent.trim()).length"
    )
    assert nameless == 0
    for width in (1280, 400):
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        assert opened.execute_script("return document.documentElement.scrollWidth") <= width
        assert opened.save_screenshot(str(tmp_path / f"{width}.png"))
    opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_scores_keep_the_digits_of_their_scale(opened: Any, run: Run) -> None:
    cells = texts(opened, "#score-table tbody tr:first-child td")
    for cell, metric, places in zip(cells, run.metrics, (4, 4, 2, 2), strict=True):
        assert cell.startswith(f"{run.scores['good'][metric]:.{places}f}")


def test_ids_are_whole_and_trees_stand_side_by_side_where_they_fit(opened: Any) -> None:
    open_segment(opened, 1)
    columns = "return getComputedStyle(document.querySelector('.utterances')).gridTemplateColumns.split(' ').length"
    assert opened.execute_script(columns) == 2  # the trees of six words
    choose(opened, "tree-kind", "dependencies")
    open_segment(opened, 10)  # of thousands of words no tree is drawn
    assert opened.execute_script(columns) == 2
    metrics = {"width": 400, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    cut = (
        "return [...document.querySelectorAll('#segment-table th')]"
        ".filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)"
    )
    assert opened.execute_script(cut) == []
    opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_report_without_references(driver: Any, tmp_path: Path) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    run = evaluate({"a": ["the cat sat", "a dog"], "b": ["cat sat", "dog a b c"]}, None, ["wellformed"], cache=False)
    run.report(tmp_path / "page.html")
    driver.get_log("browser")
    driver.get((tmp_path / "page.html").as_uri())
    WebDriverWait(driver, 30).until(lambda d: d.execute_script("return document.documentElement.dataset.ready"))
    assert texts(driver, "#length-caption")[0].endswith("of the first hypothesis.")
    assert driver.execute_script("return document.querySelector('#length-table tbody th').textContent") == "2–3"
    click(driver, "button.segment")
    assert texts(driver, ".utterance h4") == ["a", "b"]
    assert driver.get_log("browser") == []


def test_light_and_dark(opened: Any) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    before = opened.execute_script(ground)
    click(opened, "#theme")
    assert opened.execute_script(ground) != before
    # Paper is light, whatever the screen is.
    opened.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert opened.execute_script(ground) == "rgb(255, 255, 255)"
    opened.execute_script("dispatchEvent(new Event('afterprint'))")
    click(opened, "#theme")
    assert opened.execute_script(ground) == before


def test_the_policy_refuses_what_is_not_of_the_page(driver: Any, page: Path) -> None:
    """Even if markup got in: no script of it runs, and no request of it leaves."""
    driver.get(page.as_uri())
    driver.get_log("browser")
    driver.execute_script(
        "const script = document.createElement('script'); script.textContent = 'window.hacked = 5';"
        "const image = document.createElement('img'); image.src = 'http://127.0.0.1:9/leak';"
        "document.body.append(script, image);"
    )
    refused = [entry["message"] for entry in driver.get_log("browser")]
    assert driver.execute_script("return window.hacked") is None
    assert len(refused) == 2 and all("Content Security Policy" in message for message in refused)
