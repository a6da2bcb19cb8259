//! The shipped tables: for each game its id and the bytes of its table (`README.md` says how each
//! was made).

include!(concat!(env!("OUT_DIR"), "/tables.rs"));
