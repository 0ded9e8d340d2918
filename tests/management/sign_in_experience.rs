//! `/api/sign-in-exp`: the settings of sign-in, and the check of a password.

use crate::fixtures::narrow;
use claimsmith_storage::audit;
use claimsmith_test_support::{Home, TestServer, both};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const PATH: &str = "/api/sign-in-exp";
const CHECK: &str = "/api/sign-in-exp/default/check-password";

both!(settings_are_shown_and_changed, async |server: TestServer| {
    let management = server.management().await;
    let initial = management.get(PATH).await.expect(200).body;
    let expected = json!({
        "tenantId": "default", "id": "default",
        "color": { "primaryColor": "#4f46e5", "isDarkModeEnabled": false, "darkPrimaryColor": "#818cf8" },
        "branding": {}, "languageInfo": { "autoDetect": true, "fallbackLanguage": "en" },
        "termsOfUseUrl": null, "privacyPolicyUrl": null, "agreeToTermsPolicy": "Automatic", "supportEmail": null,
        "supportWebsiteUrl": null, "unknownSessionRedirectUrl": null, "signInMode": "SignInAndRegister",
        "signUp": { "identifiers": ["username"], "password": true, "verify": false },
        "signIn": { "methods": [
            { "identifier": "username", "password": true, "verificationCode": false, "isPasswordPrimary": true },
            { "identifier": "email", "password": true, "verificationCode": false, "isPasswordPrimary": true }
        ] },
        "socialSignIn": {}, "socialSignInConnectorTargets": [], "singleSignOnEnabled": false,
        "mfa": { "factors": [], "policy": "UserControlled" }, "adaptiveMfa": {}, "trustedDevice": {},
        "passkeySignIn": {},
        "passwordPolicy": {}, "passwordExpiration": {},
        "usernamePolicy": {
            "caseSensitive": false, "minLength": 1, "maxLength": 128,
            "allowedChars": { "lowercase": true, "uppercase": true, "numbers": true, "underscore": true, "dot": false,
                "hyphen": false, "letters": false, "leadingDigit": false, "at": false }
        },
        "forgotPasswordMethods": null, "verificationCodePolicy": {}, "sentinelPolicy": {}, "captchaPolicy": {},
        "emailBlocklistPolicy": {}, "signUpProfileFields": null, "customCss": null,
    });
    assert_eq!(initial, expected);
    assert_eq!(management.patch(PATH, json!({})).await.expect(200).body, initial);
    assert_eq!(management.patch(PATH, json!({ "unknown": [1], "id": "other" })).await.expect(200).body, initial);

    let change = json!({
        "color": { "primaryColor": "#0055aa", "isDarkModeEnabled": true, "darkPrimaryColor": "#fff" },
        "branding": { "logoUrl": "https://a.test/logo.svg" },
        "languageInfo": { "autoDetect": false, "fallbackLanguage": "de" },
        "termsOfUseUrl": "https://a.test/terms", "privacyPolicyUrl": "", "agreeToTermsPolicy": "Manual",
        "supportEmail": "help@a.test", "supportWebsiteUrl": "https://a.test/help",
        "unknownSessionRedirectUrl": "https://a.test", "signInMode": "SignIn",
        "signUp": { "identifiers": [], "password": false, "verify": false },
        "signIn": { "methods": [
            { "identifier": "email", "password": true, "verificationCode": false, "isPasswordPrimary": true }
        ] },
        "socialSignIn": { "automaticAccountLinking": false }, "singleSignOnEnabled": true,
        "mfa": { "factors": ["Totp", "BackupCode"], "policy": "Mandatory" },
        "passkeySignIn": { "enabled": true },
        "passwordPolicy": { "length": { "min": 12 }, "rejects": { "words": ["acme"] } },
        "usernamePolicy": {
            "caseSensitive": false, "minLength": 3, "maxLength": 20,
            "allowedChars": { "lowercase": true, "uppercase": false, "numbers": true, "underscore": true, "dot": false,
                "hyphen": false, "letters": false, "leadingDigit": false, "at": false }
        },
        "forgotPasswordMethods": [], "verificationCodePolicy": { "expirationDuration": 60 },
        "sentinelPolicy": { "maxAttempts": 5 }, "captchaPolicy": { "enabled": false },
        "emailBlocklistPolicy": { "blockSubaddressing": true, "customBlocklist": ["@spam.test"] },
        "signUpProfileFields": [{ "name": "name" }], "customCss": "body { color: red }",
    });
    let mut expected = initial.clone();
    expected.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    assert_eq!(management.patch(PATH, change).await.expect(200).body, expected);
    assert_eq!(management.get(PATH).await.expect(200).body, expected);

    for name in ["termsOfUseUrl", "forgotPasswordMethods", "signUpProfileFields", "customCss"] {
        expected[name] = Value::Null;
        assert_eq!(management.patch(PATH, json!({ name: null })).await.expect(200).body, expected, "{name}");
    }
    let logs = audit::list_by_key(&mut server.begin().await, "Management.SignInExperience.Update", 10).await.unwrap();
    assert_eq!(logs.len(), 7);
    let names = logs.iter().map(|log| &log.payload["changedSettings"]).filter(|names| **names == json!(["customCss"]));
    assert_eq!(names.count(), 1);
});

