//! What a request of a sign-in presents, read in one statement with all that its decision needs: an authorization code
//! or a refresh token with its user, or the cookie of a browser with its sessions. Every statement costs a switch to
//! another thread on SQLite, and a round trip on PostgreSQL.

use super::codes::{self, Code};
use super::grants::{self, Grant};
use super::refresh_tokens::{self, RefreshToken};
use super::{COLUMNS, Session};
use crate::sql::filter::Placeholders;
use crate::sql::prefixed::{self, read, read_joined};
use crate::users::{self, User};
use crate::{Dialect, Result, Row, Source, Stmt, Tx, settings};
use std::slice;
use std::sync::LazyLock;

/// The maximum number of sessions of a browser that are considered, the most recently used ones.
pub const MAX_SESSIONS: usize = 32;
/// The order of these.
const RECENTLY_USED_FIRST: &str =
    "ORDER BY s.last_active_at DESC, s.authenticated_at DESC, s.id, g.created_at DESC, g.id";

/// A code, even if consumed or expired.
#[derive(Clone, Debug)]
pub struct PresentedCode {
    /// The code.
    pub code: Code,
    /// Its user.
    pub user: User,
    /// The stored configuration of ID tokens.
    pub id_token_config: Option<String>,
}

/// A refresh token, even if rotated or expired.
#[derive(Clone, Debug)]
pub struct PresentedToken {
    /// The token.
    pub token: RefreshToken,
    /// The encrypted key of its family; `None` until the first rotation.
    pub family_key: Option<String>,
    /// The session of its grant, live or not; `None` once it has ended.
    pub session: Option<Session>,
    /// Its user.
    pub user: User,
    /// The stored configuration of ID tokens.
    pub id_token_config: Option<String>,
}

/// A live session of a browser, with its active user.
#[derive(Clone, Debug)]
pub struct BrowserSession {
    /// The session.
    pub session: Session,
    /// Its user.
    pub user: User,
    /// The live grant of this session to the application.
    pub grant: Option<Grant>,
}

/// The browsers whose sessions are wanted.
#[derive(Clone, Copy, Debug)]
pub struct WantedBrowsers<'w> {
    /// The hashes of their cookies, at least one.
    pub hashes: &'w [&'w str],
    /// The applications whose grants are wanted, at least one.
    pub applications: &'w [&'w str],
    /// Unix milliseconds.
    pub now: i64,
    /// Sessions that were not used since have ended, Unix milliseconds.
    pub idle_since: i64,
}

impl Row for PresentedCode {
    fn read<R: Source>(source: &R) -> Result<Self> {
        Ok(Self {
            code: read(source, "c")?,
            user: read(source, "u")?,
            id_token_config: source.column("id_token_config")?,
        })
    }
}

impl Row for PresentedToken {
    fn read<R: Source>(source: &R) -> Result<Self> {
        Ok(Self {
            token: read(source, "t")?,
            family_key: source.column("family_key")?,
            session: read_joined(source, "s", "id")?,
            user: read(source, "u")?,
            id_token_config: source.column("id_token_config")?,
        })
    }
}

impl Row for BrowserSession {
    fn read<R: Source>(source: &R) -> Result<Self> {
        Ok(Self { session: read(source, "s")?, user: read(source, "u")?, grant: read_joined(source, "g", "id")? })
    }
}

/// The revision of the authorization data, with a row of what was presented, if there is one.
struct Opened<T> {
    revision: i64,
    presented: Option<T>,
}

impl<T: Row> Row for Opened<T> {
    fn read<R: Source>(source: &R) -> Result<Self> {
        let key: Option<String> = source.column("presented")?;
        let presented = key.map(|_| T::read(source)).transpose()?;
        Ok(Self { revision: source.column("authorization_revision")?, presented })
    }
}

/// The oldest revision of these rows, and what was presented.
fn opened<T>(rows: Vec<Opened<T>>) -> Result<(i64, Vec<T>)> {
    let revision = rows.iter().map(|row| row.revision).min().ok_or(sqlx::Error::RowNotFound)?;
    Ok((revision, rows.into_iter().filter_map(|row| row.presented).collect()))
}

static OF_CODES: LazyLock<String> =
    LazyLock::new(|| [prefixed::columns("c", codes::COLUMNS), prefixed::columns("u", users::COLUMNS)].join(", "));
static OF_TOKENS: LazyLock<String> = LazyLock::new(|| {
    let of = prefixed::columns;
    [of("t", refresh_tokens::COLUMNS), of("s", COLUMNS), of("u", users::COLUMNS)].join(", ")
});
static OF_BROWSERS: LazyLock<String> = LazyLock::new(|| {
    let of = prefixed::columns;
    [of("s", COLUMNS), of("u", users::COLUMNS), of("g", grants::COLUMNS)].join(", ")
});

