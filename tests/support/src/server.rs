//! A server in the process of its test.

use crate::{Api, Home};
use anyhow::Context as _;
use claimsmith::server::Server;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_domain::random::Random;
use claimsmith_services::app::App;
use claimsmith_services::supervisor::Tasks;
use claimsmith_services::tokens::operator::{self, MintError, MintRequest};
use claimsmith_storage::Tx;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

/// A running server; it stops when this value is dropped. Reach it over HTTP through [`Api`].
pub struct TestServer {
    /// Its parts.
    pub app: App,
    /// Stands still at the time of the start, until the test moves it.
    pub clock: Clock,
    /// Where it lives.
    pub home: Arc<Home>,
    api: Api,
    running: Running,
}

impl TestServer {
    /// Starts a server in `home` with [`Home::environment`]; the error is what an operator would see.
    pub async fn start(home: &Arc<Home>, changes: &[(&str, &str)]) -> anyhow::Result<Self> {
        // Whole seconds, as in tokens.
        let clock = Clock::fixed(Clock::system().now_ms() / 1000 * 1000);
        Self::start_at((clock, Random::system()), home, changes).await
    }

    /// The same, with this clock and these random bytes of tokens.
    pub async fn start_at(
        (clock, random): (Clock, Random),
        home: &Arc<Home>,
        changes: &[(&str, &str)],
    ) -> anyhow::Result<Self> {
        let config = home.config(changes);
        let running = Running(Tasks::default());
        let data_dir = config.data_dir.clone();
        let server = Box::pin(Server::start(config, (clock.clone(), random), &running.0, None)).await?;
        server.loaded().await?;
        let made = server.report.or_else(|| home.report(&data_dir)).context("no bootstrap report")?;
        let api = Api::new(server.listen, made);
        Ok(Self { app: server.app, clock, home: home.clone(), api, running })
    }

    /// Stops it as a signal would, and waits for the end. The home stays.
    pub async fn stop(self) {
        let Self { app, running, .. } = self;
        let db = app.db.clone();
        drop(app);
        running.0.drain(Duration::from_secs(10)).await.unwrap();
        db.close().await;
    }

    /// A transaction on its database.
    pub async fn begin(&self) -> Tx {
        self.app.db.begin().await.unwrap()
    }

    /// An opaque token of a user, as from `claimsmith tokens mint`.
    pub async fn mint(&self, user_id: &UserId, client_id: &ApplicationId, scope: &str) -> String {
        self.mint_for(user_id, client_id, scope, None).await
    }

    /// The same, as a JWT when there is a `resource`.
    pub async fn mint_for(
        &self,
        user_id: &UserId,
        client_id: &ApplicationId,
        scope: &str,
        resource: Option<&str>,
    ) -> String {
        self.try_mint_for(user_id, client_id, scope, resource).await.unwrap()
    }

    /// The same; the error is what an operator would see.
    pub async fn try_mint_for(
        &self,
        user_id: &UserId,
        client_id: &ApplicationId,
        scope: &str,
        resource: Option<&str>,
    ) -> Result<String, MintError> {
        let request = MintRequest {
            user_id: user_id.to_owned(),
            client_id: client_id.to_owned(),
            scope: scope.to_owned(),
            resource: resource.map(str::to_owned),
        };
        let app = &self.app;
        let issued =
            operator::mint(&app.db, &app.authorizations, &app.issuer, &app.config, request, app.clock.now_ms());
        Ok(Box::pin(issued).await?.access_token)
    }
}

impl Deref for TestServer {
    type Target = Api;

    fn deref(&self) -> &Api {
        &self.api
    }
}

/// Work that is told to stop when it goes out of scope.
struct Running(Tasks);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.stop();
    }
}
