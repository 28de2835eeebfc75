"""The command serve: what it refuses before it solves, the address it prints, and its end."""

import re
import signal
import socket
import sys
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from tests.helpers.cells import over
from tests.helpers.processes import PIPES, python, ran

pytest.importorskip("starlette", reason="the extra treeplex[browser] is not installed")


@over(
    [
        ((), "Missing argument"),
        (("nope",), "nope"),
        (("kuhn_poker", "--port", 70_000), "port must be"),
        (("kuhn_poker", "--port", -1), "port must be"),
        (("kuhn_poker", "--host", "nowhere.invalid"), "cannot listen on nowhere.invalid:0"),
        (("kuhn_poker=",), "a source must be SPEC, SPEC=FILE or a store, got 'kuhn_poker='"),
        (("=x.csv",), "a source must be SPEC, SPEC=FILE or a store, got '=x.csv'"),
        (("kuhn_poker=gone.csv",), "gone.csv"),
        (("kuhn_poker", "leduc_poker", "--strategy", "x.csv"), "--strategy is of one SPEC"),
        (("kuhn_poker", "--missing", "uniform"), "missing"),
        (("kuhn_poker", "--abstraction", "a.npz"), "an abstraction is read with a blueprint's file"),
        (("example:turn",), "games of at most 100,000 are solved for a picture"),
        (65 * ("kuhn_poker",), "there must be 1 to 64 sources, got 65"),
    ]
)
def test_what_is_refused(arguments, says, complaint):
    assert says in complaint("serve", *arguments)


def test_a_strategy_file_without_its_game(complaint, tmp_path):
    file = tmp_path / "s.csv"
    file.write_text("player,infoset,action,probability\n")
    assert f"a strategy file needs its game: write SPEC={file}" in complaint("serve", file)
    for name in ("absent.csv", "absent.json", "absent.NPZ"):
        assert f"cannot read {name}: there is no file of that name" in complaint("serve", name)


def test_a_port_that_is_taken(complaint):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = complaint("serve", "kuhn_poker", "--port", taken.getsockname()[1])
    assert "cannot listen on 127.0.0.1:" in said


@over(["starlette", "uvicorn", "jinja2", "starlette uvicorn jinja2"])
def test_without_the_extra(packages, complaint, monkeypatch):
    for package in packages.split():
        monkeypatch.setitem(sys.modules, package, None)  # so that it is not found, and cannot be imported
    said = complaint("serve", "kuhn_poker")
    assert said == "treeplex: serve needs starlette, uvicorn and jinja2: pip install 'treeplex[browser]'\n"


@pytest.mark.seconds(4)
def test_a_process_without_the_extra_says_so_before_it_solves():
    program = "import sys; sys.modules['uvicorn'] = None; from treeplex.__main__ import main; main()"
    ended = ran("-c", program, "serve", "kuhn_poker")
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert "pip install 'treeplex[browser]'" in ended.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="signals")
@pytest.mark.seconds(8)
@over([(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_prints_its_address_and_ends_by_a_signal(number, code):
    with python("-m", "treeplex", "serve", "kuhn_poker", **PIPES) as process:
        address = process.stdout.readline()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\n", address)
        with urlopen(f"{address.strip()}s/kuhn_poker.json") as answer:
            assert b'"game": "kuhn_poker"' in answer.read()
        place = urlsplit(address.strip())
        with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
            connection.sendall(b"\x00\xff no request\r\n\r\n")
            assert connection.recv(1000).startswith(b"HTTP/1.1 400 ")
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (code, "", "treeplex: interrupted\n")
