//! Profile, password, addresses and linked accounts at the page.

use super::{casey, html, post, post_proved, saved, settings, user};
use crate::sign_in::{PASSWORD, csrf};
use claimsmith_services::tokens;
use claimsmith_storage::audit;
use claimsmith_storage::sessions::known_browsers;
use claimsmith_test_support::{Answer, TestServer, both};
use serde_json::{Value, json};

/// Every form of the page.
const FORMS: [&str; 22] = [
    "/account/sign-in",
    "/account/profile",
    "/account/picture",
    "/account/fields",
    "/account/user-name",
    "/account/password",
    "/account/address",
    "/account/identity",
    "/account/identity/link",
    "/account/email",
    "/account/phone",
    "/account/passkey",
    "/account/authenticator",
    "/account/backup-codes",
    "/account/factor-name",
    "/account/factor",
    "/account/device",
    "/account/session",
    "/account/application",
    "/account/impersonation",
    "/account/export",
    "/account/delete",
];

both!(forms_of_other_sites_change_nothing, async |server: TestServer| {
    let (browser, id, _) = casey(&server).await;
    settings(&server, json!({ "deletionEnabled": true })).await;
    let page = browser.visit("/account").await.expect(200);
    let before = user(&server, &id).await;
    for path in FORMS {
        let fields = [("name", "Mallory"), ("decision", "delete"), ("current_password", PASSWORD)];
        for token in [None, Some("guessed".to_owned())] {
            let mut form: Vec<_> = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
            form.extend(token.map(|token| ("csrf".to_owned(), token)));
            let refused = browser.post(path, &form).await.expect(403);
            assert!(html(&refused).contains("csrf_token_mismatch"), "{path}: {}", refused.body);
        }
        let with_token = [("csrf", csrf(&page)), ("name", "Mallory".to_owned())];
        for (header, value) in [("origin", "https://evil.example.com"), ("sec-fetch-site", "cross-site")] {
            let request = server.http.post(server.url(path)).form(&with_token).header(header, value);
            let refused = browser.send(request).await.expect(403);
            assert!(html(&refused).contains("cross_site_request"), "{path}: {}", refused.body);
        }
        // Somebody without a session.
        let lost = Answer::of(server.http.post(server.url(path)).form(&with_token)).await.expect(303);
        assert!(lost.header("location").unwrap().ends_with("/account"), "{path}");
    }
    assert_eq!(user(&server, &id).await, before);
});

both!(name_and_picture_are_changed, async |server: TestServer| {
    let (browser, id, _) = casey(&server).await;
    let page = browser.visit("/account").await.expect(200);
    let fields = [("name", "Casey \"C\" <b>"), ("avatar", "https://a.test/c.png")];
    saved(&post(&browser, &page, "/account/profile", &fields).await);
    let shown = browser.visit("/account?saved=true").await.expect(200);
    assert!(
        html(&shown).contains("role=\"status\"") && html(&shown).contains("Casey &#34;C&#34; &#60;b&#62;"),
        "{}",
        shown.body
    );
    assert_eq!(user(&server, &id).await["avatar"], "https://a.test/c.png");
    for (fields, field) in [
        ([("name", "C"), ("avatar", "javascript:alert(1)")], "avatar-error"),
        ([("name", &*"x".repeat(129)), ("avatar", "")], "name-error"),
    ] {
        let refused = post(&browser, &page, "/account/profile", &fields).await.expect(422);
        assert!(html(&refused).contains(field), "{}", refused.body);
    }
    saved(&post(&browser, &page, "/account/profile", &[]).await);
    let after = user(&server, &id).await;
    assert_eq!((&after["name"], &after["avatar"]), (&Value::Null, &Value::Null));
    let logs = audit::list_by_key(&mut server.begin().await, "Account.User.Update", 10).await.unwrap();
    assert_eq!((&logs[0].payload["by"], &logs[0].payload["userId"]), (&json!("user"), &json!(id)));
    assert!(logs[0].payload.get("applicationId").is_none());
});

both!(a_user_name_is_changed_after_the_password, async |server: TestServer| {
    // Nothing else lets the user in, so that it cannot be removed.
    let by_name = json!({ "identifier": "username", "password": true, "verificationCode": false,
        "isPasswordPrimary": true });
    let settings = json!({ "signIn": { "methods": [by_name] } });
    server.management().await.patch("/api/sign-in-exp", settings).await.expect(200);
    let (browser, id, _) = casey(&server).await;
    let path = "/account/user-name";
    let page = browser.visit("/account").await.expect(200);
    let asked = post(&browser, &page, path, &[("username", "casey_2")]).await.expect(200);
    assert!(html(&asked).contains("action=\"/account/user-name\""), "{}", asked.body);
    let wrong = [("username", "casey_2"), ("current_password", "wrong")];
    let refused = post(&browser, &asked, path, &wrong).await.expect(422);
    assert!(html(&refused).contains("current_password-error") && html(&refused).contains("page-account-proof"));
    assert_eq!(user(&server, &id).await["username"], "customer");
    saved(&post_proved(&browser, path, &[("username", "casey_2")]).await);
    assert_eq!(user(&server, &id).await["username"], "casey_2");
    // For ten minutes nobody is asked again.
    for (name, message) in [("9", "username-error"), ("engineer", "already in use"), ("", "form-error")] {
        let page = browser.visit("/account").await.expect(200);
        let refused = post(&browser, &page, path, &[("username", name)]).await.expect(422);
        assert!(html(&refused).contains(message), "{name}: {}", refused.body);
    }
    server.clock.advance(std::time::Duration::from_secs(600));
    post_proved(&browser, path, &[("username", "casey_3")]).await.expect(303);
});

