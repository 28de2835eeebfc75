"""An exact-solver workbench for two-player zero-sum games of imperfect information.

>>> import treeplex as tp
>>> r = tp.solve("kuhn_poker", exact=True)
>>> r.exact_value
Fraction(-1, 18)
"""

from seqform.certificate import Certificate, certify
from seqform.exact_certificate import certify_exactly
from seqform.profile import Profile
from treeplex.checking import check
from treeplex.crosschecking import Crosscheck, crosscheck
from treeplex.drawing import TreePicture, draw
from treeplex.exporting import export
from treeplex.openspiel_policy import from_dict, from_policy, to_dict, to_tabular_policy
from treeplex.picture import Picture
from treeplex.picturing import show
from treeplex.problem import Problem, load
from treeplex.resolving import Resolution, resolve
from treeplex.result import LPSize, Result
from treeplex.solving import solve
from treeplex.strategy_file import read_strategy, write_strategy
from treeplex.strategy_table import read_table
from treeplex.street_file import read_streets, write_streets
from treeplex.street_result import StreetResult
from treeplex.street_solving import check_streets, solve_streets

__all__ = [
    "Certificate",
    "Crosscheck",
    "LPSize",
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
    "draw",
    "export",
    "from_dict",
    "from_policy",
    "load",
    "read_strategy",
    "read_streets",
    "read_table",
    "resolve",
    "show",
    "solve",
    "solve_streets",
    "to_dict",
    "to_tabular_policy",
    "write_strategy",
    "write_streets",
]
