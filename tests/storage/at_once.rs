//! Commits of issuances in one statement: all that was seen still stands, or nothing is written.

use crate::Store;
use crate::transactions::waiting;
use claimsmith_domain::id::UserId;
use claimsmith_domain::random;
use claimsmith_storage::issuing::at_once::Seen;
use claimsmith_storage::issuing::subject_tokens::SubjectToken;
use claimsmith_storage::issuing::{self, Consume, Dependencies, WriteBatch};
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_storage::{Db, Result, Tx, users};
use claimsmith_test_support::seed::new_user;
use claimsmith_test_support::{both, on_postgres};
use serde_json::json;

/// A user with a subject token.
struct Subject {
    user_id: UserId,
    token: Consume,
}

async fn new_subject(store: &Store) -> Subject {
    let user = new_user();
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    let token = new_token(&user.id);
    issuing::subject_tokens::insert(&mut tx, &token).await.unwrap();
    tx.commit().await.unwrap();
    Subject { user_id: user.id, token: Consume::SubjectToken(token.id) }
}

fn new_token(user_id: &UserId) -> SubjectToken {
    SubjectToken {
        id: random::id(21).unwrap().into(),
        hash: random::id(64).unwrap(),
        user_id: user_id.clone(),
        context: json!({}).into(),
        creator_id: "backend".to_owned(),
        created_at: 1,
        expires_at: 20,
        consumed_at: None,
    }
}

/// Consumes the subject's token, and makes another one, as it was decided at these revisions.
async fn commit(db: &Db, subject: &Subject, (revision, user_revision): (i64, i64)) -> Result<bool> {
    let new = new_token(&subject.user_id);
    let wanted = Dependencies {
        users: [&subject.user_id].into(),
        known_users: [&subject.user_id].into(),
        single_use: [&subject.token].into(),
        ..Dependencies::default()
    };
    let seen = Seen {
        revision: Some(revision),
        users: [(&subject.user_id, user_revision)].into(),
        known_users: [(&subject.user_id, Some(user_revision))].into(),
    };
    let batch = WriteBatch { consume: vec![&subject.token], subject_tokens: vec![&new], ..WriteBatch::default() };
    let is_committed = issuing::at_once::commit(db, &wanted, &seen, &batch, 5).await?;
    let found = issuing::subject_tokens::find_by_hash(&mut db.begin().await?, &new.hash).await?;
    assert_eq!(found.is_some(), is_committed, "all or nothing");
    Ok(is_committed)
}

async fn is_live(tx: &mut Tx, token: &Consume) -> bool {
    let wanted = Dependencies { single_use: [token].into(), ..Dependencies::default() };
    issuing::lock_dependencies(tx, &wanted, 5).await.unwrap().single_use.contains(token)
}

on_postgres!(what_differs_from_what_was_seen_is_not_written, async |store: Store| {
    let subject = new_subject(&store).await;
    let revision = revisions::current(&mut store.begin().await).await.unwrap();
    for seen in [(revision - 1, 1), (revision + 1, 1), (revision, 0), (revision, 2)] {
        assert!(!commit(&store.db, &subject, seen).await.unwrap(), "{seen:?}");
    }
    assert!(is_live(&mut store.begin().await, &subject.token).await);
    assert!(commit(&store.db, &subject, (revision, 1)).await.unwrap());
    assert!(!commit(&store.db, &subject, (revision, 1)).await.unwrap(), "it is consumed");
});

both!(only_postgres_commits_at_once, async |store: Store| {
    let subject = new_subject(&store).await;
    let revision = revisions::current(&mut store.begin().await).await.unwrap();
    let is_postgres = store.db.autocommit_issuing().is_some();
    assert_eq!(commit(&store.db, &subject, (revision, 1)).await.unwrap(), is_postgres);
    assert_eq!(is_live(&mut store.begin().await, &subject.token).await, !is_postgres);
});

on_postgres!(of_many_at_once_one_consumes, async |store: Store| {
    let subject = new_subject(&store).await;
    let revision = revisions::current(&mut store.begin().await).await.unwrap();
    let all = futures_util::future::join_all((0..8).map(|_| commit(&store.db, &subject, (revision, 1)))).await;
    assert_eq!(all.into_iter().filter(|one| *one.as_ref().unwrap()).count(), 1);
});

on_postgres!(a_change_that_it_waits_for_is_seen, async |store: Store| {
    let subject = new_subject(&store).await;
    let revision = revisions::current(&mut store.begin().await).await.unwrap();
    // Of the authorization data, and of the user.
    let mut change = store.begin().await;
    revisions::bump(&mut change, Changed::All).await.unwrap();
    let ends = async {
        waiting(&store, 2).await;
        change.commit().await.unwrap();
    };
    let (before, after) = (commit(&store.db, &subject, (revision, 1)), commit(&store.db, &subject, (revision + 1, 1)));
    let (before, after, ()) = tokio::join!(before, after, ends);
    assert!(!before.unwrap() && after.unwrap(), "the newest revision counts, though the statement began before it");

    let other = new_subject(&store).await;
    let mut change = store.begin().await;
    users::set_suspended(&mut change, &other.user_id, true, 1).await.unwrap().unwrap();
    let ends = async {
        waiting(&store, 1).await;
        change.commit().await.unwrap();
    };
    let (suspended, ()) = tokio::join!(commit(&store.db, &other, (revision + 1, 1)), ends);
    assert!(!suspended.unwrap());
    assert!(is_live(&mut store.begin().await, &other.token).await);
});

on_postgres!(users_who_only_must_exist_may_have_changed, async |store: Store| {
    let subject = new_subject(&store).await;
    let mut tx = store.begin().await;
    users::set_suspended(&mut tx, &subject.user_id, true, 1).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    for (user_id, expected) in [(&subject.user_id, true), (&UserId::from("unknown"), false)] {
        let new = new_token(user_id);
        let seen = Seen { known_users: [(user_id, None)].into(), ..Seen::default() };
        let batch = WriteBatch { subject_tokens: vec![&new], ..WriteBatch::default() };
        let wanted = Dependencies::default();
        assert_eq!(issuing::at_once::commit(&store.db, &wanted, &seen, &batch, 5).await.unwrap(), expected);
    }
});
