//! All of one's data, and the deletion of the account, at the page.

use super::{casey, html, post, post_proved, settings, user};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

both!(the_data_come_as_a_file, async |server: TestServer| {
    let (browser, id, _) = casey(&server).await;
    let page = browser.visit("/account").await.expect(200);
    assert!(html(&post(&browser, &page, "/account/export", &[]).await.expect(200)).contains("page-account-proof"));
    let file = post_proved(&browser, "/account/export", &[]).await.expect(200);
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"account.json\""));
    assert_eq!((file.header("cache-control"), &file["user"]["id"]), (Some("no-store"), &json!(id)));
});

both!(the_account_is_deleted_where_the_settings_allow_it, async |server: TestServer| {
    let (browser, id, _) = casey(&server).await;
    let page = browser.visit("/account").await.expect(200);
    assert!(!html(&page).contains("/account/delete"), "{}", page.body);
    browser.visit("/account/delete").await.expect(403);
    settings(&server, json!({ "deleteAccountUrl": "https://a.test/leave" })).await;
    assert!(html(&browser.visit("/account").await.expect(200)).contains("href=\"https://a.test/leave\""));
    settings(&server, json!({ "deletionEnabled": true })).await;
    let question = browser.visit("/account/delete").await.expect(200);
    assert!(html(&question).contains("page-account-delete"), "{}", question.body);
    let path = "/account/delete";
    post(&browser, &question, path, &[]).await.expect(303);
    user(&server, &id).await;
    let gone = post_proved(&browser, path, &[("decision", "delete")]).await.expect(303);
    assert!(gone.header("location").unwrap().ends_with("/signed-out"), "{gone:?}");
    server.management().await.get(&format!("/api/users/{id}")).await.expect(404);
    browser.visit("/account").await.expect(303);
});

both!(the_last_administrator_does_not_leave, async |server: TestServer| {
    settings(&server, json!({ "deletionEnabled": true })).await;
    let (browser, id, _) = casey(&server).await;
    let other = server.add_user().await;
    let role = json!({ "roleIds": [ConsoleRole::Admin.role_id()] });
    let management = server.management().await;
    management.post(&format!("/api/users/{id}/roles"), role.clone()).await.expect(201);
    let refused = post_proved(&browser, "/account/delete", &[("decision", "delete")]).await;
    assert!(refused.status != 303 || !refused.header("location").unwrap().ends_with("/signed-out"), "{refused:?}");
    user(&server, &id).await;
    // With another administrator they may.
    management.post(&format!("/api/users/{other}/roles"), role).await.expect(201);
    // The password has been proved already.
    let page = browser.visit("/account").await.expect(200);
    let gone = post(&browser, &page, "/account/delete", &[("decision", "delete")]).await.expect(303);
    assert!(gone.header("location").unwrap().ends_with("/signed-out"), "{gone:?}");
    management.get(&format!("/api/users/{id}")).await.expect(404);
});
