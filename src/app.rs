//! The running server's parts, wired once: what every handler can reach.

use crate::clock::Clock;
use crate::config::Config;
use crate::lifecycle::Tasks;
use crate::passwords::Passwords;
use crate::plugins::Plugins;
use crate::seal::SealBox;
use crate::storage::Db;
use crate::tokens::{Committer, Directory, Issuer, Openings};
use std::sync::Arc;

/// The server's parts. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What [`App`] holds.
pub struct Parts {
    /// The effective configuration.
    pub config: Config,
    /// The time.
    pub clock: Clock,
    /// The database.
    pub db: Db,
    /// What may be granted.
    pub directory: Directory,
    /// What a token request begins with.
    pub openings: Openings,
    /// From a decision to a token.
    pub issuer: Issuer,
    /// The plugins.
    pub plugins: Plugins,
    /// Digests of people's passwords.
    pub passwords: Passwords,
}

impl App {
    /// Wires the parts. The workers of the queues start here, as `tasks`.
    #[must_use]
    pub fn new(config: Config, clock: Clock, db: Db, seal: Arc<SealBox>, plugins: Plugins, tasks: &Tasks) -> Self {
        let committer = Committer::start(&db, &clock, tasks);
        let openings = Openings::start(&db, &clock, tasks);
        let issuer = Issuer::new(config.server.base_url.issuer(), plugins.clone(), committer);
        Self(Arc::new(Parts {
            config,
            clock,
            db,
            directory: Directory::new(seal),
            openings,
            issuer,
            plugins,
            passwords: Passwords::default(),
        }))
    }
}

impl std::ops::Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
