//! Data of a user: linked identities, personal access tokens, settings, second factors.

use crate::{Store, assert_same};
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::user_settings::UserSettings;
use claimsmith_storage::issuing::{self, Dependencies};
use claimsmith_storage::users;
use claimsmith_storage::users::mfa::MfaFactor;
use claimsmith_storage::users::passkeys::Passkey;
use claimsmith_storage::users::personal_access_tokens::PersonalAccessToken;
use claimsmith_storage::{Error, Json};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_user;
use serde_json::json;

both!(an_identity_is_linked_to_one_user, async |store: Store| {
    let (ada, grace) = (new_user(), new_user());
    let mut tx = store.begin().await;
    users::insert(&mut tx, &ada).await.unwrap();
    users::insert(&mut tx, &grace).await.unwrap();
    assert!(users::identities::link(&mut tx, &ada.id, "github", "1").await.unwrap());
    assert!(users::identities::link(&mut tx, &ada.id, "github", "1").await.unwrap());
    assert!(!users::identities::link(&mut tx, &grace.id, "github", "1").await.unwrap());
    assert!(users::identities::link(&mut tx, &grace.id, "google", "1").await.unwrap());
    assert!(users::identities::link(&mut tx, &ada.id, "github", "2").await.unwrap());
    assert!(users::identities::link(&mut tx, &grace.id, "github", "1").await.unwrap());
    users::identities::unlink(&mut tx, &grace.id, "github").await.unwrap();
    assert!(users::identities::link(&mut tx, &ada.id, "github", "1").await.unwrap());
    users::delete(&mut tx, &ada.id).await.unwrap();
    assert!(users::identities::link(&mut tx, &grace.id, "github", "1").await.unwrap());
});

both!(a_digest_is_renewed_if_it_is_still_that_one, async |store: Store| {
    let user = users::User { password_digest: Some("old".to_owned()), ..new_user() };
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    for (old, expected) in [("other", "old"), ("old", "new"), ("old", "new")] {
        users::renew_digest(&mut tx, &user.id, old, "new").await.unwrap();
        let found = users::find_to_change(&mut tx, &user.id).await.unwrap().unwrap();
        assert_eq!(found.password_digest.as_deref(), Some(expected));
    }
    assert!(users::find_to_change(&mut tx, &"unknown".into()).await.unwrap().is_none());
});

both!(a_user_is_written_anew, async |store: Store| {
    let user = new_user();
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    let changed = users::User { name: Some("Ada".to_owned()), updated_at: 5, ..user.clone() };
    assert!(users::update(&mut tx, &changed).await.unwrap());
    let expected = users::User { revision: user.revision + 1, ..changed };
    assert_same(&users::find(&mut tx, &user.id).await.unwrap().unwrap(), &expected);
    assert!(!users::update(&mut tx, &new_user()).await.unwrap());
});

both!(a_personal_access_token_has_one_name_per_user, async |store: Store| {
    let user = new_user();
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    let token = |name: &str| PersonalAccessToken {
        user_id: user.id.clone(),
        name: name.to_owned(),
        hash: format!("hash of {name}"),
        created_at: 1,
        expires_at: Some(2),
    };
    users::personal_access_tokens::insert(&mut tx, &token("b")).await.unwrap();
    users::personal_access_tokens::insert(&mut tx, &token("a")).await.unwrap();
    let listed = users::personal_access_tokens::list(&mut tx, &user.id).await.unwrap();
    assert_same(&listed, &vec![token("a"), token("b")]);
    let renamed = users::personal_access_tokens::rename(&mut tx, &user.id, "a", "c").await.unwrap().unwrap();
    assert_same(&renamed, &PersonalAccessToken { hash: "hash of a".to_owned(), ..token("c") });
    assert!(users::personal_access_tokens::rename(&mut tx, &user.id, "a", "d").await.unwrap().is_none());
    assert!(users::personal_access_tokens::delete(&mut tx, &user.id, "c").await.unwrap());
    assert!(!users::personal_access_tokens::delete(&mut tx, &user.id, "c").await.unwrap());
    tx.commit().await.unwrap();
    let again = users::personal_access_tokens::insert(&mut store.begin().await, &token("b")).await;
    assert!(matches!(again, Err(Error::Conflict)));
});

