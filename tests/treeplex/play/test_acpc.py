"""Matches over the competition's protocol: the deals of treeplex match, programs that break the rules."""

import os
import re
import signal
import socket
import struct
import subprocess
import sys
from contextlib import ExitStack
from io import FileIO
from threading import Thread
from time import sleep

import pytest

import treeplex as tp
from tests.helpers.acpc_players import PATIENCE, Caller, StoppedError, acts, client, table
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from treeplex.games.formats.specs import load_game
from treeplex.play import acpc_dealer
from treeplex.play.acpc_agent import play_acpc
from treeplex.play.acpc_dealer import AcpcSetting
from treeplex.play.acpc_lines import LONGEST_LINE, Lines, SilenceError, listen
from treeplex.play.acpc_text import AcpcText
from treeplex.play.agents import entrant_of
from treeplex.play.schedule import Schedule

BETS = 'no_limit_holdem(ranks=5,suits=2,stack=90,blinds=[10,5],bets="75%,a")'
CHIPS = "no_limit_holdem(ranks=5,suits=2,stack=12,blinds=[2,1])"


def agents(ports, game, names, seed=1):
    """Start agents at a dealer's ports; return the threads and what they find."""
    found = [None, None]

    def play(seat):
        found[seat] = play_acpc(names[seat], game, ports[seat], seed=seed)

    threads = [Thread(target=play, args=(seat,), daemon=True) for seat in (0, 1)]
    for thread in threads:
        thread.start()
    return threads, found


def played(game, a, b, hands, log, **options):
    """Return the hands of a log that two agents made, the match, and what the agents saw."""
    with table(game, hands, log, **options) as dealer:
        threads, found = agents(dealer.ports, game, (a, b), options.get("seed", 1))
        match = dealer.result()
        for thread in threads:
            thread.join(PATIENCE)
    assert dealer.warnings == []
    return [line for line in log.read_text().splitlines() if not line.startswith("#")], match, found


def schedule(game, a, b, duplicate=False, seed=1):
    problem = tp.load(game)
    return Schedule(problem.game, (entrant_of(problem, a), entrant_of(problem, b)), duplicate, seed)


@pytest.mark.seconds(2)
@over(["kuhn_poker", "leduc_poker", "no_limit_leduc", BETS], [False, True])
def test_hands_are_those_of_a_match(game, duplicate, tmp_path) -> None:
    expected = schedule(game, "uniform", "always-call", duplicate, 5)
    log = tmp_path / "match.log"
    lines, match, found = played(game, "uniform", "always-call", 20, log, seed=5, duplicate=duplicate)
    text = AcpcText(load_game(game))
    won = 0
    for number, line in enumerate(lines[:-1]):
        logged, hand = text.read_log_line(line), expected.play(number)
        assert (logged.hand, text.moves(logged.state)) == (number, hand.moves)
        assert logged.names == (("A", "B") if expected.seat(number) == 0 else ("B", "A"))
        won += hand.payoff if expected.seat(number) == 0 else -hand.payoff
    assert match.won == (won, -won)
    assert (match.hands, match.ended, lines[-1]) == (20, "", match.score)
    assert [(run.hands, run.won, run.is_whole) for run in found] == [(20, won, True), (20, -won, True)]


def test_a_strategy_answers_as_in_a_match(tmp_path) -> None:
    solved = tp.solve("kuhn_poker", "lp")
    lines, _, _ = played("kuhn_poker", solved, "uniform", 30, tmp_path / "k.log")
    text, expected = AcpcText(load_game("kuhn_poker")), schedule("kuhn_poker", solved, "uniform")
    moves = [text.moves(text.read_log_line(line).state) for line in lines[:-1]]
    assert moves == [expected.play(number).moves for number in range(30)]


def calls_in(log):
    return [line for line in log.read_text().splitlines() if line.startswith(("STATE", "SCORE"))]


@pytest.fixture(scope="module")
def quiet_log(tmp_path_factory):
    """The log of two programs that call and do nothing else."""
    log = tmp_path_factory.mktemp("quiet") / "log"
    with table("leduc_poker", 4, log) as dealer:
        callers = [Caller(port) for port in dealer.ports]
        assert dealer.result().ended == ""
        for caller in callers:
            caller.join(PATIENCE)
    return calls_in(log)


