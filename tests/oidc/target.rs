//! The `resource` parameter of a token exchange (RFC 8707).

use claimsmith_test_support::seed::new_resource;
use claimsmith_test_support::{TestServer, both};

both!(the_resource_must_be_one_known_absolute_uri, async |server: TestServer| {
    let form = server.exchange(&server.customer_token().await);
    let resource = &server.demo().resource;
    form.clone().without("resource").send().await.expect_oauth_error(400, "invalid_target");
    form.clone().and("resource", resource).send().await.expect_oauth_error(400, "invalid_target");
    form.clone().and("resource", "https://other.example.com").send().await.expect_oauth_error(400, "invalid_target");
    for bad in [
        format!("{resource}#fragment"),
        format!("{resource}#"),
        format!("{resource}/"),
        resource.to_uppercase(),
        "api.example.com".to_owned(),
        "/api".to_owned(),
        "//api.example.com".to_owned(),
        "https://".to_owned(),
        "https://unknown.example.com".to_owned(),
        "urn:example:unknown".to_owned(),
    ] {
        let answer = form.clone().with("resource", &bad).send().await;
        answer.expect_oauth_error(400, "invalid_target");
    }
    form.send().await.expect(200);
});

both!(the_management_api_is_never_a_target, async |server: TestServer| {
    let form = server.exchange(&server.customer_token().await);
    let answer = form.clone().with("resource", &server.machine().resource).with("scope", "all").send().await;
    answer.expect_oauth_error(400, "invalid_target");
    form.send().await.expect(200);
});

both!(an_organization_takes_no_place_of_a_resource, async |server: TestServer| {
    let organization = server.add_organization_of(&server.demo().customer_user_id, &[]).await;
    let form = server.exchange(&server.customer_token().await).with("organization_id", &organization);
    form.clone().without("resource").send().await.expect_oauth_error(400, "invalid_target");
    form.send().await.expect(200);
});

both!(any_uri_may_be_an_indicator, async |server: TestServer| {
    for indicator in ["urn:example:orders", "https://orders.example.com/v1?tenant=a b", "com.example.app:/orders"] {
        server.add_resource(new_resource(indicator), &[]).await;
        let form = server.exchange(&server.customer_token().await).with("resource", indicator);
        let claims = server.verify(&form.access_token().await, indicator).await.claims;
        assert_eq!(claims["aud"], indicator);
    }
});
