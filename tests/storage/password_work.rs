//! The work of verifying passwords, as it is stored: the most of it decides when wrong passwords are answered.

use crate::Store;
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_domain::password_work;
use claimsmith_storage::Dialect;
use claimsmith_storage::users::{self, User};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_user;

const SQLITE: &str = include_str!("../../migrations/sqlite/0033_password_work.sql");
const POSTGRES: &str = include_str!("../../migrations/postgres/0033_password_work.sql");

/// Hashes of every kind, malformed and immoderate ones too.
const HASHES: [(&str, PasswordAlgorithm); 12] = [
    ("5f4dcc3b5aa765d61d8327deb882cf99", PasswordAlgorithm::Md5),
    ("nonsense", PasswordAlgorithm::Bcrypt),
    ("$2b$04$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K", PasswordAlgorithm::Bcrypt),
    ("$2b$31$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K", PasswordAlgorithm::Bcrypt),
    ("$2b$99$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K", PasswordAlgorithm::Bcrypt),
    ("$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAA", PasswordAlgorithm::Argon2id),
    ("$argon2i$m=65536,t=3,p=4$c29tZXNhbHQ$AAAAAAAAAAAAAAAA", PasswordAlgorithm::Argon2i),
    ("$argon2d$v=19$m=131072,t=9,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAA", PasswordAlgorithm::Argon2d),
    ("$argon2d$v=19$m=4294967295,t=4294967295,p=1$c29tZXNhbHQ$AAAA", PasswordAlgorithm::Argon2d),
    ("nonsense", PasswordAlgorithm::Argon2id),
    (r#"["md5", ["@"], "5f4dcc3b5aa765d61d8327deb882cf99"]"#, PasswordAlgorithm::Legacy),
    ("$2y$14$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K", PasswordAlgorithm::Bcrypt),
];

fn user_with(digest: &str, algorithm: PasswordAlgorithm) -> User {
    User { password_digest: Some(digest.to_owned()), password_algorithm: Some(algorithm), ..new_user() }
}

#[derive(claimsmith_storage::Row)]
struct Stored {
    digest: Option<String>,
    algorithm: Option<String>,
    work: i64,
}

both!(the_most_work_is_that_of_the_slowest_hash_that_is_there, async |store: Store| {
    let mut tx = store.begin().await;
    assert_eq!(users::most_password_work(&mut tx).await.unwrap(), 0);
    users::insert(&mut tx, &new_user()).await.unwrap();
    let ada = user_with("$2b$04$abcdefghijklmnopqrstuu5Lz0Kq9tM6Zs9wM1S5z9m0Q4q8m9a9K", PasswordAlgorithm::Bcrypt);
    users::insert(&mut tx, &ada).await.unwrap();
    assert_eq!(users::most_password_work(&mut tx).await.unwrap(), 1024);
    let slower = "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$AAAAAAAAAAAAAAAA";
    let grace = user_with(slower, PasswordAlgorithm::Argon2id);
    users::insert(&mut tx, &grace).await.unwrap();
    assert_eq!(users::most_password_work(&mut tx).await.unwrap(), 196_608);
    let own = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAA";
    assert!(!users::renew_digest(&mut tx, &grace.id, "another", own).await.unwrap());
    assert_eq!(users::most_password_work(&mut tx).await.unwrap(), 196_608);
    assert!(users::renew_digest(&mut tx, &grace.id, slower, own).await.unwrap());
    assert_eq!(users::most_password_work(&mut tx).await.unwrap(), 38_912);
    let mut without = users::find(&mut tx, &grace.id).await.unwrap().unwrap();
    (without.password_digest, without.password_algorithm) = (None, None);
    users::update(&mut tx, &without).await.unwrap();
    assert_eq!(users::most_password_work(&mut tx).await.unwrap(), 1024);
});

both!(users_from_before_get_the_same_numbers, async |store: Store| {
    let mut tx = store.begin().await;
    users::insert(&mut tx, &new_user()).await.unwrap();
    for (digest, algorithm) in HASHES {
        users::insert(&mut tx, &user_with(digest, algorithm)).await.unwrap();
    }
    tx.sql("UPDATE users SET password_work = 0").execute().await.unwrap();
    let migration = match store.db.dialect() {
        Dialect::Sqlite => SQLITE,
        Dialect::Postgres => POSTGRES,
    };
    let updates: Vec<&'static str> =
        migration.split(';').map(str::trim).filter(|statement| statement.starts_with("UPDATE")).collect();
    assert!(updates.len() >= 2, "{updates:?}");
    for update in updates {
        tx.sql(update).execute().await.unwrap();
    }
    let all = tx
        .sql("SELECT password_digest AS digest, password_algorithm AS algorithm, password_work AS work FROM users")
        .all::<Stored>();
    let all = all.await.unwrap();
    assert_eq!(all.len(), HASHES.len() + 1);
    for one in all {
        let algorithm = one.algorithm.as_deref().and_then(PasswordAlgorithm::parse);
        let expected = one.digest.as_deref().zip(algorithm).map(|(digest, of)| password_work::of(digest, of));
        assert_eq!(one.work, expected.unwrap_or_default(), "{:?}", one.digest);
    }
});
