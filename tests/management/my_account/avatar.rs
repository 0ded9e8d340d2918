//! Pictures that people upload of themselves: what is kept of them, for how long, and what is refused.

use super::events::told;
use super::{ALL, Casey, casey, settings, with};
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_identity::retention;
use claimsmith_storage::audit;
use claimsmith_test_support::{Answer, TestServer, Wire, both, multipart, png};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

const PATH: &str = "/api/my-account/user-assets/avatar";

async fn upload(casey: &Casey, file: &[u8]) -> Answer {
    Answer::of(multipart(casey.actor.request(Method::POST, PATH), &[("file", file)])).await
}

/// Uploads a picture, and answers its address.
async fn uploaded(casey: &Casey) -> String {
    upload(casey, &png(30, 20)).await.expect(200).text("url")
}

async fn choose(casey: &Casey, url: &str) {
    let changed = casey.actor.patch("/api/my-account", json!({ "avatar": url })).await.expect(200).body;
    assert_eq!(changed["avatar"], url);
}

/// What is at an address for everybody.
async fn look(server: &TestServer, url: &str) -> reqwest::Response {
    let path = url.strip_prefix(server.report.base_url.as_str()).unwrap();
    server.http.get(server.url(path)).send().await.unwrap()
}

#[derive(claimsmith_storage::Row)]
struct Count {
    count: i64,
}

/// How many pictures are kept.
async fn kept(server: &TestServer) -> i64 {
    server.begin().await.sql("SELECT COUNT(*) AS count FROM avatars").one::<Count>().await.unwrap().count
}

both!(a_picture_is_uploaded_and_chosen, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let management = server.management().await;
    let body = json!({ "events": ["User.Data.Updated"], "config": { "url": "https://receiver.test" } });
    let hook = management.post("/api/hooks", body).await.expect(201).text("id");
    let before = casey.shown().await["avatar"].clone();
    let url = uploaded(&casey).await;
    assert_eq!(casey.shown().await["avatar"], before, "it is not chosen yet");
    assert!(told(&server, &hook).await.is_empty());
    choose(&casey, &url).await;
    assert_eq!(told(&server, &hook).await[0]["data"]["avatar"], url);
    for key in ["Account.User.UploadAvatar", "Account.User.Update"] {
        let logs = audit::list_by_key(&mut server.begin().await, key, 10).await.unwrap();
        assert_eq!((logs.len(), &logs[0].payload["userId"]), (1, &json!(casey.id)), "{key}");
    }

    let shown = look(&server, &url).await;
    assert_eq!(shown.status(), 200);
    for (name, value) in [
        ("content-type", "image/jpeg"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("cache-control", "public, max-age=31536000, immutable"),
        ("cross-origin-resource-policy", "cross-origin"),
    ] {
        assert_eq!(shown.headers()[name], value, "{name}");
    }
    let picture = image::load_from_memory(&shown.bytes().await.unwrap()).unwrap();
    assert_eq!((picture.width(), picture.height()), (256, 256));

    // As long as somebody has it, and no longer.
    server.clock.advance(Duration::from_hours(72));
    retention::delete_expired(&server.app).await.unwrap();
    assert_eq!(look(&server, &url).await.status(), 200);
    let casey = with(&server, &casey.id, ALL).await;
    let next = uploaded(&casey).await;
    assert_eq!(look(&server, &url).await.status(), 200, "the other one is not chosen yet");
    choose(&casey, &next).await;
    assert_eq!(look(&server, &url).await.status(), 404);
    let path = format!("/api/users/{}", casey.id);
    server.management().await.patch(&path, json!({ "avatar": "https://a.test/c.png" })).await.expect(200);
    assert_eq!((look(&server, &next).await.status().as_u16(), kept(&server).await), (404, 0));
});

both!(a_picture_that_nobody_chose_is_forgotten, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let (first, second) = (uploaded(&casey).await, uploaded(&casey).await);
    assert_eq!(look(&server, &first).await.status(), 404, "another took its place");
    assert_eq!(look(&server, &second).await.status(), 200);
    server.clock.advance(Duration::from_hours(24));
    assert_eq!(look(&server, &second).await.status(), 404);
    assert_eq!(kept(&server).await, 1);
    server.clock.advance(Duration::from_hours(2));
    retention::delete_expired(&server.app).await.unwrap();
    assert_eq!(kept(&server).await, 0);
});

