"""Answers to requests: what is refused, headers, tags, and which answers are kept, within limits."""

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from xxhash import xxh3_128_hexdigest

from treeplex.browser.addresses import LONGEST_QUERY
from treeplex.games.base.errors import TreeplexError
from treeplex.games.base.reading import complaint, shown
from treeplex.process.standard_streams import complain

MOST_KEPT, MOST_BYTES = 512, 64 << 20
"""Answers that are kept, and their bytes together."""
LOCAL = ("127.0.0.1", "localhost", "[::1]")
"""Names by which a server that is reached from this machine alone may be asked."""
HTML, JSON = "text/html; charset=utf-8", "application/json"
HEADERS = (
    (b"content-security-policy", b"default-src 'self'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
)
"""Of every answer: a browser asks again by ETag before it shows what it kept."""


class Guard:
    """Checks of host and query before anything is done, and headers of every answer."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str] | None) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it in one line."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(one for one in HEADERS if one[0] not in given)]
            await send(message)

        answer = self._refusal(scope)
        await (self._app if answer is None else answer)(scope, receive, headed)

    def _refusal(self, scope: Scope) -> Response | None:
        if scope["method"] not in ("GET", "HEAD"):
            said = f"the method must be GET or HEAD, got {shown(scope['method'])}"
            return plain(405, said, {"allow": "GET, HEAD"})
        if len(scope["query_string"]) > LONGEST_QUERY:
            said = f"a query has at most {LONGEST_QUERY:,} characters, got {len(scope['query_string']):,}"
            return plain(414, said)
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        names = {host.lower(), host.lower().rpartition(":")[0]}
        if self._hosts is not None and names.isdisjoint(self._hosts):
            return plain(400, f"the host must be {', '.join(self._hosts)}, got {shown(host)}")
        return None


class Answers:
    """Answers by address: made once, one at a time as they read a strategy, and kept."""

    def __init__(self) -> None:
        self._kept = Kept()
        self._reading = Lock()

    def of(self, request: Request, kind: str, made: Callable[[], str]) -> Response:
        """Return what was kept for an address, or make it; what is refused is not kept."""
        address = f"{request.url.path}?{request.url.query}"
        found = self._kept.get(address)
        if found is None:
            try:
                with self._reading:
                    body = made().encode()
            except TreeplexError as error:
                return plain(400, complaint(str(error)))
            except (HTTPException, KeyboardInterrupt):
                raise
            except MemoryError:
                return plain(500, "the page does not fit in memory")
            except Exception as error:
                complain(f"treeplex: {complaint(f'{address}: {type(error).__name__}: {error}')}")
                return plain(500, "this page cannot be made; the server's terminal says why")
            found = body, tag_of(body)
            self._kept.put(address, found)
        return tagged(request, found[0], kind, found[1])


class Kept:
    """The newest answers by address, with their tags."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._answers: OrderedDict[str, tuple[bytes, str]] = OrderedDict()
        self._bytes = 0

    def get(self, address: str) -> tuple[bytes, str] | None:
        """Return the answer for an address and its tag; None where it is not kept."""
        with self._lock:
            if address not in self._answers:
                return None
            self._answers.move_to_end(address)
            return self._answers[address]

    def put(self, address: str, answer: tuple[bytes, str]) -> None:
        """Keep an answer, and drop the oldest ones beyond the limits."""
        with self._lock:
            before = self._answers.pop(address, None)
            self._bytes += len(answer[0]) - (0 if before is None else len(before[0]))
            self._answers[address] = answer
            while self._answers and (len(self._answers) > MOST_KEPT or self._bytes > MOST_BYTES):
                _, dropped = self._answers.popitem(last=False)
                self._bytes -= len(dropped[0])


def tagged(
    request: Request,
    body: bytes,
    kind: str,
    tag: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return an answer with its tag, or that what the browser has is still right."""
    told = {"etag": tag or tag_of(body), **(headers or {})}
    asked = {one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")}
    if told["etag"] in asked or "*" in asked:
        return Response(status_code=304, headers=told)  # whose headers the browser takes for the kept ones
    return Response(body, headers=told, media_type=kind)


def tag_of(body: bytes) -> str:
    """Return the ``ETag`` of an answer, from its bytes."""
    return f'"{xxh3_128_hexdigest(body)}"'


def json_text(content: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> str:
    """Return an object as JSON, with a line's end."""
    return json.dumps(content, allow_nan=False) + "\n"


def plain(code: int, line: str, headers: Mapping[str, str] | None = None) -> PlainTextResponse:
    """Return an answer of one line of text."""
    return PlainTextResponse(f"{line}\n", code, headers)


def refused(_: Request, error: Exception) -> Response:
    """Return the answer to a request that an endpoint refuses."""
    assert isinstance(error, HTTPException)
    return plain(error.status_code, complaint(str(error.detail)))
