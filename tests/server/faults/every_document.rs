//! An unreadable document in each column that has documents: whatever it is, the server starts, issues tokens and lists
//! everything, and `claimsmith doctor` finds and repairs it.

use super::documents::deep;
use crate::upgrade::Upgraded;
use claimsmith_storage::doctor;
use claimsmith_storage::plugins;
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_test_support::{Home, TestServer, both};
use serde_json::value::RawValue;
use sqlx::types::Json;
use std::sync::Arc;

/// Rows of the tables that are empty in the database this begins with. Nothing in it ends before the test.
const MORE_ROWS: [&str; 12] = [
    "INSERT INTO passkeys (id, user_id, credential_id, credential, is_synced, created_at) \
     SELECT 'passkey', id, 'c', '{}', FALSE, 1 FROM users WHERE username = 'keeper'",
    "INSERT INTO hook_receivers (id, token, status, created_at, expires_at) \
     VALUES ('receiver', 't', 200, 1, 4102444800000)",
    "INSERT INTO hook_receiver_requests (id, receiver_id, received_at, headers, body, status) \
     VALUES ('request', 'receiver', 1, '{}', '', 200)",
    "INSERT INTO application_sign_in_experiences (application_id, settings) \
     SELECT MIN(application_id), '{}' FROM grants",
    "INSERT INTO custom_profile_fields (id, name, type, label, required, config, created_at, sie_order) \
     VALUES ('field', 'f', 'Text', 'F', FALSE, '{}', 1, 1)",
    "INSERT INTO sso_identities (id, user_id, sso_connector_id, issuer, identity_id, created_at, updated_at) \
     SELECT 'identity', users.id, sso_connectors.id, 'https://id.test', 'i', 1, 1 \
     FROM users, sso_connectors WHERE users.username = 'keeper'",
    "INSERT INTO email_templates (id, language_tag, template_type, details, created_at) \
     VALUES ('template', 'en', 'SignIn', '{}', 1)",
    "INSERT INTO pushed_requests (hash, application_id, parameters, expires_at) \
     SELECT 'pushed', MIN(application_id), '{}', 4102444800000 FROM grants",
    "INSERT INTO device_authorizations \
     (id, hash, user_code_hash, application_id, request, poll_interval, created_at, expires_at) \
     SELECT 'device', 'h', 'u', MIN(application_id), '{}', 5, 1, 4102444800000 FROM grants",
    "INSERT INTO verification_records (id, user_id, type, created_at, expires_at) \
     SELECT 'record', id, 'Password', 1, 4102444800000 FROM users WHERE username = 'keeper'",
    "INSERT INTO plugin_recordings (id, plugin_name, options, wanted, ends_at, expires_at, created_by, created_at) \
     VALUES ('recording', 'p', '{}', 1, 4102444800000, 4102444800000, 'c', 1)",
    "INSERT INTO plugin_population_runs \
     (id, plugin_name, version, application_id, options, state, total, wanted, created_by, created_at, expires_at) \
     SELECT 'run', MIN(name), 1, 'a', '{}', 'complete', 1, 1, 'c', 1, 4102444800000 FROM plugins",
];

/// How many columns there are, each with a row: no column is left out.
const COLUMNS: usize = 48;

/// The key of a row.
fn key(table: &str) -> &'static str {
    match table {
        "issuances" => "jti",
        "signing_keys" => "kid",
        "plugins" => "name",
        "plugin_versions" => "plugin_name || '/' || id",
        "application_sign_in_experiences" => "application_id",
        "custom_phrases" => "language_tag",
        "authorization_codes" | "refresh_tokens" | "pushed_requests" => "hash",
        _ => "id",
    }
}

