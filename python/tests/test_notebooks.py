"""Every notebook runs from its first cell to its last."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs(path: Path) -> None:
    cells = json.loads(path.read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    if any("matplotlib" in text for text in code):
        matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
        pytest.importorskip("gymnasium", reason="gymnasium is not installed")
        matplotlib.use("Agg")
    namespace: dict[str, object] = {}
    for number, text in enumerate(code):
        exec(compile(text, f"{path.name}, cell {number + 1}", "exec"), namespace)
