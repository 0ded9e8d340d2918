//! A change affects what it names: every object of settings within the body of a change, member by member.

use claimsmith_domain::documents::patch;
use claimsmith_management as management;
use claimsmith_test_support::{Actor, Home, TestServer, Upstream, both};
use reqwest::Method;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The one operation that is no PATCH by name and one by what it does.
const LOOK: &str = "PUT /api/applications/{id}/sign-in-experience";
/// Objects of settings that are changed member by member by their own types.
const BY_THEMSELVES: [(&str, &str); 2] = [("SettingsChange", "mfa"), ("SettingsChange", "passkeySignIn")];
/// Objects that are replaced as a whole: rules act with the right of whoever set them, so that none of another person stays.
const AS_A_WHOLE: [(&str, &str); 4] = [
    ("UpdateRollout", "rules"),
    ("UpdateRollout", "rules.abortOver"),
    ("UpdateRollout", "rules.pauseUnder"),
    ("UpdateRollout", "rules.promoteAfter"),
];

/// The operations whose body is this schema, and the objects in it.
fn described() -> BTreeSet<(String, String)> {
    let document = serde_json::to_value(management::description()).unwrap();
    let mut found = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let name = format!("{} {path}", method.to_uppercase());
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            if (method == "patch" || name == LOOK) && schema["$ref"].is_string() {
                let body = schema["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
                objects(&document, schema, body, "", &mut found);
            }
        }
    }
    found
}

/// The objects with members of their own in a schema, by their paths.
fn objects(document: &Value, schema: &Value, body: &str, path: &str, found: &mut BTreeSet<(String, String)>) {
    let resolved = resolve(document, schema);
    for part in resolved["allOf"].as_array().into_iter().flatten() {
        objects(document, part, body, path, found);
    }
    for (name, value) in resolved["properties"].as_object().into_iter().flatten() {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        if resolve(document, value)["properties"].is_object() {
            found.insert((body.to_owned(), path.clone()));
            objects(document, value, body, &path, found);
        }
    }
}

fn resolve<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    if let Some(reference) = schema["$ref"].as_str() {
        return resolve(document, document.pointer(reference.trim_start_matches('#')).unwrap());
    }
    let choices = schema["oneOf"].as_array().map_or(&[][..], Vec::as_slice);
    choices.iter().find(|choice| choice["type"] != "null").map_or(schema, |choice| resolve(document, choice))
}

#[test]
fn every_object_of_a_change_is_changed_member_by_member() {
    let listed = patch::ALL.iter().flat_map(|merged| {
        // Of these the members are names of the caller's or of fields, which the description does not list.
        let objects = merged.objects.iter().filter(|object| **object != "fields");
        objects.map(|object| (merged.body.to_owned(), (*object).to_owned()))
    });
    let others = BY_THEMSELVES.into_iter().chain(AS_A_WHOLE);
    let others = others.map(|(body, object)| (body.to_owned(), object.to_owned()));
    let listed: BTreeSet<_> = listed.chain(others).collect();
    assert_eq!(listed, described());
}

/// Sets every member of an object, then changes each by itself, and takes each away: the others are as they were.
async fn is_changed_member_by_member(actor: &Actor, (method, path): (&Method, &str), object: &str, full: Value) {
    let parts: Vec<&str> = object.split('.').collect();
    let body = |value: Value| parts.iter().rev().fold(value, |value, part| json!({ *part: value }));
    let shown = async |change: Value| {
        let answer = actor.send(method.clone(), path, body(change)).await;
        (answer.status, answer.body.pointer(&format!("/{}", parts.join("/"))).cloned().unwrap_or_default())
    };
    let (status, whole) = shown(full.clone()).await;
    assert!(status < 300, "{path} {object}: {status} {full}");
    for (name, value) in full.as_object().unwrap() {
        assert_eq!(&whole[name], value, "{path} {object}.{name} is stored");
    }
    assert_eq!(shown(json!({})).await.1, whole, "{path} {object}: nothing is named");
    for (name, value) in full.as_object().unwrap() {
        let (status, one) = shown(json!({ name: value })).await;
        assert!(status < 300, "{path} {object}.{name} alone: {status}");
        assert_eq!(one, whole, "{path} {object}.{name} alone changes something else");
        let (status, without) = shown(json!({ name: null })).await;
        if status < 300 {
            for (other, value) in full.as_object().unwrap().iter().filter(|(other, _)| *other != name) {
                assert_eq!(&without[other], value, "{path} {object}: {name} takes {other} away");
            }
            assert_ne!(&without[name], value, "{path} {object}.{name} is still there");
        } else {
            assert_eq!(status, 400, "{path} {object}.{name}: null");
        }
        assert_eq!(shown(full.clone()).await.1, whole, "{path} {object}");
    }
}

