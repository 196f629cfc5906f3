"""A tournament format: a frozen record of decisions, read from `rules/formats/*.toml`.

As with a rule book every decision says where it comes from: what a tournament's own page says
(`text`), what follows from it by reading it so (`interpretation`), or what it leaves open and is
assumed (`default`). `rules.tournament_sheet` prints them for the people in the hall.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Literal, get_type_hints

from rules.book import Source, fits, wanted
from rules.errors import FormatError

Metric = Literal["lost_games", "lost_halves", "first_outs"]
"""What may decide between equal points: fewer lost games or halves, more times first out."""

LEAST_AT_TABLE, MOST_AT_TABLE = 2, 6
"""Two only play where nobody else is left: in a final, or when all others have gone home."""


@dataclass(frozen=True, kw_only=True)
class Format:
    """How a tournament is played; see `rules/formats/` for the data.

    Values are checked on creation; `FormatError` says in a whole sentence what is wrong.
    """

    key: str
    version: str
    title_de: str
    title_en: str
    document: str
    aliases: tuple[str, ...] = ()
    unit_de: tuple[str, ...]
    unit_en: tuple[str, ...]
    sources: Mapping[str, Source]
    text: str = field(default="", repr=False)
    """What an organiser's own format was read from: logs carry it along. Empty for ours."""

    # Registration: fee, teams, who comes late.
    entry_fee_eur: int
    team_size: int
    late_until_round: int
    missed_round: Literal["zero", "worst", "average"]
    missed_game_points: int
    leavers: Literal["behind", "as_scored"]

    # Tables: sizes, the most wanted first; who cannot be seated at such a table sits out.
    table_sizes: tuple[int, ...]
    sat_out: Literal["average", "zero"]

    # Point rounds.
    point_rounds: int
    games_per_round: int
    games_are: Literal["exactly", "at_most"]
    round_minutes: int
    better: Literal["more", "fewer"]
    exit_points_2: tuple[int, ...]
    exit_points_3: tuple[int, ...]
    exit_points_4: tuple[int, ...]
    exit_points_5: tuple[int, ...]
    exit_points_6: tuple[int, ...]
    exit_ties: Literal["throw", "best", "worst"]
    lost_half_points: int
    lost_game_points: int
    sweep_points: int
    strike_worst: int

    # Equal points.
    tie_breaks: tuple[Metric, ...]
    tied_cut: Literal["stechen", "lot"]
    tied_places: Literal["stechen", "lot", "shared"]

    # Knockout rounds.
    ko: Literal["none", "points", "lives"]
    cuts: tuple[int, ...]
    ko_goes_on: Literal["best", "two", "all_but_two"]
    ko_lives: int
    final_lives: int
    final_most: int
    ko_minutes: int
    ko_order: Literal["points", "table"]
    scharf: Literal["none", "half_decides", "half_out", "half_life"]

    # Teams, Schock-Aus-König, prizes.
    team_score: Literal["none", "sum"]
    team_lives: bool
    king: Literal["none", "one_throw"]
    king_eur: int
    prize_places: int
    prize_percent: tuple[int, ...]
    challenge_cup: bool

    def __post_init__(self) -> None:
        for name, hint in get_type_hints(Format).items():
            value = getattr(self, name)
            if name not in PLAIN_FIELDS and not fits(hint, value):
                raise FormatError(
                    f"format {self.key!r}: {name} must be {wanted(hint)}, but got {value!r}"
                )
        if missing := sorted(set(decisions()) - set(self.sources)):
            raise FormatError(
                f"format {self.key!r} does not say where these come from: {', '.join(missing)}; "
                "give each a text, an interpretation or a default"
            )
        if wrong := contradictions(self):
            raise FormatError(f"format {self.key!r} contradicts itself: {'; '.join(wrong)}")

    def cite(self, *names: str) -> str:
        """Return where the format settles these decisions."""
        return "; ".join(dict.fromkeys(self.sources[name].cite() for name in names))

    def exit_points(self, players: int) -> tuple[int, ...]:
        """Points by exit order in a half at a table of so many: first out first, its loser last."""
        points: tuple[int, ...] = getattr(self, f"exit_points_{players}", ())
        return points

    @property
    def counts_exits(self) -> bool:
        """Whether a card must say in which order the players went out of a half."""
        return bool(self.exit_points_4)

    @property
    def has_teams(self) -> bool:
        """Whether players register with a team."""
        return self.team_size > 1

    def lives(self, kind: str) -> int:
        """Lives of each player in a knockout round or the final; 0 where points decide."""
        if self.ko != "lives":
            return 0
        return self.final_lives if kind == "final" else self.ko_lives

    def go_on(self, players: int, kind: str) -> int:
        """How many of a knockout table go on: of a final only the winner."""
        if kind == "final":
            return 1
        return max(1, {"best": 1, "two": 2, "all_but_two": players - 2}[self.ko_goes_on])


