//! Tests of formulas: how they are read, and that all ways to evaluate them agree.

mod agreement;
mod reading;

use super::*;
