"""The entry point of the command line, also of ``python -m treeplex``: signals are heard from here on."""

import signal
import sys

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends the process without words until signals are heard

from treeplex.process.interruption import run_interruptibly
from treeplex.process.standard_streams import open_streams


def main() -> None:
    """Run the command line of this process."""
    open_streams()
    sys.exit(run_interruptibly(_command))


def _command() -> int:
    from treeplex.cli.main import run_process  # takes a second, in which signals are heard already

    return run_process(sys.argv[1:])


if __name__ == "__main__":
    main()
