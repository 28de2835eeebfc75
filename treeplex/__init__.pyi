"""What ``import treeplex`` offers; each name is loaded when it is first asked for."""

from .bench.challenges.challenge import challenge
from .bench.challenges.outcome import Challenge, Counterexample
from .bench.estimators.report import EstimatorReport, examine_estimator
from .bench.estimators.setting import Setting
from .bench.examination.examine import examine
from .bench.examination.ladder import Rung, rungs
from .bench.examination.report import Examination
from .bench.reproductions.reference_pack import reference
from .bench.reproductions.reproduce import Reproduced, reproduce
from .bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from .bench.verify.report import TheoremReport, Verification
from .bench.verify.verify import verify
from .cfr.boards.board_state import FixedPointFacts
from .cfr.bucket_sampling.bucket_sampler import BlueprintFacts
from .cfr.local_rule import LocalRule
from .cfr.split.split_facts import SplitFacts
from .core.catalogue_entry import CatalogueEntry
from .core.loading import load
from .core.problem import Problem
from .core.result import Result
from .core.small_form import LPSize, MergedHands
from .core.strategy import Strategy
from .core.table_facts import BoardCounts, TableBytes
from .files.abstraction_file import read_abstraction, write_abstraction
from .files.openspiel_policy import from_dict, from_policy, to_dict, to_tabular_policy
from .files.strategies import read, write
from .games.base.errors import BadInputError, NotSolvedError, TreeplexError
from .games.buckets.card_abstraction import CardAbstraction
from .pictures.bucket_picture import BucketPicture
from .pictures.curve_picture import CurvePicture
from .pictures.hand_picture import Picture
from .pictures.tree_picture import TreePicture
from .play.hand import Hand
from .play.improve import improve
from .play.improvement import Improvement
from .play.matches import MatchResult, match
from .seqform.boards.abstraction_facts import AbstractionFacts
from .seqform.boards.bucket_tree import BucketStrategy
from .seqform.boards.factored_strategy import FactoredStrategy
from .seqform.certify.certificate import Certificate, certify, certify_exactly
from .seqform.certify.local_response import LowerBounds
from .seqform.certify.losses import Loss
from .seqform.certify.repairs import Repair
from .seqform.forms.normal_form import NormalForm
from .seqform.forms.profile import Profile
from .solving.abstract import abstract
from .solving.check import check, losses, repairs
from .solving.crosscheck import Crosscheck, crosscheck
from .solving.methods import MethodTable, methods
from .solving.solve import solve
from .solving.theory import SampledTheory, Theory, theory
from .subgames.answer import answer
from .subgames.answer_result import Answer
from .subgames.depth_limited import DepthLimitedResult, DepthLimits, depth_limited
from .subgames.off_tree import OffTreeResult, nested, translate
from .subgames.resolution import Resolution
from .subgames.resolve import resolve
from .views.catalogue import catalogue
from .views.draw import draw
from .views.export import export
from .views.normal_form import normal_form
from .views.plot import plot
from .views.race import Race, Runner, race
from .views.ranges import NodeRanges
from .views.show import show
from .views.size import size

__version__: str

__all__ = [
    "AbstractionFacts",
    "Answer",
    "BadInputError",
    "BlueprintFacts",
    "BoardCounts",
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
    "EstimatorReport",
    "Examination",
    "FactoredStrategy",
    "FixedPointFacts",
    "Hand",
    "Improvement",
    "Instance",
    "LPSize",
    "LocalRule",
    "Loss",
    "LowerBounds",
    "MatchResult",
    "MergedHands",
    "MethodTable",
    "NodeRanges",
    "NormalForm",
    "NotSolvedError",
    "OffTreeResult",
    "Picture",
    "Problem",
    "Profile",
    "Race",
    "Repair",
    "Reproduced",
    "Resolution",
    "Result",
    "Rung",
    "Runner",
    "SampledTheory",
    "Setting",
    "SplitFacts",
    "Strategy",
    "TableBytes",
    "Theorem",
    "TheoremReport",
    "Theory",
    "TreePicture",
    "TreeplexError",
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
    "examine_estimator",
    "export",
    "from_dict",
    "from_policy",
    "improve",
    "load",
    "losses",
    "match",
    "methods",
    "nested",
    "normal_form",
    "plot",
    "race",
    "read",
    "read_abstraction",
    "reference",
    "repairs",
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