@over(
    [
        (b"\x00\xff\xfe garbage \x1b[2J\r\n", "is ignored"),
        (b"\r\n\r\n\n", "is ignored"),
        (b"# a remark\r\n; another\r\n", None),
        (b"MATCHSTATE:0:99::As|:c\r\n", "is ignored"),
        (b"MATCHSTATE:0:-1::::::c\r\n", "is ignored"),
        (b"x" * (LONGEST_LINE + 70_000) + b"\r\n", "is ignored"),
        (b"VERSION:2.0.0\r\n", "is ignored"),
    ]
)
def test_what_answers_nothing_changes_nothing(trouble, says, quiet_log, tmp_path) -> None:
    log = tmp_path / "log"
    with table("leduc_poker", 4, log) as dealer:
        bad, good = Caller(dealer.ports[0], lambda state: trouble), Caller(dealer.ports[1])
        match = dealer.result()
        bad.join(PATIENCE), good.join(PATIENCE)
    assert match.ended == ""
    assert calls_in(log) == quiet_log
    assert all(says and says in warning and len(warning) < 300 for warning in dealer.warnings)
    assert bool(dealer.warnings) == bool(says)


@over(["", "x", "raise", "r1", "c c", "f", "r" * 9000, "r99999999999999999999", "r-5", "c\x00"])
def test_an_action_that_is_not_legal_is_a_call(action, quiet_log, tmp_path) -> None:
    log = tmp_path / "log"
    with table("leduc_poker", 4, log) as dealer:
        Caller(dealer.ports[0], action=action), Caller(dealer.ports[1])
        assert dealer.result().ended == ""
    assert calls_in(log) == quiet_log
    assert 0 < len(dealer.warnings) <= 20
    assert all("made c" in warning for warning in dealer.warnings)


def test_a_raise_out_of_range_is_the_nearest_where_every_chip_is_legal(tmp_path) -> None:
    for asked, made in {"r3": "r4", "r5000": "r12"}.items():
        log = tmp_path / asked
        with table(CHIPS, 1, log) as dealer:
            Caller(dealer.ports[0]), Caller(dealer.ports[1], action=asked)
            assert dealer.result().ended == ""
        assert calls_in(log)[0].startswith(f"STATE:0:{made}c/")


def test_half_lines_are_put_together(quiet_log, tmp_path) -> None:
    log = tmp_path / "log"
    with table("leduc_poker", 4, log) as dealer, ExitStack() as stack:
        connection, lines = stack.enter_context(client(dealer.ports[0], b"VERS"))
        connection.sendall(b"ION:2.0.0\r\n")
        Caller(dealer.ports[1])
        for line in lines:
            state = line.strip()
            if acts(state):
                for part in (state[:5], state[5:], ":", "c", "\r", "\n"):
                    connection.sendall(part.encode())
        assert dealer.result().ended == ""
    assert calls_in(log) == quiet_log


def test_silence_ends_the_match_without_a_score(tmp_path) -> None:
    log = tmp_path / "log"
    with table("leduc_poker", 4, log, response_seconds=0.1) as dealer, client(dealer.ports[0]):
        Caller(dealer.ports[1])
        match = dealer.result()
    assert match.ended == "hand 0: A is out of time"
    assert "SCORE" not in log.read_text()
    assert log.read_text().endswith("# ended before its last hand, hand 0: A is out of time\n")


def test_the_time_of_all_hands_is_limited(tmp_path) -> None:
    log = tmp_path / "log"
    with table("leduc_poker", 2, log, hand_seconds=0.05) as dealer:
        Caller(dealer.ports[0], lambda state: sleep(0.03) or b"# thinking\r\n")
        Caller(dealer.ports[1])
        match = dealer.result()
    assert match.ended.endswith("A is out of time")


def flood(connection):
    for _ in range(10_000):
        connection.sendall(b"y" * 65_536)


def test_a_line_without_an_end_is_silence(tmp_path) -> None:
    with table("leduc_poker", 1, response_seconds=0.3) as dealer, client(dealer.ports[0]) as (connection, _):
        Caller(dealer.ports[1])
        with pytest.raises((ConnectionError, TimeoutError)):
            flood(connection)
        assert dealer.result().ended == "hand 0: A is out of time"


@over(
    [
        (b"VERSION:1.0.0\n", "A must begin with VERSION:2.0.0"),
        (b"GET / HTTP/1.1\r\n\r\n", "got 'GET"),
    ]
)
def test_a_program_must_say_its_version(version, says, tmp_path) -> None:
    with table("leduc_poker", 1) as dealer, client(dealer.ports[0], version), client(dealer.ports[1]):
        assert says in dealer.result().ended


def left_at_once(host):
    """Return what an agent says of a dealer that closes its connection before any hand."""

    def leave():
        listener.accept()[0].close()

    with listen(host, 0) as listener:
        thread = Thread(target=leave, daemon=True)
        thread.start()
        run = play_acpc("uniform", "leduc_poker", listener.getsockname()[1], host=host)
        thread.join(PATIENCE)
    return run


def test_a_dealer_that_leaves_at_once_is_told() -> None:
    run = left_at_once("127.0.0.1")
    assert (run.hands, run.is_whole) == (0, False)
    assert run.text("chips") == "hands 0, won 0 chips; the dealer left before a hand was over"


