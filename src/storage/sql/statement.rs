//! Statements: one SQL text for both databases, and the only `match` on the native drivers.

use super::column::{Bind, Row, Source};
use super::db::{Connection, Dialect, Tx};
use super::sqlite_connections::{BEGIN, COMMIT};
use crate::Result;
use futures_util::TryStreamExt as _;
use futures_util::future::ready;
use sqlx::postgres::PgArguments;
use sqlx::sqlite::{SqliteArguments, SqliteQueryResult};
use sqlx::{Arguments, AssertSqlSafe, Executor as _, PgConnection, SqlSafeStr, SqlStr, SqliteConnection};
use tracing::Instrument;

/// A statement with its arguments. Placeholders are `$1`, `$2` … on both databases.
#[must_use]
pub struct Stmt<'t> {
    tx: &'t mut Tx,
    sql: SqlStr,
    arguments: Args,
    error: Option<sqlx::error::BoxDynError>,
    /// Whether it is the last one of its transaction, and commits it where that takes no further message.
    is_last: bool,
}

enum Args {
    Sqlite(SqliteArguments),
    Postgres(PgArguments),
}

impl Tx {
    /// A statement with constant SQL text.
    pub fn sql(&mut self, sql: &'static str) -> Stmt<'_> {
        self.statement(sql.into_sql_str())
    }

    /// A statement with SQL text assembled only from constant parts; values are always bound.
    pub(crate) fn assembled(&mut self, sql: String) -> Stmt<'_> {
        self.statement(AssertSqlSafe(sql).into_sql_str())
    }

    fn statement(&mut self, sql: SqlStr) -> Stmt<'_> {
        let arguments = match self.dialect() {
            Dialect::Sqlite => Args::Sqlite(SqliteArguments::default()),
            Dialect::Postgres => Args::Postgres(PgArguments::default()),
        };
        Stmt { tx: self, sql, arguments, error: None, is_last: false }
    }
}

impl Stmt<'_> {
    /// Runs on a search connection.
    pub(crate) fn searching(self) -> Self {
        self.tx.search();
        self
    }

    /// It is the last one before [`Tx::commit`], and all of its rows are read.
    pub(crate) fn last(mut self) -> Self {
        self.is_last = true;
        self
    }

    /// Binds the next placeholder.
    pub fn bind<'q>(mut self, value: impl Bind<'q>) -> Self {
        let value = value.stored();
        let result = match &mut self.arguments {
            Args::Sqlite(arguments) => arguments.add(value),
            Args::Postgres(arguments) => arguments.add(value),
        };
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
        self
    }

    /// Binds the next placeholders in order.
    pub fn bind_all<'q, V: Bind<'q>>(self, values: impl IntoIterator<Item = V>) -> Self {
        values.into_iter().fold(self, Self::bind)
    }

    /// Binds the rows of `Placeholders::insert`, by the function that binds one of them.
    pub(crate) fn bind_rows<T>(mut self, rows: &[&T], bind: impl Fn(Self, &T) -> Self) -> Self {
        let is_padded = matches!(self.arguments, Args::Postgres(_));
        for &row in rows {
            self = bind(self, row);
            if is_padded {
                self = self.bind(true);
            }
        }
        if is_padded && let Some(&any) = rows.first() {
            for _ in rows.len()..rows.len().next_power_of_two() {
                self = bind(self, any).bind(false);
            }
        }
        self
    }

    /// Binds a list of strings to the next placeholder: an array on PostgreSQL, a JSON array on SQLite.
    pub(crate) fn bind_list(mut self, values: &[&str]) -> Self {
        let result = match &mut self.arguments {
            Args::Sqlite(arguments) => arguments.add(serde_json::Value::from(values).to_string()),
            Args::Postgres(arguments) => arguments.add(values),
        };
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
        self
    }

    /// Exactly one row; no row is an error.
    pub async fn one<T: Row>(self) -> Result<T> {
        self.optional().await?.ok_or_else(|| sqlx::Error::RowNotFound.into())
    }

    /// The first row, if there is one.
    pub async fn optional<T: Row>(self) -> Result<Option<T>> {
        let span = self.span();
        Ok(match self.prepared().await? {
            BoundStatement::Sqlite(sql, arguments, on, runs) => {
                let row = sqlx::query_with(sql, arguments).fetch_optional(on).instrument(span).await;
                *runs = is_dead(&row);
                read(row?.as_ref())?
            }
            BoundStatement::Postgres(sql, arguments, on) => {
                read(sqlx::query_with(sql, arguments).fetch_optional(on).instrument(span).await?.as_ref())?
            }
        })
    }

    /// Every row.
    pub async fn all<T: Row>(self) -> Result<Vec<T>> {
        let span = self.span();
        Ok(match self.prepared().await? {
            BoundStatement::Sqlite(sql, arguments, on, runs) => {
                let rows = sqlx::query_with(sql, arguments).fetch_all(on).instrument(span).await;
                *runs = is_dead(&rows);
                read_all(&rows?)?
            }
            BoundStatement::Postgres(sql, arguments, on) => {
                read_all(&sqlx::query_with(sql, arguments).fetch_all(on).instrument(span).await?)?
            }
        })
    }

    /// The number of changed rows.
    pub async fn execute(self) -> Result<u64> {
        let span = self.span();
        Ok(match self.prepared().await? {
            BoundStatement::Sqlite(sql, arguments, on, runs) => {
                let changed = changed_rows(on, sql, arguments).instrument(span).await;
                *runs = is_dead(&changed);
                changed?
            }
            BoundStatement::Postgres(sql, arguments, on) => {
                sqlx::query_with(sql, arguments).execute(on).instrument(span).await?.rows_affected()
            }
        })
    }
}

