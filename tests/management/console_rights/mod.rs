//! People who administer (`docs/decisions/people-who-administer.md`): what each console role may do over HTTP, what
//! nobody may change, and who is protected from whom.

mod built_in;
mod console;
mod create_and_change;
mod guarded_groups;
mod invitations;
mod last_administrator;
mod protected_users;
mod renaming;
mod roles;
mod sign_in;
mod table;
mod tokens;

use axum::Extension;
use claimsmith_domain::console::{BuiltInClient, ConsoleRole, ConsoleRoles};
use claimsmith_domain::id::UserId;
use claimsmith_domain::random;
use claimsmith_identity::access::administrator::AuthenticatedAdministrator;
use claimsmith_management as management;
use claimsmith_storage::sessions::grants::{self, Grant, GrantedScopes};
use claimsmith_storage::sessions::{self, Session, SessionDetails};
use claimsmith_storage::{Json, roles as stored_roles};
use claimsmith_test_support::{Actor, Api, TestServer};
use tokio::net::TcpListener;

/// All four scopes.
const SCOPES: &str = "console:read console:support console:developer console:admin";
/// A minute, in milliseconds.
const MINUTE: i64 = 60_000;

/// The indicator of the console's resource.
fn resource(server: &TestServer) -> String {
    format!("{}/console", server.report.base_url)
}

/// A new user with these roles, given by the server itself.
async fn person(server: &TestServer, roles: &[ConsoleRole]) -> UserId {
    let id = server.add_user().await;
    let mut tx = server.begin().await;
    for role in roles {
        stored_roles::assign_to_user(&mut tx, &id, &role.role_id().into()).await.unwrap();
    }
    tx.commit().await.unwrap();
    id
}

/// Their token of the command line, with all scopes that they hold, from a sign-in of this many minutes ago.
async fn command_line(server: &TestServer, id: &UserId, minutes: i64) -> Actor {
    let client_id = BuiltInClient::CommandLine.id().into();
    let token = server.mint_for(id, &client_id, SCOPES, Some(&resource(server))).await;
    let claims = server.verify(&token, &resource(server)).await.claims;
    sign_in(server, id, claims["jti"].as_str().unwrap(), minutes).await;
    server.bearer(&token)
}

/// A sign-in behind a token that was minted.
async fn sign_in(server: &TestServer, id: &UserId, jti: &str, minutes: i64) {
    let now = server.clock.now_ms();
    let session = Session {
        id: random::id(21).unwrap().into(),
        browser_hash: random::id(21).unwrap(),
        user_id: id.clone(),
        details: Json(Some(SessionDetails { own_client: true, ..SessionDetails::default() })),
        authenticated_at: now - minutes * MINUTE,
        last_active_at: now,
        expires_at: now + 60 * MINUTE,
    };
    let grant = Grant {
        id: random::id(21).unwrap().into(),
        user_id: id.clone(),
        application_id: BuiltInClient::CommandLine.id().into(),
        session_id: Some(session.id.clone()),
        scopes: Json(Some(GrantedScopes::default())),
        created_at: now,
        expires_at: now + 60 * MINUTE,
    };
    let mut tx = server.begin().await;
    sessions::insert(&mut tx, &session).await.unwrap();
    grants::insert(&mut tx, &grant).await.unwrap();
    let linked = tx.sql("UPDATE issuances SET grant_id = $1 WHERE jti = $2").bind(&grant.id).bind(jti);
    linked.execute().await.unwrap();
    tx.commit().await.unwrap();
}

/// The same person in the console: the Management API behind a door that says who comes.
async fn console(server: &TestServer, id: &UserId, roles: &[ConsoleRole], minutes: i64) -> Actor {
    let person = AuthenticatedAdministrator {
        user_id: id.clone(),
        roles: ConsoleRoles::of(roles),
        authenticated_at_ms: server.clock.now_ms() - minutes * MINUTE,
        client: BuiltInClient::Console,
        door: None,
    };
    let routers = management::routers();
    let router = routers.guarded.merge(routers.uploads).layer(Extension(person)).with_state(server.app.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let door = Api::new(listener.local_addr().unwrap(), server.report.clone());
    tokio::spawn(async move { axum::serve(listener, router).await });
    door.anonymous()
}

/// An administrator in the console who has just signed in.
async fn administrator(server: &TestServer) -> Actor {
    let id = person(server, &[ConsoleRole::Admin]).await;
    console(server, &id, &[ConsoleRole::Admin], 0).await
}
