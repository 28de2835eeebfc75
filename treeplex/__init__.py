"""An exact-solver workbench for two-player zero-sum games of imperfect information.

>>> import treeplex as tp
>>> r = tp.solve("kuhn_poker", exact=True)
>>> r.exact_value
Fraction(-1, 18)
"""

from treeplex.exports.exporting import export
from treeplex.hands.picture import Picture
from treeplex.hands.picturing import show
from treeplex.pictures.drawing import TreePicture, draw
from treeplex.problem import Problem, load
from treeplex.seqform.certify.certificate import Certificate, certify
from treeplex.seqform.certify.exact_certificate import certify_exactly
from treeplex.seqform.factored.strategy import StreetStrategy
from treeplex.seqform.forms.profile import Profile
from treeplex.solving.result import LPSize, Result
from treeplex.solving.solve import solve
from treeplex.solving.strategy import Strategy
from treeplex.solving.street_solving import solve_streets
from treeplex.store.openspiel_policy import from_dict, from_policy, to_dict, to_tabular_policy
from treeplex.store.strategy_store import read, write
from treeplex.subgames.resolving import Resolution, resolve
from treeplex.verification.checking import check
from treeplex.verification.crosschecking import Crosscheck, crosscheck

__all__ = [
    "Certificate",
    "Crosscheck",
    "LPSize",
    "Picture",
    "Problem",
    "Profile",
    "Resolution",
    "Result",
    "Strategy",
    "StreetStrategy",
    "TreePicture",
    "certify",
    "certify_exactly",
    "check",
    "crosscheck",
    "draw",
    "export",
    "from_dict",
    "from_policy",
    "load",
    "read",
    "resolve",
    "show",
    "solve",
    "solve_streets",
    "to_dict",
    "to_tabular_policy",
    "write",
]
