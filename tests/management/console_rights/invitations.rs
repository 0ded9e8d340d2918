//! Invitations to administer: who may make them, and that only the inviter's confirmation of the very account that
//! claimed one gives the role.

use super::{command_line, console, person};
use claimsmith_domain::console::ConsoleRole::{self, Admin, Developer, Read, Support};
use claimsmith_domain::console::ConsoleRoles;
use claimsmith_domain::id::UserId;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_identity::accounts::administrator_invitations::{self, Claim};
use claimsmith_services::audit::Actor as Who;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::{audit, roles};
use claimsmith_test_support::{Actor, Answer, TestServer, both};
use serde_json::{Value, json};
use std::time::Duration;

const PATH: &str = "/api/administrator-invitations";

fn to(role: ConsoleRole) -> Value {
    json!({ "roleId": role.role_id(), "note": "Grace" })
}

/// The code of a new invitation.
fn code_of(made: &Answer) -> String {
    made.text("url").split_once("/console/setup?code=").unwrap().1.to_owned()
}

/// Claims an invitation, as its page does.
async fn claim(server: &TestServer, code: &str, user: &UserId) -> Claim {
    let who = Who::Owner { id: user.clone(), application_id: None };
    let now = server.clock.now_ms();
    let mut work = UnitOfWork::begin(&server.app.db, who, RequestOrigin::default(), now).await.unwrap();
    let claimed = administrator_invitations::claim(&mut work, code, user).await.unwrap();
    work.commit().await.unwrap();
    claimed
}

async fn held(server: &TestServer, user: &UserId) -> ConsoleRoles {
    roles::console::of_user(&mut server.begin().await, user).await.unwrap()
}

async fn confirm(actor: &Actor, id: &str, user: &str) -> Answer {
    actor.post(&format!("{PATH}/{id}/confirm"), json!({ "userId": user })).await
}

both!(only_administrators_invite_and_only_persons, async |server: TestServer| {
    for role in [Read, Support, Developer] {
        let id = person(&server, &[role]).await;
        let actor = console(&server, &id, &[role], 0).await;
        actor.get(PATH).await.expect_api_error(403, "auth.forbidden");
        actor.post(PATH, to(Read)).await.expect_api_error(403, "auth.forbidden");
        confirm(&actor, "x", "y").await.expect_api_error(403, "auth.forbidden");
        actor.delete(&format!("{PATH}/x")).await.expect_api_error(403, "auth.forbidden");
    }
    // A machine gives roles itself: nobody could confirm in its name.
    let machine = server.management().await;
    machine.post(PATH, to(Read)).await.expect_api_error(403, "auth.forbidden");
    assert_eq!(machine.get(PATH).await.expect(200).body, json!([]));

    let id = person(&server, &[Admin]).await;
    let stale = console(&server, &id, &[Admin], 11).await;
    stale.post(PATH, to(Read)).await.expect_api_error(403, "console.fresh_sign_in_required");
    stale.get(PATH).await.expect(200);
    let fresh = command_line(&server, &id, 0).await;
    fresh.post(PATH, json!({ "roleId": "Management API access" })).await.expect_api_error(400, "guard.invalid_input");
    fresh.post(PATH, json!({})).await.expect(400);
    fresh.post(PATH, json!({ "roleId": Read.role_id(), "note": "x".repeat(129) })).await.expect(400);
    let made = fresh.post(PATH, to(Support)).await.expect(201);
    assert_eq!((&made["roleId"], &made["inviterId"]), (&json!(Support.role_id()), &json!(id)));
    let listed = stale.get(PATH).await.expect(200).body;
    assert_eq!(listed[0]["id"], made["id"]);
    let code = code_of(&made);
    assert!(!listed.to_string().contains(&code) && listed[0].get("url").is_none(), "shown once: {listed}");
    let mut tx = server.begin().await;
    let logs = audit::list_by_key(&mut tx, "Management.AdministratorInvitation.Create", 5).await.unwrap();
    drop(tx);
    assert_eq!((&logs[0].payload["byUserId"], logs.len()), (&json!(id), 1));
    assert!(!logs[0].payload.to_string().contains(&code));

    // There is an end to them.
    for _ in 1..100 {
        fresh.post(PATH, to(Read)).await.expect(201);
    }
    fresh.post(PATH, to(Read)).await.expect_api_error(422, "request.invalid_input");
});

