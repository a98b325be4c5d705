"""F1, F5: facings, and the combined angle between the shot and a plate's normal."""

from __future__ import annotations

import math

from facing_armor.design import design

FRONT, SIDE, REAR = "front", "side", "rear"
FACES = (FRONT, SIDE, REAR)


def off_nose(aspect_deg: float) -> float:
    """How far the shooter stands off the target's nose, in degrees from 0 to 180, left or right alike."""
    a = aspect_deg % 360.0
    return 360.0 - a if a > 180.0 else a


def hand(aspect_deg: float) -> str:
    """Which side shows: `right` for bearings from 0 to 180, else `left`. Dead ahead and astern count as right."""
    return "right" if aspect_deg % 360.0 <= 180.0 else "left"


def facing(aspect_deg: float) -> str:
    """F1: the one face a shot from this bearing meets. Exactly on an edge it is the side."""
    arcs = design().arcs
    a = off_nose(aspect_deg)
    if a < arcs.front_half_angle_deg:
        return FRONT
    return REAR if 180.0 - a < arcs.rear_half_angle_deg else SIDE


def near_edge(aspect_deg: float) -> float | None:
    """The edge between two faces, in degrees off the nose, that a bearing lies near; None where there is none."""
    arcs = design().arcs
    for edge in (arcs.front_half_angle_deg, 180.0 - arcs.rear_half_angle_deg):
        if abs(off_nose(aspect_deg) - edge) <= arcs.near_edge_deg:
            return edge
    return None


def blended_faces(aspect_deg: float, length: float, width: float) -> tuple[tuple[str, float], ...]:
    """Option `facing_blend`: the faces that show and their shares, by projected width (any unit of length)."""
    a = off_nose(aspect_deg)
    end = FRONT if a < 90.0 else REAR
    across = width * abs(math.cos(math.radians(a)))
    along = length * math.sin(math.radians(a))
    share = along / (along + across)
    if share < 1e-9:
        return ((end, 1.0),)
    if share > 1.0 - 1e-9:
        return ((SIDE, 1.0),)
    return ((end, 1.0 - share), (SIDE, share))


def horizontal_angle(face: str, aspect_deg: float) -> float:
    """The angle in the horizontal plane between the shot and a face's normal, degrees."""
    a = off_nose(aspect_deg)
    if face == FRONT:
        return a
    return 180.0 - a if face == REAR else abs(90.0 - a)


def combined_angle(
    slope_deg: float, horizontal_deg: float, elevation_deg: float = 0.0, undercut: bool = False
) -> float:
    """F5: the angle between the shot and a plate's normal, degrees, up to 90.

    Without elevation its cosine is cos(slope) x cos(horizontal). A shot from above meets a plate that leans back more
    squarely, and one that is undercut (its normal looks down) less so.
    """
    slope = math.radians(-slope_deg if undercut else slope_deg)
    up = math.radians(elevation_deg)
    cosine = math.cos(slope) * math.cos(math.radians(horizontal_deg)) * math.cos(up) + math.sin(slope) * math.sin(up)
    return math.degrees(math.acos(max(0.0, min(1.0, cosine))))
