//! A server answers before its plugins are loaded, says so, and issues no token without a plugin that it needs.

use crate::BINARY;
use claimsmith::server::Server;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::random::Random;
use claimsmith_services::supervisor::Tasks;
use claimsmith_test_support::{Answer, Api, CommandOutput, Home, Kind, Process, TOKEN_EXCHANGE, both, in_time, until};
use serde_json::{Value, json};
use std::fs;
use std::ops::Deref;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A server whose compiler waits until a gate is opened.
struct GatedServer {
    api: Api,
    server: Server,
    tasks: Tasks,
    gate: PathBuf,
    /// Has a file for each compiler, with the id of its process as its name.
    compilers: PathBuf,
}

impl GatedServer {
    async fn start(home: &Arc<Home>) -> Self {
        let path = |name: &str| home.folder().join(name);
        let (gate, compilers, compiler) = (path("gate"), path("compilers"), path("compiler"));
        fs::create_dir_all(&compilers).unwrap();
        let script = format!(
            "#!/bin/sh\n: >'{}'/$$\nuntil [ -e '{}' ]; do sleep 0.02; done\nexec '{BINARY}' \"$@\"\n",
            compilers.display(),
            gate.display(),
        );
        fs::write(&compiler, script).unwrap();
        fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
        let mut config = home.config(&[]);
        config.plugins.compiler = Some(compiler);
        let (tasks, data_dir) = (Tasks::default(), config.data_dir.clone());
        let started = Server::start(config, (Clock::system(), Random::system()), &tasks, None);
        let server = Box::pin(started).await.unwrap();
        let api = Api::new(server.listen, home.report(&data_dir).unwrap());
        Self { api, server, tasks, gate, compilers }
    }

    /// The ids of the compilers that were started, once there are so many.
    async fn compilers(&self, count: usize) -> Vec<String> {
        let names = || fs::read_dir(&self.compilers).unwrap().map(|entry| entry.unwrap().file_name());
        let found = async || {
            let ids: Vec<_> = names().map(|name| name.into_string().unwrap()).collect();
            (ids.len() >= count).then_some(ids)
        };
        until("compilers", found).await
    }

    fn open(&self) {
        fs::write(&self.gate, "").unwrap();
    }

    /// The token of an exchange.
    async fn exchanged(&self, subject_token: &str) -> Answer {
        self.exchange(subject_token).send().await
    }

    /// Waits until it says that this many plugins are missing.
    async fn until_missing(&self, said: &str) -> Answer {
        let asked =
            async || Some(self.get("/api/status").await).filter(|answer| answer.body.to_string().contains(said));
        until("the reason", asked).await
    }

    async fn until_ready(&self) {
        until("readiness", async || (self.get("/api/status").await.status == 204).then_some(())).await;
    }

    async fn claims(&self, answer: Answer) -> Value {
        self.verify(&answer.expect(200).text("access_token"), &self.demo().resource).await.claims
    }

    async fn stop(self) {
        let Self { server, tasks, .. } = self;
        let db = server.app.db.clone();
        drop(server);
        in_time("the end", tasks.drain(Duration::from_mins(1))).await.unwrap();
        db.close().await;
    }
}

impl Deref for GatedServer {
    type Target = Api;

    fn deref(&self) -> &Api {
        &self.api
    }
}

/// Puts a plugin for exchanges into the folder that no cache knows.
fn put(home: &Home, name: &str, source: &str, more: &str) {
    let folder = home.plugins_dir();
    fs::write(folder.join(format!("{name}.js")), format!("// {}\n{source}\n", home.folder().display())).unwrap();
    fs::write(folder.join(format!("{name}.toml")), format!("grant_types = [\"{TOKEN_EXCHANGE}\"]\n{more}")).unwrap();
}

both!(no_token_is_issued_without_a_plugin_that_is_not_loaded_yet, async |home: Arc<Home>| {
    put(&home, "guard", "export const getCustomJwtClaims = () => ({ guarded: true });", "");
    let server = GatedServer::start(&home).await;
    let answer = server.until_missing("1 mandatory plugin is not loaded yet").await;
    answer.expect_api_error(503, "server.not_ready");
    assert!(answer.header("retry-after").is_some(), "{answer:?}");

    // What needs no plugin is answered: keys, discovery, pages, and tokens for the Management API.
    for path in ["/oidc/jwks", "/oidc/.well-known/openid-configuration", "/"] {
        server.get(path).await.expect(200);
    }
    let subject_token = server.customer_token().await;
    let management = server.management().await;
    assert_eq!(management.get("/api/plugins").await.expect(200).body[0]["state"], "loading");

    for _ in 0..2 {
        let refused = server.exchanged(&subject_token).await;
        refused.expect_oauth_error(503, "temporarily_unavailable");
        assert!(refused.header("retry-after").is_some(), "{refused:?}");
    }

    server.open();
    server.until_ready().await;
    // The subject token was not used.
    assert_eq!(server.claims(server.exchanged(&subject_token).await).await["guarded"], true);
    assert_eq!(management.get("/api/plugins").await.expect(200).body[0]["state"], "active");
    server.stop().await;
});

