//! Changes while a plugin runs: no token is issued on outdated authorization data
//! (`docs/decisions/single-use-and-commit-order.md`).
//!
//! Two plugins: the first one's line in the log says that the second one, which takes its time, is running.

use crate::{BINARY, mint};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::grant::token_exchange::PERSONAL_ACCESS_TOKEN_TYPE;
use claimsmith_domain::id::{OrganizationId, UserId};
use claimsmith_services::tokens;
use claimsmith_storage::issuing::subject_tokens;
use claimsmith_storage::{Db, applications, organizations, roles, users};
use claimsmith_test_support::seed::{new_application, new_organization, new_user};
use claimsmith_test_support::{Answer, Home, Process, both};
use serde_json::json;
use std::slice::from_ref;
use std::sync::Arc;
use tokio::task::JoinHandle;

/// How long the slow plugin takes: until its deadline, after which the token is issued without it.
const SLOW: &str = "on_error = \"skip\"\n[limits]\ndeadline_ms = 1500\n";
const EXCHANGES: &str = "grant_types = [\"urn:ietf:params:oauth:grant-type:token-exchange\"]\n";

/// A server with the two plugins.
async fn start(home: &Home) -> Process {
    let write = |name: &str, text: &str| std::fs::write(home.plugins_dir().join(name), text).unwrap();
    write(
        "announce.js",
        "export const getCustomJwtClaims = () => { console.log('the slow one is next'); return {}; };",
    );
    write("announce.toml", &format!("order = 1\n{EXCHANGES}"));
    write("slow.js", "export const getCustomJwtClaims = () => { for (;;) {} };");
    write("slow.toml", &format!("order = 2\n{EXCHANGES}{SLOW}"));
    let changes = [("CLAIMSMITH_PLUGINS_DEADLINE_MS", "5000"), ("CLAIMSMITH_PLUGINS_BUDGET_MS", "10000")];
    let server = Process::start(BINARY, home, &changes).await.unwrap();
    // No token waits for one that may be skipped.
    server.stderr.wait_for("plugin serves plugin=\"slow\"").await;
    server
}

/// An exchange that is held up by the slow plugin when this returns.
async fn exchange(server: &Process, subject_token: &str) -> JoinHandle<Result<Answer, reqwest::Error>> {
    let request = server.exchange(subject_token).with("scope", "resource:read resource:write").request();
    let running = tokio::spawn(Answer::try_of(request));
    server.stderr.wait_for("the slow one is next").await;
    running
}

async fn is_unused(db: &Db, subject_token: &str) -> bool {
    let mut tx = db.read().await.unwrap();
    let stored = subject_tokens::find_by_hash(&mut tx, &tokens::hash(subject_token)).await.unwrap().unwrap();
    stored.consumed_at.is_none()
}

both!(a_user_who_is_suspended_gets_no_token, async |home: Arc<Home>| {
    let (server, db) = (start(&home).await, home.db().await);
    let token = server.customer_token().await;
    let running = exchange(&server, &token).await;
    let mut tx = db.begin().await.unwrap();
    users::set_suspended(&mut tx, &server.demo().customer_user_id, true, 0).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    running.await.unwrap().unwrap().expect_oauth_error(400, "invalid_request");
    assert!(is_unused(&db, &token).await);
    db.close().await;
});

both!(an_actor_who_is_suspended_stands_in_no_token, async |home: Arc<Home>| {
    let (server, db) = (start(&home).await, home.db().await);
    let (engineer, token) = (&server.demo().engineer_user_id, server.customer_token().await);
    let actor = mint(&home, engineer, &server.demo().spa_client_id).await;
    let request = server.exchange(&token).actor(&actor).request();
    let running = tokio::spawn(Answer::try_of(request));
    server.stderr.wait_for("the slow one is next").await;
    let mut tx = db.begin().await.unwrap();
    users::set_suspended(&mut tx, engineer, true, 0).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    running.await.unwrap().unwrap().expect_oauth_error(400, "invalid_request");
    assert!(is_unused(&db, &token).await);
    db.close().await;
});

