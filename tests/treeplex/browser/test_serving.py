"""The server's connections: silent ones are closed, others are answered however long it takes."""

import asyncio
import socket
from threading import Event, Thread

import pytest

pytest.importorskip("uvicorn", reason="the extra treeplex[browser] is not installed")

from treeplex.browser import serving

SECONDS = 0.3
"""Within which tests let a connection send its request."""
HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"


async def slow(scope, receive, send):
    """Answer after twice the time that a connection has for its request."""
    if scope["type"] == "http":
        await asyncio.sleep(2 * SECONDS)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


class Asked:
    """What stops a server when an event is set, as an interruption does."""

    def __init__(self, event):
        self._event = event

    def look(self):
        if self._event.is_set():
            raise KeyboardInterrupt


@pytest.fixture
def connect(monkeypatch):
    """A function that connects to a server, which runs until the test ends."""
    monkeypatch.setattr(serving, "FIRST_REQUEST", SECONDS)
    stop, ready = Event(), Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()

        def run():
            with pytest.raises(KeyboardInterrupt):
                serving.run_server(slow, listener, lambda _: ready.set(), Asked(stop))

        thread = Thread(target=run, daemon=True)
        thread.start()
        assert ready.wait(60)
        opened = []

        def call():
            opened.append(socket.create_connection(address, timeout=60))
            return opened[-1]

        try:
            yield call
        finally:
            stop.set()
            thread.join(60)
            for connection in opened:
                connection.close()
    assert not thread.is_alive()


def received(connection):
    """Return all that comes until the other side closes the connection."""
    found = b""
    try:
        while more := connection.recv(1000):
            found += more
    except ConnectionResetError:
        pass
    return found


def test_silent_connections_are_closed_and_make_room(connect):
    silent = [connect() for _ in range(serving.MOST_CONNECTIONS)]
    crowded = connect()
    crowded.sendall(HEAD + b"Connection: close\r\n\r\n")
    assert received(crowded).startswith(b"HTTP/1.1 503 ")
    assert [received(one) for one in silent] == len(silent) * [b""]
    late = connect()
    late.sendall(HEAD + b"Connection: close\r\n\r\n")
    assert received(late).startswith(b"HTTP/1.1 200 ")


def test_half_a_request_is_none(connect):
    connection = connect()
    connection.sendall(HEAD)
    assert received(connection) == b""


def test_an_answer_may_take_longer(connect):
    connection = connect()
    for _ in range(2):
        connection.sendall(HEAD + b"\r\n")
        found = b""
        while not found.endswith(b"ok"):
            found += connection.recv(1000)
        assert found.startswith(b"HTTP/1.1 200 ")
