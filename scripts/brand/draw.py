"""Draw HomeAgent's brand images into custom_components/homeagent/brand.

Usage: .venv/bin/python scripts/brand/draw.py

A house, and in it three steps of a sequence: where it starts, what it does, and
where it ends.
"""

from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FOLDER = Path(__file__).resolve().parents[2] / "custom_components/homeagent/brand"
FINE = 4
"""How many times larger everything is drawn, to be smooth when made smaller."""

type Point = tuple[float, float]


@dataclass(frozen=True)
class Colors:
    """The colors of one theme."""

    house: str
    path: str
    goal: str
    text: str


LIGHT = Colors(house="#0b6e8f", path="#17a2b8", goal="#f59f00", text="#1f2d3a")
DARK = Colors(house="#4fc3e0", path="#7fd8ec", goal="#ffc247", text="#eef4f7")

# On a canvas of 100 by 100.
WALLS: tuple[Point, ...] = ((17, 43), (17, 92), (83, 92), (83, 43))
ROOF: tuple[Point, ...] = ((7, 50), (50, 9), (93, 50))
STEPS: tuple[Point, ...] = ((33.5, 74), (50, 46), (66.5, 74))


def stroke(
    draw: ImageDraw.ImageDraw, points: list[Point], width: float, color: str
) -> None:
    """Draw a line with round ends and corners."""
    draw.line(points, fill=color, width=round(width), joint="curve")
    for x, y in points:
        dot(draw, (x, y), width / 2, color)


def dot(draw: ImageDraw.ImageDraw, at: Point, radius: float, color: str) -> None:
    """Draw a filled circle."""
    x, y = at
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=color)


def draw_icon(size: int, colors: Colors) -> Image.Image:
    """Return the icon, square and transparent."""
    unit = size * FINE / 100
    image = Image.new("RGBA", (size * FINE, size * FINE))
    draw = ImageDraw.Draw(image)
    stroke(draw, [(x * unit, y * unit) for x, y in WALLS], 7 * unit, colors.house)
    stroke(draw, [(x * unit, y * unit) for x, y in ROOF], 8.5 * unit, colors.house)
    first, second, third = ((x * unit, y * unit) for x, y in STEPS)
    stroke(draw, [first, second, third], 5 * unit, colors.path)
    dot(draw, first, 8 * unit, colors.path)
    dot(draw, second, 8 * unit, colors.path)
    dot(draw, third, 9 * unit, colors.goal)
    return image.resize((size, size), Image.Resampling.LANCZOS)


def draw_logo(height: int, colors: Colors) -> Image.Image:
    """Return the icon with the name beside it, trimmed to its edges."""
    tall = height * FINE
    font = ImageFont.load_default(tall * 0.62)
    image = Image.new("RGBA", (tall * 6, tall))
    draw = ImageDraw.Draw(image)
    image.paste(draw_icon(tall, colors))
    x = tall * 1.12
    for word, color in (("Home", colors.text), ("Agent", colors.house)):
        draw.text(
            (x, tall * 0.56),
            word,
            fill=color,
            font=font,
            anchor="lm",
            stroke_width=tall * 0.008,
            stroke_fill=color,
        )
        x += draw.textlength(word, font=font)
    box = image.getbbox()
    assert box is not None
    image = image.crop((0, 0, box[2], tall))
    return image.resize((round(image.width / FINE), height), Image.Resampling.LANCZOS)


def main() -> None:
    """Write all the images that Home Assistant looks for."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for prefix, colors in (("", LIGHT), ("dark_", DARK)):
        for suffix, factor in (("", 1), ("@2x", 2)):
            icon = draw_icon(256 * factor, colors)
            icon.save(FOLDER / f"{prefix}icon{suffix}.png", optimize=True)
            logo = draw_logo(128 * factor, colors)
            logo.save(FOLDER / f"{prefix}logo{suffix}.png", optimize=True)


if __name__ == "__main__":
    main()
