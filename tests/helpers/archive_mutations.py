"""Spoilt .npz files, the same for the same seed: in their bytes, members, arrays and heads."""

import json
import random
import warnings
import zipfile
from collections.abc import Callable
from contextlib import suppress

import numpy as np

from tests.helpers.archive_members import Members, head_of, loaded, members_of, saved, with_head, zipped
from tests.helpers.mutations import mutated

ODD = (
    *(0, -1, 1, 2, 7, 10**11, 2**53 + 1, 2**63, 2**64, 10**400),
    *(0.5, -0.5, 5e-324, 1e-310, 1e160, 1e250, -1e300, 1.7e308, float("nan"), float("inf"), -float("inf")),
    *(True, None, "", "x", "\ud800\n", [], [1], {}, {"a": 1}, [[]]),
)
DTYPES = ("<f8", "<f4", ">f8", "<i8", "|b1", "|O", "<U3", "<c16", "|V8", "<M8[s]", "<f2", "<u2", "|i1")


def spoilt(seed: str, data: bytes, signed: Callable[[Members], Members] | None = None) -> bytes:
    """Return an .npz file with one to three changes; ``signed`` renews its digest half of the time."""
    chance = random.Random(seed)
    if chance.random() < 0.15:
        return mutated(seed, data)
    members = members_of(data)
    if chance.random() < 0.3:  # what only ranges can tell
        _array(chance, members)
        return zipped(members if signed is None else signed(members))
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        chance.choice((_array, _head, _head, _header, _member))(chance, members)
    if signed is not None and chance.random() < 0.5:
        members = signed(members)
    return _lie(chance, members) if chance.random() < 0.1 else zipped(members)


def _pick(chance: random.Random, members: Members) -> int:
    """Return the place of a member, mostly of an array."""
    return chance.randrange(1, len(members)) if len(members) > 1 else 0


def _array(chance: random.Random, members: Members) -> None:
    """Change the entries of an array, or its length, honestly described."""
    if not members:
        return
    k = _pick(chance, members)
    name, content = members[k]
    with suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        array = loaded(content).copy()
        members[k] = name, saved(_spoilt(chance, array))


def _spoilt(chance: random.Random, array: np.ndarray) -> np.ndarray:
    case = chance.randrange(12)
    if case == 0:
        array = chance.choice((array[:-1], array[:0], np.append(array, array[:1]), array[None], array[::-1]))
    elif case == 1 and array.dtype.names is None:
        with np.errstate(all="ignore"):
            array = array.astype(chance.choice(("f4", ">f8", "i8", "c16", "U3", "u2", "?")))
    elif case == 2:
        array = np.tile(array, chance.choice((2, 16)))
    elif array.size:
        _entries(chance, array)
    return array


def _entries(chance: random.Random, array: np.ndarray) -> None:
    """Change some entries in place."""
    if array.dtype.names is not None:
        array = array[chance.choice(array.dtype.names)]
    places = [chance.randrange(len(array)) for _ in range(chance.choice((1, 1, 2, 8)))]
    used = np.flatnonzero(array)
    if len(used) and chance.random() < 0.7:
        places = [int(chance.choice(used)) for _ in places]
    match chance.randrange(7):
        case 0:
            array[places] = array[::-1][places]
        case 1:
            array[places] += array.dtype.type(1)
        case 2 | 3 if array.dtype.kind == "f":
            odd = (np.nan, np.inf, -np.inf, -1.0, 1e300, 1e160, 1e30, 5e-324, 1e-310, 2.0, 0.0)
            with np.errstate(over="ignore"):
                array[places] = np.float64(chance.choice(odd)).astype(array.dtype)
        case 4:
            array[:] = array[places[0]]
        case 5:
            array[places] = array[places[0]]
        case _:
            for at in places:
                bits = np.frombuffer(array[at].tobytes(), np.uint8).copy()
                bits[chance.randrange(len(bits))] ^= 1 << chance.randrange(8)
                array[at] = np.frombuffer(bits.tobytes(), array.dtype)[0]


def _head(chance: random.Random, members: Members) -> None:
    """Change the head: its text, or one value in it."""
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        head = head_of(members)
        if chance.random() < 0.25:
            text = mutated(str(chance.random()), json.dumps(head).encode())
        elif chance.random() < 0.1:
            whole = json.dumps(head)
            text = chance.choice(
                (whole[:-1] + ', "format": 3}', "[" + whole + "]", "[" * 50_000, "[]", "3", '"x"')
            )
            text = text.encode()
        else:
            text = json.dumps(_changed(chance, head)).encode()
        members[:] = with_head(members, text)


