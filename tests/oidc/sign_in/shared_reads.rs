//! Requests that begin at once share their first read: each of them is decided by what it presents itself.

use super::{Client, authorize, client, with};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::id::UserId;
use claimsmith_test_support::{Browser, TestServer, both, told};
use futures_util::future::join_all;

both!(each_of_many_requests_at_once_gets_the_tokens_of_its_own_user, async |server: TestServer| {
    let native = client(&server, ApplicationType::Native).await;
    let web = client(&server, ApplicationType::Traditional).await;
    let mut visits = Vec::new();
    for _ in 0..4 {
        let user = server.add_user().await;
        let (browser, _) = server.signed_in(&[&user]).await;
        visits.extend([&native, &web].map(|client| (browser.clone(), user.clone(), client)));
    }
    let stranger = server.signed_in(&[]).await.0;
    let silent = with(native.request("openid"), &[("prompt", "none")]);
    // The first round writes the grants, the others find them.
    for round in 0..3 {
        let server = &server;
        let visit = |(browser, user, client): (Browser, UserId, &Client)| {
            let client = client.clone();
            async move {
                let code = client.code(&browser, "openid offline_access", &[]).await;
                let tokens = client.exchange(server, &code).send().await.expect(200);
                let claims = server.verify(&tokens.text("id_token"), &client.id).await.claims;
                assert_eq!(claims["sub"], user.as_str(), "round {round}");
                // Web applications get no refresh token without a consent.
                if tokens["refresh_token"].is_string() {
                    let again = client.refresh(server, &tokens.text("refresh_token")).send().await.expect(200);
                    let claims = server.verify(&again.text("id_token"), &client.id).await.claims;
                    assert_eq!(claims["sub"], user.as_str(), "round {round}");
                }
            }
        };
        let visits = join_all(visits.iter().cloned().map(visit));
        let (answer, _) = tokio::join!(authorize(&stranger, &silent), visits);
        assert_eq!(told(&answer)["error"], "login_required");
    }
});
