//! Public documents: what answers without credentials is one of them, or is computed at a limited rate; and each of
//! them is generated once and shared.

use crate::fixtures::hold_all;
use claimsmith::http::public_documents::{ALL, COMPUTED, PublicDocument};
use claimsmith_storage::users::avatars::{self, Avatar};
use claimsmith_test_support::{Answer, Home, TestServer, both, in_time, until};
use flate2::read::GzDecoder;
use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// A picture's id.
const AVATAR: &str = "abcdefghijklmnopqrstuvwxyz012345";
/// Where each router is nested that has paths of its own.
const FOLDERS: [&str; 2] = ["", "/oidc"];

/// A document's path, with a name for each parameter that there is.
fn example(document: &PublicDocument) -> String {
    let name = match document.path {
        "/api/docs/{*file}" => "swagger-ui-bundle.js",
        "/assets/custom.{name}" => "000000000000.css",
        "/assets/{name}" => "pages.000000000000.css",
        "/console/assets/{name}" => "console.000000000000.css",
        "/api/.well-known/endpoints/{tenantId}" => "default",
        "/avatars/{id}" => AVATAR,
        path => return path.to_owned(),
    };
    format!("{}{name}", document.path.split_once('{').unwrap().0)
}

/// Adds a picture that anybody can see who knows its address.
async fn add_picture(server: &TestServer) {
    let mut tx = server.begin().await;
    let picture = Avatar {
        id: AVATAR.into(),
        user_id: Some(server.demo().customer_user_id.clone()),
        interaction_id: None,
        media_type: "image/png".to_owned(),
        content: vec![7; 1000],
        created_at: server.clock.now_ms(),
        expires_at: None,
    };
    avatars::insert(&mut tx, &picture).await.unwrap();
    tx.commit().await.unwrap();
}

/// The status, the headers and the bytes of a response.
async fn fetch(server: &TestServer, method: Method, path: &str, more: &[(&str, &str)]) -> (u16, HeaderMap, Vec<u8>) {
    let request = server.http.request(method, server.url(path));
    let request = more.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let response = in_time(path, request.send()).await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    (status, headers, response.bytes().await.unwrap().to_vec())
}

both!(a_public_document_is_for_every_origin_and_can_be_kept, async |server: TestServer| {
    add_picture(&server).await;
    for document in &ALL {
        let path = example(document);
        let (status, headers, plain) = fetch(&server, Method::GET, &path, &[("origin", "https://a.test")]).await;
        assert_eq!(status, 200, "{path}");
        assert_eq!(headers["access-control-allow-origin"], "*", "{path}");
        assert!(!headers.contains_key("access-control-allow-credentials") && !headers.contains_key("set-cookie"));
        let kept = headers["cache-control"].to_str().unwrap();
        // A file is kept for good under its own name; by that of another version it is asked for again.
        assert!(kept.contains("max-age=") || path.contains(".000000000000."), "{path}: {kept}");
        assert!(headers["vary"].to_str().unwrap().contains("accept-encoding"), "{path}");
        let tag = headers["etag"].to_str().unwrap().to_owned();

        let known = [("if-none-match", &*format!("\"x\", {tag}"))];
        let (status, headers, body) = fetch(&server, Method::GET, &path, &known).await;
        assert_eq!((status, body.len(), headers["etag"].to_str().unwrap()), (304, 0, &*tag), "{path}");
        assert_eq!(headers["access-control-allow-origin"], "*", "{path}");
        assert_eq!(fetch(&server, Method::GET, &path, &[("if-none-match", "\"x\"")]).await.0, 200, "{path}");

        let (status, headers, compressed) = fetch(&server, Method::GET, &path, &[("accept-encoding", "gzip")]).await;
        assert_eq!((status, headers["etag"].to_str().unwrap()), (200, &*tag), "{path}");
        if headers.contains_key("content-encoding") {
            let mut text = Vec::new();
            GzDecoder::new(&*compressed).read_to_end(&mut text).unwrap();
            assert!(text == plain && compressed.len() < plain.len(), "{path}");
        } else {
            assert!(compressed == plain && (plain.len() < 1000 || path.contains("avatars")), "{path}");
        }
        let (status, headers, body) = fetch(&server, Method::HEAD, &path, &[]).await;
        assert_eq!((status, body.len()), (200, 0), "{path}");
        assert_eq!(headers["content-length"].to_str().unwrap(), plain.len().to_string(), "{path}");

        let preflight = [("origin", "https://a.test"), ("access-control-request-method", "GET")];
        let (status, headers, _) = fetch(&server, Method::OPTIONS, &path, &preflight).await;
        assert_eq!((status, headers["access-control-allow-origin"].to_str().unwrap()), (200, "*"), "{path}");
    }
});

