"""A server of pages on a socket of this machine, which ends when the command is asked to stop."""

import asyncio
import gc
import logging
from collections.abc import Callable
from ipaddress import ip_address
from socket import socket

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from treeplex.process.interruption import Interruption

MOST_CONNECTIONS = 64
"""Connections at once; more are answered by 503."""
FIRST_REQUEST = 5.0
"""Seconds within which a connection must have sent the head of its first request; it is closed otherwise."""
BETWEEN_LOOKS = 0.05
"""Seconds between two looks whether to stop."""
SILENT = logging.CRITICAL
"""What libraries say of requests that are no HTTP is not printed."""


def is_loopback(host: str) -> bool:
    """Return whether a host is reached from this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("0.0.0.0")
    (True, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Prompt(H11Protocol):
    """HTTP on a connection, which is closed if no request comes; between requests uvicorn closes it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline = self.loop.call_later(FIRST_REQUEST, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)

    def _close_if_silent(self) -> None:
        if self.scope is None:
            self.transport.abort()


def run_server(
    app: ASGIApp, listener: socket, tell: Callable[[str], object], interruption: Interruption
) -> None:
    """Serve until a stop is asked for.

    Parameters
    ----------
    app : ASGI application
    listener : socket
        That listens already.
    tell : callable
        Told the address.
    interruption : Interruption

    Raises
    ------
    KeyboardInterrupt
        When a stop was asked for.
    """
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level=SILENT,
        access_log=False,
        server_header=False,
        http=_Prompt,
        ws="none",
        loop="asyncio",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    gc.collect()
    gc.freeze()  # solutions stay as long as the server: to look whether they are garbage takes 0.1 s a time

    async def serve() -> None:
        serving = asyncio.ensure_future(server.serve(sockets=[listener]))
        host, port, *_ = listener.getsockname()
        tell(f"http://{f'[{host}]' if ':' in host else host}:{port}/")
        while not serving.done():
            if _is_asked(interruption):
                server.should_exit = True
            await asyncio.wait({serving}, timeout=BETWEEN_LOOKS)
        await serving

    try:
        asyncio.run(serve())
    finally:
        gc.unfreeze()
    interruption.look()


def _is_asked(interruption: Interruption) -> bool:
    try:
        interruption.look()
    except KeyboardInterrupt:
        return True
    return False
