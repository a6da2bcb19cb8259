//! The page and its API over http: the engine's questions and answers, for this machine alone unless asked otherwise.
//!
//! | file | what it does |
//! |---|---|
//! | `listen` | connections: how many, how slow they may be |
//! | `guard` | who may ask: Host and Origin; what every answer's head says |
//! | `bodies` | what is sent along: in time, and in a bounded sum |
//! | `question` | what is asked: words of a query or of a JSON body |
//! | `endpoints` | the table of questions: path, words, answer; `openapi` writes it down |
//! | `answers` | each question put to the engine |
//! | `work` | how much is done at once, and how it is stopped when nobody waits for it any more |
//! | `archive` | files packed for download |
//! | `uploads` | strategies that are sent along, in a folder of their own while they are needed |
//! | `assets` | the page itself, embedded |
//! | `site` | the page as plain files, with what it would ask written down beforehand |
//!
//! No question names a file: games and strategies are built in, or come with the question.

mod answers;
mod archive;
mod assets;
mod bodies;
mod endpoints;
mod guard;
mod listen;
mod openapi;
mod question;
mod refusal;
mod site;
mod uploads;
mod work;

pub use openapi::openapi;
pub use site::{SITE_MARK, Site, SiteFile, site};

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
use listen::Patience;
use work::Desk;

/// Where to listen, and what to take from there.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The address and port; port 0 takes any that is free.
    pub address: SocketAddr,
    /// The names by which this machine may be called beside `localhost`; addresses always may.
    pub names: Vec<String>,
    /// Starts the strategies in Python files that are sent; none are taken without it.
    pub python: Option<Launcher>,
    /// The folder for what is sent, while it is needed.
    pub folder: PathBuf,
    /// The bounds of one question's work.
    pub limits: Limits,
}

impl Settings {
    /// At this address, with bounds that suit a page: 4 million states, a gibibyte, half a minute.
    pub fn new(address: SocketAddr, folder: impl Into<PathBuf>) -> Self {
        let mut limits = Limits::default();
        (limits.states, limits.memory, limits.cache) = (4 << 20, 1 << 30, 128 << 20);
        limits.time = Some(Duration::from_secs(30));
        Self { address, names: Vec::new(), python: None, folder: folder.into(), limits }
    }

    /// Called by these names too.
    #[must_use]
    pub fn names(mut self, names: Vec<String>) -> Self {
        self.names = names;
        self
    }

    /// Taking Python files, started through this.
    #[must_use]
    pub fn python(mut self, launcher: Launcher) -> Self {
        self.python = Some(launcher);
        self
    }
}

/// A server that listens and has not begun to answer.
pub struct Server {
    listener: std::net::TcpListener,
    router: Router,
}

impl Server {
    /// Takes the address.
    ///
    /// # Errors
    /// If it cannot be had.
    pub fn bind(settings: Settings) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind(settings.address)?;
        listener.set_nonblocking(true)?;
        let closed = Engine::builder().limits(settings.limits.clone()).sources(Sources::builtin()).build();
        let sources = match settings.python {
            Some(launcher) => Sources::builtin().with_tables(true).with_python(launcher),
            None => Sources::builtin().with_tables(true),
        };
        let open = Engine::builder().limits(settings.limits).sources(sources).build();
        let desk = Arc::new(Desk::new(closed, open, settings.folder));
        Ok(Self { listener, router: router(desk, settings.names) })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until the program ends.
    ///
    /// # Errors
    /// If the system has no threads to do it with.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            listen::forever(listener, self.router, Patience::default()).await
        })
    }
}

fn router(desk: Arc<Desk>, names: Vec<String>) -> Router {
    let mut router = Router::new()
        .route("/api/v1/openapi.json", get(|| async { answers::json_response(openapi().to_string().into_bytes()) }))
        .route("/page/{*file}", get(assets::file))
        .route("/favicon.ico", get(assets::icon));
    for path in ["/", "/{view}", "/{view}/{*rest}"] {
        router = router.route(path, get(assets::index));
    }
    for endpoint in endpoints::ENDPOINTS {
        router = router.route(&endpoints::path(endpoint), work::route(endpoint));
    }
    let guard = Arc::new(guard::Guard::new(names));
    router
        .method_not_allowed_fallback(refusal::wrong_method)
        .fallback(refusal::nothing_there)
        .layer(axum::middleware::from_fn_with_state(guard, guard::guard))
        .with_state(desk)
}
