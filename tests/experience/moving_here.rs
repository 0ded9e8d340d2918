//! `docs/moving-here.md`: its scripts, run with Node on made-up exports of Keycloak, Auth0 and Firebase, and their users,
//! imported and signed in.

use crate::browser::Browser;
use crate::imported_passwords::{PASSWORD, digest_of, import};
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../docs/moving-here.md");

/// The code block of the page that begins with this line.
fn script(first: &str) -> &'static str {
    let at = PAGE.find(first).unwrap_or_else(|| panic!("no {first} on the page"));
    PAGE[at..].split("\n```").next().unwrap()
}

/// The body of the page's request that lets users sign in with their email address.
fn sign_in_settings() -> Value {
    let after = PAGE.split_once("api/sign-in-exp\"").unwrap().1.split_once("-d '").unwrap().1;
    serde_json::from_str(after.split_once('\'').unwrap().0).unwrap()
}

/// Runs a script of the page with these files of an export, and answers its lines.
fn run(name: &str, files: &[(&str, String)]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), script(&format!("// {name}"))).unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut node = Command::new("node");
    node.arg(name).args(files.iter().map(|(name, _)| Path::new(name))).current_dir(folder.path());
    let output = node.output().unwrap_or_else(|error| panic!("this test needs Node 20 or later: {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// As `kc.sh export` writes a file of users.
fn keycloak() -> Vec<Value> {
    let credential = |what: &str| {
        let mut credential: Value = serde_json::from_str(&digest_of(what)).unwrap();
        credential["id"] = json!("f2d7c5c3-4c0a-4a3e-9d3b-3f4f3f0c9a01");
        credential["createdDate"] = json!(1_700_000_000_000_i64);
        credential["type"] = json!("password");
        credential
    };
    let user = |username: &str, email: &str, credentials: Vec<Value>| {
        json!({ "id": "9b1f7a2e-0c0f-4b3a-8a27-6f0f6a3f2b11", "username": username, "firstName": "Ada",
            "lastName": "Lovelace", "email": email, "emailVerified": true, "createdTimestamp": 1_700_000_000_000_i64,
            "enabled": true, "totp": false, "attributes": { "plan": ["gold"] }, "credentials": credentials,
            "disableableCredentialTypes": [], "requiredActions": [], "realmRoles": ["default-roles-my-realm"],
            "notBefore": 0, "groups": ["/staff"] })
    };
    let mut unverified = user("cy.o-brien@keycloak.test", "cy.o-brien@keycloak.test", Vec::new());
    (unverified["emailVerified"], unverified["enabled"]) = (json!(false), json!(false));
    let users = json!([
        user("ada", "ada@keycloak.test", vec![credential("Keycloak export")]),
        user(
            "bob@keycloak.test",
            "bob@keycloak.test",
            vec![json!({ "type": "otp", "secretData": "{}" }), credential("Keycloak Argon2")]
        ),
        unverified,
    ]);
    let export = json!({ "realm": "my-realm", "users": users }).to_string();
    run("keycloak.mjs", &[("my-realm-users-0.json", export)])
}

/// As an export job writes profiles, and the support sends hashes.
fn auth0() -> Vec<Value> {
    let profile = |id: &str, email: &str, is_verified: bool| {
        json!({ "user_id": id, "email": email, "email_verified": is_verified, "name": "Grace Hopper",
            "given_name": "Grace", "family_name": "Hopper", "nickname": "grace", "picture": "https://a.test/g.png",
            "created_at": "2024-01-01T00:00:00.000Z", "updated_at": "2024-01-01T00:00:00.000Z",
            "identities": [{ "connection": "Username-Password-Authentication", "provider": "auth0" }],
            "user_metadata": { "plan": "gold" }, "app_metadata": { "tier": 1 } })
    };
    let hash = json!({ "_id": { "$oid": "60425dc43519d90068f82973" }, "email": "grace@auth0.test",
        "email_verified": true, "passwordHash": digest_of("bcrypt $2b$"), "tenant": "dev", "version": "1.1",
        "password_set_date": { "$date": "2024-03-05T16:35:16.775Z" },
        "connection": "Username-Password-Authentication", "_tmp_is_unique": true });
    let profiles = [
        profile("auth0|60425dc43519d90068f82973", "grace@auth0.test", true),
        profile("google-oauth2|1", "dee@auth0.test", true),
        profile("auth0|60425dc43519d90068f82974", "eve@auth0.test", false),
    ];
    let lines = profiles.map(|profile| profile.to_string()).join("\n");
    run("auth0.mjs", &[("profiles.json", lines), ("hashes.json", format!("{hash}\n"))])
}

/// As `firebase auth:export` writes users, and the console shows the parameters.
fn firebase() -> Vec<Value> {
    let made: Value = serde_json::from_str(&digest_of("Firebase, named Legacy")).unwrap();
    let user = |id: &str, email: &str, is_verified: bool| {
        json!({ "localId": id, "email": email, "emailVerified": is_verified, "passwordHash": made[2],
            "salt": made[1][0], "displayName": "Alan Turing", "photoUrl": "https://a.test/t.png",
            "lastSignedInAt": "1700000000000", "createdAt": "1700000000000", "providerUserInfo": [] })
    };
    let mut phone = json!({ "localId": "3", "phoneNumber": "+4915112345678", "disabled": true });
    phone["customAttributes"] = json!("{\"admin\":true}");
    let users =
        json!({ "users": [user("1", "alan@firebase.test", true), user("2", "joan@firebase.test", false), phone] });
    let parameters = format!(
        "hash_config {{\n  algorithm: SCRYPT,\n  base64_signer_key: {},\n  base64_salt_separator: {},\n  rounds: {},\n  \
         mem_cost: {},\n}}\n",
        made[1][2].as_str().unwrap(),
        made[1][1].as_str().unwrap(),
        made[1][3].as_str().unwrap(),
        made[1][4].as_str().unwrap(),
    );
    run("firebase.mjs", &[("firebase.json", users.to_string()), ("hash_config.txt", parameters)])
}

both!(users_of_other_systems_sign_in_as_the_page_says, async |server: TestServer| {
    let management = server.management().await;
    management.patch("/api/sign-in-exp", sign_in_settings()).await.expect(200);
    let lines = [keycloak(), auth0(), firebase()].concat();
    assert_eq!(lines.len(), 9);
    let said = import(&server, lines).await;
    assert_eq!(said, [json!({ "done": { "lines": 9, "created": 9, "failed": 0, "dryRun": false } })]);
    for (kind, value) in [
        ("username", "ada"),
        ("email", "ada@keycloak.test"),
        ("email", "bob@keycloak.test"),
        ("email", "grace@auth0.test"),
        ("email", "alan@firebase.test"),
    ] {
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        let wrong = crate::browser::credentials(kind, value, "a wrong password");
        browser.post("/verification/password", wrong).await.expect_api_error(422, "session.invalid_credentials");
        let verified = browser.post("/verification/password", crate::browser::credentials(kind, value, PASSWORD)).await;
        assert_eq!(verified.status, 200, "{value}: {:#}", verified.body);
        browser.identify(&verified).await.expect(204);
        browser.submit().await.expect(200);
    }
    let shown = async |search: &str| management.get(&format!("/api/users?{search}")).await.expect(200).body[0].clone();
    let ada = shown("search.username=ada").await;
    assert_eq!(ada["profile"], json!({ "givenName": "Ada", "familyName": "Lovelace" }));
    assert_eq!(ada["customData"]["attributes"], json!({ "plan": ["gold"] }));
    let cy = shown("search.username=cy.o-brien@keycloak.test").await;
    let expected = (&json!(null), &json!(true), &json!(false), &json!("cy.o-brien@keycloak.test"));
    let found = (&cy["primaryEmail"], &cy["isSuspended"], &cy["hasPassword"], &cy["customData"]["unverifiedEmail"]);
    assert_eq!(found, expected);
    let dee = shown("search.primaryEmail=dee@auth0.test").await;
    assert_eq!((&dee["hasPassword"], &dee["customData"]["plan"]), (&json!(false), &json!("gold")));
    let phone = shown("search.primaryPhone=4915112345678").await;
    assert_eq!((&phone["isSuspended"], &phone["customData"]["claims"]), (&json!(true), &json!({ "admin": true })));
    let addresses = ["eve@auth0.test", "joan@firebase.test"];
    for address in addresses {
        let found = management.get(&format!("/api/users?search.primaryEmail={address}")).await.expect(200);
        assert_eq!(found.body, json!([]), "an address that nobody has verified is nobody's");
    }
});
