//! `/api/.well-known`: what the pages of sign-in are made of, for everybody.

use crate::fixtures::machine;
use claimsmith_test_support::{Answer, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

const PATHS: [&str; 2] = ["/api/.well-known/sign-in-exp", "/api/.well-known/experience"];
const PHRASES: &str = "/api/.well-known/phrases";

both!(everybody_sees_the_settings_of_the_pages, async |server: TestServer| {
    let management = server.management().await;
    let change = json!({ "signInMode": "SignIn", "emailBlocklistPolicy": { "customBlocklist": ["@spam.test"] } });
    let mut expected = management.patch("/api/sign-in-exp", change).await.expect(200).body;
    let members = expected.as_object_mut().unwrap();
    members.retain(|name, _| name != "emailBlocklistPolicy" && name != "forgotPasswordMethods");
    let more = json!({
        "socialConnectors": [], "ssoConnectors": [], "forgotPassword": { "email": true, "phone": true },
        "isDevelopmentTenant": false, "customProfileFields": [],
    });
    members.extend(more.as_object().unwrap().clone());
    for path in PATHS {
        assert_eq!(server.get(path).await.expect(200).body, expected);
        server.get(&format!("{path}?appId=a&appId=b")).await.expect_api_error(400, "guard.invalid_input");
        // Who they are does not matter.
        server.bearer("nonsense").get(path).await.expect(200);
    }
});

both!(an_organizations_look_stands_over_an_applications, async |server: TestServer| {
    let management = server.management().await;
    let (application_id, _) = machine(&management, "shop").await;
    let path = format!("/api/applications/{application_id}/sign-in-experience");
    management.get(&path).await.expect_api_error(404, "entity.not_exists_with_id");
    let look = json!({
        "displayName": "Shop", "color": { "primaryColor": "#111111", "darkPrimaryColor": "#eeeeee" },
        "branding": { "logoUrl": "https://shop.test/logo" }, "customCss": "shop {}",
        "termsOfUseUrl": "https://shop.test/terms"
    });
    let first = management.put(&path, look.clone()).await.expect(201).body;
    let mut expected = json!({ "tenantId": "default", "applicationId": application_id, "privacyPolicyUrl": null });
    expected.as_object_mut().unwrap().extend(look.as_object().unwrap().clone());
    assert_eq!(first, expected);
    expected["displayName"] = Value::Null;
    assert_eq!(management.put(&path, json!({ "displayName": null })).await.expect(200).body, expected);
    assert_eq!(management.get(&path).await.expect(200).body, expected);
    // An empty text takes away as null does.
    for (name, value) in
        [("displayName", "Shop"), ("customCss", "shop {}"), ("termsOfUseUrl", "https://shop.test/terms")]
    {
        assert_eq!(management.put(&path, json!({ name: value })).await.expect(200)[name], value);
        assert_eq!(management.put(&path, json!({ name: "" })).await.expect(200)[name], Value::Null);
        assert_eq!(management.get(&path).await.expect(200)[name], Value::Null);
        expected[name] = Value::Null;
    }
    let back = json!({ "customCss": "shop {}", "termsOfUseUrl": "https://shop.test/terms" });
    assert_eq!(management.put(&path, back).await.expect(200)["customCss"], "shop {}");
    for body in [json!({ "termsOfUseUrl": "javascript:1" }), json!({ "color": [] }), json!({ "customCss": 1 })] {
        management.put(&path, body).await.expect_api_error(400, "guard.invalid_input");
    }
    let nobody = management.put("/api/applications/nobody/sign-in-experience", json!({})).await;
    nobody.expect_api_error(404, "entity.not_exists_with_id");

    let body = json!({ "name": "Zoo", "color": { "primaryColor": "#222222" }, "customCss": "zoo {}" });
    let zoo = management.post("/api/organizations", body).await.expect(201).text("id");
    let common = server.get(PATHS[0]).await.expect(200).body;
    for (query, primary, dark, css, logo) in [
        (String::new(), "#4f46e5", "#818cf8", Value::Null, Value::Null),
        ("appId=nobody&organizationId=nobody".to_owned(), "#4f46e5", "#818cf8", Value::Null, Value::Null),
        (format!("appId={application_id}"), "#111111", "#eeeeee", json!("shop {}"), json!("https://shop.test/logo")),
        (format!("organizationId={zoo}"), "#222222", "#818cf8", json!("zoo {}"), Value::Null),
        (
            format!("appId={application_id}&organizationId={zoo}"),
            "#222222",
            "#eeeeee",
            json!("zoo {}"),
            json!("https://shop.test/logo"),
        ),
    ] {
        let found = server.get(&format!("{}?{query}", PATHS[0])).await.expect(200);
        assert_eq!(found["color"]["primaryColor"], primary, "{query}");
        assert_eq!(found["color"]["darkPrimaryColor"], dark, "{query}");
        assert_eq!((&found["customCss"], &found["branding"]["logoUrl"]), (&css, &logo), "{query}");
        // The terms are those of whoever runs the server.
        assert_eq!(found["termsOfUseUrl"], common["termsOfUseUrl"], "{query}");
    }
});

both!(the_language_is_the_readers, async |server: TestServer| {
    let language = async |lng: &str, accepted: &str| {
        let request = server.http.get(server.url(&format!("{PHRASES}{lng}"))).header("accept-language", accepted);
        let answer = Answer::of(request).await.expect(200);
        let spoken = answer.header("content-language").unwrap().to_owned();
        assert_eq!(answer["languageTag"], spoken);
        (spoken, answer.body["translation"]["common"]["back"].as_str().unwrap().to_owned())
    };
    for (lng, accepted, spoken, back) in [
        ("", "", "en", "Back"),
        ("?lng=fr", "de", "fr", "Retour"),
        ("?lng=zh-CN", "de", "zh", "返回"),
        ("?lng=nl%20es", "de", "es", "Atrás"),
        ("?lng=nl", "da, ja;q=0.8, en;q=0.1", "ja", "戻る"),
        ("", "de-CH, en;q=0.9", "de", "Zurück"),
        ("", "nonsense;q=;;,,", "en", "Back"),
    ] {
        assert_eq!(language(lng, accepted).await, (spoken.to_owned(), back.to_owned()), "{lng} {accepted}");
    }
    let info = json!({ "languageInfo": { "autoDetect": false, "fallbackLanguage": "es" } });
    server.management().await.patch("/api/sign-in-exp", info).await.expect(200);
    assert_eq!(language("", "de").await.0, "es");
    assert_eq!(language("?lng=de", "fr").await.0, "de");
    server.get(&format!("{PHRASES}?lng={}", "a".repeat(257))).await.expect_api_error(400, "guard.invalid_input");
});

both!(answers_may_be_kept_for_a_moment, async |server: TestServer| {
    for path in [PATHS[0], PATHS[1], PHRASES] {
        let first = server.get(path).await.expect(200);
        assert_eq!(first.header("cache-control"), Some("public, max-age=60"));
        let tag = first.header("etag").unwrap().to_owned();
        let ask = |tags: &str| Answer::of(server.http.get(server.url(path)).header("if-none-match", tags));
        let again = ask(&format!("\"x\", {tag}")).await;
        assert_eq!((again.status, &again.body, again.header("etag")), (304, &Value::Null, Some(tag.as_str())));
        ask("\"x\"").await.expect(200);
        let management = server.management().await;
        let css = json!({ "customCss": path, "languageInfo": { "autoDetect": true, "fallbackLanguage": "ja" } });
        management.patch("/api/sign-in-exp", css).await.expect(200);
        ask(&tag).await.expect(200);
        let back = json!({ "languageInfo": { "autoDetect": true, "fallbackLanguage": "en" } });
        management.patch("/api/sign-in-exp", back).await.expect(200);
    }
    let varies = server.get(PHRASES).await.expect(200);
    let varies: Vec<_> = varies.headers.get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
    assert!(varies.join(",").to_lowercase().contains("accept-language"), "{varies:?}");
});

both!(browsers_of_every_origin_may_ask, async |server: TestServer| {
    for path in [PATHS[0], PATHS[1], PHRASES] {
        for origin in ["https://app.example.com", "https://elsewhere.test", "null"] {
            let answer = Answer::of(server.http.get(server.url(path)).header("origin", origin)).await.expect(200);
            assert_eq!(answer.header("access-control-allow-origin"), Some("*"), "{path}");
            assert_eq!(answer.header("access-control-allow-credentials"), None, "{path}");
            let preflight = server
                .http
                .request(Method::OPTIONS, server.url(path))
                .header("origin", origin)
                .header("access-control-request-method", "GET");
            assert_eq!(Answer::of(preflight).await.expect(200).header("access-control-allow-origin"), Some("*"));
        }
        // A refusal can be read, too.
        let refused = Answer::of(server.http.get(server.url(&format!("{path}?lng=a&lng=b&appId=a&appId=b")))).await;
        refused.expect_api_error(400, "guard.invalid_input");
        assert_eq!(refused.header("access-control-allow-origin"), Some("*"), "{path}");
        server.anonymous().post(path, json!({})).await.expect_api_error(405, "request.method_not_allowed");
    }
    // Nothing else of the API is for browsers.
    let origin = "https://app.example.com";
    let users = Answer::of(server.http.get(server.url("/api/users")).header("origin", origin)).await;
    assert_eq!((users.status, users.header("access-control-allow-origin")), (401, None));
});

both!(everybody_sees_where_the_apis_are, async |server: TestServer| {
    for tenant in ["default", "other"] {
        let answer = server.get(&format!("/api/.well-known/endpoints/{tenant}")).await.expect(200);
        assert_eq!(answer.body, json!({ "user": server.issuer().trim_end_matches("/oidc") }));
    }
});

/// The paths of a description, with their methods.
fn operations(document: &Value) -> Vec<(Method, String)> {
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let of = format!("{method} {path}");
            assert!(operation["summary"].as_str().is_some_and(|text| text.ends_with('.')), "{of}");
            assert!(operation["operationId"].as_str().is_some_and(|id| id.contains('_')), "{of}");
            let answers = operation["responses"].as_object().unwrap();
            assert!(answers.keys().any(|status| status.starts_with('2')) && answers.contains_key("400"), "{of}");
            let named = path.matches('{').count();
            let parameters = operation["parameters"].as_array().map_or(&[][..], Vec::as_slice);
            assert_eq!(parameters.iter().filter(|one| one["in"] == "path").count(), named, "{of}");
            let path = path.split('/').map(|part| if part.starts_with('{') { "x" } else { part });
            found.push((method.to_uppercase().parse().unwrap(), path.collect::<Vec<_>>().join("/")));
        }
    }
    found
}

