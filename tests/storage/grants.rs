//! Grants with what hangs on them: codes, refresh tokens, access tokens; and pushed requests.

use crate::issuances::{insert as insert_issuances, new_issuance};
use crate::{Store, ids};
use claimsmith_domain::authorization::request::Authorized;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_storage::issuing::issuances::Issuance;
use claimsmith_storage::issuing::{self, Consume, Dependencies, WriteBatch};
use claimsmith_storage::sessions::codes::Code;
use claimsmith_storage::sessions::grants::{Grant, GrantedScopes};
use claimsmith_storage::sessions::pushed_requests::PushedRequest;
use claimsmith_storage::sessions::refresh_families::RefreshFamily;
use claimsmith_storage::sessions::refresh_tokens::RefreshToken;
use claimsmith_storage::{Json, Tx, applications, sessions, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_application, new_user};
use serde_json::json;

/// A user and an application to give something to.
async fn parties(tx: &mut Tx) -> (UserId, ApplicationId) {
    let (user, application) = (new_user(), new_application(ApplicationType::Spa));
    users::insert(tx, &user).await.unwrap();
    applications::insert(tx, &application).await.unwrap();
    (user.id, application.id)
}

fn grant(id: &str, (user_id, application_id): &(UserId, ApplicationId), session: Option<&str>) -> Grant {
    Grant {
        id: id.into(),
        user_id: user_id.clone(),
        application_id: application_id.clone(),
        session_id: session.map(Into::into),
        scopes: Json(Some(GrantedScopes { oidc: vec!["openid".to_owned()], ..GrantedScopes::default() })),
        created_at: 1,
        expires_at: 1000,
    }
}

fn code(hash: &str, grant: &Grant, expires_at: i64) -> Code {
    Code {
        hash: hash.to_owned(),
        grant_id: grant.id.clone(),
        user_id: grant.user_id.clone(),
        application_id: grant.application_id.clone(),
        authorization_details: Json(Some(Authorized { nonce: Some("n".to_owned()), ..Authorized::default() })),
        family_id: format!("family of {hash}"),
        created_at: 1,
        expires_at,
        consumed_at: None,
    }
}

fn refresh_token(hash: &str, grant: &Grant, family: &str, parent: Option<&str>, outlives: bool) -> RefreshToken {
    RefreshToken {
        hash: hash.to_owned(),
        grant_id: grant.id.clone(),
        user_id: grant.user_id.clone(),
        application_id: grant.application_id.clone(),
        authorization_details: Json(Some(Authorized::default())),
        family_id: family.to_owned(),
        outlives_session: outlives,
        parent_hash: parent.map(str::to_owned),
        created_at: 1,
        expires_at: 1000,
        consumed_at: None,
        rotated_at: None,
    }
}

fn access_token(jti: &str, grant: &Grant, family: &str) -> Issuance {
    Issuance {
        user_id: Some(grant.user_id.clone()),
        grant_id: Some(grant.id.clone()),
        family_id: Some(family.to_owned()),
        ..new_issuance(jti, 1000)
    }
}

/// Writes the key of a family, as its first rotation does.
async fn give_key(tx: &mut Tx, id: &str, grant: &Grant, key: &str) {
    let encrypted_key = key.to_owned();
    let family = RefreshFamily { id: id.to_owned(), grant_id: grant.id.clone(), encrypted_key, created_at: 1 };
    let batch = WriteBatch { refresh_families: vec![&family], ..WriteBatch::default() };
    issuing::write(tx, &batch, 1).await.unwrap();
}

/// Writes refresh tokens, and consumes others, as an issuance does.
async fn write(tx: &mut Tx, tokens: &[&RefreshToken], consume: &[Consume], now: i64) {
    let wanted = Dependencies { single_use: consume.iter().collect(), ..Dependencies::default() };
    let held = issuing::lock_dependencies(tx, &wanted, now).await.unwrap();
    assert_eq!(held.single_use.len(), consume.len());
    let batch =
        WriteBatch { refresh_tokens: tokens.to_vec(), consume: consume.iter().collect(), ..WriteBatch::default() };
    issuing::write(tx, &batch, now).await.unwrap();
}

async fn is_revoked(tx: &mut Tx, jti: &str) -> bool {
    issuing::issuances::find(tx, jti).await.unwrap().unwrap().revoked_at.is_some()
}

