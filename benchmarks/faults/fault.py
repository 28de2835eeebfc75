"""One planted fault: an edit of one file that makes the package wrong."""

import ast
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Fault:
    """An edit that makes the package wrong.

    Attributes
    ----------
    name : str
        In lower case with hyphens, unique.
    file : str
        From the root of the repository.
    old, new : str
        The text that is replaced, which the file holds exactly once, and what replaces it.
    why : str
        What is wrong then.
    """

    name: str
    file: str
    old: str
    new: str
    why: str

    def applied(self, source: str) -> str:
        """Return the faulty source.

        Raises
        ------
        ValueError
            If the source does not hold the old text exactly once.
        """
        count = source.count(self.old)
        if count != 1:
            raise ValueError(f"fault {self.name}: {self.file} must hold {self.old!r} once, got {count} times")
        return source.replace(self.old, self.new)

    def plant(self, root: Path) -> None:
        """Write the fault into a copy of the repository."""
        path = root / self.file
        path.write_text(self.applied(path.read_text(encoding="utf-8")), encoding="utf-8")

    def enters_kernels(self, source: str) -> bool:
        """Whether kernels of other files may hold what is wrong: compiled, or as a constant."""
        return "numba" in source or _outside_functions(source) != _outside_functions(self.applied(source))


def _outside_functions(source: str) -> str:
    """Return a module without the bodies of its functions."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body = [ast.Pass()]
    return ast.dump(tree)
