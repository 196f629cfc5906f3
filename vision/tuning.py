"""How a last stage is learned from a few dozen confirmed dice, and when it is not taken.

The stage is a multinomial logistic regression on the six values that starts from the network's
own answer (`vision.last_stage`): a correction of zeros is the shipped reader, and the ridge
penalty pulls towards it, so that a few dice can only move what they all agree on.

Strength of the pull, temperature and the decision are found by leaving out whole throws: dice of
one throw share their light and must not vouch for each other. The stage is kept only if throws
that it has not seen are read better with it, by more than chance explains (one standard error),
with no die fewer right and none more wrong at a belief that could count as sure.

Sources: Hastie, Tibshirani, Friedman, The Elements of Statistical Learning, 2nd ed., sec. 4.4 and
7.10 (one standard error); Nesterov, Introductory Lectures on Convex Optimization, sec. 2.2; Platt,
Probabilistic Outputs for Support Vector Machines (1999), sec. 2.2: targets that leave room for
errors nobody has seen yet; Guo et al., On Calibration of Modern Neural Networks (2017).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.confirmed import LEAST_BELIEF, ConfirmedDice, Figures, Floats, losses, softmax
from vision.detections import VALUE_CLASSES
from vision.last_stage import LastStage, shares

__all__ = ["Tuning", "TuningSettings", "too_little", "tune"]

Fit = tuple[Floats, Floats]
Rounds = Callable[[Iterable[int]], Iterator[int]]


@dataclass(frozen=True)
class TuningSettings:
    """How a stage is learned.

    Attributes:
        least_throws: fewer confirmed throws teach nothing that could be checked.
        least_dice: of every value so many dice, and from so many throws; a value that was
            never seen would only be unlearned.
        folds: throws are left out one by one, or in so many groups when there are more.
        strengths: pulls towards the shipped reader that are tried, relative to the features'
            mean square; the strongest first.
        steps: most steps of the descent; the weakest pull needs about a hundred.
        still: the descent ends when a step moves no logit by more than about this.
        clear_belief: a wrong value at this belief could count as sure if the pip counter agrees.
        hottest: largest temperature that is tried.
    """

    least_throws: int = 8
    least_dice: int = 2
    folds: int = 12
    strengths: tuple[float, ...] = (10.0, 3.0, 1.0, 0.3, 0.1, 0.03)
    steps: int = 200
    still: float = 1e-4
    clear_belief: float = 0.70
    hottest: float = 5.0


@dataclass(frozen=True, eq=False)
class Tuning:
    """What came of it.

    Attributes:
        stage: the stage, learned from all dice; to be used only if `kept`.
        kept: throws that were left out are read better with it.
        reason: why not; empty if kept. German and English.
        before: throws left out, as shipped.
        after: the same throws, each read by a stage that has not seen it.
        strength: of the pull towards the shipped reader.
    """

    stage: LastStage
    kept: bool
    reason: tuple[str, str]
    before: Figures
    after: Figures
    strength: float


def too_little(
    value_ids: NDArray[np.int64], throws: NDArray[np.int64], settings: TuningSettings
) -> tuple[str, str] | None:
    """Why these dice (values 0..5 and throws, both (D,)) are too few; None when they are enough.

    Returns:
        A sentence in German and in English.
    """
    count = len(np.unique(throws))
    if count < settings.least_throws:
        return (
            f"Erst {count} bestätigte Würfe, nötig sind {settings.least_throws}.",
            f"Only {count} confirmed throws, {settings.least_throws} are needed.",
        )
    rare = [
        value + 1
        for value in range(VALUE_CLASSES)
        if len(np.unique(throws[value_ids == value])) < settings.least_dice
    ]
    if rare:
        told = ", ".join(str(value) for value in rare)
        least = settings.least_dice
        return (
            f"Zu selten bestätigt: {told}. Jede Augenzahl muss in {least} Würfen vorkommen.",
            f"Confirmed too rarely: {told}. Every value must occur in {least} throws.",
        )
    return None


def tune(
    dice: ConfirmedDice,
    base_sha256: str,
    settings: TuningSettings | None = None,
    *,
    rounds: Rounds = iter,
) -> Tuning:
    """Learn a stage and find out whether it is any good.

    Args:
        dice: enough of them (`too_little`).
        base_sha256: digest of the network that they were shown to.
        settings: how.
        rounds: wraps the numbers of the groups that are left out, for a progress bar.

    Returns:
        The stage, and whether to use it.

    Raises:
        ValueError: too few dice.
    """
    settings = settings or TuningSettings()
    if (lacking := too_little(dice.value_ids, dice.throws, settings)) is not None:
        raise ValueError(lacking[1])
    groups = _groups(dice.throws, settings.folds)
    held_out: dict[float, Floats] = {
        strength: np.zeros((len(dice), dice.turns, VALUE_CLASSES))
        for strength in settings.strengths
    }
    for group in rounds(range(int(groups.max()) + 1)):
        unseen = groups == group
        rest, left_out = dice.select(~unseen), dice.select(unseen)
        for strength in settings.strengths:
            words = _values_of(left_out, _fit(rest, strength, settings))
            held_out[strength][unseen] = words
    strength, temperature = _best(held_out, dice, settings)
    before = dice.beliefs(None)
    after = before.copy()
    after[:, :VALUE_CLASSES] = _cooled(held_out[strength], temperature, dice)
    weights, bias = _fit(dice, strength, settings)
    was, now = (
        Figures.of(beliefs, dice.value_ids, settings.clear_belief) for beliefs in (before, after)
    )
    reason = _objection(before, after, was, now, dice)
    stage = LastStage(weights.astype(np.float32), bias.astype(np.float32), temperature, base_sha256)
    return Tuning(stage, reason is None, reason or ("", ""), was, now, strength)


def _groups(throws: NDArray[np.int64], folds: int) -> NDArray[np.int64]:
    """(D,) group of every die: its throw, throws being dealt out to at most `folds` groups."""
    _, number = np.unique(throws, return_inverse=True)
    return np.asarray(number % folds, dtype=np.int64)


def _fit(dice: ConfirmedDice, strength: float, settings: TuningSettings) -> Fit:
    """Weights (F, 6) and bias (6,) at the bottom of log loss + ridge; accelerated descent.

    Every value weighs the same, however often it was thrown: dice are fair.
    """
    views = dice.logits.shape[1]
    base = dice.logits[..., :VALUE_CLASSES].reshape(-1, VALUE_CLASSES).astype(np.float64)
    seen = dice.features.reshape(len(base), -1).astype(np.float64)
    square = float((seen**2).sum(axis=1).mean())
    inputs = np.concatenate([seen, np.full((len(seen), 1), np.sqrt(square / seen.shape[1]))], 1)
    truth = np.eye(VALUE_CLASSES)[np.repeat(dice.value_ids, views)]
    often = np.bincount(dice.value_ids, minlength=VALUE_CLASSES)
    share = np.repeat(1 / often[dice.value_ids], views)[:, None]
    share /= share.sum()
    ridge = strength * square
    steepest = 0.5 * float(np.linalg.eigvalsh(inputs.T @ (share * inputs))[-1]) + ridge
    momentum = (np.sqrt(steepest) - np.sqrt(ridge)) / (np.sqrt(steepest) + np.sqrt(ridge))
    here = ahead = np.zeros((inputs.shape[1], VALUE_CLASSES))
    for _ in range(settings.steps):
        wrong = share * (softmax(base + inputs @ ahead) - truth)
        there = ahead - (inputs.T @ wrong + ridge * ahead) / steepest
        moved = there - here
        here, ahead = there, there + momentum * moved
        if float(np.abs(moved).max()) * np.sqrt(square) < settings.still:
            break
    return here[:-1], here[-1] * inputs[0, -1]


def _values_of(dice: ConfirmedDice, fit: Fit) -> Floats:
    """(D, turns, 6) corrected logits of the values, as reading sees the dice."""
    weights, bias = fit
    seen = dice.features[:, : dice.turns].astype(np.float64)
    return np.asarray(dice.logits[:, : dice.turns, :VALUE_CLASSES] + seen @ weights + bias)


def _best(
    held_out: dict[float, Floats], dice: ConfirmedDice, settings: TuningSettings
) -> tuple[float, float]:
    """The pull and the temperature with the least loss on throws that were left out.

    The target of a die is its value, less a little for each other one, as if one die more had
    been thrown and misread (Platt): a dozen right throws are no proof that none goes wrong.
    """
    room = 1 / (len(dice) + 2)
    targets = np.full((len(dice), VALUE_CLASSES), room / (VALUE_CLASSES - 1))
    targets[np.arange(len(dice)), dice.value_ids] = 1 - room
    best = (np.inf, settings.strengths[0], 1.0)
    for strength, words in held_out.items():
        for temperature in np.geomspace(1.0, settings.hottest, 33):
            beliefs = softmax(words / temperature).mean(axis=1)
            loss = float(-(targets * np.log(np.maximum(beliefs, LEAST_BELIEF))).sum(1).mean())
            if loss < best[0] - 1e-9:
                best = (loss, strength, float(temperature))
    return best[1], best[2]


def _cooled(words: Floats, temperature: float, dice: ConfirmedDice) -> Floats:
    """(D, 6) beliefs in the values, as `LastStage.apply` and the mean of four views give them."""
    columns = dice.logits.shape[2]
    all_shares = shares(dice.logits[:, : dice.turns].reshape(-1, columns))
    kept = all_shares[:, :VALUE_CLASSES].sum(axis=1).reshape(-1, dice.turns, 1)
    return np.asarray((kept * softmax(words / temperature)).mean(axis=1))


def _objection(
    before: Floats, after: Floats, was: Figures, now: Figures, dice: ConfirmedDice
) -> tuple[str, str] | None:
    """Why the stage is not to be used, German and English; None if it is."""
    gain = losses(before, dice.value_ids) - losses(after, dice.value_ids)
    _, number = np.unique(dice.throws, return_inverse=True)
    by_throw = np.bincount(number, weights=gain) / np.bincount(number)
    error = float(by_throw.std(ddof=1)) / np.sqrt(len(by_throw))
    if now.clearly_wrong > was.clearly_wrong:
        return (
            f"Sie läge öfter deutlich falsch ({now.clearly_wrong} statt {was.clearly_wrong}).",
            f"It would be clearly wrong more often ({now.clearly_wrong}, not {was.clearly_wrong}).",
        )
    if now.right < was.right:
        return (
            f"Sie läse weniger Würfel richtig ({now.right} statt {was.right} von {now.dice}).",
            f"It would read fewer dice right ({now.right}, not {was.right} of {now.dice}).",
        )
    if float(by_throw.mean()) <= error:
        return (
            "Sie läse Würfe, die sie nicht kennt, nicht erkennbar besser.",
            "It would not read throws that it has not seen noticeably better.",
        )
    return None
