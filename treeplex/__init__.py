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
from treeplex.picture import Picture
from treeplex.picturing import show
from treeplex.problem import Problem, load
from treeplex.resolving import Resolution, resolve
from treeplex.result import LPSize, Result
from treeplex.solving import solve
from treeplex.strategy_file import read_strategy, write_strategy

__all__ = [
    "Certificate",
    "Crosscheck",
    "LPSize",
    "Picture",
    "Problem",
    "Profile",
    "Resolution",
    "Result",
    "certify",
    "certify_exactly",
    "check",
    "crosscheck",
    "load",
    "read_strategy",
    "resolve",
    "show",
    "solve",
    "write_strategy",
]