both!(settings_that_cannot_work_are_refused, async |home: Arc<Home>| {
    // The demo sends codes to a mailbox of its own.
    let server = TestServer::start(&home, &[("CLAIMSMITH_DEMO", "false")]).await.unwrap();
    let management = server.management().await;
    let before = management.get(PATH).await.expect(200).body;
    let method = |identifier: &str, password: bool, code: bool| {
        json!({ "signIn": { "methods": [{
            "identifier": identifier, "password": password, "verificationCode": code, "isPasswordPrimary": true
        }] } })
    };
    let sign_up =
        |identifiers: Value| json!({ "signUp": { "identifiers": identifiers, "password": true, "verify": true } });
    let mfa = |factors: Value, policy: &str| json!({ "mfa": { "factors": factors, "policy": policy } });
    for (change, status, code) in [
        (sign_up(json!(["email"])), 400, "enabled_connector_not_found"),
        (sign_up(json!(["username", "phone"])), 400, "enabled_connector_not_found"),
        (sign_up(json!(["username", "username"])), 400, "duplicated_sign_up_identifiers"),
        (method("email", false, true), 400, "enabled_connector_not_found"),
        (method("username", false, false), 400, "at_least_one_authentication_factor"),
        (mfa(json!(["Totp", "Totp"]), "NoPrompt"), 400, "duplicated_mfa_factors"),
        (mfa(json!(["BackupCode"]), "NoPrompt"), 400, "backup_code_cannot_be_enabled_alone"),
        (mfa(json!(["Totp", "EmailVerificationCode"]), "NoPrompt"), 400, "enabled_connector_not_found"),
        (json!({ "adaptiveMfa": { "enabled": true } }), 422, "adaptive_mfa_requires_mfa"),
        (
            json!({ "passwordExpiration": { "enabled": true, "validPeriodDays": 30 } }),
            422,
            "password_expiration_requires_forgot_password",
        ),
        (json!({ "passwordExpiration": { "enabled": true } }), 422, "password_expiration_invalid_period_days"),
        (
            json!({ "forgotPasswordMethods": ["EmailVerificationCode"] }),
            400,
            "forgot_password_method_requires_connector",
        ),
        (
            json!({ "emailBlocklistPolicy": { "customBlocklist": ["spam.test"] } }),
            400,
            "invalid_custom_email_blocklist_format",
        ),
        (
            json!({ "languageInfo": { "autoDetect": true, "fallbackLanguage": "nl" } }),
            400,
            "unsupported_default_language",
        ),
    ] {
        let answer = management.patch(PATH, change).await;
        answer.expect_api_error(status, &format!("sign_in_experiences.{code}"));
    }
    let answer = management.patch(PATH, sign_up(json!(["phone"]))).await;
    assert_eq!(answer["data"], json!({ "type": "Sms" }));

    for (change, path) in [
        (json!({ "color": { "primaryColor": "red" } }), "color.primaryColor"),
        (json!({ "color": null }), "color"),
        (json!({ "branding": { "logoUrl": "logo" } }), "branding.logoUrl"),
        (json!({ "languageInfo": { "autoDetect": true, "fallbackLanguage": "english!" } }), "languageInfo"),
        (json!({ "termsOfUseUrl": "javascript:alert(1)" }), "termsOfUseUrl"),
        (json!({ "supportEmail": "nobody" }), "supportEmail"),
        (json!({ "signInMode": "Both" }), "signInMode"),
        (json!({ "signUp": { "identifiers": null } }), "signUp"),
        (json!({ "signIn": [[]] }), "signIn"),
        (json!({ "signIn": { "methods": [["username", true, false, true]] } }), "signIn.methods[0]"),
        (json!({ "mfa": { "factors": ["Sms"], "policy": "NoPrompt" } }), "mfa.factors[0]"),
        (json!({ "passwordPolicy": { "length": { "min": 300 } } }), "passwordPolicy.length"),
        (json!({ "passwordPolicy": { "characterTypes": { "min": 5 } } }), "passwordPolicy.characterTypes.min"),
        (json!({ "usernamePolicy": { "minLength": 9, "maxLength": 8 } }), "usernamePolicy"),
        (json!({ "verificationCodePolicy": { "expirationDuration": 59 } }), "verificationCodePolicy"),
        (json!({ "sentinelPolicy": { "maxAttempts": 0 } }), "sentinelPolicy.maxAttempts"),
        (json!({ "customCss": "a".repeat(65_537) }), "customCss"),
        (json!({ "socialSignInConnectorTargets": vec!["x"; 65] }), "socialSignInConnectorTargets"),
    ] {
        let answer = management.patch(PATH, change.clone()).await;
        answer.expect_api_error(400, "guard.invalid_input");
        assert!(answer.text("details").contains(&format!("\"{path}")), "{change}: {:#}", answer.body);
    }
    assert_eq!(management.get(PATH).await.expect(200).body, before);
});