/// One text for all numbers of values on PostgreSQL, where a connection prepares every text by itself.
fn is_among(dialect: Dialect, values: &mut Placeholders, count: usize) -> String {
    match dialect {
        Dialect::Sqlite => format!("IN ({})", values.list(count)),
        Dialect::Postgres => format!("= ANY({})", values.list(1)),
    }
}

/// Binds the values of [`is_among`].
fn bind_among<'t>(statement: Stmt<'t>, dialect: Dialect, list: &[&str]) -> Stmt<'t> {
    match dialect {
        Dialect::Sqlite => statement.bind_all(list),
        Dialect::Postgres => statement.bind_list(list),
    }
}

/// The revision of the authorization data, and the codes with these hashes (at least one).
pub async fn codes(tx: &mut Tx, hashes: &[&str]) -> Result<(i64, Vec<PresentedCode>)> {
    let (dialect, mut values) = (tx.dialect(), Placeholders::of(tx));
    let sql = format!(
        "SELECT r.value AS authorization_revision, c.hash AS presented, {}, \
         (SELECT value FROM settings WHERE key = '{}') AS id_token_config FROM revisions r \
         LEFT JOIN authorization_codes c ON c.hash {} LEFT JOIN users u ON u.id = c.user_id \
         WHERE r.name = 'authorization'",
        *OF_CODES,
        settings::ID_TOKENS,
        is_among(dialect, &mut values, hashes.len())
    );
    opened(bind_among(tx.assembled(sql), dialect, hashes).all().await?)
}

/// The revision of the authorization data, and the refresh tokens with these hashes (at least one).
pub async fn refresh_tokens(tx: &mut Tx, hashes: &[&str]) -> Result<(i64, Vec<PresentedToken>)> {
    let (dialect, mut values) = (tx.dialect(), Placeholders::of(tx));
    let sql = format!(
        "SELECT r.value AS authorization_revision, t.hash AS presented, {}, f.encrypted_key AS family_key, \
         (SELECT value FROM settings WHERE key = '{}') AS id_token_config FROM revisions r \
         LEFT JOIN refresh_tokens t ON t.hash {} LEFT JOIN refresh_families f ON f.id = t.family_id \
         LEFT JOIN users u ON u.id = t.user_id LEFT JOIN grants g ON g.id = t.grant_id \
         LEFT JOIN sessions s ON s.id = g.session_id WHERE r.name = 'authorization'",
        *OF_TOKENS,
        settings::ID_TOKENS,
        is_among(dialect, &mut values, hashes.len())
    );
    opened(bind_among(tx.assembled(sql), dialect, hashes).all().await?)
}

/// The revision of the authorization data, and the live sessions of these browsers with active users: one row for each
/// grant to one of the applications, or one without a grant. Of a browser with very many, the most recently used.
pub async fn browsers(tx: &mut Tx, wanted: WantedBrowsers<'_>) -> Result<(i64, Vec<BrowserSession>)> {
    let limit = MAX_SESSIONS.saturating_mul(wanted.hashes.len());
    // Without an order, which would cost as much as the rest: callers sort the few that there are.
    let rows = select_browsers(tx, wanted, "", limit.saturating_add(1)).await?;
    if rows.len() <= limit {
        return opened(rows);
    }
    // A browser with very many must not displace the sessions of the others.
    let mut rows = Vec::new();
    for hash in wanted.hashes {
        let alone = WantedBrowsers { hashes: slice::from_ref(hash), ..wanted };
        // Each of these sessions has a row for each grant to one of the applications.
        let limit = MAX_SESSIONS.saturating_mul(wanted.applications.len().max(1));
        rows.extend(select_browsers(tx, alone, RECENTLY_USED_FIRST, limit).await?);
    }
    opened(rows)
}

async fn select_browsers(
    tx: &mut Tx,
    wanted: WantedBrowsers<'_>,
    order: &'static str,
    limit: usize,
) -> Result<Vec<Opened<BrowserSession>>> {
    let WantedBrowsers { hashes, applications, now, idle_since } = wanted;
    let (dialect, mut values) = (tx.dialect(), Placeholders::of(tx));
    let sql = format!(
        "SELECT r.value AS authorization_revision, u.id AS presented, {} FROM revisions r \
         LEFT JOIN sessions s ON s.browser_hash {} AND s.expires_at > {} AND s.last_active_at > {} \
         LEFT JOIN users u ON u.id = s.user_id AND u.is_suspended = FALSE \
         LEFT JOIN grants g ON g.session_id = s.id AND g.application_id {} AND g.expires_at > {} \
         WHERE r.name = 'authorization' {order} LIMIT {}",
        *OF_BROWSERS,
        is_among(dialect, &mut values, hashes.len()),
        values.list(1),
        values.list(1),
        is_among(dialect, &mut values, applications.len()),
        values.list(1),
        values.list(1)
    );
    let statement = bind_among(tx.assembled(sql), dialect, hashes).bind(now).bind(idle_since);
    bind_among(statement, dialect, applications).bind(now).bind(i64::try_from(limit).unwrap_or(i64::MAX)).all().await
}
