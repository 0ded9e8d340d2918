//! The macro that makes one test for each database from one body.

use crate::{Home, Kind, TestServer};
use std::sync::Arc;

/// What a test can ask to begin with.
pub trait Fixture: Sized {
    /// Prepares it.
    fn given(kind: Kind) -> impl Future<Output = Self>;
}

impl Fixture for Arc<Home> {
    async fn given(kind: Kind) -> Self {
        Home::new(kind).await
    }
}

impl Fixture for TestServer {
    async fn given(kind: Kind) -> Self {
        Self::start(&Home::after_first_start(kind).await, &[]).await.unwrap()
    }
}

/// Runs the body of a test with what it asks for.
pub async fn tell<G: Fixture>(kind: Kind, body: impl AsyncFnOnce(G)) {
    // On the heap: stories are long, and a test's thread has little stack.
    Box::pin(body(Box::pin(G::given(kind)).await)).await;
}

/// `both!(name, async |server: TestServer| { … })`: the tests `name::sqlite` and `name::postgres`. The body may ask for
/// a [`TestServer`], or for an `Arc<Home>` in which it starts servers itself.
#[macro_export]
macro_rules! both {
    ($name:ident, $body:expr $(,)?) => {
        mod $name {
            use super::*;

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                $crate::tell($crate::Kind::Sqlite, $body).await;
            }

            $crate::on_postgres!(postgres, $body);
        }
    };
}

/// `on_postgres!(name, async |home: Arc<Home>| { … })`: a test that needs PostgreSQL. It is listed as ignored, unless
/// the command says `-- --include-ignored`; then `TEST_DATABASE_URL` names the server.
#[macro_export]
macro_rules! on_postgres {
    ($name:ident, $body:expr $(,)?) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        #[ignore = "needs a PostgreSQL: TEST_DATABASE_URL=postgres://… cargo test --release -- --include-ignored"]
        async fn $name() {
            $crate::tell($crate::Kind::Postgres, $body).await;
        }
    };
}
