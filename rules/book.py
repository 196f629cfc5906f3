"""A rule book as a value: one field per decision, each with its source.

The decisions are those of the rule matrix (G1, S1, T1 …). A book is data; no
code anywhere asks for a book's name. Every field says where it comes from: the
text of the book, an interpretation of that text, or a default taken over from
another book because this one is silent. The rule sheet of an evening is printed
from these marks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rules.errors import BookError
from rules.fault_outcomes import FAULT_OUTCOMES

Basis = Literal["text", "interpretation", "default"]
BASES: tuple[Basis, ...] = get_args(Basis)


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a decision of a book comes from.

    Attributes:
        document: short name of the document that the book is from, for example `001`.
        section: the lines or paragraphs, for example `L23`; for a default those
            of the book that it is taken over from, for example `jule L15`.
        basis: text of this book, interpretation of it, or default.
    """

    document: str
    section: str
    basis: Basis = "text"

    def cite(self) -> str:
        """Return the short citation, for example `001 L23` or `001 silent, default jule L15`."""
        if self.basis == "default":
            return f"{self.document} silent, default {self.section}"
        note = " (interpretation)" if self.basis == "interpretation" else ""
        return f"{self.document} {self.section}{note}"


@dataclass(frozen=True, kw_only=True)
class Penalty:
    """What follows from an event at the table that is not a throw, and why."""

    outcome: Mapping[str, Any]
    source: Source


@dataclass(frozen=True, kw_only=True)
class CategoryNames:
    """The book's display words for the categories, and for a throw with all three dice."""

    schock_aus: str = "Schock aus"
    jule: str = "Jule"
    schock: str = "Schock"
    general: str = "General"
    strasse: str = "Straße"
    hausnummer: str = "Hausnummer"
    from_hand: str = "aus der Hand"


TOPICS = (
    "parts", "part_lost", "sweep", "final_players", "game_loser", "opening_tie", "next_starter",
    "direction", "limit", "fewer_throws", "stops_early", "turn", "showdown", "open_to_all",
    "turning", "sixes_in_one_throw", "further_throw", "turning_in_last", "other_six",
    "turn_one_of_three", "schock_aus", "jule", "schock", "general", "strasse", "hausnummer",
    "ladder", "settlement", "stock", "stays_in", "burnt_throw", "tilted", "off_mat", "drop_repeat",
    "one_at_a_time", "referee", "round_lost_by_fault", "final_like_half", "half2_players", "blind",
    "from_hand_means", "assembled", "assembled_general", "within_figures", "by_number",
    "finish_round",
)  # fmt: skip
"""Rules without a choice between the books; each book says where it has them."""

DOOFMANN_TOPICS = ("doofmann_from_stock", "doofmann_last_of_stock", "doofmann_from_players")
"""Rules that only a book with Doofmanndeckel has (D1 to D5)."""

Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@dataclass(frozen=True, kw_only=True)
class RuleBook:
    """One rule book: a frozen record of decisions; see `rules/books/` for the data.

    The comment at each group names the rows of the rule matrix. Values are
    checked on creation; `BookError` says in a whole sentence what is wrong.
    """

    key: str
    version: str
    title_de: str
    title_en: str
    document: str
    aliases: tuple[str, ...] = ()
    names: CategoryNames = field(default_factory=CategoryNames)
    sources: Mapping[str, Source]
    penalties: Mapping[str, Penalty] = field(default_factory=dict)
    text: str = field(default="", repr=False)
    """What a pub's own book was read from: logs carry it along. Empty for the package's books."""

    # G1–G10: the parts of a game. An empty sweep_name means that the book has no word for it.
    deckel_total: int
    least_players: int
    half2_starter: Literal["loser_half1", "chosen_by_loser_half1"]
    final_starter: Literal["loser_half1", "loser_half2"]
    sweep_name: str

    # S1–S4: the start of a game.
    start: Literal["single_die", "three_dice_round"]
    start_value_scope: Literal["all_standing", "rethrow_only"]

    # S10, S11: do all turn their cups over before a round?
    loading: Literal["obligatory", "optional"]

    # T1–T11: throws and cover.
    max_throws: int
    covered: Literal["third_only", "last_of_followers_and_third", "third_and_second_of_followers"]
    seen_must_be_shown: bool

    # P1, P2, X6: putting out, turning sixes.
    keep: Literal["any", "only_ones"]
    return_kept: bool
    turn_keep_side: Literal["any", "only_ones"]

    # V1–V7: figures.
    straight_one_throw: bool
    general_one_throw: bool
    jule_421: bool
    jule_one_throw: bool
    aus_rohr_top: bool
    schock2_above_general: bool

    # K1–K4: what decides between equal figures, in this order.
    tie_break: tuple[Literal["throws", "hand", "koenigswurf", "order"], ...]
    koenigswurf_any_count: bool

    # A3–A9, E1, E2: settlement.
    winner_short: Literal["gives_all"]
    zero_after_stock: Literal["out"]
    voluntary_take: bool
    voluntary_take_source: Literal["stock_only", "stock_then_winner"]

    # F1–F7: faults at the table; `rules.fault_outcomes` says what each value means.
    lift_early: Literal["stands_no_repeat", "void_single_open_throw_doofmann"]
    too_many_throws: Literal["lose_round", "void_single_open_throw_doofmann"]
    replacement_counts_as: Literal["one", "limit"]
    vorwerfen: Literal["referee", "lose_round"]
    pack_early: Literal["referee", "lose_round"]
    drop_die: Literal["repeat", "drinks_then_lose_part"]

    # C1–C3, D1–D6, E4: specials. The first round is that of the game, or of each half.
    hardcore_first_round: Literal["off", "game", "half"]
    champions_league: Literal["off"] | Weekday
    doofmann: bool
    reentry: bool

    # M1–M6: money, in whole euros; 0 where the book knows no such fee. Who loses by both halves
    # or in the Champions League then pays what any loser pays.
    entry_fee_eur: int = 0
    schock_aus_koenig_eur: int = 0
    prize_places: int = 0
    loss_fee_eur: int = 0
    sweep_fee_eur: int = 0
    three_dice_start_fee_eur: int = 0
    cl_fee_per_schock_aus_eur: int = 0
    sweep_adds_to_loss_fee: bool = False
    cl_adds_to_loss_fee: bool = False
    fee_box: str = ""
    aus_from_hand_drinks: Literal["none", "if_agreed"] = "none"

    def __post_init__(self) -> None:
        _check_values(self)
        _check_sources(self)
        _check_doofmann(self)
        object.__setattr__(self, "penalties", {**self.penalties, **_derived_penalties(self)})
        if self.deckel_total < 1 or not 1 <= self.max_throws <= 3 or self.least_players < 2:
            raise BookError(
                f"book {self.key!r}: deckel_total must be positive, max_throws 1 to 3 and "
                f"least_players at least 2, but got {self.deckel_total}, {self.max_throws}, "
                f"{self.least_players}"
            )
        first, last, once = self.tie_break[:1], self.tie_break[-1:], set(self.tie_break)
        if (first, last) != (("throws",), ("order",)) or len(once) < len(self.tie_break):
            raise BookError(
                f"book {self.key!r}: tie_break must begin with 'throws' and end with 'order', "
                f"so that no two results are equal, and name nothing twice, but got "
                f"{self.tie_break}"
            )

    def __hash__(self) -> int:
        return hash((self.key, self.version))

    def cite(self, *topics: str) -> str:
        """Return where the book settles these fields, topics or penalties: `001 L23; 001 L45`."""
        own = self.sources
        cited = [(own[t] if t in own else self.penalties[t].source).cite() for t in topics]
        return "; ".join(dict.fromkeys(cited))