both!(a_personal_access_token_is_live_until_it_expires_or_its_user_is_suspended, async |store: Store| {
    let user = new_user();
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    for (name, expires_at) in [("short", Some(10)), ("long", None)] {
        let token = PersonalAccessToken {
            user_id: user.id.clone(),
            name: name.to_owned(),
            hash: name.to_owned(),
            created_at: 1,
            expires_at,
        };
        users::personal_access_tokens::insert(&mut tx, &token).await.unwrap();
    }
    let live = users::personal_access_tokens::find_live(&mut tx, "short", 9).await.unwrap().unwrap();
    assert_eq!((live.name.as_str(), &live.user_id, live.user_revision), ("short", &user.id, 1));
    assert!(users::personal_access_tokens::find_live(&mut tx, "short", 10).await.unwrap().is_none());
    assert!(users::personal_access_tokens::find_live(&mut tx, "other", 9).await.unwrap().is_none());
    let wanted = Dependencies { personal_access_tokens: ["short", "long", "other"].into(), ..Dependencies::default() };
    for (now, live) in [(9, &["long", "short"][..]), (10, &["long"])] {
        let held = issuing::lock_dependencies(&mut tx, &wanted, now).await.unwrap();
        assert_eq!(held.personal_access_tokens, live.iter().map(ToString::to_string).collect());
    }
    users::set_suspended(&mut tx, &user.id, true, 2).await.unwrap();
    assert!(users::personal_access_tokens::find_live(&mut tx, "long", 9).await.unwrap().is_none());
});

both!(what_a_user_chose_is_kept_with_them, async |store: Store| {
    let user = new_user();
    let mut tx = store.begin().await;
    assert_eq!(users::settings::find(&mut tx, &user.id).await.unwrap(), None);
    users::insert(&mut tx, &user).await.unwrap();
    let mut settings = users::settings::find(&mut tx, &user.id).await.unwrap().unwrap();
    assert_eq!(settings, UserSettings::default());
    settings.mfa.enabled = Some(true);
    settings.passkey_sign_in.skipped = true;
    users::settings::put(&mut tx, &user.id, &settings, 7).await.unwrap();
    assert_eq!(users::settings::find(&mut tx, &user.id).await.unwrap(), Some(settings));
    let found = users::find(&mut tx, &user.id).await.unwrap().unwrap();
    assert_eq!((found.updated_at, found.revision), (7, 2));
});

both!(a_user_has_one_factor_of_each_type, async |store: Store| {
    let user = new_user();
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    let factor = |id: &str, kind: &str, created_at| MfaFactor {
        id: id.into(),
        user_id: user.id.clone(),
        kind: FactorType::parse(kind).unwrap(),
        sealed: "sealed".to_owned(),
        used_step: None,
        created_at,
        name: None,
    };
    users::mfa::insert(&mut tx, &factor("f1", "Totp", 2)).await.unwrap();
    users::mfa::insert(&mut tx, &factor("f2", "BackupCode", 1)).await.unwrap();
    let listed = users::mfa::list(&mut tx, &user.id).await.unwrap();
    assert_same(&listed, &vec![factor("f2", "BackupCode", 1), factor("f1", "Totp", 2)]);
    users::mfa::replace_secret(&mut tx, &"f2".into(), "anew").await.unwrap();
    assert_eq!(users::mfa::list(&mut tx, &user.id).await.unwrap()[0].sealed, "anew");
    assert!(users::mfa::rename(&mut tx, &user.id, &"f1".into(), "Phone").await.unwrap());
    assert!(!users::mfa::rename(&mut tx, &"other".into(), &"f1".into(), "Mine").await.unwrap());
    assert_eq!(users::mfa::list(&mut tx, &user.id).await.unwrap()[1].name.as_deref(), Some("Phone"));
    assert!(users::mfa::delete(&mut tx, &user.id, &"f2".into()).await.unwrap());
    assert!(!users::mfa::delete(&mut tx, &"other".into(), &"f1".into()).await.unwrap());
    tx.commit().await.unwrap();
    let again = users::mfa::insert(&mut store.begin().await, &factor("f3", "Totp", 3)).await;
    assert!(matches!(again, Err(Error::Conflict)));
});

