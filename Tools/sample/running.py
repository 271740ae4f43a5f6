"""The server of Harbour log as a process of its own, for the time of one recording."""

import subprocess
import sys
from pathlib import Path

import story

SERVER = Path(__file__).resolve().parent / "server.py"


class Running:
    """`with Running(port) as stage`: the server runs inside the block, and only there."""

    def __init__(self, port):
        self.port = port

    def __enter__(self):
        command = [sys.executable, "-B", str(SERVER), str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        address = self.process.stdout.readline().strip()
        if not address:
            raise SystemExit("the server did not start")
        return story.Stage(address)

    def __exit__(self, *failure):
        self.process.terminate()
        self.process.wait()
