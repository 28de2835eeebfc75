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
from treeplex.seqform.forms.profile import Profile
from treeplex.solving.result import LPSize, Result
from treeplex.solving.solve import solve
from treeplex.solving.street_result import StreetResult
from treeplex.solving.street_solving import check_streets, solve_streets
from treeplex.store.openspiel_policy import from_dict, from_policy, to_dict, to_tabular_policy
from treeplex.store.strategy_file import read_strategy, write_strategy
from treeplex.store.strategy_table import read_table
from treeplex.store.street_file import read_streets, write_streets
from treeplex.subgames.depth_limited import depth_limited
from treeplex.subgames.depth_limited_result import DepthLimitedResult, DepthLimits
from treeplex.subgames.off_tree import OffTreeResult
from treeplex.subgames.off_tree_solving import nested, translate
from treeplex.subgames.resolving import Resolution, resolve
from treeplex.verification.checking import check
from treeplex.verification.crosschecking import Crosscheck, crosscheck

__all__ = [
    "Certificate",
    "Crosscheck",
    "DepthLimitedResult",
    "DepthLimits",
    "LPSize",
    "OffTreeResult",
    "Picture",
    "Problem",
    "Profile",
    "Resolution",
    "Result",
    "StreetResult",
    "TreePicture",
    "certify",
    "certify_exactly",
    "check",
    "check_streets",
    "crosscheck",
    "depth_limited",
    "draw",
    "export",
    "from_dict",
    "from_policy",
    "load",
    "nested",
    "read_strategy",
    "read_streets",
    "read_table",
    "resolve",
    "show",
    "solve",
    "solve_streets",
    "to_dict",
    "to_tabular_policy",
    "translate",
    "write_strategy",
    "write_streets",
]
