"""How far apart two colours look to people with and without colour vision deficiency."""

import numpy as np

DEUTERANOPIA = np.array(
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]
)
PROTANOPIA = np.array(
    [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]
)
"""Of linear RGB (Machado, Oliveira and Fernandes, *A physiologically-based model*, 2009, severity 1)."""
VISIONS = {"all colours": np.eye(3), "deuteranopia": DEUTERANOPIA, "protanopia": PROTANOPIA}
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
"""From linear sRGB, IEC 61966-2-1."""
WHITE = TO_XYZ.sum(axis=1)


def lab(colour, seen=VISIONS["all colours"]):
    """Return the CIELAB coordinates of ``#rrggbb`` as it is seen."""
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    x, y, z = (TO_XYZ @ np.clip(seen @ linear, 0, 1)) / WHITE
    f = [np.cbrt(t) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def difference(first, second, seen=VISIONS["all colours"]):
    """Return the distance of two colours in CIELAB (CIE 1976), as they are seen."""
    return float(np.linalg.norm(lab(first, seen) - lab(second, seen)))