both!(a_public_document_is_generated_once, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_DATABASE_MAX_CONNECTIONS", "4")]).await.unwrap();
    add_picture(&server).await;
    for document in &ALL {
        let path = example(document);
        // Nothing can be read meanwhile, so what is answered was there. What other nodes may have changed is read anew
        // soon, so a slow machine may have to try again.
        until(&path, async || {
            let (_, headers, plain) = fetch(&server, Method::GET, &path, &[("accept-language", "en")]).await;
            let held = hold_all(&server, Duration::from_millis(20)).await;
            if held.is_empty() {
                return None;
            }
            let again = fetch(&server, Method::GET, &path, &[("accept-language", "en"), ("x-other", "1")]);
            let (status, again, bytes) = timeout(Duration::from_secs(2), again).await.ok()?;
            assert_eq!((status, &again["etag"]), (200, &headers["etag"]), "{path}");
            assert!(bytes == plain, "{path}");
            drop(held);
            Some(())
        })
        .await;
    }
});

both!(an_address_has_so_many_documents_computed, async |server: TestServer| {
    const PATH: &str = "/api/.well-known/sign-in-exp";
    let neighbour = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
    let neighbour = reqwest::Client::builder().no_proxy().local_address(neighbour).build().unwrap();
    // The clock stands still.
    let mut computed = 0;
    let refused = loop {
        let answer = server.get(&format!("{PATH}?appId=a{computed}")).await;
        if answer.status != 200 {
            break answer;
        }
        computed += 1;
    };
    assert_eq!(computed, 300);
    refused.expect_api_error(503, "request.too_often");
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(refused.header("access-control-allow-origin"), Some("*"));
    // What is there already is sent to everybody, what somebody else asks for as well.
    server.get(&format!("{PATH}?appId=a299&other=1")).await.expect(200);
    Answer::of(neighbour.get(server.url(PATH))).await.expect(200);
    server.get(PATH).await.expect(200);
    server.get("/").await.expect(200);
});

both!(an_address_is_answered_however_often_a_busy_server_changes, async |server: TestServer| {
    const SETTINGS: &str = "/api/.well-known/sign-in-exp?appId=a";
    let management = server.management().await;
    let neighbour = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
    let neighbour = reqwest::Client::builder().no_proxy().local_address(neighbour).build().unwrap();
    // The clock stands still. After each change both are made anew.
    let email = |number: usize| json!(format!("help-{number}@example.com"));
    let mut older = None;
    for number in 0..350 {
        let change = json!({ "supportEmail": email(number) });
        management.patch("/api/sign-in-exp", change).await.expect(200);
        server.get("/oidc/jwks").await.expect(200);
        let shown = server.get(SETTINGS).await.expect(200)["supportEmail"].clone();
        // Up to here the newest; then what the address had before.
        if number < 300 {
            assert_eq!(shown, email(number));
        } else {
            assert_eq!(shown, *older.get_or_insert(shown.clone()));
        }
    }
    assert_eq!(older, Some(email(299)));
    // It costs no other address the newest one, and has that again when it has asked less.
    let newest = Answer::of(neighbour.get(server.url(SETTINGS))).await.expect(200);
    assert_eq!(newest["supportEmail"], email(349));
    management.patch("/api/sign-in-exp", json!({ "supportEmail": email(350) })).await.expect(200);
    server.clock.advance(Duration::from_secs(1));
    assert_eq!(server.get(SETTINGS).await.expect(200)["supportEmail"], email(350));
});

