//! Asks a function in a stranger's Python file for its answers, in separate sandboxed processes.
//!
//! The function takes two whole numbers and is asked about every pair of them below a limit:
//! [`Launcher::ask`]. It need not have been written in good faith. The module of [`confine`]
//! documents the guarantees and the kernels they need: on Linux 5.13 or later a file cannot write,
//! read other files, use the network, start processes or outlive the program; elsewhere it is not
//! run unless it is trusted ([`Launcher::trusting`]; [`without_sandbox`] says what holds then). Two
//! processes answer for every pair, in different orders and with different random numbers, and a
//! function whose answers differ is refused. A file can deceive the harness that calls it, which
//! runs in the same process, but only about its own answers.
//!
//! The interpreter is started through a program that closes what its caller left open. Any program
//! will do that calls [`confine`] when its first argument is [`CONFINE`], before anything else. The
//! interpreter forks a process for each run, which confines itself before it looks at the file.
//!
//! This crate is a part of `hog-solver`, whose documentation says what is stable. Everything else
//! here may change in any release.

// In a tab the page runs files: most of what starts, confines and ends processes is not used there.
#![cfg_attr(target_family = "wasm", allow(dead_code, unused_imports))]

mod answers;
mod ask;
#[cfg(all(target_os = "linux", feature = "confine"))]
mod calls;
mod confine;
mod confinement;
mod fault;
mod hex;
mod interpreter;
mod kept;
mod launcher;
pub mod limits;
mod notebook;
mod outline;
#[cfg(target_family = "wasm")]
mod page;
#[cfg(all(target_os = "linux", feature = "confine"))]
mod plan;
mod process;
mod question;
mod readable;
mod running;
#[cfg(all(target_os = "linux", feature = "confine"))]
mod server;
mod system;
mod twice;

pub use answers::read_answers;
pub use confine::confine;
pub use confinement::CONFINE;
pub use fault::{At, Fault, InnerLine};
pub use launcher::Launcher;
pub use notebook::{NotebookCode, code, is_notebook};
pub use outline::{FunctionOutline, Outline, ReachedFunction};
pub use question::{Function, NoAnswers, QuestionGrid, StandIn, is_identifier};
pub use system::without_sandbox;
