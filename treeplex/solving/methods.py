"""Methods by name, the forms that each runs on, and the options that it has there."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from treeplex.cfr.local_rule import LocalRule, is_own, load_rule, name_of
from treeplex.core.problem import Problem
from treeplex.games.base.display import Columns, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown
from treeplex.solving.form import AnyEngine, Form, Limits
from treeplex.solving.on_boards import Boards, Buckets
from treeplex.solving.on_split import Split
from treeplex.solving.on_table import Table
from treeplex.solving.on_trees import DECOMPOSED, Histories, Public
from treeplex.solving.options import Option, Options

FORMS: Mapping[str, Form] = MappingProxyType(
    {form.name: form for form in (Histories(), Public(), Boards(), Split(), Buckets(), Table())}
)
"""All forms by their names; a method runs on the first that it has, unless a game says otherwise."""


@dataclass(frozen=True)
class Method:
    """A regret minimiser by name.

    Attributes
    ----------
    name : str
    about : str
        What it is, in a few words.
    paper : str
        Authors and year; with the title in between where these alone leave it open which paper is meant.
    """

    name: str
    about: str
    paper: str

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms that it runs on."""
        return forms_of(self.name)

    def options(self, form: str) -> tuple[Option, ...]:
        """Return its options on a form; none where it does not run."""
        kind = FORMS[form].kind(self.name)
        return () if kind is None else kind.listed()


MIRROR_DESCENT = (
    "Xu et al., Minimizing weighted counterfactual regret with optimistic online mirror descent, 2024"
)
ASYNCHRONOUS = (
    "Meng et al., Asynchronous predictive counterfactual regret minimization+ algorithm in solving "
    "extensive-form games, 2026"
)
SMOOTHED = "Farina et al., Regret matching+: (in)stability and fast convergence in games, 2023"
LAST_ITERATES = "Cai et al., Last-iterate convergence properties of regret-matching algorithms in games, 2025"

METHODS: Mapping[str, Method] = MappingProxyType(
    {
        method.name: method
        for method in (
            Method("cfr", "regret matching, uniform averages", "Zinkevich et al. 2008"),
            Method("cfr+", "regrets never below zero, linear averages", "Tammelin 2014"),
            Method("lcfr", "regrets and averages weighted linearly", "Brown and Sandholm 2019"),
            Method("dcfr", "discounted regrets (1.5, 0, 2)", "Brown and Sandholm 2019"),
            Method("pcfr+", "CFR+ with predictions, quadratic averages", "Farina, Kroer and Sandholm 2021"),
            Method("pdcfr", "discounted regrets with predictions", "Farina, Kroer and Sandholm 2021"),
            Method("dcfr+", "CFR+ with discounts (1.5), averages by t^4", MIRROR_DESCENT),
            Method("pdcfr+", "dcfr+ with discounts (2.3) and predictions, averages by t^5", MIRROR_DESCENT),
            Method("sapcfr+", "CFR+ with a third of a prediction, quadratic averages", ASYNCHRONOUS),
            Method("apcfr+", "CFR+ with predictions in part, by how regrets move", ASYNCHRONOUS),
            Method(
                "vad-cfr",
                "discounts and predictions by how large regrets are, averages by t^3",
                "Li et al., Discovering multiagent learning algorithms with large language models, 2026",
            ),
            Method("stable-pcfr+", "pcfr+ that starts again where all regrets are small", SMOOTHED),
            Method("smooth-pcfr+", "pcfr+ by steps, regrets kept away from zero", SMOOTHED),
            Method(
                "restarted-smooth-pcfr+", "smooth-pcfr+, restarted where moves have halved", LAST_ITERATES
            ),
            Method("exrm+", "two simultaneous steps, of which the second is kept", SMOOTHED),
            Method("restarted-exrm+", "exrm+, restarted where moves have halved", LAST_ITERATES),
            Method("hs-dcfr", "DCFR by a schedule", "Zhang, McAleer and Sandholm 2026"),
            Method("hs-pcfr+", "pcfr+ with averages by a schedule", "Zhang, McAleer and Sandholm 2026"),
            Method("hs-pdcfr+", "pdcfr+ with averages by a schedule", "Zhang, McAleer and Sandholm 2026"),
            Method("hedge", "exponential weights", "Cesa-Bianchi and Lugosi 2006"),
            Method(
                "ptb+",
                "predictive Blackwell approachability on whole treeplexes",
                "Chakrabarti, Grand-Clément and Kroer 2024",
            ),
            Method("cfr-br", "CFR+ against best responses", "Johanson et al. 2012"),
            Method("mccfr-external", "chance and the opponent are sampled", "Lanctot et al. 2009"),
            Method("mccfr-outcome", "one history is sampled", "Lanctot et al. 2009"),
            Method("mccfr-chance", "chance is sampled", "Lanctot et al. 2009"),
            Method("mccfr-average", "own actions too, by their averages", "Gibson et al. 2012"),
            Method("mccfr-pruned", "external sampling that skips bad actions", "Brown and Sandholm 2018"),
            Method("mccfr-public", "public cards are sampled", "Johanson et al. 2012"),
            Method(DECOMPOSED, "a trunk, with subgames solved in every iteration", "Burch et al. 2014"),
        )
    }
)
"""Every regret minimiser, in the order in which they are listed."""


