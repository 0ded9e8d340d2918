//! Who is asked for a second factor, and who may put it off. The table of all policies is with the rules.

use super::{MULTI_FACTOR, amr, give, policy};
use crate::browser::{Browser, PASSWORD, settings, user};
use claimsmith_test_support::{TestServer, both, one_time_password};
use serde_json::{Value, json};

both!(an_optional_factor_can_be_put_off, async |server: TestServer| {
    policy(&server, "PromptAtSignInAndSignUp", &["Totp"]).await;
    let id = user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let suggested = browser.submit().await;
    suggested.expect_api_error(422, "user.suggest_mfa");
    let data = json!({ "availableFactors": ["Totp"], "skippable": true, "next": "profile/mfa/mfa-enabled" });
    assert_eq!(suggested["data"], data);
    browser.post("/profile/mfa/mfa-enabled", Value::Null).await.expect(204);
    let missing = browser.submit().await;
    missing.expect_api_error(422, "user.missing_mfa");
    let data = json!({ "availableFactors": ["Totp"], "skippable": true, "next": "verification/totp/secret" });
    assert_eq!(missing["data"], data);
    browser.post("/profile/mfa/mfa-skipped", Value::Null).await.expect(204);
    browser.post("/profile/mfa/mfa-suggestion-skipped", Value::Null).await.expect(204);
    assert_eq!(browser.state().await["mfa"], json!({ "mfaSkipped": true }));
    browser.submit().await.expect(200);
    let path = format!("/api/users/{id}/logto-configs");
    let chosen = server.management().await.get(&path).await.expect(200);
    assert_eq!(chosen["mfa"]["skipped"], true);
    assert_eq!(chosen["mfa"]["additionalBindingSuggestionSkipped"], true);
    // It is remembered.
    Browser::new(&server).await.sign_in("ada").await;
    // Until nobody may.
    policy(&server, "Mandatory", &["Totp"]).await;
    let mut later = Browser::new(&server).await;
    later.identified("ada").await;
    later.submit().await.expect_api_error(422, "user.missing_mfa");
});

both!(a_policy_asks_where_its_name_says, async |server: TestServer| {
    user(&server, "ada").await;
    for (number, (name, at_sign_in, at_registration)) in [
        ("NoPrompt", None, None),
        ("UserControlled", Some("user.suggest_mfa"), Some("user.suggest_mfa")),
        ("PromptOnlyAtSignIn", Some("user.suggest_mfa"), None),
        ("PromptOnlyAtSignInMandatory", Some("user.missing_mfa"), None),
        ("PromptAtSignInAndSignUpMandatory", Some("user.missing_mfa"), Some("user.missing_mfa")),
    ]
    .into_iter()
    .enumerate()
    {
        policy(&server, name, &["Totp"]).await;
        let mut browser = Browser::new(&server).await;
        browser.identified("ada").await;
        let mut other = Browser::new(&server).await;
        other.start("Register").await.expect(204);
        let chosen = other.choose(&format!("newcomer{number}"), PASSWORD).await.expect(200);
        other.identify(&chosen).await.expect(201);
        for (mut browser, code) in [(browser, at_sign_in), (other, at_registration)] {
            let answer = browser.submit().await;
            match code {
                Some(code) => answer.expect_api_error(422, code),
                None => drop(answer.expect(200)),
            }
        }
    }
    policy(&server, "Mandatory", &[]).await;
    Browser::new(&server).await.sign_in("ada").await;
});

both!(whoever_has_one_is_asked_unless_they_need_not_be, async |server: TestServer| {
    let management = server.management().await;
    let id = user(&server, "ada").await;
    let path = format!("/api/users/{id}/logto-configs");
    let (secret, _) = give(&server, &id).await;
    for (name, factors, is_asked) in [
        ("NoPrompt", &["Totp"][..], true),
        ("UserControlled", &["Totp"], true),
        ("UserControlled", &["WebAuthn"], false),
        ("UserControlled", &[], false),
    ] {
        policy(&server, name, factors).await;
        management.patch(&path, json!({ "mfa": { "skipped": true } })).await.expect(200);
        let mut browser = Browser::new(&server).await;
        browser.identified("ada").await;
        let answer = browser.submit().await;
        assert_eq!(answer.status, if is_asked { 403 } else { 200 }, "{name} {factors:?}");
    }
    // They said that they are not to be asked, which counts where the choice is theirs.
    management.patch(&path, json!({ "mfa": { "skipMfaOnSignIn": true } })).await.expect(200);
    for (name, is_asked) in [("UserControlled", false), ("NoPrompt", false), ("Mandatory", true)] {
        policy(&server, name, &["Totp"]).await;
        let mut browser = Browser::new(&server).await;
        browser.identified("ada").await;
        let answer = browser.submit().await;
        assert_eq!(answer.status, if is_asked { 403 } else { 200 }, "{name}");
        if is_asked {
            browser.totp(&one_time_password(&server, &secret)).await.expect(200);
            browser.submit().await.expect(200);
            assert_eq!(amr(&server, &browser).await, ["pwd", "otp", "mfa"]);
        }
    }
});

