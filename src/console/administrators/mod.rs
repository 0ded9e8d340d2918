//! `/console/administrators`: lists users with console roles, invites people, grants a role and revokes one.

mod invitations;

use crate::Console;
use crate::answer::{done, show, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::{List, Paging};
use crate::logs::filter::known_person;
use crate::names::ListedUser;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::Router;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use claimsmith_api::users::UserFields;
use futures_util::future::try_join_all;
use invitations::ListedInvitation;
use serde_json::json;

/// The built-in console roles: id, title and what each may do.
const ROLES: [(&str, &str, &str); 4] = [
    ("claimsmith-console-role-read", "Reader", "See everything but configuration."),
    ("claimsmith-console-role-support", "Support", "Help users: unlock, suspend, end sessions, impersonate."),
    ("claimsmith-console-role-developer", "Developer", "Change applications, API resources, webhooks and plugins."),
    ("claimsmith-console-role-admin", "Administrator", "Do everything."),
];

/// Rows of the permission table: a label, and whether each role of [`ROLES`] has the permission, in the same order. An
/// asterisk marks what needs a sign-in within the last ten minutes.
const RIGHTS: [(&str, [bool; 4]); 11] = [
    ("See everything but configuration, with the audit log", [true, true, true, true]),
    ("Unlock and suspend users, end their sessions, verify, send again", [false, true, false, true]),
    ("Create and change users; delete*, passwords and factors*, export*", [false, false, false, true]),
    ("Impersonate*, end impersonations*", [false, true, false, true]),
    ("Applications, API resources, webhooks; redirect URIs*, secrets*", [false, false, true, true]),
    ("Plugins: write, try out, logs; activate*", [false, false, true, true]),
    ("Secrets of plugins*, what they may reach*", [false, false, false, true]),
    ("Roles and organizations; giving roles*, inviting people*", [false, false, false, true]),
    ("Sign-in experience*, connectors*, factors*", [false, false, false, true]),
    ("See configuration", [false, false, false, true]),
    ("Signing keys*, administrators*", [false, false, false, true]),
];

/// Maximum number of holders listed per role; a server has few administrators.
const MAX_ADMINISTRATORS_SHOWN: u64 = 100;

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new()
        .route("/console/administrators", get(show_list))
        .route("/console/administrators/new", get(ask_grant).post(grant))
        .route("/console/administrators/invite", get(invitations::ask_invite).post(invitations::invite))
        .route("/console/administrators/invitations/{id}", get(invitations::ask_confirm).post(invitations::confirm))
        .route("/console/administrators/invitations/{id}/revoke", post(invitations::revoke))
        .route("/console/administrators/{role}/{user}/remove", get(ask_removal).post(remove))
}

/// A user with a console role.
struct Holder {
    person: UserFields,
    role_id: &'static str,
    role: &'static str,
}

impl Holder {
    fn remove_path(&self) -> String {
        format!("/console/administrators/{}/{}/remove", self.role_id, segment(&self.person.id))
    }
}

#[derive(Template)]
#[template(path = "administrators/list.html")]
struct ListPage {
    frame: Frame,
    holders: Vec<Holder>,
    invitations: Vec<ListedInvitation>,
}

async fn show_list(caller: Caller) -> Result<Response, Failure> {
    let lists = ROLES.iter().rev().map(|(id, title, _)| holders(&caller, id, title));
    let holders = try_join_all(lists).await?.into_iter().flatten().collect();
    let invitations = invitations::list(&caller).await?;
    show(&caller, &ListPage { frame: Frame::new(&caller, Section::Administrators), holders, invitations })
}

async fn holders(caller: &Caller, role_id: &'static str, role: &'static str) -> Result<Vec<Holder>, Failure> {
    let list = caller.list(&format!("/api/roles/{role_id}/users"), Paging::first(MAX_ADMINISTRATORS_SHOWN)).await;
    let list: List<UserFields> = match list {
        Ok(list) => list,
        // A database created before the console existed does not have the role yet.
        Err(failure) if failure.is_missing() => return Ok(Vec::new()),
        Err(failure) => return Err(failure),
    };
    Ok(list.items.into_iter().map(|person| Holder { person, role_id, role }).collect())
}

#[derive(Template)]
#[template(path = "administrators/grant.html")]
struct GrantPage {
    frame: Frame,
    user: String,
    role: String,
    problem: String,
}

impl GrantPage {
    fn roles() -> Vec<(&'static str, &'static str)> {
        ROLES.iter().map(|(id, title, _)| (*id, *title)).collect()
    }
}

async fn ask_grant(caller: Caller) -> Result<Response, Failure> {
    let user = caller.query("user").unwrap_or_default().to_owned();
    let frame = Frame::new(&caller, Section::Administrators);
    show(&caller, &GrantPage { frame, user, role: String::new(), problem: String::new() })
}

async fn grant(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let (user, role) = (form.text("user").to_owned(), form.text("role").to_owned());
    let problem = match (known_person(&caller, &user).await, ROLES.iter().find(|(id, ..)| *id == role)) {
        (None, _) => form.refuse("user", "There is no user with this ID, user name, address or number."),
        (_, None) => form.refuse("role", "Choose a role."),
        (Some(person), Some((id, ..))) => {
            let body = json!({ "userIds": [person.id] });
            match caller.change(Method::POST, &format!("/api/roles/{id}/users"), body).await {
                Ok(()) => return Ok(done("/console/administrators", "added")),
                Err(failure) => failure.about_input()?.text(),
            }
        }
    };
    let page = GrantPage { frame: Frame::new(&caller, Section::Administrators), user, role, problem };
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page)
}

#[derive(Template)]
#[template(path = "administrators/remove.html")]
struct RemovePage {
    frame: Frame,
    person: UserFields,
    role: &'static str,
    problem: String,
}

impl RemovePage {
    fn is_self(&self) -> bool {
        *self.person.id == *self.frame.caller.operator().user_id
    }
}

async fn removal(caller: &Caller, role: &str, user: &str, problem: String) -> Result<RemovePage, Failure> {
    let Some((_, role, _)) = ROLES.iter().find(|(id, ..)| *id == role) else { return Err(Failure::missing(caller)) };
    let person = caller.get(&format!("/api/users/{}", segment(user))).await?;
    Ok(RemovePage { frame: Frame::new(caller, Section::Administrators), person, role, problem })
}

async fn ask_removal(caller: Caller, Path((role, user)): Path<(String, String)>) -> Result<Response, Failure> {
    show(&caller, &removal(&caller, &role, &user, String::new()).await?)
}

async fn remove(
    Path((role, user)): Path<(String, String)>,
    Posted { caller, .. }: Posted,
) -> Result<Response, Failure> {
    let page = removal(&caller, &role, &user, String::new()).await?;
    match caller.delete(&format!("/api/roles/{}/users/{}", segment(&role), segment(&page.person.id))).await {
        Ok(()) => Ok(done("/console/administrators", "removed")),
        // For example when this removes the last administrator.
        Err(failure) => {
            let problem = failure.about_input()?.text();
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &RemovePage { problem, ..page })
        }
    }
}
