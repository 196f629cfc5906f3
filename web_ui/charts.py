"""Bar charts as SVG, drawn by pygal and made fit for our pages.

pygal writes its colours, a script and where a tooltip goes into the picture; our pages allow
nothing of that inside of them. It is taken out before the picture is written, and `charts.css`
gives it the colours of the page, so that both themes hold. What is shown stands in a table, too.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pygal
from markupsafe import Markup
from pygal.style import Style

# pygal looks for plugins with maps through the import system, by a hook of which Python 3.11 warns
# at every module that is not there. Nothing here draws maps.
sys.meta_path[:] = [hook for hook in sys.meta_path if type(hook).__module__ != pygal.__name__]

WIDTH = 360
"""In the units of the picture; about the pixels of a phone, so that words stay legible there."""

ROW = 26
"""Height of a bar that lies, with the space around it."""

AXIS, LEGEND = 50, 30
"""Height that is left for them."""

UPRIGHT = 220
"""Height of a picture whose bars stand."""

LONGEST_LABEL = 14
"""Characters; the table beside the picture has all of a name."""

TEXT = 14
CHARTS_KEPT = 64
_NOT_DRAWN = frozenset({"defs", "desc", "title"})
_NOT_SAID = ("id", "style")
_STYLE = Style(
    label_font_size=TEXT,
    major_label_font_size=TEXT,
    value_font_size=TEXT,
    legend_font_size=TEXT,
)
"""Colours are the page's; from the sizes pygal works out how much room words take."""


@dataclass(frozen=True)
class Chart:
    """A bar chart: what is to be drawn, and how it is said.

    Attributes:
        key: names it within the page.
        title: what it shows.
        text: the same in a sentence, for whoever does not see it.
        labels: of the bars, from the top, or from the left if they stand.
        series: name and values of what is compared, a value for each label; None: no bar.
        zero: where bars begin.
        ends: where the axis begins and ends; None: as the values do.
        marks: values on the axis with their words; none: as pygal chooses.
        spread: what each value of the first series may be off by chance, drawn as a whisker; then
            the values themselves are not written.
        stands: bars stand.
    """

    key: str
    title: str
    text: str
    labels: tuple[str, ...]
    series: tuple[tuple[str, tuple[float | None, ...]], ...]
    zero: float = 0.0
    ends: tuple[float, float] | None = None
    marks: tuple[tuple[float, str], ...] = ()
    spread: tuple[float, ...] = ()
    stands: bool = False


@lru_cache(maxsize=CHARTS_KEPT)
def drawn(chart: Chart) -> Markup:
    """Draw a chart as an SVG element for a page."""
    step = 1 if chart.stands else -1  # pygal stacks lying bars from the bottom
    legend = len(chart.series) > 1
    lying = AXIS + LEGEND * legend + ROW * len(chart.labels) * len(chart.series)
    kind = pygal.Bar if chart.stands else pygal.HorizontalBar
    picture = kind(
        style=_STYLE,
        js=(),
        css=(),
        no_prefix=True,
        disable_xml_declaration=True,
        width=WIDTH,
        height=UPRIGHT if chart.stands else lying,
        margin=8,
        spacing=8,
        show_legend=legend,
        legend_at_bottom=True,
        print_values=not chart.spread,
        print_values_position="top",
        show_x_guides=not chart.stands,
        show_y_guides=chart.stands,
        zero=chart.zero,
        range=chart.ends,
        truncate_label=LONGEST_LABEL,
        formatter=lambda value: f"{value:.0f}",
    )
    picture.x_labels = [_short(label) for label in chart.labels[::step]]
    if chart.marks:
        picture.y_labels = [{"value": value, "label": words} for value, words in chart.marks]
    for name, values in chart.series:
        picture.add(name, list(_values(chart, name, values))[::step])
    picture.add_xml_filter(lambda root: _plain(root, chart))
    return Markup(picture.render())


def _values(chart: Chart, name: str, values: tuple[float | None, ...]) -> Iterator[Any]:
    """The values of a series as pygal takes them."""
    whiskers = chart.spread if name == chart.series[0][0] else ()
    for at, value in enumerate(values):
        if value is None or not whiskers:
            yield value
        else:
            yield {
                "value": value,
                "ci": {"low": value - whiskers[at], "high": value + whiskers[at]},
            }


def _short(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"


def _is_tooltip(part: Any) -> bool:
    return "tooltip-overlay" in part.get("class", "")


def _plain(root: Any, chart: Chart) -> Any:
    """Take out what the page does not allow or need, and say what the picture shows."""
    for part in list(root.iter()):
        for child in list(part):
            # What is no word is a comment.
            if not isinstance(child.tag, str) or child.tag in _NOT_DRAWN or _is_tooltip(child):
                part.remove(child)
        for attribute in _NOT_SAID:
            part.attrib.pop(attribute, None)
    names = [f"chart-{chart.key}-{what}" for what in ("title", "text")]
    root.set("class", "chart")
    root.set("role", "img")
    root.set("aria-labelledby", " ".join(names))
    for place, (tag, name, words) in enumerate(
        zip(("title", "desc"), names, (chart.title, chart.text), strict=True)
    ):
        said = root.makeelement(tag, {"id": name})
        said.text = words
        root.insert(place, said)
    return root
