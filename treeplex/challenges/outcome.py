"""What a challenge found: the smallest case that breaks a claim, or how many did not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from treeplex.challenges.case_file import case_object, strategy_object
from treeplex.challenges.cases.case import Case, subgame_name
from treeplex.challenges.claims.claim import Breach
from treeplex.games.display.blocks import Block
from treeplex.games.display.shown import Shown
from treeplex.pictures.sketch import sketch
from treeplex.pictures.tree_picture import TreePicture
from treeplex.seqform.subgames.cut import Cut

MOST_DRAWN = 400
"""Histories in a picture."""


@dataclass(frozen=True, repr=False)
class Counterexample(Shown):
    """A case on which a claim is broken, shrunk as far as it went.

    Attributes
    ----------
    case : Case
    breach : Breach
    drawn : Case
        The case as it was drawn.
    replay : str
        The command that shows the harm again.
    """

    case: Case
    breach: Breach
    drawn: Case
    replay: str

    @property
    def harm(self) -> float:
        """By how much the claim fails, in the game's unit."""
        return float(self.breach.harm)

    @cached_property
    def cuts(self) -> Sequence[Cut]:
        """The subgames; empty where the claim is not about any."""
        has_subgames = any(node.subgame for node in self.case.root.histories())
        return self.case.cuts if has_subgames else ()

    @cached_property
    def begins(self) -> Mapping[str, Sequence[str]]:
        """The histories at which each subgame begins, by its name, as moves."""
        found: dict[str, list[str]] = {piece.name: [] for piece in self.cuts}
        for path, node in self.case.root.paths():
            if node.subgame:
                found[subgame_name(node.subgame)].append("/".join(path) or "the start")
        return found

    @property
    def picture(self) -> TreePicture | None:
        """The game drawn, subgames shaded; None if it is too large."""
        tree = self.case.numbered.tree
        if tree.n_nodes > MOST_DRAWN:
            return None
        return TreePicture(sketch(tree, MOST_DRAWN, "", cuts=self.cuts))

    def blocks(self) -> tuple[Block, ...]:
        """Return the game, the strategies at each infoset, and the harm."""
        # Imported late: the table is of this class.
        from treeplex.challenges.table import counterexample_table

        return counterexample_table(self)

    def brief(self) -> str:
        """Return how large the game is and how much harm is done."""
        return f"{self.case.infosets:,} infosets, harm {self.harm:.6g}"

    def as_json(self) -> dict[str, Any]:
        """Return it as an object of JSON, from which it can be made again."""
        case = case_object(self.case)
        return {
            **case,
            "infosets": self.case.infosets,
            "blueprint": case["strategies"][0] if self.case.strategies else None,
            "cut": [
                {
                    "subgame": piece.name,
                    "defender": piece.defender,
                    "begins": list(self.begins[piece.name]),
                    "tops": list(piece.tops),
                }
                for piece in self.cuts
            ],
            "harm": self.harm,
            "exact_harm": str(self.breach.harm),
            "figures": {name: float(figure) for name, figure in self.breach.figures},
            "played": strategy_object(self.breach.played),
            "replay": self.replay,
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class Challenge(Shown):
    """A claim challenged.

    Attributes
    ----------
    claim, target : str
        Their names.
    statement : str
        The claim about the target in words.
    tried : int
        How many cases were tried.
    seed : int
    seconds : float
        Wall time of searching and shrinking.
    counterexample : Counterexample or None
    interrupted : bool
        Whether a signal ended it before it was through.
    """

    claim: str
    target: str
    statement: str
    tried: int
    seed: int
    seconds: float
    counterexample: Counterexample | None
    interrupted: bool = False

    @property
    def broken(self) -> bool:
        """Whether a counterexample was found."""
        return self.counterexample is not None

    def blocks(self) -> tuple[Block, ...]:
        """Return the counterexample, if there is one, and the verdict."""
        # Imported late: the table is of this class.
        from treeplex.challenges.table import challenge_table

        return challenge_table(self)

    def brief(self) -> str:
        """Return claim, target and verdict."""
        verdict = "BROKEN" if self.broken else f"no counterexample in {self.tried:,} games"
        return f"{self.claim} of {self.target}: {verdict}"

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as the object that ``--json`` prints."""
        found = self.counterexample
        return {
            "claim": self.claim,
            "target": self.target,
            "broken": self.broken,
            "tried": self.tried,
            "seed": self.seed,
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            "counterexample": None if found is None else found.as_json(),
        }