PLAIN_FIELDS = frozenset(
    {
        "key", "version", "title_de", "title_en", "document", "aliases", "unit_de", "unit_en",
        "sources", "text",
    }
)  # fmt: skip
"""Fields that describe the format itself and are no decisions."""


def decisions() -> tuple[str, ...]:
    """Return the names of all fields that are decisions, in the order of the class."""
    return tuple(f.name for f in fields(Format) if f.name not in PLAIN_FIELDS)


def contradictions(made: Format) -> list[str]:
    """Decisions that cannot both be meant, each as a sentence; none for the formats that ship."""
    knockout, first = made.ko != "none", made.point_rounds == 0
    wrong = {
        "table_sizes must name sizes from 3 to 6, each once": (
            not made.table_sizes
            or len(set(made.table_sizes)) < len(made.table_sizes)
            or any(size not in range(3, MOST_AT_TABLE + 1) for size in made.table_sizes)
        ),
        "point_rounds = 0 needs ko = 'points' or 'lives': nothing would be played": (
            first and not knockout
        ),
        "cuts needs ko = 'points' or 'lives'": bool(made.cuts) and not knockout,
        "cuts needs point_rounds from 1: there are no points to cut by": bool(made.cuts) and first,
        "cuts must rise, each number once and from 2": (
            list(made.cuts) != sorted({n for n in made.cuts if n > 1})
        ),
        "ko = 'points' needs exit_points_4 or lost_half_points or lost_game_points": (
            made.ko == "points" and not _scores(made)
        ),
        "point_rounds needs exit_points_4 or lost_half_points or lost_game_points": (
            not first and not _scores(made)
        ),
        "ko = 'lives' needs ko_lives and final_lives from 1": (
            made.ko == "lives" and min(made.ko_lives, made.final_lives) < 1
        ),
        "scharf = 'half_decides' is for ko = 'points'": (
            made.scharf == "half_decides" and made.ko != "points"
        ),
        "scharf = 'half_out' and 'half_life' are for ko = 'lives'": (
            made.scharf in ("half_out", "half_life") and made.ko != "lives"
        ),
        "strike_worst must be below point_rounds": 0 < made.point_rounds <= made.strike_worst,
        "final_most must be from 2 to 6": knockout and made.final_most not in range(2, 7),
        "team_score = 'sum' needs team_size from 2": (
            made.team_score != "none" and not made.has_teams
        ),
        "team_lives = true needs team_score = 'sum' and ko = 'lives'": (
            made.team_lives and (made.team_score == "none" or made.ko != "lives")
        ),
        "king_eur needs king = 'one_throw'": bool(made.king_eur) and made.king == "none",
        "prize_percent must be at most prize_places numbers that make 100 or less": (
            len(made.prize_percent) > made.prize_places
            or sum(made.prize_percent) > 100
            or any(part < 0 for part in made.prize_percent)
        ),
        "unit_de and unit_en must be two words each, for one and for several": (
            len(made.unit_de) != 2 or len(made.unit_en) != 2
        ),
    }
    found = [problem for problem, holds in wrong.items() if holds]
    return [*found, *_sizes_of_points(made), *_below(made)]


def _scores(made: Format) -> bool:
    return bool(made.counts_exits or made.lost_half_points or made.lost_game_points)


def _sizes_of_points(made: Format) -> list[str]:
    """Exit points that do not fit their table: one for each place, for all sizes or for none."""
    wrong = []
    for size in range(LEAST_AT_TABLE, MOST_AT_TABLE + 1):
        points = made.exit_points(size)
        if made.counts_exits and len(points) != size:
            wrong.append(f"exit_points_{size} must be {size} numbers, but has {len(points)}")
        if not made.counts_exits and points:
            wrong.append(f"exit_points_{size} needs exit_points_4")
    return wrong


def _below(made: Format) -> list[str]:
    least = {
        "entry_fee_eur": 0, "team_size": 1, "late_until_round": 1, "point_rounds": 0,
        "games_per_round": 1, "round_minutes": 0, "strike_worst": 0, "ko_lives": 0,
        "final_lives": 0, "ko_minutes": 0, "king_eur": 0, "prize_places": 0,
    }  # fmt: skip
    return [
        f"{name} is {getattr(made, name)}, but must be {number} or more"
        for name, number in least.items()
        if getattr(made, name) < number
    ]
