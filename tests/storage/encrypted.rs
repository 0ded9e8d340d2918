//! Columns with encrypted secrets: read in pages, and replaced only if they are still what was read.

use crate::Store;
use crate::hooks::hook;
use crate::signing_keys::new_key;
use claimsmith_domain::documents::organization::InvitationStatus;
use claimsmith_storage::encrypted::{self, EncryptedColumn, EncryptedValue, ROWS_PER_PAGE, Waiting};
use claimsmith_storage::hooks::{self, PreviousKey};
use claimsmith_storage::organizations::invitations::Invitation;
use claimsmith_storage::verification::verification_codes::{self, VerificationCode};
use claimsmith_storage::{Json, organizations, signing_keys};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_organization;

const KEYS: EncryptedColumn =
    EncryptedColumn { table: "signing_keys", key: "kid", column: "sealed_private", is_document: false };
const REPLACED_KEYS: EncryptedColumn =
    EncryptedColumn { table: "hooks", key: "id", column: "previous_keys", is_document: true };

both!(values_are_read_page_by_page, async |store: Store| {
    let mut tx = store.begin().await;
    for number in 0..=ROWS_PER_PAGE {
        signing_keys::insert(&mut tx, &new_key(&format!("key {number:05}"), 10)).await.unwrap();
    }
    let page = encrypted::page(&mut tx, &KEYS, "").await.unwrap();
    assert_eq!((page.len(), page[0].id.as_str()), (ROWS_PER_PAGE, "key 00000"));
    let rest = encrypted::page(&mut tx, &KEYS, &page[ROWS_PER_PAGE - 1].id).await.unwrap();
    assert_eq!((rest.len(), rest[0].value.as_str()), (1, "sealed key 00500"));
    assert!(encrypted::page(&mut tx, &KEYS, &rest[0].id).await.unwrap().is_empty());
});

both!(a_value_is_replaced_only_if_nobody_has_changed_it, async |store: Store| {
    let mut tx = store.begin().await;
    signing_keys::insert(&mut tx, &new_key("one", 10)).await.unwrap();
    let read = encrypted::page(&mut tx, &KEYS, "").await.unwrap().remove(0);
    assert!(encrypted::swap(&mut tx, &KEYS, &read, "anew").await.unwrap());
    assert!(!encrypted::swap(&mut tx, &KEYS, &read, "later").await.unwrap(), "it is another one by now");
    let gone = EncryptedValue { id: "nobody".to_owned(), value: "anew".to_owned() };
    assert!(!encrypted::swap(&mut tx, &KEYS, &gone, "later").await.unwrap());
    assert_eq!(signing_keys::all(&mut tx).await.unwrap()[0].sealed_private, "anew");

    let mut hook = hook("h1", &[], true, 1);
    hook.previous_keys = Json(vec![PreviousKey { key: "old".to_owned(), until: 7 }]);
    hooks::insert(&mut tx, &hook).await.unwrap();
    let read = encrypted::page(&mut tx, &REPLACED_KEYS, "").await.unwrap().remove(0);
    let anew = read.value.replace("old", "new");
    assert!(encrypted::swap(&mut tx, &REPLACED_KEYS, &read, &anew).await.unwrap());
    assert!(!encrypted::swap(&mut tx, &REPLACED_KEYS, &read, "[]").await.unwrap());
    let keys = hooks::find(&mut tx, &hook.id).await.unwrap().unwrap().previous_keys.0;
    assert_eq!((keys.len(), keys[0].key.as_str(), keys[0].until), (1, "new", 7));
});

both!(what_waits_for_the_previous_key_is_counted, async |store: Store| {
    let mut tx = store.begin().await;
    let code = |requester: &str, digest: &str, expires_at| VerificationCode {
        requester: requester.to_owned(),
        id: requester.to_owned(),
        digest: digest.to_owned(),
        attempts: 0,
        expires_at,
    };
    for one in [code("a", "ABCDEsome", 50), code("b", "abcdesome", 70), code("c", "other", 60), code("d", "other", 9)] {
        verification_codes::put(&mut tx, &one).await.unwrap();
    }
    let waiting = encrypted::waiting_codes(&mut tx, "ABCDE", 10).await.unwrap();
    assert_eq!(waiting, Waiting { count: 2, until: Some(70) });
    let waiting = encrypted::waiting_codes(&mut tx, "ABCDE", 70).await.unwrap();
    assert_eq!(waiting, Waiting { count: 0, until: None });

    let zoo = new_organization();
    organizations::insert(&mut tx, &zoo).await.unwrap();
    let invitation = |id: &str, status: &str, sealed_token: Option<&str>, expires_at| Invitation {
        id: id.into(),
        organization_id: zoo.id.clone(),
        inviter_id: None,
        invitee: format!("{id}@example.com"),
        accepted_user_id: None,
        status: InvitationStatus::parse(status).unwrap(),
        created_at: 1,
        updated_at: 1,
        expires_at,
        sealed_token: sealed_token.map(str::to_owned),
    };
    for one in [
        invitation("new", "Pending", Some("sealed"), 90),
        invitation("old", "Pending", None, 80),
        invitation("over", "Pending", None, 10),
        invitation("revoked", "Revoked", None, 90),
    ] {
        organizations::invitations::insert(&mut tx, &one).await.unwrap();
    }
    let waiting = encrypted::waiting_invitations(&mut tx, 10).await.unwrap();
    assert_eq!(waiting, Waiting { count: 1, until: Some(80) });
});
