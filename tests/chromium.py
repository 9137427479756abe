"""A page in headless Chromium, driven over the DevTools protocol through a pipe."""

import json
import os
import shutil
import subprocess


def chromium():
    """The browser's path, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One page; `events` has all that the browser has told of it."""

    def __init__(self, url, profile):
        to_read, self.to = os.pipe()
        self.read_from, to_write = os.pipe()
        command = [chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--no-first-run", "--disable-background-networking", "--disable-component-update",
                   "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={profile}",
                   "--remote-debugging-pipe", "about:blank"]
        # The pipe is at the descriptors 3 and 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write}', "bash", *command],
            pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.events, self.unread, self.number, self.session = [], b"", 0, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Security"):
            self.call(f"{domain}.enable")
        self.open(url)

    def message(self):
        while b"\0" not in self.unread:
            block = os.read(self.read_from, 1 << 16)
            if not block:
                raise RuntimeError("chromium has ended")
            self.unread += block
        text, _, self.unread = self.unread.partition(b"\0")
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.message())

    def open(self, url):
        self.events = []
        self.call("Page.navigate", url=url)
        self.wait_for("Page.loadEventFired")

    def run(self, expression):
        """The value of an expression in the page, which the page's own policy does not forbid."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def press(self, key):
        """A key, pressed and released by the user."""
        text = {"Enter": "\r", "Space": " "}.get(key, "")
        codes = {"Enter": 13, "Space": 32, "Tab": 9, "ArrowDown": 40, "ArrowRight": 39}
        name = " " if key == "Space" else key
        common = {"key": name, "code": key, "windowsVirtualKeyCode": codes[key]}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def viewport(self, width, height, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=mobile)

    def media(self, scheme="light", kind=""):
        self.call("Emulation.setEmulatedMedia", media=kind,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def complaints(self):
        """Errors on the console, refused loads, and requests but for the page itself."""
        found = []
        for event in self.events:
            method, what = event.get("method"), event.get("params", {})
            if method == "Log.entryAdded":
                found.append(what["entry"]["text"])
            elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning", "assert"):
                found.append(str(what["args"]))
            elif method == "Runtime.exceptionThrown":
                found.append(str(what["exceptionDetails"]))
            elif method == "Page.javascriptDialogOpening":
                found.append("a dialog: " + what["message"])
            elif method == "Network.requestWillBeSent" and what.get("type") != "Document":
                found.append("a request: " + what["request"]["url"])
        return found

    def close(self):
        os.close(self.to)
        os.close(self.read_from)
        self.process.kill()
        self.process.wait()
