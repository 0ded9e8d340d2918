//! `/console/organizations/{id}/invitations`: invites members by email.

use super::organization::{INVITATIONS, PageHead, page, roles};
use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::model::Described;
use crate::posted::Posted;
use crate::section::Section;
use crate::time::end_of_day;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::organization_invitations::InvitationView;
use claimsmith_api::organization_roles::OrganizationRoleView;
use claimsmith_domain::documents::organization::InvitationStatus;
use serde_json::json;

/// What the page says of an invitation.
trait InvitationFacts {
    fn is_pending(&self) -> bool;
    /// The class of the badge with its status.
    fn class(&self) -> &'static str;
}

impl InvitationFacts for InvitationView {
    fn is_pending(&self) -> bool {
        self.status == InvitationStatus::Pending
    }

    fn class(&self) -> &'static str {
        match self.status {
            InvitationStatus::Accepted => "good",
            InvitationStatus::Pending => "warn",
            InvitationStatus::Expired | InvitationStatus::Revoked => "",
        }
    }
}

#[derive(Template)]
#[template(path = "organizations/invitations.html")]
struct InvitationsPage {
    frame: Frame,
    head: PageHead,
    invitations: Vec<InvitationView>,
    roles: Vec<OrganizationRoleView>,
    /// The submitted fields.
    fields: Form,
}

impl InvitationsPage {
    /// Whether a role is ticked.
    fn is_chosen(&self, id: &str) -> bool {
        self.fields.all("role").any(|chosen| chosen == id)
    }

    /// Whether the invitation is sent by email, which is the default.
    fn sends(&self) -> bool {
        self.fields.fields().is_empty() || self.fields.is_ticked("send")
    }
}

pub(super) async fn show_invitations(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show_with(&caller, &id, Form::default(), String::new()).await
}

async fn show_with(caller: &Caller, id: &str, fields: Form, alert: String) -> Result<Response, Failure> {
    let head = PageHead::load(caller, id, INVITATIONS).await?.with_alert(alert);
    let status = if head.alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let mut invitations: Vec<InvitationView> =
        caller.get(&format!("/api/organization-invitations?organizationId={}", segment(id))).await?;
    invitations.sort_by_key(|invitation| (!invitation.is_pending(), -invitation.created_at));
    let roles = roles(caller, false).await?;
    let frame = Frame::new(caller, Section::Organizations);
    show_as(caller, status, &InvitationsPage { frame, head, invitations, roles, fields })
}

pub(super) async fn invite(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let Some(expires_at) = end_of_day(form.text("expires")) else {
        let alert = form.refuse("expires", "Enter the last day of the invitation.");
        return show_with(&caller, &id, form, alert).await;
    };
    let roles: Vec<&str> = form.all("role").collect();
    let message = if form.is_ticked("send") { json!({}) } else { json!(false) };
    let body = json!({
        "invitee": form.text("invitee"),
        "organizationId": id,
        "inviterId": &*caller.operator().user_id,
        "expiresAt": expires_at,
        "organizationRoleIds": roles,
        "messagePayload": message,
    });
    match caller.change(Method::POST, "/api/organization-invitations", body).await {
        Ok(()) => Ok(done(&page(&id, "invitations"), "sent")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show_with(&caller, &id, form, alert).await
        }
    }
}

pub(super) async fn send_again(
    Path((id, invitation)): Path<(String, String)>,
    Posted { caller, .. }: Posted,
) -> Result<Response, Failure> {
    let path = format!("/api/organization-invitations/{}/message", segment(&invitation));
    let result = caller.change(Method::POST, &path, json!({})).await;
    answer(&caller, &id, result, "sent").await
}

pub(super) async fn revoke(
    Path((id, invitation)): Path<(String, String)>,
    Posted { caller, .. }: Posted,
) -> Result<Response, Failure> {
    let path = format!("/api/organization-invitations/{}/status", segment(&invitation));
    let result = caller.change(Method::PUT, &path, json!({ "status": "Revoked" })).await;
    answer(&caller, &id, result, "revoked").await
}

async fn answer(caller: &Caller, id: &str, result: Result<(), Failure>, word: &str) -> Result<Response, Failure> {
    match result {
        Ok(()) => Ok(done(&page(id, "invitations"), word)),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show_with(caller, id, Form::default(), alert).await
        }
    }
}