def _changed(chance: random.Random, part: object) -> object:
    """Return a part of JSON with one value, key or length changed somewhere in it."""
    keys = list(part) if isinstance(part, dict) else list(range(len(part))) if isinstance(part, list) else []
    if not keys or chance.random() < 0.15:
        number = isinstance(part, int | float)
        return (
            chance.choice((part + 1, part - 1, -part, part * 2))
            if number and chance.random() < 0.5
            else chance.choice(ODD)
        )
    key, new = chance.choice(keys), dict(part) if isinstance(part, dict) else list(part)
    match chance.randrange(8):
        case 0:
            del new[key]
        case 1 if isinstance(new, dict):
            new[chance.choice(("", key + "x", "iterations"))] = new.pop(key)
        case 1:
            new.append(new[key])
        case _:
            new[key] = _changed(chance, new[key])
    return new


def _header(chance: random.Random, members: Members) -> None:
    """Change what a member says of its array."""
    if not members:
        return
    k = _pick(chance, members)
    name, content = members[k]
    length = int.from_bytes(content[8:10], "little")
    text, rest = content[10 : 10 + length], content[10 + length :]
    shapes = (b"100000000000,", b"-1,", b"", b"3,", b"0,", b"2, 2", b"9" * 300 + b",", b"1e3,")
    shape = b"(" + chance.choice(shapes) + b")"
    descr = f"'{chance.choice(DTYPES)}'".encode()
    match chance.randrange(7):
        case 0 | 1:
            text = text[: text.find(b"(")] + shape + text[text.find(b")") + 1 :]
        case 2 | 3:
            text = b"{'descr': " + descr + text[text.find(b", 'fortran") :]
        case 4:
            text = text.replace(b"False", b"True")
        case 5:
            text = mutated(str(chance.random()), text)[:60_000]
        case _:
            content = mutated(str(chance.random()), content)
            members[k] = name, content
            return
    version = chance.choice((b"\1\0", b"\1\0", b"\1\0", b"\2\0", b"\3\0", b"\7\7"))
    size = chance.choice((len(text),) * 8 + (0, 65_535))
    members[k] = name, content[:6] + version + size.to_bytes(2, "little") + text + rest


def _member(chance: random.Random, members: Members) -> None:
    """Remove, rename, repeat, exchange or truncate members, or add one."""
    if not members:
        return
    k, j = chance.randrange(len(members)), chance.randrange(len(members))
    name, content = members[k]
    match chance.randrange(7):
        case 0:
            del members[k]
        case 1:
            members[k] = (
                chance.choice((name + "x", name[:-4], ".npy", "../" + name, name.upper(), "\u202e" + name)),
                content,
            )
        case 2:
            members.insert(j, members[k])
        case 3:
            members[k], members[j] = (name, members[j][1]), (members[j][0], content)
        case 4:
            members[k] = name, content[: chance.randrange(len(content) + 1)]
        case 5:
            members[k] = name, content + bytes(chance.choice((1, 8, 1000)))
        case _:
            members.append((chance.choice(("more.npy", "more", "head.npy")), saved(np.zeros(3))))


def _lie(chance: random.Random, members: Members) -> bytes:
    """Return a zip file that is compressed, wrapped, or says of a member what is not so."""
    data = zipped(members)
    begin = data.rfind(b"PK\1\2")
    match chance.randrange(6):
        case 0:
            return zipped(members, zipfile.ZIP_DEFLATED)
        case 1:
            return zipped([*members, ("bomb.npy", bytes(10**7))], zipfile.ZIP_DEFLATED)
        case 2:
            return data + bytes(chance.choice((1, 22, 70_000)))
        case 3:
            return bytes(chance.choice((1, 22, 70_000))) + data
        case _ if begin < 0:
            return data
        case 4:  # flags, method, checksum, sizes or offset in the directory
            at = begin + chance.choice((8, 10, 16, 20, 24, 28, 30, 32, 42))
            return data[:at] + chance.choice((b"\1\0", b"\xff\xff\xff\xff", b"\x09\0")) + data[at + 2 :]
        case _:
            at = begin + 20
            sizes = chance.choice((2**32 - 1, 2**31, 10**9)).to_bytes(4, "little") * 2
            return data[:at] + sizes + data[at + 8 :]
