"""Make the pictures of GALLERY.md by what stands there; with names of pictures, only their sections.

The blocks of a section, commands or Python, run in their order and in one folder, from which its pictures
are copied to docs/pictures/. Commands may fail, as ``challenge`` does where it breaks a claim; a missing
picture is an error. The same versions make the same files, to the byte.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

DOCS = Path(__file__).resolve().parent
PAGE, PICTURES = DOCS / "GALLERY.md", DOCS / "pictures"


class Section(NamedTuple):
    """A heading's blocks, each a language and a text, and the names of its pictures."""

    title: str
    blocks: list[tuple[str, str]]
    pictures: list[str]


def sections(text: str) -> list[Section]:
    """Return the sections of the gallery that make pictures of their own."""
    found = []
    for part in text.split("\n## ")[1:]:
        blocks = re.findall(r"^```(\w*)\n(.*?)^```$", part, flags=re.MULTILINE | re.DOTALL)
        pictures = re.findall(r"\]\(pictures/([^)]+)\)", part)
        if pictures:
            found.append(Section(part.split("\n", 1)[0], blocks, pictures))
    return found


def make(section: Section, folder: Path) -> None:
    """Run a section's blocks in a folder and copy its pictures."""
    here = f'treeplex() {{ "{sys.executable}" -m treeplex "$@"; }}\n'
    environment = {
        **os.environ,
        "PYTHONPATH": str(DOCS.parent),
        "MPLBACKEND": "svg",
        "SOURCE_DATE_EPOCH": "0",
    }
    for language, text in section.blocks:
        call = [sys.executable, "-c", text] if language == "python" else ["sh", "-c", here + text]
        subprocess.run(call, cwd=folder, env=environment, check=False)
    for name in section.pictures:
        shutil.copyfile(folder / name, PICTURES / name)


def main(names: list[str]) -> None:
    """Make all pictures, or the sections of some."""
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        (Path(folder) / "matplotlibrc").write_text("svg.hashsalt: treeplex\n", encoding="utf-8")
        for section in sections(PAGE.read_text(encoding="utf-8")):
            if not names or {*names} & {*section.pictures}:
                print(section.title, flush=True)
                make(section, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
