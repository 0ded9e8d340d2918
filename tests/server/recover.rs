//! `claimsmith admin recover --bootstrap`: restores the operator's access to the Management API, and nobody else's.

use crate::BINARY;
use claimsmith_domain::console::ConsoleRole;
use claimsmith_domain::documents::application::{ApplicationType, OidcClientMetadata};
use claimsmith_domain::documents::client_authentication::{AuthMethod, JwkSet};
use claimsmith_domain::id::ApplicationId;
use claimsmith_identity::bootstrap::{BootstrapReport, report};
use claimsmith_services::tokens::Algorithm;
use claimsmith_storage::{Slice, Tx, applications, audit, roles, users};
use claimsmith_test_support::{Answer, ClientKey, Home, Process, TestServer, both, seed};
use serde_json::json;
use std::sync::Arc;

async fn recover(home: &Home) -> BootstrapReport {
    let run = Process::run(BINARY, home, &[], &["admin", "recover", "--bootstrap"]).await;
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let made = report::read(&report::path(&home.data_dir())).unwrap();
    let secret = &made.management_api.as_ref().unwrap().client_secret;
    assert!(!String::from_utf8(run.stdout).unwrap().contains(secret), "the report alone holds the secret");
    made
}

/// Registers a key, and that only assertions are accepted.
async fn register_key(tx: &mut Tx, id: &ApplicationId) {
    let mut application = applications::find(tx, id).await.unwrap().unwrap();
    let metadata = &mut application.oidc_client_metadata.0;
    let key = ClientKey::new(Algorithm::ES256, "k1");
    metadata.jwks = Some(JwkSet { keys: vec![key.jwk.as_object().unwrap().clone()] });
    metadata.token_endpoint_auth_method = Some(AuthMethod::PrivateKeyJwt);
    applications::update(tx, &application).await.unwrap();
}

/// A token request for the Management API.
async fn ask(server: &TestServer, client_id: &str, secret: &str) -> Answer {
    server.client_credentials().basic(client_id, secret).send().await
}

async fn expect_administrator(server: &TestServer, made: &BootstrapReport) {
    let machine = made.management_api.as_ref().unwrap();
    let answer = ask(server, &machine.client_id, &machine.client_secret).await.expect(200);
    assert_eq!(answer["scope"], "all");
    server.bearer(&answer.text("access_token")).get("/api/users").await.expect(200);
}

both!(who_lost_the_secret_gets_another, async |server: TestServer| {
    let before = server.machine().clone();
    let made = recover(&server.home).await;
    let after = made.management_api.clone().unwrap();
    assert_eq!(after.client_id, before.client_id);
    assert_ne!(after.client_secret, before.client_secret);
    assert_eq!(made.demo.as_ref().unwrap().spa_client_id, server.demo().spa_client_id, "the rest of the report stays");
    expect_administrator(&server, &made).await;
    // An administrator's other secrets are used by somebody.
    ask(&server, &before.client_id, &before.client_secret).await.expect(200);
    // And again.
    expect_administrator(&server, &recover(&server.home).await).await;
    let mut tx = server.begin().await;
    let logs = audit::list_by_key(&mut tx, "Admin.Recover", 5).await.unwrap();
    assert_eq!(logs.len(), 2);
    assert_eq!(logs[0].payload["changedApplicationId"], before.client_id.as_str());
    assert_eq!(logs[0].payload["by"], "operator");
});

both!(a_deleted_application_comes_back_as_a_new_one, async |server: TestServer| {
    server.delete_application(&server.machine().client_id).await;
    let made = recover(&server.home).await;
    assert_ne!(made.management_api.as_ref().unwrap().client_id, server.machine().client_id);
    expect_administrator(&server, &made).await;
});

