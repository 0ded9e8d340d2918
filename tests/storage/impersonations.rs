//! Impersonations, from the records of tokens.

use crate::issuances::{insert, new_issuance};
use crate::{Store, ids};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_storage::issuing;
use claimsmith_storage::issuing::impersonations::Filter;
use claimsmith_storage::issuing::issuances::Issuance;
use claimsmith_storage::{Json, Slice, Tx, applications, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_application, new_user};
use serde_json::json;

/// The ids of those who are asked for, counted as well.
async fn found(tx: &mut Tx, wanted: &Filter) -> String {
    let listed = issuing::impersonations::list(tx, wanted, Slice::ALL).await.unwrap();
    let count = issuing::impersonations::count(tx, wanted, i64::MAX).await.unwrap();
    assert_eq!(usize::try_from(count), Ok(listed.len()), "{wanted:?}");
    for one in &listed {
        assert!(wanted.is_active.is_none_or(|active| active == one.is_active(wanted.now)), "{one:?}");
    }
    ids(&listed, |one| &one.jti).join(" ")
}

both!(impersonations_are_found_by_who_acted_when_and_for_whom, async |store: Store| {
    let mut tx = store.begin().await;
    let (user, suspended, application) = (new_user(), new_user(), new_application(ApplicationType::Spa));
    for user in [&user, &suspended] {
        users::insert(&mut tx, user).await.unwrap();
    }
    users::set_suspended(&mut tx, &suspended.id, true, 0).await.unwrap();
    applications::insert(&mut tx, &application).await.unwrap();
    let base = |jti: &str, created_at: i64, user_id: &str| Issuance {
        user_id: Some(user_id.into()),
        application_id: application.id.clone(),
        exchanged: true,
        subject_token_id: Some(format!("subject of {jti}").into()),
        created_at,
        ..new_issuance(jti, 100)
    };
    let first = Issuance {
        actor_id: Some("actor".into()),
        organization_id: Some("organization".into()),
        resource: Some("urn:one".to_owned()),
        scope: "read".to_owned(),
        subject_token_id: Some("subject".into()),
        context: Some(json!({ "reason": "a stuck order" }).into()),
        ..base("a", 1, &user.id)
    };
    let records = [
        first.clone(),
        Issuance { revoked_at: Some(3), context: Some(json!({ "ticketId": "T-1" }).into()), ..base("b", 2, &user.id) },
        Issuance { expires_at: 10, ..base("c", 3, &user.id) },
        base("d", 4, &suspended.id),
        Issuance { application_id: "deleted".into(), ..base("e", 5, &user.id) },
        base("f", 6, "deleted"),
        // Not an impersonation.
        Issuance { exchanged: false, ..base("g", 7, &user.id) },
        // Somebody's own personal access token.
        Issuance { subject_token_id: None, ..base("h", 8, &user.id) },
    ];
    insert(&mut tx, &records.iter().collect::<Vec<_>>()).await.unwrap();

    let all = Filter { now: 10, ..Filter::default() };
    assert_eq!(found(&mut tx, &all).await, "f e d c b a");
    assert_eq!(found(&mut tx, &Filter { is_active: Some(true), ..all.clone() }).await, "a");
    assert_eq!(found(&mut tx, &Filter { is_active: Some(true), now: 9, ..all.clone() }).await, "c a");
    assert_eq!(found(&mut tx, &Filter { is_active: Some(false), ..all.clone() }).await, "f e d c b");
    assert_eq!(found(&mut tx, &Filter { user_id: Some(suspended.id.clone()), ..all.clone() }).await, "d");
    assert_eq!(found(&mut tx, &Filter { actor_id: Some("actor".into()), ..all.clone() }).await, "a");
    assert_eq!(found(&mut tx, &Filter { application_id: Some("deleted".into()), ..all.clone() }).await, "e");
    assert_eq!(found(&mut tx, &Filter { from: Some(2), to: Some(3), ..all.clone() }).await, "c b");
    assert_eq!(found(&mut tx, &Filter { part: Some("STUCK".to_owned()), ..all.clone() }).await, "a");
    assert_eq!(found(&mut tx, &Filter { part: Some("%".to_owned()), ..all.clone() }).await, "");
    assert_eq!(found(&mut tx, &Filter { ticket_id: Some("T-1".to_owned()), ..all.clone() }).await, "b");
    assert_eq!(issuing::impersonations::count(&mut tx, &all, 3).await.unwrap(), 3);
    let listed = issuing::impersonations::list(&mut tx, &all, Slice { limit: 2, offset: 1 }).await.unwrap();
    assert_eq!(ids(&listed, |one| &one.jti), ["e", "d"]);

    let shown = issuing::impersonations::find(&mut tx, "a").await.unwrap().unwrap();
    assert_eq!((shown.user_id, shown.actor_id, shown.application_id), (user.id, first.actor_id, application.id));
    assert_eq!(
        (shown.organization_id, shown.resource, shown.scope),
        (first.organization_id, first.resource, first.scope)
    );
    let context = first.context.map(|context| Json(context.value.as_ref().clone()));
    assert_eq!((shown.subject_token_id, shown.context), (first.subject_token_id, context));
    assert_eq!((shown.created_at, shown.expires_at, shown.revoked_at), (1, 100, None));
    for unknown in ["g", "unknown"] {
        assert!(issuing::impersonations::find(&mut tx, unknown).await.unwrap().is_none());
    }
});

both!(a_ticket_is_compared_whole, async |store: Store| {
    let mut tx = store.begin().await;
    let user = new_user();
    users::insert(&mut tx, &user).await.unwrap();
    let long = "T".repeat(3000);
    let tickets = [json!(long), json!(format!("{long}2")), json!("T-1"), json!(7), json!(null)];
    for (number, ticket) in tickets.into_iter().enumerate() {
        let issuance = Issuance {
            user_id: Some(user.id.clone()),
            exchanged: true,
            subject_token_id: Some(format!("subject{number}").into()),
            context: Some(json!({ "ticketId": ticket }).into()),
            ..new_issuance(&number.to_string(), 100)
        };
        insert(&mut tx, &[&issuance]).await.unwrap();
    }
    for (ticket, expected) in [(long.as_str(), "0"), ("T-1", "2"), ("T", ""), ("", "")] {
        let wanted = Filter { ticket_id: Some(ticket.to_owned()), ..Filter::default() };
        assert_eq!(found(&mut tx, &wanted).await, expected);
    }
});
