//! Invitations to administer.

use crate::Store;
use claimsmith_storage::console::invitations::AdministratorInvitation;
use claimsmith_storage::{self as storage, console, roles, users};
use claimsmith_test_support::{both, seed};

both!(an_invitation_is_claimed_once_and_ends, async |store: Store| {
    let mut tx = store.begin().await;
    let (inviter, guest, other) = (seed::new_user(), seed::new_user(), seed::new_user());
    for user in [&inviter, &guest, &other] {
        users::insert(&mut tx, user).await.unwrap();
    }
    let role = seed::new_role("User");
    roles::insert(&mut tx, &role).await.unwrap();
    let invitation = |id: &str, created_at| AdministratorInvitation {
        id: id.to_owned(),
        hash: Some(format!("hash of {id}")),
        role_id: role.id.clone(),
        inviter_id: inviter.id.clone(),
        note: "Grace".to_owned(),
        created_at,
        expires_at: created_at + 100,
        user_id: None,
        claimed_at: None,
    };
    let (one, two) = (invitation("1", 10), invitation("2", 20));
    for new in [&one, &two] {
        console::invitations::insert(&mut tx, new).await.unwrap();
    }
    assert_eq!(console::invitations::list(&mut tx, 109, 9).await.unwrap(), [two.clone(), one.clone()]);
    assert_eq!(console::invitations::list(&mut tx, 110, 9).await.unwrap(), std::slice::from_ref(&two));
    assert_eq!(console::invitations::list(&mut tx, 0, 1).await.unwrap().len(), 1);
    assert_eq!(console::invitations::count(&mut tx, 109).await.unwrap(), 2);
    assert_eq!(console::invitations::find(&mut tx, "1").await.unwrap(), Some(one.clone()));
    assert_eq!(console::invitations::find_open(&mut tx, "hash of 1", 109).await.unwrap(), Some(one));
    assert_eq!(console::invitations::find_open(&mut tx, "hash of 1", 110).await.unwrap(), None);

    for (hash, now, is_claimed) in
        [("hash of 1", 110, false), ("hash of 3", 50, false), ("hash of 1", 50, true), ("hash of 1", 50, false)]
    {
        let claimed = console::invitations::claim(&mut tx, hash, &guest.id, now, now + 500).await.unwrap();
        assert_eq!(claimed, is_claimed, "{hash} {now}");
    }
    let claimed = console::invitations::find(&mut tx, "1").await.unwrap().unwrap();
    assert_eq!((claimed.hash, claimed.user_id), (None, Some(guest.id.clone())));
    assert_eq!((claimed.claimed_at, claimed.expires_at), (Some(50), 550));
    assert_eq!(console::invitations::find_open(&mut tx, "hash of 1", 50).await.unwrap(), None);

    assert!(console::invitations::delete(&mut tx, "1").await.unwrap());
    assert!(!console::invitations::delete(&mut tx, "1").await.unwrap());
    for (before, deleted) in [(120, 0), (121, 1), (121, 0)] {
        assert_eq!(console::invitations::delete_expired(&mut tx, before, 5).await.unwrap(), deleted);
    }
    // They end with whom they are about.
    console::invitations::insert(&mut tx, &invitation("4", 10)).await.unwrap();
    console::invitations::claim(&mut tx, "hash of 4", &other.id, 20, 900).await.unwrap();
    users::delete(&mut tx, &other.id).await.unwrap();
    assert_eq!(console::invitations::find(&mut tx, "4").await.unwrap(), None);
    console::invitations::insert(&mut tx, &invitation("5", 10)).await.unwrap();
    users::delete(&mut tx, &inviter.id).await.unwrap();
    assert_eq!(console::invitations::find(&mut tx, "5").await.unwrap(), None);
    let orphan = console::invitations::insert(&mut tx, &invitation("6", 10)).await;
    assert!(matches!(orphan, Err(storage::Error::Missing)), "{orphan:?}");
});
