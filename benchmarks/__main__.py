"""Run every benchmark of this folder, each in a process of its own."""

import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    print(f"{platform.platform()}, {platform.machine()}, Python {platform.python_version()}", flush=True)
    for path in sorted(HERE.glob("bench_*.py")):
        print(f"\n== {path.stem}", flush=True)
        subprocess.run([sys.executable, "-m", f"benchmarks.{path.stem}"], cwd=HERE.parent, check=False)


if __name__ == "__main__":
    main()
