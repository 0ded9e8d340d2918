//! The users whom other settings of sign-in leave without a way in.

use crate::Store;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::IdentifierType::{Email, Phone, Username};
use claimsmith_domain::sign_in_experience::accepted_credentials::AcceptedCredentials;
use claimsmith_storage::users::locked_out::LockedOutUser;
use claimsmith_storage::users::passkeys::{self, Passkey};
use claimsmith_storage::users::{self, User, identities};
use claimsmith_storage::{Json, Tx};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_user;
use serde_json::json;

async fn insert(tx: &mut Tx, user: User) -> UserId {
    users::insert(tx, &user).await.unwrap();
    user.id
}

both!(only_those_count_who_lose_their_last_way_in, async |store: Store| {
    let mut tx = store.begin().await;
    let text = |text: &str| Some(text.to_owned());
    let with_password = || User { password_digest: text("digest"), password_algorithm: None, ..new_user() };
    let named = insert(&mut tx, User { username: text("ada"), created_at: 1, ..with_password() }).await;
    let addressed = insert(
        &mut tx,
        User { primary_email: text("b@example.com"), name: text("Bob"), created_at: 2, ..with_password() },
    )
    .await;
    let coded = insert(&mut tx, User { primary_phone: text("4915112345678"), created_at: 3, ..new_user() }).await;
    let social = insert(&mut tx, User { created_at: 4, ..new_user() }).await;
    assert!(identities::link(&mut tx, &social, "github", "1").await.unwrap());
    let keyed = insert(&mut tx, User { created_at: 5, ..new_user() }).await;
    let passkey = Passkey {
        id: "passkey".into(),
        user_id: keyed.clone(),
        credential_id: "credential".to_owned(),
        credential: Json(json!({})),
        is_synced: false,
        name: None,
        agent: None,
        created_at: 0,
        last_used_at: None,
    };
    passkeys::insert(&mut tx, &passkey).await.unwrap();
    let suspended = User { username: text("sue"), is_suspended: true, created_at: 6, ..with_password() };
    insert(&mut tx, suspended).await;
    insert(&mut tx, User { username: text("no_password"), created_at: 7, ..new_user() }).await;

    let all = AcceptedCredentials {
        passwords: vec![Username, Email, Phone],
        codes: vec![Phone],
        social_targets: vec!["github".to_owned(), "google".to_owned()],
        passkeys: true,
        companies: true,
    };
    for (after, expected) in [
        (all.clone(), vec![]),
        (AcceptedCredentials { passwords: vec![Username], ..all.clone() }, vec![&addressed]),
        (AcceptedCredentials { passwords: vec![], codes: vec![Email], ..all.clone() }, vec![&named, &coded]),
        (AcceptedCredentials { social_targets: vec!["google".to_owned()], ..all.clone() }, vec![&social]),
        (AcceptedCredentials { passkeys: false, companies: false, ..all.clone() }, vec![&keyed]),
        (AcceptedCredentials::default(), vec![&named, &addressed, &coded, &social, &keyed]),
    ] {
        let found = users::locked_out::list(&mut tx, (&all, &after), 10).await.unwrap();
        assert_eq!(found.iter().map(|user| &user.id).collect::<Vec<_>>(), expected, "{after:?}");
        let count = users::locked_out::count(&mut tx, &all, &after).await.unwrap();
        assert_eq!(usize::try_from(count).unwrap(), expected.len(), "{after:?}");
        // Whoever had no way in loses none.
        assert_eq!(users::locked_out::count(&mut tx, &AcceptedCredentials::default(), &after).await.unwrap(), 0);
    }
    let first = users::locked_out::list(&mut tx, (&all, &AcceptedCredentials::default()), 2).await.unwrap();
    let labelled = |id: &UserId, label: &str| LockedOutUser { id: id.clone(), label: text(label) };
    assert_eq!(first, [labelled(&named, "ada"), labelled(&addressed, "Bob")]);
});
