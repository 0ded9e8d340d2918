//! Backup codes: each works once.

use super::{amr, factors, give, policy};
use crate::browser::{Browser, settings, user};
use claimsmith_test_support::{TestServer, both};
use serde_json::json;
use tokio::task::JoinSet;

const INVALID: &str = "session.mfa.invalid_backup_code";

both!(a_backup_code_stands_in_once, async |server: TestServer| {
    policy(&server, "UserControlled", &["Totp", "BackupCode"]).await;
    let id = user(&server, "ada").await;
    let (_, codes) = give(&server, &id).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    browser.backup_code("0000000000").await.expect_api_error(400, INVALID);
    // As people write them.
    let written = format!(" {}-{}", &codes[0][..5].to_uppercase(), &codes[0][5..]);
    browser.backup_code(&written).await.expect(200);
    // It is used at once, also if nothing comes of it.
    let left = factors(&server, &id).await;
    assert!(left.contains(&("BackupCode".to_owned(), json!(9))), "{left:?}");
    browser.backup_code(&codes[0]).await.expect_api_error(400, INVALID);
    browser.submit().await.expect(200);
    assert_eq!(amr(&server, &browser).await, ["pwd", "otp", "mfa"]);
    let mut other = Browser::new(&server).await;
    other.identified("ada").await;
    other.backup_code(&codes[0]).await.expect_api_error(400, INVALID);
    other.submit().await.expect_api_error(403, "session.mfa.require_mfa_verification");
});

both!(of_twenty_that_use_a_backup_code_at_once_one_gets_in, async |server: TestServer| {
    policy(&server, "UserControlled", &["Totp", "BackupCode"]).await;
    settings(&server, json!({ "sentinelPolicy": { "maxAttempts": 100 } })).await;
    let id = user(&server, "ada").await;
    let (_, codes) = give(&server, &id).await;
    let mut racers = JoinSet::new();
    for _ in 0..20 {
        let mut browser = Browser::new(&server).await;
        browser.identified("ada").await;
        let code = codes[0].clone();
        racers.spawn(async move { browser.backup_code(&code).await.status });
    }
    let answers = racers.join_all().await;
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
});

both!(whoever_used_them_all_gets_new_ones, async |server: TestServer| {
    policy(&server, "UserControlled", &["Totp", "BackupCode"]).await;
    let id = user(&server, "ada").await;
    let (_, codes) = give(&server, &id).await;
    let (last, others) = codes.split_last().unwrap();
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    for code in others {
        browser.backup_code(code).await.expect(200);
    }
    browser.submit().await.expect(200);
    browser.authorize(&server).await;
    browser.identified("ada").await;
    browser.backup_code(last).await.expect(200);
    browser.submit().await.expect_api_error(422, "session.mfa.backup_code_required");
    let new = browser.keep_codes().await;
    browser.submit().await.expect(200);
    let left = factors(&server, &id).await;
    assert!(left.len() == 2 && left.contains(&("BackupCode".to_owned(), json!(10))), "{left:?}");
    browser.authorize(&server).await;
    browser.identified("ada").await;
    browser.backup_code(last).await.expect_api_error(400, INVALID);
    browser.backup_code(&new[3]).await.expect(200);
    browser.submit().await.expect(200);
});
