"""Names of regret minimisers, the forms each runs on, and configs from names and choices."""

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypedDict, cast, get_args

from treeplex.cfr.boards.board_state import FactoredConfig, Storage, factored_config
from treeplex.cfr.boards.bucket_br import ResponseConfig
from treeplex.cfr.boards.factored_cfr import check_threads
from treeplex.cfr.boards.fixed_point import FixedPoint, Scales
from treeplex.cfr.bucket_sampling.bucket_sampler import check_workers
from treeplex.cfr.bucket_sampling.sampler_config import BlueprintConfig, blueprint_config
from treeplex.cfr.sampling.board_sampling import BoardSampling
from treeplex.cfr.sampling.sampling_config import SCHEMES, Pruning, Sampling
from treeplex.cfr.sequences.cfr_d import Decomposition, Iterated
from treeplex.cfr.sequences.warm_start import WarmStart
from treeplex.cfr.variant import VARIANTS, Variant, exponent_named, variant_named
from treeplex.games.buckets.card_abstraction import CardAbstraction

Form = Literal["tree", "public", "boards", "split", "buckets", "table"]
"""The form that a minimiser runs on: the sequence form or the histories it comes from; the public tree, all
hands of a board at once; betting times boards, suits' names left out; the same split after a street into a
trunk and subgames, whose tables are kept in a store; betting times boards with hands tied by the buckets
of a card abstraction; infosets met by sampling, in a hash table."""
FORMS: tuple[Form, ...] = get_args(Form)
Config = (
    Variant
    | WarmStart
    | Sampling
    | BoardSampling
    | Decomposition
    | FactoredConfig
    | ResponseConfig
    | BlueprintConfig
)

SAMPLERS: Mapping[str, Sampling | BoardSampling] = MappingProxyType(
    {f"mccfr-{scheme}": Sampling(scheme) for scheme in SCHEMES}
    | {"mccfr-pruned": Sampling(pruning=Pruning(threshold=-115.0, constant=1150.0))}
    | {"mccfr-public": BoardSampling()}
)
"""Monte Carlo methods by their names; pruning is for payoffs from 0 to 1, and scaled to the game's."""
DECOMPOSED = "cfr-d"
RESPONDING = "cfr-br"
"""On buckets both players learn by CFR+, each against best responses of the other in the whole game."""
SUBGAME_ITERATIONS = 100
"""CFR+ iterations by which CFR-D solves each subgame."""
ABSTRACTED: Mapping[str, tuple[bool, bool]] = MappingProxyType(
    {"both": (True, True), "0": (True, False), "1": (False, True)}
)
"""Whose hands are in buckets."""
AbstractionLike: TypeAlias = str | Path | CardAbstraction
"""What is taken where a card abstraction is: the path of its file, or the abstraction."""
METHODS = (*VARIANTS, *SAMPLERS, DECOMPOSED)
_FORMS: Mapping[str, tuple[Form, ...]] = MappingProxyType(
    dict.fromkeys(("cfr", "lcfr", "dcfr", "pcfr+", "pdcfr"), ("tree", "public", "boards", "buckets"))
    | {"cfr+": ("tree", "public", "boards", "split", "buckets")}
    | {"hedge": ("tree", "public"), RESPONDING: ("tree", "public", "buckets")}
    | {"mccfr-external": ("tree", "table", "buckets"), "mccfr-outcome": ("tree", "table")}
    | dict.fromkeys(("mccfr-chance", "mccfr-average", "mccfr-pruned", DECOMPOSED), ("tree",))
    | {"mccfr-public": ("public",)}
)
ON_SPLIT = "cfr+"
"""The method that runs on split games."""


_LEGAL: Mapping[Form, tuple[str, ...]] = MappingProxyType(
    {
        "boards": (
            *("average", "storage", "scales", "average_scales", "warm_up"),
            *("isomorphism", "threads"),
        ),
        "split": (
            *("average", "scales", "average_scales", "warm_up"),
            *("store", "executor", "workers", "memory"),
        ),
        "buckets": ("average", "threads", "abstraction", "abstracted"),
        "table": ("average", "seed", "max_infosets"),
    }
)
"""Choices of a form's methods, but for those below."""
_LEGAL_ON_BUCKETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        RESPONDING: ("average", "threads", "abstraction", "abstracted"),
        "mccfr-external": (
            *("average", "averaged", "seed", "workers"),
            *("clusters", "batch", "period", "pruning", "abstraction"),
        ),
    }
)