both!(a_new_password_signs_out_everywhere_else, async |server: TestServer| {
    let (browser, id, _) = casey(&server).await;
    let (elsewhere, _) = server.signed_in(&[&id]).await;
    elsewhere.visit("/account").await.expect(200);
    let path = "/account/password";
    let page = browser.visit("/account").await.expect(200);
    let new = "another-kettle-42";
    for (current, wanted, message) in [
        ("", new, "current_password-error"),
        (PASSWORD, "", "new_password-error"),
        ("wrong", new, "current_password-error"),
        (PASSWORD, "short", "new_password-error"),
        (PASSWORD, PASSWORD, "new_password-error"),
    ] {
        let fields = [("current_password", current), ("new_password", wanted)];
        let refused = post(&browser, &page, path, &fields).await.expect(422);
        assert!(html(&refused).contains(message), "{current} {wanted}: {}", refused.body);
        assert!(!html(&refused).contains(new), "no password is shown again");
    }
    saved(&post(&browser, &page, path, &[("current_password", PASSWORD), ("new_password", new)]).await);
    browser.visit("/account").await.expect(200);
    elsewhere.visit("/account").await.expect(303);
    let management = server.management().await;
    management.post(&format!("/api/users/{id}/password/verify"), json!({ "password": new })).await.expect(204);
});

both!(addresses_and_linked_accounts_are_removed, async |server: TestServer| {
    let (browser, id, _) = casey(&server).await;
    let management = server.management().await;
    management.put(&format!("/api/users/{id}/identities/github"), json!({ "userId": "1" })).await.expect(201);
    let page = browser.visit("/account").await.expect(200);
    assert!(html(&page).contains("customer@example.com") && html(&page).contains("github"), "{}", page.body);
    saved(&post_proved(&browser, "/account/address", &[("address", "email")]).await);
    let page = browser.visit("/account").await.expect(200);
    saved(&post(&browser, &page, "/account/identity", &[("target", "github")]).await);
    let refused = post(&browser, &page, "/account/identity", &[("target", "github")]).await.expect(422);
    assert!(html(&refused).contains("form-error"), "{}", refused.body);
    let after = user(&server, &id).await;
    assert_eq!((&after["primaryEmail"], &after["identities"]), (&Value::Null, &json!({})));
});

both!(fields_that_are_off_have_no_forms, async |server: TestServer| {
    let (browser, id, _) = casey(&server).await;
    settings(&server, json!({ "fields": { "name": "ReadOnly", "username": "ReadOnly" } })).await;
    let page = browser.visit("/account").await.expect(200);
    for path in ["profile", "user-name", "password", "address", "factor", "session", "application"] {
        assert!(!html(&page).contains(&format!("action=\"/account/{path}\"")), "{path}: {}", page.body);
    }
    assert!(html(&page).contains("customer") && !html(&page).contains("customer@example.com"));
    let refused = post(&browser, &page, "/account/user-name", &[("username", "casey_2")]).await.expect(422);
    assert!(html(&refused).contains("form-error"), "{}", refused.body);
    assert_eq!(user(&server, &id).await["username"], "customer");
});

both!(a_browser_that_is_known_guesses_no_more_than_others, async |server: TestServer| {
    let (browser, id, _) = casey(&server).await;
    browser.set_cookie("claimsmith-known", "a browser");
    let mut tx = server.begin().await;
    let expires_at = server.clock.now_ms() + 86_400_000;
    known_browsers::remember(&mut tx, &tokens::hash("a browser"), &id, expires_at).await.unwrap();
    tx.commit().await.unwrap();
    let path = "/account/user-name";
    let page = browser.visit("/account").await.expect(200);
    let asked = post(&browser, &page, path, &[("username", "casey_2")]).await.expect(200);
    let guess = async |password: &str| {
        post(&browser, &asked, path, &[("username", "casey_2"), ("current_password", password)]).await.expect(422)
    };
    for _ in 0..9 {
        assert!(html(&guess("wrong").await).contains("current_password-error"));
    }
    // The failure that locks it says so.
    assert!(html(&guess("wrong").await).contains("Too many attempts"));
    assert_eq!(server.clock.deadlines().len(), 10, "each was answered at its deadline");
    assert!(html(&guess(PASSWORD).await).contains("Too many attempts"));
    assert_eq!(user(&server, &id).await["username"], "customer");
});
