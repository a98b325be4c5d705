"""One attack as text and markdown: the answer first, then every roll with its reason, then what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from mantlet import effects as bits
from mantlet.cli.layout import column_blocks, faint, fold, markdown_table, strong
from mantlet.cli.words import circumstances, counted, derived_line, number, percent, title, word
from mantlet.dice.account import Account, Note, Roll
from mantlet.dice.sources import Source
from mantlet.game.condition import DEAD, FULL, GONE, LEVELS, OUT, PERSON_STATES, WOUNDED, Condition
from mantlet.game.outcome import Outcome
from mantlet.game.target import Target
from mantlet.ruleset import Plan, Ruleset


class Report(NamedTuple):
    """All that is told about one attack."""

    ruleset: Ruleset[Any, Any]
    plan: Plan
    outcome: Outcome
    source: Source
    before: Condition
    remarks: Sequence[str]
    generator: dict[str, int] | None


def text(report: Report) -> list[str]:
    """The report as text."""
    plan, outcome = report.plan, report.outcome
    lines = [
        *fold(strong(headline(outcome))),
        *fold(f"{title(plan.attack, plan.target)}: {circumstances(plan.attack, report.ruleset.name)}."),
        *fold(faint(f"{report.ruleset.name} {report.ruleset.version}: {report.ruleset.title}")),
        "",
        *account_text(report.source.account),
        "",
    ]
    lines += [line for text in facts(report) for line in fold(text)]
    lines += foundations(plan, report.remarks)
    lines += [line for text in repeat_lines(report.source, report.generator) for line in fold(text)]
    return lines


def markdown(report: Report) -> list[str]:
    """The report as GitHub markdown."""
    plan = report.plan
    return [
        f"## {headline(report.outcome)}",
        "",
        f"{title(plan.attack, plan.target)}: {circumstances(plan.attack, report.ruleset.name)}. "
        f"Rules: {report.ruleset.name} {report.ruleset.version}.",
        "",
        *account_markdown(report.source.account),
        "",
        *(f"* {text}" for text in facts(report)),
        *(f"* {text}" for text in foundation_texts(plan, report.remarks)),
        *(f"* {text}" for text in repeat_lines(report.source, report.generator)),
    ]


_WORST = (
    (bits.EXPLODED, "exploded"),
    (bits.DESTROYED, "destroyed"),
    (bits.KNOCKED_OUT, "knocked out"),
    (bits.IMMOBILIZED, "immobilized"),
    (bits.FIREPOWER_LOST, "firepower lost"),
    (bits.ON_FIRE, "on fire"),
    (bits.MOBILITY_REDUCED, "mobility reduced"),
    (bits.FIREPOWER_REDUCED, "firepower reduced"),
    (bits.DAMAGED, "damaged"),
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
    said: list[str] = []
    silent = bits.DAMAGED if effects & _ANY_DAMAGE else 0
    for bit, text in _WORST:
        if effects & bit:
            if not silent & bit:
                said.append(text)
            silent |= _SAID_BY.get(bit, 0)
    people = people_words(wounded, killed)
    return ", ".join([*said, people] if people else said)


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


def account_text(account: Account) -> list[str]:
    """Every roll on a line: reason, dice, result, chance and rule; arithmetic indented below."""
    cells = [[*_roll_cells(roll), percent(roll.probability), roll.rule] for roll in account.rolls]
    blocks = iter(column_blocks(cells, "<<<><", folds=2))
    lines = []
    for entry in account.entries:
        if isinstance(entry, Roll):
            lines += next(blocks)
            lines += [line for text in _modifier_lines(entry) for line in fold(text, "      ")]
        else:
            lines += fold(_note(entry), "    ")
    return lines or ["  No dice were needed."]


def account_markdown(account: Account) -> list[str]:
    """The account as a table."""
    rows = []
    for entry in account.entries:
        if isinstance(entry, Roll):
            reason, dice, result = _roll_cells(entry)
            more = "".join(f"<br>{text}" for text in _modifier_lines(entry))
            rows.append([reason, dice, result + more, percent(entry.probability), entry.rule])
        else:
            rows.append(["", "", entry.text, "", entry.rule])
    return markdown_table(["Roll", "Dice", "Result", "Chance", "Rule"], rows, "<<<><")


_VERDICTS = {"True": "success", "False": "failure"}


def _roll_cells(roll: Roll) -> list[str]:
    if roll.dice == "d%" and roll.target is not None:
        dice = f"{roll.total:.1f} on d%, {roll.target:.1f} or less"
    else:
        dice = f"{number(roll.total)} on {roll.dice}"
        if len(roll.faces) > 1:
            dice += f" ({' '.join(map(str, roll.faces))})" if len(roll.faces) <= 10 else ""
        if roll.target is not None:
            dice += f", target {number(roll.target)}"
    return [roll.reason, dice, _VERDICTS.get(roll.result, roll.result)]


def _modifier_lines(roll: Roll) -> list[str]:
    if not roll.modifiers:
        return []
    first, *more = roll.modifiers
    text = f"{number(first.value)} {first.reason}"
    for modifier in more:
        sign = "-" if modifier.value < 0 else "+"
        text += f" {sign} {number(abs(modifier.value))} {modifier.reason}"
    return [f"{number(roll.target)} = {text}" if roll.target is not None else text]


def _note(note: Note) -> str:
    return f"{note.text} [{note.rule}]" if note.rule else note.text


def facts(report: Report) -> list[str]:
    """Armor, damage, people and the condition now, one sentence each."""
    outcome = report.outcome
    texts = []
    if outcome.armor is not None:
        armor = outcome.armor
        texts.append(
            f"Armor: {number(armor.effective)} against {number(armor.attack)} {armor.unit}, "
            f"margin {'+' if armor.margin >= 0 else ''}{number(armor.margin)}."
        )
    if outcome.damage:
        texts.append(f"Damage: {number(outcome.damage)} {report.ruleset.damage_unit}.")
    texts.append(f"Effects: {', '.join(word(name) for name in bits.names(outcome.effects))}.")
    texts.append(f"Now: {condition_words(outcome.condition, report.plan.target)}.")
    return texts


def condition_words(condition: Condition, target: Target) -> str:
    """The state of a target: the vehicle, then everybody who is not fit."""
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
    roles = [seat.role.replace("_", " ") for seat in target.crew]
    for state in (DEAD, OUT, WOUNDED, GONE):
        who = [role for role, person in zip(roles, condition.people) if person == state]
        if who:
            parts.append(f"{PERSON_STATES[state]}: {_grouped(who)}")
    if condition.people and all(person == 0 for person in condition.people):
        parts.append("crew fit" if len(condition.people) > 1 else f"{roles[0]} fit")
    return "; ".join(parts)


def _grouped(roles: list[str]) -> str:
    counts: dict[str, int] = {}
    for role in roles:
        counts[role] = counts.get(role, 0) + 1
    return ", ".join(role if n == 1 else counted(n, role) for role, n in counts.items())


def foundation_texts(plan: Plan, remarks: Sequence[str] = ()) -> list[str]:
    """What a result rests on: derived numbers, ignored inputs, notes."""
    texts = [*remarks, *plan.notes]
    texts += [f"Derived: {derived_line(derived)}" for derived in plan.derived]
    if plan.ignored:
        texts.append(f"Not used by these rules: {', '.join(word(name) for name in plan.ignored)}.")
    return texts


def foundations(plan: Plan, remarks: Sequence[str] = ()) -> list[str]:
    """The same, folded and set apart."""
    texts = foundation_texts(plan, remarks)
    return ["", *(line for text in texts for line in fold(text))] if texts else []


def repeat_lines(source: Source, generator: dict[str, int] | None) -> list[str]:
    """How to have these rolls again."""
    script = source.account.script
    if generator is None:
        return [f"Repeat with --dice {script}"] if script else []
    seed, thrown = generator["seed"], generator["thrown"]
    mine = sum(max(1, len(roll.faces)) for roll in source.account.rolls)
    if thrown == mine or not script:
        return [f"Seed {seed}: repeat with --seed {seed}."]
    return [f"Seed {seed}, after {thrown - mine} dice of earlier attacks: repeat with --dice {script}"]
