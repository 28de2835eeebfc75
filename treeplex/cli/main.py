"""One command: runs it, prints errors as one line, returns the exit code."""

import sys
from collections.abc import Sequence

import typer

# In the order in which --help lists the commands.
# isort: off
from treeplex.cli import games, solve, verification, pictures, subgames, off_tree

# isort: on
from treeplex.cli.app import FAILED, app
from treeplex.games.inputs.reading import complaint
from treeplex.process.signals import INTERRUPTED
from treeplex.seqform.exact.rational_optimum import NotExactError
from treeplex.seqform.lp.solve import NotSolvedError

COMMANDS = games, solve, verification, pictures, subgames, off_tree
"""Modules of commands; importing them registers the commands."""
BAD_INPUT = 2
"""Exit code: bad input."""


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; what goes wrong is one line on standard error."""
    try:
        code = app(list(arguments), prog_name="treeplex", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        return _complain(f"{error.format_message().rstrip('.')}; see treeplex --help", BAD_INPUT)
    except (NotSolvedError, NotExactError) as error:
        return _complain(str(error), FAILED)
    except OverflowError:
        return _complain("a payoff or a chip count is beyond the range of floats, about 1e308", BAD_INPUT)
    except MemoryError:
        return _complain("the game does not fit in memory", BAD_INPUT)
    except (ValueError, TypeError, OSError) as error:
        return _complain(str(error), BAD_INPUT)
    except KeyboardInterrupt:
        code = INTERRUPTED
    return _complain("interrupted", INTERRUPTED) if code == INTERRUPTED else int(code)


def _complain(message: str, code: int) -> int:
    print(f"treeplex: {complaint(message)}", file=sys.stderr)
    return code


def run_process(arguments: Sequence[str]) -> int:
    """Run one command with the standard streams of this process, and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    return run(arguments)
