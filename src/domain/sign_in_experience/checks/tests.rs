//! Tests of refused settings and their reasons.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use serde_json::{Value, json};

fn refusal(current: &SignInExperience, change: &Value, context: &SettingsContext) -> Option<Violation> {
    let change = serde_json::from_value(change.clone()).unwrap();
    current.changed(change, context).err()
}

/// A server without connectors, and one with all of them.
fn servers() -> [SettingsContext; 2] {
    let german = LanguageTag::try_from("de".to_owned()).unwrap();
    let everything =
        SettingsContext { email: true, phone: true, languages: vec![german], ..SettingsContext::default() };
    [SettingsContext::default(), everything]
}

fn method(identifier: &str, password: bool, code: bool) -> Value {
    json!({
        "identifier": identifier, "password": password, "verificationCode": code, "isPasswordPrimary": password
    })
}

#[test]
fn ways_in_must_work() {
    use Violation::{
        CodeRequired, ConnectorNotFound, DuplicatedIdentifiers, FactorRequired, UnsupportedLanguage,
        VerificationRequired,
    };
    let no_email = Some(ConnectorNotFound(Channel::Email));
    let no_phone = Some(ConnectorNotFound(Channel::Phone));
    let sign_up = |identifiers: &[&str], password: bool, verify: bool| json!({ "signUp": { "identifiers": identifiers, "password": password, "verify": verify } });
    let beside = |secondary: Value| {
        json!({ "signUp": {
            "identifiers": ["username"], "password": true, "verify": true, "secondaryIdentifiers": secondary
        } })
    };
    let sign_in = |methods: Vec<Value>| json!({ "signIn": { "methods": methods } });
    for (change, without, with) in [
        (sign_up(&["username"], true, false), None, None),
        (sign_up(&["email"], true, true), no_email, None),
        (sign_up(&["phone"], false, true), no_phone, None),
        (sign_up(&["email"], true, false), no_email, Some(VerificationRequired)),
        (sign_up(&["username", "username"], true, true), Some(DuplicatedIdentifiers), Some(DuplicatedIdentifiers)),
        (beside(json!([{ "identifier": "email" }])), None, None),
        (beside(json!([{ "identifier": "emailOrPhone", "verify": true }])), no_email, None),
        (
            beside(json!([{ "identifier": "email" }, { "identifier": "emailOrPhone" }])),
            Some(DuplicatedIdentifiers),
            Some(DuplicatedIdentifiers),
        ),
        (sign_in(vec![]), None, None),
        (sign_in(vec![method("email", true, false)]), None, None),
        (sign_in(vec![method("email", true, true)]), no_email, None),
        (sign_in(vec![method("username", true, false), method("phone", false, true)]), no_phone, None),
        (sign_in(vec![method("username", false, false)]), Some(FactorRequired), Some(FactorRequired)),
        // A code cannot be sent to a username.
        (sign_in(vec![method("username", false, true)]), Some(FactorRequired), Some(FactorRequired)),
        (
            json!({
                "signUp": { "identifiers": ["email"], "password": false, "verify": true },
                "signIn": { "methods": [method("username", true, false), method("email", true, false)] }
            }),
            no_email,
            Some(CodeRequired),
        ),
        (json!({ "languageInfo": { "autoDetect": true, "fallbackLanguage": "DE" } }), Some(UnsupportedLanguage), None),
        (json!({ "languageInfo": { "autoDetect": true, "fallbackLanguage": "en" } }), None, None),
    ] {
        let current = SignInExperience::default();
        let found = servers().map(|context| refusal(&current, &change, &context));
        assert_eq!(found, [without, with], "{change}");
    }
}