both!(a_picture_goes_with_its_user_and_belongs_to_nobody_else, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let url = uploaded(&casey).await;
    choose(&casey, &url).await;
    let engineer = with(&server, &server.demo().engineer_user_id.clone(), ALL).await;
    // Somebody else may show it, as any picture of the web, and takes nothing away.
    for avatar in [json!(url), Value::Null] {
        let path = format!("/api/users/{}", engineer.id);
        server.management().await.patch(&path, json!({ "avatar": avatar })).await.expect(200);
        assert_eq!(look(&server, &url).await.status(), 200);
    }
    server.management().await.delete(&format!("/api/users/{}", casey.id)).await.expect(204);
    assert_eq!((look(&server, &url).await.status().as_u16(), kept(&server).await), (404, 0));
});

both!(what_is_no_picture_is_refused, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let png = png(400, 400);
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>";
    // It says that it is 65,535 pixels wide and high.
    let huge = b"GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
    let (mime, size, input) = ("guard.mime_type_not_allowed", "guard.file_size_exceeded", "guard.invalid_input");
    for (file, code) in [
        (&svg[..], mime),
        (&b"<html><script>alert(1)</script>"[..], mime),
        (&b"\x89PNG\r\n\x1a\n"[..], mime),
        (&png[..png.len() / 2], mime),
        (&huge[..], size),
        (&vec![0; 500 * 1024 + 1][..], size),
        (&b""[..], input),
    ] {
        upload(&casey, file).await.expect_api_error(400, code);
    }
    let post = || casey.actor.request(Method::POST, PATH);
    for request in [
        post(),
        post().json(&json!({ "file": "x" })),
        post().header("content-type", "multipart/form-data").body("x"),
        post().header("content-type", "multipart/form-data; boundary=x").body("--x\r\nnothing"),
        multipart(post(), &[]),
        multipart(post(), &[("avatar", &png)]),
        multipart(post(), &[("file", &png), ("file", &png)]),
    ] {
        Answer::of(request).await.expect_api_error(400, input);
    }
    assert_eq!(kept(&server).await, 0);
    let openid = with(&server, &casey.id, "openid").await;
    upload(&openid, &png).await.expect_api_error(401, "auth.unauthorized");
    settings(&server, json!({ "fields": { "avatar": "ReadOnly" } })).await;
    upload(&casey, &png).await.expect_api_error(400, "account_center.field_not_editable");
    assert_eq!(kept(&server).await, 0);
});

both!(a_body_that_is_shorter_than_it_says_is_refused, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let token = server.mint(&casey.id, &server.demo().web_client_id.clone(), ALL).await;
    let host = server.origin.strip_prefix("http://").unwrap();
    let head = |length| {
        format!(
            "POST {PATH} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n\
             content-type: multipart/form-data; boundary=b\r\ncontent-length: {length}\r\n\r\n"
        )
    };
    let mut wire = Wire::open(&server).await.unwrap();
    wire.say(head(10) + "--b\r\nConte").await.unwrap();
    wire.answer().await.unwrap().expect_api_error(400, "guard.invalid_input");
    let mut wire = Wire::open(&server).await.unwrap();
    wire.say(head(100_000) + "--b\r\nConte").await.unwrap();
    drop(wire);
    assert_eq!(kept(&server).await, 0);
    uploaded(&casey).await;
});

both!(many_pictures_at_once_leave_one, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let file = png(1000, 1000);
    let uploads: Vec<_> = (0..20)
        .map(|_| {
            let request = multipart(casey.actor.request(Method::POST, PATH), &[("file", &file)]);
            tokio::spawn(Answer::of(request))
        })
        .collect();
    // As many as one address may have decoded at once: half of the bound of ten minutes.
    let at_once = usize::try_from(RowKind::PictureWork.rules().each.rows / 2).unwrap();
    let (mut urls, mut refused) = (Vec::new(), 0);
    for upload in uploads {
        let answer = upload.await.unwrap();
        if answer.status == 503 {
            answer.expect_api_error(503, "request.too_many");
            refused += 1;
        } else {
            urls.push(answer.expect(200).text("url"));
        }
    }
    assert_eq!((urls.len(), refused), (at_once, 20 - at_once));
    let mut there = 0;
    for url in &urls {
        there += u32::from(look(&server, url).await.status() == 200);
    }
    assert_eq!((there, kept(&server).await), (1, 1));
});
