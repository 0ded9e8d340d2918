//! `/api/custom-phrases`: texts of pages in the operator's own words.

use claimsmith_storage::audit;
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};

const PHRASES: &str = "/api/custom-phrases";

async fn title(server: &TestServer, lng: &str) -> (Value, String) {
    let answer = server.get(&format!("/api/.well-known/phrases?lng={lng}")).await.expect(200);
    let language = answer.header("content-language").unwrap().to_owned();
    (answer["translation"]["sign_in"]["title"].clone(), language)
}

both!(own_words_stand_over_the_servers, async |server: TestServer| {
    let management = server.management().await;
    assert_eq!(management.get(PHRASES).await.expect(200).body, json!([]));
    let path = |tag: &str| format!("{PHRASES}/{tag}");
    management.get(&path("de")).await.expect_api_error(404, "entity.not_found");
    management.delete(&path("de")).await.expect_api_error(404, "entity.not_found");

    let given = json!({
        "sign_in": { "title": "Moin!", "submit": "" }, "welcome": {}, "common": { "or": null },
        "consent": { "description": "{{application}} will rein." }
    });
    let kept = json!({ "sign_in": { "title": "Moin!" }, "consent": { "description": "{{application}} will rein." } });
    let view = json!({ "tenantId": "default", "id": "de", "languageTag": "de", "translation": kept });
    assert_eq!(management.put(&path("DE"), given).await.expect(201).body, view);
    assert_eq!(management.get(&path("de")).await.expect(200).body, view);
    assert_eq!(management.get(PHRASES).await.expect(200).body, json!([view]));
    assert_eq!(title(&server, "de").await, (json!("Moin!"), "de".to_owned()));
    let answer = server.get("/api/.well-known/phrases?lng=de").await.expect(200);
    assert_eq!(answer["translation"]["sign_in"]["submit"], "Anmelden");

    // A dialect speaks the language, but for its own words.
    let dialect = json!({ "sign_in": { "title": "Grüß Gott!" } });
    management.put(&path("de-at"), dialect).await.expect(201);
    assert_eq!(title(&server, "de-AT").await, (json!("Grüß Gott!"), "de-AT".to_owned()));
    let answer = server.get("/api/.well-known/phrases?lng=de-AT").await.expect(200);
    assert_eq!(answer["translation"]["consent"]["description"], "{{application}} will rein.");
    // What a new language does not say is English.
    management.put(&path("nl"), json!({ "sign_in": { "title": "Aanmelden" } })).await.expect(201);
    let answer = server.get("/api/.well-known/phrases?lng=nl-BE").await.expect(200);
    assert_eq!(answer.header("content-language"), Some("nl"));
    let texts = &answer["translation"];
    assert_eq!((&texts["sign_in"]["title"], &texts["common"]["back"]), (&json!("Aanmelden"), &json!("Back")));

    management.delete(&path("de")).await.expect(204);
    assert_eq!(title(&server, "de").await, (json!("Anmelden"), "de".to_owned()));
    let mut tx = server.begin().await;
    for (key, count) in [("Update", 3), ("Delete", 1)] {
        let logs = audit::list_by_key(&mut tx, &format!("Management.CustomPhrases.{key}"), 10).await.unwrap();
        assert_eq!(logs.len(), count, "{key}");
    }
});

both!(texts_that_no_page_has_are_refused, async |server: TestServer| {
    let management = server.management().await;
    for body in [
        json!({ "signIn": { "title": "x" } }),
        json!({ "sign_in": { "titel": "x" } }),
        json!({ "sign_in": "x" }),
        json!({ "sign_in": { "title": { "one": "x" } } }),
        json!({ "sign_in": { "title": 1 } }),
        json!({ "sign_in": { "title": "{{secret}}" } }),
        json!({ "sign_in": { "title": "x".repeat(4097) } }),
    ] {
        let answer = management.put(&format!("{PHRASES}/en"), body).await;
        answer.expect_api_error(422, "localization.invalid_translation_structure");
    }
    let answer = management.put(&format!("{PHRASES}/en"), json!({ "sign_in": { "titel": "x" } })).await;
    assert!(answer.text("message").contains("sign_in.titel"), "{:#}", answer.body);
    for tag in ["e", "en_US", "en-", "%F0%9F%92%A9"] {
        let path = format!("{PHRASES}/{tag}");
        management.get(&path).await.expect_api_error(400, "guard.invalid_input");
        management.put(&path, json!({})).await.expect_api_error(400, "guard.invalid_input");
        management.delete(&path).await.expect_api_error(400, "guard.invalid_input");
    }
    assert_eq!(management.get(PHRASES).await.expect(200).body, json!([]));
});

both!(the_fallback_language_keeps_its_texts, async |server: TestServer| {
    let management = server.management().await;
    let nl = format!("{PHRASES}/nl");
    management.put(&nl, json!({ "sign_in": { "title": "Aanmelden" } })).await.expect(201);
    let fallback = |tag: &str| json!({ "languageInfo": { "autoDetect": true, "fallbackLanguage": tag } });
    management.patch("/api/sign-in-exp", fallback("nl")).await.expect(200);
    assert_eq!(title(&server, "xx").await, (json!("Aanmelden"), "nl".to_owned()));
    let answer = management.delete(&nl).await;
    answer.expect_api_error(409, "localization.cannot_delete_default_language");
    management.patch("/api/sign-in-exp", fallback("en")).await.expect(200);
    management.delete(&nl).await.expect(204);
    let code = "sign_in_experiences.unsupported_default_language";
    management.patch("/api/sign-in-exp", fallback("nl")).await.expect_api_error(400, code);
});

both!(languages_are_limited, async |server: TestServer| {
    let management = server.management().await;
    let texts = json!({ "sign_in": { "title": "Moin!" } });
    for number in 0..200 {
        management.put(&format!("{PHRASES}/en-{number:03}"), texts.clone()).await.expect(201);
    }
    let refused = management.put(&format!("{PHRASES}/en-200"), texts.clone()).await;
    refused.expect_api_error(422, "localization.too_many_languages");
    management.put(&format!("{PHRASES}/en-007"), texts.clone()).await.expect(201);
    management.delete(&format!("{PHRASES}/en-007")).await.expect(204);
    management.put(&format!("{PHRASES}/en-200"), texts.clone()).await.expect(201);
});
