"""A file's content replaced: all of it or nothing, with what it was beside it, under the same owner and permissions."""

from __future__ import annotations

import os
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from mantlet.campaign.lock import key_of
from mantlet.errors import CatalogError, sentence

PREFIX: Final = ".mantlet-"
"""What the names of unfinished files begin with."""
STRAY_AFTER_S: Final = 60.0
"""An unfinished file of another state that is older than this was left by a process that was killed."""


def backup_of(path: Path) -> Path:
    """Where the content before the last save is kept."""
    real = Path(os.path.realpath(path))
    return real.with_name(real.name + ".bak")


def replace_file(path: Path, content: bytes, before: bytes | None) -> tuple[str, ...]:
    """Put `content` into a file; what it held stays beside it as `.bak`, and a link stays a link.

    `before` is what the file held when it was read (None: there was none). Mode, owner and group are kept. Gives a
    sentence for each thing that could not be: an owner that only the administrator can give away, other names (hard
    links) of the same file. Raises CatalogError, with the file as it was, where it has changed since it was read or
    cannot be written. The caller holds the file (`mantlet.campaign.lock`).
    """
    real = Path(os.path.realpath(path))
    _remove_strays(real)
    unfinished: list[Path] = []
    try:
        found = real.stat() if real.exists() else None
        if (None if found is None else real.read_bytes()) != before:
            raise CatalogError(f"{path} has changed since it was read: something else wrote it. Nothing was saved.")
        unfinished.append(_unfinished(real, content))
        remarks = _keep(path, unfinished[0], found)
        if found is not None and before is not None:
            unfinished.append(_unfinished(real, before))
            _keep(path, unfinished[1], found)
            os.replace(unfinished[1], backup_of(path))
            unfinished.pop()
        os.replace(unfinished[0], real)
        unfinished.pop()
    except OSError as error:
        raise CatalogError(f"The state cannot be saved in {path}: {sentence(error.strerror or error)}") from None
    finally:
        for file in unfinished:
            with suppress(OSError):
                file.unlink()
    return remarks


def _unfinished(real: Path, content: bytes) -> Path:
    """A new file with this content, on the disk, beside the one that it is to replace."""
    handle, name = tempfile.mkstemp(prefix=_prefix(real), dir=real.parent)
    file = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException:
        with suppress(OSError):
            file.unlink()
        raise
    return file


def _keep(path: Path, new: Path, old: os.stat_result | None) -> tuple[str, ...]:
    """Give a new file the owner, group and permissions of the old one, or those of any new file; what was not kept."""
    if old is None:
        mask = os.umask(0)
        os.umask(mask)
        new.chmod(0o666 & ~mask)
        return ()
    remarks = []
    if hasattr(os, "chown"):
        made = new.stat()
        for what, had, has, owner, group in (
            ("group", old.st_gid, made.st_gid, -1, old.st_gid),
            ("owner", old.st_uid, made.st_uid, old.st_uid, -1),
        ):
            if had != has:
                try:
                    os.chown(new, owner, group)
                except OSError as error:
                    remarks.append(f"{path} does not keep its {what} ({had}): {sentence(error.strerror or error)}")
    new.chmod(stat.S_IMODE(old.st_mode))
    if old.st_nlink > 1:
        remarks.append(
            f"{path} has {old.st_nlink} names (hard links): the others keep what was saved before, for a state is "
            "replaced whole so that it is never half written. Link to it with ln -s instead."
        )
    return tuple(remarks)


def _prefix(real: Path) -> str:
    return f"{PREFIX}{key_of(real)[:16]}-"


def _remove_strays(real: Path) -> None:
    """Remove what killed processes left unfinished: of this state all, for it is held; of others what is old."""
    now = time.time()
    with suppress(OSError):
        for entry in list(os.scandir(real.parent)):
            if entry.name.startswith(PREFIX):
                with suppress(OSError):
                    ours = entry.name.startswith(_prefix(real))
                    if ours or now - entry.stat(follow_symlinks=False).st_mtime > STRAY_AFTER_S:
                        os.unlink(entry.path)
