"""Whatever is typed: one sentence, the right exit code, and no traceback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli_guest import install_guest
from cli_run import COIN_SHOT, fail, mantlet

ATTACK = f"attack --ruleset coins --seed 1 {COIN_SHOT}"


@pytest.fixture(autouse=True)
def guest(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install_guest(tmp_path_factory.mktemp("site"), monkeypatch)


def process(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    settings: dict[str, object] = {"capture_output": True, "text": True, "timeout": 60, **more}
    return subprocess.run([sys.executable, "-m", "mantlet", *arguments], check=False, **settings)  # type: ignore[call-overload, no-any-return]


WRONG = [
    ("--range -5", 2, "Expected a distance such as 300, 300m, 100yd or 30ft, not '-5'"),
    ("--range nan", 2, "Expected a distance"),
    ("--range inf", 2, "Expected a distance"),
    ("--range 1e3", 2, "Expected a distance"),
    ("--range ''", 2, "Expected a distance"),
    ("--range 5parsecs", 2, "not '5parsecs'"),
    ("--range 999999", 2, "--range has to be at least 0 and at most 100000"),
    ("--aspect nan", 2, "Expected degrees, or front, right, rear or left, not 'nan'"),
    ("--aspect sideways", 2, "not 'sideways'"),
    ("--aspect 9999", 2, "--aspect has to be at least -360 and at most 720"),
    ("--elevation 91", 2, "--elevation has to be at least -90 and at most 90"),
    ("--elevation inf", 2, "Expected degrees"),
    ("--skill lots", 2, "No skill is called 'lots' in --skill. Known: green, trained, veteran, ace."),
    ("--skill veteren", 2, "No skill is called 'veteren' in --skill. Did you mean veteran?"),
    ("--skill 6x5", 2, "Expected a skill such as 65, veteran, or gurps_vehicle=14, not '6x5'"),
    ("--skill veteran --skill 65", 2, "--skill veteran and --skill 65 say two things: give one of them."),
    ("--skill nan", 2, "No skill is called 'nan' in --skill"),
    ("--skill -1", 2, "--skill has to be at least 0 and at most 1000"),
    ("--skill coin=3", 1, "Did you mean coins?"),
    ("--skill coins=x", 2, "Expected a skill"),
    ("--skill ''", 2, "Expected a skill"),
    ("--rounds 0", 2, "--rounds has to be at least 1 and at most 1000, not 0"),
    ("--rounds -3", 2, "--rounds has to be"),
    ("--rounds 1.5", 2, "'1.5' is not a valid integer"),
    ("--rounds 99999999999999999999", 2, "--rounds has to be"),
    ("--cover 2", 2, "--cover has to be at least 0 and at most 1"),
    ("--cover half", 2, "Expected a share such as 0.5 or 50%"),
    ("--moving fast", 2, "Expected a speed such as 40, 40kph or 25mph, not 'fast'"),
    ("--moving 9999", 2, "--moving has to be"),
    ("--target-speed -1", 2, "Expected a speed"),
    ("--miss-distance x", 2, "Expected a distance"),
    ("--delivery mailed", 2, "'mailed' is not one of 'fired'"),
    ("--aim turet", 1, "No location is called 'turet' in m4a1_75_dry"),
    ("--aim ''", 1, "No location is called ''"),
    ("--weapon us_75_m33", 1, "Did you mean us_75_m3"),
    ("--weapon us_75_m3/M61_AP", 1, "Did you mean M61_APC"),
    ("--weapon ''", 2, "An attack needs --weapon"),
    ("--weapon /", 1, "No weapon is called ''"),
    ("--weapon ../../etc/passwd", 1, "No weapon is called '..'"),
    ("--target m4a1_75_dri", 1, "Did you mean m4a1_75_dry"),
    ("--target ''", 2, "An attack needs --target"),
    ("--target '\u202e\U0001f4a3'", 1, "No target is called"),
    ("--ruleset coin", 1, "Did you mean coins?"),
    ("--ruleset ''", 2, "Say which ruleset with --ruleset: coins, pennies"),
    ("--option coins.toughnes=3", 1, "Did you mean toughness?"),
    ("--option coins.toughness=hard", 1, "toughness"),
    ("--option coins.edge=head", 1, "heads"),
    ("--option toughness=3", 2, "An option is written ruleset.key=value, not 'toughness=3'"),
    ("--option coins.toughness", 2, "An option is written ruleset.key=value"),
    ("--option pennies.toughness=3", 2, "is for pennies, and this command uses coins"),
    ("--option coinz.toughness=3", 1, "No ruleset is called 'coinz'"),
    ("--seed five", 2, "'five' is not a valid integer"),
    ("--seed 1.5", 2, "is not a valid integer"),
    ("--dice 3,4", 2, "Dice come from --seed or from --dice, not from both"),
    ("--catalog /no/such/file.toml", 1, "There is no file /no/such/file.toml"),
    ("--catalog /", 1, "/ is a directory"),
    ("--format yaml", 2, "'yaml' is not one of 'text', 'json', 'md'"),
    ("--wepon x", 2, "--weapon"),
    ("stray", 2, "Got unexpected extra argument"),
]


@pytest.mark.parametrize(("words", "code", "said"), WRONG, ids=[words for words, _, _ in WRONG])
def test_wrong_options_of_an_attack(words: str, code: int, said: str) -> None:
    option = words.split()[0]
    others = re.sub(rf"{option} \S+", "", ATTACK)  # an option of one value is given once
    told = fail(f"{others} {words}", code)
    assert said in told
    assert len(told.strip().splitlines()) == 1


@pytest.mark.parametrize("seed", ["0", "-7", "9" * 60])
def test_any_whole_number_is_a_seed(seed: str) -> None:
    assert mantlet(f"attack --ruleset coins {COIN_SHOT} --seed {seed}").exit_code == 0


@pytest.mark.parametrize("dice", ["x", "3;4", "-5", "1.5", "٣", "1e2", "typed?"])
def test_dice_that_are_none(dice: str) -> None:
    told = mantlet(f"attack --ruleset coins {COIN_SHOT} --dice '{dice}'")
    assert told.exit_code in (1, 2)
    assert told.stderr.startswith("Error: ")
    assert "Traceback" not in told.output


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("atack", 2, "No command is called 'atack'. Did you mean attack? See mantlet --help."),
        ("compare", 2, "An attack needs --weapon and --target"),
        ("attack --weapon us_75_m3 --target pz4_h", 2, "Say which ruleset with --ruleset: coins, pennies."),
        ("odds --weapon us_75_m3 --target pz4_h", 2, "Say which ruleset with --ruleset: coins, pennies."),
        (f"compare {COIN_SHOT} --ruleset cions", 1, "Did you mean coins?"),
        (f"compare {COIN_SHOT} --ruleset coins --option pennies.edge=tails", 2, "not among the rulesets compared"),
        (f"odds --ruleset coins {COIN_SHOT} --shots 0", 2, "Invalid value for '--shots'"),
        (f"odds --ruleset coins {COIN_SHOT} --samples 0", 2, "Invalid value for '--samples'"),
        ("roll", 2, "Missing argument 'DICE...'"),
        ("roll --sead 3", 2, "does not belong in a dice expression"),
        ("show", 2, "Missing argument 'NAME'"),
        ("time", 2, "Missing option '--state'"),
        ("new-ruleset", 2, "Missing argument 'NAME'"),
    ],
)
def test_wrong_commands(line: str, code: int, said: str) -> None:
    assert said in fail(line, code)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("covers", "ZeroDivisionError: the coin rolled away"),
        ("plan", "ZeroDivisionError: the coin rolled away"),
        ("resolve", "ZeroDivisionError: the coin rolled away"),
        ("exit", "SystemExit: 0"),
        ("rule", "A rule body must not test or compare its dice"),
    ],
)
@pytest.mark.parametrize("command", ["attack --seed 1 --skill 100", "odds"])
def test_a_ruleset_that_fails_is_named(command: str, fault: str, said: str) -> None:
    told = fail(f"{command} --ruleset coins {COIN_SHOT} --option coins.fault={fault}", 1)
    assert told.startswith("Error: Ruleset coins (plugin coin, coin-rules 1.0) failed: ")
    assert said in told
    assert "MANTLET_DEBUG=1" in told


def test_a_result_that_is_none_is_named() -> None:
    assert "coins" in fail(f"{ATTACK} --option coins.fault=shape", 1)


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MANTLET_DEBUG", "1")
    told = mantlet(f"{ATTACK} --option coins.fault=plan")
    assert told.exit_code == 1
    assert "Traceback" in told.stderr
    assert "self._fail" in told.stderr


def test_a_bad_catalog_names_file_key_and_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[[weapon]]\nid = "x"\nname = "X"\nkind = "gun"\ncalibre_mm = 3\n', "utf-8")
    told = fail(f"{ATTACK} --catalog {file}", 1)
    assert f"{file}, line 5" in told
    assert "did you mean caliber_mm?" in told


def test_a_mistake_of_our_own_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mantlet.cli.roll.parse_dice", lambda text: [][1])
    told = mantlet("roll 3d6")
    assert told.exit_code == 1
    assert told.stderr.startswith("Error: mantlet itself failed with IndexError")


# -- as a process --------------------------------------------------------------------------------------------------


def test_exit_codes_reach_the_shell() -> None:
    assert process("roll", "3d6").returncode == 0
    assert process("show", "nothing_of_the_kind").returncode == 1
    assert process("roll", "3x").returncode == 2
    assert process("--version").stdout.startswith("mantlet ")


def test_a_reader_that_has_gone_is_no_fault(tmp_path: Path) -> None:
    for command in (["weapons"], ["roll", "100d100", "--odds"]):
        with (tmp_path / "err").open("w+") as errors:
            running = subprocess.Popen(
                [sys.executable, "-m", "mantlet", *command], stdout=subprocess.PIPE, stderr=errors
            )
            assert running.stdout is not None
            running.stdout.close()
            assert running.wait(60) in (0, 1)
            errors.seek(0)
            assert errors.read() == ""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_output_that_cannot_be_written_is_an_error() -> None:
    with open("/dev/full", "w") as full:
        done = process("roll", "3d6", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: The output cannot be written: No space left on device")
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="a shell's way of closing stdout")
def test_a_closed_stdout_loses_no_result_in_silence(tmp_path: Path) -> None:
    state = tmp_path / "tank.json"
    for command in ("roll 3d6", f"{ATTACK} --state {state}", "--version"):
        done = subprocess.run(
            f"{sys.executable} -m mantlet {command} >&-", shell=True, capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert done.stderr.startswith("Error: There is no standard output")
        assert len(done.stderr.splitlines()) == 1
    assert not state.exists()


def test_any_character_set_will_do() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = process("show", "m4a1_75_dry", env=environment)
    assert done.returncode == 0, done.stderr
    for form in ("text", "json", "md"):
        done = process("attack", "--ruleset", "coins", *COIN_SHOT.split(), "--aspect", "30", "--seed", "1",
                       "--format", form, env=environment)  # fmt: skip
        assert done.returncode == 0, done.stderr


def test_bytes_that_are_no_text_are_just_another_unknown_name() -> None:
    done = subprocess.run(
        [sys.executable.encode(), b"-m", b"mantlet", b"show", b"\xff\xfe"], capture_output=True, check=False
    )
    assert done.returncode == 1
    assert b"No weapon, target or ruleset is called" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_ends_with_130() -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "mantlet", "attack", "--ruleset", "coins", *COIN_SHOT.split(), "--dice", "typed"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    prompt = running.stderr.read(len("to hit"))
    time.sleep(0.2)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert prompt == "to hit"
    assert running.returncode == 130
    assert errors.endswith("Aborted.\n")
    assert "Traceback" not in errors


@pytest.mark.skipif(os.name != "posix", reason="a pseudo-terminal")
@pytest.mark.parametrize(("no_color", "colored"), [("", True), ("1", False)])
def test_color_on_a_terminal_unless_asked_not_to(no_color: str, colored: bool) -> None:
    import pty

    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": no_color}
    done = process("roll", "3d6", capture_output=False, stdout=follower, stderr=subprocess.PIPE, env=environment)
    os.close(follower)
    shown = os.read(leader, 10_000)
    os.close(leader)
    assert done.returncode == 0
    assert (b"\x1b[1m" in shown) is colored


def test_a_group_without_a_command_shows_its_help() -> None:
    result = mantlet("")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: mantlet [OPTIONS] COMMAND")
    assert "Error" not in result.stderr
