//! RP-Initiated Logout OP (`oidcc-rp-initiated-logout-certification-test-plan`).

use super::checks;
use super::relying_party::{AFTER_LOGOUT, RelyingParty, open};
use crate::page::{PageForm, html};
use claimsmith_test_support::{Answer, Browser, TestServer, both};
use data_encoding::BASE64URL_NOPAD;

/// Somebody who signed in at the pages, in an application that has their ID token.
pub(super) struct SignedInCustomer {
    pub rp: RelyingParty,
    pub browser: Browser,
    pub id_token: String,
}

impl SignedInCustomer {
    async fn sign_in(server: TestServer) -> Self {
        Self::sign_in_to(RelyingParty::register(server, "query").await).await
    }

    /// The same in this application.
    pub(super) async fn sign_in_to(rp: RelyingParty) -> Self {
        let browser = Browser::new(&rp.server);
        let id_token = rp.sign_in(&browser, &[]).await.tokens.text("id_token");
        Self { rp, browser, id_token }
    }

    /// Sends the browser to the end of the session.
    pub(super) async fn log_out(&self, parameters: &[(&str, &str)]) -> Answer {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
        open(&self.rp.server, &self.browser, &format!("{}?{query}", self.rp.endpoint("end_session_endpoint"))).await
    }

    pub(super) async fn is_signed_in(&self) -> bool {
        self.rp.ask(&self.browser, &[("prompt", "none")]).await.back().contains_key("code")
    }

    /// Asserts that nothing was ended, and that the person was sent nowhere.
    async fn expect_error_page(&self, parameters: &[(&str, &str)]) {
        let answer = self.log_out(parameters).await;
        assert!(answer.header("location").is_none() && html(&answer).is_some(), "{answer:?}");
        assert_eq!(answer.status, 400);
        assert!(self.is_signed_in().await);
    }

    /// Asserts that an answer leads to the page that says that they are signed out.
    async fn expect_signed_out(&self, answer: Answer) {
        assert_eq!(answer.status, 303);
        let page = open(&self.rp.server, &self.browser, answer.header("location").unwrap()).await.expect(200);
        assert!(html(&page).unwrap().contains("signed out"), "{}", page.body);
        assert!(!self.is_signed_in().await);
    }

    /// Answers the question whether they want to be signed out.
    async fn confirm(&self, page: Answer) -> Answer {
        assert!(self.is_signed_in().await, "nothing happens before the answer");
        let form = PageForm::of(&page.expect(200)).unwrap();
        assert!(form.asks_for("confirm"));
        self.browser.post(&form.action, &form.filled_in(&[("confirm", "true")])).await
    }
}

both!(oidcc_rp_initiated_logout_discovery_endpoint_verification, async |server: TestServer| {
    let metadata = checks::discovery(&server).await;
    assert_eq!(metadata["end_session_endpoint"], format!("{}/session/end", server.issuer()));
});

both!(oidcc_rp_initiated_logout, async |server: TestServer| {
    let person = SignedInCustomer::sign_in(server).await;
    let state = "s".repeat(128);
    let hint = ("id_token_hint", person.id_token.as_str());
    let answer = person.log_out(&[hint, ("post_logout_redirect_uri", AFTER_LOGOUT), ("state", &state)]).await;
    assert_eq!(answer.expect(303).header("location"), Some(format!("{AFTER_LOGOUT}?state={state}").as_str()));
    assert!(!person.is_signed_in().await);
});

both!(oidcc_rp_initiated_logout_no_state, async |server: TestServer| {
    let person = SignedInCustomer::sign_in(server).await;
    let hint = ("id_token_hint", person.id_token.as_str());
    let answer = person.log_out(&[hint, ("post_logout_redirect_uri", AFTER_LOGOUT)]).await;
    assert_eq!(answer.expect(303).header("location"), Some(AFTER_LOGOUT));
    assert!(!person.is_signed_in().await);
});

both!(oidcc_rp_initiated_logout_bad_post_logout_redirect_uri, async |server: TestServer| {
    let person = SignedInCustomer::sign_in(server).await;
    let hint = ("id_token_hint", person.id_token.as_str());
    person.expect_error_page(&[hint, ("post_logout_redirect_uri", "https://evil.example.com/")]).await;
});

both!(oidcc_rp_initiated_logout_query_added_to_post_logout_redirect_uri, async |server: TestServer| {
    let person = SignedInCustomer::sign_in(server).await;
    let hint = ("id_token_hint", person.id_token.as_str());
    person.expect_error_page(&[hint, ("post_logout_redirect_uri", &format!("{AFTER_LOGOUT}?foo=bar"))]).await;
});

both!(oidcc_rp_initiated_logout_no_id_token_hint, async |server: TestServer| {
    let person = SignedInCustomer::sign_in(server).await;
    person.expect_error_page(&[("post_logout_redirect_uri", AFTER_LOGOUT)]).await;
});

both!(oidcc_rp_initiated_logout_modified_id_token_hint, async |server: TestServer| {
    let person = SignedInCustomer::sign_in(server).await;
    let payload = person.id_token.split('.').nth(1).unwrap();
    let unsigned = format!("{}.{payload}.", BASE64URL_NOPAD.encode(br#"{"alg":"none"}"#));
    let asked = person.log_out(&[("id_token_hint", &unsigned), ("post_logout_redirect_uri", AFTER_LOGOUT)]).await;
    let answer = person.confirm(asked).await;
    person.expect_signed_out(answer).await;
});

both!(oidcc_rp_initiated_logout_bad_id_token_hint, async |server: TestServer| {
    let person = SignedInCustomer::sign_in(server).await;
    let (signed, signature) = person.id_token.rsplit_once('.').unwrap();
    let foreign = format!("{signed}.{}", signature.chars().rev().collect::<String>());
    let asked = person.log_out(&[("id_token_hint", &foreign), ("post_logout_redirect_uri", AFTER_LOGOUT)]).await;
    let answer = person.confirm(asked).await;
    person.expect_signed_out(answer).await;
});

both!(oidcc_rp_initiated_logout_no_params, async |server: TestServer| {
    let person = SignedInCustomer::sign_in(server).await;
    let answer = person.confirm(person.log_out(&[]).await).await;
    person.expect_signed_out(answer).await;
});

both!(oidcc_rp_initiated_logout_only_state, async |server: TestServer| {
    let person = SignedInCustomer::sign_in(server).await;
    let answer = person.confirm(person.log_out(&[("state", "alone")]).await).await;
    person.expect_signed_out(answer).await;
});

both!(oidcc_rp_initiated_logout_no_post_logout_redirect_uri, async |server: TestServer| {
    let person = SignedInCustomer::sign_in(server).await;
    let answer = person.log_out(&[("id_token_hint", &person.id_token)]).await;
    person.expect_signed_out(answer).await;
});

both!(an_expired_id_token_is_still_a_hint, async |server: TestServer| {
    let person = SignedInCustomer::sign_in(server).await;
    person.rp.server.clock.advance(std::time::Duration::from_secs(2 * 3600));
    let hint = ("id_token_hint", person.id_token.as_str());
    let answer = person.log_out(&[hint, ("post_logout_redirect_uri", AFTER_LOGOUT)]).await;
    assert_eq!(answer.expect(303).header("location"), Some(AFTER_LOGOUT));
    assert!(!person.is_signed_in().await);
});
