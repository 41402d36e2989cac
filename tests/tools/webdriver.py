"""A browser by W3C WebDriver, with nothing but the standard library."""

import base64
import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


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

    def __init__(self, browser, driver, width=1360, height=1500, dark=False):
        self._options = {
            "binary": browser,
            "args": [
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                f"--window-size={width},{height}",
            ],
        }
        if dark:
            self._options["args"].append("--force-dark-mode")
        self._driver = driver
        self._dark = dark

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

    def click(self, x, y):
        """A left click at a point of the window."""
        self._call(
            "POST",
            "/actions",
            {
                "actions": [
                    {
                        "type": "pointer",
                        "id": "mouse",
                        "actions": [
                            {"type": "pointerMove", "x": int(x), "y": int(y)},
                            {"type": "pointerDown", "button": 0},
                            {"type": "pointerUp", "button": 0},
                        ],
                    }
                ]
            },
        )

    def hover(self, x, y):
        self._call(
            "POST",
            "/actions",
            {
                "actions": [
                    {
                        "type": "pointer",
                        "id": "mouse",
                        "actions": [
                            {"type": "pointerMove", "x": int(x), "y": int(y)}
                        ],
                    }
                ]
            },
        )

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
