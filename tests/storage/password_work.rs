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

/// The same text for both databases.
const NEW_FORMATS: &str = include_str!("../../migrations/sqlite/0038_imported_password_work.sql");
const KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

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

both!(users_with_hashes_that_are_verified_now_have_the_most_work, async |store: Store| {
    let mut tx = store.begin().await;
    for (digest, algorithm) in HASHES {
        users::insert(&mut tx, &user_with(digest, algorithm)).await.unwrap();
    }
    let before = works(&mut tx).await;
    let hashes = [
        (
            r#"["pbkdf2", ["pepper", "1000", "20", "sha512", "@"], "4ba76669e5126e085b695e6561d348c276b135db"]"#
                .to_owned(),
            true,
        ),
        (
            r#"["PBKDF2Sync", ["pepper", "1000", "20", "sha512", "@"], "4ba76669e5126e085b695e6561d348c276b135db"]"#
                .to_owned(),
            true,
        ),
        (format!("pbkdf2_sha256$2097152$salt${KEY}"), true),
        (format!("$scrypt$ln=17,r=8,p=2$AAAA${KEY}"), true),
        (format!("scrypt$16384$salt$8$5${KEY}"), true),
        (format!(r#"{{"algorithm":"pbkdf2","iterations":1000,"salt":"AAAA","value":"{KEY}"}}"#), true),
        ("$P$6ezFjWurH8FQ8/vQquv6/5OogZW6XH.".to_owned(), true),
        ("$wp$2y$14$pSlpedKbiU3.YHgF1uYmduRLnGQCtmlR6nHFljLpE554wHdEJQQcm".to_owned(), true),
        ("bcrypt$$2b$14$kcxJKacJyjY/2eYhhreQXeI3Tktp3BsVChoZinH8xuFFDqcfuStJO".to_owned(), true),
        ("$2b$14$kcxJKacJyjY/2eYhhreQXeI3Tktp3BsVChoZinH8xuFFDqcfuStJO".to_owned(), true),
        ("AQAAAAIAAAPoAAAAEMNFJam8HWMN0nhaWlhlfdXuF27eXwhitUzzXQbBPmgS2FbBOsypO9AfFDQilmy4tw==".to_owned(), true),
        (r#"["sha1", ["pepper", "@"], "b215c8c5968c1105f5b6fc70ff099f6b152e02ce"]"#.to_owned(), false),
    ];
    for (digest, _) in &hashes {
        users::insert(&mut tx, &user_with(digest, PasswordAlgorithm::Legacy)).await.unwrap();
        tx.sql("UPDATE users SET password_work = 0 WHERE password_digest = $1")
            .bind(digest.as_str())
            .execute()
            .await
            .unwrap();
    }
    tx.sql(NEW_FORMATS).execute().await.unwrap();
    let after = works(&mut tx).await;
    for one in &before {
        assert!(after.contains(one), "{one:?}");
    }
    for (digest, is_verified_now) in hashes {
        let expected = password_work::of(&digest, PasswordAlgorithm::Legacy);
        let (_, work) = after.iter().find(|(stored, _)| *stored == digest).unwrap();
        assert_eq!((*work, expected > 0), (if is_verified_now { password_work::MAX_WORK } else { 0 }, is_verified_now));
    }
});

/// Each hash with its work.
async fn works(tx: &mut claimsmith_storage::Tx) -> Vec<(String, i64)> {
    let sql = "SELECT password_digest AS digest, password_algorithm AS algorithm, password_work AS work FROM users";
    let all = tx.sql(sql).all::<Stored>().await.unwrap();
    all.into_iter().map(|one| (one.digest.unwrap_or_default(), one.work)).collect()
}
