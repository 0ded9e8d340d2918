//! Creating needs what changing needs: every setting of an application, and every way to put a plugin into service, with
//! a sign-in that is too old.

use super::{command_line, person};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_management as management;
use claimsmith_test_support::{Actor, Answer, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const REFUSED: &str = "console.fresh_sign_in_required";

/// A value of each setting that differs from none, and the type of application that takes it.
fn settings() -> Vec<(&'static str, &'static str, &'static str, Value)> {
    let key = json!({ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" });
    let (oidc, custom) = ("oidcClientMetadata", "customClientMetadata");
    vec![
        (oidc, "redirectUris", "Native", json!(["http://localhost:9999/callback"])),
        (oidc, "postLogoutRedirectUris", "Native", json!(["http://localhost:9999/"])),
        (oidc, "backchannelLogoutUri", "Native", json!("https://app.example.com/logout")),
        (oidc, "backchannelLogoutSessionRequired", "Native", json!(true)),
        (oidc, "logoUri", "Native", json!("https://app.example.com/logo.png")),
        (oidc, "tokenEndpointAuthMethod", "Native", json!("none")),
        (oidc, "jwks", "Traditional", json!({ "keys": [key] })),
        (oidc, "jwksUri", "Traditional", json!("https://app.example.com/jwks.json")),
        (custom, "corsAllowedOrigins", "Native", json!(["https://app.example.com"])),
        (custom, "idTokenTtl", "Native", json!(60)),
        (custom, "idTokenSignedResponseAlg", "Native", json!("ES256")),
        (custom, "idTokenClaims", "Native", json!(["email", "groups"])),
        (custom, "refreshTokenTtlInDays", "Native", json!(2)),
        (custom, "refreshTokenLeewayInSeconds", "Native", json!(5)),
        (custom, "alwaysIssueRefreshToken", "Native", json!(true)),
        (custom, "rotateRefreshToken", "Native", json!(false)),
        (custom, "allowTokenExchange", "Native", json!(true)),
        (custom, "isDeviceFlow", "Native", json!(true)),
        (custom, "maxAllowedGrants", "Native", json!(3)),
        (custom, "trustedActorClientIds", "Native", json!(["other"])),
        (custom, "requirePkce", "Native", json!(true)),
        (custom, "requirePushedAuthorizationRequests", "Native", json!(true)),
        (custom, "clientAssertionAudience", "Traditional", json!("legacy")),
        (custom, "impersonationUri", "Native", json!("https://app.example.com/impersonate")),
    ]
}

#[test]
fn every_setting_of_an_application_is_tried() {
    let document = serde_json::to_value(management::description()).unwrap();
    let schemas = [("oidcClientMetadata", "OidcClientMetadata"), ("customClientMetadata", "CustomClientMetadata")];
    let described: BTreeSet<(&str, String)> = schemas
        .into_iter()
        .flat_map(|(part, schema)| {
            let members = document["components"]["schemas"][schema]["properties"].as_object().unwrap();
            members.keys().map(move |name| (part, name.clone())).collect::<Vec<_>>()
        })
        .collect();
    let tried: BTreeSet<(&str, String)> =
        settings().into_iter().map(|(part, name, ..)| (part, name.to_owned())).collect();
    assert_eq!(tried, described);
}

both!(no_setting_of_an_application_is_made_where_it_could_not_be_changed, async |server: TestServer| {
    let id = person(&server, &[ConsoleRole::Developer]).await;
    let (fresh, stale) = (command_line(&server, &id, 9).await, command_line(&server, &id, 10).await);
    for (part, name, kind, value) in settings() {
        let mut whole = json!({ "name": name, "type": kind });
        let made = fresh.post("/api/applications", whole.clone()).await.expect(200).text("id");
        let change = json!({ part: { name: value } });
        whole[part] = change[part].clone();
        stale.post("/api/applications", whole.clone()).await.expect_api_error(403, REFUSED);
        let path = format!("/api/applications/{made}");
        stale.patch(&path, change.clone()).await.expect_api_error(403, REFUSED);
        // With a recent sign-in both are taken, so it is the sign-in that was refused.
        fresh.post("/api/applications", whole).await.expect(200);
        let changed = fresh.patch(&path, change).await;
        if name == "isDeviceFlow" {
            changed.expect_api_error(422, "application.device_flow_not_changeable");
            continue;
        }
        let changed = changed.expect(200).body;
        assert_eq!(changed[part][name], value, "{part}.{name}");
    }
    // A name and data of the integrator's own give nothing.
    let plain = json!({ "name": "plain", "type": "Native", "description": "d", "customData": { "a": 1 } });
    let made = stale.post("/api/applications", plain).await.expect(200).text("id");
    stale.patch(&format!("/api/applications/{made}"), json!({ "name": "plainer" })).await.expect(200);
});

/// Uploads a plugin that does not serve at once, with these settings beside it.
async fn store(actor: &Actor, manifest: &str) -> Answer {
    let source = "export const getCustomJwtClaims = async () => ({ plan: 'silver' });";
    let part = |name: &str, file: &str, text: &str| {
        format!("--f\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\n\r\n{text}\r\n")
    };
    let form = part("source", "plan.js", source) + &part("manifest", "plan.toml", manifest) + "--f--\r\n";
    let request = actor.request(Method::PUT, "/api/plugins/plan?activate=false");
    Answer::of(request.header("content-type", "multipart/form-data; boundary=f").body(form)).await
}

both!(settings_beside_an_upload_do_not_switch_a_plugin_on, async |server: TestServer| {
    let id = person(&server, &[ConsoleRole::Developer]).await;
    let (fresh, stale) = (command_line(&server, &id, 9).await, command_line(&server, &id, 10).await);
    let source = "export const getCustomJwtClaims = async () => ({ plan: 'gold' });";
    let request = fresh.request(Method::PUT, "/api/plugins/plan");
    Answer::of(request.header("content-type", "text/javascript").body(source)).await.expect(201);
    fresh.patch("/api/plugins/plan", json!({ "enabled": false })).await.expect(200);

    stale.patch("/api/plugins/plan", json!({ "enabled": true })).await.expect_api_error(403, REFUSED);
    store(&stale, "enabled = true").await.expect_api_error(403, REFUSED);
    store(&stale, "order = 7").await.expect_api_error(403, REFUSED);
    assert_eq!(fresh.get("/api/plugins/plan").await.expect(200).body["enabled"], false);
    // What leaves it off is stored, and who has just signed in switches it on.
    store(&stale, "enabled = false\norder = 7").await.expect(201);
    assert_eq!(fresh.get("/api/plugins/plan").await.expect(200).body["enabled"], false);
    store(&fresh, "enabled = true").await.expect(201);
    assert_eq!(fresh.get("/api/plugins/plan").await.expect(200).body["enabled"], true);
});
