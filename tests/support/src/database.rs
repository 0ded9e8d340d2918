//! Test databases: the kinds, and a PostgreSQL database that is dropped at the end of its test.

use claimsmith_domain::random;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use std::str::FromStr;

/// A kind of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The embedded one.
    Sqlite,
    /// The one of `TEST_DATABASE_URL`.
    Postgres,
}

impl Kind {
    /// The one that a benchmark is to measure: PostgreSQL where `TEST_DATABASE_URL` names one.
    #[must_use]
    pub fn of_environment() -> Self {
        if std::env::var_os("TEST_DATABASE_URL").is_some() { Self::Postgres } else { Self::Sqlite }
    }
}

/// A fresh database on the PostgreSQL server of `TEST_DATABASE_URL`; dropped with this value.
pub(crate) struct PostgresDatabase {
    name: String,
}

impl PostgresDatabase {
    pub(crate) async fn create() -> Self {
        let name = format!("claimsmith_test_{}", random::id(12).unwrap());
        run(format!("CREATE DATABASE {name}")).await.unwrap();
        Self { name }
    }

    /// Another one with the same in it. Nobody may use this one meanwhile. Copying files takes half the time of writing
    /// every page to the log, and exists since PostgreSQL 15.
    pub(crate) async fn copy(&self) -> Self {
        let name = format!("claimsmith_test_{}", random::id(12).unwrap());
        run(format!("CREATE DATABASE {name} TEMPLATE {} STRATEGY FILE_COPY", self.name)).await.unwrap();
        Self { name }
    }

    pub(crate) fn url(&self) -> String {
        self.options().to_url_lossy().into()
    }

    pub(crate) fn options(&self) -> PgConnectOptions {
        server().database(&self.name)
    }
}

impl Drop for PostgresDatabase {
    /// From a thread with a runtime of its own: the test's may be unwinding.
    fn drop(&mut self) {
        let statement = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(run(statement))
        });
        let dropped = matches!(dropped.join(), Ok(Ok(())));
        assert!(dropped || std::thread::panicking(), "the test's database {} could not be dropped", self.name);
    }
}

/// Only names made here and constants enter the text.
async fn run(statement: String) -> sqlx::Result<()> {
    let mut connection = PgConnection::connect_with(&server()).await?;
    sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await?;
    connection.close().await
}

fn server() -> PgConnectOptions {
    let url = std::env::var("TEST_DATABASE_URL").unwrap_or_else(|_| panic!("TEST_DATABASE_URL is not set"));
    PgConnectOptions::from_str(&url).unwrap()
}
