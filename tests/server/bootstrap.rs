//! The first start on an empty database, and the bootstrap report.

use crate::BINARY;
use claimsmith_test_support::{Home, Kind, Process, TestServer, both};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

fn read(home: &Home) -> Value {
    serde_json::from_slice(&std::fs::read(home.data_dir().join("bootstrap.json")).unwrap()).unwrap()
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

both!(the_report_holds_what_is_needed_to_begin, async |server: TestServer| {
    let report = read(&server.home);
    assert_eq!(keys(&report), BTreeSet::from(["baseUrl", "demo", "listen", "managementApi"]));
    assert_eq!(keys(&report["managementApi"]), BTreeSet::from(["clientId", "clientSecret", "resource"]));
    let demo = [
        "customerPassword",
        "customerUserId",
        "engineerPassword",
        "engineerUserId",
        "resource",
        "scopes",
        "spaClientId",
        "webClientId",
        "webClientSecret",
    ];
    assert_eq!(keys(&report["demo"]), BTreeSet::from(demo));
    assert_eq!(report["baseUrl"], "http://localhost:3001");
    assert_eq!(format!("http://{}", report["listen"].as_str().unwrap()), server.origin);
    assert_eq!(report["managementApi"]["resource"], "http://localhost:3001/api");
    assert_eq!(report["demo"]["resource"], "https://api.example.com");
    assert_eq!(report["demo"]["scopes"], serde_json::json!(["resource:read", "resource:write"]));
    assert_eq!(mode(&server.home.data_dir().join("bootstrap.json")), 0o600);
    assert_eq!(mode(&server.home.data_dir()), 0o700);

    // Each of them is what it says.
    server.client_credentials().send().await.expect(200);
    server.exchange(&server.customer_token().await).send().await.expect(200);
    let actor = server.mint(&server.demo().engineer_user_id, &server.demo().web_client_id, "openid").await;
    server.exchange(&server.customer_token().await).as_web().actor(&actor).send().await.expect(200);
});

both!(scopes_that_a_newer_version_brings_are_added, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[]).await.unwrap();
    let mut tx = server.begin().await;
    for scope in ["plugins:read", "plugins:grant"] {
        tx.sql("DELETE FROM scopes WHERE name = $1").bind(scope).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
    server.stop().await;

    // Two nodes at once, where two can be.
    let folder = home.folder().join("other");
    let changes = [("CLAIMSMITH_DATA_DIR", folder.to_str().unwrap())];
    let (server, _other) = match home.kind() {
        Kind::Sqlite => (TestServer::start(&home, &[]).await, None),
        Kind::Postgres => {
            let (one, other) = tokio::join!(TestServer::start(&home, &[]), TestServer::start(&home, &changes));
            (one, Some(other.unwrap()))
        }
    };
    let server = server.unwrap();
    let resources = server.management().await.get("/api/resources?includeScopes=true").await.expect(200).body;
    let own = resources.as_array().unwrap().iter().find(|one| one["indicator"] == server.machine().resource).unwrap();
    let names: Vec<_> = own["scopes"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    let expected = claimsmith_domain::management::SCOPES.map(|(name, _)| name);
    assert_eq!(names.iter().copied().collect::<BTreeSet<_>>(), BTreeSet::from(expected));
    assert_eq!(names.len(), expected.len(), "none twice");
    let mut tx = server.begin().await;
    let logs = claimsmith_storage::audit::list_by_key(&mut tx, "Bootstrap", 3).await.unwrap();
    let added: Vec<_> = logs.iter().filter(|log| log.payload["scopes"] != json!([])).collect();
    assert_eq!(added.len(), 1, "{logs:?}");
    assert_eq!(added[0].payload["scopes"], json!(["plugins:read", "plugins:grant"]));
});

both!(an_older_database_gets_the_key_of_id_tokens, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[]).await.unwrap();
    let before = server.get("/oidc/jwks").await.expect(200).body;
    let token = server.management_token().await;
    let mut tx = server.begin().await;
    tx.sql("DELETE FROM signing_keys WHERE algorithm = 'RS256'").execute().await.unwrap();
    tx.commit().await.unwrap();
    server.stop().await;

    let server = TestServer::start(&home, &[]).await.unwrap();
    let after = server.get("/oidc/jwks").await.expect(200).body;
    let of = |keys: &Value, algorithm: &str| -> Vec<Value> {
        keys["keys"].as_array().unwrap().iter().filter(|key| key["alg"] == algorithm).cloned().collect()
    };
    assert_eq!(of(&after, "ES256"), of(&before, "ES256"));
    assert_eq!((after["keys"].as_array().unwrap().len(), of(&after, "RS256").len()), (2, 1));
    assert_ne!(of(&after, "RS256"), of(&before, "RS256"));
    server.bearer(&token).get("/api/plugins").await.expect(200);
    let logs = claimsmith_storage::audit::list_by_key(&mut server.begin().await, "Bootstrap", 2).await.unwrap();
    let mut added: Vec<_> = logs.iter().map(|log| log.payload["signingKeys"].as_array().unwrap().len()).collect();
    added.sort_unstable();
    assert_eq!(added, [1, 2]);
});