both!(an_address_gets_so_many_bytes_of_large_documents, async |server: TestServer| {
    const PATH: &str = "/api/swagger.json";
    const OTHER: &str = "/api/.well-known/experience.openapi.json";
    // 2,000 parts of 64 KiB; the clock stands still.
    let bytes = fetch(&server, Method::GET, PATH, &[]).await.2.len();
    let most = 2000 / (bytes / (64 << 10));
    let mut sent = 1;
    let refused = loop {
        let answer = server.get(PATH).await;
        if answer.status != 200 {
            break answer;
        }
        sent += 1;
    };
    assert_eq!(sent, most);
    refused.expect_api_error(503, "request.too_often");
    assert_eq!(refused.header("retry-after"), Some("1"));
    // What is small is sent: headers, compressed bytes, and that nothing has changed.
    let (status, headers, bytes) = fetch(&server, Method::HEAD, PATH, &[]).await;
    assert_eq!((status, bytes.len()), (200, 0));
    let tag = headers["etag"].to_str().unwrap();
    assert_eq!(fetch(&server, Method::GET, PATH, &[("if-none-match", tag)]).await.0, 304);
    assert_eq!(fetch(&server, Method::GET, OTHER, &[("accept-encoding", "gzip")]).await.0, 200);
    let neighbour = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
    let neighbour = reqwest::Client::builder().no_proxy().local_address(neighbour).build().unwrap();
    Answer::of(neighbour.get(server.url(PATH))).await.expect(200);
    server.clock.advance(Duration::from_secs(1));
    server.get(PATH).await.expect(200);
});

both!(an_address_has_so_many_pages_computed, async |server: TestServer| {
    let mut computed = 0;
    let refused = loop {
        let answer = server.get("/signed-out").await;
        if answer.status != 200 {
            break answer;
        }
        computed += 1;
    };
    assert_eq!((computed, refused.status, refused.header("retry-after")), (1000, 503, Some("1")));
    // What tells whether the server is ready is not limited.
    server.get("/api/status").await.expect(204);
    server.get("/oidc/jwks").await.expect(200);
});

both!(what_answers_without_credentials_is_listed, async |server: TestServer| {
    add_picture(&server).await;
    let mut found = BTreeSet::new();
    for path in candidates() {
        for folder in FOLDERS {
            let path = format!("{folder}{path}");
            let (status, ..) = fetch(&server, Method::GET, &path, &[]).await;
            assert!(status < 500, "{status} {path}");
            if (200..300).contains(&status) {
                found.insert(path);
            }
        }
    }
    let is_listed = |path: &&String| PublicDocument::at(path).is_some() || COMPUTED.contains(&path.as_str());
    let missing: Vec<_> = found.iter().filter(|path| !is_listed(path)).collect();
    assert!(missing.is_empty(), "neither a public document nor computed at a limited rate: {missing:?}");
    for path in COMPUTED {
        assert!(found.contains(path), "{path}");
    }
    for document in ALL.iter().filter(|document| !document.path.contains('{')) {
        assert!(found.contains(document.path), "{}", document.path);
    }
});

/// Everything in the source of the server that looks like a path, with `x` for its parameters.
fn candidates() -> BTreeSet<String> {
    let is_path = |text: &&str| {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-{}*".contains(&byte));
        // Clients resolve `..` before they ask.
        text.starts_with('/') && is_plain && !text.contains("..")
    };
    let mut found = BTreeSet::new();
    for folder in ["src/http", "src/console", "src/domain"] {
        for text in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)) {
            // A path has no quote in it, so every other part is what stands in quotes, or between two of them.
            found.extend(text.split('"').filter(is_path).map(filled));
        }
    }
    assert!(found.len() > 300, "{}", found.len());
    found
}

fn filled(path: &str) -> String {
    let segments = path.split('/').map(|segment| if segment.contains('{') { "x" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

fn sources(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            texts.push(fs::read_to_string(path).unwrap());
        }
    }
    texts
}