class Choices(TypedDict, total=False):
    """Options of minimisers beside the name; absent or None is the method's default.

    ``legal_choices`` says which of these a method has on a form.
    """

    average: str | None
    """Weights of iterations: ``uniform``, ``linear``, ``quadratic``, ``cubic`` or ``last``."""
    counted: str | None
    """Which plan is averaged: ``before`` or ``after`` an update, or ``seen`` by the opponent."""
    order: str | None
    """``alternating`` or ``simultaneous`` updates."""
    seed: int | None
    """Of the random numbers; 0 unless given."""
    streams: int | None
    """Independent runs side by side, whose averages are added up; 1 unless given."""
    storage: str | None
    """Number format of regrets and averages on boards: ``float32``, ``float64``, ``int16`` with a scale a
    decision, or ``int32`` in fixed point, for CFR+."""
    scales: Scales | None
    """In fixed point: integers a chip of regret for each street, such as ``16,16,0.5,0.5``; 16 up to the flop
    and 0.5 after it unless given."""
    average_scales: Scales | None
    """In fixed point: integers a plan of probability 1, for each street; 16 and 1 unless given."""
    warm_up: int | None
    """In fixed point: iterations that are not averaged; none unless given."""
    isomorphism: bool | None
    """Whether boards that suits alone tell apart are solved as one; true unless given."""
    threads: int | None
    """On boards and buckets; their number changes nothing but the time. 1 unless given."""
    abstraction: AbstractionLike | None
    """On buckets: the card abstraction, or the path of its file."""
    abstracted: str | None
    """On buckets: whose hands are in buckets, ``both``, ``0`` or ``1``; those of both unless given."""
    max_infosets: int | None
    """At which size of its table a sampled run ends."""
    workers: int | None
    """Sampling on buckets: how many threads, 1 unless given; on split games how many processes or actors, one
    a core unless given. Their number changes nothing but the time."""
    store: str | Path | None
    """On split games: the folder in which the run is kept, and from which it goes on."""
    executor: str | None
    """On split games: who updates subgames, ``serial``, ``processes`` or ``ray``."""
    memory: float | None
    """On split games: GiB that workers may take; where tables are more they go through the disk."""
    clusters: int | None
    """Sampling on buckets: the most public clusters, which have tables of their own."""
    batch: int | None
    """Sampling on buckets: traversals during which the first street's regrets stay as they are."""
    period: int | None
    """Sampling on buckets: traversals of one weight, a multiple of ``batch``; as near to a million as that
    goes unless given."""
    averaged: str | None
    """Sampling on buckets: ``counts`` of sampled actions or ``snapshots`` at the ends of periods."""
    pruning: str | None
    """Sampling on buckets: ``libratus`` or ``pluribus``, or with numbers of one's own, such as
    ``pluribus(threshold=-100,share=0.9)``; none unless given."""


def chosen(choices: Choices) -> dict[str, object]:
    """Return what was chosen."""
    return {key: value for key, value in choices.items() if value is not None}


def abstracted_of(choices: Choices) -> tuple[bool, bool]:
    """Return whether each player's hands are in buckets; raises ``ValueError`` for other than the choices."""
    chosen = choices.get("abstracted") or "both"
    if chosen not in ABSTRACTED:
        raise ValueError(f"abstracted must be {', '.join(ABSTRACTED)}, got {chosen!r}")
    return ABSTRACTED[chosen]


