//! Sessions, applications with access, and who acted as oneself, at the page.

use super::{casey, html, post, post_proved, saved, user};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_storage::Json;
use claimsmith_storage::sessions::grants::{self, Grant, GrantedScopes};
use claimsmith_test_support::{TestServer, both, seed};

both!(sessions_are_shown_and_ended, async |server: TestServer| {
    let (browser, id, _) = casey(&server).await;
    let (second, sessions) = server.signed_in(&[&id]).await;
    let (third, _) = server.signed_in(&[&id]).await;
    let page = browser.visit("/account").await.expect(200);
    assert!(html(&page).contains("this device") && html(&page).contains("Unknown device"), "{}", page.body);
    saved(&post_proved(&browser, "/account/session", &[("id", &sessions[0])]).await);
    second.visit("/account").await.expect(303);
    third.visit("/account").await.expect(200);
    saved(&post(&browser, &page, "/account/session", &[("others", "true")]).await);
    third.visit("/account").await.expect(303);
    browser.visit("/account").await.expect(200);
    // Nobody ends those of somebody else.
    let (erin, sessions) = server.signed_in(&[&server.demo().engineer_user_id]).await;
    let page = browser.visit("/account").await.expect(200);
    post_proved(&browser, "/account/session", &[("id", &sessions[0])]).await.expect(422);
    drop(page);
    erin.visit("/account").await.expect(200);
});

both!(who_is_signed_out_meanwhile_signs_in_again, async |server: TestServer| {
    let (browser, id, session) = casey(&server).await;
    let page = browser.visit("/account").await.expect(200);
    let management = server.management().await;
    management.delete(&format!("/api/users/{id}/sessions/{session}")).await.expect(204);
    let late = post(&browser, &page, "/account/profile", &[("name", "Late")]).await.expect(303);
    assert!(late.header("location").unwrap().ends_with("/account"), "{late:?}");
    assert_ne!(user(&server, &id).await["name"], "Late");
    let (browser, _) = server.signed_in(&[&id]).await;
    browser.visit("/account").await.expect(200);
    let suspended = serde_json::json!({ "isSuspended": true });
    management.patch(&format!("/api/users/{id}/is-suspended"), suspended).await.expect(200);
    browser.visit("/account").await.expect(303);
});

both!(the_access_of_an_application_is_taken_away, async |server: TestServer| {
    let (browser, id, _) = casey(&server).await;
    let mut application = seed::new_application(ApplicationType::Spa);
    application.name = "Bookshop".to_owned();
    let application_id = server.add(application).await.0;
    let grant = Grant {
        id: "g1".into(),
        user_id: id,
        application_id,
        session_id: None,
        scopes: Json(Some(GrantedScopes::default())),
        created_at: server.clock.now_ms(),
        expires_at: server.clock.now_ms() + 1_000_000,
    };
    let mut tx = server.begin().await;
    grants::insert(&mut tx, &grant).await.unwrap();
    tx.commit().await.unwrap();
    assert!(html(&browser.visit("/account").await.expect(200)).contains("Bookshop"));
    saved(&post_proved(&browser, "/account/application", &[("id", "g1")]).await);
    assert!(!html(&browser.visit("/account").await.expect(200)).contains("Bookshop"));
    assert!(grants::find(&mut server.begin().await, &"g1".into()).await.unwrap().is_none());
});

both!(a_person_sees_who_acts_as_them_and_ends_it_at_once, async |server: TestServer| {
    let (browser, ..) = casey(&server).await;
    let demo = server.demo();
    let actor = server.mint(&demo.engineer_user_id, &demo.web_client_id, "openid").await;
    let token = server.exchange(&server.customer_token().await).actor(&actor).as_web().access_token().await;
    assert_eq!(server.introspect_as_web(&token).await["active"], true);
    let page = browser.visit("/account").await.expect(200);
    assert!(
        html(&page).contains("Erin") && html(&page).contains("a stuck order") && html(&page).contains("TECH-1234"),
        "{}",
        page.body
    );
    let form = html(&page).split_once("action=\"/account/impersonation\"").unwrap().1;
    let id = form.split_once("name=\"id\" value=\"").unwrap().1.split_once('"').unwrap().0;
    saved(&post(&browser, &page, "/account/impersonation", &[("id", id)]).await);
    assert_eq!(server.introspect_as_web(&token).await["active"], false);
    let page = browser.visit("/account").await.expect(200);
    assert!(!html(&page).contains("action=\"/account/impersonation\"") && html(&page).contains("a stuck order"));
});
