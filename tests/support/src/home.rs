//! The files of one test's servers: a data folder, a plugin folder and a database, removed at the end of the test.

use crate::PostgresProxy;
use crate::database::{Kind, PostgresDatabase};
use crate::template::{copy_folder, template};
use claimsmith_config::{Config, ConfigArgs};
use claimsmith_identity::bootstrap::{BootstrapReport, report};
use claimsmith_storage::Db;
use data_encoding::BASE64;
use sqlx::postgres::PgConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// The folders and the database of one test.
pub struct Home {
    folder: TempDir,
    database: Option<PostgresDatabase>,
    /// Whose copy it is, so that it stays as long as somebody needs it.
    _template: Option<Arc<Self>>,
}

impl Home {
    /// An empty home with a database of this kind.
    pub async fn new(kind: Kind) -> Arc<Self> {
        let database = match kind {
            Kind::Sqlite => None,
            Kind::Postgres => Some(PostgresDatabase::create().await),
        };
        let home = Self { folder: tempfile::tempdir().unwrap(), database, _template: None };
        std::fs::create_dir(home.plugins_dir()).unwrap();
        Arc::new(home)
    }

    /// A home in which a server was started once, with [`Self::environment`] as it is.
    pub async fn after_first_start(kind: Kind) -> Arc<Self> {
        let template = template(kind).await;
        let database = match &template.database {
            None => None,
            Some(database) => Some(database.copy().await),
        };
        let folder = tempfile::tempdir().unwrap();
        copy_folder(template.folder(), folder.path());
        Arc::new(Self { folder, database, _template: Some(template) })
    }

    /// The kind of its database.
    #[must_use]
    pub fn kind(&self) -> Kind {
        if self.database.is_some() { Kind::Postgres } else { Kind::Sqlite }
    }

    /// The folder that everything is in; processes run there.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The data folder.
    #[must_use]
    pub fn data_dir(&self) -> PathBuf {
        self.folder().join("data")
    }

    /// The plugin folder, empty unless the test puts files there.
    #[must_use]
    pub fn plugins_dir(&self) -> PathBuf {
        self.folder().join("plugins")
    }

    /// The variables that configure a server here: free ports, demo data, and `changes`, of which an empty value takes
    /// a variable away.
    #[must_use]
    pub fn environment(&self, changes: &[(&str, &str)]) -> BTreeMap<String, String> {
        let path = |path: PathBuf| path.to_str().unwrap().to_owned();
        let mut variables = BTreeMap::from([
            ("CLAIMSMITH_LISTEN", "127.0.0.1:0".to_owned()),
            ("CLAIMSMITH_DATA_DIR", path(self.data_dir())),
            ("CLAIMSMITH_PLUGINS_DIR", path(self.plugins_dir())),
            ("CLAIMSMITH_PLUGINS_CACHE_DIR", path(shared_cache())),
            // On a busy machine compiling takes long; what is tested of this limit sets it.
            ("CLAIMSMITH_PLUGINS_COMPILE_TIMEOUT", "600".to_owned()),
            // As little as is allowed, or digests take a third of the time of the tests.
            ("CLAIMSMITH_PASSWORDS_DIGEST_MS", "0".to_owned()),
            ("CLAIMSMITH_DEMO", "true".to_owned()),
        ]);
        if let Some(database) = &self.database {
            variables.insert("CLAIMSMITH_DATABASE_URL", database.url());
            variables.insert("CLAIMSMITH_ENCRYPTION_KEY", BASE64.encode(&[7; 32]));
            // Many servers share the test's PostgreSQL.
            variables.insert("CLAIMSMITH_DATABASE_MAX_CONNECTIONS", "6".to_owned());
        }
        for (name, value) in changes {
            if value.is_empty() {
                variables.remove(name);
            } else {
                variables.insert(name, (*value).to_owned());
            }
        }
        variables.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The configuration that [`Self::environment`] makes.
    #[must_use]
    pub fn config(&self, changes: &[(&str, &str)]) -> Config {
        let mut config = Config::assemble(None, self.environment(changes), &ConfigArgs::default()).unwrap();
        // The server runs in the test's own process, which cannot compile plugins.
        config.plugins.compiler = Some(server_binary());
        config
    }

    /// The bootstrap report in a data folder here, or else the one that another node of this home wrote.
    #[must_use]
    pub fn report(&self, data_dir: &Path) -> Option<BootstrapReport> {
        let others = std::fs::read_dir(self.folder()).unwrap().map(|entry| entry.unwrap().path());
        std::iter::once(data_dir.to_owned()).chain(others).find_map(|folder| report::read(&report::path(&folder)))
    }

    /// A way to its PostgreSQL that the test can cut.
    pub async fn proxy(&self) -> PostgresProxy {
        PostgresProxy::start(self.database.as_ref().unwrap().options()).await
    }

    /// Fills the database, which is empty, from a dump: statements of SQL.
    pub async fn restore(&self, dump: &str) {
        let dump = AssertSqlSafe(dump.to_owned());
        if let Some(database) = &self.database {
            let mut connection = PgConnection::connect_with(&database.options()).await.unwrap();
            sqlx::raw_sql(dump).execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
        } else {
            std::fs::create_dir_all(self.data_dir()).unwrap();
            let file = SqliteConnectOptions::new().filename(self.data_dir().join("claimsmith.db"));
            let mut connection =
                SqliteConnection::connect_with(&file.create_if_missing(true).foreign_keys(false)).await.unwrap();
            sqlx::raw_sql(dump).execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
        }
    }

    /// Connections of the test's own to the database.
    pub async fn db(&self) -> Db {
        claimsmith::server::open_database(&self.config(&[])).await.unwrap()
    }
}

/// The binary, which is built with the test: in the folder of the build, above the folder of the test's executable.
fn server_binary() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().with_file_name("claimsmith")
}

/// Compiling plugins takes seconds: what one test compiled serves the others. In the folder of the build, beside the
/// folder of the test's executable.
fn shared_cache() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().with_file_name("test-plugin-cache")
}
