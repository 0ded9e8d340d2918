//! Records of issued tokens.

use crate::{Store, assert_same, ids};
use claimsmith_storage::issuing::issuances::{Filter, Issuance};
use claimsmith_storage::issuing::{self, Dependencies, WriteBatch};
use claimsmith_storage::{self as storage, Error, Json, Slice, Tx};
use claimsmith_test_support::both;
use serde_json::json;

/// The record of an application's own token.
pub(crate) fn new_issuance(jti: &str, expires_at: i64) -> Issuance {
    Issuance {
        jti: jti.to_owned(),
        user_id: None,
        application_id: "application".into(),
        actor_id: None,
        organization_id: None,
        resource: None,
        scope: String::new(),
        exchanged: false,
        subject_token_id: None,
        context: None,
        grant_id: None,
        family_id: None,
        opaque_hash: None,
        claims: None,
        created_at: 1,
        expires_at,
        revoked_at: None,
    }
}

/// Adds records.
pub(crate) async fn insert(tx: &mut Tx, records: &[&Issuance]) -> storage::Result<()> {
    issuing::write(tx, &WriteBatch { issuances: records.to_vec(), ..WriteBatch::default() }, 0).await
}

both!(a_record_comes_back_as_it_was_written, async |store: Store| {
    let full = Issuance {
        user_id: Some("user".into()),
        actor_id: Some("actor".into()),
        organization_id: Some("organization".into()),
        resource: Some("urn:one".to_owned()),
        scope: "read write".to_owned(),
        exchanged: true,
        subject_token_id: Some("subject".into()),
        context: Some(json!({ "ticketId": "T-1" }).into()),
        opaque_hash: Some("hash".to_owned()),
        claims: Some(Json(json!({ "sub": "user" }))),
        revoked_at: Some(3),
        ..new_issuance("full", 10)
    };
    let bare = new_issuance("bare", 10);
    let mut tx = store.begin().await;
    insert(&mut tx, &[]).await.unwrap();
    insert(&mut tx, &[&full, &bare]).await.unwrap();
    for record in [&full, &bare] {
        assert_same(&issuing::issuances::find(&mut tx, &record.jti).await.unwrap().unwrap(), record);
    }
    assert_same(&issuing::issuances::find_opaque(&mut tx, "hash").await.unwrap().unwrap(), &full);
    assert!(issuing::issuances::find_opaque(&mut tx, "").await.unwrap().is_none());
    assert!(issuing::issuances::find(&mut tx, "unknown").await.unwrap().is_none());
    tx.commit().await.unwrap();
    let error = insert(&mut store.begin().await, &[&new_issuance("other", 1), &bare]).await.unwrap_err();
    assert!(matches!(error, Error::Conflict), "{error:?}");
    assert!(issuing::issuances::find(&mut store.begin().await, "other").await.unwrap().is_none(), "all or none");
});

both!(records_are_listed_newest_first, async |store: Store| {
    let base = |jti: &str, created_at, user: Option<&str>| Issuance {
        user_id: user.map(Into::into),
        created_at,
        ..new_issuance(jti, 100)
    };
    let records = [
        base("t1", 1, Some("ada")),
        Issuance { application_id: "web".into(), ..base("t2", 2, Some("ada")) },
        base("t3", 3, None),
        Issuance { application_id: "web".into(), ..base("t4", 4, Some("bob")) },
    ];
    let mut tx = store.begin().await;
    insert(&mut tx, &records.iter().collect::<Vec<_>>()).await.unwrap();
    let all = Filter::default();
    for (wanted, expected) in [
        (all.clone(), &["t4", "t3", "t2", "t1"][..]),
        (Filter { user_id: Some("ada".into()), ..all.clone() }, &["t2", "t1"]),
        (Filter { application_id: Some("web".into()), ..all.clone() }, &["t4", "t2"]),
        (Filter { from: Some(2), to: Some(3), ..all.clone() }, &["t3", "t2"]),
        (Filter { user_id: Some("ada".into()), application_id: Some("web".into()), ..all.clone() }, &["t2"]),
        (Filter { user_id: Some("nobody".into()), ..all.clone() }, &[]),
    ] {
        let listed = issuing::issuances::list(&mut tx, &wanted, Slice::ALL).await.unwrap();
        assert_eq!(ids(&listed, |record| &record.jti), expected, "{wanted:?}");
        let count = issuing::issuances::count(&mut tx, &wanted, i64::MAX).await.unwrap();
        assert_eq!(usize::try_from(count), Ok(expected.len()), "{wanted:?}");
    }
    assert_eq!(issuing::issuances::count(&mut tx, &all, 3).await.unwrap(), 3);
    let page = issuing::issuances::list(&mut tx, &all, Slice { limit: 1, offset: 1 }).await.unwrap();
    assert_same(&page[0], &records[2]);
});

