//! What is good for one use, used at the same time, as `OAuch`'s folder `Concurrency` tries it: over many connections, and
//! over one (HTTP/2).

use super::checks::expect_refusal;
use super::relying_party::RelyingParty;
use claimsmith_test_support::{Answer, Browser, Form, TestServer, both};
use std::collections::BTreeSet;
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

both!(of_refreshes_at_the_same_time_all_get_the_same_successor, async |server: TestServer| {
    let rp = RelyingParty::register(server, "query").await;
    let browser = Browser::new(&rp.server);
    for (times, connections) in [(2, 1), (2, 2), (8, 1), (8, 8)] {
        let code = rp.authorize(&browser, &OFFLINE).await["code"].clone();
        let token = rp.redeem(&code).send().await.expect(200).text("refresh_token");
        let answers = at_once(&rp.refresh(&token), times, connections).await;
        let successors: BTreeSet<String> =
            answers.into_iter().map(|answer| answer.expect(200).text("refresh_token")).collect();
        assert_eq!(successors.len(), 1, "{times} over {connections}: {successors:?}");
        // Beyond the leeway: it is the one that lives.
        rp.server.clock.advance(Duration::from_secs(10));
        rp.refresh(successors.first().unwrap()).send().await.expect(200);
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
