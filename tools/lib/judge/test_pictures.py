"""The pictures of docs/images, in Inter: SETTLE_RECORD=1 makes them again; otherwise nothing is done."""
import os

import pytest
from model.files import ROOT
from programs import install, run

# Width, height, scheme, and whether it is a phone. 128 colours are enough for these pages.
REPORTS = {
    "report-light": (1100, 1000, "light", False), "report-dark": (1100, 1000, "dark", False),
    "report-phone": (390, 844, "light", True), "report-phone-rejections": (390, 844, "light", True),
}
STATEMENTS = {"de_DE": ("statement-de", 1280, 720, "light", False), "ja_JP": ("statement-ja-phone", 390, 844, "light", True)}


def take(browser, page, name, width, height, scheme, is_phone):
    browser.emulate(width, height, scheme, mobile=is_phone, scale=1.5 if is_phone else 1)
    browser.open(page.as_uri())
    if name.endswith("rejections"):
        browser.evaluate("document.getElementById('search').previousElementSibling.scrollIntoView()")
    picture = ROOT / f"docs/images/{name}.png"
    picture.write_bytes(browser.screenshot())
    run("pngquant", "--force", "--output", picture, "--strip", "--nofs", "128", picture)


@pytest.mark.skipif(os.environ.get("SETTLE_RECORD") != "1", reason="pictures are made with SETTLE_RECORD=1")
def test_pictures(settle, generated, browser, tmp_path):
    install("chromium", "fonts-inter", "fonts-noto-cjk", "pngquant", programs=["chromium", "pngquant"])
    night = ["--seed", "11"]
    (tmp_path / "night.jsonl").symlink_to(generated(2000, *night, "--defects", "0.06", "--features", "refunds"))
    settle("run", "night.jsonl", "--output", "reports", cwd=tmp_path, exits=[1])
    # The time at the top of the page: 21 November 2026, 1 o'clock.
    os.utime(tmp_path / "reports/SHA256SUMS", (1795222800, 1795222800))
    settle("report", "reports", "--html", "night.html", cwd=tmp_path)
    for name, look in REPORTS.items():
        take(browser, tmp_path / "night.html", name, *look)
    for locale, look in STATEMENTS.items():
        settle("statement", generated(2000, *night), "--all-accounts", "--format", "html", "--locale", locale,
               "--date", "2026-11-21", "--output", tmp_path / locale)
        take(browser, max((tmp_path / locale).glob("*.html"), key=lambda page: page.stat().st_size), *look)
