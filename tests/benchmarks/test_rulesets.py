"""The shipped rulesets: compare, sweep, one seeded attack, and the command as a whole process."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mantlet import (
    Attack,
    Ruleset,
    Seat,
    Seeded,
    Target,
    compare,
    covered_plan,
    load_plugins,
    odds,
    run,
    shots_until,
)
from mantlet.catalog import Catalog
from mantlet.game.effects import EFFECTS

RULESETS = ("d100_wwii", "facing_armor", "gurps_vehicle")
SINGLE = {
    "rifle at a truck": ("kar98k", "opel_blitz", {"range_m": 150, "aspect_deg": 90}),
    "bazooka at a Pz IV": ("us_bazooka_m1a1", "pz4_h", {"range_m": 60, "aspect_deg": 90}),
    "PaK 40 at a Sherman": ("de_75_pak40", "m4a1_75_dry", {"range_m": 500}),
    "88 at a T-34": ("de_88_kwk36", "t34_76_1942", {"range_m": 1000, "aspect_deg": 30}),
}
MOVING_KPH = 30.0
BIG = {
    "MG burst of 10 at a car with five": ("mg42", "citroen_11", {"range_m": 100, "rounds": 10}),
    "MG burst of 20 at a truck with fourteen": ("mg42", "truck of 14", {"range_m": 30, "rounds": 20}),
    "MG burst of 20 at a moving truck": (
        "mg42",
        "truck of 14",
        {"range_m": 30, "rounds": 20, "target_speed_kph": 60.0},
    ),
    "HE into twenty men": ("us_75_m3/HE", "20 men", {"range_m": 100, "given_hit": True}),
}
BURSTS = {
    ".50 bursts of 15 at a truck": ("us_50_m2", "opel_blitz", {"range_m": 100, "rounds": 15}),
    ".50 bursts of 15 at a half-track": ("us_50_m2", "sdkfz_251", {"range_m": 100, "rounds": 15}),
}
SHOTS = {"PaK 40 at a Sherman": 10, ".50 bursts of 15 at a truck": 5, ".50 bursts of 15 at a half-track": 10}
"""How many shots, or bursts, are followed until a knock-out."""
REFERENCE = {**SINGLE, **BIG, **BURSTS}
ANSWER_S = 3.0
"""How long the answer to a question may take, a ruleset."""
MEMORY_MB = 500


@pytest.fixture(name="rulesets", scope="module")
def _rulesets() -> list[Ruleset[Any, Any]]:
    plugins = load_plugins()
    return [plugins.ruleset(name) for name in RULESETS]


def reference(name: str) -> tuple[Attack, Target]:
    weapon_id, target_id, fired = REFERENCE[name]
    catalog = Catalog()
    weapon, ammunition = catalog.round(weapon_id)
    return Attack(weapon=weapon, ammunition=ammunition, **fired), target_of(catalog, target_id)


def target_of(catalog: Catalog, name: str) -> Target:
    """A target of the catalog, or `20 men`, or `truck of 14` (who sit in its open bed)."""
    if name.endswith(" men"):
        men = Seat(role="rifleman", compartment="none", count=int(name.split()[0]))
        return Target(id="men", name=name, kind="team", body="infantry", seats=(men,))
    if name.startswith("truck of "):
        truck = catalog.target("gmc_cckw")
        bed = Seat(role="rifleman", compartment="bed", count=int(name.split()[-1]), exposed=True)
        return replace(truck, seats=(*(seat for seat in truck.seats if seat.compartment != "bed"), bed))
    return catalog.target(name)


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.parametrize(("moving", "limit"), [(False, 300), (True, 1000)], ids=["at rest", "moving"])
def test_compare(
    benchmark: Any, limits: Any, rulesets: list[Ruleset[Any, Any]], name: str, moving: bool, limit: float
) -> None:
    attack, target = reference(name)
    if moving:
        attack = replace(attack, target_speed_kph=MOVING_KPH)
    # compare makes a new engine each time: nothing is remembered from the call before.
    results = benchmark.pedantic(lambda: compare(rulesets, attack, target), rounds=5, warmup_rounds=1)
    assert all(odds.covers and odds.exact for odds in results)
    limits.most(f"compare: {name}{', moving' if moving else ''}", limit, benchmark.stats["median"] * 1e3, "ms")


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("name", BIG)
def test_every_question_is_answered(
    benchmark: Any, limits: Any, rulesets: list[Ruleset[Any, Any]], ruleset: str, name: str
) -> None:
    attack, target = reference(name)
    rules = next(r for r in rulesets if r.name == ruleset)
    found = benchmark.pedantic(lambda: odds(rules, attack, target), rounds=3)
    if found.covers:
        worst = max((found.standard_error.get(effect, 0.0) for effect in EFFECTS), default=0.0)
        limits.most(f"{name}, {ruleset}", ANSWER_S, benchmark.stats["median"], "s", f"+/-{worst:.2%}")


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("name", SHOTS)
def test_shots(benchmark: Any, limits: Any, rulesets: list[Ruleset[Any, Any]], name: str, ruleset: str) -> None:
    attack, target = reference(name)
    rules = next(r for r in rulesets if r.name == ruleset)
    plan = covered_plan(rules, attack, target)
    found = benchmark.pedantic(lambda: shots_until(rules, plan, SHOTS[name]), rounds=3)
    worst = max(found.standard_error.get("within", (0.0,)))
    limits.most(f"{name}, {SHOTS[name]} shots, {ruleset}", ANSWER_S, benchmark.stats["median"], "s", f"+/-{worst:.2%}")


MEMORY = """
import json, sys
sys.path.insert(0, sys.argv[1])
from test_rulesets import Attack, Catalog, load_plugins, odds, shots_until, target_of
_, _, ruleset, weapon, target, shots, fired = sys.argv
catalog, rules = Catalog(), load_plugins().ruleset(ruleset)
gun, ammunition = catalog.round(weapon)
attack, at = Attack(weapon=gun, ammunition=ammunition, **json.loads(fired)), target_of(catalog, target)
if rules.covers(attack, at) is None:
    shots_until(rules, rules.plan(attack, at), int(shots)) if shots != "0" else odds(rules, attack, at)
peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))  # of this program alone
print(int(peak.split()[1]) / 1024)
"""
WORST = {
    "HE into a truck with twenty": ("us_75_m3/HE", "truck of 20", 0, {"range_m": 100, "given_hit": True}),
    "HE into a team of 1,000": ("us_75_m3/HE", "1000 men", 0, {"range_m": 100, "given_hit": True}),
    "MG burst at a team of 1,000": ("mg42", "1000 men", 0, {"range_m": 100, "rounds": 20}),
    "MG burst at a moving truck": ("mg42", "truck of 14", 0, {"range_m": 30, "rounds": 10, "target_speed_kph": 60.0}),
    "burst of 100 at a truck": ("mg42", "truck of 14", 0, {"range_m": 30, "rounds": 100}),
    "10,000 shots at a truck": ("mg42", "truck of 14", 10_000, {"range_m": 30, "rounds": 10}),
}


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("name", WORST)
def test_memory(benchmark: Any, limits: Any, ruleset: str, name: str) -> None:
    weapon, target, shots, fired = WORST[name]
    arguments = [os.path.dirname(__file__), ruleset, weapon, target, str(shots), json.dumps(fired)]

    def ask() -> float:
        done = subprocess.run([sys.executable, "-c", MEMORY, *arguments], check=True, capture_output=True, text=True)
        return float(done.stdout)

    megabytes = benchmark.pedantic(ask, rounds=1)
    limits.most(f"memory: {name}, {ruleset}", MEMORY_MB, megabytes, "MB", f"{benchmark.stats['median']:.1f} s in all")


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("name", ["PaK 40 at a Sherman", "MG burst of 10 at a car with five"])
def test_one_seeded_attack(
    benchmark: Any, limits: Any, rulesets: list[Ruleset[Any, Any]], ruleset: str, name: str
) -> None:
    attack, target = reference(name)
    attack = replace(attack, given_hit=True)  # the whole way, not one miss after another
    rules = next(r for r in rulesets if r.name == ruleset)
    plan, start = covered_plan(rules, attack, target), rules.fresh(target)
    seeds = iter(range(10**9))
    benchmark.pedantic(lambda: run(Seeded(next(seeds)).dice, rules.resolve, plan, start), rounds=500, warmup_rounds=20)
    if attack.rounds == 1:
        limits.most(f"one seeded attack, {ruleset}", 0.2, benchmark.stats["median"] * 1e3, "ms")


SWEEP = '''
import json, resource, time
from mantlet import Attack, Exact, load_plugins, quick_odds
from mantlet.catalog import Catalog
from mantlet.game.effects import EFFECTS
catalog, ruleset = Catalog(), load_plugins().ruleset("facing_armor")
weapons = """de_37_pak36 de_50_pak38 de_75_pak40 de_75_kwk42 de_88_kwk36
             su_45_53k su_76_f34 su_85_d5t uk_6pdr us_75_m3""".split()
targets = """m4a1_75_dry m4a3_76w t34_76_1942 t34_85 pz3_j pz4_h panther_g tiger_1e stug3_g cromwell_4""".split()
ranges, aspects = [100.0 * n for n in range(1, 21)], [30.0 * n for n in range(12)]
rounds = [catalog.round(name) for name in weapons]
vehicles = [catalog.target(name) for name in targets]
exact, done, total = Exact(), 0, 0.0
began = time.process_time()
for weapon, ammunition in rounds:
    for vehicle in vehicles:
        for range_m in ranges:
            for aspect in aspects:
                attack = Attack(weapon=weapon, ammunition=ammunition, range_m=range_m, aspect_deg=aspect)
                total += quick_odds(ruleset, attack, vehicle, exact)["knocked_out"]
                done += 1
took = time.process_time() - began
print(json.dumps([done, took / done * 1e3, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, total]))
'''


def test_sweep(benchmark: Any, limits: Any) -> None:
    def sweep() -> list[float]:
        done = subprocess.run([sys.executable, "-c", SWEEP], check=True, capture_output=True, text=True)
        found: list[float] = json.loads(done.stdout)
        return found

    attacks, milliseconds, megabytes, _ = benchmark.pedantic(sweep, rounds=1)
    assert attacks == 20 * 12 * 10 * 10
    limits.most("facing_armor sweep, an attack", 0.3, milliseconds, "ms")
    limits.most("facing_armor sweep, memory of the process", 300, megabytes, "MB")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_command_as_a_process(benchmark: Any, limits: Any, ruleset: str, tmp_path: Path) -> None:
    # As installed: with bytecode, whatever the environment of the tests says.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(tmp_path)

    def seconds(*command: str) -> float:
        """Processor time of the process, in the program and in the system for it."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    program = str(Path(sys.executable).with_name("mantlet"))
    shot = ("--weapon", "de_75_pak40", "--target", "m4a1_75_dry", "--range", "500", "--seed", "1")
    ours = (program, "attack", "--ruleset", ruleset, *shot)
    peer = (sys.executable, "-c", "import click, pydantic")
    seconds(*ours), seconds(*peer)
    pairs = [(seconds(*ours), seconds(*peer)) for _ in range(21)]
    benchmark.pedantic(lambda: seconds(*ours), rounds=5)
    ratio = statistics.median(a / b for a, b in pairs)
    peer_took = f"import click, pydantic {statistics.median(b for _, b in pairs) * 1e3:.0f} ms"
    limits.most(f"mantlet attack, {ruleset}", 2.0, ratio, "times", peer_took)
