"""One process at a time between reading a state and writing it: a lock that no file beside the state gives away.

The lock is a file in a directory of the user's among the temporary files, named after the state's resolved path:
nothing has to be cleared away beside the state, and the system lets go of it when a process is killed. Two users, or
two machines, do not see each other's; what they would overwrite is found out when a state is saved (see `replacing`).
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mantlet.errors import CatalogError, sentence

if TYPE_CHECKING:
    from filelock import FileLock

SILENT_S: Final = 1.0
"""Who waits longer than this is told for whom."""
LONGEST_S: Final = 20.0
"""Who waits longer than this gives up."""


class Hold:
    """A state that no other process of this user can read for writing before `release` (or the end of `with`)."""

    def __init__(self, lock: FileLock, holder: Path) -> None:
        self._lock = lock
        self._holder = holder

    def release(self) -> None:
        """Let others go on; harmless when it was done before."""
        if self._lock.is_locked:
            with suppress(OSError):
                self._holder.unlink(missing_ok=True)
            self._lock.release()

    def __enter__(self) -> Hold:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def hold(path: Path, tell: Callable[[str], None]) -> Hold:
    """Wait until no other process holds this state, and hold it; `tell` says after SILENT_S who is waited for.

    Raises CatalogError after LONGEST_S, and where no lock can be had at all.
    """
    from filelock import FileLock, Timeout  # only commands with a state pay for it

    file = _folder() / f"{key_of(path)}.lock"
    holder = file.with_suffix(".pid")
    lock = FileLock(str(file))
    try:
        try:
            lock.acquire(timeout=SILENT_S)
        except Timeout:
            tell(f"waiting for another mantlet ({_process(holder)}) that holds {path}")
            lock.acquire(timeout=LONGEST_S - SILENT_S)
        holder.write_text(str(os.getpid()), "ascii")
    except Timeout:
        raise CatalogError(
            f"{path} is still held by another mantlet ({_process(holder)}) after {LONGEST_S:g} s; nothing was done."
        ) from None
    except (OSError, NotImplementedError) as error:
        lock.release()
        raise CatalogError(f"{path} cannot be locked ({file}: {getattr(error, 'strerror', None) or error}).") from None
    return Hold(lock, holder)


def key_of(path: Path) -> str:
    """The same text for every name of one file, and another one for any other file."""
    return hashlib.sha256(os.path.normcase(os.path.realpath(path)).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _process(holder: Path) -> str:
    with suppress(OSError, ValueError):
        return f"process {int(holder.read_text('ascii'))}"
    return "of unknown process"


def _folder() -> Path:
    """The directory of this user's locks. Raises CatalogError where it belongs to somebody else."""
    user = getattr(os, "getuid", lambda: None)()  # the temporary files of Windows are the user's own
    folder = Path(tempfile.gettempdir(), "mantlet" if user is None else f"mantlet-{user}")
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise CatalogError(f"No state can be locked in {folder}: {sentence(error.strerror or error)}") from None
    if not stat.S_ISDIR(found.st_mode) or (user is not None and found.st_uid != user):
        raise CatalogError(f"No state can be locked in {folder}: it is not a directory of yours.")
    return folder