both!(the_inviter_confirms_the_account_that_claimed, async |server: TestServer| {
    let (ada, eve) = (person(&server, &[Admin]).await, person(&server, &[Admin]).await);
    let inviter = console(&server, &ada, &[Admin], 0).await;
    let other = console(&server, &eve, &[Admin], 0).await;
    let (guest, stranger) = (server.add_user().await, server.add_user().await);
    let made = inviter.post(PATH, to(Support)).await.expect(201);
    let (id, code) = (made.text("id"), code_of(&made));

    // Nobody claimed it yet.
    confirm(&inviter, &id, &guest).await.expect_api_error(422, "request.invalid_input");
    for guess in ["", "x", &code[1..], &code.replace(|letter: char| letter.is_ascii_digit(), "a"), &code.to_uppercase()]
    {
        if *guess != code {
            assert_eq!(claim(&server, guess, &stranger).await, Claim::Over, "{guess}");
        }
    }
    // Those who have a role do not use it up.
    assert_eq!(claim(&server, &code, &eve).await, Claim::HoldsRole);
    assert_eq!(claim(&server, &code, &ada).await, Claim::HoldsRole);
    assert_eq!(claim(&server, &code, &guest).await, Claim::Claimed);
    assert_eq!(claim(&server, &code, &stranger).await, Claim::Over, "once");
    assert!(held(&server, &guest).await.is_empty(), "the link alone gives nothing");
    let listed = inviter.get(PATH).await.expect(200).body;
    assert_eq!(listed[0]["user"]["id"], json!(guest));

    // Another account, another administrator, a machine: no.
    confirm(&inviter, &id, &stranger).await.expect_api_error(422, "request.invalid_input");
    confirm(&other, &id, &guest).await.expect_api_error(403, "auth.forbidden");
    confirm(&server.management().await, &id, &guest).await.expect_api_error(403, "auth.forbidden");
    confirm(&inviter, "nobody", &guest).await.expect(404);
    server.set_suspended(&guest, true).await;
    confirm(&inviter, &id, &guest).await.expect_api_error(422, "request.invalid_input");
    server.set_suspended(&guest, false).await;
    assert!(held(&server, &guest).await.is_empty());

    // Twice at once gives it once.
    let both = tokio::join!(confirm(&inviter, &id, &guest), confirm(&inviter, &id, &guest));
    let mut both = [both.0.status, both.1.status];
    both.sort_unstable();
    assert_eq!(both, [204, 404]);
    assert_eq!(held(&server, &guest).await, ConsoleRoles::of(&[Support]));
    assert_eq!(inviter.get(PATH).await.expect(200).body, json!([]));
    let mut tx = server.begin().await;
    for (key, details) in [
        ("Console.Invitation.Claim", json!({ "userId": guest, "inviterId": ada })),
        ("Management.AdministratorInvitation.Confirm", json!({ "userId": guest, "byUserId": ada })),
    ] {
        let logs = audit::list_by_key(&mut tx, key, 5).await.unwrap();
        assert_eq!(logs.len(), 1, "{key}");
        for (name, value) in details.as_object().unwrap() {
            assert_eq!(&logs[0].payload[name], value, "{key} {name}");
        }
    }
});

both!(an_invitation_ends_with_its_inviter_its_time_and_its_revocation, async |server: TestServer| {
    let (ada, root) = (person(&server, &[Admin]).await, person(&server, &[Admin]).await);
    let inviter = console(&server, &ada, &[Admin], 0).await;
    let guest = server.add_user().await;
    let made = inviter.post(PATH, to(Admin)).await.expect(201);
    let claimed = inviter.post(PATH, to(Admin)).await.expect(201);
    assert_eq!(claim(&server, &code_of(&claimed), &guest).await, Claim::Claimed);

    // Without the role: neither is the link open, nor does a confirmation go through whose rights were read before.
    server.hold(&ada, &[Support]).await;
    assert_eq!(claim(&server, &code_of(&made), &server.add_user().await).await, Claim::Over);
    confirm(&inviter, &claimed.text("id"), &guest).await.expect_api_error(403, "auth.forbidden");
    inviter.post(PATH, to(Admin)).await.expect_api_error(403, "auth.forbidden");
    assert!(held(&server, &guest).await.is_empty());
    server.hold(&ada, &[Admin]).await;

    // Revoked, by any administrator.
    let other = console(&server, &root, &[Admin], 0).await;
    other.delete(&format!("{PATH}/{}", claimed.text("id"))).await.expect(204);
    other.delete(&format!("{PATH}/{}", claimed.text("id"))).await.expect(404);
    confirm(&inviter, &claimed.text("id"), &guest).await.expect(404);
    let mut tx = server.begin().await;
    let logs = audit::list_by_key(&mut tx, "Management.AdministratorInvitation.Delete", 5).await.unwrap();
    drop(tx);
    assert_eq!(logs[0].payload["byUserId"], json!(root));

    // A day for the link, a week for the confirmation.
    let again = inviter.post(PATH, to(Read)).await.expect(201);
    assert_eq!(claim(&server, &code_of(&again), &guest).await, Claim::Claimed);
    server.clock.advance(Duration::from_hours(24));
    assert_eq!(claim(&server, &code_of(&made), &server.add_user().await).await, Claim::Over);
    server.clock.advance(Duration::from_hours(6 * 24));
    let inviter = console(&server, &ada, &[Admin], 0).await;
    confirm(&inviter, &again.text("id"), &guest).await.expect(404);
    assert_eq!(inviter.get(PATH).await.expect(200).body, json!([]));
    assert!(held(&server, &guest).await.is_empty());
});