both!(a_time_step_of_a_factor_is_used_once, async |store: Store| {
    let user = new_user();
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    let factor = MfaFactor {
        id: "f1".into(),
        user_id: user.id.clone(),
        kind: FactorType::Totp,
        sealed: "sealed".to_owned(),
        used_step: Some(7),
        created_at: 1,
        name: None,
    };
    users::mfa::insert(&mut tx, &factor).await.unwrap();
    for (step, works) in [(7, false), (6, false), (8, true), (8, false), (7, false), (10, true), (9, false)] {
        assert_eq!(users::mfa::use_step(&mut tx, &factor.id, step).await.unwrap(), works, "{step}");
    }
    assert_eq!(users::mfa::list(&mut tx, &user.id).await.unwrap()[0].used_step, Some(10));
    assert!(!users::mfa::use_step(&mut tx, &"unknown".into(), 11).await.unwrap());
    tx.commit().await.unwrap();

    let mut attempts = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let db = store.db.clone();
        attempts.spawn(async move {
            let mut tx = db.begin().await.unwrap();
            let works = users::mfa::use_step(&mut tx, &"f1".into(), 11).await.unwrap();
            tx.commit().await.unwrap();
            works
        });
    }
    let used = attempts.join_all().await;
    assert_eq!(used.into_iter().filter(|works| *works).count(), 1, "of those at once one succeeds");
});

both!(passkeys_are_of_one_user, async |store: Store| {
    let (ada, grace) = (new_user(), new_user());
    let mut tx = store.begin().await;
    for user in [&ada, &grace] {
        users::insert(&mut tx, user).await.unwrap();
    }
    let passkey = |id: &str, credential_id: &str, user: &users::User, created_at| Passkey {
        id: id.into(),
        user_id: user.id.clone(),
        credential_id: credential_id.to_owned(),
        credential: Json(json!({ "cred": { "counter": 1 } })),
        is_synced: true,
        name: None,
        agent: Some("A browser".to_owned()),
        created_at,
        last_used_at: None,
    };
    let (later, first) = (passkey("p1", "c1", &ada, 2), passkey("p2", "c2", &ada, 1));
    for made in [&later, &first] {
        users::passkeys::insert(&mut tx, made).await.unwrap();
    }
    let listed = users::passkeys::of_user(&mut tx, &ada.id).await.unwrap();
    assert_eq!(crate::ids(&listed, |one| &one.id), ["p2", "p1"]);
    assert_same(&listed[1], &later);
    assert_eq!(users::passkeys::find_by_credential(&mut tx, "c2").await.unwrap().unwrap().id, first.id);
    assert!(users::passkeys::find_by_credential(&mut tx, "c3").await.unwrap().is_none());
    let counted = Json(json!({ "cred": { "counter": 2 } }));
    assert!(users::passkeys::used(&mut tx, &first.id, &counted, 7).await.unwrap());
    assert!(!users::passkeys::used(&mut tx, &"p3".into(), &counted, 7).await.unwrap());
    assert!(users::passkeys::rename(&mut tx, &ada.id, &first.id, "Phone").await.unwrap());
    assert!(!users::passkeys::rename(&mut tx, &grace.id, &first.id, "Phone").await.unwrap());
    let found = users::passkeys::find_by_credential(&mut tx, "c2").await.unwrap().unwrap();
    assert_eq!((found.credential.0, found.last_used_at, found.name.as_deref()), (counted.0, Some(7), Some("Phone")));
    assert!(!users::passkeys::delete(&mut tx, &grace.id, &first.id).await.unwrap());
    assert!(users::passkeys::delete(&mut tx, &ada.id, &first.id).await.unwrap());
    tx.commit().await.unwrap();
    let taken = users::passkeys::insert(&mut store.begin().await, &passkey("p4", "c1", &grace, 3)).await;
    assert!(matches!(taken, Err(Error::Conflict)), "{taken:?}");
});