def forms_of(method: str) -> tuple[str, ...]:
    """Return the names of the forms that a method runs on, or a user's rule ``module:name``.

    Raises
    ------
    ValueError
        If there is no method of that name.
    """
    check_method(method)
    return tuple(name for name, form in FORMS.items() if form.kind(method) is not None)


def check_method(method: str, *others: str) -> None:
    """Refuse what is no method, no user's rule and none of some others; raises ``ValueError``."""
    if is_own(method):
        load_rule(method)
    elif method not in (*others, *METHODS):
        raise BadInputError(f"method must be one of {', '.join((*others, *METHODS))}, got {method!r}")


def methods_on(form: str) -> tuple[str, ...]:
    """Return the names of the methods that run on a form."""
    return tuple(name for name in METHODS if name in FORMS[form].options)


def options_of(method: str, form: str, given: Mapping[str, object] = MappingProxyType({})) -> Options:
    """Return a method's options on a form, of which some are given; None is not given.

    Raises
    ------
    ValueError
        If the method does not run on the form, or has no such option there.
    """
    if form not in forms_of(method):
        raise BadInputError(f"{method} runs on {' or '.join(forms_of(method))}, got {form}")
    kind = FORMS[form].kind(method)
    assert kind is not None
    return kind.of(method, form, given)


def engine_of(
    problem: Problem, method: str, form: str, given: Mapping[str, object] = MappingProxyType({})
) -> AnyEngine:
    """Return a method's engine on a form of a problem.

    Raises
    ------
    ValueError
        If the method does not run there, has no such option, or the game has not what it needs.
    """
    options = options_of(method, form, given)
    return FORMS[form].engine(problem, FORMS[form].config(method, options), options)


def known_options() -> dict[str, Option]:
    """Return every option of any method, by name."""
    kinds = dict.fromkeys(kind for form in FORMS.values() for kind in form.options.values())
    return {one.name: one for kind in reversed(kinds) for one in kind.listed()}


def form_chosen(given: Mapping[str, object]) -> str | None:
    """Return the name of the form that an option is for."""
    return next((name for name, form in FORMS.items() if form.needs and form.needs[0] in given), None)


def check_given(method: str, form: str | None, given: Mapping[str, object], limits: Limits) -> None:
    """Refuse options that a method has nowhere, or not on the form that is named; raises ``ValueError``."""
    if form is not None:
        FORMS[form].check(method, options_of(method, form, given), limits)
        return
    kinds = [FORMS[name].kind(method) for name in forms_of(method)]
    names = tuple(dict.fromkeys(name for kind in kinds if kind is not None for name in kind.names()))
    for key, value in given.items():
        if key not in names:
            raise BadInputError(f"{method} takes {', '.join(names)}, got {key} {shown(value)}")


@dataclass(frozen=True, repr=False)
class MethodTable(Shown):
    """Methods with their forms and options, as ``treeplex methods`` prints them.

    Attributes
    ----------
    methods : tuple of Method
    """

    methods: tuple[Method, ...]

    def brief(self) -> str:
        """Return how many methods there are."""
        return f"{len(self.methods)} methods"

    def blocks(self) -> tuple[Columns, ...]:
        """Return a row a method; of a single one a row for each option on each form."""
        if len(self.methods) > 1:
            rows = tuple((m.name, m.about, ", ".join(m.forms), m.paper) for m in self.methods)
            head = ("method", "what it does", "forms", "paper")
            return (Columns("methods", head, rows, left=head),)
        (method,) = self.methods
        rows = tuple(
            (form, one.name, one.text, one.legal) for form in method.forms for one in method.options(form)
        )
        head = ("form", "option", "what it says", "values")
        return (Columns(f"{method.name}: {method.about} ({method.paper})", head, rows, left=head),)

    def as_json(self) -> dict[str, object]:
        """Return the methods as the object that ``--json`` prints."""
        return {
            "methods": [
                {
                    "name": method.name,
                    "about": method.about,
                    "paper": method.paper,
                    "forms": {
                        form: [
                            {"name": one.name, "text": one.text, "values": one.legal}
                            for one in method.options(form)
                        ]
                        for form in method.forms
                    },
                }
                for method in self.methods
            ]
        }


def methods(method: str | LocalRule | None = None) -> MethodTable:
    """Return the regret minimisers, or one of them with its options.

    Parameters
    ----------
    method : str or LocalRule, optional
        A name, or ``module:name`` of a rule of your own; all unless given.

    Raises
    ------
    ValueError
        If there is none of that name.

    Examples
    --------
    >>> import treeplex as tp
    >>> tp.methods("cfr-d")
    MethodTable(1 methods)
    """
    if method is None:
        return MethodTable(tuple(METHODS.values()))
    name = name_of(method)
    check_method(name)
    own = Method(name, "a rule of your own", "see docs/howto/write_a_rule.md")
    return MethodTable((METHODS.get(name, own),))
