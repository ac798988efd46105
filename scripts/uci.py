"""A UCI engine as a child process, for the scripts beside this file."""

import os
import select
import subprocess
import time


class EngineError(Exception):
    """The engine closed its output, or said nothing for too long."""


class Engine:
    """One engine. Lines are read with a limit in seconds, so that nothing here can hang."""

    def __init__(self, command, patience=10.0):
        self.name = os.path.basename(command)
        self.patience = patience
        self._buffer = b""
        self._process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._output = self._process.stdout.fileno()

    def send(self, *lines):
        """Sends lines."""
        try:
            self._process.stdin.write("".join(line + "\n" for line in lines).encode())
            self._process.stdin.flush()
        except OSError as error:
            raise EngineError(f"{self.name} reads no more: {error}") from error

    def lines_until(self, first_word, patience=None):
        """All lines up to and with the first one that begins with a word."""
        deadline = time.monotonic() + (self.patience if patience is None else patience)
        lines = []
        while True:
            end = self._buffer.find(b"\n")
            if end < 0:
                self._fill(deadline, first_word)
                continue
            lines.append(self._buffer[:end].decode(errors="replace").rstrip("\r"))
            self._buffer = self._buffer[end + 1 :]
            if lines[-1].split(" ", 1)[0] == first_word:
                return lines

    def start(self, options):
        """The handshake, and the options, a mapping from name to value."""
        self.send("uci")
        lines = self.lines_until("uciok")
        for line in lines:
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ")
        self.send(*(f"setoption name {name} value {value}" for name, value in options.items()))
        self.wait_ready()

    def wait_ready(self):
        """All lines up to the answer to `isready`."""
        self.send("isready")
        return self.lines_until("readyok")

    def close(self):
        """Ends the process; returns its exit code, or None if it had to be killed."""
        try:
            self.send("quit")
            self._process.stdin.close()
            return self._process.wait(timeout=self.patience)
        except (EngineError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
            return None

    def _fill(self, deadline, wanted):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([self._output], [], [], left)[0]:
            raise EngineError(f"{self.name} did not send '{wanted}' in time")
        data = os.read(self._output, 65536)
        if not data:
            raise EngineError(f"{self.name} closed its output before '{wanted}'")
        self._buffer += data
