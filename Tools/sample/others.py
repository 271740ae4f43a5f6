"""The same stories through other exporters: Playwright, mitmproxy, Firefox."""

import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import chromium
import firefox
import story
from running import Running

PORT = 8731
PROXY_PORT = 8732


# Playwright's recorder, with the same Chromium.


class PlaywrightPage:
    """The page as `story` knows it, driven by Playwright."""

    can_act_while_loading = True

    def __init__(self, page):
        self.page = page
        page.set_viewport_size({"width": 900, "height": 640})

    def open(self, address, whole=True):
        self.page.goto(address, wait_until="load" if whole else "commit")

    def click(self, selector):
        self.page.click(selector)

    def type(self, selector, text):
        self.page.focus(selector)
        self.page.evaluate(f"document.querySelector('{selector}').select()")
        self.page.keyboard.insert_text(text)

    def text(self, selector):
        return self.evaluate(f"document.querySelector('{selector}')?.innerText ?? null")

    def evaluate(self, expression):
        return self.page.evaluate(expression)


def playwright(content):
    try:
        import playwright as package
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise SystemExit("Playwright is missing. pip install playwright") from None
    from importlib.metadata import version

    with tempfile.TemporaryDirectory() as folder, Running(PORT) as stage:
        file = Path(folder) / "capture.har"
        with sync_playwright() as player:
            browser = player.chromium.launch(executable_path=chromium.find())
            context = browser.new_context(record_har_path=file, record_har_content=content)
            story.short(stage, story.Person(PlaywrightPage(context.new_page())))
            context.close()
            producer = f"Playwright {version('playwright')} (content: {content}), with Chromium "
            producer += browser.version
            browser.close()
        return file.read_text(), producer, stage.account(), stage.steps


# mitmproxy, with Chromium behind it.


def mitmproxy():
    beside = Path(sys.executable).with_name("mitmdump")
    program = str(beside) if beside.exists() else shutil.which("mitmdump")
    if program is None:
        raise SystemExit("mitmproxy is missing. pip install mitmproxy")
    said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    version = said.split()[1]
    with tempfile.TemporaryDirectory() as folder, Running(PORT) as stage:
        file = Path(folder) / "capture.har"
        options = ["--listen-host", "127.0.0.1", "--listen-port", str(PROXY_PORT)]
        options += ["--set", f"hardump={file}", "--set", f"confdir={folder}", "--quiet"]
        proxy = subprocess.Popen([program, *options])
        try:
            wait_for_port(PROXY_PORT)
            page = chromium.Page(proxy=f"http://127.0.0.1:{PROXY_PORT}")
            try:
                story.brief(stage, story.Person(page))
            finally:
                page.close()
            ask_nobody()
            producer = f"mitmproxy {version} (hardump), with Chromium {page.version}"
        finally:
            proxy.terminate()
            proxy.wait()
        return file.read_text(), producer, stage.account(), stage.steps


def wait_for_port(port):
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"nothing answers on port {port}")


def ask_nobody():
    """A request through the proxy to a server that is not there."""
    proxy = urllib.request.ProxyHandler({"http": f"http://127.0.0.1:{PROXY_PORT}"})
    try:
        urllib.request.build_opener(proxy).open("http://127.0.0.1:8730/nobody-listens", timeout=5)
    except OSError:
        pass


# Firefox, whose Network panel writes the file.


def with_firefox():
    with Running(PORT) as stage:
        page = firefox.Page()
        try:
            story.short(stage, story.Person(page))
            text = page.export()
        finally:
            page.close()
        producer = f"Firefox {page.version}, exported by its own Network panel"
        return text, producer, stage.account(), stage.steps


PLAYS = {
    "playwright": lambda: [
        ("playwright-embed", lambda: playwright("embed")),
        ("playwright-omit", lambda: playwright("omit")),
    ],
    "mitmproxy": lambda: [("mitmproxy", mitmproxy)],
    "firefox": lambda: [("firefox", with_firefox)],
}
