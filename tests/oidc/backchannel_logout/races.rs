//! Ends that come while something else is under way: nothing lives on that was made meanwhile, and whoever got tokens is
//! told.

use super::{SignedInUser, queue, told_application};
use crate::sign_in::authorize;
use claimsmith_test_support::{TestServer, both, told};
use serde_json::json;

/// How often they meet.
const MEETINGS: usize = 20;

both!(a_code_that_is_exchanged_while_its_session_ends_gives_nothing_that_lives, async |server: TestServer| {
    let (client, _receiver) = told_application(&server).await;
    let management = server.management().await;
    let mut issued = 0;
    for _ in 0..MEETINGS {
        let person = SignedInUser::new(&server).await;
        let code = client.code(&person.browser, "openid", &[]).await;
        let form = client.exchange(&server, &code);
        let path = format!("/api/users/{}/sessions/{}", person.id, person.session_id);
        let (tokens, ended) = tokio::join!(form.send(), management.delete(&path));
        ended.expect(204);
        let told = queue(&server).await.iter().filter(|one| *one.session_id == *person.session_id).count();
        if tokens.status == 200 {
            issued += 1;
            server.bearer(&tokens.text("access_token")).get("/oidc/me").await.expect(401);
        } else {
            tokens.expect_oauth_error(400, "invalid_grant");
        }
        assert_eq!(told, usize::from(tokens.status == 200), "{tokens:?}");
    }
    assert_eq!(queue(&server).await.len(), issued);
});

both!(a_token_that_is_refreshed_while_its_grant_is_taken_back_does_not_live, async |server: TestServer| {
    let (client, _receiver) = told_application(&server).await;
    let management = server.management().await;
    for _ in 0..MEETINGS {
        let person = SignedInUser::new(&server).await;
        let code = client.code(&person.browser, "openid offline_access", &[]).await;
        let token = client.exchange(&server, &code).send().await.expect(200).text("refresh_token");
        let path = format!("/api/users/{}/grants", person.id);
        let grants = management.get(&path).await.expect(200);
        let path = format!("{path}/{}", grants["grants"][0]["id"].as_str().unwrap());
        let form = client.refresh(&server, &token);
        let (tokens, revoked) = tokio::join!(form.send(), management.delete(&path));
        revoked.expect(204);
        if tokens.status == 200 {
            server.bearer(&tokens.text("access_token")).get("/oidc/me").await.expect(401);
            let again = client.refresh(&server, &tokens.text("refresh_token"));
            again.send().await.expect_oauth_error(400, "invalid_grant");
        } else {
            tokens.expect_oauth_error(400, "invalid_grant");
        }
    }
    assert_eq!(queue(&server).await.len(), MEETINGS);
});

both!(a_code_that_is_asked_for_while_its_session_ends_is_worth_nothing, async |server: TestServer| {
    let (client, _receiver) = told_application(&server).await;
    let management = server.management().await;
    for meeting in 0..MEETINGS {
        let person = SignedInUser::new(&server).await;
        let request = client.request("openid offline_access");
        let user = format!("/api/users/{}", person.id);
        // By the session alone, or with the user.
        let end = async {
            if meeting % 2 == 0 {
                management.delete(&format!("{user}/sessions/{}", person.session_id)).await.expect(204);
            } else {
                management
                    .patch(&format!("{user}/password"), json!({ "password": "violet-kettle-42" }))
                    .await
                    .expect(200);
            }
        };
        let (answer, ()) = tokio::join!(authorize(&person.browser, &request), end);
        match answer.status {
            303 => {
                if let Some(code) = told(&answer).remove("code") {
                    client.exchange(&server, &code).send().await.expect_oauth_error(400, "invalid_grant");
                }
            }
            status => assert_eq!(status, 400, "{answer:?}"),
        }
        assert!(!person.is_signed_in(&client).await);
    }
    assert_eq!(queue(&server).await, Vec::new());
});