both!(what_was_taken_from_the_application_opens_no_door_for_others, async |server: TestServer| {
    // Before taking rights away was guarded: the role was emptied, and given to others; so was a key of the
    // application.
    let owner = server.machine().clone();
    let (other, others_secret) = server.add_application(ApplicationType::MachineToMachine).await;
    let mut tx = server.begin().await;
    let emptied = roles::find_by_name(&mut tx, "Management API access").await.unwrap().unwrap();
    tx.sql("DELETE FROM role_scopes WHERE role_id = $1").bind(&emptied.id).execute().await.unwrap();
    roles::assign_to_application(&mut tx, &other, &emptied.id).await.unwrap();
    applications::insert_secret(&mut tx, &seed::new_secret(&owner.client_id, "slipped in")).await.unwrap();
    register_key(&mut tx, &owner.client_id).await;
    tx.commit().await.unwrap();

    let made = recover(&server.home).await;
    assert_eq!(made.management_api.as_ref().unwrap().client_id, owner.client_id);
    expect_administrator(&server, &made).await;
    for secret in ["slipped in", owner.client_secret.as_str()] {
        ask(&server, &owner.client_id, secret).await.expect_oauth_error(401, "invalid_client");
    }
    let answer = server.client_credentials().basic(&other, &others_secret).send().await.expect(200);
    assert_eq!(answer.body.get("scope"), None, "nothing was granted");
    let mut tx = server.begin().await;
    let held = roles::holders::list_of_application(&mut tx, &owner.client_id, None, Slice::ALL).await.unwrap();
    assert_eq!(held.len(), 2, "{held:?}");
    let application = applications::find(&mut tx, &owner.client_id).await.unwrap().unwrap();
    assert_eq!(application.oidc_client_metadata.0, OidcClientMetadata::default(), "the key is gone as well");
});

both!(the_new_secret_of_an_administrator_with_a_key_is_accepted, async |server: TestServer| {
    let owner = server.machine().clone();
    let mut tx = server.begin().await;
    register_key(&mut tx, &owner.client_id).await;
    tx.commit().await.unwrap();
    ask(&server, &owner.client_id, &owner.client_secret).await.expect_oauth_error(401, "invalid_client");
    expect_administrator(&server, &recover(&server.home).await).await;
    let mut tx = server.begin().await;
    let application = applications::find(&mut tx, &owner.client_id).await.unwrap().unwrap();
    let metadata = &application.oidc_client_metadata;
    assert!(metadata.has_keys() && metadata.token_endpoint_auth_method.is_none(), "its key stays");
});

both!(an_empty_database_is_not_recovered, async |home: Arc<Home>| {
    let run = Process::run(BINARY, &home, &[], &["admin", "recover", "--bootstrap"]).await;
    assert!(!run.status.success());
    assert!(
        String::from_utf8_lossy(&run.stderr).contains("not set up yet"),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let run = Process::run(BINARY, &home, &[], &["admin", "recover"]).await;
    assert_eq!(run.status.code(), Some(2));
});

both!(a_user_becomes_an_administrator_of_the_console, async |server: TestServer| {
    let id = server.demo().customer_user_id.clone();
    let path = format!("/api/users/{id}");
    let management = server.management().await;
    management.patch(&path, json!({ "primaryEmail": "casey@example.com" })).await.expect(200);
    // The last administrator could not be suspended.
    let role = json!({ "roleIds": [ConsoleRole::Admin.role_id()] });
    management.post(&format!("/api/users/{}/roles", server.add_user().await), role).await.expect(201);
    for wanted in [id.as_str(), "customer", "Casey@Example.com"] {
        let (browser, _) = server.signed_in(&[&id]).await;
        let suspended = json!({ "isSuspended": wanted == "customer" });
        management.patch(&format!("{path}/is-suspended"), suspended).await.expect(200);
        let run = Process::run(BINARY, &server.home, &[], &["admin", "recover", wanted]).await;
        assert!(run.status.success(), "{wanted}: {}", String::from_utf8_lossy(&run.stderr));
        assert!(String::from_utf8_lossy(&run.stdout).contains(id.as_str()), "{wanted}");
        let mut tx = server.begin().await;
        assert!(roles::console::of_user(&mut tx, &id).await.unwrap().has(ConsoleRole::Admin), "{wanted}");
        assert!(!users::find(&mut tx, &id).await.unwrap().unwrap().is_suspended, "{wanted}");
        drop(tx);
        let live = management.get(&format!("{path}/sessions")).await.expect(200).body;
        assert_eq!(live["sessions"], json!([]), "{wanted}: whoever was signed in as them is not");
        drop(browser);
    }
    let mut tx = server.begin().await;
    for key in ["Admin.RecoverUser", "Operator.User.MakeAdministrator"] {
        let logs = audit::list_by_key(&mut tx, key, 5).await.unwrap();
        assert_eq!(logs.len(), 3, "{key}");
        assert_eq!((&logs[0].payload["by"], &logs[0].payload["userId"]), (&json!("operator"), &json!(id)), "{key}");
    }
    drop(tx);
    for refused in [&["admin", "recover", "nobody@example.com"][..], &["admin", "recover", "customer", "--bootstrap"]] {
        let run = Process::run(BINARY, &server.home, &[], refused).await;
        assert!(!run.status.success(), "{refused:?}");
    }
});