#[test]
fn factors_are_more_than_the_way_in() {
    use Violation::{BackupCodeAlone, CodeIsSecondFactor, CodeIsSignIn, ConnectorNotFound, DuplicatedFactors};
    let [nothing, everything] = servers();
    let mfa = |factors: &[&str], policy: &str| json!({ "factors": factors, "policy": policy });
    let by_code = json!({ "methods": [method("email", true, true)] });
    for (change, refused) in [
        (json!({ "mfa": mfa(&["Totp", "WebAuthn", "BackupCode"], "Mandatory") }), None),
        (json!({ "mfa": mfa(&[], "NoPrompt") }), None),
        (json!({ "mfa": mfa(&["Totp", "Totp"], "NoPrompt") }), Some(DuplicatedFactors)),
        (json!({ "mfa": mfa(&["BackupCode"], "NoPrompt") }), Some(BackupCodeAlone)),
        (json!({ "mfa": mfa(&["EmailVerificationCode"], "NoPrompt") }), None),
        (
            json!({ "mfa": mfa(&["EmailVerificationCode"], "NoPrompt"), "signIn": by_code }),
            Some(CodeIsSecondFactor(Channel::Email)),
        ),
        (json!({ "mfa": mfa(&["PhoneVerificationCode"], "NoPrompt"), "signIn": by_code }), None),
        (json!({ "adaptiveMfa": { "enabled": false } }), None),
        (json!({ "mfa": mfa(&["Totp"], "PromptOnlyAtSignInMandatory") }), None),
    ] {
        assert_eq!(refusal(&SignInExperience::default(), &change, &everything), refused, "{change}");
    }
    let change = json!({ "mfa": mfa(&["EmailVerificationCode"], "NoPrompt") });
    let refused = refusal(&SignInExperience::default(), &change, &nothing);
    assert_eq!(refused, Some(ConnectorNotFound(Channel::Email)));

    let with_code = serde_json::from_value(json!({ "signIn": by_code })).unwrap();
    let with_code = SignInExperience::default().changed(with_code, &everything).unwrap();
    assert_eq!(refusal(&with_code, &change, &everything), Some(CodeIsSignIn(Channel::Email)));
}

#[test]
fn there_is_a_way_back_in() {
    use Violation::{BlocklistFormat, WayBackNotFound};
    let no_email = Some(WayBackNotFound(Channel::Email));
    for (change, without, with) in [
        (json!({ "forgotPasswordMethods": null }), None, None),
        (json!({ "forgotPasswordMethods": ["EmailVerificationCode"] }), no_email, None),
        (
            json!({ "emailBlocklistPolicy": { "customBlocklist": ["example.com"] } }),
            Some(BlocklistFormat),
            Some(BlocklistFormat),
        ),
        (json!({ "emailBlocklistPolicy": { "customBlocklist": ["@example.com", "a@b.c"] } }), None, None),
    ] {
        let current = SignInExperience::default();
        let found = servers().map(|context| refusal(&current, &change, &context));
        assert_eq!(found, [without, with], "{change}");
    }
}

#[test]
fn what_is_not_obeyed_is_refused_unless_it_is_stored() {
    let [nothing, _] = servers();
    for (field, change) in [
        ("usernamePolicy.caseSensitive", json!({ "usernamePolicy": { "caseSensitive": true } })),
        ("socialSignIn.automaticAccountLinking", json!({ "socialSignIn": { "automaticAccountLinking": true } })),
        ("passwordExpiration.enabledAt", json!({ "passwordExpiration": { "enabledAt": 1 } })),
    ] {
        let refused = refusal(&SignInExperience::default(), &change, &nothing);
        assert!(matches!(refused, Some(Violation::Unsupported(setting)) if setting.field == field), "{change}");
        // An earlier version accepted and stored it.
        let stored: SignInExperience = serde_json::from_value(change.clone()).unwrap();
        assert_eq!(refusal(&stored, &change, &nothing), None, "{change}");
    }
    for off in [
        json!({ "adaptiveMfa": {}, "socialSignIn": {}, "passwordExpiration": {}, "usernamePolicy": {} }),
        json!({ "adaptiveMfa": { "enabled": false }, "passwordExpiration": { "enabled": false } }),
    ] {
        assert_eq!(refusal(&SignInExperience::default(), &off, &nothing), None, "{off}");
    }
}