both!(a_revoked_token_of_an_actor_stands_for_nobody, async |home: Arc<Home>| {
    let (server, db) = (start(&home).await, home.db().await);
    let (spa, token) = (&server.demo().spa_client_id, server.customer_token().await);
    let actor = mint(&home, &server.demo().engineer_user_id, spa).await;
    let running = tokio::spawn(Answer::try_of(server.exchange(&token).actor(&actor).request()));
    server.stderr.wait_for("the slow one is next").await;
    let revocation = server.form("/oidc/token/revocation").with("token", &actor).with("client_id", spa);
    revocation.send().await.expect(200);
    running.await.unwrap().unwrap().expect_oauth_error(400, "invalid_request");
    assert!(is_unused(&db, &token).await);
    server.exchange(&token).send().await.expect(200);
    db.close().await;
});

both!(an_application_that_is_deleted_gets_no_token, async |home: Arc<Home>| {
    let (server, db) = (start(&home).await, home.db().await);
    let token = server.customer_token().await;
    let running = exchange(&server, &token).await;
    let mut tx = db.begin().await.unwrap();
    assert!(applications::delete(&mut tx, &server.demo().spa_client_id).await.unwrap());
    tx.commit().await.unwrap();
    running.await.unwrap().unwrap().expect_oauth_error(401, "invalid_client");
    assert!(is_unused(&db, &token).await);
    db.close().await;
});

both!(a_role_that_is_taken_away_is_not_granted, async |home: Arc<Home>| {
    let (server, db) = (start(&home).await, home.db().await);
    let customer = &server.demo().customer_user_id;
    let running = exchange(&server, &server.customer_token().await).await;
    let mut tx = db.begin().await.unwrap();
    for role in roles::of_user(&mut tx, customer).await.unwrap() {
        tx.sql("DELETE FROM user_roles WHERE user_id = $1 AND role_id = $2")
            .bind(customer)
            .bind(role.id)
            .execute()
            .await
            .unwrap();
    }
    users::touch(&mut tx, customer).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(running.await.unwrap().unwrap().expect(200)["scope"], "");
    db.close().await;
});

both!(a_personal_token_that_is_revoked_gives_nothing, async |home: Arc<Home>| {
    let (server, db) = (start(&home).await, home.db().await);
    let user = &server.demo().customer_user_id;
    let path = format!("/api/users/{user}/personal-access-tokens");
    let made = server.management().await.post(&path, json!({ "name": "laptop" })).await.expect(201);
    let form = server.exchange(&made.text("value")).with("subject_token_type", PERSONAL_ACCESS_TOKEN_TYPE);
    let running = tokio::spawn(Answer::try_of(form.request()));
    server.stderr.wait_for("the slow one is next").await;
    server.management().await.delete(&format!("{path}/laptop")).await.expect(204);
    running.await.unwrap().unwrap().expect_oauth_error(400, "invalid_request");
    db.close().await;
});

both!(what_does_not_concern_the_exchange_does_not_disturb_it, async |home: Arc<Home>| {
    let (server, db) = (start(&home).await, home.db().await);
    let running = exchange(&server, &server.customer_token().await).await;
    let mut tx = db.begin().await.unwrap();
    users::insert(&mut tx, &new_user()).await.unwrap();
    applications::insert(&mut tx, &new_application(ApplicationType::MachineToMachine)).await.unwrap();
    tx.commit().await.unwrap();
    let (application, management) = (&server.demo().web_client_id, server.management().await);
    let change = json!({ "customData": { "logo": "new" } });
    management.patch(&format!("/api/applications/{application}"), change).await.expect(200);
    assert_eq!(running.await.unwrap().unwrap().expect(200)["scope"], "resource:read resource:write");
    assert_eq!(server.stderr.text().matches("the slow one is next").count(), 1, "it ran once");
    db.close().await;
});

