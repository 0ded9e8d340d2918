//! The statements of each step of a sign-in: each costs a switch to another thread on SQLite, and a round trip on
//! PostgreSQL. There, those that begin and commit a transaction are counted, too; on SQLite they are part of others.

use super::{client, customer};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_test_support::{Fixture as _, Kind, TestServer};
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

/// How often each step is done. The server's own background work also has statements, so the fewest count.
const ROUNDS: usize = 6;

/// Records the SQL of every statement.
#[derive(Clone, Default)]
struct Statements(Arc<Mutex<Vec<String>>>);

impl Statements {
    /// Those since the last call.
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

impl<S: Subscriber> Layer<S> for Statements {
    fn on_new_span(&self, attributes: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        if attributes.metadata().name() == "db.query" {
            attributes.record(&mut Sql(self));
        }
    }
}

/// Records the `sql` of a span.
struct Sql<'s>(&'s Statements);

impl Visit for Sql<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "sql" {
            self.0.0.lock().unwrap().push(value.to_owned());
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// The steps of a sign-in whose session, grant and family exist.
async fn each_step_takes_few(kind: Kind) {
    let statements = Statements::default();
    // For this thread, on which the whole server runs: other tests are not counted.
    let _guard = tracing_subscriber::registry().with(statements.clone()).set_default();
    let server = TestServer::given(kind).await;
    let client = client(&server, ApplicationType::Native).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let scope = "openid offline_access";
    let code = client.code(&browser, scope, &[]).await;
    let mut token = client.exchange(&server, &code).send().await.expect(200).text("refresh_token");
    token = client.refresh(&server, &token).send().await.expect(200).text("refresh_token");

    let (mut authorizations, mut exchanges, mut refreshes) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        statements.take();
        let code = client.code(&browser, scope, &[]).await;
        authorizations.push(statements.take());
        client.exchange(&server, &code).send().await.expect(200);
        exchanges.push(statements.take());
        token = client.refresh(&server, &token).send().await.expect(200).text("refresh_token");
        refreshes.push(statements.take());
    }
    // On PostgreSQL one that reads, and one that compares and writes.
    let of_tokens = match kind {
        Kind::Sqlite => 3,
        Kind::Postgres => 2,
    };
    for (step, all, expected) in
        [("authorization", authorizations, 2), ("exchange", exchanges, of_tokens), ("refresh", refreshes, of_tokens)]
    {
        let fewest = all.into_iter().min_by_key(Vec::len).unwrap();
        assert!((1..=expected).contains(&fewest.len()), "{step}: {fewest:#?}");
    }
}

#[tokio::test]
async fn sqlite() {
    Box::pin(each_step_takes_few(Kind::Sqlite)).await;
}

#[tokio::test]
#[ignore = "needs a PostgreSQL: TEST_DATABASE_URL=postgres://… cargo test --release -- --include-ignored"]
async fn postgres() {
    Box::pin(each_step_takes_few(Kind::Postgres)).await;
}
