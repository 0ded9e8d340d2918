//! Pictures that people uploaded.

use crate::Store;
use claimsmith_domain::id::{AvatarId, UserId};
use claimsmith_storage::users::avatars::Avatar;
use claimsmith_storage::{Error, Tx, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_user;

async fn user(tx: &mut Tx) -> UserId {
    let user = new_user();
    users::insert(tx, &user).await.unwrap();
    user.id
}

fn pending(id: &str, user_id: Option<&UserId>, interaction_id: Option<&str>) -> Avatar {
    Avatar {
        id: id.into(),
        user_id: user_id.cloned(),
        interaction_id: interaction_id.map(Into::into),
        media_type: "image/png".to_owned(),
        content: vec![0, 255, 13, 10, 0],
        created_at: 1,
        expires_at: Some(100),
    }
}

/// Those of these ids that are there at this time.
async fn there<'i>(tx: &mut Tx, ids: &[&'i str], now: i64) -> Vec<&'i str> {
    let mut found = Vec::new();
    for id in ids {
        if users::avatars::find(tx, &AvatarId::from(*id), now).await.unwrap().is_some() {
            found.push(*id);
        }
    }
    found
}

both!(a_picture_is_pending_until_somebody_has_it, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, grace) = (user(&mut tx).await, user(&mut tx).await);
    let all = ["a", "b", "c", "d"];
    for one in [
        pending("a", Some(&ada), None),
        pending("b", Some(&ada), None),
        pending("c", None, Some("registration")),
        pending("d", Some(&grace), None),
    ] {
        users::avatars::insert(&mut tx, &one).await.unwrap();
        assert_eq!(users::avatars::find(&mut tx, &one.id, 99).await.unwrap(), Some(one));
    }
    assert_eq!(there(&mut tx, &all, 100).await, Vec::<&str>::new(), "all of them expired");
    assert!(users::avatars::give(&mut tx, &"a".into(), &ada).await.unwrap());
    assert!(users::avatars::give(&mut tx, &"c".into(), &ada).await.unwrap(), "whoever registered");
    assert!(!users::avatars::give(&mut tx, &"d".into(), &ada).await.unwrap(), "it is another's");
    assert!(!users::avatars::give(&mut tx, &"nothing".into(), &ada).await.unwrap());
    assert_eq!(there(&mut tx, &all, 100).await, ["a", "c"]);
    let given = users::avatars::find(&mut tx, &"c".into(), 100).await.unwrap().unwrap();
    assert_eq!((given.user_id, given.interaction_id, given.expires_at), (Some(ada.clone()), None, None));
    assert_eq!(users::avatars::delete_others(&mut tx, &ada, Some(&"c".into())).await.unwrap(), 1);
    assert_eq!(there(&mut tx, &all, 1).await, ["b", "c", "d"], "what is pending stays");
    assert_eq!(users::avatars::delete_pending_of_user(&mut tx, &ada).await.unwrap(), 1);
    assert_eq!(there(&mut tx, &all, 1).await, ["c", "d"]);
    assert_eq!(users::avatars::delete_others(&mut tx, &ada, None).await.unwrap(), 1);
    users::delete(&mut tx, &grace).await.unwrap();
    assert_eq!(there(&mut tx, &all, 1).await, Vec::<&str>::new());
    let of_nobody = pending("e", Some(&"nobody".into()), None);
    assert!(matches!(users::avatars::insert(&mut tx, &of_nobody).await, Err(Error::Missing)));
});

both!(pictures_that_nobody_chose_are_deleted, async |store: Store| {
    let mut tx = store.begin().await;
    for (id, interaction) in [("a", "one"), ("b", "one"), ("c", "other")] {
        users::avatars::insert(&mut tx, &pending(id, None, Some(interaction))).await.unwrap();
    }
    assert_eq!(users::avatars::delete_of_interaction(&mut tx, &"one".into()).await.unwrap(), 2);
    assert_eq!(users::avatars::delete_expired(&mut tx, 100, 10).await.unwrap(), 0);
    let ada = user(&mut tx).await;
    users::avatars::insert(&mut tx, &Avatar { expires_at: None, ..pending("d", Some(&ada), None) }).await.unwrap();
    assert_eq!(users::avatars::delete_expired(&mut tx, 101, 10).await.unwrap(), 1);
    assert_eq!(there(&mut tx, &["a", "b", "c", "d"], 1).await, ["d"]);
});
