//! `/api/custom-profile-fields`: the fields of a profile that people are asked for.

use claimsmith_storage::audit;
use claimsmith_test_support::{Actor, TestServer, both};
use serde_json::{Value, json};

const FIELDS: &str = "/api/custom-profile-fields";
const ORDER: &str = "/api/custom-profile-fields/properties/sie-order";

fn text(name: &str) -> Value {
    json!({ "name": name, "type": "Text", "label": "Company", "required": true, "config": { "maxLength": 64 } })
}

/// The names of all fields, in their order.
async fn names(management: &Actor) -> Vec<String> {
    let all = management.get(FIELDS).await.expect(200).body;
    all.as_array().unwrap().iter().map(|field| field["name"].as_str().unwrap().to_owned()).collect()
}

/// The fields that the sign-in pages are told of.
async fn public(server: &TestServer) -> Vec<Value> {
    let shown = server.get("/api/.well-known/sign-in-exp").await.expect(200).body;
    shown["customProfileFields"].as_array().unwrap().clone()
}

both!(fields_are_made_changed_and_deleted, async |server: TestServer| {
    let management = server.management().await;
    assert_eq!(management.get(FIELDS).await.expect(200).body, json!([]));
    let made = management.post(FIELDS, text("company")).await.expect(201).body;
    let mut expected = json!({
        "tenantId": "default", "id": made["id"], "name": "company", "type": "Text", "label": "Company",
        "description": null, "required": true, "config": { "maxLength": 64 }, "createdAt": server.clock.now_ms(),
        "sieOrder": 1,
    });
    assert_eq!(made, expected);
    let path = format!("{FIELDS}/company");
    assert_eq!(management.get(&path).await.expect(200).body, expected);
    management.post(FIELDS, text("company")).await.expect_api_error(422, "custom_profile_fields.name_exists");

    let change = json!({
        "name": "other", "sieOrder": 7, "type": "Select", "required": false, "description": "Where you work",
        "config": { "options": [{ "value": "acme", "label": "Acme" }], "placeholder": "Choose" },
    });
    for (member, value) in [
        ("type", json!("Select")),
        ("label", json!("")),
        ("description", json!("Where you work")),
        ("required", json!(false)),
        ("config", change["config"].clone()),
    ] {
        expected[member] = value;
    }
    assert_eq!(management.put(&path, change).await.expect(200).body, expected);
    assert_eq!(management.get(FIELDS).await.expect(200).body, json!([expected]));
    assert_eq!(public(&server).await, [expected]);

    let date =
        |format: &str| json!({ "name": "d1", "type": "Date", "required": false, "config": { "format": format } });
    let dated = management.post(FIELDS, date("MM-DD-YYYY")).await.expect(201);
    assert_eq!(dated["config"], json!({ "format": "MM-DD-YYYY" }));
    management.delete(&format!("{FIELDS}/d1")).await.expect(204);
    management.post(FIELDS, date("week of the year")).await.expect_api_error(400, "guard.invalid_input");
    let many: Vec<Value> = (0..21).map(|number| text(&format!("company{number}"))).collect();
    let refused = management.post(&format!("{FIELDS}/batch"), json!(many)).await;
    refused.expect_api_error(400, "guard.invalid_input");
    assert_eq!(refused["data"]["issues"].as_array().unwrap().len(), 1, "one issue, as in every error of a body");

    for (method, code) in [("GET", "entity.not_found"), ("PUT", "entity.not_exists"), ("DELETE", "entity.not_found")] {
        let body = if method == "PUT" { json!({ "type": "Text", "required": true }) } else { Value::Null };
        let answer = management.send(method.parse().unwrap(), &format!("{FIELDS}/nothing"), body).await;
        answer.expect_api_error(404, code);
    }
    management.delete(&path).await.expect(204);
    assert_eq!(names(&management).await, Vec::<String>::new());
    let mut tx = server.begin().await;
    for (key, times) in [("Create", 2), ("Update", 1), ("Delete", 2)] {
        let key = format!("Management.CustomProfileField.{key}");
        assert_eq!(audit::list_by_key(&mut tx, &key, 10).await.unwrap().len(), times, "{key}");
    }
});

