"""Run benchmarks by name, or every one, each in a process of its own: ``python -m benchmarks [NAME]...``."""

import argparse
import platform
import subprocess
import sys

from benchmarks.find import ROOT, benchmarks


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks", description="Time things beside their targets.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(benchmarks()))
    asked = parser.parse_args()
    try:
        modules = benchmarks(only=asked.names)
    except ValueError as error:
        parser.error(str(error))
    print(f"{platform.platform()}, {platform.machine()}, Python {platform.python_version()}", flush=True)
    for name, module in modules.items():
        print(f"\n== {name}", flush=True)
        subprocess.run([sys.executable, "-m", module], cwd=ROOT, check=False)


if __name__ == "__main__":
    main()
