"""The programs in README.md and in the guide's page run as they stand."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("page", "count"), [("bindings/python/README.md", 1), ("docs/guide/src/14-in-python.md", 4)]
)
def test_programs_run(page: str, count: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert len(programs) == count
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for program in programs:
        # the certificates of this program are made in another chapter
        if "server.crt" not in program:
            exec(program, names)