both!(an_application_keeps_what_a_change_does_not_name, async |server: TestServer| {
    let management = server.management().await;
    let key = json!({ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" });
    let make = async |kind: &str| {
        let made = management.post("/api/applications", json!({ "name": "App", "type": kind })).await.expect(200);
        format!("/api/applications/{}", made.text("id"))
    };
    let uris = json!({
        "redirectUris": ["https://app.test/callback"], "postLogoutRedirectUris": ["https://app.test/"],
        "backchannelLogoutUri": "https://app.test/out", "backchannelLogoutSessionRequired": true,
        "logoUri": "https://app.test/logo.png", "jwksUri": "https://app.test/jwks",
        "tokenEndpointAuthMethod": "client_secret_basic",
    });
    let custom = json!({
        "corsAllowedOrigins": ["https://app.test"], "idTokenTtl": 60, "idTokenSignedResponseAlg": "ES256",
        "refreshTokenTtlInDays": 2, "alwaysIssueRefreshToken": true, "rotateRefreshToken": true,
        "allowTokenExchange": true, "maxAllowedGrants": 3, "trustedActorClientIds": ["other"],
        "impersonationUri": "https://app.test/in", "requirePkce": false, "requirePushedAuthorizationRequests": false,
    });
    for (kind, object, full) in [
        ("Traditional", "oidcClientMetadata", uris),
        ("Traditional", "oidcClientMetadata.jwks", json!({ "keys": [key] })),
        ("Native", "customClientMetadata", custom),
    ] {
        let path = make(kind).await;
        is_changed_member_by_member(&management, (&Method::PATCH, &path), object, full).await;
    }
    let look = format!("{}/sign-in-experience", make("SPA").await);
    is_changed_member_by_member(&management, (&Method::PUT, &look), "color", color()).await;
    is_changed_member_by_member(&management, (&Method::PUT, &look), "branding", branding()).await;

    // As people do it: the redirect URIs stay when the logout URI is added, and are not emptied by the way.
    let path = make("SPA").await;
    let first = json!({ "oidcClientMetadata": { "redirectUris": ["https://app.test/callback"] } });
    management.patch(&path, first).await.expect(200);
    let second = json!({ "oidcClientMetadata": { "postLogoutRedirectUris": ["https://app.test/bye"] } });
    let shown = management.patch(&path, second).await.expect(200);
    assert_eq!(shown["oidcClientMetadata"]["redirectUris"], json!(["https://app.test/callback"]));
    for nothing in [json!({ "redirectUris": null }), json!(null), json!([]), json!("x")] {
        let refused = management.patch(&path, json!({ "oidcClientMetadata": nothing })).await;
        refused.expect_api_error(400, "guard.invalid_input");
        assert!(refused.text("details").contains("\"oidcClientMetadata"), "{:#}", refused.body);
    }
    assert_eq!(management.get(&path).await.expect(200)["oidcClientMetadata"], shown["oidcClientMetadata"]);
});

fn color() -> Value {
    json!({ "primaryColor": "#123456", "isDarkModeEnabled": true, "darkPrimaryColor": "#abcdef" })
}

fn branding() -> Value {
    let url = |name: &str| format!("https://a.test/{name}");
    json!({
        "logoUrl": url("logo"), "darkLogoUrl": url("dark"), "favicon": url("icon"), "darkFavicon": url("dark-icon"),
    })
}

both!(settings_of_sign_in_keep_what_a_change_does_not_name, async |server: TestServer| {
    let management = server.management().await;
    let objects: [(&str, Value); 20] = [
        ("color", color()),
        ("branding", branding()),
        ("languageInfo", json!({ "autoDetect": false, "fallbackLanguage": "de" })),
        ("signUp", json!({ "identifiers": ["username"], "password": true, "verify": false })),
        (
            "signIn",
            json!({ "methods": [
                { "identifier": "username", "password": true, "verificationCode": false, "isPasswordPrimary": true }
            ] }),
        ),
        ("socialSignIn", json!({ "skipRequiredIdentifiers": false })),
        ("mfa", json!({ "factors": ["Totp"], "policy": "NoPrompt" })),
        ("adaptiveMfa", json!({ "enabled": false })),
        ("trustedDevice", json!({ "enabled": true, "durationDays": 7 })),
        ("passkeySignIn", json!({ "enabled": true, "showPasskeyButton": true, "allowAutofill": true })),
        ("passwordPolicy.length", json!({ "min": 10, "max": 100 })),
        ("passwordPolicy.characterTypes", json!({ "min": 2 })),
        ("passwordPolicy.rejects", json!({ "pwned": false, "userInfo": false, "words": ["acme"] })),
        (
            "passwordPolicy",
            json!({
                "length": { "min": 11, "max": 99 }, "characterTypes": { "min": 3 },
                "rejects": { "pwned": false, "userInfo": false, "words": ["acme"] }
            }),
        ),
        ("usernamePolicy.allowedChars", json!({ "uppercase": false, "numbers": false })),
        ("usernamePolicy", json!({ "minLength": 3, "maxLength": 20 })),
        ("verificationCodePolicy", json!({ "expirationDuration": 120, "maxRetryAttempts": 3 })),
        ("sentinelPolicy", json!({ "maxAttempts": 5, "lockoutDuration": 7 })),
        ("captchaPolicy", json!({ "enabled": false })),
        ("emailBlocklistPolicy", json!({ "blockSubaddressing": true, "customBlocklist": ["@spam.test"] })),
    ];
    for (object, full) in objects {
        is_changed_member_by_member(&management, (&Method::PATCH, "/api/sign-in-exp"), object, full).await;
    }
    let fields = json!({ "name": "ReadOnly", "avatar": "ReadOnly", "password": "ReadOnly" });
    is_changed_member_by_member(&management, (&Method::PATCH, "/api/account-center"), "fields", fields).await;
});

both!(everything_else_keeps_what_a_change_does_not_name, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")]).await.unwrap();
    let management = server.management().await;
    let upstream = Upstream::start(false).await;
    let acme = management.post("/api/organizations", json!({ "name": "Acme" })).await.expect(201).text("id");
    let hook = json!({ "name": "H", "events": ["User.Created"], "config": { "url": "https://a.test" } });
    let hook = management.post("/api/hooks", hook).await.expect(201).text("id");
    let source = "export const getCustomJwtClaims = async () => ({ plan: 'gold' });";
    let upload = management.request(Method::PUT, "/api/plugins/plan");
    let upload = upload.header("content-type", "text/javascript").body(source);
    claimsmith_test_support::Answer::of(upload).await.expect(201);
    let social = json!({
        "connectorId": "oidc", "config": upstream.config(), "metadata": { "target": "work", "name": { "en": "Work" } },
    });
    let social = management.post("/api/connectors", social).await.expect(200).text("id");
    let company = json!({ "providerName": "OIDC", "connectorName": "Acme", "config": upstream.config() });
    let company = management.post("/api/sso-connectors", company).await.expect(200).text("id");
    let looks = |names: &[&str]| -> Map<String, Value> {
        names.iter().map(|name| ((*name).to_owned(), json!(format!("https://a.test/{name}")))).collect()
    };
    for (path, object, full) in [
        (format!("/api/organizations/{acme}"), "color", color()),
        (format!("/api/organizations/{acme}"), "branding", branding()),
        (format!("/api/hooks/{hook}"), "config", json!({ "url": "https://b.test", "headers": { "x-a": "1" } })),
        ("/api/plugins/plan".to_owned(), "limits", json!({ "deadlineMs": 200, "memoryMib": 32, "outputKib": 8 })),
        (format!("/api/sso-connectors/{company}"), "branding", looks(&["displayName", "logo", "darkLogo"]).into()),
    ] {
        is_changed_member_by_member(&management, (&Method::PATCH, &path), object, full).await;
    }
    let path = format!("/api/connectors/{social}");
    let named = management.patch(&path, json!({ "metadata": { "logo": "https://a.test/logo" } })).await.expect(200);
    assert_eq!((&named["target"], &named["name"]), (&json!("work"), &json!({ "en": "Work" })), "{:#}", named.body);
});
