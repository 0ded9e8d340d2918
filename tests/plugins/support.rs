//! Helpers: a plugin folder, the plugins of a server that watches it, and token requests.

use claimsmith_runtime::{Context, Grant, Language, Source};
use claimsmith_services::plugins::CompilerOptions;
use claimsmith_services::plugins::compile::{Upload, UploadedText};
use claimsmith_services::plugins::{
    Claims, ClaimsRefusal, PluginIssuance, PluginStatus, Plugins, PluginsOptions, State, TokenKind,
};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use tempfile::TempDir;

pub(crate) const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
pub(crate) const API: &str = "https://api.example.com";

/// How long a condition may take to come true. Only a test that fails waits so long.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A folder that the plugins of a server watch.
pub(crate) struct Server {
    /// What it sits in, for files that are not plugins.
    pub(crate) outside: TempDir,
    pub(crate) plugins: Plugins,
}

/// Options for the folder `plugins` inside `outside`. Compiled code is shared by all tests.
pub(crate) fn options(outside: &TempDir) -> PluginsOptions {
    PluginsOptions {
        cache_dir: Some(plugin_cache()),
        compiler: compiler_options().compiler,
        // Machines that run tests are busy: only tests of a deadline or a budget want it short.
        limits: claimsmith_runtime::Limits { deadline: Duration::from_secs(30), ..Default::default() },
        budget: Duration::from_secs(30),
        poll: Duration::from_millis(100),
        ..PluginsOptions::new(outside.path().join("plugins"))
    }
}

impl Server {
    /// Starts with these files.
    pub(crate) async fn with(files: &[(&str, &str)]) -> Self {
        Self::with_options(files, |options| options).await
    }

    pub(crate) async fn with_options(
        files: &[(&str, &str)],
        change: impl FnOnce(PluginsOptions) -> PluginsOptions,
    ) -> Self {
        let outside = tempfile::tempdir().unwrap();
        fs::create_dir(outside.path().join("plugins")).unwrap();
        for (name, text) in files {
            fs::write(outside.path().join("plugins").join(name), text).unwrap();
        }
        let plugins = Plugins::start(change(options(&outside)), Vec::new()).await.unwrap();
        Self { outside, plugins }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.outside.path().join("plugins").join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    pub(crate) fn status(&self, name: &str) -> Option<PluginStatus> {
        self.plugins.list().into_iter().find(|status| &*status.name == name)
    }

    /// Waits until the list of plugins is as it should be.
    pub(crate) async fn until(&self, what: &str, condition: impl Fn(&[PluginStatus]) -> bool) {
        let end = Instant::now() + TIMEOUT;
        loop {
            let list = self.plugins.list();
            if condition(&list) {
                return;
            }
            assert!(Instant::now() < end, "{what} did not come about: {list:#?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Waits until this plugin is as it should be.
    pub(crate) async fn until_plugin(&self, name: &str, what: &str, condition: impl Fn(&PluginStatus) -> bool) {
        let named = |list: &[PluginStatus]| list.iter().any(|status| &*status.name == name && condition(status));
        self.until(&format!("{name}: {what}"), named).await;
    }

    /// Waits until this plugin serves in a version later than `generation`.
    pub(crate) async fn until_newer(&self, name: &str, generation: u64) {
        self.until_plugin(name, "a newer version", |status| {
            status.generation.is_some_and(|newer| newer > generation) && status.last_error.is_none()
        })
        .await;
    }

    /// The generation of a plugin that serves.
    pub(crate) fn generation(&self, name: &str) -> u64 {
        self.status(name).and_then(|status| status.generation).unwrap()
    }

    /// Asks about the token of an exchange.
    pub(crate) async fn exchange(&self) -> Result<Claims, ClaimsRefusal> {
        self.plugins.claims(&exchange()).await
    }

    /// The claims of the token of an exchange.
    pub(crate) async fn claims(&self) -> Value {
        Value::Object(self.exchange().await.unwrap().claims)
    }
}

/// The token of an exchange, on behalf of a customer with a ticket.
pub(crate) fn exchange() -> PluginIssuance<'static> {
    PluginIssuance {
        kind: TokenKind::AccessToken,
        grant_type: EXCHANGE,
        application: "spa",
        resource: Some(API),
        token: r#"{"kind":"AccessToken"}"#.into(),
        context: Context {
            grant: Some(Grant {
                grant_type: EXCHANGE.into(),
                subject_token_context: Some(r#"{"ticketId":"T-1"}"#.into()),
            }),
            user: Some(r#"{"id":"customer","roles":[{"name":"customer"}]}"#.into()),
            ..Context::default()
        },
        request_id: Some("request-1".to_owned()),
    }
}

/// A plugin that sets `version`.
pub(crate) fn version(number: u32) -> String {
    format!("export const getCustomJwtClaims = () => ({{ version: {number} }});\n")
}

pub(crate) fn is(status: &PluginStatus, state: State) -> bool {
    status.state == state
}

/// Options under which uploads are compiled by the real binary.
pub(crate) fn compiler_options() -> PluginsOptions {
    let compiler = CompilerOptions { program: env!("CARGO_BIN_EXE_claimsmith").into(), ..CompilerOptions::default() };
    PluginsOptions { compiler, cache_dir: Some(plugin_cache()), ..PluginsOptions::new(PathBuf::new()) }
}

/// A plugin without settings and cases.
pub(crate) fn upload(language: Language, bytes: impl Into<Vec<u8>>) -> Upload {
    Upload { source: Source::new("tickets", language, bytes.into()), manifest: None, cases: None }
}

pub(crate) fn document(file: &str, text: &str) -> UploadedText {
    UploadedText { file: file.to_owned(), text: text.to_owned() }
}

/// Shared by all tests.
fn plugin_cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugin-cache")
}
