"""Several rulesets side by side: the question and the answer on one screen, in every format."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from mantlet.cli import layout
from mantlet.cli.compare_rows import FIRST, Block, Row, rows_of, short_heads
from mantlet.cli.figures import chance, estimated_from
from mantlet.cli.json_data import FIGURES, attack_data, odds_data
from mantlet.cli.page import Page
from mantlet.cli.shots_text import errors_within, shots_data, telling
from mantlet.cli.words import circumstances, counted, foundations, title, word
from mantlet.game.attack import Attack
from mantlet.game.target import Target
from mantlet.probability.comparison import Odds
from mantlet.probability.shots import Shots

MARK: Final = "*"
LEGEND: Final = f"{MARK} two rulesets differ by 10 points or more, or by a factor of two."
CSV_HEAD: Final = ("ruleset", "of", "figure", "value", "standard_error")


class Compared(NamedTuple):
    """One attack and what each ruleset says of it.

    `blocks` are one or two questions: of the attack, given a hit. `shots` has, by ruleset, the odds of several attacks
    if they were asked for; `meanings` what *knocked out* means under each.
    """

    attack: Attack
    target: Target
    blocks: Sequence[Block]
    shots: dict[str, Shots]
    meanings: dict[str, str]

    @property
    def names(self) -> list[str]:
        """The rulesets in the order of the columns."""
        return [odds.ruleset for odds in self.blocks[0].results]


def comparison_page(form: str, compared: Compared, everything: bool, explain: bool) -> list[str]:
    """The comparison as text, markdown or HTML. `everything` shows all rows, `explain` what the figures rest on."""
    page = Page(form)
    page.title(title(compared.attack, compared.target))
    page.say(circumstances(compared.attack))
    rows = rows_of(compared.blocks, everything)
    if page.plain:
        _side_by_side(page, compared, rows)
    else:
        for at in range(len(compared.blocks)):
            _block(page, compared, rows, at)
    if compared.shots:
        _shots(page, compared)
    page.gap()
    if any(row.apart for row in rows):
        page.say(LEGEND)
    if len(compared.blocks) > 1:
        page.say("Given a hit: one ordinary round strikes, as with --given-hit.")
    if not explain:
        page.items(_in_short(compared.blocks[0].results, compared))
    estimated = list(_estimated(compared))
    if estimated:
        page.say(f"Figures with +/- (one standard error): {'; '.join(estimated)}.")
    if explain:
        for odds in compared.blocks[0].results:
            page.heading(odds.ruleset, bold=True)
            page.items(_explained(odds, compared.meanings.get(odds.ruleset, "")), "  ")
    return page.lines


def _block(page: Page, compared: Compared, rows: Sequence[Row], at: int) -> None:
    """One question as a table of its own."""
    names = short_heads(compared.names) if page.plain else compared.names
    page.heading(compared.blocks[at].title)
    page.table(["", *names], _cells(page, rows, [at]), "<" + ">" * len(names))


def _cells(page: Page, rows: Sequence[Row], blocks: Sequence[int]) -> list[tuple[str, ...]]:
    """Label and figures of every row, for these blocks."""
    columns = [
        page.figures([row.blocks[at][column].figure for row in rows])
        for at in blocks
        for column in range(len(rows[0].blocks[at]))
    ]
    labels = [f"{row.label} {MARK}" if row.apart else row.label for row in rows]
    return list(zip(labels, *columns))


def _side_by_side(page: Page, compared: Compared, rows: Sequence[Row]) -> None:
    """All questions in one table where it fits the width, one below the other where it does not."""
    names = short_heads(compared.names)
    blocks = range(len(compared.blocks))
    head = ["", *(name for _ in blocks for name in names)]
    cells = _cells(page, rows, blocks)
    widths = [max(len(line[i]) for line in (head, *cells)) for i in range(len(head))]
    if sum(widths) + 2 * len(widths) > layout.width():
        for at in blocks:
            _block(page, compared, rows, at)
        return
    page.gap()
    above = [" " * widths[0]]
    for at in blocks:
        span = widths[1 + at * len(names) : 1 + (at + 1) * len(names)]
        above.append(f"{compared.blocks[at].title:>{sum(span) + 2 * (len(span) - 1)}}")
    page.lines.append(f"  {'  '.join(above)}".rstrip())
    page.table(head, cells, "<" + ">" * (len(head) - 1))


def _shots(page: Page, compared: Compared) -> None:
    """Knocked out within so many attacks, a column a ruleset."""
    figures = {
        name: [chance(p, error or None) for p, error in zip(shots.within, errors_within(shots))]
        for name, shots in compared.shots.items()
    }
    told = sorted({n for each in figures.values() for n in telling(each)})
    columns = [page.figures([each[n - 1] for n in told]) for each in figures.values()]
    names = list(figures)
    page.heading("Knocked out within so many attacks")
    heads = short_heads(names) if page.plain else names
    page.table(["attacks", *heads], list(zip(map(str, told), *columns)), ">" * (len(names) + 1))


def _in_short(results: Sequence[Odds], compared: Compared) -> Iterator[str]:
    """A line a ruleset: why it has no odds, or how much it derived, ignored and noted."""
    for odds in results:
        if not odds.covers:
            yield f"{odds.ruleset}: {odds.why_not}"
            continue
        parts = [f"damage in {odds.damage_unit}"] if odds.expected["damage"] else []
        parts += [counted(len(odds.derived), "number") + " derived"] if odds.derived else []
        parts += [counted(len(odds.notes), "note")] if odds.notes else []
        parts += [f"without {', '.join(map(word, odds.ignored))}"] if odds.ignored else []
        yield f"{odds.ruleset}: {'; '.join([*parts, '--explain tells all'])}."


def _explained(odds: Odds, meaning: str) -> list[str]:
    if not odds.covers:
        return [odds.why_not]
    units = [f"Damage is in {odds.damage_unit}."] if odds.expected["damage"] else []
    knocked_out = [f"Knocked out: {meaning}"] if meaning else []
    return [*knocked_out, *units, *foundations(odds)]


def _estimated(compared: Compared) -> Iterator[str]:
    """What estimates were made from: of the blocks, the one with fewer samples."""
    for column, name in enumerate(compared.names):
        made = [block.results[column] for block in compared.blocks]
        samples = [odds for odds in made if odds.covers and not odds.exact]
        if samples:
            fewest = min(samples, key=lambda odds: odds.samples)
            yield f"{name} {estimated_from(fewest.samples, 'attack', fewest.seed)}"


def comparison_data(compared: Compared) -> dict[str, Any]:
    """The comparison as data: every figure, with what it rests on."""
    results = [odds_data(odds) for odds in compared.blocks[0].results]
    for block in compared.blocks[1:]:
        for result, odds in zip(results, block.results):
            data = odds_data(odds)
            result["given_hit"] = {name: data[name] for name in FIGURES} if odds.covers else None
    for result in results:
        result["knocked_out_means"] = compared.meanings[result["ruleset"]]
        if compared.shots:
            shots = compared.shots.get(result["ruleset"])
            result["shots"] = shots_data(shots) if shots else None
    return {"attack": attack_data(compared.attack, compared.target), "results": results}


def comparison_csv(compared: Compared, everything: bool) -> str:
    """Long form: a line a figure, ruleset and question; values are not rounded, chances lie between 0 and 1."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_HEAD)
    for row in rows_of(compared.blocks, everything):
        for block, cells in zip(compared.blocks, row.blocks):
            for odds, cell in zip(block.results, cells):
                if odds.covers and cell.counted is not None:
                    error = "" if cell.standard_error is None else cell.standard_error
                    writer.writerow([odds.ruleset, block.title, row.name, cell.counted, error])
    for name, shots in compared.shots.items():
        for n, (p, error) in enumerate(zip(shots.within, errors_within(shots)), start=1):
            writer.writerow([name, f"within {n} attacks", "knocked_out", float(p), error or ""])
    return out.getvalue().rstrip("\n")


def comparison_line(compared: Compared) -> str:
    """The question and each ruleset's answer in one line, to paste into a chat."""
    answers = []
    rows = {row.name: row for row in rows_of(compared.blocks, everything=True)}
    for column, name in enumerate(short_heads(compared.names)):
        if not compared.blocks[0].results[column].covers:
            answers.append(f"{name} has no rule for it")
            continue
        told = [f"{word(key)} {rows[key].blocks[0][column].figure}" for key in FIRST[:3]]
        answers.append(f"{name}: {', '.join(told)}")
    question = f"{title(compared.attack, compared.target)}, {circumstances(compared.attack)}"
    return f"{question} | {' | '.join(answers)}"
