//! `[database]`: the URL of the database, and its maximum number of connections.

use std::fmt;
use std::path::Path;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};
use url::Url;

use super::MASK;

/// Characters that must be percent-encoded in the path of an SQLite URL.
const PATH: &AsciiSet = &CONTROLS.add(b'%').add(b'?').add(b'#');

/// The database.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DatabaseConfig {
    /// The URL, with credentials.
    pub url: DatabaseUrl,
    /// Maximum number of connections per server.
    pub max_connections: u32,
}

impl DatabaseConfig {
    /// The embedded database in the folder `data_dir`.
    pub(super) fn in_folder(data_dir: &Path) -> Self {
        Self { url: DatabaseUrl::in_folder(data_dir), max_connections: 16 }
    }
}

impl Default for DatabaseConfig {
    fn default() -> Self {
        Self::in_folder(Path::new("data"))
    }
}

/// The URL of an SQLite or PostgreSQL database. Its password is masked as `***` except in [`DatabaseUrl::expose`].
#[derive(Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct DatabaseUrl {
    url: SecretString,
    shown: String,
    embedded: bool,
}

impl DatabaseUrl {
    /// `claimsmith.db` in the folder `data_dir`.
    #[must_use]
    pub fn in_folder(data_dir: &Path) -> Self {
        let path = data_dir.join("claimsmith.db");
        let url = format!("sqlite://{}", utf8_percent_encode(&path.to_string_lossy(), PATH));
        Self { shown: url.clone(), url: url.into(), embedded: true }
    }

    /// Whether the database is embedded in this process (SQLite).
    #[must_use]
    pub const fn is_embedded(&self) -> bool {
        self.embedded
    }

    /// The complete URL with the password; use it only to connect.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.url.expose_secret()
    }
}

impl TryFrom<String> for DatabaseUrl {
    type Error = &'static str;

    /// Error messages never quote the text: it may contain a password.
    fn try_from(text: String) -> Result<Self, Self::Error> {
        if let Some(path) = text.strip_prefix("sqlite:") {
            if path.trim_start_matches('/').is_empty() {
                return Err("it names no file");
            }
            if path.contains(":memory:") || path.contains("mode=memory") {
                return Err("a database in memory is not shared between connections");
            }
            return Ok(Self { shown: text.clone(), url: text.into(), embedded: true });
        }
        let url = Url::parse(&text).map_err(|_| "it is not a URL")?;
        if !matches!(url.scheme(), "postgres" | "postgresql") {
            return Err("its scheme is neither sqlite nor postgres");
        }
        Ok(Self { shown: masked(url), url: text.into(), embedded: false })
    }
}

/// The URL with `***` in place of its password, which PostgreSQL also accepts as a parameter.
fn masked(mut url: Url) -> String {
    if url.password().is_some() && url.set_password(Some(MASK)).is_err() {
        return MASK.to_owned();
    }
    if url.query().is_some() {
        let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        let shown = pairs.iter().map(|(name, value)| (name, if name.contains("pass") { MASK } else { value }));
        url.query_pairs_mut().clear().extend_pairs(shown);
    }
    url.to_string()
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.shown)
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Serialize for DatabaseUrl {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.serialize_str(&self.shown)
    }
}