both!(a_mandatory_plugin_that_does_not_compile_refuses_its_tokens_and_not_readiness, async |home: Arc<Home>| {
    put(&home, "guard", "export const getCustomJwtClaims = () => ({", "");
    let server = GatedServer::start(&home).await;
    server.open();
    server.until_ready().await;
    let refused = server.exchanged(&server.customer_token().await).await;
    refused.expect_oauth_error(500, "server_error");
    server.stop().await;
});

both!(a_plugin_that_may_be_skipped_keeps_no_server_unready, async |home: Arc<Home>| {
    put(&home, "extra", "export const getCustomJwtClaims = () => ({ extra: 1 });", "on_error = \"skip\"\n");
    let server = GatedServer::start(&home).await;
    server.until_ready().await;
    let claims = server.claims(server.exchanged(&server.customer_token().await).await).await;
    assert_eq!(claims["extra"], json!(null));
    server.open();
    until("the plugin", async || {
        let claims = server.claims(server.exchanged(&server.customer_token().await).await).await;
        (claims["extra"] == 1).then_some(())
    })
    .await;
    server.stop().await;
});

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_compiled_already_does_not_wait_for_what_is_not() {
    let home = Home::new(Kind::Sqlite).await;
    put(&home, "known", "export const getCustomJwtClaims = () => ({ known: true });", "on_error = \"skip\"\n");
    let server = GatedServer::start(&home).await;
    server.open();
    in_time("the plugin", server.server.loaded()).await.unwrap();
    fs::remove_file(&server.gate).unwrap();
    server.stop().await;

    put(&home, "another", "export const getCustomJwtClaims = () => ({ another: true });", "");
    let server = GatedServer::start(&home).await;
    server.until_missing("1 mandatory plugin is not loaded yet").await;
    let states = async || {
        let list = server.management().await.get("/api/plugins").await.expect(200).body;
        let states = list.as_array().unwrap().iter().map(|plugin| (plugin["name"].clone(), plugin["state"].clone()));
        let states: Vec<_> = states.collect();
        (states == [(json!("another"), json!("loading")), (json!("known"), json!("active"))]).then_some(())
    };
    until("the one that is in the cache", states).await;
    // A token that both apply to waits for both.
    let refused = server.exchanged(&server.customer_token().await).await;
    refused.expect_oauth_error(503, "temporarily_unavailable");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plugins_are_compiled_beside_each_other() {
    let home = Home::new(Kind::Sqlite).await;
    for name in ["a", "b"] {
        put(&home, name, &format!("export const getCustomJwtClaims = () => ({{ {name}: true }});"), "");
    }
    let server = GatedServer::start(&home).await;
    let cores = std::thread::available_parallelism().unwrap().get();
    server.compilers(cores.min(2)).await;
    server.open();
    server.until_ready().await;
    let claims = server.claims(server.exchanged(&server.customer_token().await).await).await;
    assert_eq!((&claims["a"], &claims["b"]), (&json!(true), &json!(true)));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_compiles_stops_at_once_and_leaves_no_compiler() {
    let home = Home::new(Kind::Sqlite).await;
    put(&home, "guard", "export const getCustomJwtClaims = () => ({ guarded: true });", "");
    let server = GatedServer::start(&home).await;
    let ids = server.compilers(1).await;
    // The gate stays closed.
    server.stop().await;
    for id in ids {
        let process = Path::new("/proc").join(id);
        until("the end of the compiler", async || (!process.exists()).then_some(())).await;
    }
}

#[tokio::test]
async fn an_address_in_use_is_said_before_anything_is_written() {
    let (home, other) = (Home::new(Kind::Sqlite).await, Home::new(Kind::Sqlite).await);
    let first = Process::start(BINARY, &home, &[]).await.unwrap();
    let taken = first.origin.trim_start_matches("http://").to_owned();
    let output = Process::run(BINARY, &other, &[("CLAIMSMITH_LISTEN", &taken)], &["serve"]).await;
    let text = CommandOutput::from(output).fails(1);
    assert!(text.contains("cannot listen on"), "{text}");
    assert!(!other.data_dir().join("claimsmith.db").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_is_told_to_stop_while_it_compiles() {
    let home = Home::new(Kind::Sqlite).await;
    // Keeps its compiler busy for as long as top-level code may run.
    put(&home, "guard", "export const getCustomJwtClaims = () => ({});\nfor (;;);", "");
    let mut server = Process::listening(BINARY, &home, &[]).await.unwrap();
    assert_eq!(server.status().await, Some(503));
    let text = String::from_utf8(Process::run(BINARY, &home, &[], &["health"]).await.stderr).unwrap();
    assert!(text.contains("is not ready") || text.is_empty(), "{text}");
    assert!(server.terminate().await.success(), "{}", server.stderr.text());
}
