//! The `hog` command.

fn main() -> std::process::ExitCode {
    keep_freed_memory();
    hog::cli::main()
}

/// Makes glibc keep up to 62 MiB of freed memory instead of returning it to the system. Freeing a
/// block of 31 MiB raises its thresholds (see `M_MMAP_THRESHOLD` in mallopt(3)). By default it
/// keeps only 128 KiB, and requesting the memory again takes four times as long as tabulating the
/// rules of a game with goal 10,000.
fn keep_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(31 << 20)));
}