both!(the_other_apis_are_described_route_by_route, async |server: TestServer| {
    for (name, expected, of) in [("experience", 42, "/api/experience"), ("user", 40, "/api/my-account")] {
        let document = server.get(&format!("/api/.well-known/{name}.openapi.json")).await.expect(200).body;
        assert_eq!(document["openapi"], "3.1.0");
        crate::openapi::check_references(&document, &document);
        let operations = operations(&document);
        assert_eq!(operations.len(), expected, "{operations:#?}");
        assert!(operations.iter().any(|(_, path)| path.starts_with(of)));
        for (method, path) in operations {
            let request = server.http.request(method.clone(), server.url(&path)).json(&json!({}));
            let answer = Answer::of(request).await;
            let code = answer.body["code"].as_str().unwrap_or_default();
            assert!(answer.status != 405 && code != "request.unknown_route", "{method} {path}: {answer:?}");
            assert!(!(200..300).contains(&answer.status), "{method} {path}: {answer:?}");
        }
    }
    let document = server.get("/api/.well-known/experience.openapi.json").await.expect(200).body;
    let body = &document["paths"]["/api/experience/verification/password"]["post"]["requestBody"];
    assert_eq!(body["content"]["application/json"]["schema"]["$ref"], "#/components/schemas/Credentials");
    let schema = &document["components"]["schemas"]["Credentials"];
    assert_eq!(schema["required"], json!(["identifier", "password"]));
    assert_eq!(schema["properties"]["password"]["maxLength"], 256);
});

#[test]
fn every_route_of_the_other_apis_is_described() {
    for file in ["src/http/experience/mod.rs", "src/http/account/mod.rs"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = std::fs::read_to_string(path).unwrap();
        assert!(!text.contains(".route(") && text.contains("DescribedRoutes"), "{file}");
    }
}
