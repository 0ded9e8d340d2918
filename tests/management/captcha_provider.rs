//! `/api/captcha-provider`: who asks whether somebody is a person. No answer shows its secret.

use claimsmith_storage::{audit, sign_in};
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};

const PATH: &str = "/api/captcha-provider";
const SETTINGS: &str = "/api/sign-in-exp";
const PUBLIC: &str = "/api/.well-known/sign-in-exp";
const SECRET: &str = "0x4AAAAAAAsecret";

fn turnstile(secret: Option<&str>) -> Value {
    let mut config = json!({ "type": "Turnstile", "siteKey": "0x4site" });
    if let Some(secret) = secret {
        config["secretKey"] = json!(secret);
    }
    json!({ "config": config })
}

both!(a_provider_is_set_shown_and_deleted, async |server: TestServer| {
    let management = server.management().await;
    management.get(PATH).await.expect_api_error(404, "entity.not_found");
    management.delete(PATH).await.expect_api_error(404, "entity.not_found");
    let made = management.put(PATH, turnstile(Some(SECRET))).await.expect(200);
    let now = server.clock.now_ms();
    let expected = json!({
        "tenantId": "default", "id": "default",
        "config": { "type": "Turnstile", "siteKey": "0x4site", "secretKey": "********" },
        "createdAt": now, "updatedAt": now,
    });
    assert_eq!(made.body, expected);
    assert_eq!(management.get(PATH).await.expect(200).body, expected);
    let mut tx = server.begin().await;
    let stored = sign_in::captcha::find(&mut tx).await.unwrap().unwrap();
    assert!(!stored.config.contains("0x4"), "{}", stored.config);
    let logs = audit::list_by_key(&mut tx, "Management.CaptchaProvider.Update", 10).await.unwrap();
    assert_eq!((logs.len(), &logs[0].payload["type"]), (1, &json!("Turnstile")));
    assert!(!logs[0].payload.to_string().contains(SECRET));
    drop(tx);

    // Pages learn of it once people are asked.
    assert_eq!(server.get(PUBLIC).await.expect(200).body.get("captchaConfig"), None);
    management.patch(SETTINGS, json!({ "captchaPolicy": { "enabled": true } })).await.expect(200);
    let shown = server.get(PUBLIC).await.expect(200);
    assert_eq!(shown["captchaConfig"], json!({ "type": "Turnstile", "siteKey": "0x4site" }));
    assert!(!shown.body.to_string().contains(SECRET));

    management.delete(PATH).await.expect(204);
    management.get(PATH).await.expect_api_error(404, "entity.not_found");
    assert_eq!(management.get(SETTINGS).await.expect(200)["captchaPolicy"], json!({ "enabled": false }));
});

both!(a_secret_is_kept_for_its_provider_alone, async |server: TestServer| {
    let management = server.management().await;
    for nothing_to_keep in [turnstile(None), turnstile(Some("********"))] {
        management.put(PATH, nothing_to_keep).await.expect_api_error(400, "guard.invalid_input");
    }
    management.put(PATH, turnstile(Some(SECRET))).await.expect(200);
    let first = sign_in::captcha::find(&mut server.begin().await).await.unwrap().unwrap();
    for kept in [turnstile(None), turnstile(Some("********"))] {
        let answer = management.put(PATH, kept).await.expect(200);
        assert_eq!(answer["config"]["secretKey"], "********");
    }
    let after = sign_in::captcha::find(&mut server.begin().await).await.unwrap().unwrap();
    assert_eq!(after.created_at, first.created_at);
    let recaptcha = json!({ "type": "RecaptchaEnterprise", "siteKey": "s", "projectId": "p", "secretKey": "********" });
    management.put(PATH, json!({ "config": recaptcha })).await.expect_api_error(400, "guard.invalid_input");
    let whole = json!({ "type": "RecaptchaEnterprise", "siteKey": "s", "projectId": "p", "secretKey": "k",
        "domain": "www.recaptcha.net", "mode": "checkbox" });
    let answer = management.put(PATH, json!({ "config": whole })).await.expect(200);
    assert_eq!((&answer["config"]["mode"], &answer["config"]["projectId"]), (&json!("checkbox"), &json!("p")));
});

both!(a_configuration_that_is_none_is_refused, async |server: TestServer| {
    let management = server.management().await;
    for wrong in [
        json!({}),
        json!({ "config": null }),
        json!({ "config": {} }),
        json!({ "config": { "type": "Other" } }),
        json!({ "config": { "type": "ProofOfWork", "difficulty": 25 } }),
        json!({ "config": { "type": "ProofOfWork", "difficulty": "17" } }),
        json!({ "config": { "type": "Turnstile", "secretKey": "k" } }),
        json!({ "config": { "type": "Turnstile", "siteKey": "", "secretKey": "k" } }),
        json!({ "config": { "type": "RecaptchaEnterprise", "siteKey": "s", "secretKey": "k" } }),
        json!({ "config": { "type": "RecaptchaEnterprise", "siteKey": "s", "secretKey": "k", "projectId": "p", "mode": "x" } }),
    ] {
        management.put(PATH, wrong).await.expect_api_error(400, "guard.invalid_input");
    }
    management.get(PATH).await.expect_api_error(404, "entity.not_found");
    let answer = management.put(PATH, json!({ "config": { "type": "ProofOfWork" } })).await.expect(200);
    assert_eq!(answer["config"], json!({ "type": "ProofOfWork" }));
    management.patch(SETTINGS, json!({ "captchaPolicy": { "enabled": true } })).await.expect(200);
    let shown = server.get(PUBLIC).await.expect(200);
    assert_eq!(shown["captchaConfig"], json!({ "type": "ProofOfWork", "difficulty": 17 }));
});

both!(pages_of_your_own_get_what_their_widget_needs, async |server: TestServer| {
    let management = server.management().await;
    management.patch(SETTINGS, json!({ "captchaPolicy": { "enabled": true } })).await.expect(200);
    let config = json!({ "type": "RecaptchaEnterprise", "siteKey": "site", "projectId": "p", "secretKey": SECRET,
        "domain": "www.recaptcha.net", "mode": "checkbox" });
    management.put(PATH, json!({ "config": config })).await.expect(200);
    let shown = server.get(PUBLIC).await.expect(200);
    let widget = &shown["captchaConfig"];
    for (name, value) in
        [("type", "RecaptchaEnterprise"), ("siteKey", "site"), ("domain", "www.recaptcha.net"), ("mode", "checkbox")]
    {
        assert_eq!(widget[name], value, "{name}");
    }
    assert!(!shown.body.to_string().contains(SECRET), "{}", shown.body);
});
