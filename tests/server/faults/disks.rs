//! Full disks, for the cache, the data or the log: nothing is half written, the server continues as far as possible,
//! and recovers when there is room.

use super::{claims, component, files, text, upload, upload_request};
use crate::BINARY;
use claimsmith_test_support::{Answer, Home, Kind, Process, SmallDisk, until};
use data_encoding::BASE64;
use serde_json::json;
use std::ffi::OsStr;

/// Far more writes than a small disk can take.
const MANY: usize = 10_000;

fn refuses_to_compile(answer: &Answer) {
    answer.expect_api_error(503, "plugin.compiler_unavailable");
    assert_eq!(answer.header("retry-after"), Some("5"));
    assert!(answer.text("message").contains("cannot be written; its disk may be full"), "{}", answer.body);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_the_cache() {
    let home = Home::new(Kind::Sqlite).await;
    let cache = home.folder().join("cache");
    let Some(disk) = SmallDisk::new(&cache, 32) else { return };
    let changes = [("CLAIMSMITH_PLUGINS_CACHE_DIR", cache.to_str().unwrap())];
    {
        let mut server = Process::start(BINARY, &home, &[]).await.unwrap();
        upload(&server, "stamp", &text(1000)).await.expect(201);
        assert!(server.terminate().await.success());
    }

    // What was accepted already serves, even if there is no room to write down what is compiled.
    let server = Process::start_by(&disk.command(BINARY, true), &home, &changes).await.unwrap();
    assert_eq!(claims(&server).await["answer"], 1000);
    server.stderr.wait_for("the plugin cache cannot be written").await;
    let compiled_here = "cached compiled code cannot be used";
    assert!(!server.stderr.text().contains(compiled_here), "{}", server.stderr.text());
    let draft = json!({ "language": "wasm", "sourceBase64": BASE64.encode(&component(&text(1001))) });
    let management = server.management().await;
    for (refused, accepted) in [(1001, 1002), (1003, 1004)] {
        let before = claims(&server).await["answer"].clone();
        let versions = management.get("/api/plugins/stamp/versions").await.expect(200).body;
        refuses_to_compile(&upload(&server, "stamp", &text(refused)).await);
        refuses_to_compile(&management.post("/api/plugins/test", draft.clone()).await);
        assert_eq!(management.get("/api/plugins/stamp/versions").await.expect(200).body, versions);
        assert_eq!(claims(&server).await["answer"], before);
        // Beside locks, what wasmtime counts.
        let left = files(&disk.seen_by(&server).join("work"));
        let may_be_left = |ending: &OsStr| ending == "stats" || ending == "wip-none";
        assert!(left.iter().all(|path| path.extension().is_none_or(may_be_left)), "{left:?}");

        disk.free(&server);
        upload(&server, "stamp", &text(accepted)).await.expect(201);
        assert_eq!(claims(&server).await["answer"], accepted);
        // What was refused is refused no longer: nothing half written stands in its way.
        upload(&server, "stamp", &text(refused)).await.expect(201);
        assert_eq!(claims(&server).await["answer"], refused);
        disk.fill(&server, 0);
    }
    disk.free(&server);
    let answer = management.post("/api/plugins/test", draft).await.expect(200);
    assert_eq!(answer["claims"], json!({ "answer": 1001 }));
    assert!(!server.stderr.text().contains("panicked"), "{}", server.stderr.text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_the_data() {
    let home = Home::new(Kind::Sqlite).await;
    let Some(disk) = SmallDisk::new(&home.data_dir(), 16) else { return };
    let server = Process::start_by(&disk.command(BINARY, false), &home, &[]).await.unwrap();
    upload(&server, "stamp", &text(1000)).await.expect(201);
    let management = server.management().await;
    let (pending, token) = (server.customer_token().await, server.exchange(&server.customer_token().await));
    let token = token.as_web().access_token().await;
    let body = json!({ "userId": server.demo().customer_user_id, "context": {} });
    let recordings = "/api/plugins/stamp/recordings";
    let recording = management.post(recordings, json!({ "count": 1000 })).await.expect(201).text("id");

    disk.fill(&server, 256 << 10);
    let mut acknowledged = Vec::new();
    let refused = loop {
        let answer = management.post("/api/subject-tokens", body.clone()).await;
        if answer.status != 201 {
            break answer;
        }
        acknowledged.push(answer.text("subjectToken"));
        assert!(acknowledged.len() < MANY, "the disk never fills");
    };
    refused.expect_api_error(500, "server_error");
    assert!(!acknowledged.is_empty());
    disk.fill(&server, 0);
    server.exchange(&pending).send().await.expect_oauth_error(500, "server_error");
    let request = upload_request(&management, "stamp", component(&text(1001)));
    Answer::of(request).await.expect_api_error(500, "server_error");
    management.delete("/api/plugins/stamp").await.expect_api_error(500, "server_error");
    management.post(recordings, json!({ "count": 1 })).await.expect_api_error(500, "server_error");
    server.stderr.wait_for("full").await;

    // Reading goes on.
    assert_eq!(server.introspect_as_web(&token).await["active"], true);
    server.get("/oidc/jwks").await.expect(200);
    let versions = management.get("/api/plugins/stamp/versions").await.expect(200).body;
    assert_eq!(versions.as_array().unwrap().len(), 1);
    let kept = management.get(recordings).await.expect(200).body;
    assert_eq!((kept.as_array().unwrap().len(), &kept[0]["id"]), (1, &json!(recording)));
    // The call of the token that was refused is lost, which is counted, with the reason.
    let path = format!("{recordings}/{recording}");
    let lost = until("a lost sample", async || {
        let shown = management.get(&path).await.expect(200);
        (shown["dropped"].as_u64() > Some(0)).then_some(shown)
    })
    .await;
    assert_eq!((&lost["state"], &lost["problem"]), (&json!("recording"), &json!("the disk of the database is full")));

    disk.free(&server);
    server.exchange(&pending).send().await.expect(200);
    // The recording that was there goes on.
    until("a recorded call", async || {
        let shown = management.get(&path).await.expect(200);
        (shown["state"] == "recording" && shown["recorded"].as_u64() > Some(0)).then_some(())
    })
    .await;
    for subject_token in acknowledged.iter().step_by(acknowledged.len().div_ceil(6)) {
        server.exchange(subject_token).send().await.expect(200);
    }
    upload(&server, "stamp", &text(1001)).await.expect(201);
    assert_eq!(claims(&server).await["answer"], 1001);
    assert!(!server.stderr.text().contains("panicked"), "{}", server.stderr.text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_the_log() {
    let home = Home::new(Kind::Sqlite).await;
    // Standard error is a disk that was full before the first line.
    let words = ["/bin/sh", "-c", "exec \"$0\" 2>/dev/full", BINARY].map(str::to_owned);
    let mut server = Process::start_by(&words, &home, &[]).await.unwrap();
    for number in [1000, 1001] {
        upload(&server, "stamp", &text(number)).await.expect(201);
        assert_eq!(claims(&server).await["answer"], number);
    }
    server.exchange("unknown").send().await.expect_oauth_error(400, "invalid_request");
    server.get("/api/status").await.expect(204);
    assert!(server.terminate().await.success());
}
