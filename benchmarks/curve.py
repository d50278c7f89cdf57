"""Draw lines over two logarithmic axes, as SVG that reads on light and on dark ground."""

from __future__ import annotations

import math
from collections.abc import Mapping

COLOURS = ("#1a9850", "#2b7bba", "#d9682b", "#8e5bb5", "#b8860b", "#c2374f", "#5f8a8b")
_WIDTH, _HEIGHT = 400, 300


def curve(lines: Mapping[str, Mapping[int, float]], *, across: str, up: str, floor: float = 1.0) -> str:
    """Return a picture of some lines.

    Args:
        lines: for each title its points: a size, and what was measured there (a ratio).
        across: what the sizes are.
        up: what the ratios are.
        floor: the lowest ratio that is drawn as it is; smaller ones lie on the axis.
    """
    sizes = sorted({size for points in lines.values() for size in points})
    most = max([value for points in lines.values() for value in points.values()] + [10.0 * floor])
    left, right = math.log10(sizes[0]), max(math.log10(sizes[-1]), math.log10(sizes[0]) + 1)
    low, high = math.log10(floor), math.ceil(math.log10(most))

    def x(size: int) -> float:
        return (math.log10(size) - left) * _WIDTH / (right - left)

    def y(ratio: float) -> float:
        return _HEIGHT - (max(math.log10(ratio), low) - low) * _HEIGHT / (high - low)

    drawn = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-60 -16 720 366" font-family="sans-serif" font-size="11" '
        'fill="#888">'
    ]
    for power in range(math.ceil(low), high + 1):
        drawn.append(f'<text x="-6" y="{y(10.0**power) + 4:.1f}" text-anchor="end">{10**power:,}x</text>')
        drawn.append(f'<path d="M0 {y(10.0**power):.1f}H{_WIDTH}" stroke="#8884"/>')
    drawn += [f'<text x="{x(size):.1f}" y="316" text-anchor="middle">{size:,}</text>' for size in sizes]
    drawn.append(f'<path d="M0 0V{_HEIGHT}H{_WIDTH}" fill="none" stroke="#888"/>')
    for number, (title, points) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{x(size):.1f},{y(ratio):.1f}" for size, ratio in sorted(points.items()))
        dash = ' stroke-dasharray="5 3"' if number >= len(COLOURS) else ""
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        last = points[max(points)]
        drawn.append(f'<text x="415" y="{14 + 18 * number}" fill="{colour}">{title}: {last:,.2f}x</text>')
    drawn.append(f'<text x="{_WIDTH / 2:.0f}" y="336" text-anchor="middle">{across}; upwards: {up}</text></svg>')
    return "\n".join(drawn) + "\n"
