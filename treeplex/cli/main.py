"""One command: runs it, prints errors as one line, returns the exit code."""

import logging
import sys
from collections.abc import Sequence

import typer

from treeplex.cli.app import FAILED, SUCCESS, app, register
from treeplex.games.base.errors import NotSolvedError
from treeplex.games.base.own_games import described, place_of
from treeplex.games.base.reading import complaint
from treeplex.process.interruption import INTERRUPTED
from treeplex.process.kernel_folder import trouble
from treeplex.process.standard_streams import NobodyReadsError, complain, settle_streams

BAD_INPUT, NOBODY_READS = 2, 141
"""Exit codes: bad input; a closed pipe as standard output, as where SIGPIPE ends a process."""


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; what goes wrong is one line on standard error."""
    try:
        register(arguments)
        code = app(list(arguments), prog_name="treeplex", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        return _complain(f"{error.format_message().rstrip('.')}; see treeplex --help", BAD_INPUT)
    except OverflowError:
        return _complain("a payoff or a chip count is beyond the range of floats, about 1e308", BAD_INPUT)
    except MemoryError:
        return _complain("the game does not fit in memory", BAD_INPUT)
    except NobodyReadsError:  # ``treeplex games | head`` ends quietly
        code = NOBODY_READS
    except SystemExit as end:  # typer's: 0 after completion, 1 where nobody reads its help
        code = NOBODY_READS if end.code else SUCCESS
    except Exception as error:
        return _complain(_reason(error), FAILED if isinstance(error, NotSolvedError) else BAD_INPUT)
    except KeyboardInterrupt:
        code = INTERRUPTED
    return _complain("interrupted", INTERRUPTED) if code == INTERRUPTED else int(code)


def _reason(error: Exception) -> str:
    """Return an error's text, with the line of a user's file that raised it.

    Of an error of the system it is the file and the reason without its number. What our own code raises by
    mistake is raised again.
    """
    if kept := trouble(error):
        return kept
    place = place_of(error)
    if isinstance(error, OSError) and error.strerror:
        return ": ".join(str(part) for part in (error.filename, error.strerror) if part is not None)
    if isinstance(error, NotSolvedError):
        return str(error)
    if isinstance(error, ValueError | TypeError | OSError):
        return f"{error} ({place})" if place else str(error)
    if not place:
        raise error
    return described(error)


def _complain(message: str, code: int) -> int:
    complain(f"treeplex: {complaint(message)}")
    return code


def run_process(arguments: Sequence[str]) -> int:
    """Run one command as this process, and return its exit code."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it warns where it cannot keep its own caches
    code = run(arguments)
    settle_streams()
    return code