#[test]
fn passwords_that_expire_have_a_period_and_a_way_back() {
    use Violation::{ExpirationNeedsWayBack, ExpirationPeriod};
    let [nothing, everything] = servers();
    let change = |settings: Value| json!({ "passwordExpiration": settings });
    let on = change(json!({ "enabled": true, "validPeriodDays": 30 }));
    let current = SignInExperience::default();
    for (change, without, with) in [
        (on.clone(), Some(ExpirationNeedsWayBack), None),
        (change(json!({ "enabled": true })), Some(ExpirationPeriod), Some(ExpirationPeriod)),
        (change(json!({ "enabled": true, "validPeriodDays": 0 })), Some(ExpirationPeriod), Some(ExpirationPeriod)),
        (change(json!({ "validPeriodDays": 3651 })), Some(ExpirationPeriod), Some(ExpirationPeriod)),
        (change(json!({ "enabled": false, "validPeriodDays": 30 })), None, None),
    ] {
        assert_eq!(refusal(&current, &change, &nothing), without, "{change}");
        assert_eq!(refusal(&current, &change, &everything), with, "{change}");
    }
    let later = SettingsContext { now: 7, ..everything.clone() };
    let expiring = current.changed(serde_json::from_value(on.clone()).unwrap(), &later).unwrap();
    assert_eq!(expiring.password_expiration.enabled_at, Some(7));
    // What is stored stays acceptable, and the last way back cannot be taken away.
    let same = json!({ "passwordExpiration": expiring.password_expiration, "signInMode": "SignIn" });
    assert_eq!(refusal(&expiring, &same, &nothing), None);
    let by_phone = json!({ "forgotPasswordMethods": ["PhoneVerificationCode"] });
    assert_eq!(refusal(&expiring, &by_phone, &everything), None);
    for without in [
        json!({ "forgotPasswordMethods": [] }),
        json!({ "mfa": { "factors": ["EmailVerificationCode", "PhoneVerificationCode"], "policy": "NoPrompt" } }),
    ] {
        assert_eq!(refusal(&expiring, &without, &everything), Some(ExpirationNeedsWayBack), "{without}");
    }
}

#[test]
fn factors_by_risk_need_factors_and_a_policy() {
    use Violation::{AdaptiveNeedsFactors, AdaptiveNeedsPolicy};
    let [nothing, _] = servers();
    let on = |mfa: Option<Value>| match mfa {
        Some(mfa) => json!({ "adaptiveMfa": { "enabled": true }, "mfa": mfa }),
        None => json!({ "adaptiveMfa": { "enabled": true } }),
    };
    let mfa = |policy: &str| Some(json!({ "factors": ["Totp"], "policy": policy }));
    for (change, refused) in [
        (on(None), Some(AdaptiveNeedsFactors)),
        (on(mfa("UserControlled")), Some(AdaptiveNeedsPolicy)),
        (on(mfa("Mandatory")), Some(AdaptiveNeedsPolicy)),
        (on(mfa("PromptOnlyAtSignInMandatory")), None),
        (on(mfa("PromptAtSignInAndSignUpMandatory")), None),
    ] {
        assert_eq!(refusal(&SignInExperience::default(), &change, &nothing), refused, "{change}");
    }
}

#[test]
fn what_became_impossible_does_not_stand_in_the_way() {
    let [nothing, everything] = servers();
    let change = json!({ "signUp": { "identifiers": ["email"], "password": true, "verify": true } });
    let change = serde_json::from_value(change).unwrap();
    let current = SignInExperience::default().changed(change, &everything).unwrap();
    assert_eq!(refusal(&current, &json!({ "signInMode": "SignIn" }), &nothing), None);
}
