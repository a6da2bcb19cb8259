//! The `hog` command.

/// Returns freed memory to the system soon after it was freed, also that of threads which then do
/// nothing. glibc's allocator keeps it: a server that has solved a few large games and is idle
/// holds several times its cache. It also requests again and again what a large game needs, which
/// takes longer than tabulating the game.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    hog::cli::main()
}
