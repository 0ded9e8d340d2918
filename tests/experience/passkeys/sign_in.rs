//! Passkeys in place of a password: found by the browser, or asked of an identifier; and who is asked to make one.

use super::{authenticator, give};
use crate::browser::{Browser, PASSWORD, settings, user};
use crate::factors::amr;
use claimsmith_test_support::{Home, Received, Receiver, TestServer, both};
use serde_json::{Value, json};
use std::sync::Arc;

async fn passkeys(server: &TestServer) {
    let change = json!({ "passkeySignIn": { "enabled": true, "showPasskeyButton": true } });
    settings(server, change).await;
}

both!(whoever_has_a_passkey_signs_in_without_a_password, async |server: TestServer| {
    passkeys(&server).await;
    user(&server, "ada").await;
    let mut passkey = give(&server, "ada").await;
    // Also where everybody needs a second factor: a passkey is two.
    settings(&server, json!({ "mfa": { "policy": "Mandatory", "factors": ["WebAuthn"] } })).await;
    let mut browser = Browser::new(&server).await;
    let options = browser.preflight().await;
    assert_eq!(options["allowCredentials"], json!([]));
    browser.start("SignIn").await.expect(204);
    let verified = browser.prove_sign_in(None, passkey.get(&options)).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect(200);
    assert_eq!(amr(&server, &browser).await, ["hwk", "user", "mfa"]);

    let mut named = Browser::new(&server).await;
    named.start("SignIn").await.expect(204);
    let whose = json!({ "identifier": { "type": "username", "value": "Ada" } });
    let asked = named.post("/verification/sign-in-passkey/authentication", whose).await.expect(200);
    let (id, options) = (asked.text("verificationId"), &asked["authenticationOptions"]);
    assert_eq!(options["allowCredentials"][0]["id"], passkey.id().as_str());
    let verified = named.prove_sign_in(Some(&id), passkey.get(options)).await.expect(200);
    named.identify(&verified).await.expect(204);
    named.submit().await.expect(200);
});

both!(the_settings_and_the_user_say_whether_it_counts, async |server: TestServer| {
    passkeys(&server).await;
    let id = user(&server, "ada").await;
    let mut passkey = give(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let options = browser.preflight().await;
    let verified = browser.prove_sign_in(None, passkey.get(&options)).await.expect(200);
    browser.identify(&verified).await.expect(204);
    settings(&server, json!({ "passkeySignIn": { "enabled": false } })).await;
    browser.submit().await.expect_api_error(422, "user.sign_in_method_not_enabled");
    let off = browser.post("/preflight/sign-in-passkey/authentication", Value::Null).await;
    off.expect_api_error(422, "user.sign_in_method_not_enabled");
    // What is unknown is said first.
    let mut late = Browser::new(&server).await;
    late.start("SignIn").await.expect(204);
    let unknown = late.prove_sign_in(Some("unknown"), passkey.get(&options)).await;
    unknown.expect_api_error(404, "session.verification_session_not_found");
    let unasked = late.prove_sign_in(None, passkey.get(&options)).await;
    unasked.expect_api_error(400, "session.passkey_sign_in.pending_info_not_found");
    passkeys(&server).await;
    // Taken from its user meanwhile.
    let path = format!("/api/users/{id}/mfa-verifications");
    let factor = server.management().await.get(&path).await.expect(200).body[0]["id"].as_str().unwrap().to_owned();
    server.management().await.delete(&format!("{path}/{factor}")).await.expect(204);
    browser.submit().await.expect_api_error(400, "session.verification_failed");
    let options = browser.preflight().await;
    browser.prove_sign_in(None, passkey.get(&options)).await.expect_api_error(400, crate::passkeys::REFUSED);
    let mut suspended = Browser::new(&server).await;
    suspended.identified("ada").await;
});

both!(whether_somebody_has_a_passkey_does_not_show, async |server: TestServer| {
    passkeys(&server).await;
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let mut asked = Vec::new();
    for name in ["ada", "nobody", "nobody"] {
        let whose = json!({ "identifier": { "type": "username", "value": name } });
        let answer = browser.post("/verification/sign-in-passkey/authentication", whose).await.expect(200);
        let options = &answer["authenticationOptions"];
        let members: Vec<String> = options.as_object().unwrap().keys().cloned().collect();
        asked.push((members, options["allowCredentials"].clone()));
    }
    assert_eq!(asked[0].0, asked[1].0);
    // The same ones each time.
    assert_eq!(asked[1], asked[2]);
});

both!(who_has_none_is_asked_once, async |server: TestServer| {
    passkeys(&server).await;
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    browser.submit().await.expect_api_error(422, "user.passkey_preferred");
    browser.post("/profile/mfa/passkey-skipped", Value::Null).await.expect(204);
    browser.submit().await.expect(200);
    Browser::new(&server).await.sign_in("ada").await;
});

both!(a_new_passkey_is_told, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_WEBHOOKS_POLL_MS", "20")]).await.unwrap();
    let receiver = Receiver::start().await;
    passkeys(&server).await;
    user(&server, "ada").await;
    let hook = json!({ "events": ["PostSignIn", "User.Data.Updated"], "config": { "url": receiver.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);
    let mut passkey = authenticator(&server);
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = browser.verify("ada", PASSWORD).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.make_passkey(&mut passkey).await;
    browser.submit().await.expect(200);
    let told = receiver.wait(2).await;
    let mut names: Vec<String> =
        told.iter().map(Received::json).map(|body| body["event"].as_str().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(names, ["PostSignIn", "User.Data.Updated"]);
});

both!(people_that_do_not_exist_are_asked_for_passkeys_as_well, async |server: TestServer| {
    passkeys(&server).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let mut asked = 0;
    // Some have none, as is so with people that exist.
    for number in 0..30 {
        let mut each = Vec::new();
        for name in [format!("nobody{number}"), format!("NoBody{number}")] {
            let whose = json!({ "identifier": { "type": "username", "value": name } });
            let answer = browser.post("/verification/sign-in-passkey/authentication", whose).await.expect(200);
            each.push(answer["authenticationOptions"]["allowCredentials"].as_array().unwrap().clone());
        }
        let known = &each[0];
        assert!(known.iter().all(|one| one["type"] == "public-key" && one["id"].is_string()), "{known:?}");
        // The same ones, however the name is written.
        assert_eq!(each[0], each[1]);
        asked += usize::from(!known.is_empty());
    }
    assert!(asked > 0);
});

both!(whom_a_company_signs_in_a_passkey_does_not, async |server: TestServer| {
    passkeys(&server).await;
    let id = user(&server, "ada").await;
    let mut passkey = give(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let options = browser.preflight().await;
    let verified = browser.prove_sign_in(None, passkey.get(&options)).await.expect(200);
    browser.identify(&verified).await.expect(204);
    // The company comes in between.
    server.add_company_of(&id.into()).await;
    settings(&server, json!({ "singleSignOnEnabled": true })).await;
    let refused = "session.passkey_sign_in.sso_users_not_allowed";
    browser.submit().await.expect_api_error(400, refused);
    browser.identify(&verified).await.expect_api_error(400, refused);
    settings(&server, json!({ "singleSignOnEnabled": false })).await;
    browser.submit().await.expect(200);
});