/// An organization with these members.
async fn organization(db: &Db, members: &[UserId]) -> OrganizationId {
    let organization = new_organization();
    let mut tx = db.begin().await.unwrap();
    organizations::insert(&mut tx, &organization).await.unwrap();
    organizations::members::add(&mut tx, &organization.id, members).await.unwrap();
    tx.commit().await.unwrap();
    organization.id
}

both!(a_change_of_another_organization_does_not_disturb_it, async |home: Arc<Home>| {
    let (server, db) = (start(&home).await, home.db().await);
    let (customer, engineer) = (&server.demo().customer_user_id, &server.demo().engineer_user_id);
    organization(&db, from_ref(customer)).await;
    let (changed, deleted) = (organization(&db, from_ref(engineer)).await, organization(&db, &[]).await);
    let management = server.management().await;
    let running = exchange(&server, &server.customer_token().await).await;
    let change = json!({ "customData": { "logo": "new" } });
    management.patch(&format!("/api/organizations/{changed}"), change).await.expect(200);
    management.delete(&format!("/api/organizations/{deleted}")).await.expect(204);
    assert_eq!(running.await.unwrap().unwrap().expect(200)["scope"], "resource:read resource:write");
    assert_eq!(server.stderr.text().matches("the slow one is next").count(), 1, "it ran once");
    db.close().await;
});

both!(a_change_of_an_organization_of_the_user_is_seen, async |home: Arc<Home>| {
    let (server, db) = (start(&home).await, home.db().await);
    let id = organization(&db, from_ref(&server.demo().customer_user_id)).await;
    let management = server.management().await;
    let running = exchange(&server, &server.customer_token().await).await;
    let change = json!({ "customData": { "plan": "gold" } });
    management.patch(&format!("/api/organizations/{id}"), change).await.expect(200);
    assert_eq!(running.await.unwrap().unwrap().expect(200)["scope"], "resource:read resource:write");
    assert_eq!(server.stderr.text().matches("the slow one is next").count(), 2, "it was decided again");
    db.close().await;
});

both!(a_deleted_organization_gives_no_token, async |home: Arc<Home>| {
    let (server, db) = (start(&home).await, home.db().await);
    let id = organization(&db, from_ref(&server.demo().customer_user_id)).await;
    let (management, token) = (server.management().await, server.customer_token().await);
    let request = server.exchange(&token).with("organization_id", id.as_str()).request();
    let running = tokio::spawn(Answer::try_of(request));
    server.stderr.wait_for("the slow one is next").await;
    management.delete(&format!("/api/organizations/{id}")).await.expect(204);
    running.await.unwrap().unwrap().expect_oauth_error(403, "access_denied");
    assert!(is_unused(&db, &token).await);
    db.close().await;
});

both!(a_change_of_the_application_itself_is_seen, async |home: Arc<Home>| {
    let (server, db) = (start(&home).await, home.db().await);
    let running = exchange(&server, &server.customer_token().await).await;
    let change = json!({ "customData": { "plan": "gold" } });
    let path = format!("/api/applications/{}", server.demo().spa_client_id);
    server.management().await.patch(&path, change).await.expect(200);
    assert_eq!(running.await.unwrap().unwrap().expect(200)["scope"], "resource:read resource:write");
    assert_eq!(server.stderr.text().matches("the slow one is next").count(), 2, "it was decided again");
    db.close().await;
});

both!(a_server_that_dies_then_leaves_the_token_unused, async |home: Arc<Home>| {
    let (mut server, db) = (start(&home).await, home.db().await);
    let token = server.customer_token().await;
    let running = exchange(&server, &token).await;
    server.kill().await;
    assert!(running.await.unwrap().is_err());
    assert!(is_unused(&db, &token).await);
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    server.exchange(&token).send().await.expect(200);
    server.exchange(&token).send().await.expect_oauth_error(400, "invalid_request");
    db.close().await;
});
