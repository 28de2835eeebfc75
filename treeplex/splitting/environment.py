"""What numbers may depend on beside a run's parameters: versions, and numba's target."""

import platform
from importlib.metadata import version

import xxhash
from llvmlite import binding
from numba.core import config

PACKAGES = ("treeplex", "numpy", "numba", "llvmlite", "zstandard", "xxhash")


def environment() -> dict[str, str]:
    """Return versions of packages and of Python, and numba's target."""
    return {
        **{name: version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "target": target(),
    }


def target() -> str:
    """Return for which processor numba compiles: its name, and a digest of its features.

    With ``NUMBA_CPU_NAME=generic`` in the environment it is ``generic``, without any.
    """
    name = config.CPU_NAME or binding.get_host_cpu_name()
    if config.CPU_FEATURES is not None:
        features = config.CPU_FEATURES
    else:
        features = "" if name == "generic" else binding.get_host_cpu_features().flatten()
    return f"{name}, features {xxhash.xxh32_hexdigest(features.encode())}" if features else str(name)
