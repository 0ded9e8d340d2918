//! What the audit log keeps of an assertion: the method and the name of the key.

use super::{ask, assertion, key, machine, with_assertion};
use claimsmith_storage::audit;
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

both!(entries_name_the_key_and_never_the_assertion, async |server: TestServer| {
    let key = key();
    let id = machine(&server, &[&key]).await;
    let good = assertion(&server, &id, &key);
    let token = with_assertion(ask(&server), &good).send().await.expect(200).text("access_token");
    let refused = assertion(&server, &id, &key);
    let unknown = with_assertion(ask(&server).with("resource", "https://unknown.example.com"), &refused).send().await;
    unknown.expect_oauth_error(400, "invalid_target");
    let revoking = assertion(&server, &id, &key);
    with_assertion(server.form("/oidc/token/revocation").with("token", &token), &revoking).send().await.expect(200);
    let replayed = with_assertion(ask(&server), &good).send().await;
    replayed.expect_oauth_error(401, "invalid_client");

    let kept = json!({ "method": "private_key_jwt", "kid": "k1", "algorithm": "ES256" });
    let shown = async |key: &str, count: usize| {
        claimsmith_test_support::until("the entries", async || {
            let found = audit::list_by_key(&mut server.begin().await, key, 50).await.unwrap();
            let theirs: Vec<_> = found.into_iter().filter(|log| log.payload["applicationKey"] == kept).collect();
            (theirs.len() == count).then_some(theirs)
        })
        .await
    };
    let logs = shown("ExchangeTokenBy.ClientCredentials", 2).await;
    let results: Vec<_> = logs.iter().map(|log| log.payload["result"].as_str().unwrap()).collect();
    assert!(results.contains(&"Success") && results.contains(&"Error"), "{results:?}");
    shown("RevokeToken", 1).await;
    let everything = server.management().await.get("/api/logs?page_size=100").await.expect(200).body.to_string();
    for text in [good, refused, revoking] {
        let (_, signature) = text.rsplit_once('.').unwrap();
        assert!(!everything.contains(signature));
    }
});
