"""Makes the pictures of docs/images again, in Inter; tools/judge --pictures runs it."""
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from page.browser import Browser
from programs import ROOT, install, run

# Width, height, scheme, whether it is a phone. 128 colours are enough for a page that has few.
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
    print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size} bytes")


def main(settle, folder):
    batch = folder / "night.jsonl"
    generate = [settle, "generate", "--payments", "2000", "--seed", "11", "--replace", "--output", batch]
    run(*generate, "--defects", "0.06", "--features", "refunds")
    run(settle, "run", batch.name, "--output", "reports", cwd=folder, exits=[1])
    # The time at the top of the page: 21 November 2026, 1 o'clock.
    os.utime(folder / "reports/SHA256SUMS", (1795222800, 1795222800))
    run(settle, "report", folder / "reports", "--html", folder / "night.html")
    browser = Browser()
    for name, look in REPORTS.items():
        take(browser, folder / "night.html", name, *look)
    run(*generate)
    for locale, look in STATEMENTS.items():
        run(settle, "statement", batch, "--all-accounts", "--format", "html", "--locale", locale, "--date", "2026-11-21",
            "--output", folder / locale)
        take(browser, max((folder / locale).glob("*.html"), key=lambda page: page.stat().st_size), *look)
    browser.close()


if __name__ == "__main__":
    install("chromium", "fonts-inter", "fonts-noto-cjk", "pngquant", programs=["chromium", "pngquant"])
    with TemporaryDirectory() as place:
        main(Path(sys.argv[1]).resolve(), Path(place))
