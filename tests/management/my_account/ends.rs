//! Sessions and grants of one's own account.

use super::{ALL, casey};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::id::{ApplicationId, GrantId, SessionId, UserId};
use claimsmith_storage::Json;
use claimsmith_storage::sessions::grants::{self, Grant, GrantedScopes};
use claimsmith_test_support::{TestServer, both, seed};
use reqwest::Method;
use serde_json::{Value, json};

async fn grant(server: &TestServer, user: &UserId, client: &ApplicationId, session: Option<&SessionId>) -> GrantId {
    let grant = Grant {
        id: claimsmith_domain::random::id(21).unwrap().into(),
        user_id: user.clone(),
        application_id: client.clone(),
        session_id: session.cloned(),
        scopes: Json(Some(GrantedScopes { oidc: vec!["openid".to_owned()], ..GrantedScopes::default() })),
        created_at: server.clock.now_ms(),
        expires_at: server.clock.now_ms() + 1_000_000,
    };
    let mut tx = server.begin().await;
    grants::insert(&mut tx, &grant).await.unwrap();
    tx.commit().await.unwrap();
    grant.id
}

async fn exists(server: &TestServer, id: &GrantId) -> bool {
    grants::find(&mut server.begin().await, id).await.unwrap().is_some()
}

both!(sessions_are_listed_and_ended, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let (_, own) = server.signed_in(&[&casey.id]).await;
    let (_, others) = server.signed_in(&[&casey.id]).await;
    let (_, foreign) = server.signed_in(&[&server.demo().engineer_user_id]).await;
    let mut application = seed::new_application(ApplicationType::Spa);
    application.is_third_party = true;
    let third = server.add(application).await.0;
    let web = server.demo().web_client_id.clone();
    let record = casey.prove().await;
    let send = async |method, path: &str| casey.send(&record, method, path, Value::Null).await;

    let listed = send(Method::GET, "/sessions").await.expect(200).body;
    let sessions = listed["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2);
    let first = sessions.iter().find(|one| one["payload"]["uid"] == json!(own[0])).unwrap();
    assert_eq!((&first["isCurrent"], &first["accountId"]), (&json!(false), &json!(casey.id)));
    assert_eq!(first["payload"]["amr"], json!(["pwd"]));

    for (target, session, kept) in
        [("?revokeGrantsTarget=firstParty", &own[0], true), ("?revokeGrantsTarget=all", &others[0], false)]
    {
        let first_party = grant(&server, &casey.id, &web, Some(session)).await;
        let third_party = grant(&server, &casey.id, &third, Some(session)).await;
        let unrelated = grant(&server, &casey.id, &web, None).await;
        send(Method::DELETE, &format!("/sessions/{session}?revokeGrantsTarget=other"))
            .await
            .expect_api_error(400, "guard.invalid_input");
        send(Method::DELETE, &format!("/sessions/{session}{target}")).await.expect(204);
        send(Method::DELETE, &format!("/sessions/{session}")).await.expect_api_error(404, "oidc.session_not_found");
        assert!(!exists(&server, &first_party).await && exists(&server, &unrelated).await, "{target}");
        assert_eq!(exists(&server, &third_party).await, kept, "{target}");
    }
    let path = format!("/sessions/{}", foreign[0]);
    send(Method::DELETE, &path).await.expect_api_error(404, "oidc.session_not_found");
    casey
        .actor
        .delete(&format!("/api/my-account{path}"))
        .await
        .expect_api_error(401, "verification_record.permission_denied");
    let management = server.management().await;
    let engineer = format!("/api/users/{}/sessions", server.demo().engineer_user_id);
    assert_eq!(management.get(&engineer).await.expect(200).body["sessions"].as_array().unwrap().len(), 1);
});

both!(grants_are_listed_and_taken_back, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let mut application = seed::new_application(ApplicationType::Spa);
    application.is_third_party = true;
    application.name = "Foreign".to_owned();
    let third = server.add(application).await.0;
    let own = grant(&server, &casey.id, &server.demo().web_client_id, None).await;
    let foreign = grant(&server, &casey.id, &third, None).await;
    let of_another = grant(&server, &server.demo().engineer_user_id, &third, None).await;
    let record = casey.prove().await;
    let send = async |method, path: &str| casey.send(&record, method, path, Value::Null).await;
    for (query, expected) in [("", 2), ("?appType=firstParty", 1), ("?appType=thirdParty", 1)] {
        let listed = send(Method::GET, &format!("/grants{query}")).await.expect(200).body;
        assert_eq!(listed["grants"].as_array().unwrap().len(), expected, "{query}");
    }
    let listed = send(Method::GET, "/grants?appType=thirdParty").await.expect(200).body;
    let one = &listed["grants"][0];
    assert_eq!((&one["id"], &one["application"]["name"]), (&json!(foreign), &json!("Foreign")));
    assert_eq!((&one["payload"]["clientId"], &one["payload"]["scope"]), (&json!(third), &json!("openid")));
    send(Method::GET, "/grants?appType=other").await.expect_api_error(400, "guard.invalid_input");
    casey.actor.get("/api/my-account/grants").await.expect_api_error(401, "verification_record.permission_denied");
    send(Method::DELETE, &format!("/grants/{foreign}")).await.expect(204);
    for id in [&foreign, &of_another] {
        send(Method::DELETE, &format!("/grants/{id}")).await.expect_api_error(404, "entity.not_found");
    }
    assert!(exists(&server, &own).await && exists(&server, &of_another).await && !exists(&server, &foreign).await);
});
