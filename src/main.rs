//! The `hog` command.

fn main() -> std::process::ExitCode {
    hog::cli::main()
}