both!(fields_stand_in_an_order, async |server: TestServer| {
    let management = server.management().await;
    management.post(&format!("{FIELDS}/batch"), json!([text("a"), text("b"), text("c")])).await.expect(201);
    assert_eq!(names(&management).await, ["a", "b", "c"]);
    let order = json!({ "order": [{ "name": "a", "sieOrder": 9 }, { "name": "c", "sieOrder": 0 }] });
    let ordered = management.post(ORDER, order).await.expect(200).body;
    assert_eq!((&ordered[0]["name"], &ordered[2]["sieOrder"]), (&json!("c"), &json!(9)));
    assert_eq!(names(&management).await, ["c", "b", "a"]);
    assert_eq!(management.post(FIELDS, text("d")).await.expect(201)["sieOrder"], 10);
    for (order, code) in [
        (
            json!([{ "name": "a", "sieOrder": 1 }, { "name": "x", "sieOrder": 2 }]),
            "custom_profile_fields.entity_not_exists_with_names",
        ),
        (json!([{ "name": "a", "sieOrder": 1 }, { "name": "a", "sieOrder": 2 }]), "request.invalid_input"),
        (json!([{ "name": "a", "sieOrder": "first" }]), "guard.invalid_input"),
        (json!("a"), "guard.invalid_input"),
    ] {
        management.post(ORDER, json!({ "order": order })).await.expect_api_error(400, code);
    }
    assert_eq!(names(&management).await, ["c", "b", "a", "d"], "all of it or nothing");

    // Pages show those that the settings name, in their order.
    let list = json!([{ "name": "d" }, { "name": "unknown" }, { "name": "b" }]);
    management.patch("/api/sign-in-exp", json!({ "signUpProfileFields": list })).await.expect(200);
    management.patch("/api/account-center", json!({ "profileFields": list })).await.expect(200);
    let shown = public(&server).await;
    assert_eq!(shown.iter().map(|field| &field["name"]).collect::<Vec<_>>(), ["d", "b"]);
    management.delete(&format!("{FIELDS}/d")).await.expect(204);
    let left = json!([{ "name": "unknown" }, { "name": "b" }]);
    assert_eq!(management.get("/api/sign-in-exp").await.expect(200)["signUpProfileFields"], left);
    assert_eq!(management.get("/api/account-center").await.expect(200)["profileFields"], left);
    management.patch("/api/sign-in-exp", json!({ "signUpProfileFields": [] })).await.expect(200);
    assert_eq!(public(&server).await, [] as [Value; 0]);
});

both!(fields_that_make_no_sense_are_refused, async |server: TestServer| {
    let management = server.management().await;
    let of = |name: &str, kind: &str, config: Value| json!({ "name": name, "type": kind, "required": false, "config": config });
    let part =
        |kind: &str| json!({ "parts": [{ "enabled": true, "name": "locality", "type": kind, "required": true }] });
    for (body, code) in [
        (of("", "Text", json!({})), "custom_profile_fields.invalid_name"),
        (of("customData.test", "Text", json!({})), "custom_profile_fields.invalid_name"),
        (of("primaryEmail", "Text", json!({})), "custom_profile_fields.name_conflict_sign_in_identifier"),
        (of("preferredUsername", "Text", json!({})), "custom_profile_fields.name_conflict_built_in_prop"),
        (of("onboarding", "Text", json!({})), "custom_profile_fields.name_conflict_custom_data"),
        (of("a", "Text", json!({ "minLength": 3, "maxLength": 2 })), "custom_profile_fields.invalid_min_max_input"),
        (of("a", "Select", json!({})), "custom_profile_fields.invalid_options"),
        (of("a", "Regex", json!({ "format": "[" })), "custom_profile_fields.invalid_regex_format"),
        (of("a", "Regex", json!({ "format": "(x)\\1" })), "custom_profile_fields.invalid_regex_format"),
        (of("a", "Regex", json!({ "format": ".{999}{999}" })), "custom_profile_fields.invalid_regex_format"),
        (of("address", "Address", json!({ "parts": [] })), "custom_profile_fields.invalid_address_parts"),
        (of("fullname", "Fullname", json!({})), "custom_profile_fields.invalid_fullname_parts"),
        (of("address", "Address", part("Fullname")), "custom_profile_fields.invalid_sub_component_type"),
        (of("address", "Text", json!({})), "guard.invalid_input"),
        (of("a", "Shoe", json!({})), "guard.invalid_input"),
        (of("a", "Text", json!([])), "guard.invalid_input"),
        (of("a", "Text", json!({ "minLength": -1 })), "guard.invalid_input"),
        (of("a", "Regex", json!({ "format": "a".repeat(513) })), "guard.invalid_input"),
        (json!({ "name": "a", "type": "Text" }), "guard.invalid_input"),
        (json!({ "name": "a", "type": "Checkbox", "required": true }), "guard.invalid_input"),
    ] {
        management.post(FIELDS, body).await.expect_api_error(400, code);
    }
    let many: Vec<Value> = (0..21).map(|number| text(&format!("field{number}"))).collect();
    for body in [json!(many), json!({ "name": "a" }), json!([text("a"), "b"])] {
        management.post(&format!("{FIELDS}/batch"), body).await.expect_api_error(400, "guard.invalid_input");
    }
    let twice = json!([text("a"), text("a")]);
    let answer = management.post(&format!("{FIELDS}/batch"), twice).await;
    answer.expect_api_error(422, "custom_profile_fields.name_exists");
    assert_eq!(names(&management).await, Vec::<String>::new(), "all of it or nothing");
    let tick = json!({ "name": "news", "type": "Checkbox", "required": false });
    management.post(FIELDS, tick.clone()).await.expect(201);
    let answer = management.put(&format!("{FIELDS}/news"), tick).await;
    answer.expect_api_error(400, "custom_profile_fields.invalid_default_value");
    for round in 0..3 {
        let some: Vec<Value> = (0..20).map(|number| text(&format!("field{round}x{number}"))).collect();
        let answer = management.post(&format!("{FIELDS}/batch"), json!(some)).await;
        if round < 2 {
            answer.expect(201);
        } else {
            answer.expect_api_error(422, "custom_profile_fields.too_many");
        }
    }
});
