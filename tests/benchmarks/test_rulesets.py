"""The shipped rulesets: compare, sweep, one seeded attack, and the command as a whole process."""

from __future__ import annotations

import gc
import os
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
    Distribution,
    Ruleset,
    Seeded,
    Target,
    compare,
    covered_plan,
    distribution,
    load_plugins,
    run,
)
from mantlet.catalog import Catalog

RULESETS = ("d100_wwii", "facing_armor", "gurps_vehicle")
REFERENCE = {
    "rifle at a truck": ("kar98k", "opel_blitz", {"range_m": 150, "aspect_deg": 90}),
    "MG burst of 10 at a car with five": ("mg42", "citroen_11", {"range_m": 100, "rounds": 10}),
    "bazooka at a Pz IV": ("us_bazooka_m1a1", "pz4_h", {"range_m": 60, "aspect_deg": 90}),
    "PaK 40 at a Sherman": ("de_75_pak40", "m4a1_75_dry", {"range_m": 500}),
    "88 at a T-34": ("de_88_kwk36", "t34_76_1942", {"range_m": 1000, "aspect_deg": 30}),
}


@pytest.fixture(name="rulesets", scope="module")
def _rulesets() -> list[Ruleset[Any, Any]]:
    plugins = load_plugins()
    return [plugins.ruleset(name) for name in RULESETS]


def reference(name: str) -> tuple[Attack, Target]:
    weapon_id, target_id, fired = REFERENCE[name]
    catalog = Catalog()
    weapon, ammunition = catalog.round(weapon_id)
    return Attack(weapon=weapon, ammunition=ammunition, **fired), catalog.target(target_id)


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("name", REFERENCE)
def test_compare(benchmark: Any, limits: Any, rulesets: list[Ruleset[Any, Any]], name: str) -> None:
    attack, target = reference(name)
    compare(rulesets, attack, target)
    # compare makes a new Exact each time: nothing is remembered from the call before.
    results = benchmark.pedantic(lambda: compare(rulesets, attack, target), rounds=5)
    assert all(odds.covers for odds in results)
    limits.most(f"compare: {name}", 250, benchmark.stats["median"] * 1e3, "ms")


@pytest.mark.benchmark(timer=time.process_time)
def test_full_detail(benchmark: Any, limits: Any, rulesets: list[Ruleset[Any, Any]]) -> None:
    # The worst of the reference attacks, every outcome with the whole state of the target afterwards.
    name = "MG burst of 10 at a car with five"
    attack, target = reference(name)
    rules = rulesets[RULESETS.index("d100_wwii")]
    found: list[Distribution[Any]] = []

    def clear() -> None:
        found.clear()
        gc.collect()  # what the question before has left behind is none of this one's time

    benchmark.pedantic(lambda: found.append(distribution(rules, rules.plan(attack, target))), setup=clear, rounds=7)
    assert found[0].total() == pytest.approx(1)
    limits.most(f"full detail, d100_wwii: {name}", 0.5, benchmark.stats["median"], "s")


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
    import json

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
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
        return time.perf_counter() - began

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