/// Puts a document that cannot be read into a row of this column, which the demo's applications and users do not need;
/// answers the row's key.
async fn spoil(server: &TestServer, (table, column): (&str, &str)) -> String {
    let (key, demo) = (key(table), server.demo());
    let mut tx = server.begin().await;
    let keys: &'static str = format!("SELECT {key} FROM {table} ORDER BY 1").leak();
    let keys: Vec<(String,)> = tx.sql(keys).all().await.unwrap();
    let needed = [
        &*demo.customer_user_id,
        &*demo.engineer_user_id,
        &*demo.web_client_id,
        &*demo.spa_client_id,
        &*server.machine().client_id,
        // Written anew at each start.
        "claimsmith-cli",
        "claimsmith-console",
    ];
    let other = keys.into_iter().find(|(id,)| !needed.contains(&id.as_str()));
    let (id,) = other.ok_or_else(|| format!("{table} has no other row")).unwrap();
    let update: &'static str = format!("UPDATE {table} SET {column} = $1 WHERE {key} = $2").leak();
    let document = Json(RawValue::from_string(deep()).unwrap());
    assert_eq!(tx.sql(update).bind(document).bind(&id).execute().await.unwrap(), 1, "{update}");
    if table == "users" {
        tx.sql("UPDATE users SET revision = revision + 1 WHERE id = $1").bind(&id).execute().await.unwrap();
    }
    revisions::bump(&mut tx, Changed::All).await.unwrap();
    plugins::begin_change(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    id
}

/// What a server is asked that has such rows: readiness, a token of somebody else, the keys, and every list.
async fn ask(upgraded: &Upgraded, after: &str) {
    let server = &upgraded.server;
    let management = server.management().await;
    let of_user = format!("/api/users/{}", upgraded.held("userId"));
    let of_hook = format!("/api/hooks/{}", upgraded.held("hookId"));
    for list in [
        "/api/users",
        "/api/roles",
        "/api/resources",
        "/api/applications",
        "/api/organizations",
        "/api/organization-roles",
        "/api/organization-scopes",
        "/api/organization-invitations",
        "/api/hooks",
        "/api/hook-receivers",
        "/api/hook-receivers/receiver/requests",
        "/api/plugins",
        "/api/connectors",
        "/api/sso-connectors",
        "/api/email-templates",
        "/api/custom-profile-fields",
        "/api/custom-phrases",
        "/api/sign-in-exp",
        "/api/account-center",
        "/api/.well-known/sign-in-exp",
        "/api/configs/jwt-customizer",
        "/api/configs/oidc/private-keys",
        "/api/subject-tokens",
        "/api/one-time-tokens",
        "/api/issuances",
        "/api/logs",
        "/api/impersonations",
        &of_user,
        &format!("{of_user}/sessions"),
        &format!("{of_user}/grants"),
        &format!("{of_user}/mfa-verifications"),
        &format!("{of_user}/organizations"),
        &of_hook,
        &format!("{of_hook}/deliveries"),
        &format!("{of_hook}/recent-logs"),
        "/oidc/jwks",
    ] {
        let answer = management.get(list).await;
        assert_eq!(answer.status, 200, "after {after}: {list}: {:#}", answer.body);
    }
    let there = server.get("/api/status").await;
    assert_eq!(there.status, 204, "after {after}: {:#}", there.body);
    let issued = server.exchange(&server.customer_token().await).send().await;
    assert_eq!(issued.status, 200, "after {after}: {:#}", issued.body);
}

both!(one_in_every_column_costs_no_list_no_token_and_no_start, async |home: Arc<Home>| {
    let upgraded = Upgraded::newest(&home).await;
    let mut tx = upgraded.server.begin().await;
    for row in MORE_ROWS {
        assert_eq!(tx.sql(row).execute().await.unwrap(), 1, "{row}");
    }
    tx.commit().await.unwrap();
    let mut spoiled = Vec::new();
    for (table, column) in doctor::columns() {
        let id = spoil(&upgraded.server, (table, column)).await;
        ask(&upgraded, &format!("{table}.{column}")).await;
        spoiled.push(format!("{table} {id} {column}: nested deeper than "));
    }
    assert_eq!(spoiled.len(), COLUMNS);

    let upgraded = upgraded.again(&home).await;
    ask(&upgraded, "a restart with all of them").await;
    let (code, told) = upgraded.run(&home, &["doctor", "--offline"]).await;
    assert_eq!(code, Some(2), "{told}");
    for document in &spoiled {
        assert!(told.contains(document), "{document} in:\n{told}");
    }
    assert!(told.contains(&format!("{COLUMNS} documents cannot be read")), "{told}");
    let (code, told) = upgraded.run(&home, &["doctor", "--repair"]).await;
    assert_eq!(code, Some(0), "{told}");
    let (code, told) = upgraded.run(&home, &["doctor", "--offline"]).await;
    assert_eq!((code, told.contains("Every stored document can be read.\n")), (Some(0), true), "{told}");
    ask(&upgraded, "the repair").await;
    let upgraded = upgraded.again(&home).await;
    ask(&upgraded, "the repair and a restart").await;
});
