//! A rotation of the encryption key by the steps of `docs/encryption.md`: with something pending of every kind, and beside
//! people and machines that change what is encrypted.

mod outside;
mod pending;

use super::{factors, give, policy};
use crate::browser::{Browser, user};
use claimsmith_identity::rekey::protected_columns;
use claimsmith_storage::Dialect;
use claimsmith_storage::signing_keys;
use claimsmith_test_support::{Home, Mailed, Process, TestServer, both};
use pending::Pending;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::task::JoinSet;

/// The command under test.
const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith");
const KEY: &str = "CLAIMSMITH_ENCRYPTION_KEY";
const PREVIOUS: &str = "CLAIMSMITH_ENCRYPTION_PREVIOUS_KEYS";
const OLD: &str = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
const NEW: &str = "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=";

async fn start(home: &Arc<Home>, keys: &[(&str, &str)]) -> TestServer {
    let own = [("CLAIMSMITH_WEBHOOKS_POLL_MS", "20"), ("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")];
    TestServer::start(home, &[&own[..], keys].concat()).await.unwrap()
}

/// Runs `claimsmith keys rekey`; answers what it says.
async fn rekey(home: &Home, keys: &[(&str, &str)]) -> String {
    let done = Process::run(BINARY, home, keys, &["keys", "rekey"]).await;
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// How everything begins that the current key encrypts: the signing key was just encrypted under it.
async fn prefix(server: &TestServer) -> String {
    signing_keys::all(&mut server.begin().await).await.unwrap()[0].sealed_private[..5].to_owned()
}

/// The columns of the database in which there is a ciphertext or a keyed digest that begins so.
async fn columns_with(server: &TestServer, prefix: &str) -> BTreeSet<(String, String)> {
    let mut tx = server.begin().await;
    let columns: Vec<(String, String)> = match tx.dialect() {
        Dialect::Sqlite => tx.sql(
            "SELECT tables.name, columns.name FROM sqlite_master tables \
             JOIN pragma_table_info(tables.name) columns WHERE tables.type = 'table'",
        ),
        Dialect::Postgres => tx.sql(
            "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT) FROM information_schema.columns \
             WHERE table_schema = current_schema() AND data_type IN ('text', 'jsonb')",
        ),
    }
    .all()
    .await
    .unwrap();
    let mut found = BTreeSet::new();
    for (table, column) in columns {
        let text = format!("CAST(\"{column}\" AS TEXT)");
        let sql: &'static str = format!("SELECT {text} FROM \"{table}\" WHERE {text} LIKE '%{prefix}%'").leak();
        let values: Vec<(String,)> = tx.sql(sql).all().await.unwrap();
        let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
        let is_ours = |word: &str| word.len() >= 48 && word.starts_with(prefix);
        if values.iter().any(|(value,)| value.split(|c| !is_base64(c)).any(is_ours)) {
            found.insert((table, column));
        }
    }
    found
}

fn named<'n>(columns: impl IntoIterator<Item = (&'n str, &'n str)>) -> BTreeSet<(String, String)> {
    columns.into_iter().map(|(table, column)| (table.to_owned(), column.to_owned())).collect()
}

both!(what_is_pending_outlives_a_rotation_of_the_encryption_key, async |home: Arc<Home>| {
    let Mailed { server, inbox } = Mailed::start(&home, &[(KEY, OLD)]).await;
    let mut pending = Pending::fill(&server, &inbox).await;
    let old = prefix(&server).await;
    let listed = named(protected_columns());
    assert_eq!(columns_with(&server, &old).await, listed, "the table lists every column, and this test fills it");
    server.stop().await;

    let keys = [(KEY, NEW), (PREVIOUS, OLD)];
    let server = start(&home, &keys).await;
    let said = rekey(&home, &keys).await;
    assert!(said.contains("1 verification codes need a previous key until "), "{said}");
    assert!(said.contains("1 invitations that an earlier version sent need a previous key until "), "{said}");
    assert!(said.contains("for 12 hours after the last node"), "{said}");
    let digests = named([("verification_codes", "digest")]);
    assert_eq!(columns_with(&server, &old).await, digests);
    let new = prefix(&server).await;
    assert_ne!(old, new);
    assert_eq!(columns_with(&server, &new).await, &listed - &digests);
    assert!(rekey(&home, &keys).await.starts_with("0 secrets were encrypted again"));
    pending.check_while_the_old_key_is_kept(&server).await;
    let said = rekey(&home, &keys).await;
    assert!(!said.contains("need a previous key"), "{said}");
    server.stop().await;

    let server = start(&home, &[(KEY, NEW)]).await;
    pending.check(&server).await;
});

/// Machines that change one thing again and again, until they are told to stop; each answers what was acknowledged last.
struct Load {
    stop: Arc<AtomicBool>,
    done: JoinSet<()>,
}

impl Load {
    fn begin() -> Self {
        Self { stop: Arc::default(), done: JoinSet::new() }
    }

    fn add<F: Future<Output = ()> + Send + 'static>(&mut self, change: impl Fn(usize) -> F + Send + Sync + 'static) {
        let stop = Arc::clone(&self.stop);
        self.done.spawn(async move {
            let mut number = 0;
            while !stop.load(Ordering::Relaxed) {
                number += 1;
                change(number).await;
            }
            assert!(number > 1, "it changed next to nothing");
        });
    }

    async fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.done.join_all().await;
    }
}

