//! The page and its API over HTTP: the engine's queries and answers. By default the server is
//! reachable from this machine only.
//!
//! | file | what it does |
//! |---|---|
//! | `listen` | connections: their number, and the limits on slow clients |
//! | `guard` | refuses requests of other sites by Host and Origin; sets security headers |
//! | `bodies` | reads bodies within a time limit and a memory budget |
//! | `endpoints` | the engine's questions; `openapi` exports them |
//! | `work` | asks the engine; limits the work at one time, and stops it when its client has gone |
//! | `assets` | the page's files, and the engine for the tab, embedded |
//!
//! No request can name a file on this machine: games and strategies are built in or uploaded with
//! the request.

mod assets;
mod bodies;
mod document;
mod endpoints;
mod guard;
mod listen;
mod openapi;
mod refusal;
mod work;

pub use openapi::openapi;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::get;

use crate::Engine;
use crate::engine::{Limits, Sources};
use crate::strategy::python::Launcher;
use listen::ClientLimits;
use work::Service;

/// The settings of a server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The address and port to listen on; port 0 means any free port.
    pub address: SocketAddr,
    /// The names and addresses of this machine that are accepted in requests, in addition to
    /// `localhost`, loopback addresses and the address that a client connects to.
    pub names: Vec<String>,
    /// Starts the strategies in uploaded Python files; without it such files are refused.
    pub python: Option<Launcher>,
    /// The folder for uploaded files, which are deleted when their request is answered.
    pub folder: PathBuf,
    /// The limits on the work for one request.
    pub limits: Limits,
}

/// The time for one request of those who come from other machines.
const OTHERS_TIME: Duration = Duration::from_secs(30);

impl Settings {
    /// Settings for this address with limits that suit a page: 8 million states, and one gibibyte
    /// and half a minute for those who come from other machines: a user's own work is theirs to
    /// stop, in what memory the machine has.
    pub fn new(address: SocketAddr, folder: impl Into<PathBuf>) -> Self {
        let mut limits = Limits::of_machine();
        limits.states = 8 << 20;
        (limits.entrants, limits.listed, limits.near_ties) = (1200, 100_000, false);
        let settings =
            Self { address, names: Vec::new(), python: None, folder: folder.into(), limits };
        if address.ip().is_loopback() { settings } else { settings.of_others() }
    }

    /// Sets the limits for those who come from other machines.
    fn of_others(mut self) -> Self {
        self.limits.time = Some(OTHERS_TIME);
        (self.limits.memory, self.limits.cache) = (1 << 30, 128 << 20);
        self
    }

    /// Sets the names and addresses that are accepted in requests: see [`Self::names`].
    #[must_use]
    pub fn names(mut self, names: Vec<String>) -> Self {
        // Behind a name there may be a proxy, whose clients are not this machine's user.
        if !names.is_empty() {
            self = self.of_others();
        }
        self.names = names;
        self
    }

    /// Accepts Python files and starts them with `launcher`.
    #[must_use]
    pub fn python(mut self, launcher: Launcher) -> Self {
        self.python = Some(launcher);
        self
    }
}

/// A server that is bound to its address and does not answer yet.
pub struct Server {
    listener: std::net::TcpListener,
    router: Router,
}

impl Server {
    /// Binds the address.
    ///
    /// # Errors
    /// Returns an error if the address cannot be bound.
    pub fn bind(settings: Settings) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind(settings.address)?;
        listener.set_nonblocking(true)?;
        let closed = Engine::builder().limits(settings.limits).sources(Sources::builtin()).build();
        let sources = match settings.python {
            // A class that is handed in again goes on from those that were read.
            Some(launcher) => Sources::builtin()
                .with_strategy_files()
                .with_python(launcher.keeping_answers_in(settings.folder.join("answers"))),
            None => Sources::builtin().with_strategy_files(),
        };
        let open = closed.clone().with_sources(sources);
        let service = Arc::new(Service::new(closed, open, settings.folder));
        Ok(Self { listener, router: router(service, settings.names) })
    }

    /// Returns the address and port on which the server listens.
    ///
    /// # Errors
    /// Returns an error if the system does not report the address.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves requests until the program ends.
    ///
    /// # Errors
    /// Returns an error if the runtime's threads cannot be started.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            listen::forever(listener, self.router, ClientLimits::default()).await
        })
    }
}

fn router(service: Arc<Service>, names: Vec<String>) -> Router {
    let mut router = Router::new()
        .route(
            "/api/v1/openapi.json",
            get(|| async { document::json_response(openapi().to_string().into_bytes()) }),
        )
        .route("/page/{*file}", get(assets::file))
        .route("/favicon.ico", get(assets::icon));
    for path in ["/", "/{view}", "/{view}/", "/{view}/{*rest}"] {
        router = router.route(path, get(assets::index));
    }
    for path in assets::of_tab() {
        router = router.route(&path, get(assets::engine));
    }
    for endpoint in &*endpoints::ENDPOINTS {
        router = router.route(&endpoint.path(), work::route(endpoint));
    }
    let guard = Arc::new(guard::Guard::new(names));
    router
        .method_not_allowed_fallback(refusal::wrong_method)
        .fallback(refusal::not_found)
        .layer(axum::middleware::from_fn_with_state(guard, guard::guard))
        .with_state(service)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_those_who_come_from_other_machines_have_a_limited_time() {
        let time = |address: &str| {
            Settings::new(format!("{address}:0").parse().unwrap(), "folder").limits.time
        };
        assert_eq!([time("127.0.0.1"), time("[::1]")], [None, None]);
        assert_eq!(time("0.0.0.0"), Some(Duration::from_secs(30)));
    }
}
