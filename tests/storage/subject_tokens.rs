//! Subject tokens: consumed once.

use crate::{Store, assert_same, ids};
use claimsmith_domain::id::{SubjectTokenId, UserId};
use claimsmith_domain::random;
use claimsmith_storage::issuing::subject_tokens::{Filter, SubjectToken};
use claimsmith_storage::issuing::{self, Consume, Dependencies, WriteBatch};
use claimsmith_storage::{Error, Slice, Tx, revisions, users};
use claimsmith_test_support::seed::new_user;
use claimsmith_test_support::{both, on_postgres};
use serde_json::json;

fn new_token(user_id: &UserId, expires_at: i64) -> SubjectToken {
    SubjectToken {
        id: random::id(21).unwrap().into(),
        hash: random::id(64).unwrap(),
        user_id: user_id.clone(),
        context: json!({ "ticketId": "T-1 \u{1f3ab}" }).into(),
        creator_id: "backend".to_owned(),
        created_at: 1,
        expires_at,
        consumed_at: None,
    }
}

/// A user with tokens that end at these times.
async fn with_tokens(store: &Store, ends: &[i64]) -> Vec<SubjectToken> {
    let user = new_user();
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    let mut tokens = Vec::new();
    for end in ends {
        let token = new_token(&user.id, *end);
        issuing::subject_tokens::insert(&mut tx, &token).await.unwrap();
        tokens.push(token);
    }
    tx.commit().await.unwrap();
    tokens
}

/// Consumes those of the tokens that can be, as an issuance does, and answers their ids.
async fn consume(tx: &mut Tx, ids: &[&SubjectTokenId], now: i64) -> Vec<SubjectTokenId> {
    let shown: Vec<Consume> = ids.iter().map(|id| Consume::SubjectToken((*id).clone())).collect();
    let wanted = Dependencies { single_use: shown.iter().collect(), ..Dependencies::default() };
    let held = issuing::lock_dependencies(tx, &wanted, now).await.unwrap();
    let batch = WriteBatch { consume: held.single_use.iter().collect(), ..WriteBatch::default() };
    issuing::write(tx, &batch, now).await.unwrap();
    let id = |consume| match consume {
        Consume::SubjectToken(id) => Some(id),
        _ => None,
    };
    held.single_use.into_iter().filter_map(id).collect()
}

both!(a_token_is_found_by_its_hash, async |store: Store| {
    let tokens = with_tokens(&store, &[10, 20]).await;
    let mut tx = store.begin().await;
    for token in &tokens {
        assert_same(&issuing::subject_tokens::find_by_hash(&mut tx, &token.hash).await.unwrap().unwrap(), token);
    }
    assert!(issuing::subject_tokens::find_by_hash(&mut tx, "unknown").await.unwrap().is_none());
    drop(tx);
    let error = issuing::subject_tokens::insert(&mut store.begin().await, &tokens[0]).await.unwrap_err();
    assert!(matches!(error, Error::Conflict), "{error:?}");
    let error =
        issuing::subject_tokens::insert(&mut store.begin().await, &new_token(&"unknown".into(), 10)).await.unwrap_err();
    assert!(matches!(error, Error::Missing), "{error:?}");
});

both!(an_exchange_opens_with_live_tokens_of_active_users, async |store: Store| {
    let tokens = with_tokens(&store, &[10, 20, 20]).await;
    let suspended = with_tokens(&store, &[20]).await.remove(0);
    let mut tx = store.begin().await;
    users::set_suspended(&mut tx, &suspended.user_id, true, 0).await.unwrap().unwrap();
    users::touch(&mut tx, &tokens[0].user_id).await.unwrap();
    consume(&mut tx, &[&tokens[2].id], 5).await;
    let revision = revisions::current(&mut tx).await.unwrap();
    let hashes = [&tokens[0].hash, &tokens[1].hash, &tokens[2].hash, &suspended.hash].map(String::as_str);
    for (now, expected) in [(9, &tokens[..2]), (10, &tokens[1..2]), (20, &[])] {
        let (seen, mut live) = issuing::subject_tokens::open(&mut tx, &hashes, now).await.unwrap();
        live.sort_by_key(|subject| tokens.iter().position(|token| token.id == subject.id));
        assert_eq!(seen, revision);
        assert_eq!(live.len(), expected.len(), "{now}");
        for (subject, token) in live.iter().zip(expected) {
            assert_eq!((&subject.id, &subject.hash, &subject.user_id), (&token.id, &token.hash, &token.user_id));
            assert_eq!((&*subject.context.value, subject.user_revision), (&*token.context.value, 2));
        }
    }
    // The revision is told also when there is no such token.
    let (seen, live) = issuing::subject_tokens::open(&mut tx, &["unknown"], 0).await.unwrap();
    assert_eq!((seen, live.len()), (revision, 0));
});

