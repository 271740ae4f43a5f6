"""Drives headless Firefox over Marionette, and has its Network panel write the HAR file."""

import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

NAMES = ("firefox", "firefox-esr")
MISSING = "Firefox is missing. On Debian: apt-get install firefox-esr"
PORT = 8733
PREFERENCES = {
    "marionette.port": PORT,
    "devtools.netmonitor.persistlog": True,
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    # The browser's own errands go to a port where nobody listens.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1, localhost",
}

TOOLS = """
const { require } = ChromeUtils.importESModule(
  "resource://devtools/shared/loader/Loader.sys.mjs");
const { gDevTools } = require("devtools/client/framework/devtools");
const tab = gBrowser.selectedTab;
const done = arguments[arguments.length - 1];
(async () => { ACTION })().then(done, (error) => done("failed: " + error));
"""
OPEN_TOOLS = TOOLS.replace(
    "ACTION", 'await gDevTools.showToolboxForTab(tab, { toolId: "netmonitor" }); return "";'
)
EXPORT = TOOLS.replace(
    "ACTION",
    "const tools = await gDevTools.getToolboxForTab(tab);"
    " return JSON.stringify({ log: await tools.getHARFromNetMonitor() }, null, 2);",
)


class Page:
    """One page with the Network panel open below it."""

    can_act_while_loading = False

    def __init__(self):
        program = next(filter(None, map(shutil.which, NAMES)), None)
        if program is None:
            raise SystemExit(MISSING)
        self.profile = Path(tempfile.mkdtemp(prefix="harbour-"))
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});"
            for name, value in PREFERENCES.items()
        ]
        (self.profile / "user.js").write_text("\n".join(lines) + "\n")
        flags = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote"]
        self.process = subprocess.Popen(
            [program, *flags, "--profile", str(self.profile), "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "HOME": str(self.profile)},
        )
        try:
            self.begin()
        except BaseException:
            self.close()
            raise

    def begin(self):
        self.numbers = itertools.count(1)
        self.rest = b""
        self.socket = self.connect()
        self.receive()
        wish = {"alwaysMatch": {"pageLoadStrategy": "none"}}
        session = self.call("WebDriver:NewSession", capabilities=wish)
        self.version = session["capabilities"]["browserVersion"]
        self.call("WebDriver:SetTimeouts", script=30000)
        self.with_tools(OPEN_TOOLS)

    def connect(self):
        for _ in range(300):
            try:
                return socket.create_connection(("127.0.0.1", PORT))
            except OSError:
                time.sleep(0.1)
        raise SystemExit("Firefox does not answer")

    def call(self, command, **parameters):
        data = json.dumps([0, next(self.numbers), command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(data), data))
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return result

    def receive(self):
        while b":" not in self.rest:
            self.more()
        length, self.rest = self.rest.split(b":", 1)
        while len(self.rest) < int(length):
            self.more()
        message, self.rest = self.rest[: int(length)], self.rest[int(length) :]
        return json.loads(message)

    def more(self):
        part = self.socket.recv(1 << 16)
        if not part:
            raise RuntimeError("Firefox went away")
        self.rest += part

    def with_tools(self, script):
        self.call("Marionette:SetContext", value="chrome")
        text = self.call("WebDriver:ExecuteAsyncScript", script=script, args=[])["value"]
        self.call("Marionette:SetContext", value="content")
        if text.startswith("failed"):
            raise RuntimeError(text)
        return text

    def evaluate(self, expression):
        script = f"return ({expression})"
        return self.call("WebDriver:ExecuteScript", script=script, args=[])["value"]

    # What a person does.

    def open(self, address, whole=True):
        self.call("WebDriver:Navigate", url=address)
        wanted = "complete" if whole else "interactive"
        while self.evaluate("document.readyState") not in (wanted, "complete"):
            time.sleep(0.05)

    def click(self, selector):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def type(self, selector, text):
        self.evaluate(
            f"(() => {{ const f = document.querySelector({json.dumps(selector)}); f.focus();"
            f" f.select(); document.execCommand('insertText', false, {json.dumps(text)}); }})()"
        )

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? null")

    def export(self):
        """The log that "Save All As HAR" of the Network panel writes, wrapped and indented here."""
        return self.with_tools(EXPORT)

    def close(self):
        """Ends the browser that was started here, with its children, and nothing else."""
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
