"""A headless Chromium with one tab, driven by PyPI's playwright."""
import base64
import shutil

from playwright.sync_api import sync_playwright


class Browser:
    """Records which URLs a page requests, and its troubles: errors, windows and dialogs."""

    def __init__(self):
        self.requests, self.troubles = [], []
        self._playwright = sync_playwright().start()
        # As root there is no sandbox; the pages are those of this project's own tests.
        self._chromium = self._playwright.chromium.launch(executable_path=shutil.which("chromium"), chromium_sandbox=False)
        self._tab = self._chromium.new_page()
        self._tab.set_default_timeout(180_000)
        self._session = self._tab.context.new_cdp_session(self._tab)
        self.evaluate, self.keyboard = self._tab.evaluate, self._tab.keyboard
        self._tab.on("request", lambda request: self.requests.append(request.url))
        for event in ("pageerror", "console", "popup"):
            self._tab.on(event, lambda what, event=event: self.troubles.append(f"{event}: {what}"))
        self._tab.on("frameattached", lambda frame: self.troubles.append("a frame"))
        self._tab.on("dialog", self._dismiss)

    def _dismiss(self, dialog):
        self.troubles.append(f"dialog: {dialog.message}")
        dialog.accept()

    def close(self):
        self._chromium.close()
        self._playwright.stop()

    def call(self, method, **parameters):
        """Calls a method of the DevTools protocol and returns its result."""
        return self._session.send(method, parameters)

    def open(self, url):
        """Opens a page and waits until it is loaded; forgets what happened before."""
        self.requests.clear()
        self.troubles.clear()
        self._tab.goto(url)

    def emulate(self, width, height, scheme="light", mobile=False, scale=1, media="screen"):
        """Sets the size of the window, the preferred colour scheme, and the medium (print or screen)."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile)
        self._tab.emulate_media(media=media, color_scheme=scheme)

    def check_quiet(self, url):
        """Only the page was requested, nothing went wrong, and no dialog was opened."""
        assert set(self.requests) <= {url} and self.troubles == []

    def check_width(self):
        assert self.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")

    def check_printed(self):
        """The page can be printed, on A4."""
        assert self._tab.pdf(format="A4", prefer_css_page_size=True).startswith(b"%PDF-")

    def screenshot(self):
        """The visible page, as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
