//! `POST /api/users/import` and `GET /api/users/export`: users by the thousand, as streams.

use crate::fixtures::{narrow, role, texts};
use claimsmith_storage::audit;
use claimsmith_storage::users::{self, list};
use claimsmith_test_support::{Actor, Answer, Home, Kind, TestServer, Wire, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const IMPORT: &str = "/api/users/import";
const JSON_LINES: &str = "application/jsonl";

async fn send(caller: &Actor, query: &str, kind: &str, body: impl Into<reqwest::Body>) -> Answer {
    let request = caller.request(Method::POST, &format!("{IMPORT}{query}"));
    Answer::of(request.header("content-type", kind).body(body.into())).await
}

/// The lines of an answer.
fn lines(answer: &Answer) -> Vec<Value> {
    let text = match &answer.body {
        Value::String(text) => text.clone(),
        one => one.to_string(),
    };
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

async fn import(caller: &Actor, query: &str, kind: &str, body: impl Into<reqwest::Body>) -> Vec<Value> {
    lines(&send(caller, query, kind, body).await.expect(200))
}

fn done(lines: u64, created: u64, failed: u64) -> Value {
    json!({ "done": { "lines": lines, "created": created, "failed": failed, "dryRun": false } })
}

async fn count(server: &TestServer) -> i64 {
    list::count(&mut server.begin().await, &list::Filter::default()).await.unwrap()
}

both!(each_line_is_a_user_and_a_bad_one_costs_itself_alone, async |server: TestServer| {
    let management = server.management().await;
    role(&management, "member", "User", &[]).await;
    let hook = json!({ "name": "crm", "events": ["User.Created"], "config": { "url": "http://127.0.0.1:9/" } });
    management.post("/api/hooks", hook).await.expect(201);
    let before = count(&server).await;
    let sha1 = "5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8";
    let body = [
        json!({ "username": "ada", "primaryEmail": "Ada@example.com", "profile": { "givenName": "Ada" } }).to_string(),
        String::new(),
        json!({ "username": "bob", "passwordDigest": sha1, "passwordAlgorithm": "SHA1", "isSuspended": true })
            .to_string(),
        json!({ "username": "ADA" }).to_string(),
        "{".to_owned(),
        json!({ "username": "9lives" }).to_string(),
        json!([]).to_string(),
        json!({ "primaryPhone": "+999123456" }).to_string(),
        json!({ "username": "cy", "password": "a", "passwordDigest": "b" }).to_string(),
        json!({ "username": "dee", "isSuspended": "yes" }).to_string(),
        json!({ "username": "eve", "password": "correct horse", "roles": ["x"], "id": "ignored" }).to_string(),
    ]
    .join("\n");

    let answer = send(&management, "", JSON_LINES, body).await.expect(200);

    assert_eq!(answer.header("content-type"), Some("application/jsonl; charset=utf-8"));
    let said = lines(&answer);
    let codes: Vec<_> = said.iter().map(|line| (line["line"].as_u64(), line["code"].as_str())).collect();
    let expected = [
        (Some(4), Some("user.username_already_in_use")),
        (Some(5), Some("request.invalid_json")),
        (Some(6), Some("guard.invalid_input")),
        (Some(7), Some("guard.invalid_input")),
        (Some(8), Some("user.invalid_phone")),
        (Some(9), Some("user.password_and_digest")),
        (Some(10), Some("guard.invalid_input")),
    ];
    assert_eq!(codes[..7], expected, "{said:#?}");
    assert!(said[2]["message"].as_str().unwrap().contains("username"), "{said:#?}");
    assert_eq!(said[7..], [done(10, 3, 7)]);
    assert_eq!(count(&server).await, before + 3);

    let found = management.get("/api/users?search.username=bob").await.expect(200);
    assert_eq!((&found.body[0]["isSuspended"], &found.body[0]["hasPassword"]), (&json!(true), &json!(true)));
    let found = management.get("/api/users?search.username=eve").await.expect(200);
    let path = format!("/api/users/{}/password/verify", found.body[0]["id"].as_str().unwrap());
    management.post(&path, json!({ "password": "correct horse" })).await.expect(204);
    let mut tx = server.begin().await;
    assert_eq!(audit::list_by_key(&mut tx, "Management.User.Create", 10).await.unwrap().len(), 3);
    drop(tx);
    let hook = management.get("/api/hooks").await.expect(200).body[0]["id"].as_str().unwrap().to_owned();
    let deliveries = management.get(&format!("/api/hooks/{hook}/deliveries")).await.expect(200);
    assert_eq!(deliveries.header("total-number"), Some("3"), "an event for each");
});

both!(a_trial_says_the_same_and_creates_nobody, async |server: TestServer| {
    let management = server.management().await;
    let before = count(&server).await;
    let body = "{\"username\":\"ada\",\"password\":\"a\"}\n{\"username\":\"Ada\"}\n";
    let said = import(&management, "?dryRun=true", "application/x-ndjson", body).await;
    assert_eq!(said[0]["code"], "user.username_already_in_use");
    assert_eq!(said[1], json!({ "done": { "lines": 2, "created": 1, "failed": 1, "dryRun": true } }));
    assert_eq!(count(&server).await, before);
    assert_eq!(server.app.passwords.computed(), 0, "no password is digested for nothing");
});

both!(columns_of_csv_are_members, async |server: TestServer| {
    let management = server.management().await;
    let body = "username,profile.givenName,profile.address.country,customData,isSuspended,roles\r\n\
                ada,Ada,UK,\"{\"\"plan\"\":\"\"gold\"\"}\",,\"[\"\"x\"\"]\"\r\n\
                ,,,,,\r\n\
                bob,\"Bob\nthe second\",,{,TRUE,\r\n\
                cy,,\r\n\
                dee,,,,TRUE,\r\n";
    let said = import(&management, "", "text/csv; charset=utf-8", body).await;
    let codes: Vec<_> = said.iter().map(|line| (line["line"].as_u64(), line["code"].as_str())).collect();
    let expected = [(Some(4), Some("request.invalid_json")), (Some(6), Some("guard.invalid_input"))];
    assert_eq!(codes[..2], expected, "{said:#?}");
    assert_eq!(said[2..], [done(4, 2, 2)]);
    let found = management.get("/api/users?search.username=ada").await.expect(200);
    let user = &found.body[0];
    assert_eq!(user["profile"], json!({ "givenName": "Ada", "address": { "country": "UK" } }));
    assert_eq!(user["customData"], json!({ "plan": "gold" }));
    let found = management.get("/api/users?search.username=dee").await.expect(200);
    assert_eq!(found.body[0]["isSuspended"], json!(true));
});

both!(what_is_no_file_of_users_is_refused, async |server: TestServer| {
    let management = server.management().await;
    for (kind, body) in [("text/csv", ""), ("text/csv", "usernme\nada\n"), ("text/csv", "username,username\na,b\n")] {
        let answer = send(&management, "", kind, body).await;
        answer.expect_api_error(400, "user.import_columns_invalid");
    }
    for kind in ["application/json", "text/plain", "", "application/jsonlines"] {
        let answer = send(&management, "", kind, "{}").await;
        answer.expect_api_error(415, "request.unsupported_media_type");
    }
    send(&management, "?dryRun=perhaps", JSON_LINES, "{}").await.expect_api_error(400, "guard.invalid_input");
    management.get(IMPORT).await.expect_api_error(405, "request.method_not_allowed");
    let reader = narrow(&server, &management, &["users:read"]).await;
    send(&reader, "", JSON_LINES, "{}").await.expect_api_error(403, "auth.forbidden");
    management.get("/api/users/export?format=xml").await.expect_api_error(400, "guard.invalid_input");
    management.get("/api/users/export?search=a&mode=fuzzy").await.expect_api_error(400, "request.invalid_input");
    let writer = narrow(&server, &management, &["users:write"]).await;
    writer.get("/api/users/export").await.expect_api_error(403, "auth.forbidden");
});

both!(a_line_without_end_costs_itself_alone, async |server: TestServer| {
    let management = server.management().await;
    let long = format!("{{\"name\":\"{}\"}}", "x".repeat(300_000));
    let said = import(&management, "", JSON_LINES, format!("{long}\n{{\"username\":\"ada\"}}\n")).await;
    assert_eq!((&said[0]["line"], &said[0]["code"]), (&json!(1), &json!("request.line_too_long")));
    assert_eq!(said[1], done(2, 1, 1));
});

both!(thousands_are_told_of_as_they_go, async |server: TestServer| {
    let management = server.management().await;
    let before = count(&server).await;
    let line = |number: u32| format!("{{\"username\":\"user_{number}\",\"name\":\"User {number}\"}}\n");
    let body: String = (0..2500).map(line).chain([line(7)]).collect();
    let commits = server.app.db.commits();
    let said = import(&management, "", JSON_LINES, body).await;
    // Who writes beside it waits for ten users, not for hundreds.
    assert!(server.app.db.commits() - commits >= 250);
    let progress = |lines: u64| json!({ "progress": { "lines": lines, "created": lines, "failed": 0 } });
    assert_eq!(said[..2], [progress(1000), progress(2000)]);
    assert_eq!((&said[2]["line"], &said[3]), (&json!(2501), &done(2501, 2500, 1)));
    assert_eq!(count(&server).await, before + 2500);

    // In pages that are larger than one read.
    let exported = management.get("/api/users/export?search.username=user%25").await.expect(200);
    let names: Vec<String> =
        lines(&exported).iter().map(|user| user["username"].as_str().unwrap().to_owned()).collect();
    let expected: Vec<String> = (0..2500).map(|number| format!("user_{number}")).collect();
    assert_eq!(names, expected, "the first one first, and each once");
});

/// A server on SQLite whose bodies may stand still for a second only.
#[tokio::test]
async fn a_body_may_take_longer_than_others_as_long_as_it_moves() {
    let home: Arc<Home> = Home::new(Kind::Sqlite).await;
    let changes =
        [("CLAIMSMITH_BODY_TIMEOUT", "1"), ("CLAIMSMITH_REQUEST_TIMEOUT", "1"), ("CLAIMSMITH_BODY_IDLE_TIMEOUT", "1")];
    let server = TestServer::start(&home, &changes).await.unwrap();
    let token = server.management_token().await;
    let head = format!(
        "POST {IMPORT} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nContent-Type: {JSON_LINES}\r\n\
         Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
    );
    let chunk = |name: &str| {
        let line = format!("{{\"username\":\"{name}\"}}\n");
        format!("{:x}\r\n{line}\r\n", line.len())
    };
    let mut wire = Wire::open(&server).await.unwrap();
    wire.say(&head).await.unwrap();
    for number in 0..5 {
        // Longer than any other request may take, in sum: what is tested is time itself.
        tokio::time::sleep(Duration::from_millis(400)).await;
        wire.say(chunk(&format!("slow_{number}"))).await.unwrap();
    }
    wire.say("0\r\n\r\n").await.unwrap();
    let rest = String::from_utf8(wire.rest().await).unwrap();
    assert!(rest.starts_with("HTTP/1.1 200") && rest.contains(&done(5, 5, 0).to_string()), "{rest}");

    // One that stands still is told so, and what came before stays.
    let mut wire = Wire::open(&server).await.unwrap();
    wire.say(format!("{head}{}", chunk("bob"))).await.unwrap();
    let rest = String::from_utf8(wire.rest().await).unwrap();
    assert!(rest.contains("{\"stopped\":{\"code\":\"request.body_incomplete\""), "{rest}");
    assert!(rest.contains("\"created\":1,"), "{rest}");
    server.stop().await;
}

both!(an_export_can_be_imported_elsewhere, async |server: TestServer| {
    let management = server.management().await;
    let role_id = role(&management, "gold, \"members\"", "User", &[]).await;
    let digest = "5f4dcc3b5aa765d61d8327deb882cf99";
    let ada = json!({
        "username": "ada", "primaryEmail": "ada@example.com", "primaryPhone": "+49 30 901820",
        "name": "Ada, \"the\nfirst\";=1+1;\t＝2", "avatar": "https://a.test/a.png", "passwordDigest": digest,
        "passwordAlgorithm": "MD5", "customData": { "plan": "gold", "list": [1, null], "text": "a,b;=3" },
        "profile": {
            "givenName": "Ada", "website": "=1+1", "nickname": "'=2+2", "familyName": "''", "profile": "\t=1",
            "zoneinfo": "＝1＋1", "locale": "＋49", "gender": "－1", "middleName": "＠a",
            "address": { "country": "UK", "locality": "-Boulevard", "region": "@SUM(A1:A9)", "streetAddress": "+street" }
        }
    });
    let id = management.post("/api/users", ada).await.expect(200).text("id");
    management.post(&format!("/api/users/{id}/roles"), json!({ "roleIds": [role_id] })).await.expect(201);
    let bob = management.post("/api/users", json!({ "username": "bob" })).await.expect(200).text("id");
    management.patch(&format!("/api/users/{bob}/is-suspended"), json!({ "isSuspended": true })).await.expect(200);
    let all = management.get("/api/users?page_size=100").await.expect(200).body;

    let other = Home::new(server.home.kind()).await;
    for format in ["jsonl", "csv"] {
        let exported = management.get(&format!("/api/users/export?format={format}")).await.expect(200);
        let text = exported.body.as_str().unwrap().to_owned();
        for secret in [digest, "MD5", "passwordDigest", "passwordAlgorithm", "$argon2id$"] {
            assert!(!text.contains(secret), "{secret} is in {text}");
        }
        let file = format!("attachment; filename=\"users.{format}\"");
        assert_eq!(exported.header("content-disposition"), Some(file.as_str()));
        if format == "jsonl" {
            let of_ada = lines(&exported).into_iter().find(|user| user["id"] == id.as_str()).unwrap();
            assert_eq!((&of_ada["roles"], &of_ada["hasPassword"]), (&json!(["gold, \"members\""]), &json!(true)));
        }
        let there = TestServer::start(&other, &[("CLAIMSMITH_DEMO", "false")]).await.unwrap();
        let elsewhere = there.management().await;
        let kind = if format == "csv" { "text/csv" } else { JSON_LINES };
        for formula in ["=1+1", "@SUM(A1:A9)", "-Boulevard", "+street", "\t=1", "＝1＋1", "＋49", "－1", "＠a"] {
            // It stands in quotes in JSON.
            assert!(!text.contains(&format!(",{formula}")) && !text.contains(&format!(",\"{formula}")), "{text}");
        }
        if format == "csv" {
            // Nor where another separator would begin a field.
            for formula in [";=", ";＝", "\t=", "\t＝", "\n=", ";\t"] {
                assert!(!text.contains(formula), "{formula:?}: {text}");
            }
        }
        let said = import(&elsewhere, "", kind, text).await;
        assert_eq!(said.last().unwrap()["done"]["failed"], 0, "{said:#?}");
        let imported = elsewhere.get("/api/users?page_size=100").await.expect(200).body;
        let same = |list: &Value| {
            let mut users = list.as_array().unwrap().clone();
            for user in &mut users {
                for own in ["id", "createdAt", "updatedAt", "lastSignInAt", "applicationId", "hasPassword"] {
                    user.as_object_mut().unwrap().remove(own);
                }
            }
            users.sort_by_key(|user| user["username"].as_str().unwrap_or_default().to_owned());
            users
        };
        assert_eq!(same(&imported), same(&all), "{format}");
        for user in imported.as_array().unwrap() {
            elsewhere.delete(&format!("/api/users/{}", user["id"].as_str().unwrap())).await.expect(204);
        }
        there.stop().await;
    }
    let mut tx = server.begin().await;
    let logs = audit::list_by_key(&mut tx, "Management.User.Export", 10).await.unwrap();
    assert_eq!(logs.len(), 2);
    assert!(users::find(&mut tx, &id.as_str().into()).await.unwrap().unwrap().password_digest.is_some());
    drop(tx);
    let found = management.get("/api/users/export?search.username=ada&format=csv").await.expect(200);
    assert_eq!(found.body.as_str().unwrap().matches("\r\n").count(), 2, "the columns and one user");
    assert!(texts(&all, "username").contains(&"ada"));
});