both!(changes_at_once_are_all_kept, async |server: TestServer| {
    let management = server.management().await;
    let (one, other, third) = tokio::join!(
        management.patch(PATH, json!({ "signInMode": "SignIn" })),
        management.patch(PATH, json!({ "customCss": "a {}" })),
        management.patch(PATH, json!({ "supportEmail": "help@a.test" })),
    );
    for answer in [one, other, third] {
        answer.expect(200);
    }
    let after = management.get(PATH).await.expect(200);
    let found = [&after["signInMode"], &after["customCss"], &after["supportEmail"]];
    assert_eq!(found, ["SignIn", "a {}", "help@a.test"]);
});

both!(a_password_is_checked_and_not_kept, async |server: TestServer| {
    let management = server.management().await;
    let check = async |body: Value| management.post(CHECK, body).await;
    let good = json!({ "result": true });
    let body = json!({ "username": "countess", "name": "Ada Lovelace" });
    let user_id = management.post("/api/users", body).await.expect(200).text("id");
    let of_user = |password: &str| json!({ "password": password, "userId": user_id });
    assert_eq!(check(of_user("correct horse battery staple")).await.expect(200).body, good);
    let refused = check(of_user("12345")).await.expect(400).body;
    let codes = json!({ "result": false, "issues": [
        { "code": "password_rejected.too_short", "interpolation": { "min": 8 } },
        { "code": "password_rejected.pwned" },
        { "code": "password_rejected.restricted.sequence" },
    ] });
    assert_eq!(refused, codes);

    let own = of_user("AdaLovelace1");
    let refused = check(own.clone()).await.expect(400).body;
    assert_eq!(refused["issues"], json!([{ "code": "password_rejected.restricted.user_info" }]));
    // Without a user the policy cannot be checked as a whole.
    let unnamed = json!({ "password": "AdaLovelace1" });
    check(unnamed.clone()).await.expect_api_error(400, "request.invalid_input");
    check(json!({ "password": "x", "userId": "nobody" })).await.expect_api_error(404, "entity.not_found");
    // What is known of users is for those who may read them.
    let reader = narrow(&server, &management, &["configs:read"]).await;
    reader.post(CHECK, own).await.expect_api_error(403, "auth.forbidden");

    let allowing = json!({ "passwordPolicy": { "rejects": { "userInfo": false } } });
    management.patch(PATH, allowing).await.expect(200);
    assert_eq!(check(of_user("AdaLovelace1")).await.expect(200).body, good);
    assert_eq!(reader.post(CHECK, unnamed).await.expect(200).body, good);
    let policy = json!({ "passwordPolicy": { "characterTypes": { "min": 3 }, "rejects": { "words": ["acme"] } } });
    management.patch(PATH, policy).await.expect(200);
    for (password, code) in [
        ("trombone weather", "password_rejected.character_types"),
        ("Acme-17", "password_rejected.too_short"),
        (&"Long-1 ".repeat(40), "password_rejected.too_long"),
    ] {
        let answer = check(json!({ "password": password })).await.expect(400).body;
        assert_eq!(answer["issues"][0]["code"], code, "{password}");
    }
    let answer = check(json!({ "password": "Acme.acme1" })).await.expect(400).body;
    assert_eq!(answer["issues"][0]["code"], "password_rejected.restricted.words");
    for body in [json!({}), json!({ "password": 1 }), json!({ "password": "a".repeat(4097) })] {
        check(body).await.expect_api_error(400, "guard.invalid_input");
    }
});

