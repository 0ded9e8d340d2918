//! Verification records.

use crate::{Store, assert_same, ids};
use claimsmith_domain::id::UserId;
use claimsmith_domain::verification_record::{RecordDetails, RecordType};
use claimsmith_storage::sessions::{self, Session};
use claimsmith_storage::verification;
use claimsmith_storage::verification::verification_records::VerificationRecord;
use claimsmith_storage::{Error, Json, Tx, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_user;

async fn user(tx: &mut Tx) -> UserId {
    let user = new_user();
    users::insert(tx, &user).await.unwrap();
    user.id
}

async fn session(tx: &mut Tx, id: &str, user_id: &UserId) {
    let session = Session {
        id: id.into(),
        browser_hash: "browser".to_owned(),
        user_id: user_id.clone(),
        details: Json(None),
        authenticated_at: 1,
        last_active_at: 1,
        expires_at: 1000,
    };
    let session = Session { details: Json(Some(sessions::SessionDetails::default())), ..session };
    sessions::insert(tx, &session).await.unwrap();
}

fn record(id: &str, user_id: &UserId, session_id: Option<&str>, created_at: i64) -> VerificationRecord {
    VerificationRecord {
        id: id.into(),
        user_id: user_id.clone(),
        session_id: session_id.map(Into::into),
        kind: RecordType::Password,
        created_at,
        verified_at: Some(created_at),
        expires_at: created_at + 100,
        details: Json(RecordDetails::default()),
    }
}

both!(a_record_lives_until_it_expires_or_its_session_ends, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, grace) = (user(&mut tx).await, user(&mut tx).await);
    session(&mut tx, "s1", &ada).await;
    let records = [
        record("a", &ada, None, 1),
        record("b", &ada, Some("s1"), 2),
        VerificationRecord { verified_at: None, ..record("c", &ada, Some("s1"), 3) },
        record("d", &grace, None, 4),
    ];
    for one in &records {
        verification::verification_records::insert(&mut tx, one).await.unwrap();
    }
    let found = verification::verification_records::find_live(&mut tx, &"c".into(), 102).await.unwrap();
    assert_same(&found.unwrap(), &records[2]);
    assert!(
        verification::verification_records::find_live(&mut tx, &"a".into(), 101).await.unwrap().is_none(),
        "it expired"
    );
    assert!(verification::verification_records::find_live(&mut tx, &"nothing".into(), 1).await.unwrap().is_none());
    let of_session = verification::verification_records::live_of_session(&mut tx, &"s1".into(), 10).await.unwrap();
    assert_eq!(ids(&of_session, |one| &one.id), ["c", "b"]);
    let of_session = verification::verification_records::live_of_session(&mut tx, &"s1".into(), 102).await.unwrap();
    assert_eq!(ids(&of_session, |one| &one.id), ["c"]);
    sessions::delete(&mut tx, &"s1".into()).await.unwrap();
    assert!(verification::verification_records::find_live(&mut tx, &"b".into(), 10).await.unwrap().is_none());
    assert_eq!(verification::verification_records::delete_of_user(&mut tx, &ada).await.unwrap(), 1);
    assert!(verification::verification_records::find_live(&mut tx, &"a".into(), 10).await.unwrap().is_none());
    assert!(verification::verification_records::find_live(&mut tx, &"d".into(), 10).await.unwrap().is_some());
    assert_eq!(verification::verification_records::delete_expired(&mut tx, 104, 10).await.unwrap(), 0);
    assert_eq!(verification::verification_records::delete_expired(&mut tx, 105, 10).await.unwrap(), 1);
    let of_nobody = record("e", &"nobody".into(), None, 1);
    assert!(matches!(verification::verification_records::insert(&mut tx, &of_nobody).await, Err(Error::Missing)));
});

both!(a_record_is_proved_once_and_used_once, async |store: Store| {
    let mut tx = store.begin().await;
    let ada = user(&mut tx).await;
    let begun = VerificationRecord { verified_at: None, ..record("a", &ada, None, 1) };
    verification::verification_records::insert(&mut tx, &begun).await.unwrap();
    let details = serde_json::json!({ "passkey": { "challenge": { "a": [1] } } });
    let details = Json(serde_json::from_value::<RecordDetails>(details).unwrap());
    // Kept without being proved, then proved; after that nothing changes it.
    let kept = VerificationRecord { details, ..begun };
    assert!(verification::verification_records::update(&mut tx, &kept).await.unwrap());
    let proved = VerificationRecord { verified_at: Some(5), ..kept };
    assert!(verification::verification_records::update(&mut tx, &proved).await.unwrap());
    let again = VerificationRecord { details: Json(RecordDetails::default()), ..proved.clone() };
    assert!(!verification::verification_records::update(&mut tx, &again).await.unwrap());
    let found = verification::verification_records::find_live(&mut tx, &"a".into(), 10).await.unwrap();
    assert_same(&found.unwrap(), &proved);
    assert!(verification::verification_records::delete(&mut tx, &"a".into()).await.unwrap());
    assert!(!verification::verification_records::delete(&mut tx, &"a".into()).await.unwrap());
});
