"""Play through the pages of the documentation, and write what really comes out of them.

    python docs/refresh.py            bring README.md and docs/*.md up to date
    python docs/refresh.py --check    say which are stale, and change nothing

A page is played from top to bottom in an empty directory. What happens with a fenced block depends on its language:

* `console`: the lines after `$ ` are run; what they print is written below them. `pip install` is not run: the
  package is put on the path, with the metadata an installer makes. `python` takes scripts of the repository;
* `python`: runs; all blocks of a page share one namespace;
* `diff`, below a line `<!-- change FILE -->`: the change is made in FILE;
* any, below `<!-- excerpt FILE -->`: has to stand in FILE word for word, at any depth;
* any, below `<!-- write FILE -->`: is written to FILE;
* any, below `<!-- printed -->`: becomes what the last Python block printed;
* any, below `<!-- shown -->`: is left alone, as are languages not named here.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from textwrap import indent

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
GENERATED = {"coverage.md"}

_BLOCK = re.compile(r"(?:^<!-- (?P<order>.*?) -->\n)?^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.M | re.S)


class PageError(AssertionError):
    """A page that does not play."""


class Player:
    """Plays one page in a directory of its own."""

    def __init__(self, page: Path, directory: Path) -> None:
        self.page = page
        self.directory = directory
        self.names: dict[str, object] = {"__name__": f"page_{page.stem}"}
        self.path: list[str] = []
        self.printed = ""

    def play(self) -> str:
        """The page as it ought to be. Raises PageError for a block that cannot be played."""
        text = self.page.read_text("utf-8")
        before = os.getcwd(), list(sys.path), set(sys.modules)
        os.chdir(self.directory)
        try:
            return _BLOCK.sub(lambda match: self._block(match, text), text)
        finally:
            os.chdir(before[0])
            sys.path[:] = before[1]
            for name in set(sys.modules) - before[2]:
                if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(self.directory)):
                    del sys.modules[name]

    def _block(self, match: re.Match[str], text: str) -> str:
        order, language, body = match["order"] or "", match["language"], match["body"]
        line = text.count("\n", 0, match.start()) + 1
        verb, _, file = order.partition(" ")
        try:
            if verb == "shown":
                pass
            elif verb == "excerpt":
                text_of_file = Path(file).read_text("utf-8")
                if not any(indent(body, " " * depth) in text_of_file for depth in (0, 4, 8, 12, 16)):
                    raise PageError(f"this does not stand in {file}")
            elif verb == "write":
                Path(file).parent.mkdir(parents=True, exist_ok=True)
                Path(file).write_text(body, "utf-8")
            elif verb == "change":
                self._change(Path(file), body)
            elif language == "console":
                return match[0].replace(f"console\n{body}", f"console\n{self._console(body)}")
            elif verb == "printed":
                return match[0].replace(f"{language}\n{body}", f"{language}\n{self.printed}")
            elif language == "python":
                output = io.StringIO()
                with contextlib.redirect_stdout(output):
                    place = f"{self.page.name}, line {line}"
                    exec(compile(body, place, "exec", dont_inherit=True), self.names)
                self.printed = output.getvalue()
        except Exception as error:
            raise PageError(f"{self.page.name}, line {line}: {type(error).__name__}: {error}") from error
        return match[0]

    def _change(self, file: Path, diff: str) -> None:
        lines = [line or " " for line in diff.splitlines()]
        old = "".join(f"{line[1:]}\n" for line in lines if line[0] in " -")
        new = "".join(f"{line[1:]}\n" for line in lines if line[0] in " +")
        text = file.read_text("utf-8")
        if text.count(old) != 1:
            raise PageError(f"the lines to change stand {text.count(old)} times in {file}")
        file.write_text(text.replace(old, new), "utf-8")

    def _console(self, body: str) -> str:
        commands = re.findall(r"^\$ ((?:.*\\\n)*.*)\n", body, re.M)
        return "".join(f"$ {command}\n{self._run(command)}" for command in commands)

    def _run(self, command: str) -> str:
        words = shlex.split(command.replace("\\\n", " "))
        if words[:2] == ["pip", "install"]:
            self._install(Path(words[-1]))
            return ""
        if words[0] in ("mantlet", "pytest"):
            words = [sys.executable, "-m", *words]
        elif words[0] == "python":
            script = ROOT / words[1]
            words[:2] = [sys.executable, str(script) if script.is_file() else words[1]]
        else:
            raise PageError(f"{words[0]} is no command that a page may run")
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([*self.path, *filter(None, [os.environ.get("PYTHONPATH")])]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "COLUMNS": "100",
            "NO_COLOR": "1",
        }
        done = subprocess.run(words, env=environment, text=True, capture_output=True, check=False)
        if done.returncode and "Error" not in done.stderr:
            raise PageError(f"{command} ended with {done.returncode}: {done.stdout}{done.stderr}")
        lines = (done.stdout + done.stderr).rstrip().splitlines()
        return "".join(f"{line.rstrip()}\n" for line in lines)

    def _install(self, project_directory: Path) -> None:
        """What `pip install -e` does, without asking an index: the source on the path, and metadata beside it."""
        source = project_directory.resolve() / "src"
        project = tomllib.loads((project_directory / "pyproject.toml").read_text("utf-8"))["project"]
        info = source / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n", "utf-8")
        points = [f"{name} = {where}" for name, where in project["entry-points"]["mantlet"].items()]
        (info / "entry_points.txt").write_text("\n".join(["[mantlet]", *points]), "utf-8")
        self.path.append(str(source))
        sys.path.append(str(source))


def played(page: Path) -> str:
    """The page as it ought to be, played in a fresh directory."""
    with tempfile.TemporaryDirectory() as directory:
        return Player(page, Path(directory).resolve()).play()


def pages() -> list[Path]:
    """The pages that are played."""
    return [page for page in PAGES if page.name not in GENERATED]


def main() -> int:
    """Bring everything up to date, or check that it is."""
    check = "--check" in sys.argv[1:]
    sys.path.insert(0, str(Path(__file__).parent))
    import make_coverage

    fresh = {make_coverage.PAGE: make_coverage.page()}
    failed = 0
    for page in pages():
        try:
            fresh[page] = played(page)
        except PageError as error:
            print(f"does not play: {error}")
            failed = 1
    stale = [page for page, text in fresh.items() if not page.exists() or page.read_text("utf-8") != text]
    for page in stale:
        print(f"{'stale' if check else 'written'}: {page.relative_to(ROOT)}")
        if not check:
            page.write_text(fresh[page], "utf-8")
    return 1 if failed or (check and stale) else 0


if __name__ == "__main__":
    sys.exit(main())