both!(a_factor_that_the_settings_do_not_list_is_proved_for_nothing, async |server: TestServer| {
    let id = user(&server, "ada").await;
    let (secret, codes) = give(&server, &id).await;
    policy(&server, "NoPrompt", &["WebAuthn"]).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    browser.totp(&crate::factors::wrong(&server, &secret)).await.expect_api_error(400, "session.mfa.invalid_totp_code");
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    browser.backup_code("0000000000").await.expect_api_error(400, "session.mfa.invalid_backup_code");
    browser.backup_code(&codes[0]).await.expect(200);
    // It is used by that, and no second factor.
    browser.backup_code(&codes[0]).await.expect_api_error(400, "session.mfa.invalid_backup_code");
    browser.submit().await.expect(200);
    assert_eq!(amr(&server, &browser).await, ["pwd"]);
    // Where one is mandatory, another one has to be set up.
    policy(&server, "Mandatory", &["WebAuthn"]).await;
    browser.authorize(&server).await;
    browser.identified("ada").await;
    browser.backup_code(&codes[1]).await.expect(200);
    browser.submit().await.expect_api_error(422, "user.missing_mfa");
});

both!(an_organization_asks_its_members, async |server: TestServer| {
    let management = server.management().await;
    let id = user(&server, "ada").await;
    user(&server, "grace").await;
    let body = json!({ "name": "Acme", "isMfaRequired": true });
    let organization = management.post("/api/organizations", body).await.expect(201).text("id");
    let members = format!("/api/organizations/{organization}/users");
    management.post(&members, json!({ "userIds": [id] })).await.expect(201);
    for (asks, is_asked) in [(None, false), (Some("NoPrompt"), false), (Some("Mandatory"), true)] {
        let mut mfa = json!({ "policy": "NoPrompt", "factors": ["Totp"] });
        if let Some(asks) = asks {
            mfa["organizationRequiredMfaPolicy"] = json!(asks);
        }
        settings(&server, json!({ "mfa": mfa })).await;
        let mut browser = Browser::new(&server).await;
        browser.identified("ada").await;
        let answer = browser.submit().await;
        if is_asked {
            answer.expect_api_error(422, "user.missing_mfa");
            assert_eq!(answer["data"].get("skippable"), None);
            let skipped = browser.post("/profile/mfa/mfa-skipped", Value::Null).await;
            skipped.expect_api_error(422, "session.mfa.mfa_policy_not_user_controlled");
        } else {
            answer.expect(200);
        }
        Browser::new(&server).await.sign_in("grace").await;
    }
    let path = format!("/api/organizations/{organization}");
    management.patch(&path, json!({ "isMfaRequired": false })).await.expect(200);
    Browser::new(&server).await.sign_in("ada").await;
});

both!(an_application_can_ask_for_a_factor, async |server: TestServer| {
    const PASSWORD_CLASS: &str = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport";
    policy(&server, "UserControlled", &["Totp", "BackupCode"]).await;
    let id = user(&server, "ada").await;
    let (secret, _) = give(&server, &id).await;
    let exempt = json!({ "mfa": { "skipMfaOnSignIn": true } });
    server.management().await.patch(&format!("/api/users/{id}/logto-configs"), exempt).await.expect(200);
    // Either class will do.
    let mut browser = Browser::new(&server).await;
    browser.authorize_with_classes(&server, &[MULTI_FACTOR, PASSWORD_CLASS]).await;
    browser.sign_in("ada").await;
    assert_eq!(amr(&server, &browser).await, ["pwd"]);

    browser.authorize_with_classes(&server, &["1", MULTI_FACTOR]).await;
    browser.identified("ada").await;
    browser.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
    browser.totp(&one_time_password(&server, &secret)).await.expect(200);
    browser.submit().await.expect(200);
    assert_eq!(amr(&server, &browser).await, ["pwd", "otp", "mfa"]);
});
