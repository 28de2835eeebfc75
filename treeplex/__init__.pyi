"""What ``import treeplex`` offers; each name is loaded when it is first asked for."""

from .abstracting.abstract import abstract
from .cfr.blueprint.facts import BlueprintFacts
from .challenges.challenge import challenge
from .challenges.outcome import Challenge, Counterexample
from .core.catalogue_entry import CatalogueEntry
from .core.loading import load
from .core.problem import Problem
from .core.result import LPSize, Result
from .core.strategy import Strategy
from .examination.examine import examine
from .examination.ladder import Rung, rungs
from .examination.report import Examination
from .exports.export import export
from .games.abstraction.card_abstraction import CardAbstraction
from .hands.buckets.bucket_picture import BucketPicture
from .hands.picture import Picture
from .pictures.curve_picture import CurvePicture
from .pictures.tree_picture import TreePicture
from .reference_pack.pack import reference
from .reproductions.reproduce import Reproduced, reproduce
from .seqform.buckets.abstraction_facts import AbstractionFacts
from .seqform.buckets.bucket_strategy import BucketStrategy
from .seqform.certify.certificate import Certificate, certify
from .seqform.certify.exact_certificate import certify_exactly
from .seqform.certify.losses import Loss
from .seqform.factored.strategy import FactoredStrategy
from .seqform.forms.normal_form import NormalForm
from .seqform.forms.profile import Profile
from .seqform.local_response.local_response import LowerBounds
from .solving.solve import solve
from .store.abstractions.abstraction_file import read_abstraction, write_abstraction
from .store.openspiel_policy import from_dict, from_policy, to_dict, to_tabular_policy
from .store.strategies import read, write
from .subgames.answers.answer import answer
from .subgames.answers.result import Answer
from .subgames.depth_limited import depth_limited
from .subgames.depth_limited_result import DepthLimitedResult, DepthLimits
from .subgames.off_tree import nested, translate
from .subgames.off_tree_result import OffTreeResult
from .subgames.resolution import Resolution
from .subgames.resolve import resolve
from .theorems.report import TheoremReport, Verification
from .theorems.theorem import Comparison, Instance, Theorem, Twin
from .theorems.verify import verify
from .verification.check import check
from .verification.crosscheck import Crosscheck, crosscheck
from .verification.losses import losses
from .verification.theory import theory
from .verification.theory_result import SampledTheory, Theory
from .views.catalogue import catalogue
from .views.draw import draw
from .views.normal_form import normal_form
from .views.plot import plot
from .views.show import show
from .views.size import size

__version__: str

__all__ = [
    "AbstractionFacts",
    "Answer",
    "BlueprintFacts",
    "BucketPicture",
    "BucketStrategy",
    "CardAbstraction",
    "CatalogueEntry",
    "Certificate",
    "Challenge",
    "Comparison",
    "Counterexample",
    "Crosscheck",
    "CurvePicture",
    "DepthLimitedResult",
    "DepthLimits",
    "Examination",
    "FactoredStrategy",
    "Instance",
    "LPSize",
    "Loss",
    "LowerBounds",
    "NormalForm",
    "OffTreeResult",
    "Picture",
    "Problem",
    "Profile",
    "Reproduced",
    "Resolution",
    "Result",
    "Rung",
    "SampledTheory",
    "Strategy",
    "Theorem",
    "TheoremReport",
    "Theory",
    "TreePicture",
    "Twin",
    "Verification",
    "abstract",
    "answer",
    "catalogue",
    "certify",
    "certify_exactly",
    "challenge",
    "check",
    "crosscheck",
    "depth_limited",
    "draw",
    "examine",
    "export",
    "from_dict",
    "from_policy",
    "load",
    "losses",
    "nested",
    "normal_form",
    "plot",
    "read",
    "read_abstraction",
    "reference",
    "reproduce",
    "resolve",
    "rungs",
    "show",
    "size",
    "solve",
    "theory",
    "to_dict",
    "to_tabular_policy",
    "translate",
    "verify",
    "write",
    "write_abstraction",
]
