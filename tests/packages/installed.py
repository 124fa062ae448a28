"""What an installed package must do: installed.py README.md EXAMPLES, run in an empty folder that is not the source tree.

The tool says that it is well; README's Python program runs and finds the friction of the tutorial's axis; FMUs and
interactive pages are inside.
"""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import bristle


def tool(*words: str) -> str:
    """What `bristle WORDS` prints; it must end well."""
    done = subprocess.run([sys.executable, "-m", "bristle", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"bristle {' '.join(words)} ended with {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout


def doctor() -> None:
    """Every law gives the golden bits, and nothing of a full build is missing but what needs other libraries."""
    text = tool("doctor")
    assert re.search(r"ok +\d+ golden bits", text), text
    assert "FMUs" not in text or "missing" not in text.split("FMUs")[1].splitlines()[0], text


def fmu() -> None:
    """An FMU with its description and a binary or sources."""
    tool("export", "lugre", "--to", "fmu3", "-o", "lugre.fmu")
    names = zipfile.ZipFile("lugre.fmu").namelist()
    assert "modelDescription.xml" in names and any(name.startswith("sources/") for name in names), names


def page(examples: Path) -> None:
    """A page that draws by its own script, and asks for nothing outside."""
    tool("simulate", str(examples / "stick_slip.yaml"), "--report", "run.html", "-o", "run.csv", "--quiet")
    text = Path("run.html").read_text("utf-8")
    assert "<script>" in text and "canvas" in text, "run.html has no script that draws"
    assert not re.search(r'(src|href)="https?:', text), "run.html asks for a file of the network"


def readme(path: Path, examples: Path) -> None:
    """The program below "From Python", on the axis of the tutorial."""
    program = re.search(r"## From Python.*?```python\n(.*?)```", path.read_text("utf-8"), re.S)
    assert program, f"{path} has no Python program"
    run = bristle.simulate(examples / "axis.yaml")
    frame = {"t": run.t, "q": run["x"], "tau": run["F"]}
    known = {"frame": frame}
    code = program[1].replace('"examples/', f'"{examples.as_posix()}/').replace("1_000_000", "1_000")
    exec(compile(code, str(path), "exec"), known)
    level = known["fit"].best["fc"]
    assert abs(float(level) - 20) < 0.2, f"README's program finds fc = {level}, not 20 N"


def main() -> None:
    """All of them."""
    path, examples = Path(sys.argv[1]), Path(sys.argv[2])
    assert Path(bristle.__file__).is_relative_to(sys.prefix), f"another bristle was imported: {bristle.__file__}"
    doctor()
    fmu()
    page(examples)
    readme(path, examples)
    print(f"ok bristle {bristle.__version__}: doctor, FMU, page, README's program")


if __name__ == "__main__":
    main()
