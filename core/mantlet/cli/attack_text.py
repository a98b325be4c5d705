"""One attack as text and markdown: the answer first, then every roll with its reason, then what it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Any

from mantlet import effects as bits
from mantlet.cli.dice_source import generator_of
from mantlet.cli.layout import column_blocks, faint, fold
from mantlet.cli.markdown import markdown_table
from mantlet.cli.page import Page
from mantlet.cli.words import circumstances, counted, foundations, number, percent, title, verdict, word
from mantlet.dice.account import Account, Roll
from mantlet.dice.sources import Source
from mantlet.game.condition import DEAD, FULL, GONE, LEVELS, OUT, PERSON_STATES, WOUNDED, Condition
from mantlet.game.outcome import Outcome
from mantlet.game.target import Target
from mantlet.results import report_of
from mantlet.ruleset import Plan, Report, Ruleset


def attack_page(
    form: str,
    rules: Ruleset[Any, Any],
    plan: Plan,
    outcome: Outcome,
    report: Report,
    source: Source,
    remarks: Sequence[str],
    people: Sequence[str | None] = (),
) -> list[str]:
    """All that is told about one attack, as text or markdown; `people` are names by seat, where there are some."""
    what = f"{title(plan.attack, plan.target)}: {circumstances(plan.attack, rules.name)}."
    page = Page(form)
    page.title(report.headline or headline(outcome))
    if page.markdown:
        page.say(f"{what} Rules: {rules.name} {rules.version}.")
    else:
        page.say(what)
        page.say(faint(f"{rules.name} {rules.version}: {rules.title}"))
    tell_account(page, source.account)
    page.items(facts(outcome, plan.target, rules.damage_unit, report, people))
    shooter, did = plan.attack.shooter, outcome.shooter
    if shooter is not None and did is not None:
        own = report_of(rules, shooter.target, shooter.condition, did)
        worst = worst_words(bits.complete(did.effects), did.wounded, did.killed) or "nothing new"
        now = "; ".join([condition_words(did.condition, shooter.target), *own.now])
        page.items([f"{shooter.target.name}, who attacked: {own.headline or worst}. Now: {now}."])
    below = [*remarks, *foundations(plan)]
    if below and not page.markdown:
        page.gap()
    page.items([*below, *repeat_lines(source)])
    return page.lines


_WORST = (
    *("exploded", "destroyed", "knocked_out", "immobilized", "firepower_lost", "on_fire"),
    *("mobility_reduced", "firepower_reduced", "damaged"),
)
_SAID_BY = {
    bits.EXPLODED: bits.DESTROYED | bits.KNOCKED_OUT | bits.IMMOBILIZED | bits.FIREPOWER_LOST,
    bits.DESTROYED: bits.KNOCKED_OUT | bits.IMMOBILIZED | bits.FIREPOWER_LOST,
    bits.IMMOBILIZED: bits.MOBILITY_REDUCED,
    bits.FIREPOWER_LOST: bits.FIREPOWER_REDUCED,
}
_ANY_DAMAGE = ~(bits.HIT | bits.PENETRATED | bits.NO_EFFECT | bits.DAMAGED | bits.CREW_HIT | bits.CREW_KILLED)


def headline(outcome: Outcome) -> str:
    """The answer in one line: worst first, then where and who."""
    said = worst_words(outcome.effects, outcome.wounded, outcome.killed)
    where = ", ".join(dict.fromkeys(word(place.path) for place in outcome.locations))
    struck = bool(outcome.effects & bits.HIT)
    if struck:
        start = counted(outcome.hits, "hit") if outcome.hits > 1 else "Hit"
        start += f" ({where})" if where else ""
        start += ", penetrated" if outcome.effects & bits.PENETRATED else ""
    else:
        start = "Miss"
    if said:
        return f"{said[0].upper()}{said[1:]}. {start}."
    return f"{start}, without effect." if struck else f"{start}."


def worst_words(effects: int, wounded: int, killed: int) -> str:
    """What came about, worst first, without what goes without saying; then the people. Empty for nothing."""
    telling = bits.names(effects & ~goes_without_saying(effects))
    said = [word(name) for name in _WORST if name in telling]
    return ", ".join(filter(None, [*said, people_words(wounded, killed)]))


def goes_without_saying(effects: int) -> int:
    """The effects that nobody mentions beside worse ones of these."""
    silent = bits.DAMAGED if effects & _ANY_DAMAGE else 0
    for bit, said in _SAID_BY.items():
        silent |= said if effects & bit else 0
    return silent


def better_words(before: Condition, now: Condition) -> str:
    """What is better than before: `fire out, mobility full again`. Empty for nothing."""
    said = ["fire out"] if before.on_fire and not now.on_fire else []
    for name in ("mobility", "firepower"):
        level = getattr(now, name)
        if level < getattr(before, name):
            said.append(f"{name} {LEVELS[level]}{' again' if level == FULL else ''}")
    return ", ".join(said)


def people_words(wounded: int, killed: int) -> str:
    """`1 killed, 2 wounded`; empty when nobody was hit."""
    return ", ".join(f"{n} {what}" for n, what in ((killed, "killed"), (wounded, "wounded")) if n)


def tell_account(page: Page, account: Account) -> None:
    """Every roll with its reason, dice, result, chance and rule, set apart; in text arithmetic is indented below.

    Notes alike that follow each other are one, with their number.
    """
    page.gap()
    page.lines += _account_markdown(account) if page.markdown else _account_text(account)
    page.gap()


def _account_text(account: Account) -> list[str]:
    cells = [[*_roll_cells(roll), percent(roll.probability), roll.rule] for roll in account.rolls]
    blocks = iter(column_blocks(cells, "<<<><", folds=2))
    lines = []
    for entry in _told(account):
        if isinstance(entry, Roll):
            lines += next(blocks)
            lines += fold(_arithmetic(entry), "      ") if entry.modifiers else []
        else:
            text, rule = entry
            lines += fold(f"{text} [{rule}]" if rule else text, "    ")
    return lines or ["  No dice were needed."]


def _account_markdown(account: Account) -> list[str]:
    rows = []
    for entry in _told(account):
        if isinstance(entry, Roll):
            reason, dice, result = _roll_cells(entry)
            more = f"\n{_arithmetic(entry)}" if entry.modifiers else ""
            rows.append([reason, dice, result + more, percent(entry.probability), entry.rule])
        else:
            text, rule = entry
            rows.append(["", "", text, "", rule])
    return markdown_table(["Roll", "Dice", "Result", "Chance", "Rule"], rows, "<<<><")


def _told(account: Account) -> Iterator[Roll | tuple[str, str]]:
    """Each roll, and each note as its text and rule: `5 x occupant is struck by 1` for five alike in a row."""
    told = (entry if isinstance(entry, Roll) else (entry.text, entry.rule) for entry in account.entries)
    for entry, alike in groupby(told):
        many = list(alike)
        if isinstance(entry, Roll):
            yield from many  # each of them was rolled
        else:
            text, rule = entry
            yield (text if len(many) == 1 else f"{len(many)} x {text}", rule)


def _roll_cells(roll: Roll) -> list[str]:
    if roll.dice == "d%" and roll.target is not None:
        dice = f"{roll.total:.1f} on d%, {roll.target:.1f} or less"
    else:
        dice = f"{number(roll.total)} on {roll.dice}"
        if len(roll.faces) > 1:
            dice += f" ({' '.join(map(str, roll.faces))})" if len(roll.faces) <= 10 else ""
        if roll.target is not None:
            dice += f", target {number(roll.target)}"
    return [roll.reason, dice, verdict(roll)]


def _arithmetic(roll: Roll) -> str:
    first, *more = roll.modifiers
    text = f"{number(first.value)} {first.reason}"
    for modifier in more:
        sign = "-" if modifier.value < 0 else "+"
        text += f" {sign} {number(abs(modifier.value))} {modifier.reason}"
    return text if roll.target is None else f"{number(roll.target)} = {text}"


def facts(
    outcome: Outcome, target: Target, damage_unit: str, report: Report, people: Sequence[str | None] = ()
) -> list[str]:
    """Armor, damage, people and the condition now, one sentence each.

    Where the ruleset has said in its own words what came about, the neutral "no effect" would deny it.
    """
    texts = []
    if outcome.armor is not None:
        armor = outcome.armor
        texts.append(
            f"Armor: {number(armor.effective)} against {number(armor.attack)} {armor.unit}, "
            f"margin {'+' if armor.margin >= 0 else ''}{number(armor.margin)}."
        )
    if outcome.damage:
        texts.append(f"Damage: {number(outcome.damage)} {damage_unit}.")
    effects = outcome.effects & ~(bits.NO_EFFECT if report.headline else 0)
    if effects:
        texts.append(f"Effects: {', '.join(map(word, bits.names(effects)))}.")
    texts.append(f"Now: {'; '.join([condition_words(outcome.condition, target, people), *report.now])}.")
    return texts


def condition_words(condition: Condition, target: Target, names: Sequence[str | None] = ()) -> str:
    """The state of a target: the vehicle, then everybody who is not fit, by `names` a seat where there are some."""
    parts = []
    if condition.destroyed:
        parts.append("destroyed")
    elif condition.knocked_out:
        parts.append("knocked out")
    if condition.on_fire:
        parts.append("on fire")
    for name, level in (("mobility", condition.mobility), ("firepower", condition.firepower)):
        if level != FULL:
            parts.append(f"{name} {LEVELS[level]}")
    if not parts:
        parts.append("in working order")
    roles = [name or word(seat.role) for name, seat in zip_longest(names, target.crew)]
    for state in (DEAD, OUT, WOUNDED, GONE):
        who = Counter(role for role, person in zip(roles, condition.people) if person == state)
        if who:
            people = (role if n == 1 else counted(n, role) for role, n in who.items())
            parts.append(f"{PERSON_STATES[state]}: {', '.join(people)}")
    if condition.people and not any(condition.people):
        parts.append("crew fit" if len(condition.people) > 1 else f"{roles[0]} fit")
    return "; ".join(parts)


def repeat_lines(source: Source) -> list[str]:
    """How to have these rolls again."""
    script = source.account.script
    generator = generator_of(source)
    if generator is None:
        return [f"Repeat with --dice {script}"] if script else []
    seed, thrown = generator["seed"], generator["thrown"]
    mine = sum(max(1, len(roll.faces)) for roll in source.account.rolls)
    if thrown == mine or not script:
        return [f"Seed {seed}: repeat with --seed {seed}."]
    return [f"Seed {seed}, after {thrown - mine} dice of earlier attacks: repeat with --dice {script}"]
