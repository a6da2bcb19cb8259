//! `hog serve`: serves the page and its API.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use crate::engine::numbers::whole;
use crate::files::private_folder;
use crate::web::{Server, Settings};
use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use super::console::{Console, Status};
use super::interrupt::{removed_on_interrupt, succeed_on_interrupt};
use super::shared::Format;

/// The page in the browser (play, explore, edit, coach, contests)
#[derive(Args, Debug)]
#[command(
    after_help = "Only this machine can open the page, which works without a network. Ctrl-C stops \
it. It writes only to a temporary folder, for strategies that are dropped onto the page; Python \
files run in a sandbox.

Examples:
  hog serve                                  http://127.0.0.1:4774/
  hog serve --port 0 --format json           any free port; prints the address as JSON
  curl 'localhost:4774/api/v1/best?rules=fa21&score=20&opponent=36'
  hog serve --listen 0.0.0.0 --name hog.lan  let anyone in your network use the page"
)]
pub(super) struct ServeCommand {
    /// The port; 0 chooses a free one
    #[arg(long, value_name = "N", default_value_t = 4774, value_parser = whole::<u16>)]
    port: u16,
    /// The address to listen on; any address but a loopback address lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// A host name, or an address of a router in front, that browsers may use in addition to
    /// localhost and this machine's address
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
}

impl ServeCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let folder = removed_on_interrupt(|| private_folder("hog-serve-"));
        let folder = folder.context("cannot make a folder for strategies sent to the page")?;
        succeed_on_interrupt();
        let address = SocketAddr::new(self.listen, self.port);
        let settings = Settings::new(address, folder.path())
            .names(self.name.clone())
            .python(console.launcher());
        let server = Server::bind(settings).with_context(|| {
            format!("cannot listen on {address}: choose another --port, or 0 for a free one")
        })?;
        let url = format!("http://{}/", server.address()?);
        if !self.listen.is_loopback() {
            anstream::eprintln!(
                "warning: everyone who can reach this machine can use the page and send \
                 strategies to run (in a sandbox)"
            );
        }
        match console.format {
            Format::Json => console.print(|out| writeln!(out, "{}", json!({ "url": url })))?,
            Format::Text => console.print(|out| writeln!(out, "{url}  (Ctrl-C stops it)"))?,
        }
        console.flush()?;
        server.run().context("the server stopped")?;
        Ok(Status::Done)
    }
}
