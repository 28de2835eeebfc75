"""Members of .npz files: taken out, changed one by one, and put together again."""

import io
import json
import warnings
import zipfile

import numpy as np

from treeplex.games.base.packed_arrays import digest_of

Members = list[tuple[str, bytes]]
HEAD = "head.npy"


def members_of(data: bytes) -> Members:
    """Return names and contents of a zip file's members."""
    with zipfile.ZipFile(io.BytesIO(data)) as whole:
        return [(one.filename, whole.read(one)) for one in whole.infolist()]


def zipped(members: Members, compression: int = zipfile.ZIP_STORED) -> bytes:
    """Return a zip file of members, of which some may have the same name."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", compression) as whole:
        warnings.simplefilter("ignore")
        for name, content in members:
            whole.writestr(name, content)
    return file.getvalue()


def saved(array: np.ndarray) -> bytes:
    """Return an array as .npy."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def loaded(content: bytes) -> np.ndarray:
    """Return the array of .npy."""
    return np.load(io.BytesIO(content))


def head_of(members: Members) -> dict:
    """Return the object in the head."""
    return json.loads(loaded(dict(members)[HEAD]).tobytes())


def with_head(members: Members, head: object) -> Members:
    """Return members with another head: an object, or its JSON."""
    text = head if isinstance(head, bytes) else json.dumps(head).encode()
    return [(name, saved(np.frombuffer(text, np.uint8)) if name == HEAD else old) for name, old in members]


def signed(members):
    """Return the members of a checkpoint with a digest of what they hold; as they are if they have none."""
    try:
        head = head_of(members)
        arrays = {name.removesuffix(".npy"): loaded(content) for name, content in members}
    except Exception:
        return members
    text = arrays.pop("head").tobytes()
    if not isinstance(head, dict) or json.dumps(head).encode() != text:  # as with a key twice
        return members
    spoken = {key: part for key, part in head.items() if key not in ("format", "digest")}
    return with_head(members, head | {"digest": digest_of(spoken, arrays)})


def changed(members, name, change):
    """Return members with the entries of one array changed in place."""
    array = loaded(dict(members)[f"{name}.npy"]).copy()
    change(array)
    return exchanged(members, name, saved(array))


def exchanged(members, name, content):
    """Return members with another content of one array."""
    return [(old, content if old == f"{name}.npy" else kept) for old, kept in members]


def put(at, value, field=None):
    """Return a change that writes a value at a place."""

    def change(array):
        (array if field is None else array[field])[at] = value

    return change


def header(members, name, **says):
    """Return the content of an array's member with a header that says something else."""
    content = dict(members)[f"{name}.npy"]
    text = content[10 : 10 + content[8]].decode()
    for old, new in says.values():
        assert old in text
        text = text.replace(old, new)
    return content[:8] + len(text).to_bytes(2, "little") + text.encode() + content[10 + content[8] :]


def told(members, **changes):
    """Return members whose head says something else."""
    return with_head(members, head_of(members) | changes)


def numbered(members, **changes):
    """Return members whose head has other numbers of the state."""
    return told(members, numbers=head_of(members)["numbers"] | changes)


def moved(members, field, value):
    """Return members with another value in the last full slot."""
    return changed(members, "slots", lambda slots: put(np.flatnonzero(slots["at"])[-1], value, field)(slots))