PLAIN_FIELDS = frozenset(
    {
        "key", "version", "title_de", "title_en", "document", "aliases",
        "names", "sources", "penalties", "text",
    }
)  # fmt: skip
"""Fields that describe the book itself and are no rule decisions."""


def decision_fields() -> tuple[str, ...]:
    """Return the names of all fields that are decisions, in the order of the class."""
    return tuple(f.name for f in fields(RuleBook) if f.name not in PLAIN_FIELDS)


def _check_values(book: RuleBook) -> None:
    for name, hint in get_type_hints(RuleBook).items():
        if name in PLAIN_FIELDS:
            continue
        value = getattr(book, name)
        if not fits(hint, value):
            raise BookError(f"book {book.key!r}: {name} must be {wanted(hint)}, but got {value!r}")


def fits(hint: Any, value: Any) -> bool:
    """Whether a value is one that a field of this type may have."""
    if get_origin(hint) in (Union, UnionType):
        return any(fits(option, value) for option in get_args(hint))
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) is tuple:
        return isinstance(value, tuple) and all(fits(get_args(hint)[0], item) for item in value)
    return isinstance(value, hint) and isinstance(value, bool) == (hint is bool)


def wanted(hint: Any) -> str:
    """What a field of this type may have, as a book file writes it: "one of 'a', 'b'"."""
    if get_origin(hint) is tuple:
        items = ", ".join(map(repr, _options(get_args(hint)[0])))
        return f"a list of {items or 'whole numbers'}"
    if options := _options(hint):
        return f"one of {', '.join(map(repr, options))}"
    return {bool: "true or false", int: "a whole number"}.get(hint, "text")


def _options(hint: Any) -> list[Any]:
    """The values that a type names one by one."""
    if get_origin(hint) in (Union, UnionType):
        return [value for option in get_args(hint) for value in _options(option)]
    return list(get_args(hint)) if get_origin(hint) is Literal else []


def _check_sources(book: RuleBook) -> None:
    needed = {*decision_fields(), *TOPICS, *(DOOFMANN_TOPICS if book.doofmann else ())}
    missing = sorted(needed - set(book.sources))
    if missing:
        raise BookError(
            f"book {book.key!r} does not say where these come from: {', '.join(missing)}; "
            "give each a text, an interpretation or a default"
        )


def _check_doofmann(book: RuleBook) -> None:
    """Refuse a book that punishes with Doofmanndeckel but does not have any."""
    needs = [name for name in FAULT_OUTCOMES if getattr(book, name).endswith("doofmann")]
    needs += ["reentry"] if book.reentry else []
    if needs and not book.doofmann:
        raise BookError(
            f"book {book.key!r}: {' and '.join(needs)} need Doofmanndeckel, but doofmann is false"
        )


DERIVED_PENALTIES: Mapping[str, str] = {
    **{name: f"[fields] {name}" for name in FAULT_OUTCOMES},
    "loading": "[fields] loading",
    "return_kept": "[fields] return_kept",
    "referee": "[sections] referee",
}
"""Penalties that no book states, because they follow from what it states elsewhere, and where."""


def _derived_penalties(book: RuleBook) -> dict[str, Penalty]:
    outcomes: dict[str, Mapping[str, Any]] = {
        name: outcomes[getattr(book, name)] for name, outcomes in FAULT_OUTCOMES.items()
    }
    outcomes["loading"] = {"required": book.loading == "obligatory", "throw_no": 1}
    outcomes["return_kept"] = {"allowed": book.return_kept}
    outcomes["referee"] = {"binding": True}
    return {
        name: Penalty(outcome=outcomes[name], source=book.sources[name])
        for name in DERIVED_PENALTIES
    }
