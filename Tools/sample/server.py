#!/usr/bin/env python3
"""The server of Harbour log, a small notes app.

    server.py [PORT] [--log FILE]

Listens on 127.0.0.1; port 0 picks a free one. Prints the address. `X-Hold-Ms: 800` holds one
answer for so long after it was computed; `/_stage/` holds answers on cue (see `record`). With
`--log` the server's own account of every request is written when it ends.
"""

import argparse
import gzip
import json
import signal
import struct
import sys
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import live
from notebook import Answer, Notebook
from stage import HOLD_SECONDS_MAX, Stage

APP = Path(__file__).resolve().parent / "app"
BODY_BYTES_MAX = 64 * 1024
GZIP_BYTES_MIN = 300
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff": "font/woff",
}


def photo(number):
    """A PNG of 4 by 4 points in one colour."""

    def chunk(name, data):
        check = zlib.crc32(name + data)
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", check)

    colour = bytes((number * 37 % 256, number * 91 % 256, 160))
    rows = zlib.compress((b"\0" + colour * 4) * 4, 9)
    header = struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


class Handler(BaseHTTPRequestHandler):
    """One request: note it, perhaps hold it, answer it."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def version_string(self):
        return "Harbour/1"

    def do_any(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > BODY_BYTES_MAX:
            self.close_connection = True
            return self.reply(Answer(413))
        body = self.rfile.read(length)
        path = urlsplit(self.path).path
        if path.startswith("/_stage/"):
            return self.direct(path, json.loads(body or b"{}"))
        device = self.headers.get("X-Device", "page")
        host = self.headers.get("Host", "")
        self.line, self.held = self.server.stage.arrive(self.command, self.path, host, device)
        if self.held and self.held.when == "before":
            self.held.wait()
        try:
            self.route(path, body)
        except (BrokenPipeError, ConnectionResetError):
            self.line["aborted"] = True
            self.close_connection = True

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_PROPFIND = do_any

    def route(self, path, body):
        if self.command == "OPTIONS":
            return self.plain("other", Answer(204), {"Access-Control-Max-Age": "0"})
        if self.command == "PROPFIND":
            return self.plain("other", Answer(207, self.server.notebook.listing()))
        if path == "/beacon":
            return self.plain("beacon", Answer(204))
        if path == "/live":
            return live.serve(self)
        if path == "/events":
            return live.stream(self)
        if path == "/":
            return self.plain("other", Answer(302, None, None, "/harbour/"))
        if path.startswith(("/harbour/", "/photos/")):
            return self.asset(path)
        if path == "/graphql" or path.startswith("/api/"):
            return self.api(path, body)
        self.plain("other", Answer(404, {"error": "nothing here"}))

    def api(self, path, body):
        notebook, stage = self.server.notebook, self.server.stage
        target, method = self.path, self.command
        try:
            document = json.loads(body) if body else {}
        except ValueError:
            document = None
        if not isinstance(document, dict):
            return self.plain("other", Answer(400, {"error": "this is no JSON object"}))
        if path == "/graphql":
            self.line["operation"] = document.get("operationName")
            reads = document.get("operationName") == "Notes"
            look = act = lambda: notebook.graphql(document)
        else:
            reads = method in ("GET", "HEAD")
            look = lambda: notebook.read(target, self.headers.get("If-None-Match"))
            act = lambda: notebook.change(method, target, document, self.headers.get("If-Match"))
        answer = stage.compute(self.line, look) if reads else stage.apply(self.line, act)
        self.hold()
        stage.send(self.line)
        caching = "no-cache" if path == "/api/status" else "no-store"
        self.reply(answer, {"Cache-Control": caching})

    def hold(self):
        milliseconds = self.headers.get("X-Hold-Ms", "")
        if milliseconds.isdigit():
            time.sleep(min(int(milliseconds) / 1000, HOLD_SECONDS_MAX))
        if self.held and self.held.when == "after":
            self.held.wait()

    def plain(self, kind, answer, headers={}):
        self.server.stage.note(self.line, kind, answer.status)
        self.hold()
        self.server.stage.send(self.line)
        self.reply(answer, headers)

    def asset(self, path):
        """A file of the app, or a generated photo; browsers may keep both for an hour."""
        if path.startswith("/photos/"):
            name = path.removeprefix("/photos/").removesuffix(".png")
            data = photo(int(name)) if name.isdigit() else None
            kind, etag = "image/png", f'"photo-{name}"'
        else:
            file = APP / (path.removeprefix("/harbour/") or "index.html")
            known = file.suffix in TYPES and file.parent == APP and file.is_file()
            data = file.read_bytes() if known else None
            kind, etag = TYPES.get(file.suffix), f'"{zlib.crc32(data or b""):08x}"'
        if data is None:
            return self.plain("asset", Answer(404, {"error": "nothing here"}))
        self.server.stage.note(self.line, "asset", 200)
        self.hold()
        self.server.stage.send(self.line)
        caching = "no-cache" if kind.startswith("text/html") else "max-age=3600"
        headers = {"Content-Type": kind, "Cache-Control": caching, "ETag": etag}
        if self.headers.get("If-None-Match") == etag:
            return self.deliver(304, headers, b"")
        self.deliver(200, headers, data)

    def reply(self, answer, headers={}):
        """Sends an answer: JSON, compressed if it is long enough to be worth it."""
        data = b""
        headers = dict(headers)
        if answer.document is not None:
            text = json.dumps(answer.document, ensure_ascii=False, separators=(",", ":"))
            data = text.encode()
            headers["Content-Type"] = "application/json"
            headers["Vary"] = "Accept-Encoding"
        if answer.etag:
            headers["ETag"] = answer.etag
        if answer.location:
            headers["Location"] = answer.location
        accepts = "gzip" in self.headers.get("Accept-Encoding", "")
        if accepts and len(data) >= GZIP_BYTES_MIN:
            data = gzip.compress(data, mtime=0)
            headers["Content-Encoding"] = "gzip"
        self.deliver(answer.status, headers, data)

    def deliver(self, status, headers, data):
        self.send_response(status)
        for name, value in {**headers, **self.sharing()}.items():
            self.send_header(name, value)
        if hasattr(self, "line"):
            self.send_header("X-Request-Id", self.line["id"])
        chunked = urlsplit(self.path).path == "/api/search" and status == 200
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        elif status not in (204, 304):
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command == "HEAD" or status in (204, 304):
            return
        if chunked:
            data = b"%x\r\n%s\r\n0\r\n\r\n" % (len(data), data)
        self.wfile.write(data)
        self.wfile.flush()

    def sharing(self):
        """What a page of another address needs to be let in."""
        origin = self.headers.get("Origin")
        if not origin or urlsplit(origin).netloc == self.headers.get("Host"):
            return {}
        return {
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
            "Access-Control-Allow-Headers": "Content-Type, X-Device",
            "Access-Control-Allow-Credentials": "true",
        }

    def direct(self, path, wish):
        """`/_stage/`: the recorder sets cues, waits for them, lets go, and reads the account."""
        stage = self.server.stage
        if path == "/_stage/hold":
            stage.cue(wish["name"], wish["method"], wish["target"], wish.get("when", "after"))
        elif path == "/_stage/wait":
            if not stage.cue_named(wish["name"]).taken.wait(HOLD_SECONDS_MAX):
                return self.reply(Answer(408, {"error": "no such request came"}))
        elif path == "/_stage/release":
            stage.cue_named(wish["name"]).let_go.set()
        with stage.lock:
            answer = Answer(200, json.loads(json.dumps(stage.account)))
        self.reply(answer)

    def log_message(self, *arguments):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port):
        super().__init__(("127.0.0.1", port), Handler)
        self.notebook = Notebook()
        self.stage = Stage(self.notebook)

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def main():
    parser = argparse.ArgumentParser(description="the server of Harbour log")
    parser.add_argument("port", type=int, nargs="?", default=8731)
    parser.add_argument("--log", type=Path, help="write the account of all requests here")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        server = Server(options.port)
    except OSError as error:
        raise SystemExit(f"cannot listen on port {options.port}: {error.strerror}") from None
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    try:
        server.serve_forever(poll_interval=0.1)
    except KeyboardInterrupt:
        pass
    if options.log:
        lines = [json.dumps(line) for line in server.stage.account]
        options.log.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
