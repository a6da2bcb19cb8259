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
