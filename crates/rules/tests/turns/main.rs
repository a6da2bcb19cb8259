//! Turns with given dice, against another implementation and against the courses' graders.

mod conformance;
mod graders;
mod kept;
