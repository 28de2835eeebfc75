"""The memory that computations may take: the machine's, or what limits leave of it."""

import subprocess
import sys
from shutil import rmtree

import pytest

from tests.helpers.cells import over
from tests.helpers.processes import python
from treeplex.seqform.trees import memory
from treeplex.seqform.trees.memory import GIB, machine_memory, resident_memory


@pytest.fixture
def groups(monkeypatch, tmp_path):
    """A function that writes the control groups of this process and their limits."""
    monkeypatch.setattr(memory, "GROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(memory, "MOUNTED", tmp_path / "mounted")
    monkeypatch.setattr(memory, "_physical", lambda: 100 * GIB)

    def write(lines, **limits):
        rmtree(tmp_path / "mounted", ignore_errors=True)
        (tmp_path / "cgroup").write_text(lines)
        for path, limit in limits.items():
            file = tmp_path / "mounted" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(limit)

    return write


@over(
    [
        ("", {}, 100),
        ("0::/\n", {"memory.max": "max\n"}, 100),
        ("0::/\n", {"memory.max": f"{2 * GIB}\n"}, 2),
        ("0::/a/b\n", {"a/b/memory.max": f"{5 * GIB}\n", "a/memory.max": f"{3 * GIB}\n"}, 3),
        ("0::/a/b\n", {"a/b/memory.max": "max\n"}, 100),
        ("4:cpu,memory:/a\n", {"memory/a/memory.limit_in_bytes": str(7 * GIB)}, 7),
        ("4:memory:/elsewhere\n", {"memory/memory.limit_in_bytes": str(6 * GIB)}, 6),
        ("4:memory:/\n", {"memory/memory.limit_in_bytes": str(2**63 - 4096)}, 100),
        ("nonsense\n", {"memory.max": "1"}, 100),
    ]
)
def test_limits_of_control_groups_count(lines, limits, gib, groups):
    groups(lines, **limits)
    assert machine_memory() == gib * GIB


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold to the limit")
def test_a_limit_on_address_space_counts():
    script = "from treeplex.seqform.trees.memory import machine_memory; print(machine_memory())"
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({4 * GIB}, -1)); {script}"
    with python("-c", limited, stdout=subprocess.PIPE) as process:
        assert process.stdout.read() == f"{min(4 * GIB, machine_memory())}\n"


def test_resident_memory_is_measured_where_it_can_be(monkeypatch, tmp_path):
    if sys.platform == "linux":
        assert 2**20 < resident_memory() < machine_memory()
    monkeypatch.setattr(memory, "PAGES", tmp_path / "none")
    assert resident_memory() == 0
