"""`schockauge bench draw`: what it prints; how fast it draws depends on the machine."""

import pytest
from conftest import Run
from device_help import lines

FEW = ("--draws", 2, "--rounds", 3, "--large", 40)


def test_bench_draw_compares_with_chance(run: Run) -> None:
    status, out, _ = run("bench", "draw", *FEW, "--players", 24, 12, "--json")
    assert status == 0
    (figures,) = lines(out)
    assert (figures["rounds"], figures["draws"]) == (3, 2)
    large, small = figures["fields"]
    assert (large["players"], large["repeats"], large["ratio"], large["proved"]) == (24, 0, 0, 1)
    assert small["repeats"] == 3 + 6, "the least that twelve at tables of four can have"
    assert 0 < small["ratio"] < 1
    assert small["ratio"] == round(small["repeats"] / small["repeats_random"], 4)
    assert (figures["large"]["players"], figures["large"]["repeats"]) == (40, 0)
    assert figures["large"]["of_limit"] == pytest.approx(
        figures["large"]["slowest_s"] / 2, abs=1e-3
    )
    status, out, _ = run("bench", "draw", *FEW)
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()[2:5]] == ["24", "48", "96"]


@pytest.mark.parametrize(
    "words", [("--players", 2), ("--rounds", 1), ("--draws", 0), ("--large", 2)]
)
def test_bench_draw_needs_something_to_measure(run: Run, words: tuple[str, int]) -> None:
    status, _, err = run("bench", "draw", *words)
    assert status == 2
    assert f"{words[0]} is {words[1]}, expected" in err
