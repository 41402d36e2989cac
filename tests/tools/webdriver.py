"""A browser by W3C WebDriver, with nothing but the standard library."""

import base64
import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# Keys as WebDriver numbers them.
RIGHT, UP, ENTER = "\ue014", "\ue013", "\ue007"


def find_browser():
    """Paths of (browser, driver), or None where one is missing."""
    driver = shutil.which("chromedriver")
    for name in BROWSERS:
        browser = shutil.which(name)
        if browser and driver:
            return browser, driver
    return None


class Browser:
    """One headless window. Use it in a `with` statement."""

    def __init__(self, browser, driver, width=1360, height=1500):
        self._options = {
            "binary": browser,
            "args": [
                "--headless=new",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                f"--window-size={width},{height}",
            ],
        }
        if os.geteuid() == 0:
            # Chromium refuses to run as root with it.
            self._options["args"].append("--no-sandbox")
        self._driver = driver

    def __enter__(self):
        self._process = subprocess.Popen(
            [self._driver, "--port=0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        port = None
        for line in self._process.stdout:
            if "started successfully on port" in line:
                port = line.rstrip(". \n").split()[-1]
                break
        if port is None:
            raise RuntimeError("chromedriver did not start")
        self._url = f"http://127.0.0.1:{port}/session"
        capabilities = {
            "browserName": "chrome",
            "goog:chromeOptions": self._options,
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        try:
            session = self._call(
                "POST", "", {"capabilities": {"alwaysMatch": capabilities}}
            )
        except Exception:
            self._process.terminate()
            raise
        self._url += "/" + session["sessionId"]
        return self

    def __exit__(self, *error):
        try:
            self._call("DELETE", "")
        finally:
            self._process.terminate()
            self._process.wait()

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self._url + path,
            data=data,
            method=method,
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError(value.get("message", str(value))) from None

    def open(self, path):
        """Loads a file and returns the seconds that took."""
        start = time.monotonic()
        self._call("POST", "/url", {"url": "file://" + str(path)})
        return time.monotonic() - start

    def run(self, script, *arguments):
        """The value of the JavaScript `script`, which returns it."""
        return self._call(
            "POST", "/execute/sync", {"script": script, "args": list(arguments)}
        )

    def run_async(self, script, *arguments):
        """What `script` hands to the function that is its last argument."""
        return self._call(
            "POST",
            "/execute/async",
            {"script": script, "args": list(arguments)},
        )

    def settle(self):
        """Waits until the page has drawn what was asked for."""
        self.run_async(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def command(self, name, **parameters):
        """A command of the Chrome DevTools Protocol."""
        return self._call(
            "POST", "/goog/cdp/execute", {"cmd": name, "params": parameters}
        )

    def prefer(self, scheme):
        """"light" or "dark", as prefers-color-scheme."""
        self.command(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )

    def hover(self, x, y):
        """Moves the pointer to a point of the window."""
        self._point(x, y)

    def click(self, x, y):
        """A left click at a point of the window."""
        self._point(
            x, y,
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        )

    def _point(self, x, y, *then):
        move = {"type": "pointerMove", "x": int(x), "y": int(y)}
        pointer = {"type": "pointer", "id": "mouse", "actions": [move, *then]}
        self._call("POST", "/actions", {"actions": [pointer]})

    def press(self, keys):
        """Types `keys` into what has the focus."""
        actions = []
        for key in keys:
            actions.append({"type": "keyDown", "value": key})
            actions.append({"type": "keyUp", "value": key})
        self._call(
            "POST",
            "/actions",
            {"actions": [{"type": "key", "id": "keys", "actions": actions}]},
        )

    def console(self):
        """Warnings and errors since the last call."""
        lines = self._call("POST", "/se/log", {"type": "browser"})
        return [line["message"] for line in lines if line["level"] != "INFO"]

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._call("GET", "/screenshot")))
