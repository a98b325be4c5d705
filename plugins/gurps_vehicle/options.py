"""Where the rules can be read in more than one way, and where a game master decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of gurps_vehicle; the first value of each is the default."""

    aim_turns: Literal[1, 0, 2, 3] = 1
    """Turns of aim before the shot: the first gives Acc, the second and third one more each. 0 is a snap shot."""
    thrower_st: int = 10
    """ST of whoever throws a grenade, charge or bottle: how far he can."""
    attacker_picks: str = "weakest"
    """G13: which of several possible locations: `weakest` (the order in vehicle.toml), `even` odds, or codes: `X,T`."""
    windows: Literal["closed", "open"] = "closed"
    """G20."""
    retracted: bool = False
    """G12: whether what can be drawn in (code suffix r) is."""
    optional_fitted: bool = False
    """G14: whether what the location string has in brackets is there."""
    occupants_outside: Literal["clamp", "continue"] = "clamp"
    """The occupant table beyond its edges: its last row or column, or one column on for each step."""
    divide_occupant_damage: bool = False
    """G29: damage to people inside over 4d goes to several, 4d each at most."""
    hardened: Literal["per layer", "best for all"] = "per layer"
    """Layered armor: each layer has its own hardening, or the best counts for all."""
    criticals: bool = True
    """Whether a critical hit is looked up on the critical tables (it hits in any case)."""
    overpenetration: bool = False
    """Whether what goes through an exposed person goes on into the vehicle. G18 says that the vehicle takes nothing."""
    wounds: Literal["levels", "points"] = "levels"
    """People aboard: wounded, down, out or dead; or each with hit points of their own (exact odds of bursts: slow)."""
    many_limbs: bool = False
    """Whether each of more than two limbs of a kind is crippled by less: over HP / number, extremities HP / (1.5 x
    number). One transcription has it."""
    large_targets: bool = False
    """The revised wounding factors for very large vehicles."""
    turret: Literal["random", "gun", "jam"] = "random"
    """G21: what a failed HT roll of a turret costs: the main weapon, the traverse, or one of them at even odds."""
    body_plans: str = ""
    """A TOML file of body plans of your own; a target names one with stats.gurps_vehicle.body."""

    def __post_init__(self) -> None:
        if not 1 <= self.thrower_st <= 1000:
            raise ValueError(f"thrower_st has to be 1 to 1000, not {self.thrower_st}")
