//! Token exchange within an organization: membership, and scopes of organization roles.

use claimsmith_test_support::seed::new_resource;
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

both!(roles_in_the_organization_count_there_alone, async |server: TestServer| {
    let user = server.add_user().await;
    let indicator = "https://shared.example.com";
    let scopes = server.add_resource(new_resource(indicator), &["own", "one", "two", "nobody"]).await;
    server.let_user_hold(&user, &scopes[..1]).await;
    let one = server.add_organization_of(&user, &scopes[1..2]).await;
    let two = server.add_organization_of(&user, &scopes[2..3]).await;
    for (organization, granted) in [(None, "own"), (Some(&one), "own one"), (Some(&two), "own two")] {
        let mut form = server.exchange(&server.subject_token(&user, json!({})).await);
        form = form.with("resource", indicator).with("scope", "own one two nobody");
        if let Some(id) = organization {
            form = form.with("organization_id", id);
        }
        let answer = form.send().await.expect(200);
        assert_eq!(answer["scope"], granted);
        let claims = server.verify(&answer.text("access_token"), indicator).await.claims;
        assert_eq!(claims["organization_id"], json!(organization));
    }
});

both!(whoever_is_no_member_is_refused, async |server: TestServer| {
    let others = server.add_organization_of(&server.demo().engineer_user_id, &[]).await;
    let form = server.exchange(&server.customer_token().await);
    for organization in [others.as_str(), "unknown", " "] {
        let answer = form.clone().with("organization_id", organization).send().await;
        answer.expect_oauth_error(403, "access_denied");
    }
    // Membership of the acting user is not the customer's.
    let demo = server.demo();
    let actor = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    let answer = form.clone().actor(&actor).with("organization_id", &others).send().await;
    answer.expect_oauth_error(403, "access_denied");
    form.send().await.expect(200);
});
