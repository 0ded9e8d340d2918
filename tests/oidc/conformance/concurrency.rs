//! What is good for one use, used at the same time, as `OAuch`'s folder `Concurrency` tries it: over many connections, and
//! over one (HTTP/2).

use super::checks::expect_refusal;
use super::relying_party::RelyingParty;
use claimsmith_test_support::{Answer, Browser, Form, TestServer, both};
use std::time::Duration;
use tokio::task::JoinSet;

const OFFLINE: [(&str, &str); 2] = [("scope", "openid offline_access"), ("prompt", "consent")];

both!(of_exchanges_at_the_same_time_one_wins_and_its_tokens_die, async |server: TestServer| {
    let rp = RelyingParty::register(server, "query").await;
    let browser = Browser::new(&rp.server);
    for connections in [1, 8] {
        let code = rp.authorize(&browser, &OFFLINE).await["code"].clone();
        let answers = at_once(&rp.redeem(&code), 8, connections).await;
        let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
        assert_eq!((won.len(), lost.len()), (1, 7));
        for answer in &lost {
            expect_refusal(answer, 400, "invalid_grant");
        }
        // A code that came twice was stolen, whoever was first.
        rp.userinfo(&won[0].text("access_token")).await.expect(401);
        let refreshed = rp.refresh(&won[0].text("refresh_token")).send().await;
        expect_refusal(&refreshed, 400, "invalid_grant");
    }
});

both!(of_two_refreshes_at_the_same_time_both_are_answered_and_one_successor_lives, async |server: TestServer| {
    let rp = RelyingParty::register(server, "query").await;
    let browser = Browser::new(&rp.server);
    for connections in [1, 2] {
        let code = rp.authorize(&browser, &OFFLINE).await["code"].clone();
        let token = rp.redeem(&code).send().await.expect(200).text("refresh_token");
        let mut successors = Vec::new();
        for answer in at_once(&rp.refresh(&token), 2, connections).await {
            successors.push(answer.expect(200).text("refresh_token"));
        }
        let mut living = 0;
        for successor in &successors {
            living += usize::from(rp.refresh(successor).send().await.status == 200);
        }
        assert!(living <= 1);
    }
});

both!(of_refreshes_at_the_same_time_one_successor_lives_at_most, async |server: TestServer| {
    let rp = RelyingParty::register(server, "query").await;
    let browser = Browser::new(&rp.server);
    for connections in [1, 8] {
        let code = rp.authorize(&browser, &OFFLINE).await["code"].clone();
        let token = rp.redeem(&code).send().await.expect(200).text("refresh_token");
        let answers = at_once(&rp.refresh(&token), 8, connections).await;
        let successors: Vec<String> =
            answers.iter().filter(|answer| answer.status == 200).map(|answer| answer.text("refresh_token")).collect();
        for answer in answers.iter().filter(|answer| answer.status != 200) {
            // Those that others overtook again and again are to come back.
            if answer.status == 503 {
                expect_refusal(answer, 503, "temporarily_unavailable");
            } else {
                expect_refusal(answer, 400, "invalid_grant");
            }
        }
        assert!(!successors.is_empty());
        // Beyond the time in which an answer may have been lost.
        rp.server.clock.advance(Duration::from_secs(10));
        let mut living = 0;
        for successor in &successors {
            living += usize::from(rp.refresh(successor).send().await.status == 200);
        }
        assert!(living <= 1, "{living} of {}", successors.len());
    }
});

/// Sends a form this many times at once, over this many connections.
async fn at_once(form: &Form, times: usize, connections: usize) -> Vec<Answer> {
    let client = || {
        let client = reqwest::Client::builder().no_proxy();
        // One connection carries several requests by HTTP/2 alone.
        if connections == 1 { client.http2_prior_knowledge() } else { client }.build().unwrap()
    };
    let clients: Vec<reqwest::Client> = (0..connections).map(|_| client()).collect();
    let mut racers = JoinSet::new();
    for index in 0..times {
        let request = form.request().build().unwrap();
        let client = clients[index % connections].clone();
        racers.spawn(async move { Answer::of(reqwest::RequestBuilder::from_parts(client, request)).await });
    }
    racers.join_all().await
}