/// Whether the thread of the connection has ended: it is looked at when it comes back, and closed.
fn is_dead<T>(result: &sqlx::Result<T>) -> bool {
    matches!(result, Err(sqlx::Error::WorkerCrashed))
}

/// The number of rows that a text changed. SQLite repeats the number of the statement before for `BEGIN` and `COMMIT`, so
/// that a sum over a text with them would count that of another caller.
async fn changed_rows(on: &mut SqliteConnection, sql: SqlStr, arguments: SqliteArguments) -> sqlx::Result<u64> {
    let (begins, commits) = (sql.as_str().starts_with(BEGIN), sql.as_str().ends_with(COMMIT));
    let steps = on.fetch_many(sqlx::query_with(sql, arguments));
    let results: Vec<SqliteQueryResult> = steps.try_filter_map(|step| ready(Ok(step.left()))).try_collect().await?;
    let own = results.len().saturating_sub(usize::from(commits));
    Ok(results.iter().take(own).skip(usize::from(begins)).map(SqliteQueryResult::rows_affected).sum())
}

fn read<T: Row>(row: Option<&impl Source>) -> Result<Option<T>> {
    row.map(T::read).transpose()
}

fn read_all<T: Row>(rows: &[impl Source]) -> Result<Vec<T>> {
    rows.iter().map(T::read).collect()
}

/// A statement with its native connection.
enum BoundStatement<'t> {
    Sqlite(SqlStr, SqliteArguments, &'t mut SqliteConnection, &'t mut bool),
    Postgres(SqlStr, PgArguments, &'t mut PgConnection),
}

impl<'t> Stmt<'t> {
    /// Contains the SQL text but no values: they may be personal data or hashes of secrets.
    fn span(&self) -> tracing::Span {
        tracing::debug_span!("db.query", sql = self.sql.as_str())
    }

    async fn prepared(self) -> Result<BoundStatement<'t>> {
        if let Some(error) = self.error {
            return Err(sqlx::Error::Encode(error).into());
        }
        let (before, after) = (self.tx.begins(), if self.is_last { self.tx.commits_itself() } else { "" });
        let sql = if before.is_empty() && after.is_empty() {
            self.sql
        } else {
            AssertSqlSafe(format!("{before}{}{after}", self.sql.as_str())).into_sql_str()
        };
        match (self.tx.connection().await?, self.arguments) {
            (Connection::Sqlite(on, runs), Args::Sqlite(arguments)) => {
                Ok(BoundStatement::Sqlite(sql, arguments, on, runs))
            }
            (Connection::Postgres(on), Args::Postgres(arguments)) => Ok(BoundStatement::Postgres(sql, arguments, on)),
            // Unreachable: `Tx::statement` creates the arguments for its own dialect.
            _ => Err(sqlx::Error::Protocol("arguments of the other database driver".to_owned()).into()),
        }
    }
}
