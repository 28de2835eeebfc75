"""The application that serves pages: routes, and what each endpoint makes of a request."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from anyio import to_thread
from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from treeplex.browser.addresses import Pair, Place, Seat, Spot
from treeplex.browser.answers import HTML, JSON, LOCAL, Answers, Guard, json_text, refused, tagged
from treeplex.browser.bucket_pages import BucketPage
from treeplex.browser.nodes import NodePage
from treeplex.browser.reports import Report
from treeplex.browser.seat_pages import SeatPage, TrainingPage
from treeplex.browser.seats import Seats
from treeplex.browser.solutions import Solution
from treeplex.browser.states import States
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown

THREADS = 4
"""Requests that are worked on at once; others wait."""
TEMPLATES = (
    "base.html",
    "beside.html",
    "buckets.html",
    "grid.html",
    "headline.html",
    "index.html",
    "links_below.html",
    "node.html",
    "node_part.html",
    "proof.html",
    "report.html",
    "seat.html",
    "state.html",
    "state_part.html",
)
SIDES = ("first", "second")
"""Names of two nodes beside each other."""
STATIC = {
    "browser.css": "text/css; charset=utf-8",
    "browser.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
"""Files that come with the package, by name, with their types."""
DRAWN = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}
"""Of pictures by matplotlib, which hold their styles, and may load and run nothing."""


def application(
    solutions: Sequence[Solution], reports: Sequence[Report] = (), *, is_local: bool = True
) -> Starlette:
    """Return the application whose pages show some solutions and reports, and which reads nothing else.

    Parameters
    ----------
    solutions : sequence of Solution
    reports : sequence of Report
    is_local : bool
        Whether it is reached from this machine alone: requests for other hosts are then refused, as a page of
        another site could make a browser send them.
    """
    pages = _Pages(solutions, reports)

    @asynccontextmanager
    async def few_threads(_: Starlette) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        yield

    routes = [
        Route("/", pages.index),
        Route("/s/{name}.json", pages.node_json),
        Route("/s/{name}/proof.json", pages.proof_json),
        Route("/s/{name}/cards", pages.cards),
        Route("/s/{name}/beside.json", pages.beside_json),
        Route("/s/{name}/beside", pages.beside),
        Route("/s/{name}/buckets.json", pages.buckets_json),
        Route("/s/{name}/buckets", pages.buckets),
        Route("/s/{name}/seat.json", pages.seat_json),
        Route("/s/{name}/seat", pages.seat),
        Route("/s/{name}/train.json", pages.train_json),
        Route("/s/{name}/train", pages.train),
        Route("/s/{name}", pages.node),
        Route("/r/{name}.json", pages.report_json),
        Route("/r/{name}/curve.svg", pages.curve),
        Route("/r/{name}", pages.report),
        Route("/static/{name}", pages.static),
    ]
    found = Starlette(routes=routes, lifespan=few_threads, exception_handlers={HTTPException: refused})
    found.router.redirect_slashes = False
    found.add_middleware(Guard, hosts=LOCAL if is_local else None)
    return found


class _Pages:
    """The endpoints; each runs in a thread."""

    def __init__(self, solutions: Sequence[Solution], reports: Sequence[Report]) -> None:
        self._solutions = {solution.name: solution for solution in solutions}
        self._reports = {report.name: report for report in reports}
        self._states = {one.name: States(one) for one in solutions if not one.has_hands}
        self._seats = {one.name: Seats(one) for one in solutions}
        self._answers = Answers()
        folder = files("treeplex.browser")
        sources = {name: (folder / "templates" / name).read_text("utf-8") for name in TEMPLATES}
        self._templates = Environment(
            loader=DictLoader(sources), autoescape=True, undefined=StrictUndefined, trim_blocks=True
        )
        self._files = {name: (folder / "static" / name).read_bytes() for name in STATIC}

    def index(self, request: Request) -> Response:
        """Return the list of solutions."""

        def made() -> str:
            if request.url.query:
                raise BadInputError(f"the first page has no query, got {shown(request.url.query)}")
            seats = {name: _seat_links(one) for name, one in self._solutions.items()}
            return self._html(
                "index.html",
                solutions=self._solutions.values(),
                reports=self._reports.values(),
                seats=seats,
            )

        return self._answers.of(request, HTML, made)

    def node(self, request: Request) -> Response:
        """Return the page of a node or of a public state."""
        return self._node(request, with_cards=False)

    def cards(self, request: Request) -> Response:
        """Return the page of a node with what is played after each card that may come next."""
        return self._node(request, with_cards=True)

    def _node(self, request: Request, *, with_cards: bool) -> Response:
        def made() -> str:
            solution, place = self._asked(request)
            states = self._states.get(solution.name)
            if states is None:
                page = NodePage(solution, place, with_cards=with_cards)
                content, template = page.content(), "node.html"
            else:
                content, template = states.content(place), "state.html"
            content |= {"start": f"/s/{solution.name}", "besides": self._besides(solution, place)}
            content |= {"hands_to_play": _hands_to_play(solution, place, content.get("comes", False))}
            return self._html(template, solution=solution, place=place, side="", **content)

        return self._answers.of(request, HTML, made)

    def node_json(self, request: Request) -> Response:
        """Return the object that ``show --json`` prints; of a public state its infosets."""

        def made() -> str:
            return json_text(self._stated(*self._asked(request, ranges=True)))

        return self._answers.of(request, JSON, made)

    def beside(self, request: Request) -> Response:
        """Return the page of two nodes of one game beside each other."""

        def made() -> str:
            pair, both = self._pair(request)
            sides = [self._side(pair, side, solution) for side, solution in enumerate(both)]
            json = pair.json if all(side["has_json"] for side in sides) else None
            return self._html("beside.html", solution=both[0], json=json, sides=sides)

        return self._answers.of(request, HTML, made)

    def beside_json(self, request: Request) -> Response:
        """Return a list of the two objects that ``show --json`` prints."""

        def made() -> str:
            pair, both = self._pair(request, ranges=True)
            return json_text([self._stated(*one) for one in zip(both, pair.places, strict=True)])

        return self._answers.of(request, JSON, made)

    def buckets(self, request: Request) -> Response:
        """Return the page of which bucket of a blueprint each hand of a node is in."""

        def made() -> str:
            page = BucketPage(*self._asked(request))
            told = {"solution": page.solution, "place": page.place, "side": ""}
            return self._html("buckets.html", **told, **page.content())

        return self._answers.of(request, HTML, made)

    def buckets_json(self, request: Request) -> Response:
        """Return the object that ``show --map buckets --json`` prints of a node's board."""
        return self._answers.of(request, JSON, lambda: json_text(BucketPage(*self._asked(request)).as_json()))

    def seat(self, request: Request) -> Response:
        """Return the page of a hand that the visitor plays against a solution."""
        return self._answers.of(request, HTML, lambda: self._seat_html(self._seat(request)))

    def seat_json(self, request: Request) -> Response:
        """Return the object of a hand that the visitor plays."""
        return self._answers.of(request, JSON, lambda: json_text(self._seat(request).as_json()))

    def train(self, request: Request) -> Response:
        """Return the page of a node at which the visitor plays a hand of the range."""
        return self._answers.of(request, HTML, lambda: self._seat_html(self._training(request)))

    def train_json(self, request: Request) -> Response:
        """Return the object of a hand that the visitor plays at a node."""
        return self._answers.of(request, JSON, lambda: json_text(self._training(request).as_json()))

    def _seat(self, request: Request) -> SeatPage:
        seats = self._seats[self._named(request.path_params["name"]).name]
        return SeatPage(seats, Seat.of(request.query_params.multi_items()))

    def _training(self, request: Request) -> TrainingPage:
        seats = self._seats[self._named(request.path_params["name"]).name]
        return TrainingPage(seats, Spot.of(request.query_params.multi_items()))

    def _seat_html(self, page: SeatPage | TrainingPage) -> str:
        return self._html("seat.html", solution=page.seats.solution, **page.content())

    def proof_json(self, request: Request) -> Response:
        """Return the object that ``check --json`` or, of a game solved here, ``solve --json`` prints."""

        def made() -> str:
            solution = self._named(request.path_params["name"])
            if request.url.query:
                raise BadInputError(f"a proof has no query, got {shown(request.url.query)}")
            if solution.result is None:
                raise HTTPException(404, f"nothing is proved here of {solution.source}")
            return json_text(solution.result.as_json())

        return self._answers.of(request, JSON, made)

    def report(self, request: Request) -> Response:
        """Return the page of a report or of a run's course."""
        return self._answers.of(
            request, HTML, lambda: self._html("report.html", report=self._report(request))
        )

    def report_json(self, request: Request) -> Response:
        """Return what the file of a report says; of a trace its columns and rows."""
        return self._answers.of(request, JSON, lambda: json_text(self._report(request).content))

    def curve(self, request: Request) -> Response:
        """Return the picture that ``plot`` draws of a trace."""
        picture = self._report(request).picture
        if picture is None:
            raise HTTPException(404, "there is no picture of this file")
        return tagged(request, picture, "image/svg+xml", headers=DRAWN)

    def _report(self, request: Request) -> Report:
        name = request.path_params["name"]
        if name not in self._reports:
            raise HTTPException(404, f"there is no report {shown(name)}; / lists them")
        if request.url.query:
            raise HTTPException(400, f"a report has no query, got {shown(request.url.query)}")
        return self._reports[name]

    def static(self, request: Request) -> Response:
        """Return a file of the package."""
        name = request.path_params["name"]
        if name not in STATIC:
            raise HTTPException(404, f"there is no file {shown(name)}")
        body = self._files[name]
        return tagged(request, body, STATIC[name])

    def _asked(self, request: Request, *, ranges: bool = False) -> tuple[Solution, Place]:
        """Return the solution and the place that an address names."""
        solution = self._named(request.path_params["name"])
        return solution, Place.of(request.query_params.multi_items(), ranges=ranges)

    def _pair(self, request: Request, *, ranges: bool = False) -> tuple[Pair, tuple[Solution, Solution]]:
        """Return the two places that an address names, and their solutions."""
        first = self._named(request.path_params["name"])
        pair = Pair.of(first.name, request.query_params.multi_items(), ranges=ranges)
        other = self._named(pair.solutions[1])
        if other.problem.game.name != first.problem.game.name:
            raise BadInputError(f"two nodes are of one game, got {first.title} and {other.title}")
        return pair, (first, other)

    def _named(self, name: str) -> Solution:
        if name not in self._solutions:
            raise HTTPException(404, f"there is no solution {shown(name)}; / lists them")
        return self._solutions[name]

    def _stated(self, solution: Solution, place: Place) -> dict[str, Any]:
        """Return the object that ``show --json`` prints; of a public state its infosets."""
        states = self._states.get(solution.name)
        if states is not None:
            return states.as_json(place)
        return solution.shown(place.line, place.board, place.map).as_json()

    def _side(self, pair: Pair, side: int, solution: Solution) -> dict[str, Any]:
        """Return a node for one side of a page, its links leading to pages with the same other side."""
        place, states = pair.places[side], self._states.get(solution.name)

        def page(to: Place) -> str:
            return pair.put(side, to).page

        if states is None:
            content, template = NodePage(solution, place, page).content(), "node_part.html"
        else:
            content, template = states.content(place, page), "state_part.html"
        told = {"solution": solution, "place": place, "side": SIDES[side]}
        start = page(Place(map=place.map))
        part = Markup(self._html(template, start=start, **told, **content))
        has_json = states is not None or "grid" in content
        return {**told, "part": part, "rows": content.get("rows", ()), "has_json": has_json}

    def _besides(self, solution: Solution, place: Place) -> list[tuple[str, str]]:
        """Return links to a node beside that of each other solution of the game, and beside itself."""
        game = solution.problem.game.name
        others = [one for one in self._solutions.values() if one.problem.game.name == game]
        others.sort(key=lambda one: one is solution)
        return [
            (
                "Beside another line or board" if one is solution else f"Beside {one.source}",
                Pair((solution.name, one.name), (place, place)).page,
            )
            for one in others
        ]

    def _html(self, template: str, **content: Any) -> str:
        return self._templates.get_template(template).render(**content)


def _seat_links(solution: Solution) -> list[tuple[str, str]]:
    """Return links to the first hand in either seat; none where no hands can be played."""
    seats = (Seat(), Seat().other) if solution.can_be_played else ()
    return [(f"Play hands as player {seat.seat}", seat.page(solution.name)) for seat in seats]


def _hands_to_play(solution: Solution, place: Place, comes: bool) -> list[tuple[str, str]]:
    """Return links from a page to hands against the solution, and to those at a node if any comes there."""
    links = _seat_links(solution)
    if links and comes:
        links.append(("Train on this node", Spot(Place(place.line, place.board)).page(solution.name)))
    return links
