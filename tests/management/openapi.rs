//! The OpenAPI description: every operation is in it, with descriptions, responses and examples.

use claimsmith_test_support::{TestServer, both};
use serde_json::Value;
use std::collections::BTreeSet;

both!(every_operation_is_described, async |server: TestServer| {
    let document = server.get("/api/swagger.json").await.expect(200).body;
    let mut operations = 0;
    let mut names = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let of = format!("{method} {path}");
            assert!(operation["summary"].as_str().is_some_and(|text| !text.is_empty()), "{of}");
            let name = operation["operationId"].as_str().unwrap_or_else(|| panic!("{of}"));
            assert!(names.insert(name.to_owned()), "{of}: another operation is called {name}");
            let responses = operation["responses"].as_object().unwrap();
            assert!(responses.keys().any(|status| status.starts_with('2')), "{of}");
            if !is_public(path) {
                assert!(responses.contains_key("401") && responses.contains_key("403"), "{of}");
                assert!(operation["security"][0]["oauth2"][0] == "all", "{of}");
            }
            if operation["requestBody"].is_object() {
                assert!(responses.contains_key("400") && responses.contains_key("413"), "{of}");
            }
            check_example(&document, &operation["requestBody"], &format!("{of}: the body"));
            for (status, response) in responses {
                check_example(&document, response, &format!("{of}: {status}"));
            }
            let named = path.matches('{').count();
            let parameters = operation["parameters"].as_array().map_or(&[][..], Vec::as_slice);
            assert_eq!(parameters.iter().filter(|one| one["in"] == "path").count(), named, "{of}");
            operations += 1;
        }
    }
    assert!(operations >= 50, "{operations}");
    check_references(&document, &document);
    let secret = &document["components"]["schemas"]["SecretView"]["properties"]["value"]["description"];
    assert!(secret.as_str().unwrap().contains("********"));
});

/// Whether a path is for everybody.
pub(crate) fn is_public(path: &str) -> bool {
    path == "/api/status" || path.starts_with("/api/.well-known/")
}

both!(the_description_is_where_clients_of_the_reference_look_for_it, async |server: TestServer| {
    let there = server.get("/api/.well-known/management.openapi.json").await.expect(200);
    assert_eq!(there.body, server.get("/api/swagger.json").await.body);
    assert!(there.header("content-type").unwrap().starts_with("application/json"));
});

/// A body that is JSON has an example.
fn check_example(document: &Value, body: &Value, of: &str) {
    let json = &body["content"]["application/json"];
    let has_one = !json["example"].is_null() || has_example(document, &json["schema"]);
    assert!(json.is_null() || has_one, "{of} has no example");
}

/// Whether a schema has an example itself, or is made of one that has.
fn has_example(document: &Value, schema: &Value) -> bool {
    let referred = schema["$ref"].as_str().and_then(|reference| document.pointer(reference.strip_prefix('#')?));
    let parts = schema["allOf"].as_array().into_iter().flatten();
    !schema["example"].is_null()
        || referred.into_iter().chain(parts).chain(schema.get("items")).any(|part| has_example(document, part))
}

both!(the_description_is_a_page_that_loads_nothing_from_elsewhere, async |server: TestServer| {
    let page = server.get("/api/docs/").await.expect(200);
    assert!(page.header("content-type").unwrap().starts_with("text/html"));
    let scripts = ["swagger-initializer.js", "swagger-ui-bundle.js", "swagger-ui.css"];
    let page = page.body.as_str().unwrap().to_owned();
    assert!(scripts.iter().all(|script| page.contains(script)) && !page.contains("//"), "{page}");
    let answer = server.get("/api/docs/").await;
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src 'self';") && policy.contains("frame-ancestors 'none'"), "{policy}");
    for (name, value) in [("x-frame-options", "DENY"), ("x-content-type-options", "nosniff")] {
        for path in ["/api/docs/", "/api/status", "/oidc/jwks", "/nowhere"] {
            assert_eq!(server.get(path).await.header(name), Some(value), "{path}");
        }
    }
    let start = server.get("/api/docs/swagger-initializer.js").await.expect(200).body;
    let start = start.as_str().unwrap();
    assert!(start.contains("../swagger.json") && start.contains(r#""validatorUrl": "none""#), "{start}");
});

/// Every `$ref` leads somewhere.
pub(crate) fn check_references(document: &Value, part: &Value) {
    match part {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get("$ref") {
                let pointer = reference.strip_prefix('#').unwrap();
                assert!(document.pointer(pointer).is_some(), "{reference}");
            }
            members.values().for_each(|value| check_references(document, value));
        }
        Value::Array(items) => items.iter().for_each(|value| check_references(document, value)),
        _ => {}
    }
}