def test_addresses_may_be_of_the_sixth_version() -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no such address")
    assert left_at_once("::1").hands == 0


def test_who_leaves_without_a_line_is_no_player(quiet_log, tmp_path) -> None:
    log = tmp_path / "log"
    with table("leduc_poker", 4, log) as dealer:
        for port, said in zip(dealer.ports, (b"VERS", b""), strict=True):
            with client(port, said) as (connection, _):
                connection.shutdown(socket.SHUT_RDWR)
        Caller(dealer.ports[1]), Caller(dealer.ports[0])
        assert dealer.result().ended == ""
    assert calls_in(log) == quiet_log
    assert dealer.warnings == [f"{name}: who left without a line is no player" for name in "AB"]


def test_who_leaves_ends_the_match_and_played_hands_stay(quiet_log, tmp_path) -> None:
    log = tmp_path / "log"
    with table("leduc_poker", 4, log) as dealer:
        Caller(dealer.ports[1])
        with client(dealer.ports[0]) as (connection, lines):
            for line in lines:
                state = line.strip()
                if state.split(":")[2] == "2":
                    break
                if acts(state):
                    connection.sendall(f"{state}:c\r\n".encode())
            connection.shutdown(socket.SHUT_RDWR)
        match = dealer.result()
    assert match.ended == "hand 2: A has left"
    assert match.hands == 2
    assert calls_in(log) == quiet_log[:2]


def test_who_is_left_sees_the_end_of_a_hand_that_is_over(tmp_path) -> None:
    with table("kuhn_poker", 1, tmp_path / "log") as dealer, client(dealer.ports[0]) as (connection, lines):

        def leave(state):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            os.close(connection.detach())  # with a reset, at once
            return b""

        caller = Caller(dealer.ports[1], leave)
        connection.sendall(f"{lines.readline().strip()}:c\r\n".encode())
        match = dealer.result()
        caller.join(PATIENCE)
    assert (match.hands, match.ended) == (1, "")
    before, last = caller.states[-2:]
    assert (acts(before), acts(last)) == (True, False)
    assert re.search(r":cc:[A-Z][a-z]?\|[A-Z][a-z]?$", last)  # both cards are shown


def refused(port):
    """Return whether nobody takes a connection to a port, or it is closed at once."""
    try:
        with client(port, b"") as (late, _):
            return late.recv(1) == b""
    except ConnectionError:
        return True


def test_a_second_connection_to_a_port_is_refused() -> None:
    with table("leduc_poker", 2) as dealer, client(dealer.ports[0]), client(dealer.ports[1]) as (_, lines):
        assert lines.readline().startswith("MATCHSTATE")
        assert all(refused(port) for port in dealer.ports)
        dealer.stop.set()
        with pytest.raises(StoppedError):
            dealer.result()


def test_a_dealer_that_is_stopped_leaves_a_whole_log(quiet_log, tmp_path) -> None:
    log = tmp_path / "log"
    with table("leduc_poker", 4, log, stop_with=KeyboardInterrupt) as dealer:
        Caller(dealer.ports[0], lambda state: _stop_in_hand_one(dealer, state))
        Caller(dealer.ports[1])
        with pytest.raises(KeyboardInterrupt):
            dealer.result()
    assert calls_in(log) == quiet_log[:1]
    assert log.read_text().endswith("# ended before its last hand, interrupted\n")


def test_a_log_that_cannot_be_written_ends_with_a_whole_line(quiet_log, tmp_path, monkeypatch) -> None:
    log, room = tmp_path / "log", 150

    class Disk(FileIO):
        def write(self, content):
            return super().write(content[: max(0, room - self.tell())])

    monkeypatch.setattr(acpc_dealer, "FileIO", Disk)
    with table("leduc_poker", 4, log) as dealer:
        Caller(dealer.ports[0]), Caller(dealer.ports[1])
        with pytest.raises(tp.BadInputError, match=r"cannot write .*log: No space left on device"):
            dealer.result()
    assert calls_in(log) == quiet_log[: len(calls_in(log))] != []
    assert log.read_text().endswith("\n")


def _stop_in_hand_one(dealer, state):
    if state.split(":")[2] == "1":
        dealer.stop.set()
        dealer.thread.join(PATIENCE)
    return b""


def test_what_does_not_read_is_left(monkeypatch) -> None:
    ours, theirs = socket.socketpair()
    try:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        with pytest.raises(SilenceError):
            Lines(ours, lambda: None).write("x" * 10_000_000, 0.0)
    finally:
        ours.close(), theirs.close()


