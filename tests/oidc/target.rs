//! The `resource` parameter of a token exchange (RFC 8707).

use claimsmith_domain::console::built_in;
use claimsmith_storage::audit;
use claimsmith_test_support::seed::new_resource;
use claimsmith_test_support::{TestServer, both, until};

both!(the_resource_must_be_one_known_absolute_uri, async |server: TestServer| {
    let form = server.exchange(&server.customer_token().await);
    let resource = &server.demo().resource;
    form.clone().without("resource").send().await.expect_oauth_error(400, "invalid_target");
    form.clone().and("resource", resource).send().await.expect_oauth_error(400, "invalid_target");
    form.clone().and("resource", "https://other.example.com").send().await.expect_oauth_error(400, "invalid_target");
    for bad in [
        format!("{resource}#fragment"),
        format!("{resource}#"),
        format!("{resource}//"),
        format!("{resource}/v1"),
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

both!(the_audit_log_says_why_a_resource_was_refused, async |server: TestServer| {
    let listed = server.management().await.get("/api/resources").await.expect(200).body;
    let of_the_console = listed.as_array().unwrap().iter().find(|one| one["id"] == *built_in::RESOURCE_ID).unwrap();
    let form = server.exchange(&server.customer_token().await);
    let refused = [
        (form.clone().without("resource"), "the request names no resource"),
        (form.clone().with("resource", "https://unknown.example.com"), "no resource has this indicator"),
        (
            form.clone().with("resource", of_the_console["indicator"].as_str().unwrap()),
            "the client is not permitted to request this resource",
        ),
    ];
    let mut told = Vec::new();
    for (request, detail) in refused {
        // The client is told the same of all three.
        let answer = request.send().await;
        answer.expect_oauth_error(400, "invalid_target");
        told.push(answer["error_description"].clone());
        until("the entry", async || {
            let found =
                audit::list_by_key(&mut server.begin().await, "ExchangeTokenBy.TokenExchange", 10).await.unwrap();
            found.iter().any(|entry| entry.payload["detail"] == detail).then_some(())
        })
        .await;
    }
    assert!(told.iter().all(|text| *text == told[0]), "{told:?}");
});