both!(a_rotation_of_the_encryption_key_undoes_no_change, async |home: Arc<Home>| {
    let server = start(&home, &[(KEY, OLD)]).await;
    policy(&server, "UserControlled", &["Totp", "BackupCode"]).await;
    let management = server.management().await;
    let hook = json!({ "events": ["Role.Created"], "config": { "url": "http://127.0.0.1:9" } });
    let mut hooks = Vec::new();
    for _ in 0..2 {
        hooks.push(format!("/api/hooks/{}", management.post("/api/hooks", hook.clone()).await.expect(201).text("id")));
    }
    let connector = json!({ "connectorId": "http-email", "config": { "endpoint": "https://mail.example.com/0" } });
    let connector = management.post("/api/connectors", connector).await.expect(200).text("id");
    let connector = format!("/api/connectors/{connector}");
    let bob = user(&server, "bob").await;
    let (_, codes) = give(&server, &bob).await;
    server.stop().await;

    let keys = [(KEY, NEW), (PREVIOUS, OLD)];
    let server = start(&home, &keys).await;
    let management = server.management().await;
    let last: Arc<std::sync::Mutex<Vec<Value>>> = Arc::new(vec![Value::Null; 3].into());
    let mut load = Load::begin();
    let paths = [hooks[0].clone(), format!("{}/signing-key", hooks[1]), connector.clone()];
    for (place, path) in paths.into_iter().enumerate() {
        let (management, last) = (management.clone(), Arc::clone(&last));
        load.add(move |number| {
            let (management, last, path) = (management.clone(), Arc::clone(&last), path.clone());
            async move {
                let change = match place {
                    0 => json!({ "name": format!("name {number}") }),
                    1 => Value::Null,
                    _ => json!({ "config": { "endpoint": format!("https://mail.example.com/{number}") } }),
                };
                let changed = management.patch(&path, change).await.expect(200).body;
                last.lock().unwrap()[place] = changed;
            }
        });
    }
    load.add({
        let management = management.clone();
        move |_| {
            let management = management.clone();
            async move {
                let captcha = json!({ "config": { "type": "ProofOfWork" } });
                management.put("/api/captcha-provider", captcha).await.expect(200);
                management.delete("/api/captcha-provider").await.expect(204);
            }
        }
    });
    // There and back: each time there is something to do. On the way back it does not end well, since the server goes on
    // writing under the new key.
    let back = [(KEY, OLD), (PREVIOUS, NEW)];
    for (number, code) in codes.iter().take(8).enumerate() {
        let mut browser = Browser::new(&server).await;
        browser.identified("bob").await;
        let run = async {
            if number % 2 == 0 {
                let said = rekey(&home, &keys).await;
                assert!(!said.starts_with("0 secrets"), "{said}");
            } else {
                Process::run(BINARY, &home, &back, &["keys", "rekey"]).await;
            }
        };
        let ((), used) = tokio::join!(run, browser.backup_code(code));
        used.expect(200);
    }
    load.end().await;

    let last = last.lock().unwrap().clone();
    for (place, path) in [&hooks[0], &hooks[1], &connector].into_iter().enumerate() {
        assert_eq!(management.get(path).await.expect(200).body, last[place], "{path}");
    }
    management.get("/api/captcha-provider").await.expect(404);
    let left = factors(&server, &bob).await;
    assert!(left.contains(&("BackupCode".to_owned(), json!(2))), "{left:?}");
    let mut browser = Browser::new(&server).await;
    browser.identified("bob").await;
    for code in codes.iter().take(8) {
        browser.backup_code(code).await.expect_api_error(400, "session.mfa.invalid_backup_code");
    }
    rekey(&home, &keys).await;
    assert!(columns_with(&server, &prefix(&server).await).await.contains(&("hooks".into(), "signing_key".into())));
    server.stop().await;
    let server = start(&home, &[(KEY, NEW)]).await;
    let management = server.management().await;
    assert_eq!(management.get(&hooks[1]).await.expect(200).body, last[1]);
});

both!(what_cannot_be_decrypted_is_named_and_stops_nothing_else, async |home: Arc<Home>| {
    let server = start(&home, &[(KEY, OLD)]).await;
    let hook = json!({ "events": ["Role.Created"], "config": { "url": "http://127.0.0.1:9" } });
    let management = server.management().await;
    let (lost, kept) = (
        management.post("/api/hooks", hook.clone()).await.expect(201),
        management.post("/api/hooks", hook.clone()).await.expect(201),
    );
    let mut tx = server.begin().await;
    // Moved from another row.
    let spoil = "UPDATE hooks SET signing_key = (SELECT signing_key FROM hooks WHERE id = $1) WHERE id = $2";
    assert_eq!(tx.sql(spoil).bind(kept.text("id")).bind(lost.text("id")).execute().await.unwrap(), 1);
    tx.commit().await.unwrap();
    server.stop().await;

    let keys = [(KEY, NEW), (PREVIOUS, OLD)];
    let done = Process::run(BINARY, &home, &keys, &["keys", "rekey"]).await;
    let said = String::from_utf8(done.stdout).unwrap();
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(
        said.contains(&format!("hooks signing_key {}: the encrypted secret is damaged", lost.text("id"))),
        "{said}"
    );
    let server = start(&home, &[(KEY, NEW)]).await;
    let path = format!("/api/hooks/{}", kept.text("id"));
    assert_eq!(server.management().await.get(&path).await.expect(200).body, kept.body);
});
