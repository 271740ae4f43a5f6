"""Drives headless Chromium, and has its own developer tools write the HAR file.

The browser is spoken to over a pipe (`--remote-debugging-pipe`). A second window of the same
browser shows the bundled DevTools front end, attached to the page; the capture is what that front
end's HAR writer gives: the file that "Export HAR" in the Network panel saves.
"""

import base64
import fcntl
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "Chromium is missing. On Debian or Ubuntu: apt-get install chromium"
FRONT_END = "devtools://devtools/bundled/devtools_app.html"
WAIT_SECONDS_MAX = 30

READY = """(async () => {
  const SDK = await import('./core/sdk/sdk.js');
  const target = SDK.TargetManager.TargetManager.instance().primaryPageTarget();
  return Boolean(target && target.model(SDK.NetworkManager.NetworkManager));
})()"""

EXPORT = """(async () => {
  const Logs = await import('./models/logs/logs.js');
  const HAR = await import('./models/har/har.js');
  const requests = Logs.NetworkLog.NetworkLog.instance().requests();
  const progress = {title: '', totalWork: 0, worked: 0, canceled: false, done: false};
  let text = '';
  const stream = {write: async (part) => { text += part; }};
  await HAR.Writer.Writer.write(stream, requests, {sanitize: true}, progress);
  return text;
})()"""


def find():
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise SystemExit(MISSING)
    return path


class Pipe:
    """The DevTools protocol over two pipes: JSON messages, each ended by a zero byte."""

    def __init__(self, program, arguments):
        theirs_in, self.out = os.pipe()
        self.into, theirs_out = os.pipe()
        # Chromium reads on descriptor 3 and writes on 4, so both are moved out of the way first.
        moved = [fcntl.fcntl(fd, fcntl.F_DUPFD, 30) for fd in (theirs_in, theirs_out)]

        def place():
            os.dup2(moved[0], 3)
            os.dup2(moved[1], 4)

        self.process = subprocess.Popen(
            [program, *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(3, 4),
            preexec_fn=place,
            start_new_session=True,
        )
        for fd in (theirs_in, theirs_out, *moved):
            os.close(fd)
        self.number = 0
        self.rest = b""

    def call(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") != self.number:
                continue
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def next(self):
        while b"\0" not in self.rest:
            part = os.read(self.into, 1 << 16)
            if not part:
                raise RuntimeError("Chromium went away")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def close(self):
        """Ends the browser that was started here, with its children, and nothing else."""
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (RuntimeError, OSError, subprocess.TimeoutExpired):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.out)
        os.close(self.into)


class Page:
    """One page; with the developer tools open beside it, unless a proxy writes the capture."""

    can_act_while_loading = True

    def __init__(self, proxy=None):
        self.profile = Path(tempfile.mkdtemp(prefix="harbour-"))
        flags = [
            "--headless=new",
            "--remote-debugging-pipe",
            "--remote-debugging-port=0",
            "--remote-allow-origins=*",
            f"--user-data-dir={self.profile}",
            "--no-first-run",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-extensions",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
            "--disable-background-timer-throttling",
            "--disable-backgrounding-occluded-windows",
            "--disable-renderer-backgrounding",
            "--window-size=900,640",
            "--lang=en-US",
        ]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        if proxy:
            # Only our own server goes through the proxy; the browser's own errands go nowhere.
            flags += [f"--proxy-server={proxy}", "--proxy-bypass-list=<-loopback>;*.com"]
        self.pipe = Pipe(find(), [*flags, "about:blank"])
        try:
            self.version = self.pipe.call("Browser.getVersion")["product"].split("/")[1]
            self.target = self.pipe.call("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.attach(self.target)
            self.tools = None if proxy else self.open_tools()
        except BaseException:
            self.close()
            raise

    def attach(self, target):
        answer = self.pipe.call("Target.attachToTarget", targetId=target, flatten=True)
        return answer["sessionId"]

    def open_tools(self):
        port = self.debugging_port()
        address = f"{FRONT_END}?ws=127.0.0.1:{port}/devtools/page/{self.target}&panel=network"
        target = self.pipe.call("Target.createTarget", url=address, newWindow=True)["targetId"]
        session = self.attach(target)
        wait(lambda: self.evaluate(READY, session, quiet=True))
        time.sleep(0.5)
        return session

    def debugging_port(self):
        file = self.profile / "DevToolsActivePort"
        wait(lambda: file.exists() and file.read_text().count("\n") >= 1)
        return int(file.read_text().split("\n")[0])

    def evaluate(self, expression, session=None, quiet=False):
        answer = self.pipe.call(
            "Runtime.evaluate",
            session or self.session,
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        if "exceptionDetails" in answer:
            if quiet:
                return None
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:600])
        return answer["result"].get("value")

    # What a person does.

    def open(self, address, whole=True):
        """Goes to a page; `whole` waits for its images too."""
        self.pipe.call("Page.navigate", self.session, url=address)
        if whole:
            wait(lambda: self.evaluate("document.readyState === 'complete'", quiet=True))

    def click(self, selector):
        place = self.evaluate(
            f"(() => {{ const b = document.querySelector({json.dumps(selector)})"
            ".getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            where = {"x": place[0], "y": place[1], "button": "left", "clickCount": 1}
            self.pipe.call("Input.dispatchMouseEvent", self.session, type=kind, **where)

    def type(self, selector, text):
        self.evaluate(
            f"(() => {{ const f = document.querySelector({json.dumps(selector)});"
            " f.focus(); f.select(); })()"
        )
        self.pipe.call("Input.insertText", self.session, text=text)

    def text(self, selector):
        """What the page shows at `selector`, or None if there is nothing."""
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? null")

    def picture(self, path):
        shot = self.pipe.call("Page.captureScreenshot", self.session, format="png")
        Path(path).write_bytes(base64.b64decode(shot["data"]))

    def export(self):
        """The HAR file, as the browser's own developer tools write it."""
        return self.evaluate(EXPORT, self.tools)

    def close(self):
        self.pipe.close()
        shutil.rmtree(self.profile, ignore_errors=True)


def wait(check):
    end = time.monotonic() + WAIT_SECONDS_MAX
    while not check():
        if time.monotonic() > end:
            raise RuntimeError("waited in vain")
        time.sleep(0.05)
