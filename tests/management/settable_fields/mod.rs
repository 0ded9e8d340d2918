//! Every field that can be set of settings, applications, resources, organizations and hooks is obeyed, or refused: each
//! names the test that shows its effect, or stands in the table of what is not supported.

use claimsmith_domain::unsupported_settings::UNSUPPORTED;
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A line for what shares a test.
const TABLE: &str = include_str!("table.txt");

/// The operations that set them, and what they are about.
const OPERATIONS: &[(&str, &str, &str)] = &[
    ("patch", "/api/sign-in-exp", "sign-in"),
    ("patch", "/api/account-center", "account center"),
    ("put", "/api/configs/id-token", "id token"),
    ("put", "/api/captcha-provider", "captcha"),
    ("post", "/api/applications", "application"),
    ("patch", "/api/applications/{id}", "application"),
    ("put", "/api/applications/{id}/sign-in-experience", "look of an application"),
    ("post", "/api/resources", "resource"),
    ("patch", "/api/resources/{id}", "resource"),
    ("patch", "/api/resources/{id}/is-default", "resource"),
    ("post", "/api/organizations", "organization"),
    ("patch", "/api/organizations/{id}", "organization"),
    ("post", "/api/hooks", "hook"),
    ("patch", "/api/hooks/{id}", "hook"),
];

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap_or_default()
}

/// The fields of a schema, with dots; those of the elements of a list as if they were the list's.
fn fields(document: &Value, schema: &Value, seen: &[&str]) -> BTreeSet<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        if seen.contains(&reference) {
            return BTreeSet::from([String::new()]);
        }
        let seen: Vec<&str> = seen.iter().copied().chain([reference]).collect();
        return fields(document, document.pointer(reference.trim_start_matches('#')).unwrap(), &seen);
    }
    let choices = ["oneOf", "anyOf", "allOf"].into_iter().filter_map(|name| schema[name].as_array()).flatten();
    let inside: Vec<&Value> = choices.chain(schema.get("items")).filter(|one| one["type"] != "null").collect();
    let mut found: BTreeSet<String> = inside.iter().flat_map(|one| fields(document, one, seen)).collect();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let below = fields(document, property, seen);
        found.extend(
            below.into_iter().map(|field| if field.is_empty() { name.clone() } else { format!("{name}.{field}") }),
        );
    }
    if found.is_empty() { BTreeSet::from([String::new()]) } else { found }
}

#[test]
fn each_field_names_the_test_of_its_effect_or_is_refused() {
    let document: Value = serde_json::from_str(&read("docs/openapi.json")).unwrap();
    let mut described: BTreeSet<(&str, String)> = BTreeSet::new();
    for (method, path, about) in OPERATIONS {
        let schema = &document["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"];
        assert!(schema.is_object(), "{method} {path} is not described");
        described.extend(fields(&document, schema, &[]).into_iter().map(|field| (*about, field)));
    }
    let mut listed: BTreeSet<(&str, String)> = BTreeSet::new();
    let mut list =
        |about, field: &str| assert!(listed.insert((about, field.to_owned())), "{about}: {field} comes twice");
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let [about, fields, test] = line.split(" | ").collect::<Vec<_>>().try_into().unwrap();
        fields.split(' ').for_each(|field| list(about, field));
        let (file, name) = test.split_once(' ').unwrap();
        let source = read(file);
        let is_there = [format!("both!({name},"), format!("fn {name}(")].iter().any(|one| source.contains(one));
        assert!(is_there, "there is no test {name} in {file}");
    }
    for setting in UNSUPPORTED {
        let is_its =
            |(method, path, _): &&(&str, &str, &str)| setting.operation == format!("{} {path}", method.to_uppercase());
        list(OPERATIONS.iter().find(is_its).unwrap().2, setting.field);
    }
    let missing: Vec<_> = described.difference(&listed).collect();
    assert!(missing.is_empty(), "these can be set, and nothing says what for: {missing:#?}");
    let gone: Vec<_> = listed.difference(&described).collect();
    assert!(gone.is_empty(), "these cannot be set any more: {gone:#?}");

    let page = read("docs/sign-in-settings.md");
    for field in UNSUPPORTED.iter().map(|setting| setting.field) {
        assert!(page.contains(&format!("| `{field}` |")), "docs/sign-in-settings.md does not name {field}");
    }
}

/// A value that a field has neither by default nor stored.
fn other(field: &str) -> Value {
    match field {
        "passwordExpiration.enabledAt" => json!(1),
        _ => json!(true),
    }
}

both!(what_is_not_obeyed_is_refused_and_what_was_read_can_be_written_back, async |server: TestServer| {
    let management = server.management().await;
    let path = "/api/sign-in-exp";
    for setting in UNSUPPORTED {
        assert_eq!(setting.operation, format!("PATCH {path}"));
        let change = setting.field.rsplit('.').fold(other(setting.field), |inner, name| json!({ name: inner }));
        let refused = management.patch(path, change.clone()).await;
        refused.expect_api_error(422, "sign_in_experiences.unsupported_setting");
        assert_eq!(refused["data"], json!({ "setting": setting.field }));
        assert_eq!(refused["message"], setting.reason);
        // A draft would show what cannot be kept.
        let draft = json!({ "page": "sign-in", "settings": change });
        let draft = management.post("/api/sign-in-exp/preview", draft).await;
        draft.expect_api_error(422, "sign_in_experiences.unsupported_setting");
    }
    let shown = management.get(path).await.expect(200).body;
    assert_eq!(management.patch(path, shown.clone()).await.expect(200).body, shown);

    // As an earlier version stored it, when it was accepted.
    let allowed = json!({ "lowercase": true, "uppercase": true, "numbers": true, "underscore": true, "dot": false,
            "hyphen": false, "letters": false, "leadingDigit": false, "at": false });
    let stored = json!({ "usernamePolicy": { "caseSensitive": true, "minLength": 1, "maxLength": 128,
            "allowedChars": allowed },
        "socialSignIn": { "automaticAccountLinking": true } });
    let mut tx = server.begin().await;
    let write = "INSERT INTO sign_in_experiences (id, settings) VALUES ('default', $1) \
                 ON CONFLICT (id) DO UPDATE SET settings = excluded.settings";
    tx.sql(write).bind(sqlx::types::Json(&stored)).execute().await.unwrap();
    tx.commit().await.unwrap();
    let shown = management.get(path).await.expect(200).body;
    for (name, value) in stored.as_object().unwrap() {
        assert_eq!(&shown[name], value);
    }
    assert_eq!(management.patch(path, shown.clone()).await.expect(200).body, shown);
    let off = json!({ "socialSignIn": { "automaticAccountLinking": false } });
    management.patch(path, off).await.expect(200);
    let again = json!({ "socialSignIn": { "automaticAccountLinking": true } });
    let refused = management.patch(path, again).await;
    refused.expect_api_error(422, "sign_in_experiences.unsupported_setting");
});
