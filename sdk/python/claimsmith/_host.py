"""What all kinds of plugins have in common: the log, and how denials and failures are told."""

import logging
import traceback

from wit_world.imports import log

_LEVELS = {
    logging.DEBUG: log.Level.DEBUG,
    logging.INFO: log.Level.INFO,
    logging.WARNING: log.Level.WARN,
    logging.ERROR: log.Level.ERROR,
    logging.CRITICAL: log.Level.ERROR,
}


class Denied(Exception):
    """The token must not be issued, and the text is shown to the application; or the message is not to be sent."""


class _PluginLog(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        log.write(_LEVELS.get(record.levelno, log.Level.INFO), self.format(record))


logging.basicConfig(level=logging.DEBUG, format="%(message)s", handlers=[_PluginLog()])


def told(error: BaseException) -> str:
    """An exception for the plugin's author: what it is, and where it comes from."""
    last = traceback.format_exception_only(error)[-1].strip()
    return last + "\n" + "".join(traceback.format_tb(error.__traceback__))
