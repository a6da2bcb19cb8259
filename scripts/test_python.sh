#!/usr/bin/env bash
# Builds the wheel of the Python package, installs it into a virtual environment, and tests the installed package.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
environment=$target/python
if ! python3 -m venv --clear "$environment"; then
    apt-get update && apt-get install --yes python3-venv
    python3 -m venv --clear "$environment"
fi
pip() { "$environment/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }

cargo clippy --release --locked -p hog-solver-python -- -D warnings
pip install "maturin>=1.9,<2"
rm -rf "$target/wheels"
"$environment/bin/maturin" build --quiet --release --locked --manifest-path python/Cargo.toml \
    --interpreter "$environment/bin/python" --out "$target/wheels"
pip install "$target"/wheels/*.whl pytest mypy pandas tqdm types-tqdm gymnasium pettingzoo matplotlib joblib "dask[distributed]"

# The tests are copied away from the sources, so that they can only import the installed package.
cp -r python/tests "$environment/tests"
cp -r python/notebooks "$environment/notebooks"
export HOG_CONFORMANCE=$PWD/tests/conformance
"$environment/bin/python" -m pytest -q "$environment/tests" -p no:cacheprovider
"$environment/bin/python" -m pytest -q -p no:cacheprovider --doctest-glob='*.md' docs/python.md
"$environment/bin/python" -m pytest -q -p no:cacheprovider --doctest-modules --pyargs hog_solver
"$environment/bin/python" scripts/python_answers.py | diff python/hog_solver/answers.py -
(
    cd "$environment"
    bin/python -m mypy --strict --config-file "$OLDPWD/python/pyproject.toml" -p hog_solver
    bin/python - notebooks examples <<'PYTHON'
import json, pathlib, sys

notebooks, examples = map(pathlib.Path, sys.argv[1:])
examples.mkdir(exist_ok=True)
for path in notebooks.glob("*.ipynb"):
    code = ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    (examples / f"{path.stem}.py").write_text("\n\n".join(code) + "\n")
PYTHON
    bin/python -m mypy --strict --config-file "$OLDPWD/python/pyproject.toml" examples/*.py
    bin/python -m mypy.stubtest --ignore-disjoint-bases hog_solver._native
)
