//! `/console/administrators/invite`: the link of an invitation, shown once; and `…/invitations/{id}`, where the inviter
//! confirms the account that claimed it by its name, or revokes the invitation.

use super::ROLES;
use crate::answer::{done, show, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::administrator_invitations::{
    AdministratorInvitationView, ClaimingUser, NewAdministratorInvitation,
};
use claimsmith_api::users::UserFields;
use serde_json::json;

/// The page to return to.
const HOME: &str = "/console/administrators";
/// The operations.
const OPERATION: &str = "/api/administrator-invitations";

/// An invitation in the list.
pub(super) struct ListedInvitation {
    pub(super) view: AdministratorInvitationView,
    /// The inviter's name.
    inviter: String,
    /// Whether the operator is the inviter.
    is_own: bool,
}

impl ListedInvitation {
    pub(super) fn role(&self) -> &'static str {
        role_title(&self.view.role_id)
    }

    pub(super) fn inviter(&self) -> &str {
        &self.inviter
    }

    /// The name of the account that claimed it.
    pub(super) fn account(&self) -> Option<String> {
        self.view.user.as_ref().map(called)
    }

    /// Whether it waits for the operator.
    pub(super) fn is_to_confirm(&self) -> bool {
        self.is_own && self.view.user.is_some()
    }

    pub(super) fn confirm_path(&self) -> String {
        format!("{HOME}/invitations/{}", segment(&self.view.id))
    }

    pub(super) fn revoke_path(&self) -> String {
        format!("{}/revoke", self.confirm_path())
    }
}

/// The invitations, if the operator may see them.
pub(super) async fn list(caller: &Caller) -> Result<Vec<ListedInvitation>, Failure> {
    let found: Vec<AdministratorInvitationView> = caller.get_if_allowed(OPERATION).await?.unwrap_or_default();
    let mut listed = Vec::new();
    for view in found {
        let is_own = *view.inviter_id == *caller.operator().user_id;
        let inviter =
            if is_own { Some(caller.operator().name.to_string()) } else { name_of(caller, &view.inviter_id).await };
        let inviter = inviter.unwrap_or_else(|| view.inviter_id.to_string());
        listed.push(ListedInvitation { view, inviter, is_own });
    }
    Ok(listed)
}

async fn name_of(caller: &Caller, id: &str) -> Option<String> {
    let user: UserFields = caller.peek(&format!("/api/users/{}", segment(id))).await?;
    [user.name, user.username, user.primary_email, user.primary_phone].into_iter().flatten().next()
}

fn role_title(id: &str) -> &'static str {
    ROLES.iter().find(|(known, ..)| *known == id).map_or("", |(_, title, _)| title)
}

/// What the account is called.
fn called(user: &ClaimingUser) -> String {
    user.name.clone().filter(|name| !name.trim().is_empty()).unwrap_or_else(|| name_to_type(user).to_owned())
}

/// The name by which the inviter confirms: no other account has it, unlike a display name.
fn name_to_type(user: &ClaimingUser) -> &str {
    let names = [&user.username, &user.primary_email, &user.primary_phone];
    names.into_iter().flatten().next().map_or(&user.id, String::as_str)
}

#[derive(Template)]
#[template(path = "administrators/invite.html")]
struct InvitePage {
    frame: Frame,
    role: String,
    note: String,
    email: String,
    problem: String,
}

impl InvitePage {
    fn roles() -> Vec<(&'static str, &'static str)> {
        ROLES.iter().map(|(id, title, _)| (*id, *title)).collect()
    }
}

pub(super) async fn ask_invite(caller: Caller) -> Result<Response, Failure> {
    let frame = Frame::new(&caller, Section::Administrators);
    let [role, note, email, problem] = [const { String::new() }; 4];
    show(&caller, &InvitePage { frame, role, note, email, problem })
}

#[derive(Template)]
#[template(path = "administrators/invited.html")]
struct InvitedPage {
    frame: Frame,
    invitation: AdministratorInvitationView,
    url: String,
}

impl InvitedPage {
    fn role(&self) -> &'static str {
        role_title(&self.invitation.role_id)
    }
}

pub(super) async fn invite(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let [role, note, email] = ["role", "note", "email"].map(|name| form.text(name).to_owned());
    let frame = Frame::new(&caller, Section::Administrators);
    let mut body = json!({ "roleId": role, "note": note });
    if let (Some(members), false) = (body.as_object_mut(), email.is_empty()) {
        members.insert("email".to_owned(), email.as_str().into());
    }
    match caller.write::<NewAdministratorInvitation>(Method::POST, OPERATION, body).await {
        Ok(NewAdministratorInvitation { invitation, url }) => show(&caller, &InvitedPage { frame, invitation, url }),
        Err(failure) => {
            let problem = failure.about_input()?.text();
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &InvitePage { frame, role, note, email, problem })
        }
    }
}

#[derive(Template)]
#[template(path = "administrators/confirm.html")]
struct ConfirmPage {
    frame: Frame,
    invitation: AdministratorInvitationView,
    user: ClaimingUser,
    problem: String,
}

impl ConfirmPage {
    fn role(&self) -> &'static str {
        role_title(&self.invitation.role_id)
    }

    fn called(&self) -> String {
        called(&self.user)
    }

    fn name_to_type(&self) -> &str {
        name_to_type(&self.user)
    }

    fn user_path(&self) -> String {
        format!("/console/users/{}", segment(&self.user.id))
    }

    fn revoke_path(&self) -> String {
        format!("{HOME}/invitations/{}/revoke", segment(&self.invitation.id))
    }
}

async fn confirmation(caller: &Caller, id: &str, problem: String) -> Result<ConfirmPage, Failure> {
    let found: Vec<AdministratorInvitationView> = caller.get(OPERATION).await?;
    let invitation = found.into_iter().find(|invitation| invitation.id == id);
    let claimed = invitation.and_then(|invitation| Some((invitation.user.clone()?, invitation)));
    let Some((user, invitation)) = claimed else { return Err(Failure::missing(caller)) };
    Ok(ConfirmPage { frame: Frame::new(caller, Section::Administrators), invitation, user, problem })
}

pub(super) async fn ask_confirm(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show(&caller, &confirmation(&caller, &id, String::new()).await?)
}

pub(super) async fn confirm(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let page = confirmation(&caller, &id, String::new()).await?;
    // The account that was shown, which the name that was typed has to belong to.
    let is_it = form.text("user") == &*page.user.id && form.text("name").trim() == page.name_to_type();
    let problem = if is_it {
        let path = format!("{OPERATION}/{}/confirm", segment(&id));
        match caller.change(Method::POST, &path, json!({ "userId": page.user.id })).await {
            Ok(()) => return Ok(done(HOME, "added")),
            Err(failure) => failure.about_input()?.text(),
        }
    } else {
        "Nobody got the role: this is not the name of the account.".to_owned()
    };
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &ConfirmPage { problem, ..page })
}

pub(super) async fn revoke(Path(id): Path<String>, Posted { caller, .. }: Posted) -> Result<Response, Failure> {
    caller.delete(&format!("{OPERATION}/{}", segment(&id))).await?;
    Ok(done(HOME, "revoked"))
}