both!(live_tokens_are_consumed_once, async |store: Store| {
    let tokens = with_tokens(&store, &[10, 20, 20]).await;
    let [expired, one, two] = [&tokens[0].id, &tokens[1].id, &tokens[2].id];
    let mut tx = store.begin().await;
    assert!(consume(&mut tx, &[], 10).await.is_empty());
    // At the millisecond of its end a token is not live any more.
    let consumed = consume(&mut tx, &[expired, one, &"unknown".into()], 10).await;
    assert_eq!(consumed, std::slice::from_ref(one));
    let consumed = consume(&mut tx, &[one, two], 11).await;
    assert_eq!(consumed, std::slice::from_ref(two));
    let stored = issuing::subject_tokens::find_by_hash(&mut tx, &tokens[1].hash).await.unwrap().unwrap();
    assert_eq!(stored.consumed_at, Some(10));
    // What is not committed was not consumed.
    drop(tx);
    let mut tx = store.begin().await;
    assert_eq!(consume(&mut tx, &[one], 12).await, std::slice::from_ref(one));
});

both!(new_tokens_are_committed_with_what_is_consumed_or_not_at_all, async |store: Store| {
    let tokens = with_tokens(&store, &[20]).await;
    let (user_id, unknown) = (&tokens[0].user_id, UserId::from("unknown"));
    let mut tx = store.begin().await;
    users::set_suspended(&mut tx, user_id, true, 0).await.unwrap().unwrap();
    tx.commit().await.unwrap();

    let (used, new) = (Consume::SubjectToken(tokens[0].id.clone()), [new_token(user_id, 20), new_token(user_id, 20)]);
    let mut tx = store.db.begin_issuing().await.unwrap();
    let wanted =
        Dependencies { known_users: [user_id, &unknown].into(), single_use: [&used].into(), ..Dependencies::default() };
    let held = issuing::lock_dependencies(&mut tx, &wanted, 5).await.unwrap();
    assert_eq!(held.known_users.into_iter().collect::<Vec<_>>(), [(user_id.clone(), 2)], "suspended, but there");
    let batch = WriteBatch { consume: vec![&used], subject_tokens: new.iter().collect(), ..WriteBatch::default() };
    issuing::commit(tx, &batch, 5).await.unwrap();
    for token in &new {
        let found = issuing::subject_tokens::find_by_hash(&mut store.begin().await, &token.hash).await.unwrap();
        assert_same(&found.unwrap(), token);
    }

    let more = new_token(user_id, 20);
    let batch = WriteBatch { consume: vec![&used], subject_tokens: vec![&more], ..WriteBatch::default() };
    let again = issuing::commit(store.db.begin_issuing().await.unwrap(), &batch, 6).await;
    assert!(again.is_err(), "it was consumed before");
    let found = issuing::subject_tokens::find_by_hash(&mut store.begin().await, &more.hash).await.unwrap();
    assert!(found.is_none());
});

both!(of_many_transactions_one_consumes, async |store: Store| {
    let token = with_tokens(&store, &[10]).await.remove(0);
    let mut racers = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (db, id) = (store.db.clone(), token.id.clone());
        racers.spawn(async move {
            let mut tx = db.begin().await.unwrap();
            let consumed = consume(&mut tx, &[&id], 5).await.len();
            tx.commit().await.unwrap();
            consumed
        });
    }
    assert_eq!(racers.join_all().await.into_iter().sum::<usize>(), 1);
});

#[derive(claimsmith_storage::Row)]
struct RowsRead {
    rows: i64,
}

/// Rows of the table of subject tokens that this transaction has read.
async fn rows_read(tx: &mut Tx) -> i64 {
    let sql =
        "SELECT seq_tup_read + idx_tup_fetch AS rows FROM pg_stat_xact_user_tables WHERE relname = 'subject_tokens'";
    tx.sql(sql).one::<RowsRead>().await.unwrap().rows
}

