"""A headless Chromium, driven through its DevTools protocol over a pipe. Python's standard library only."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

# As root there is no sandbox; the pages are those of this project's own tests.
FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
    "--force-color-profile=srgb", "--no-first-run", "--no-default-browser-check", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
    "--font-render-hinting=none", "--remote-debugging-pipe",
]


class BrowserError(Exception):
    pass


class Browser:
    """One Chromium with one tab; use it in a `with`."""

    def __init__(self, program="chromium", patience=180):
        self.patience = patience
        self.events = []
        self._number = 0
        self._pending = b""
        self._session = None
        self._profile = tempfile.mkdtemp(prefix="settle-chromium-")
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        # The browser reads commands from descriptor 3 and writes answers to 4.
        command = ["bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "bash", program, *FLAGS]
        self._process = subprocess.Popen(
            [*command, f"--user-data-dir={self._profile}", "about:blank"],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "HOME": self._profile})
        os.close(to_browser)
        os.close(from_browser)

    def __enter__(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        try:
            self._session = None
            self.call("Browser.close")
            self._process.wait(timeout=10)
        except Exception:  # whatever keeps it from closing, it is to end
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)
        shutil.rmtree(self._profile, ignore_errors=True)

    def call(self, method, **parameters):
        """Calls a method and gives its result; events on the way are kept in `events`."""
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = memoryview(json.dumps(message).encode() + b"\0")
        while data:
            data = data[os.write(self._out, data):]
        while True:
            answer = self._receive(method)
            if answer.get("id") == number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            self._note(answer)

    def _note(self, message):
        self.events.append(message)
        # A dialog stops a page; it is noted and sent away.
        if message.get("method") == "Page.javascriptDialogOpening":
            self._number += 1
            answer = {"id": self._number, "method": "Page.handleJavaScriptDialog", "params": {"accept": True}}
            os.write(self._out, json.dumps({**answer, "sessionId": self._session}).encode() + b"\0")

    def _receive(self, waiting_for):
        end = time.monotonic() + self.patience
        while b"\0" not in self._pending:
            ready, _, _ = select.select([self._in], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise BrowserError(f"no answer to {waiting_for} within {self.patience} seconds")
            piece = os.read(self._in, 1 << 20)
            if not piece:
                raise BrowserError(f"the browser ended before it answered {waiting_for}")
            self._pending += piece
        message, _, self._pending = self._pending.partition(b"\0")
        return json.loads(message)

    def open(self, url):
        """Opens a page and waits until it is loaded; forgets what happened before."""
        self.events.clear()
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self._note(self._receive(f"the loading of {url}"))

    def emulate(self, width, height, scheme="light", mobile=False, scale=1, media=""):
        """Sets the size of the window, the colours that are preferred, and the medium (`print`, or the screen)."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=mobile)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def evaluate(self, expression):
        """The value of a script's expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(answer["exceptionDetails"].get("exception", {}).get("description", "a script failed"))
        return answer["result"].get("value")

    def pdf(self):
        """The page as it is printed, on A4."""
        result = self.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, preferCSSPageSize=True)
        return base64.b64decode(result["data"])

    def screenshot(self, clip=None):
        """The page as PNG: what is seen, or a part of it: x, y, width, height."""
        more = {"clip": {**dict(zip(("x", "y", "width", "height"), clip)), "scale": 1}} if clip else {}
        result = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=bool(clip), **more)
        return base64.b64decode(result["data"])