def forms_of(method: str) -> tuple[Form, ...]:
    """Return the forms that a method runs on.

    Raises
    ------
    ValueError
        If there is no method of that name.
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    return _FORMS[method]


def methods_on(form: Form) -> tuple[str, ...]:
    """Return the methods that run on a form."""
    return tuple(method for method in METHODS if form in _FORMS[method])


def legal_choices(method: str, form: Form) -> tuple[str, ...]:
    """Return which of ``Choices`` a method has on a form."""
    if form == "buckets" and method in _LEGAL_ON_BUCKETS:
        return _LEGAL_ON_BUCKETS[method]
    if form in _LEGAL:
        return _LEGAL[form]
    if method in VARIANTS:
        return "average", "counted", "order"
    if method == DECOMPOSED:
        return "average", "order"
    if method == "mccfr-pruned":  # its threshold is for regrets that are not weighted
        return "seed", "streams"
    return ("average", "seed", "streams") if method != "mccfr-public" else ("average", "seed")


def check_choices(method: str, choices: Choices, form: Form | None) -> None:
    """Refuse what a method has on no form, or not on the form that is named; raises ``ValueError``."""
    config_of(method, {} if form is None else choices, form)
    if (threads := choices.get("threads")) is not None:
        check_threads(threads)
    if form != "split" and (workers := choices.get("workers")) is not None:
        check_workers(workers)
    if not all(abstracted_of(choices)) and method == RESPONDING:
        raise ValueError(
            "cfr-br takes abstracted both: each player learns in buckets against best responses without "
            f"them, got {choices['abstracted']!r}"
        )
    legal = tuple(dict.fromkeys(key for on in forms_of(method) for key in legal_choices(method, on)))
    if form is not None:
        legal = legal_choices(method, form)
    for key, value in chosen(choices).items():
        if key not in legal:
            raise ValueError(f"{method} takes {', '.join(legal)}, got {key} {value!r}")


def config_of(method: str, choices: Choices, form: Form | None = None) -> Config:
    """Return a method's config.

    Of Monte Carlo methods the average weighs iterations as the regrets do. CFR-D averages what was seen.

    Parameters
    ----------
    method : str
        One of ``METHODS``.
    choices : Choices
    form : str, optional
        One of ``forms_of(method)``, the first of them unless given; the tree and the public tree take the
        same.

    Raises
    ------
    ValueError
        If the method does not run on the form or has no such choice.
    """
    on = forms_of(method)[0] if form is None else form
    if on not in forms_of(method):
        raise ValueError(f"{method} runs on {' or '.join(forms_of(method))}, got {on}")
    if on == "buckets" and choices.get("average") == "last":
        raise ValueError("on buckets the average must be of all iterations, got 'last'")
    legal = legal_choices(method, on)
    for key, value in chosen(choices).items():
        if key not in legal:
            raise ValueError(f"{method} on {on} takes {', '.join(legal)}, got {key} {value!r}")
    if on == "buckets" and method in SAMPLERS:
        given = {
            key: value for key, value in chosen(choices).items() if key not in ("abstraction", "workers")
        }
        return blueprint_config(**cast(dict[str, Any], given))
    if (method, on) == (RESPONDING, "buckets"):
        return ResponseConfig(factored_config("cfr+", choices.get("average")))
    if on in ("boards", "split", "buckets"):
        usual = "int32" if on == "split" else "float32"
        storage = cast(Storage, choices.get("storage") or usual)
        fixed = FixedPoint.of(choices.get("scales"), choices.get("average_scales"), choices.get("warm_up"))
        return factored_config(method, choices.get("average"), storage, fixed)
    if method in VARIANTS:
        average, counted = choices.get("average"), choices.get("counted")
        return variant_named(method, average=average, counted=counted, order=choices.get("order"))
    if method == DECOMPOSED:
        order = choices.get("order") or "simultaneous"
        trunk = variant_named("cfr+", average=choices.get("average"), counted="seen", order=order)
        return Decomposition(trunk, Iterated(SUBGAME_ITERATIONS))
    return _sampler(method, choices)


def _sampler(method: str, choices: Choices) -> Sampling | BoardSampling:
    config = replace(SAMPLERS[method], seed=choices.get("seed") or 0)
    streams, average = choices.get("streams"), choices.get("average")
    if streams is not None and isinstance(config, Sampling):
        config = replace(config, streams=streams)
    if average is None:
        return config
    exponent = exponent_named(average)
    if math.isinf(exponent):
        raise ValueError(f"{method} takes the average uniform, linear, quadratic or cubic, got {average!r}")
    return replace(config, exponent=exponent, regret_exponent=exponent)
