//! `POST /api/my-account/password` with a breached password.

use super::{ALL, casey};
use claimsmith_test_support::{BREACHED_PASSWORD, Home, TestServer, both, breached_file};
use reqwest::Method;
use serde_json::json;
use std::sync::Arc;

const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith");

both!(a_breached_password_is_refused, async |home: Arc<Home>| {
    let file = breached_file(BINARY, &home).await;
    let server = TestServer::start(&home, &[("CLAIMSMITH_PASSWORDS_BREACHED_FILE", &file)]).await.unwrap();
    let casey = casey(&server, ALL).await;
    let refused = casey.proved(Method::POST, "/password", json!({ "password": BREACHED_PASSWORD })).await;
    refused.expect_api_error(422, "password.rejected");
    assert_eq!(refused["data"]["issues"], json!([{ "code": "password_rejected.pwned" }]));
    casey.proved(Method::POST, "/password", json!({ "password": "another-kettle-42" })).await.expect(204);
});
