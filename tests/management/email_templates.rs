//! `/api/email-templates`: what e-mails say in the operator's own words.

use crate::fixtures::{NOBODY, texts};
use claimsmith_storage::audit;
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};

const TEMPLATES: &str = "/api/email-templates";

fn template(language: &str, kind: &str, subject: &str) -> Value {
    json!({
        "languageTag": language, "templateType": kind,
        "details": { "subject": subject, "content": "<p>{{code}}</p>", "contentType": "text/html" },
    })
}

both!(templates_are_written_read_changed_and_deleted, async |server: TestServer| {
    let management = server.management().await;
    assert_eq!(management.get(TEMPLATES).await.expect(200).body, json!([]));
    let given = json!({ "templates": [template("de", "SignIn", "Moin"), template("EN", "SignIn", "Hi"), template("en", "Register", "Hi")] });
    let written = management.put(TEMPLATES, given).await.expect(200);
    assert_eq!(texts(&written.body, "languageTag"), ["de", "en", "en"]);
    let id = written.body[0]["id"].as_str().unwrap().to_owned();
    let view = json!({
        "tenantId": "default", "id": id, "languageTag": "de", "templateType": "SignIn",
        "details": { "subject": "Moin", "content": "<p>{{code}}</p>", "contentType": "text/html" },
        "createdAt": server.clock.now_ms(),
    });
    assert_eq!(written.body[0], view);
    let path = format!("{TEMPLATES}/{id}");
    assert_eq!(management.get(&path).await.expect(200).body, view);
    for (query, count) in
        [("", 3), ("?languageTag=en", 2), ("?templateType=SignIn", 2), ("?languageTag=de&templateType=Register", 0)]
    {
        let listed = management.get(&format!("{TEMPLATES}{query}")).await.expect(200);
        assert_eq!(listed.body.as_array().unwrap().len(), count, "{query}");
    }
    // The same language and type again: the same template.
    let again = json!({ "templates": [template("de", "SignIn", "Servus")] });
    let again = management.put(TEMPLATES, again).await.expect(200);
    assert_eq!((&again.body[0]["id"], &again.body[0]["details"]["subject"]), (&json!(id), &json!("Servus")));

    let details = format!("{path}/details");
    let changed = json!({ "subject": "Grüezi", "replyTo": "help@example.com", "contentType": null });
    let changed = management.patch(&details, changed).await.expect(200);
    let expected = json!({ "subject": "Grüezi", "content": "<p>{{code}}</p>", "replyTo": "help@example.com" });
    assert_eq!(changed["details"], expected);
    assert_eq!(management.get(&path).await.expect(200).body, changed.body);

    management.delete(&path).await.expect(204);
    management.delete(&path).await.expect_api_error(404, "entity.not_found");
    management.get(&path).await.expect_api_error(404, "entity.not_exists_with_id");
    management.patch(&details, json!({})).await.expect_api_error(404, "entity.not_exists_with_id");
    let unfiltered = management.delete(TEMPLATES).await;
    unfiltered.expect_api_error(422, "connector.email_connector.bulk_deletion_no_filter");
    let deleted = management.delete(&format!("{TEMPLATES}?languageTag=en")).await.expect(200);
    assert_eq!(deleted.body, json!({ "rowCount": 2 }));
    assert_eq!(management.get(TEMPLATES).await.expect(200).body, json!([]));
    let mut tx = server.begin().await;
    for (key, count) in [("Replace", 2), ("Update", 1), ("Delete", 1), ("DeleteAll", 1)] {
        let logs = audit::list_by_key(&mut tx, &format!("Management.EmailTemplate.{key}"), 10).await.unwrap();
        assert_eq!(logs.len(), count, "{key}");
    }
});

both!(what_is_no_template_is_refused, async |server: TestServer| {
    let management = server.management().await;
    let written = management.put(TEMPLATES, json!({ "templates": [template("en", "SignIn", "Hi")] })).await.expect(200);
    let details = format!("{TEMPLATES}/{}/details", written.body[0]["id"].as_str().unwrap());
    for (member, value) in [
        ("subject", json!("")),
        ("subject", json!("x".repeat(257))),
        ("subject", json!(1)),
        ("content", json!("")),
        ("content", json!("x".repeat(65_537))),
        ("contentType", json!("text/markdown")),
    ] {
        let mut new = template("en", "SignIn", "Hi");
        new["details"][member] = value.clone();
        let answer = management.put(TEMPLATES, json!({ "templates": [new] })).await;
        answer.expect_api_error(400, "guard.invalid_input");
        management.patch(&details, json!({ member: value })).await.expect_api_error(400, "guard.invalid_input");
    }
    management.patch(&details, json!({ "subject": null })).await.expect_api_error(400, "guard.invalid_input");
    for body in [
        json!({}),
        json!({ "templates": {} }),
        json!({ "templates": [template("no tag", "SignIn", "Hi")] }),
        json!({ "templates": [template("en", "Fax", "Hi")] }),
    ] {
        management.put(TEMPLATES, body).await.expect_api_error(400, "guard.invalid_input");
    }
    for query in ["?languageTag=no_tag", "?templateType=Fax", "?languageTag=en&languageTag=de"] {
        management.get(&format!("{TEMPLATES}{query}")).await.expect_api_error(400, "guard.invalid_input");
        management.delete(&format!("{TEMPLATES}{query}")).await.expect_api_error(400, "guard.invalid_input");
    }
    let nobodys = format!("{TEMPLATES}/{NOBODY}");
    management.get(&nobodys).await.expect_api_error(404, "entity.not_exists_with_id");
    assert_eq!(management.get(TEMPLATES).await.expect(200).body, written.body);
});