both!(a_restart_changes_nothing_but_the_address, async |server: TestServer| {
    let home = server.home.clone();
    let before = read(&home);
    let keys = server.get("/oidc/jwks").await.expect(200).body;
    server.stop().await;
    // A damaged mode is put right.
    let path = home.data_dir().join("bootstrap.json");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();

    let server = TestServer::start(&home, &[]).await.unwrap();
    let mut after = read(&home);
    assert_eq!(format!("http://{}", after["listen"].as_str().unwrap()), server.origin);
    after["listen"] = before["listen"].clone();
    assert_eq!(after, before);
    assert_eq!(mode(&path), 0o600);
    assert_eq!(server.get("/oidc/jwks").await.expect(200).body, keys);
    server.exchange(&server.customer_token().await).send().await.expect(200);
});

both!(secrets_are_shown_once, async |home: Arc<Home>| {
    let mut first = Process::start(BINARY, &home, &[]).await.unwrap();
    let (machine, demo) = (first.machine().clone(), first.demo().clone());
    let (customer, engineer) = (demo.customer_password.unwrap(), demo.engineer_password.unwrap());
    assert!(customer.len() == 16 && engineer.len() == 16 && customer != engineer);
    let application = "Demo application: http://localhost:3001/demo";
    for shown in [
        &*machine.client_id,
        &machine.client_secret,
        &demo.web_client_secret,
        &demo.customer_user_id,
        &format!("user name customer, password {customer}"),
        &format!("user name engineer, password {engineer}"),
        application,
    ] {
        assert!(first.stdout.text().contains(shown), "{}", first.stdout.text());
    }
    assert!(first.terminate().await.success());
    let second = Process::start(BINARY, &home, &[]).await.unwrap();
    for hidden in [&machine.client_secret, &demo.web_client_secret, &customer, &engineer] {
        assert!(!second.stdout.text().contains(hidden), "{}", second.stdout.text());
    }
    assert!(second.stdout.text().contains(application));
    second.client_credentials().send().await.expect(200);
});

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_embedded_database_brings_its_encryption_key() {
    let home = Home::new(claimsmith_test_support::Kind::Sqlite).await;
    let server = TestServer::start(&home, &[]).await.unwrap();
    let path = home.data_dir().join("encryption.key");
    let key = std::fs::read_to_string(&path).unwrap();
    assert_eq!(mode(&path), 0o600);
    server.stop().await;

    let server = TestServer::start(&home, &[]).await.unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), key);
    server.client_credentials().send().await.expect(200);
    server.stop().await;

    std::fs::write(&path, "not a key").unwrap();
    let error = TestServer::start(&home, &[]).await.err().unwrap();
    assert!(format!("{error:#}").contains("encryption.key does not hold 32 bytes"), "{error:#}");
}

claimsmith_test_support::on_postgres!(without_an_encryption_key_postgresql_is_not_served, async |home: Arc<Home>| {
    let told = Process::start(BINARY, &home, &[("CLAIMSMITH_ENCRYPTION_KEY", "")]).await.err().unwrap();
    assert!(told.contains("CLAIMSMITH_ENCRYPTION_KEY must be set"), "{told}");
    assert!(!home.data_dir().join("bootstrap.json").exists());
    Process::start(BINARY, &home, &[]).await.unwrap().client_credentials().send().await.expect(200);
});

both!(an_unreachable_database_is_an_error, async |home: Arc<Home>| {
    let absent = match home.environment(&[]).get("CLAIMSMITH_DATABASE_URL") {
        None => "sqlite:///proc/nothing/claimsmith.db".to_owned(),
        Some(url) => url.replace("/claimsmith_test_", "/claimsmith_absent_"),
    };
    let told = Process::start(BINARY, &home, &[("CLAIMSMITH_DATABASE_URL", &absent)]).await.err().unwrap();
    assert!(told.contains("cannot open the database"), "{told}");
});
