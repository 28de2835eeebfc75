"""What ``import treeplex`` offers; each name is loaded when it is first asked for."""

from .core.problem import Problem, load
from .core.result import LPSize, Result
from .core.strategy import Strategy
from .exports.exporting import export
from .hands.picture import Picture
from .hands.picturing import show
from .pictures.drawing import TreePicture, draw
from .seqform.certify.certificate import Certificate, certify
from .seqform.certify.exact_certificate import certify_exactly
from .seqform.factored.strategy import StreetStrategy
from .seqform.forms.profile import Profile
from .solving.solve import solve
from .store.openspiel_policy import from_dict, from_policy, to_dict, to_tabular_policy
from .store.strategies import read, write
from .store.trace import plot
from .subgames.depth_limited import depth_limited
from .subgames.depth_limited_result import DepthLimitedResult, DepthLimits
from .subgames.off_tree import OffTreeResult
from .subgames.off_tree_solving import nested, translate
from .subgames.resolving import Resolution, resolve
from .tables.listing import Listed, catalogue
from .tables.sizing import size
from .verification.checking import check
from .verification.crosschecking import Crosscheck, crosscheck
from .verification.theory import SampledTheory, Theory, theory

__all__ = [
    "Certificate",
    "Crosscheck",
    "DepthLimitedResult",
    "DepthLimits",
    "LPSize",
    "Listed",
    "OffTreeResult",
    "Picture",
    "Problem",
    "Profile",
    "Resolution",
    "Result",
    "SampledTheory",
    "Strategy",
    "StreetStrategy",
    "Theory",
    "TreePicture",
    "catalogue",
    "certify",
    "certify_exactly",
    "check",
    "crosscheck",
    "depth_limited",
    "draw",
    "export",
    "from_dict",
    "from_policy",
    "load",
    "nested",
    "plot",
    "read",
    "resolve",
    "show",
    "size",
    "solve",
    "theory",
    "to_dict",
    "to_tabular_policy",
    "translate",
    "write",
]
