//! Normalization of phone numbers, settings for second factors, and optional parts of user responses.

use crate::fixtures::{NOBODY, texts, user};
use claimsmith_storage::hooks;
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};
use std::time::Duration;

both!(a_phone_number_is_one_however_it_is_written, async |server: TestServer| {
    let management = server.management().await;
    let phone = |phone: &str| json!({ "primaryPhone": phone });
    let ada = management.post("/api/users", phone("+61 (0) 412-345-678")).await.expect(200);
    assert_eq!(ada["primaryPhone"], "61412345678");
    let grace = format!("/api/users/{}", user(&management, "grace").await);
    for spelling in ["+61 412 345 678", "61(0)412345678", "+61-412-345-678", "61412345678"] {
        let taken = "user.phone_already_in_use";
        management.post("/api/users", phone(spelling)).await.expect_api_error(422, taken);
        management.patch(&grace, phone(spelling)).await.expect_api_error(422, taken);
    }
    for impossible in ["0123", "(0)", "1", "+49 151 12345678901234", "+1 650 253 000", "+44 1234"] {
        management.post("/api/users", phone(impossible)).await.expect_api_error(422, "user.invalid_phone");
        management.patch(&grace, phone(impossible)).await.expect_api_error(422, "user.invalid_phone");
    }
    let changed = management.patch(&grace, phone("+44 7911 123456")).await.expect(200);
    assert_eq!(changed["primaryPhone"], "447911123456");
    assert_eq!(management.patch(&grace, phone("")).await.expect(200)["primaryPhone"], Value::Null);
});

both!(what_a_user_chose_is_kept, async |server: TestServer| {
    let management = server.management().await;
    let id = user(&management, "ada").await;
    let hook = json!({ "events": ["User.Data.Updated"], "config": { "url": "https://receiver.test" } });
    let hook = management.post("/api/hooks", hook).await.expect(201).text("id");
    let path = format!("/api/users/{id}/logto-configs");
    let unset = json!({
        "mfa": { "skipped": false, "skipMfaOnSignIn": false }, "passkeySignIn": { "skipped": false },
    });
    assert_eq!(management.get(&path).await.expect(200).body, unset);
    assert_eq!(management.patch(&path, json!({})).await.expect(200).body, unset);

    server.clock.advance(Duration::from_secs(1));
    let change = json!({ "mfa": { "enabled": true, "skipped": true } });
    let changed = management.patch(&path, change).await.expect(200);
    let mut set = unset;
    set["mfa"]["enabled"] = json!(true);
    set["mfa"]["skipped"] = json!(true);
    assert_eq!(changed.body, set);
    let change = json!({ "mfa": { "skipMfaOnSignIn": true }, "passkeySignIn": { "skipped": true } });
    management.patch(&path, change).await.expect(200);
    set["mfa"]["skipMfaOnSignIn"] = json!(true);
    set["passkeySignIn"]["skipped"] = json!(true);
    assert_eq!(management.get(&path).await.expect(200).body, set);

    // The event shows the user, and not the route.
    let events = hooks::outbox::events_for(&mut server.begin().await, &hook.as_str().into()).await.unwrap();
    assert_eq!(events.len(), 3);
    let event: Value = serde_json::from_str(&events[2].payload).unwrap();
    let mut shown = management.get(&format!("/api/users/{id}")).await.expect(200).body;
    assert_eq!(shown["updatedAt"], json!(server.clock.now_ms()));
    shown.as_object_mut().unwrap().remove("hasPassword");
    assert_eq!((&event["event"], &event["data"], event.get("path")), (&json!("User.Data.Updated"), &shown, None));
    // A change of something else leaves it alone.
    management.patch(&format!("/api/users/{id}"), json!({ "name": "Ada" })).await.expect(200);
    assert_eq!(management.get(&path).await.expect(200).body, set);

    let nobodys = format!("/api/users/{NOBODY}/logto-configs");
    management.get(&nobodys).await.expect_api_error(404, "entity.not_found");
    management.patch(&nobodys, json!({})).await.expect_api_error(404, "entity.not_found");
});

both!(enterprise_identities_are_shown_when_asked_for, async |server: TestServer| {
    let management = server.management().await;
    let path = format!("/api/users/{}", user(&management, "ada").await);
    assert_eq!(management.get(&path).await.expect(200).body.get("ssoIdentities"), None);
    for query in ["includeSsoIdentities=true", "includeSsoIdentities=1"] {
        let shown = management.get(&format!("{path}?{query}")).await.expect(200);
        assert_eq!((&shown["ssoIdentities"], &shown["username"]), (&json!([]), &json!("ada")), "{query}");
    }
    let not = management.get(&format!("{path}?includeSsoIdentities=false")).await.expect(200);
    assert_eq!(not.body.get("ssoIdentities"), None);
});

both!(roles_of_a_holder_are_searched, async |server: TestServer| {
    let management = server.management().await;
    let user = format!("/api/users/{}/roles", user(&management, "ada").await);
    let machine = json!({ "name": "Robot", "type": "MachineToMachine" });
    let machine = management.post("/api/applications", machine).await.expect(200).text("id");
    let machine = format!("/api/applications/{machine}/roles");
    for (path, kind) in [(user, "User"), (machine, "MachineToMachine")] {
        for name in ["readers", "writers", "others"] {
            let role = json!({ "name": format!("{name} {kind}"), "description": format!("of {name}"), "type": kind });
            let role = management.post("/api/roles", role).await.expect(200).text("id");
            management.post(&path, json!({ "roleIds": [role] })).await.expect(201);
        }
        management
            .post("/api/roles", json!({ "name": format!("x {kind}"), "description": "d", "type": kind }))
            .await
            .expect(200);
        let names = |prefixes: &[&str]| prefixes.iter().map(|name| format!("{name} {kind}")).collect::<Vec<_>>();
        for (query, found) in [
            ("", names(&["others", "readers", "writers"])),
            ("search=%25ERS%25", names(&["others", "readers", "writers"])),
            ("search.name=read%25", names(&["readers"])),
            ("search.description=of+w%25&search.name=r%25", names(&["readers", "writers"])),
            ("search=nothing", vec![]),
        ] {
            let listed = management.get(&format!("{path}?{query}")).await.expect(200);
            assert_eq!(texts(&listed.body, "name"), found, "{query}");
            assert_eq!(listed.header("total-number"), Some(found.len().to_string().as_str()), "{query}");
        }
        for query in ["search=", "search.type=User", "search=(&mode=posix"] {
            let refused = management.get(&format!("{path}?{query}")).await;
            refused.expect_api_error(400, "request.invalid_input");
        }
    }
});
