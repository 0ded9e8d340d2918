//! Codes at the page: a proof for whoever has no password, and new addresses and numbers.

use super::{casey, html, post, post_proved, saved, settings, user};
use claimsmith_domain::id::UserId;
use claimsmith_test_support::{Answer, Browser, Mailed, TestServer, both};
use serde_json::json;
use std::time::Duration;

const LEE: &str = "lee@example.com";
const NEW: &str = "new@example.com";

/// Somebody without a password at the page, who signed in some time ago.
async fn lee(server: &TestServer) -> (Browser, UserId) {
    let body = json!({ "username": "lee", "primaryEmail": LEE });
    let id = server.management().await.post("/api/users", body).await.expect(200).text("id").as_str().into();
    let (browser, _) = server.signed_in(&[&id]).await;
    server.clock.advance(Duration::from_secs(601));
    (browser, id)
}

fn hidden<'h>(page: &'h Answer, name: &str) -> &'h str {
    let start = format!("name=\"{name}\" value=\"");
    html(page).split_once(&start).unwrap().1.split_once('"').unwrap().0
}

both!(whoever_has_no_password_types_a_code, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let (browser, id) = lee(&server).await;
    let page = browser.visit("/account").await.expect(200);
    let path = "/account/user-name";
    let asked = post(&browser, &page, path, &[("username", "lee_2")]).await.expect(200);
    assert!(html(&asked).contains("name=\"proof_send\" value=\"email\""), "{}", asked.body);
    assert!(html(&asked).contains("l***@example.com") && !html(&asked).contains("current_password"), "{}", asked.body);
    let entered = [("username", "lee_2"), ("proof_send", "email")];
    let sent = post(&browser, &asked, path, &entered).await.expect(200);
    let code = inbox.code(LEE, 1).await;
    assert_eq!(inbox.message(LEE, 1).await["type"], "UserPermissionValidation");
    assert_eq!((hidden(&sent, "username"), hidden(&sent, "proof_channel")), ("lee_2", "email"));
    let record = hidden(&sent, "proof_record").to_owned();
    let answer = async |code: &str| {
        let proof = [("proof_record", record.as_str()), ("proof_channel", "email"), ("proof_code", code)];
        let fields: Vec<_> = [("username", "lee_2")].into_iter().chain(proof).collect();
        post(&browser, &sent, path, &fields).await
    };
    let wrong = if code == "000000" { "000001" } else { "000000" };
    for typed in ["", wrong] {
        let refused = answer(typed).await.expect(422);
        assert!(html(&refused).contains("proof_code-error"), "{}", refused.body);
        assert_eq!(hidden(&refused, "username"), "lee_2");
    }
    assert_eq!(user(&server, &id).await["username"], "lee");
    saved(&answer(&code).await);
    assert_eq!(user(&server, &id).await["username"], "lee_2");
    // For ten minutes nobody is asked again, and the code is used.
    let page = browser.visit("/account").await.expect(200);
    saved(&post(&browser, &page, path, &[("username", "lee_3")]).await);
    server.clock.advance(Duration::from_secs(601));
    let asked = answer(&code).await.expect(200);
    assert!(html(&asked).contains("proof_send"), "{}", asked.body);
});

both!(a_first_password_is_set_after_a_code_and_never_carried_along, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let (browser, id) = lee(&server).await;
    let page = browser.visit("/account").await.expect(200);
    let (path, password) = ("/account/password", "a-long-enough-kettle");
    let asked = post(&browser, &page, path, &[("new_password", password)]).await.expect(200);
    assert!(html(&asked).contains("proof_send") && !html(&asked).contains(password), "{}", asked.body);
    let sent = post(&browser, &asked, path, &[("proof_send", "email")]).await.expect(200);
    let code = inbox.code(LEE, 1).await;
    let proof =
        [("proof_record", hidden(&sent, "proof_record")), ("proof_channel", "email"), ("proof_code", code.as_str())];
    let page = post(&browser, &sent, path, &proof).await.expect(422);
    assert!(html(&page).contains("new_password-error"), "{}", page.body);
    saved(&post(&browser, &page, path, &[("new_password", password)]).await);
    assert_eq!(user(&server, &id).await["hasPassword"], true);
});

both!(a_new_address_is_proved_at_the_page, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let (browser, id, _) = casey(&server).await;
    let overview = browser.visit("/account").await.expect(200);
    assert!(html(&overview).contains("href=\"/account/email\"") && html(&overview).contains("href=\"/account/phone\""));
    let path = "/account/email";
    html(&browser.visit(path).await.expect(200));
    // Nothing is sent before it is known who asks.
    let sent = post_proved(&browser, path, &[("identifier", NEW)]).await.expect(200);
    let record = hidden(&sent, "record").to_owned();
    let code = inbox.code(NEW, 1).await;
    assert_eq!((inbox.count(), &inbox.message(NEW, 1).await["type"]), (1, &json!("BindNewIdentifier")));
    let wrong = if code == "000000" { "000001" } else { "000000" };
    for typed in ["", wrong] {
        let fields = [("identifier", NEW), ("record", record.as_str()), ("code", typed)];
        let refused = post(&browser, &sent, path, &fields).await.expect(422);
        assert!(html(&refused).contains("code-error"), "{}", refused.body);
    }
    let other = [("identifier", "other@example.com"), ("record", record.as_str()), ("code", code.as_str())];
    post(&browser, &sent, path, &other).await.expect(422);
    let right = [("identifier", NEW), ("record", record.as_str()), ("code", code.as_str())];
    saved(&post(&browser, &sent, path, &right).await);
    assert_eq!(user(&server, &id).await["primaryEmail"], NEW);
    for wrong in ["", "no address", NEW] {
        let refused = post(&browser, &sent, path, &[("identifier", wrong)]).await.expect(422);
        assert!(html(&refused).contains("identifier-error"), "{wrong}: {}", refused.body);
    }

    let sent = post(&browser, &sent, "/account/phone", &[("identifier", "+49 1511 2345678")]).await.expect(200);
    let code = inbox.code("4915112345678", 1).await;
    let right = [("identifier", "+49 1511 2345678"), ("record", hidden(&sent, "record")), ("code", code.as_str())];
    saved(&post(&browser, &sent, "/account/phone", &right).await);
    assert_eq!(user(&server, &id).await["primaryPhone"], "4915112345678");
});

both!(an_address_that_is_not_to_be_changed_has_no_page, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let (browser, ..) = casey(&server).await;
    settings(&server, json!({ "fields": { "email": "ReadOnly", "phone": "Edit" } })).await;
    let overview = browser.visit("/account").await.expect(200);
    assert!(
        !html(&overview).contains("href=\"/account/email\"") && html(&overview).contains("href=\"/account/phone\"")
    );
    browser.visit("/account/email").await.expect(400);
    post(&browser, &overview, "/account/email", &[("identifier", NEW)]).await.expect(400);
    assert_eq!(inbox.count(), 0);
});
