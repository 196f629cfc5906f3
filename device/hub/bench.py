"""How much the hub takes: the real one, between a real broker and a real database, under load.

What is measured is the road from a table's own log to the screens in the hall, and what each
process has worked for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from device.hub.bench_checking import checked
from device.hub.bench_figures import quantiles, screen_ms
from device.hub.bench_part import Part, memory_mb
from device.hub.bench_stage import Bench, Load
from device.hub_wire import MOST_ENTRIES

LEAD_S = 1.0
"""Between telling the tables when to begin and that moment."""

MOST_SHOUTED = 1000
"""Messages for the bare subscriber: what the broker keeps for one that is slower than they come."""

Ticking = Callable[[Iterable[int], int], Iterable[int]]
"""Hands on seconds under a progress bar, whose length comes second."""


def measure(load: Load, ticking: Ticking) -> dict[str, Any]:
    """Let tables write at a rate, and measure until everything is on the screens.

    Args:
        load: how much of what.
        ticking: shows how far it is.

    Returns:
        The figures of `schockauge bench hub`.

    Raises:
        SchockaugeError: a part of it does not start or ends early.
    """
    with Bench(load) as bench:
        with bench.hub(tournament=True) as (hub, port):
            bench.all(do="connect")
            while (seen := hub.ask({"do": "look"}))["online"] < load.tables:
                time.sleep(0.1)
            seen = hub.ask({"do": "draw"})
            bench.all(do="seated")
            seen = _at_rest(hub)
            screens = {"port": port, "viewers": load.viewers, "boards": load.boards}
            with Part("bench_viewers", screens | {"after": seen["seq"]}) as viewers:
                viewers.answer()
                before, begin_s = bench.cpu(hub, viewers), time.time() + LEAD_S
                order = {"do": "write", "begin_s": begin_s}
                for part in bench.tables:
                    part.send(order | {"rate": load.rate, "seconds": load.seconds})
                for _ in ticking(range(round(LEAD_S + load.seconds)), round(load.seconds)):
                    time.sleep(1.0)
                late_ms = [ms for part in bench.tables for ms in part.answer()["late_ms"]]
                settled = bench.all(do="settle")
                last = _at_rest(hub)
                after = bench.cpu(hub, viewers)
                told = viewers.ask({"last": last["seq"]})
                memory = memory_mb(hub.pid)
        ends = {name: tuple(end) for one in settled for name, end in one["ends"].items()}
        found = checked(bench.database.url, ends, since_s=begin_s)
    used = {name: after[name] - before[name] for name in after}
    return {
        **_head(load, bench.database.kind),
        "events": len(late_ms),
        **found.figures,
        "dropped": last["dropped"],
        **quantiles("late_ms", late_ms),
        **quantiles("hub_ms", found.hub_ms),
        **quantiles("ms", screen_ms(found.feed, told["told"])),
        **quantiles("board_ms", screen_ms(found.feed, told["boards"])),
        "reconnects": told["again"],
        **{f"cpu_{name}_ms": round(1000 * s / len(late_ms), 3) for name, s in used.items()},
        "hub_cpu_percent": round(100 * used["hub"] / load.seconds, 1),
        "hub_mb": round(memory, 1),
    }


def catch_up(load: Load, ticking: Ticking) -> dict[str, Any]:
    """Let tables come back all at once with what the hub has not, after a bare subscriber.

    Args:
        load: with a `backlog`.
        ticking: shows how far it is.

    Returns:
        The figures of `schockauge bench hub --backlog`.

    Raises:
        SchockaugeError: a part of it does not start or ends early.
    """
    with Bench(load) as bench:
        bench.all(do="fill", entries=load.backlog)
        bare_per_s = _bare(bench)
        with bench.hub(tournament=False) as (hub, _):
            hub.ask({"do": "look"})
            before = bench.cpu(hub)
            for part in bench.tables:
                part.send({"do": "connect"})
            begun_s = min(part.answer()["begun_s"] for part in bench.tables)
            for part in bench.tables:
                part.send({"do": "settle"})
            for _ in ticking(_arriving(hub, load), load.tables * load.backlog):
                pass
            settled = [part.answer() for part in bench.tables]
            last = _at_rest(hub)
            rest_s = time.time()
            after, memory = bench.cpu(hub), memory_mb(hub.pid)
        ends = {name: tuple(end) for one in settled for name, end in one["ends"].items()}
        found = checked(bench.database.url, ends, since_s=begun_s)
    entries = sum(seq for _, seq, _ in ends.values())
    done_s = max(one["done_s"] for one in settled)
    per_s = entries / (done_s - begun_s)
    return {
        **_head(load, bench.database.kind),
        "events": entries,
        **found.figures,
        "dropped": last["dropped"],
        "seconds": round(done_s - begun_s, 2),
        "events_per_s": round(per_s),
        "hall_per_s": round(entries / (rest_s - begun_s)),
        "bare_per_s": round(bare_per_s),
        "ratio": round(per_s / bare_per_s, 4),
        **{
            f"cpu_{name}_ms": round(1000 * (after[name] - before[name]) / entries, 3)
            for name in after
        },
        "hub_mb": round(memory, 1),
    }


def _bare(bench: Bench) -> float:
    """Entries a second that a subscriber that only counts gets of the same messages."""
    most = max(1, MOST_SHOUTED // bench.load.tables) * MOST_ENTRIES
    with Part("bench_bare", {"access": bench.access}) as bare:
        bare.answer()
        for part in bench.tables:
            part.send({"do": "shout", "entries": min(most, bench.load.backlog)})
        for part in bench.tables:
            part.answer()  # all of it is sealed, and all are connected
        sent = [part.answer() for part in bench.tables]
        got = bare.ask({"messages": sum(one["messages"] for one in sent)})
    bench.all(do="hush")
    begun_s = min(one["begun_s"] for one in sent)
    return float(sum(one["entries"] for one in sent) / (got["done_s"] - begun_s))


def _arriving(hub: Part, load: Load) -> Iterator[int]:
    """Count entries as they come, one step for each."""
    had = 0
    while had < load.tables * load.backlog:
        has = hub.ask({"do": "look"})["entries"]
        yield from range(had, has)
        had = has
        time.sleep(0.5)


def _at_rest(hub: Part) -> dict[str, Any]:
    """Wait until the hall has taken in everything."""
    before: dict[str, Any] = {}
    while (seen := hub.ask({"do": "look"})) != before or seen["is_behind"]:
        before = seen
        time.sleep(0.3)
    return seen


def _head(load: Load, database: str) -> dict[str, Any]:
    head: dict[str, Any] = {"tables": load.tables}
    if load.backlog:
        head["backlog"] = load.backlog
    else:
        head |= {"rate": load.rate, "seconds": load.seconds}
    return head | {"database": database, "logs": "memory" if load.memory else "files"}


def steps(load: Load, tables: Iterable[int], ticking: Ticking) -> Iterator[dict[str, Any]]:
    """Measure for several numbers of tables, one after the other."""
    work = catch_up if load.backlog else measure
    for count in tables:
        yield work(replace(load, tables=count), ticking)
