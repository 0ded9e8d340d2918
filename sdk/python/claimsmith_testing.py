"""Asks a plugin what a server asks it, on the server's own runtime; for pytest, unittest, and whatever else runs tests.

    with open_plugin("ticket.wasm") as plugin:
        answer = plugin.ask({"context": {"user": {"id": "u1"}}})

Behind it is ``claimsmith plugin run PATH --lines``, with the ``claimsmith`` of the PATH or the one that CLAIMSMITH_BIN
names.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from types import TracebackType
from typing import IO, Any

__all__ = ["Answer", "Log", "Plugin", "PluginError", "open_plugin"]


class PluginError(Exception):
    """The plugin does not load, the question is none, or nobody answers any more."""


@dataclass(frozen=True)
class Log:
    """A line that the plugin wrote."""

    level: str
    message: str


@dataclass(frozen=True)
class Answer:
    """Everything that came of a question."""

    #: ``ok``, ``denied``, ``failed``, ``timed_out``, …
    outcome: str
    claims: dict[str, Any] | None
    #: Why it was denied or failed.
    message: str | None
    #: Reserved claims that it tried to set.
    dropped: list[str]
    logs: list[Log]
    #: The same for the same question.
    instructions: int
    duration_ms: float
    #: In bytes.
    peak_memory: int
    #: Of a message plugin: the request's method and URL.
    method: str | None = None
    url: str | None = None
    #: Of a message plugin or a webhook transform; ``None`` where there is none, or where it stays as it is.
    body: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    #: Of a webhook transform.
    path: str | None = None
    #: Why the delivery is not sent.
    drop_reason: str | None = None

    @property
    def denied(self) -> str | None:
        """What the application is told, if the token was denied."""
        return self.message if self.outcome == "denied" else None

    @property
    def failed(self) -> str | None:
        """Why there is no answer, if there is none."""
        return self.message if self.outcome not in ("ok", "denied") else None


class Plugin:
    """A plugin that is loaded. It may be asked from several threads, and answers one after the other."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        binary = os.environ.get("CLAIMSMITH_BIN") or "claimsmith"
        self._path = os.fspath(path)
        self._lock = Lock()
        # A file, because a pipe that nobody reads is full at some time.
        self._stderr = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                [binary, "plugin", "run", self._path, "--lines"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                encoding="utf-8",
            )
        except OSError as error:
            self._stderr.close()
            raise PluginError(
                f"{binary} does not start ({error}): put it on the PATH, or name it in CLAIMSMITH_BIN"
            ) from None
        try:
            # This is no question, and is refused as soon as the plugin is loaded.
            self._send("null")
        except PluginError:
            self.close()
            raise

    def ask(
        self,
        input: Mapping[str, Any] | None = None,
        *,
        http: Sequence[Mapping[str, Any]] = (),
        cache: Sequence[Mapping[str, Any]] = (),
    ) -> Answer:
        """Asks it the input of a golden case. ``http`` is what other servers answer, and ``cache`` what the plugin
        finds in its cache, as they are there."""
        told = json.loads(self._send(json.dumps({"input": input or {}, "http": list(http), "cache": list(cache)})))
        if "error" in told:
            raise PluginError(told["error"])
        return Answer(
            outcome=told["outcome"],
            claims=told["claims"],
            message=told["message"],
            dropped=told["dropped"],
            logs=[Log(line["level"], line["message"]) for line in told["logs"]],
            instructions=told["instructions"] or 0,
            duration_ms=told["durationMs"],
            peak_memory=told["peakMemory"],
            method=told.get("method"),
            url=told.get("url"),
            body=told.get("body"),
            headers=told.get("headers") or {},
            path=told.get("path"),
            drop_reason=told.get("dropReason"),
        )

    def close(self) -> None:
        """Ends it: at the end of its input it has nothing more to do."""
        stdin, stdout = self._pipes()
        with self._lock:
            with suppress(BrokenPipeError):  # It may have ended before.
                stdin.close()
            stdout.close()
            self._process.wait()
            self._stderr.close()

    def __enter__(self) -> "Plugin":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _send(self, question: str) -> str:
        stdin, stdout = self._pipes()
        with self._lock:
            if stdin.closed:
                raise PluginError(f"{self._path}: it is closed")
            try:
                stdin.write(question + "\n")
                stdin.flush()
                answer = stdout.readline()
            except BrokenPipeError:
                answer = ""
            if answer:
                return answer
            status = self._process.wait()
            self._stderr.seek(0)
            said = self._stderr.read().decode(errors="replace")
            raise PluginError(f"{self._path}: claimsmith ended ({status})\n{said}".rstrip())

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        return stdin, stdout


def open_plugin(path: str | os.PathLike[str]) -> Plugin:
    """Loads the plugin of a folder or a file, and builds it before where that is needed."""
    return Plugin(path)
