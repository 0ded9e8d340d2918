//! Administrators invited from the console: by a link that is shown once, an account that signs in or is created, and the
//! inviter's confirmation by its name.

use crate::COOKIE;
use claimsmith_domain::console::ConsoleRole::{Admin, Read, Support};
use claimsmith_domain::console::ConsoleRoles;
use claimsmith_domain::id::UserId;
use claimsmith_storage::roles;
use claimsmith_test_support::{Answer, Browser, CONSOLE_PASSWORD, TestServer, both};
use std::time::Duration;

const HOME: &str = "/console/administrators";
const INVITE: &str = "/console/administrators/invite";

/// The link that an administrator gets.
async fn invite(browser: &Browser) -> String {
    let page = browser.visit(INVITE).await.expect(200);
    let made = browser.fill_in(&page, INVITE, &[("role", Support.role_id()), ("note", "Grace")]).await.expect(200);
    assert!(made.html().contains("This is shown once"), "{}", made.body);
    let start = made.html().split_once("<code>").unwrap().1;
    start.split_once("</code>").unwrap().0.replace("&#61;", "=").replace("&#63;", "?").replace("&#x3d;", "=")
}

/// The path at which the inviter confirms.
fn confirm_path(list: &Answer) -> String {
    let start = list.html().split_once("href=\"/console/administrators/invitations/").unwrap().1;
    format!("/console/administrators/invitations/{}", start.split_once('"').unwrap().0)
}

async fn held(server: &TestServer, id: &UserId) -> ConsoleRoles {
    roles::console::of_user(&mut server.begin().await, id).await.unwrap()
}

async fn id_of(server: &TestServer, username: &str) -> Option<UserId> {
    let path = format!("/api/users?search.username={username}&mode=exact");
    let users = server.management().await.get(&path).await.expect(200).body;
    users[0]["id"].as_str().map(UserId::from)
}

fn expect_over(answer: Answer) {
    assert!(answer.expect(410).html().contains("This link is not valid any more"));
}

both!(a_new_account_is_invited_and_confirmed_by_name, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let ada = server.at_console("ada").await;
    let link = invite(&ada).await;
    let list = ada.visit(HOME).await.expect(200);
    let code = link.split_once("code=").unwrap().1;
    assert!(list.html().contains("Link not used") && !list.html().contains(code), "{}", list.body);

    let guest = Browser::new(&server);
    let page = guest.visit(&link).await.expect(200);
    assert!(page.html().contains("ada invites you to the console"), "{}", page.body);
    for (fields, wrong) in [
        (vec![("identifier", "grace")], "password"),
        (vec![("identifier", "ada"), ("password", CONSOLE_PASSWORD)], "identifier"),
        (vec![("identifier", "1"), ("password", CONSOLE_PASSWORD)], "identifier"),
    ] {
        let form: Vec<_> = [("code", code)].into_iter().chain(fields).collect();
        let refused = guest.submit("/console/setup", &form).await.expect(422);
        assert!(refused.html().contains(&format!("id=\"{wrong}-error\"")), "{}", refused.body);
    }
    let form = [("code", code), ("identifier", "grace"), ("name", "Grace Hopper"), ("password", CONSOLE_PASSWORD)];
    // From another site, nothing happens.
    guest.send(guest.form("/console/setup", &form).header("sec-fetch-site", "cross-site")).await.expect(403);
    let waits = guest.submit("/console/setup", &form).await.expect(200);
    assert!(
        waits.html().contains("Waiting for confirmation") && waits.html().contains("Grace Hopper"),
        "{}",
        waits.body
    );
    let grace = id_of(&server, "grace").await.unwrap();
    assert!(held(&server, &grace).await.is_empty());
    assert_eq!(guest.cookie(COOKIE), None, "no session of the console");
    guest.visit("/account").await.expect(200);
    // The link is over, for a second account too, which is not created.
    expect_over(Browser::new(&server).visit(&link).await);
    let second = [("code", code), ("identifier", "eve"), ("password", CONSOLE_PASSWORD)];
    expect_over(Browser::new(&server).submit("/console/setup", &second).await);
    assert_eq!(id_of(&server, "eve").await, None);

    let list = ada.visit(HOME).await.expect(200);
    let path = confirm_path(&list);
    let page = ada.visit(&path).await.expect(200);
    assert!(page.html().contains("Give Grace Hopper the role Support?"), "{}", page.body);
    for (user, name) in [(&*grace, "Grace Hopper"), (&*grace, ""), ("another", "grace")] {
        ada.fill_in(&page, &path, &[("user", user), ("name", name)]).await.expect(422);
        assert!(held(&server, &grace).await.is_empty());
    }
    ada.fill_in(&page, &path, &[("user", &grace), ("name", "grace")]).await.expect(303);
    assert_eq!(held(&server, &grace).await, ConsoleRoles::of(&[Support]));
    assert!(server.at_console("grace").await.visit("/console").await.expect(200).html().contains("Help people"));
});

