//! Codes that wait to be typed, and tokens of links.

use crate::Store;
use claimsmith_domain::documents::one_time_token::{Context, Status};
use claimsmith_storage::verification;
use claimsmith_storage::verification::one_time_tokens::{Filter, OneTimeToken};
use claimsmith_storage::verification::verification_codes::VerificationCode;
use claimsmith_storage::{Error, Json, Slice, organizations};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_organization;

fn code(requester: &str, id: &str) -> VerificationCode {
    let (requester, id) = (requester.to_owned(), id.to_owned());
    VerificationCode { requester, id, digest: "digest".to_owned(), attempts: 0, expires_at: 100 }
}

both!(a_code_is_replaced_counted_and_used_once, async |store: Store| {
    let mut tx = store.begin().await;
    verification::verification_codes::put(&mut tx, &code("ada", "one")).await.unwrap();
    verification::verification_codes::put(&mut tx, &code("grace", "other")).await.unwrap();
    for attempts in 1..4 {
        let counted = verification::verification_codes::count_attempt(&mut tx, "ada").await.unwrap().unwrap();
        assert_eq!((counted.id.as_str(), counted.attempts, counted.digest.as_str()), ("one", attempts, "digest"));
    }
    let newer = VerificationCode { digest: "newer".to_owned(), expires_at: 200, ..code("ada", "two") };
    verification::verification_codes::put(&mut tx, &newer).await.unwrap();
    let counted = verification::verification_codes::count_attempt(&mut tx, "ada").await.unwrap().unwrap();
    assert_eq!((counted.id.as_str(), counted.attempts, counted.expires_at), ("two", 1, 200));
    let mut used = Vec::new();
    for id in ["one", "two", "two"] {
        used.push(verification::verification_codes::consume(&mut tx, "ada", id).await.unwrap());
    }
    assert_eq!(used, [false, true, false]);
    assert!(verification::verification_codes::count_attempt(&mut tx, "ada").await.unwrap().is_none());
    assert_eq!(verification::verification_codes::delete_expired(&mut tx, 100, 10).await.unwrap(), 0);
    assert_eq!(verification::verification_codes::delete_expired(&mut tx, 101, 10).await.unwrap(), 1);
});

fn token(id: &str, created_at: i64, status: Status) -> OneTimeToken {
    OneTimeToken {
        id: id.to_owned(),
        email: format!("{id}@example.com"),
        hash: format!("hash of {id}"),
        context: Json(Some(Context::default())),
        status,
        created_at,
        expires_at: 100,
    }
}

both!(tokens_are_found_listed_and_settled_once, async |store: Store| {
    let mut tx = store.begin().await;
    for (id, created_at, status) in [("a", 1, Status::Active), ("b", 2, Status::Active), ("c", 3, Status::Revoked)] {
        verification::one_time_tokens::insert(&mut tx, &token(id, created_at, status)).await.unwrap();
    }
    let found = verification::one_time_tokens::find_by_hash(&mut tx, "hash of b").await.unwrap().unwrap();
    assert_eq!((found.id.as_str(), found.email.as_str()), ("b", "b@example.com"));
    assert!(verification::one_time_tokens::find(&mut tx, "nothing").await.unwrap().is_none());
    let everything = Filter::default();
    let ids = |rows: Vec<OneTimeToken>| rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
    let all = verification::one_time_tokens::list(&mut tx, everything, 50, Slice::ALL).await.unwrap();
    assert_eq!(ids(all), ["c", "b", "a"]);
    let second =
        verification::one_time_tokens::list(&mut tx, everything, 50, Slice { limit: 1, offset: 1 }).await.unwrap();
    assert_eq!(ids(second), ["b"]);
    for (wanted, now, expected) in [
        (Filter { status: Some(Status::Active), ..everything }, 50, 2),
        (Filter { status: Some(Status::Active), ..everything }, 100, 0),
        (Filter { status: Some(Status::Expired), ..everything }, 100, 2),
        (Filter { email: Some("a@example.com"), ..everything }, 50, 1),
        (Filter { email: Some("a@example.com"), status: Some(Status::Revoked) }, 50, 0),
    ] {
        assert_eq!(
            verification::one_time_tokens::count(&mut tx, wanted, now).await.unwrap(),
            expected,
            "{wanted:?} {now}"
        );
        let listed = verification::one_time_tokens::list(&mut tx, wanted, now, Slice::ALL).await.unwrap();
        assert_eq!(listed.len(), usize::try_from(expected).unwrap());
    }
    let mut settled = Vec::new();
    for (id, now) in [("a", 100), ("a", 99), ("a", 99), ("c", 50)] {
        settled.push(verification::one_time_tokens::settle(&mut tx, id, Status::Consumed, now).await.unwrap());
    }
    assert_eq!(settled, [false, true, false, false]);
    assert_eq!(verification::one_time_tokens::find(&mut tx, "a").await.unwrap().unwrap().status.as_str(), "consumed");
    assert!(verification::one_time_tokens::delete(&mut tx, "a").await.unwrap());
    assert!(!verification::one_time_tokens::delete(&mut tx, "a").await.unwrap());
    assert_eq!(verification::one_time_tokens::delete_expired(&mut tx, 101, 1).await.unwrap(), 1);
    assert_eq!(verification::one_time_tokens::delete_expired(&mut tx, 101, 10).await.unwrap(), 1);
    tx.commit().await.unwrap();
    let mut tx = store.begin().await;
    verification::one_time_tokens::insert(&mut tx, &token("d", 1, Status::Active)).await.unwrap();
    let twice = verification::one_time_tokens::insert(
        &mut tx,
        &OneTimeToken { id: "e".to_owned(), ..token("d", 1, Status::Active) },
    )
    .await;
    assert!(matches!(twice, Err(Error::Conflict)), "{twice:?}");
});

both!(a_domain_names_its_organizations, async |store: Store| {
    let mut tx = store.begin().await;
    let organization = new_organization();
    organizations::insert(&mut tx, &organization).await.unwrap();
    let domains = ["example.com".to_owned(), "example.org".to_owned()];
    organizations::jit::EMAIL_DOMAINS.add(&mut tx, &organization.id, &domains).await.unwrap();
    for (domain, count) in [("example.com", 1), ("example.net", 0), ("", 0)] {
        let found = organizations::jit::organizations_of(&mut tx, domain).await.unwrap();
        assert_eq!(found, vec![organization.id.clone(); count], "{domain}");
    }
});