both!(a_grant_remembers_what_was_given, async |store: Store| {
    let mut tx = store.begin().await;
    let (casey, other) = (parties(&mut tx).await, parties(&mut tx).await);
    let mut first = grant("first", &casey, Some("session"));
    let elsewhere = Grant { application_id: other.1.clone(), created_at: 2, ..grant("second", &casey, None) };
    let expired = Grant { expires_at: 5, ..grant("expired", &casey, None) };
    for one in [&first, &elsewhere, &expired] {
        sessions::grants::insert(&mut tx, one).await.unwrap();
    }
    let of = async |tx: &mut Tx, application: Option<&ApplicationId>| {
        let found = sessions::grants::of_user(tx, &casey.0, application, 10).await.unwrap();
        ids(&found, |one| &one.id).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(of(&mut tx, None).await, ["second", "first"]);
    assert_eq!(of(&mut tx, Some(&casey.1)).await, ["first"]);
    first.scopes.as_mut().unwrap().oidc.push("email".to_owned());
    first.expires_at = 2000;
    sessions::grants::update(&mut tx, &first).await.unwrap();
    let found = sessions::grants::find(&mut tx, &first.id).await.unwrap().unwrap();
    assert_eq!((found.scopes, found.expires_at, found.session_id), (first.scopes, 2000, Some("session".into())));
    assert_eq!(sessions::grants::delete_expired(&mut tx, 10, 10).await.unwrap(), 1);
    assert!(sessions::grants::find(&mut tx, &expired.id).await.unwrap().is_none());
});

both!(a_grant_that_is_taken_back_takes_everything_along, async |store: Store| {
    let mut tx = store.begin().await;
    let casey = parties(&mut tx).await;
    let (taken, kept) = (grant("taken", &casey, None), grant("kept", &casey, None));
    for one in [&taken, &kept] {
        sessions::grants::insert(&mut tx, one).await.unwrap();
        sessions::codes::insert(&mut tx, &code(&format!("code {}", one.id), one, 1000)).await.unwrap();
        write(&mut tx, &[&refresh_token(&format!("refresh {}", one.id), one, "f", None, true)], &[], 1).await;
        insert_issuances(&mut tx, &[&access_token(&format!("access {}", one.id), one, "f")]).await.unwrap();
    }
    assert!(sessions::grants::revoke(&mut tx, &taken.id, 7).await.unwrap());
    assert!(!sessions::grants::revoke(&mut tx, &taken.id, 7).await.unwrap());
    for (id, is_there) in [("taken", false), ("kept", true)] {
        let code = sessions::codes::find(&mut tx, &format!("code {id}")).await.unwrap();
        let token = sessions::refresh_tokens::find(&mut tx, &format!("refresh {id}")).await.unwrap();
        assert_eq!((code.is_some(), token.is_some()), (is_there, is_there), "{id}");
        assert_eq!(is_revoked(&mut tx, &format!("access {id}")).await, !is_there, "{id}");
    }
});

both!(families_sessions_and_users_end, async |store: Store| {
    let mut tx = store.begin().await;
    let casey = parties(&mut tx).await;
    let given = grant("given", &casey, Some("session"));
    sessions::grants::insert(&mut tx, &given).await.unwrap();
    for (family, outlives) in [("stolen", true), ("online", false), ("offline", true)] {
        write(&mut tx, &[&refresh_token(family, &given, family, None, outlives)], &[], 1).await;
        give_key(&mut tx, family, &given, "key").await;
        insert_issuances(&mut tx, &[&access_token(family, &given, family)]).await.unwrap();
    }
    sessions::codes::insert(&mut tx, &code("code", &given, 1000)).await.unwrap();
    let living = async |tx: &mut Tx| {
        let mut living = Vec::new();
        for family in ["stolen", "online", "offline"] {
            let token = sessions::refresh_tokens::find(tx, family).await.unwrap();
            assert_eq!(token.is_none(), is_revoked(tx, family).await, "{family}");
            assert_eq!(
                token.is_none(),
                sessions::refresh_families::find(tx, family).await.unwrap().is_none(),
                "{family}"
            );
            living.extend(token.map(|token| token.hash));
        }
        living
    };
    sessions::grants::revoke_family(&mut tx, &given.id, "stolen", 5).await.unwrap();
    assert_eq!(living(&mut tx).await, ["online", "offline"]);
    sessions::grants::end_session(&mut tx, &"session".into(), 6).await.unwrap();
    assert_eq!(living(&mut tx).await, ["offline"]);
    assert!(sessions::codes::find(&mut tx, "code").await.unwrap().is_none());
    // The consent stays.
    assert_eq!(sessions::grants::find(&mut tx, &given.id).await.unwrap().unwrap().session_id, None);
    sessions::codes::insert(&mut tx, &code("code", &given, 1000)).await.unwrap();
    sessions::grants::end_tokens_of_user(&mut tx, &casey.0, 7).await.unwrap();
    assert!(living(&mut tx).await.is_empty());
    assert!(sessions::codes::find(&mut tx, "code").await.unwrap().is_none());
});

both!(a_code_is_consumed_once, async |store: Store| {
    let mut tx = store.begin().await;
    let casey = parties(&mut tx).await;
    let given = grant("given", &casey, None);
    sessions::grants::insert(&mut tx, &given).await.unwrap();
    for (hash, expires_at) in [("live", 100), ("expired", 5)] {
        sessions::codes::insert(&mut tx, &code(hash, &given, expires_at)).await.unwrap();
    }
    let shown = ["live", "expired", "unknown"].map(|hash| Consume::Code(hash.to_owned()));
    let wanted = Dependencies { single_use: shown.iter().collect(), ..Dependencies::default() };
    let held = issuing::lock_dependencies(&mut tx, &wanted, 10).await.unwrap();
    assert_eq!(held.single_use.into_iter().collect::<Vec<_>>(), [shown[0].clone()]);
    write(&mut tx, &[], &shown[..1], 10).await;
    let found = sessions::codes::find(&mut tx, "live").await.unwrap().unwrap();
    assert_eq!(
        (found.consumed_at, found.authorization_details),
        (Some(10), code("live", &given, 1).authorization_details)
    );
    assert!(issuing::lock_dependencies(&mut tx, &wanted, 10).await.unwrap().single_use.is_empty());
    assert_eq!(sessions::codes::delete_expired(&mut tx, 10, 10).await.unwrap(), 1);
    assert!(sessions::codes::find(&mut tx, "expired").await.unwrap().is_none());
});

both!(a_family_has_one_newest_token_and_one_key, async |store: Store| {
    let mut tx = store.begin().await;
    let casey = parties(&mut tx).await;
    let given = grant("given", &casey, None);
    sessions::grants::insert(&mut tx, &given).await.unwrap();
    let replace = async |tx: &mut Tx, parent: &str, child: &str, now: i64| {
        let child = refresh_token(child, &given, "f", Some(parent), true);
        write(tx, &[&child], &[Consume::RefreshToken(parent.to_owned())], now).await;
    };
    let presented = async |tx: &mut Tx, hash: &str| {
        let (_, found) = sessions::presented::refresh_tokens(tx, &[hash]).await.unwrap();
        let [found] = <[_; 1]>::try_from(found).unwrap();
        found
    };
    write(&mut tx, &[&refresh_token("a", &given, "f", None, true)], &[], 1).await;
    assert_eq!(presented(&mut tx, "a").await.family_key, None);
    give_key(&mut tx, "f", &given, "old").await;
    replace(&mut tx, "a", "b", 10).await;
    replace(&mut tx, "b", "c", 13).await;
    let first = presented(&mut tx, "a").await;
    assert_eq!((first.token.consumed_at, first.token.rotated_at), (Some(10), Some(10)));
    assert_eq!(first.family_key.as_deref(), Some("old"));
    let newest = sessions::refresh_tokens::newest(&mut tx, "f").await.unwrap();
    assert_eq!(newest.map(|token| token.hash).as_deref(), Some("c"));
    // One that was replaced says that its family lives, and cannot be consumed again.
    let wanted = [Consume::RefreshToken("a".to_owned()), Consume::RefreshToken("c".to_owned())];
    let wanted = Dependencies { single_use: wanted.iter().collect(), ..Dependencies::default() };
    let held = issuing::lock_dependencies(&mut tx, &wanted, 20).await.unwrap();
    assert_eq!(held.refresh_tokens.len(), 2);
    assert_eq!(held.single_use.into_iter().collect::<Vec<_>>(), [Consume::RefreshToken("c".to_owned())]);
    assert!(issuing::lock_dependencies(&mut tx, &wanted, 1000).await.unwrap().refresh_tokens.is_empty(), "expired");
    // A key that cannot be decrypted gives way.
    give_key(&mut tx, "f", &given, "new").await;
    assert_eq!(sessions::refresh_families::find(&mut tx, "f").await.unwrap().unwrap().encrypted_key, "new");
    assert_eq!(sessions::refresh_tokens::delete_expired(&mut tx, 1001, 2).await.unwrap(), 2);
    assert!(sessions::refresh_families::find(&mut tx, "f").await.unwrap().is_some(), "a token is left");
    assert_eq!(sessions::refresh_tokens::delete_expired(&mut tx, 1001, 10).await.unwrap(), 1);
    assert!(sessions::refresh_families::find(&mut tx, "f").await.unwrap().is_none());
});

both!(a_pushed_request_is_there_until_it_is_used, async |store: Store| {
    let mut tx = store.begin().await;
    let (_, application_id) = parties(&mut tx).await;
    let request = |hash: &str, expires_at| PushedRequest {
        hash: hash.to_owned(),
        application_id: application_id.clone(),
        parameters: Json(json!([["scope", "openid"]])),
        expires_at,
    };
    for (hash, expires_at) in [("live", 100), ("expired", 5)] {
        sessions::pushed_requests::insert(&mut tx, &request(hash, expires_at)).await.unwrap();
    }
    assert!(sessions::pushed_requests::find_live(&mut tx, "expired", 10).await.unwrap().is_none());
    let found = sessions::pushed_requests::find_live(&mut tx, "live", 10).await.unwrap().unwrap();
    assert_eq!(found.parameters, request("live", 100).parameters);
    assert!(sessions::pushed_requests::keep(&mut tx, "live", 200).await.unwrap());
    assert!(!sessions::pushed_requests::keep(&mut tx, "none", 200).await.unwrap());
    // It is there for its response, and cannot be visited.
    assert_eq!(sessions::pushed_requests::delete_expired(&mut tx, 200, 10).await.unwrap(), 1);
    assert!(sessions::pushed_requests::find_live(&mut tx, "live", 100).await.unwrap().is_none());
    assert!(sessions::pushed_requests::delete(&mut tx, "live").await.unwrap());
    assert!(!sessions::pushed_requests::delete(&mut tx, "live").await.unwrap());
    sessions::pushed_requests::insert(&mut tx, &request("kept", 5)).await.unwrap();
    assert!(sessions::pushed_requests::keep(&mut tx, "kept", 20).await.unwrap());
    assert_eq!(sessions::pushed_requests::delete_expired(&mut tx, 21, 10).await.unwrap(), 1);
});

both!(the_tokens_of_a_grant_end_and_the_consent_stays, async |store: Store| {
    let mut tx = store.begin().await;
    let casey = parties(&mut tx).await;
    let (ended, kept) = (grant("ended", &casey, Some("session")), grant("kept", &casey, Some("session")));
    for one in [&ended, &kept] {
        sessions::grants::insert(&mut tx, one).await.unwrap();
        sessions::codes::insert(&mut tx, &code(&format!("code {}", one.id), one, 1000)).await.unwrap();
        write(&mut tx, &[&refresh_token(&format!("refresh {}", one.id), one, "f", None, true)], &[], 1).await;
        insert_issuances(&mut tx, &[&access_token(&format!("access {}", one.id), one, "f")]).await.unwrap();
    }
    sessions::grants::end_tokens(&mut tx, &ended.id, 7).await.unwrap();
    for (id, is_there) in [("ended", false), ("kept", true)] {
        let found = sessions::grants::find(&mut tx, &id.into()).await.unwrap().unwrap();
        assert_eq!(found.session_id.is_some(), is_there, "{id}");
        assert_eq!(sessions::codes::find(&mut tx, &format!("code {id}")).await.unwrap().is_some(), is_there, "{id}");
        let refresh = sessions::refresh_tokens::find(&mut tx, &format!("refresh {id}")).await.unwrap();
        assert_eq!(refresh.is_some(), is_there, "{id}");
        assert_eq!(is_revoked(&mut tx, &format!("access {id}")).await, !is_there, "{id}");
    }
});