// PostgreSQL plans a statement for good when a connection has used it some times, and a table that was never analyzed may
// be nearly empty then and large a minute later.
on_postgres!(a_token_is_read_by_its_key_before_the_table_was_analyzed, async |store: Store| {
    let tokens = with_tokens(&store, &[10; 40]).await;
    let (early, late) = tokens.split_at(20);
    let mut tx = store.begin().await;
    let issue = async |tx: &mut Tx, token: &SubjectToken| {
        let (_, live) = issuing::subject_tokens::open(tx, &[&token.hash], 5).await.unwrap();
        assert_eq!((live.len(), consume(tx, &[&token.id], 5).await.len()), (1, 1));
    };
    for token in early {
        issue(&mut tx, token).await;
    }
    for _ in 0..2000 {
        issuing::subject_tokens::insert(&mut tx, &new_token(&late[0].user_id, 10)).await.unwrap();
    }
    let before = rows_read(&mut tx).await;
    for token in late {
        issue(&mut tx, token).await;
    }
    let each = (rows_read(&mut tx).await - before) / 20;
    assert!((1..=10).contains(&each), "{each} rows of the table for one token");
});

both!(expired_tokens_are_swept_in_parts, async |store: Store| {
    let tokens = with_tokens(&store, &[1, 2, 3, 9, 10]).await;
    let mut tx = store.begin().await;
    assert_eq!(issuing::subject_tokens::delete_expired(&mut tx, 9, 2).await.unwrap(), 2);
    assert_eq!(issuing::subject_tokens::delete_expired(&mut tx, 9, 2).await.unwrap(), 1);
    assert_eq!(issuing::subject_tokens::delete_expired(&mut tx, 9, 2).await.unwrap(), 0);
    for (token, left) in tokens.iter().zip([false, false, false, true, true]) {
        assert_eq!(issuing::subject_tokens::find_by_hash(&mut tx, &token.hash).await.unwrap().is_some(), left);
    }
});

both!(tokens_are_listed_newest_first_and_revoked, async |store: Store| {
    let tokens = with_tokens(&store, &[10, 20, 20]).await;
    let user_id = &tokens[0].user_id;
    let strangers = with_tokens(&store, &[20]).await.remove(0);
    let mut tx = store.begin().await;
    let newest = SubjectToken { created_at: 2, ..new_token(user_id, 20) };
    issuing::subject_tokens::insert(&mut tx, &newest).await.unwrap();
    consume(&mut tx, &[&tokens[2].id], 5).await;

    let wanted = |is_live, now| Filter { user_id: Some(user_id.clone()), is_live, now };
    let mut live = [&tokens[0].id, &tokens[1].id];
    live.sort_unstable_by(|one, other| other.cmp(one));
    let listed = issuing::subject_tokens::list(&mut tx, &wanted(true, 9), Slice::ALL).await.unwrap();
    assert_eq!(ids(&listed, |token| &token.id), [&newest.id, live[0], live[1]]);
    assert_same(&listed[0], &newest);
    let slice = Slice { limit: 1, offset: 1 };
    let listed = issuing::subject_tokens::list(&mut tx, &wanted(true, 9), slice).await.unwrap();
    assert_eq!(ids(&listed, |token| &token.id), [live[0]]);
    for (is_live, now, expected) in [(true, 9, 3), (false, 9, 1), (true, 10, 2), (false, 10, 2), (true, 20, 0)] {
        assert_eq!(
            issuing::subject_tokens::count(&mut tx, &wanted(is_live, now)).await.unwrap(),
            expected,
            "{is_live} {now}"
        );
    }
    let everybodys = Filter { user_id: None, ..wanted(true, 9) };
    assert_eq!(issuing::subject_tokens::count(&mut tx, &everybodys).await.unwrap(), 4);

    // What is over, or of nobody, is not revoked.
    for id in [&tokens[0].id, &tokens[2].id, &"unknown".into()] {
        assert!(issuing::subject_tokens::revoke(&mut tx, id, 10).await.unwrap().is_none());
    }
    assert_same(&issuing::subject_tokens::revoke(&mut tx, &strangers.id, 10).await.unwrap().unwrap(), &strangers);
    assert!(issuing::subject_tokens::revoke(&mut tx, &strangers.id, 10).await.unwrap().is_none());
    assert!(consume(&mut tx, &[&strangers.id], 10).await.is_empty());
});
