"""Two kinds of request that do not end with their answer: a WebSocket and an event stream."""

import base64
import hashlib
import json

WEBSOCKET_KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def serve(handler):
    """A WebSocket that greets, repeats each short text with the revision, and closes."""
    key = handler.headers.get("Sec-WebSocket-Key", "")
    accept = base64.b64encode(hashlib.sha1((key + WEBSOCKET_KEY).encode()).digest()).decode()
    handler.server.stage.note(handler.line, "websocket", 101)
    handler.send_response(101)
    handler.send_header("Upgrade", "websocket")
    handler.send_header("Connection", "Upgrade")
    handler.send_header("Sec-WebSocket-Accept", accept)
    handler.send_header("X-Request-Id", handler.line["id"])
    handler.end_headers()
    handler.close_connection = True
    say(handler, {"hello": "harbour"})
    while True:
        text = hear(handler)
        if text is None:
            return
        say(handler, {"heard": text, "revision": handler.server.notebook.revision})


def say(handler, document):
    data = json.dumps(document).encode()
    assert len(data) < 126
    handler.wfile.write(bytes((0x81, len(data))) + data)
    handler.wfile.flush()


def hear(handler):
    """The next text of the page, or None when it closes or says something longer than 125 bytes."""
    head = handler.rfile.read(2)
    if len(head) < 2 or head[0] & 0x0F != 1 or head[1] & 0x7F > 125:
        handler.wfile.write(bytes((0x88, 0x00)))
        return None
    mask = handler.rfile.read(4)
    data = handler.rfile.read(head[1] & 0x7F)
    return bytes(byte ^ mask[index % 4] for index, byte in enumerate(data)).decode()


def stream(handler):
    """An event stream of three events."""
    handler.server.stage.note(handler.line, "events", 200)
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Cache-Control", "no-store")
    handler.send_header("X-Request-Id", handler.line["id"])
    handler.send_header("Connection", "close")
    handler.end_headers()
    for number in range(1, 4):
        event = {"tide": number, "revision": handler.server.notebook.revision}
        handler.wfile.write(f"id: {number}\ndata: {json.dumps(event)}\n\n".encode())
        handler.wfile.flush()
    handler.close_connection = True
