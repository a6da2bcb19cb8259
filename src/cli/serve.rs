//! `hog serve`: the page and its API.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use anyhow::Context as _;
use clap::Args;
use hog::web::{Server, Settings};
use serde_json::json;

use super::Format;
use super::console::{Console, Status};
use super::interrupt::{ends_well, remove_at_the_end};

/// The page: play, explore, change rules, coach, contests; and its API under /api/v1
#[derive(Args, Debug)]
#[command(
    after_help = "The page is for this machine alone, and works without a network. Ctrl-C ends it. It writes nothing but
a folder of its own for strategies that are dropped onto it, which are shut in as everywhere.

Examples:
  hog serve                                  http://127.0.0.1:4774/
  hog serve --port 0 --format json           any free port, told as JSON
  curl 'localhost:4774/api/v1/best?rules=fa21&score=20&opponent=36'
  hog serve --listen 0.0.0.0 --name hog.lan  for a whole network: anyone on it may ask"
)]
pub(super) struct ServeCommand {
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 4774)]
    port: u16,
    /// The address to listen at; any but this machine's own lets others in
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// A name by which browsers may call this machine, beside localhost and its addresses
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
}

impl ServeCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        give_memory_back();
        let folder = tempfile::Builder::new().prefix("hog-serve-").tempdir();
        let folder = folder.context("cannot make a folder for strategies that are sent")?;
        remove_at_the_end(folder.path());
        ends_well();
        let address = SocketAddr::new(self.listen, self.port);
        let settings = Settings::new(address, folder.path()).names(self.name.clone()).python(console.launcher());
        let taken = || format!("cannot listen at {address}: name another --port, or 0 for any that is free");
        let server = Server::bind(settings).with_context(taken)?;
        let url = format!("http://{}/", server.address()?);
        if !self.listen.is_loopback() {
            let warning = "everyone who reaches this machine may ask, and send strategies to be run (shut in)";
            anstream::eprintln!("warning: {warning}");
        }
        match console.format {
            Format::Json => console.print(|out| writeln!(out, "{}", json!({ "url": url })))?,
            Format::Text => console.print(|out| writeln!(out, "{url}  (Ctrl-C ends it)"))?,
        }
        console.flush()?;
        server.run().context("the server ended")?;
        Ok(Status::Done)
    }
}

/// Begins the program anew where the C library's allocator keeps what was freed, in an arena for each thread: settings that it
/// reads as it begins have it give large pieces back at once. Without them a server under mixed load grows to 700 MiB, of
/// which it uses a third.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn give_memory_back() {
    use std::os::unix::process::CommandExt as _;
    const SETTINGS: [(&str, &str); 2] = [("MALLOC_ARENA_MAX", "2"), ("MALLOC_MMAP_THRESHOLD_", "131072")];
    let is_set = |(name, _): &(&str, &str)| std::env::var_os(name).is_some();
    if let Ok(program) = std::env::current_exe()
        && !SETTINGS.iter().any(is_set)
    {
        // It comes back only if the program cannot be begun anew; then memory is kept, and all else is as it should be.
        let _ = std::process::Command::new(program).args(std::env::args_os().skip(1)).envs(SETTINGS).exec();
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_memory_back() {}
