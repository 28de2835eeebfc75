"""Files spoilt at random, the same way for the same seed: what readers must answer in one line."""

import random
import re
from collections.abc import Callable

Change = Callable[[random.Random, bytes], bytes]
NUMBER = re.compile(rb"[-+]?\d+(?:\.\d+)?")
TOKEN = re.compile(rb"\w+|[^\w\s]|\s+")
WORD = re.compile(rb"[A-Za-z_]\w*")
CARD = re.compile(rb"[2-9TJQKA][shdc]")
LIST = re.compile(rb"\[[^\[\]]*\]|\{[^{}]*\}|\"[^\"]*\"")
NUMBERS = (
    *b"0 -1 2 3 7 1e400 nan inf -inf 1/0 1/3 0.5 1000000 1e9 1e300 1e-300 1e308 1e999".split(),
    *(b"1e999999999", b"--1", b"0x10", b"1_000", b"1" + b"0" * 50, b"9" * 5000, b"", "٣".encode()),
)
JUNK = (
    *(b"\0", b"\xff", b"\x85", b"\r", b"\n", b"\x0b", b"\x1b[31m", "\ufeff".encode(), "é".encode()),
    *("\u2028".encode(), "\u202e".encode(), "🂡".encode(), b"true", b"null", b"2e", b"3e150%"),
    *(bytes([mark]) for mark in b"\"'[]{}(),:=/\\#%|-+ae"),
)
NESTS = ((b"[", b"]"), (b"{", b"}"), (b"(", b")"), (b'{"a":', b"}"), (b"{ a = ", b"}"))
LONGEST = 500_000


def mutated(seed: str, data: bytes) -> bytes:
    """Return a text with one to five changes; three in five are small ones to numbers, words and lines."""
    chance = random.Random(seed)
    changes = SMALL if chance.random() < 0.6 else CHANGES
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5))):
        data = chance.choice(changes)(chance, data)[:LONGEST]
    return data


def _flip(chance: random.Random, data: bytes) -> bytes:
    found = bytearray(data)
    for _ in range(chance.randint(1, 4) if data else 0):
        found[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(found)


def _truncate(chance: random.Random, data: bytes) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _cut(chance: random.Random, data: bytes) -> bytes:
    begin = chance.randrange(len(data) + 1)
    return data[:begin] + data[begin + chance.randint(1, 40) :]


def _moved(chance: random.Random, parts: list[bytes]) -> bytes:
    if not parts:
        return b""
    i, j = chance.randrange(len(parts)), chance.randrange(len(parts))
    match chance.randrange(5):
        case 0:
            del parts[i]
        case 1:
            parts.insert(j, parts[i])
        case 2:
            parts[i], parts[j] = parts[j], parts[i]
        case 3:
            parts[i] = parts[j]
        case _:
            parts[i : i + 1] = parts[i : i + 1] * 40
    return b"".join(parts)


def _lines(chance: random.Random, data: bytes) -> bytes:
    return _moved(chance, data.splitlines(keepends=True))


def _tokens(chance: random.Random, data: bytes) -> bytes:
    return _moved(chance, TOKEN.findall(data))


def _replace(
    chance: random.Random, data: bytes, what: re.Pattern[bytes], new: Callable[[bytes], bytes]
) -> bytes:
    found = list(what.finditer(data))
    if not found:
        return data
    one = chance.choice(found)
    return data[: one.start()] + new(one[0]) + data[one.end() :]


def _number(chance: random.Random, data: bytes) -> bytes:
    return _replace(chance, data, NUMBER, lambda _: chance.choice(NUMBERS))


def _nudge(chance: random.Random, data: bytes) -> bytes:
    return _replace(chance, data, NUMBER, lambda _: str(chance.randint(0, 12)).encode())


def _numbers(chance: random.Random, data: bytes) -> bytes:
    new = chance.choice(NUMBERS)
    return NUMBER.sub(lambda one: new if chance.random() < 0.3 else one[0], data)


def _rename(chance: random.Random, data: bytes) -> bytes:
    names = (b"rake", b"__class__", b"a" * 3000, b"")
    return _replace(
        chance, data, WORD, lambda word: chance.choice((word + b"x", word.upper(), word[::-1], *names))
    )


def _card(chance: random.Random, data: bytes) -> bytes:
    cards = (b"2s", b"As", b"Ks", b"AsAs", b"Xx", b"1s", b"10h", b"")
    return _replace(chance, data, CARD, lambda _: chance.choice(cards))


def _junk(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(JUNK) * chance.choice((1, 1, 1, 3, 2000)) + data[at:]


def _nest(chance: random.Random, data: bytes) -> bytes:
    at, deep = chance.randrange(len(data) + 1), chance.choice((5, 200, 5000, 50_000))
    begin, end = chance.choice(NESTS)
    return data[:at] + begin * deep + chance.choice((b"1", b"")) + end * chance.choice((deep, 0)) + data[at:]


def _empty(chance: random.Random, data: bytes) -> bytes:
    return _replace(chance, data, LIST, lambda held: held[:1] + held[-1:])


def _lengthen(chance: random.Random, data: bytes) -> bytes:
    many = b",".join(b"0.%d" % (k + 1) for k in range(chance.choice((20, 300, 20_000))))
    return _replace(chance, data, re.compile(rb"\[[^\[\]\"]*\]"), lambda _: b"[" + many + b"]")


def _whole(chance: random.Random, data: bytes) -> bytes:
    return chance.choice(
        (
            *(b"", b"\n", b"\0" * 100, b" " * 100_000, data * 2, data[::-1], data.upper(), data.lower()),
            *("\ufeff".encode() + data, data.decode("latin1").encode("utf-16"), data.replace(b" ", b"\t")),
            *(data.replace(b"\n", b"\r\n"), data.replace(b"\n", b"\r")),
        )
    )


SMALL: tuple[Change, ...] = (_number, _nudge, _nudge, _nudge, _lines, _tokens, _card, _lengthen)
CHANGES: tuple[Change, ...] = (
    *(_flip, _truncate, _cut, _lines, _tokens, _number, _numbers, _nudge, _rename, _card, _junk, _junk),
    *(_nest, _empty, _lengthen, _whole),
)