both!(somebody_with_an_account_signs_in_and_claims, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let bob = server.operator("bob", &[]).await;
    server.operator("reader", &[Read]).await;
    let ada = server.at_console("ada").await;
    let link = invite(&ada).await;
    let code = link.split_once("code=").unwrap().1;
    let path = format!("/console/setup?code={code}");

    // An account with a role does not use it up.
    let reader = server.at_console("reader").await;
    let page = reader.visit(&link).await.expect(200);
    let refused = reader.submit("/console/setup", &[("code", code), ("account", &page.hidden("account"))]).await;
    assert!(refused.expect(409).html().contains("has access already"));

    // Signing in leads back to the page, which offers the account.
    let guest = Browser::new(&server);
    let begin = format!("/console/sign-in?return={}", path.replace('/', "%2F").replace('?', "%3F").replace('=', "%3D"));
    assert!(guest.visit(&link).await.expect(200).html().contains("Sign in with an account that you have"));
    let back = guest.sign_in_at(&begin, "bob", CONSOLE_PASSWORD).await.expect(200);
    assert!(back.html().contains("Continue as bob"), "{}", back.body);
    assert_eq!(back.hidden("account"), *bob);
    // Only accounts of this browser.
    let foreign = [("code", code), ("account", &*bob)];
    Browser::new(&server).submit("/console/setup", &foreign).await.expect(401);
    let waits = guest.submit("/console/setup", &foreign).await.expect(200);
    assert!(waits.html().contains("Waiting for confirmation"));
    expect_over(guest.submit("/console/setup", &foreign).await);
    guest.visit("/console").await.expect(303);
    assert!(held(&server, &bob).await.is_empty());

    // Refused, by another administrator as well.
    server.operator("root", &[Admin]).await;
    let root = server.at_console("root").await;
    let list = root.visit(HOME).await.expect(200);
    assert!(!list.html().contains(">Confirm<"), "only the inviter confirms: {}", list.body);
    let path = confirm_path(&ada.visit(HOME).await.expect(200));
    let page = root.visit(&path).await.expect(200);
    root.fill_in(&page, &path, &[("user", &bob), ("name", "bob")]).await.expect(403);
    root.fill_in(&page, &format!("{path}/revoke"), &[]).await.expect(303);
    ada.visit(&path).await.expect(404);
    assert!(held(&server, &bob).await.is_empty());
});

both!(of_two_at_once_one_claims_and_a_lost_role_closes_the_link, async |server: TestServer| {
    let ada = server.operator("ada", &[Admin]).await;
    server.operator("root", &[Admin]).await;
    let browser = server.at_console("ada").await;
    let link = invite(&browser).await;
    let code = link.split_once("code=").unwrap().1;
    let post = async |name: &str| {
        let form = [("code", code), ("identifier", name), ("password", CONSOLE_PASSWORD)];
        Browser::new(&server).submit("/console/setup", &form).await.status
    };
    let all = tokio::join!(post("one"), post("two"), post("three"));
    let mut all = [all.0, all.1, all.2];
    all.sort_unstable();
    assert_eq!(all, [200, 410, 410]);
    let made = ["one", "two", "three"].map(|name| id_of(&server, name));
    let made = futures_util::future::join_all(made).await;
    assert_eq!(made.iter().flatten().count(), 1, "an account that was too late is not created");

    let open = invite(&browser).await;
    server.hold(&ada, &[Support]).await;
    expect_over(Browser::new(&server).visit(&open).await);
    server.hold(&ada, &[Admin]).await;
    Browser::new(&server).visit(&open).await.expect(200);
    server.clock.advance(Duration::from_hours(24));
    expect_over(Browser::new(&server).visit(&open).await);
});

both!(roles_without_the_right_neither_see_nor_invite, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let link = invite(&server.at_console("ada").await).await;
    assert!(link.contains("/console/setup?code="), "{link}");
    server.operator("sue", &[Support]).await;
    let sue = server.at_console("sue").await;
    let list = sue.visit(HOME).await.expect(200);
    assert!(!list.html().contains("Link not used") && !list.html().contains(INVITE), "{}", list.body);
    sue.visit(INVITE).await.expect(403);
    sue.visit("/console/administrators/invitations/x").await.expect(403);
    for path in [INVITE, "/console/administrators/invitations/x", "/console/administrators/invitations/x/revoke"] {
        sue.fill_in(&list, path, &[("role", Read.role_id())]).await.expect(403);
    }
});
