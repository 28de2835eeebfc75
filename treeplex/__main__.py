"""``python -m treeplex`` is the command line."""

from treeplex.cli.main import main

if __name__ == "__main__":
    main()
