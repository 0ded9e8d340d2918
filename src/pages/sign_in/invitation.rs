//! Accepting an invitation to an organization: `POST /invitation` with `id` and `token`. Opening the link alone does
//! nothing.

use super::visitor::read_bare_form;
use crate::failure::PageError;
use crate::frame::{Frame, PageContext};
use crate::headers::Forms;
use crate::texts::tree::fill;
use crate::{page, paths};
use askama::Template;
use axum::Extension;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use claimsmith_domain::documents::organization::InvitationStatus;
use claimsmith_domain::id::InvitationId;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_identity::accounts::{AccountRefusal, accept_invitation, is_invitation_token};
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::organizations::invitations::Invitation;
use claimsmith_storage::{self as storage, Tx, organizations};
use claimsmith_web::error::log_failure;
use claimsmith_web::extract::form::Form;

/// The state of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InvitationState<'a> {
    /// Not accepted yet: the id and the token of its link.
    Pending(&'a str, &'a str),
    /// It was accepted just now.
    Accepted,
    /// It is invalid.
    Void,
}

/// The page.
#[derive(Debug, Template)]
#[template(path = "invitation.html")]
pub(crate) struct InvitationPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// The organization.
    pub(crate) organization: &'a str,
    /// The recipient.
    pub(crate) address: &'a str,
    /// Its state.
    pub(crate) state: InvitationState<'a>,
}

impl InvitationPage<'_> {
    fn title(&self) -> String {
        let texts = &self.frame.t.invitation;
        let text = match self.state {
            InvitationState::Pending(..) => &texts.title,
            InvitationState::Accepted => &texts.accepted_title,
            InvitationState::Void => &texts.void_title,
        };
        fill(text, &[("organization", self.organization)])
    }

    fn description(&self) -> String {
        let texts = &self.frame.t.invitation;
        let text = match self.state {
            InvitationState::Pending(..) => &texts.description,
            InvitationState::Accepted => &texts.accepted_description,
            InvitationState::Void => &texts.void_description,
        };
        fill(text, &[("organization", self.organization), ("address", self.address)])
    }

    /// The id and the token, while it is to be accepted.
    fn pending(&self) -> Option<(&str, &str)> {
        match self.state {
            InvitationState::Pending(id, token) => Some((id, token)),
            InvitationState::Accepted | InvitationState::Void => None,
        }
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        let is_void = self.state == InvitationState::Void;
        let status = if is_void { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        page::answer(self, self.frame, status, Forms::Own)
    }
}

/// Asks whether the invitee accepts.
pub(super) async fn show(
    State(app): State<App>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, PageError> {
    let form = Form::of_query(query.as_deref().unwrap_or_default()).unwrap_or_default();
    let mut tx = app.db.read().await?;
    let frame = Frame::load(&app, &mut tx, &PageContext::by(&headers)).await?;
    let (id, token) = parts(&form);
    let found = find(&app, &mut tx, id, token).await?;
    let pending = found.filter(|one| one.status.at(app.clock.now_ms(), one.expires_at) == InvitationStatus::Pending);
    let Some(invitation) = pending else { return Ok(page(&frame, "", "", InvitationState::Void)) };
    let organization = name(&mut tx, &invitation).await?;
    Ok(page(&frame, &organization, &invitation.invitee, InvitationState::Pending(id, token)))
}

/// Accepts the invitation.
pub(super) async fn accept(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, PageError> {
    let frame = Frame::load(&app, &mut app.db.read().await?, &PageContext::by(&headers)).await?;
    // The body is read before a database connection is taken, since the client may be slow.
    let form = match read_bare_form(&app, &frame, &headers, body).await {
        Ok(form) => form,
        Err(refused) => return Ok(refused),
    };
    let mut tx = app.db.read().await?;
    let (id, token) = parts(&form);
    let found = find(&app, &mut tx, id, token).await?;
    let Some(invitation) = found else { return Ok(page(&frame, "", "", InvitationState::Void)) };
    let organization = name(&mut tx, &invitation).await?;
    drop(tx);
    let mut work = UnitOfWork::begin(&app.db, Actor::Server, origin, app.clock.now_ms()).await?;
    let accepted = accept_invitation(&mut work, &invitation).await;
    let state = match accepted {
        Ok(true) => {
            work.commit().await?;
            InvitationState::Accepted
        }
        Err(AccountRefusal::Failed(error)) => return Err(PageError::logged(log_failure(&*error))),
        Ok(false) | Err(_) => InvitationState::Void,
    };
    Ok(page(&frame, &organization, &invitation.invitee, state))
}

fn parts(form: &Form) -> (&str, &str) {
    let text = |name: &str| form.all(name).next().unwrap_or_default();
    (text("id"), text("token"))
}

/// The invitation of a link; `None` for a wrong token.
async fn find(app: &App, tx: &mut Tx, id: &str, token: &str) -> storage::Result<Option<Invitation>> {
    let found = organizations::invitations::find(tx, &InvitationId::from(id)).await?;
    Ok(found.filter(|invitation| is_invitation_token(&app.cipher, invitation, token)))
}

async fn name(tx: &mut Tx, invitation: &Invitation) -> storage::Result<String> {
    let organization = organizations::find(tx, &invitation.organization_id).await?;
    Ok(organization.map(|one| one.name).unwrap_or_default())
}

fn page(frame: &Frame, organization: &str, address: &str, state: InvitationState<'_>) -> Response {
    InvitationPage { frame, organization, address, state }.answer()
}
