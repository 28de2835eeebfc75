"""Fields of a result computed from a strategy on boards and its certificate."""

from typing import TypedDict

import numpy as np

from treeplex.core.problem import Problem
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.judge.certificate import FactoredCertificate


class BoardFacts(TypedDict):
    """Fields of a result."""

    n_infosets: int
    storage: str
    n_boards: int
    n_real_boards: int


def board_facts(problem: Problem, strategy: FactoredStrategy, certificate: FactoredCertificate) -> BoardFacts:
    """Return the fields of a result that a strategy on boards and its certificate fill."""
    dtype = strategy.weight[0].dtype
    return BoardFacts(
        n_infosets=sum(problem.sizes.infosets),
        storage="int16" if dtype == np.uint16 else str(dtype),
        n_boards=strategy.tree.boards.n_boards,
        n_real_boards=certificate.n_boards,
    )