both!(no_user_names_differ_in_case_alone, async |server: TestServer| {
    let management = server.management().await;
    let path = "/api/sign-in-exp/username-policy/case-sensitivity-conflicts?limit=5";
    let none = json!({ "totalConflicts": 0, "samples": [] });
    assert_eq!(management.get(path).await.expect(200).body, none);
});

both!(when_passwords_began_to_expire_is_kept_by_the_server, async |server: TestServer| {
    let management = server.management().await;
    let expiration = |settings: Value| json!({ "passwordExpiration": settings });
    let began = server.clock.now_ms();
    let on = expiration(json!({ "enabled": true, "validPeriodDays": 30 }));
    let shown = management.patch(PATH, on.clone()).await.expect(200).body;
    let expected = json!({ "enabled": true, "validPeriodDays": 30, "enabledAt": began });
    assert_eq!(shown["passwordExpiration"], expected);
    server.clock.advance(Duration::from_secs(1));
    assert_eq!(management.patch(PATH, shown.clone()).await.expect(200).body, shown);
    let longer = management.patch(PATH, expiration(json!({ "validPeriodDays": 60 }))).await.expect(200);
    assert_eq!(longer["passwordExpiration"]["enabledAt"], began);
    let given = expiration(json!({ "enabledAt": 1 }));
    let unsupported = "sign_in_experiences.unsupported_setting";
    management.patch(PATH, given).await.expect_api_error(422, unsupported);
    let off = management.patch(PATH, expiration(json!({ "enabled": false }))).await.expect(200);
    assert_eq!(off["passwordExpiration"], json!({ "enabled": false, "validPeriodDays": 60 }));
    let again = management.patch(PATH, on).await.expect(200);
    assert_eq!(again["passwordExpiration"]["enabledAt"], server.clock.now_ms());
});

both!(a_change_that_locks_users_out_is_refused_on_request, async |server: TestServer| {
    let management = server.management().await;
    let mut ids = Vec::new();
    for number in 0..7 {
        let body = json!({ "primaryEmail": format!("user{number}@example.com"), "password": "violet-kettle-42" });
        ids.push(management.post("/api/users", body).await.expect(200).text("id"));
        server.clock.advance(Duration::from_secs(1));
    }
    let before = management.get(PATH).await.expect(200).body;
    let by_name = json!({ "identifier": "username", "password": true, "verificationCode": false,
        "isPasswordPrimary": true });
    let change = json!({ "signIn": { "methods": [by_name] } });
    let asking = format!("{PATH}?refuseLockout=true");
    let refused = management.patch(&asking, change.clone()).await;
    refused.expect_api_error(422, "sign_in_experiences.users_locked_out");
    assert_eq!(refused["data"]["count"], json!(7));
    let named: Vec<_> = refused["data"]["users"].as_array().unwrap().iter().map(|user| &user["id"]).collect();
    assert_eq!(named, ids.iter().take(5).collect::<Vec<_>>());
    assert_eq!(refused["data"]["users"][0]["name"], json!("user0@example.com"));
    assert_eq!(management.get(PATH).await.expect(200).body, before);
    // A change that locks nobody out is made; other refusals come first; without the parameter nothing is refused.
    management.patch(&asking, json!({ "supportEmail": "help@example.com" })).await.expect(200);
    let mut misspelled = change.clone();
    misspelled["supportEmail"] = json!("nobody");
    management.patch(&asking, misspelled).await.expect(400);
    management.patch(&format!("{PATH}?refuseLockout=maybe"), change.clone()).await.expect(400);
    management.patch(PATH, change).await.expect(200);
});
