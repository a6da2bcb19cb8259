"""Fixtures and paths that the tests share."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import hog_solver as hs

# The worker processes of a pool must be able to import the test modules.
sys.path.insert(0, str(Path(__file__).parent))

#: The folder with the reference data of the repository.
CONFORMANCE = Path(os.environ.get("HOG_CONFORMANCE", Path(__file__).parents[2] / "tests" / "conformance"))


@pytest.fixture(scope="session")
def fa21() -> hs.Game:
    return hs.Game("fa21")


@pytest.fixture(scope="session")
def fa19() -> hs.Game:
    return hs.Game("fa19")


@pytest.fixture(scope="session")
def optimal(fa21: hs.Game) -> hs.Solution:
    return fa21.solve()
