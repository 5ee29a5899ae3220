"""Chromium, headless, driven over the pipe of its DevTools protocol: JSON messages that end in NUL,
read by the browser from descriptor 3 and written to descriptor 4. Needs the standard library alone.
(https://chromedevtools.github.io/devtools-protocol)"""

import base64
import fcntl
import json
import os
import select
import subprocess
import tempfile
import time

PATIENCE = 30  # seconds that nothing may take longer than


class Browser:
    """A browser with a profile of its own, which is gone afterwards."""

    def __init__(self, program):
        self._profile = tempfile.TemporaryDirectory(prefix="headlight-browser-", ignore_cleanup_errors=True)
        theirs_in, self._write = (_above_standard(end) for end in os.pipe())
        self.profile = self._profile.name
        self._read, theirs_out = (_above_standard(end) for end in os.pipe())
        os.dup2(theirs_in, 3)
        os.dup2(theirs_out, 4)
        arguments = [
            program,
            "--headless",
            "--remote-debugging-pipe",
            f"--user-data-dir={self.profile}",
            "--no-first-run",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-extensions",
            "--disable-background-networking",
            "--hide-scrollbars",
            "about:blank",
        ]
        if os.geteuid() == 0:
            arguments.insert(1, "--no-sandbox")  # which does not start as root
        self._process = subprocess.Popen(
            arguments, pass_fds=(3, 4), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for end in (3, 4, theirs_in, theirs_out):
            os.close(end)
        self._buffer = b""
        self._last = 0
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
            self._process.wait(PATIENCE)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        os.close(self._write)
        self._profile.cleanup()

    def send(self, method, session=None, **parameters):
        """The result of a command. Events that come meanwhile are kept."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self._receive(deadline)
            if answer.get("id") != self._last:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def _receive(self, deadline):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
            part = os.read(self._read, 1 << 20) if ready else None
            if part is None:
                raise TimeoutError("the browser does not answer")
            if not part:
                raise OSError("the browser went away")
            self._buffer += part
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)


def _above_standard(descriptor):
    """A copy that is in nobody's way; the descriptor is closed."""
    copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return copy


class Page:
    """A tab with one file in it, seen from a window of so many pixels."""

    def __init__(self, browser, path, width=1280, height=900, dark=False, link=""):
        self._browser = browser
        self._target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = browser.send("Target.attachToTarget", targetId=self._target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.resize(width, height)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self.url = "file://" + os.path.abspath(path)
        self.send("Page.navigate", url=self.url + link)
        self.wait("document.readyState === 'complete'")

    def close(self):
        self._browser.send("Target.closeTarget", targetId=self._target)

    def send(self, method, **parameters):
        return self._browser.send(method, self._session, **parameters)

    def resize(self, width, height):
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def value(self, expression):
        """What an expression of JavaScript gives, as JSON."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']['exception'].get('description')}")
        return result["result"].get("value")

    def wait(self, condition):
        """Until an expression is true."""
        deadline = time.monotonic() + PATIENCE
        while not self.value(condition):
            if time.monotonic() > deadline:
                raise TimeoutError(f"not true in time: {condition}")
            time.sleep(0.02)

    def point(self, x, y):
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x, y):
        self.point(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def middle(self, selector):
        """Where the middle of an element is in the window, once it is scrolled there."""
        return self.value(f"""(() => {{
          const found = document.querySelector({json.dumps(selector)});
          found.scrollIntoView({{ block: "center", inline: "center" }});
          const box = found.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")

    def point_at(self, selector):
        self.point(*self.middle(selector))

    def click_at(self, selector):
        self.click(*self.middle(selector))

    def press(self, *keys):
        codes = {
            "Enter": 13,
            "Escape": 27,
            " ": 32,
            "End": 35,
            "Home": 36,
            "ArrowLeft": 37,
            "ArrowUp": 38,
            "ArrowRight": 39,
            "ArrowDown": 40,
            "Tab": 9,
            "Delete": 46,
        }
        for key in keys:
            text = {"Enter": "\r", " ": " "}.get(key, "")
            common = {"key": key, "windowsVirtualKeyCode": codes[key]}
            self.send("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
            self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def reachable(self):
        """What the keyboard reaches, as nodes of the accessibility tree."""
        self.send("Accessibility.enable")
        nodes = self.send("Accessibility.getFullAXTree")["nodes"]
        return [
            node
            for node in nodes
            if not node["ignored"]
            and any(fact["name"] == "focusable" and fact["value"]["value"] for fact in node.get("properties", []))
        ]

    def picture(self, path):
        """The whole page as PNG."""
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 8000), "scale": 1}
        shot = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        _write(path, shot["data"])

    def print(self, path):
        _write(path, self.send("Page.printToPDF", printBackground=False)["data"])

    def _is_own(self, url):
        return url in (self.url, "about:blank") or url.startswith(("data:", "blob:"))

    def complaints(self):
        """Errors and warnings of the console, exceptions, and what was asked of a network."""
        found = []
        for event in self._browser.events:
            if event.get("sessionId") != self._session:
                continue
            kind, told = event["method"], event["params"]
            if kind == "Runtime.exceptionThrown":
                found.append(told["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif kind == "Runtime.consoleAPICalled":
                found.append(f"console.{told['type']}")
            elif kind == "Log.entryAdded":
                found.append(told["entry"]["text"])
            elif kind == "Network.requestWillBeSent" and not self._is_own(told["request"]["url"]):
                found.append("request of " + told["request"]["url"])
            elif kind == "Page.javascriptDialogOpening":
                found.append("dialog")
        return found


def _write(path, data):
    with open(path, "wb") as file:
        file.write(base64.b64decode(data))