both!(a_full_batch_fits_into_one_statement, async |store: Store| {
    let records: Vec<Issuance> = (0..64).map(|number| new_issuance(&number.to_string(), number)).collect();
    let mut tx = store.begin().await;
    insert(&mut tx, &records.iter().collect::<Vec<_>>()).await.unwrap();
    assert_same(&issuing::issuances::find(&mut tx, "63").await.unwrap().unwrap(), &records[63]);
});

both!(a_token_is_revoked_once, async |store: Store| {
    let mut tx = store.begin().await;
    insert(&mut tx, &[&new_issuance("one", 10), &new_issuance("other", 10)]).await.unwrap();
    assert!(issuing::issuances::revoke(&mut tx, "one", 5).await.unwrap());
    assert!(!issuing::issuances::revoke(&mut tx, "one", 6).await.unwrap());
    assert!(!issuing::issuances::revoke(&mut tx, "unknown", 6).await.unwrap());
    assert_eq!(issuing::issuances::find(&mut tx, "one").await.unwrap().unwrap().revoked_at, Some(5));
    assert_eq!(issuing::issuances::find(&mut tx, "other").await.unwrap().unwrap().revoked_at, None);
});

both!(only_live_tokens_are_held, async |store: Store| {
    let mut tx = store.begin().await;
    let records = ["live", "expired", "revoked"].map(|jti| new_issuance(jti, if jti == "expired" { 5 } else { 10 }));
    insert(&mut tx, &records.iter().collect::<Vec<_>>()).await.unwrap();
    assert!(issuing::issuances::revoke(&mut tx, "revoked", 4).await.unwrap());
    let wanted = Dependencies { tokens: ["revoked", "live", "expired", "unknown"].into(), ..Dependencies::default() };
    for (now, live) in [(5, &["live"][..]), (4, &["expired", "live"])] {
        let held = issuing::lock_dependencies(&mut tx, &wanted, now).await.unwrap();
        assert_eq!(held.tokens, live.iter().map(ToString::to_string).collect());
        assert!(held.users.is_empty() && held.single_use.is_empty() && held.personal_access_tokens.is_empty());
    }
    assert!(issuing::lock_dependencies(&mut tx, &Dependencies::default(), 4).await.unwrap().tokens.is_empty());
});

both!(expired_records_are_swept_in_parts, async |store: Store| {
    let mut tx = store.begin().await;
    for (jti, end) in [("a", 1), ("b", 2), ("c", 3), ("d", 9)] {
        insert(&mut tx, &[&new_issuance(jti, end)]).await.unwrap();
    }
    assert_eq!(issuing::issuances::delete_expired(&mut tx, 9, 2).await.unwrap(), 2);
    assert_eq!(issuing::issuances::delete_expired(&mut tx, 9, 2).await.unwrap(), 1);
    assert_eq!(issuing::issuances::delete_expired(&mut tx, 9, 2).await.unwrap(), 0);
    assert!(issuing::issuances::find(&mut tx, "d").await.unwrap().is_some());
});

both!(the_live_tokens_of_a_user_are_listed_and_revoked, async |store: Store| {
    let of = |jti: &str, user: &str, created_at, expires_at| Issuance {
        user_id: Some(user.into()),
        created_at,
        ..new_issuance(jti, expires_at)
    };
    let mut tx = store.begin().await;
    let rows = [of("a", "ada", 1, 10), of("b", "ada", 2, 20), of("c", "grace", 3, 20)];
    insert(&mut tx, &rows.iter().collect::<Vec<_>>()).await.unwrap();
    let live = async |tx: &mut _, now| {
        let live = issuing::issuances::live_of_user(tx, &"ada".into(), now).await.unwrap();
        live.into_iter().map(|one| one.jti).collect::<Vec<_>>()
    };
    assert_eq!(live(&mut tx, 5).await, ["b", "a"]);
    assert_eq!(live(&mut tx, 10).await, ["b"]);
    for (jti, now, revoked) in [("c", 5, false), ("a", 10, false), ("b", 10, true), ("b", 10, false)] {
        assert_eq!(
            issuing::issuances::revoke_of_user(&mut tx, &"ada".into(), jti, now).await.unwrap(),
            revoked,
            "{jti} at {now}"
        );
    }
    assert!(live(&mut tx, 5).await == ["a"]);
});