@over(
    [
        ({"hands": 0}, "hands must be an integer from 1 to"),
        ({"names": ("A",)}, "names must be two"),
        ({"names": (1, 2)}, "names must be two"),
        ({"hand_seconds": 10**400}, "hand_seconds must be above 0 and finite"),
        ({"response_seconds": True}, "response_seconds must be above 0 and finite, got true"),
        ({"names": ("A", "B C")}, "names must be two"),
        ({"names": ("A", "\x1b[31m")}, "names must be two"),
        ({"names": ("A", "Ä")}, "names must be two"),
        ({"seed": -1}, "seed must be"),
        ({"response_seconds": 0.0}, "response_seconds must be above 0 and finite, got 0"),
        ({"hand_seconds": float("nan")}, "hand_seconds must be above 0 and finite, got nan"),
    ]
)
def test_settings_that_are_none(options, says) -> None:
    with pytest.raises(tp.BadInputError) as error:
        AcpcSetting.of("kuhn_poker", **{"hands": 2, **options})
    assert says in str(error.value)


def test_the_commands_refuse_in_one_line(complaint, tmp_path) -> None:
    held, link = tmp_path / "held.log", tmp_path / "link.log"
    held.write_text("# a match\n")
    link.symlink_to(held)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        cells = {
            ("dealer", "kuhn_poker", "--hands", 2, "--ports", f"{port},0"): "cannot listen on 127.0.0.1:",
            ("dealer", "kuhn_poker", "--hands", 2, "--ports", "70000,0"): "from 0 to 65,535, got 70000",
            ("dealer", "kuhn_poker", "--hands", 2, "--ports", "x"): "ports must be two numbers",
            ("dealer", "kuhn_poker", "--hands", 2, "--host", ""): "a host must be an address",
            ("dealer", "kuhn_poker", "--hands", 2, "--host", "a..b"): "a..b:0: ",
            ("agent", "uniform", "kuhn_poker", "--port", 1, "--host", "a..b"): "that is no address",
            ("dealer", "kuhn_poker", "--hands", 2, "--out", tmp_path): "cannot write",
            ("dealer", "kuhn_poker", "--hands", 2, "--out", "-"): "the log must be a file",
            ("dealer", "kuhn_poker", "--hands", 2, "--out", held): "a new file or an empty one, got",
            ("dealer", "kuhn_poker", "--hands", 2, "--out", link): "a new file or an empty one, got",
            ("dealer", "coin_toss", "--hands", 2): "the protocol is of poker games",
            ("agent", "uniform", "kuhn_poker", "--port", 0): "from 1 to 65,535, got 0",
            ("agent", "nobody", "kuhn_poker", "--port", 1): "an agent must be uniform",
        }
        for words, says in cells.items():
            assert says in complaint("acpc", *words)
    assert held.read_text() == "# a match\n"


@pytest.mark.seconds(6)
def test_the_page_runs_as_it_stands(tmp_path) -> None:
    """The three lines of the page, but on free ports: the score and what the agent saw stand there."""
    page = (ROOT / "docs" / "ACPC.md").read_text(encoding="utf-8")
    dealer, agent, bot = re.findall(r"(?m)^(?:treeplex|python) (acpc .*|examples.*)$", page)
    with ExitStack() as stack:

        def start(words):
            process = subprocess.Popen(
                [sys.executable, *words.split()],
                cwd=tmp_path,
                env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            stack.enter_context(process)
            stack.callback(process.kill)
            return process

        dealing = start("-m treeplex " + dealer.replace("18790,18791", "0,0"))
        first, second = dealing.stdout.readline().split()
        seeing = start("-m treeplex " + agent.replace("18790", first))
        calling = start(f"{ROOT}/" + bot.replace("18791", second))
        said, complained = dealing.communicate(timeout=60)
        assert complained == ""
        assert said.strip() in page
        assert seeing.communicate(timeout=60)[0].strip() in page
        assert calling.wait(60) == 0
    log = (tmp_path / "match.log").read_text().splitlines()
    assert (log[-1], len(log)) == (said.strip(), 103)


@pytest.mark.seconds(3)
def test_an_interrupted_command_leaves_a_whole_log(tmp_path) -> None:
    log = tmp_path / "log"
    words = "-m", "treeplex", "acpc", "dealer", "leduc_poker", "--hands", "1000000", "--out", str(log)
    process = subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        callers = [Caller(int(port)) for port in process.stdout.readline().split()]
        while not log.read_text().count("\nSTATE") > 3:
            sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, complained = process.communicate(timeout=20)
        for caller in callers:
            caller.join(PATIENCE)
    finally:
        process.kill()
        process.communicate()
    assert (process.returncode, complained) == (130, "treeplex: interrupted\n")
    lines = log.read_text().splitlines(keepends=True)
    assert lines[-1] == "# ended before its last hand, interrupted\n"
    assert all(re.fullmatch(r"STATE:\d+:.*\n", line) for line in lines[2:-1])
