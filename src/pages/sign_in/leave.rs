//! Redirects browsers from a page to a connector: to that of a button, to the enterprise connector of an email domain,
//! or, at `/direct`, to the one that the application named (`direct_sign_in`); otherwise the user chooses on the page
//! of sign-in or registration.

use super::visitor::Visitor;
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_domain::authorization::request::{DirectSignIn, Prompt};
use claimsmith_domain::authorization::screen::Screen;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_identity::interaction::federated::begin::begin;
use claimsmith_identity::interaction::federated::parameters::SignInParameters;
use claimsmith_identity::interaction::federated::{buttons, domains};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::start::start;
use claimsmith_storage::connectors::sso_connectors::SsoConnector;
use claimsmith_web::redirect::see_other;

/// Maximum bytes of an email address.
const MAX_BYTES: usize = 128;

/// Redirects to the enterprise connector of an email address, or lets the user choose if there are several; `None` if
/// there is none. `chosen`: the id of the user's choice.
pub(super) async fn leave_by_address(
    visitor: &mut Visitor,
    email: &str,
    chosen: Option<&str>,
) -> Result<Option<Response>, InteractionRefusal> {
    if email.len() > MAX_BYTES || !email.contains('@') {
        return Ok(None);
    }
    let found = domains::of_interaction(&visitor.current, email).await?;
    let connector = match (found.as_slice(), chosen) {
        ([], _) => return Ok(None),
        ([only], _) => only,
        (several, chosen) => match several.iter().find(|one| Some(one.id.as_str()) == chosen) {
            Some(connector) => connector,
            None => return Ok(Some(choose(visitor, email, several))),
        },
    };
    let id = connector.id.clone();
    leave(visitor, ConnectorKind::Enterprise, &id, InteractionEvent::SignIn, Some(email)).await.map(Some)
}

/// The page that offers several connectors.
fn choose(visitor: &Visitor, email: &str, several: &[SsoConnector]) -> Response {
    let choices =
        several.iter().map(|one| ChoiceView { id: one.id.to_string(), name: domains::name_of(one).to_owned() });
    let choices = choices.collect();
    EnterpriseChoicePage { frame: &visitor.frame, csrf: &visitor.csrf, email, choices }.answer()
}

/// Redirects the browser to a connector, to sign in or to register as the user wanted.
pub(super) async fn leave(
    visitor: &mut Visitor,
    kind: ConnectorKind,
    connector_id: &str,
    wanted: InteractionEvent,
    hint: Option<&str>,
) -> Result<Response, InteractionRefusal> {
    let current = &mut visitor.current;
    match start(current, wanted, None).await {
        // Where registration is closed the user signs in, and vice versa.
        Err(InteractionRefusal::Closed) => start(current, other(wanted), None).await?,
        started => started?,
    }
    let state = current.app.random.secret(43)?;
    let redirect_uri = format!("{}{}/{connector_id}", current.app.config.server.base_url, paths::CALLBACK);
    let parameters = SignInParameters { connector_id, state: &state, redirect_uri: &redirect_uri, hint, scope: None };
    Ok(see_other(&begin(current, kind, &parameters).await?.authorization_uri))
}

/// The other of the two.
pub(super) fn other(event: InteractionEvent) -> InteractionEvent {
    if event == InteractionEvent::Register { InteractionEvent::SignIn } else { InteractionEvent::Register }
}

/// One of several connectors for an email address.
#[derive(Clone, Debug)]
pub(crate) struct ChoiceView {
    /// The connector.
    pub(crate) id: String,
    /// The name that is shown for it.
    pub(crate) name: String,
}

/// The page where the user chooses one of several.
#[derive(Debug, Template)]
#[template(path = "enterprise_choice.html")]
pub(crate) struct EnterpriseChoicePage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// What was entered.
    pub(crate) email: &'a str,
    /// The connectors, the oldest first.
    pub(crate) choices: Vec<ChoiceView>,
}

impl EnterpriseChoicePage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.enterprise.title
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Onward)
    }
}

pub(super) async fn show_direct(mut visitor: Visitor) -> Response {
    let request = &visitor.current.request;
    let registers = request.asks(Prompt::Create) || request.screen == Some(Screen::Register);
    let screen = if registers { Screen::Register } else { Screen::SignIn };
    let wanted = if registers { InteractionEvent::Register } else { InteractionEvent::SignIn };
    // A user who has to agree to terms first, or is already identified, continues on the page.
    if visitor.frame.asks_to_agree(registers) || visitor.current.progress.user_id.is_some() {
        return visitor.at(screen.path());
    }
    match go(&mut visitor, wanted).await {
        Ok(Some(away)) => away,
        Err(refusal @ (InteractionRefusal::Failed(_) | InteractionRefusal::Superseded)) => visitor.fail(&refusal),
        Ok(None) | Err(_) => visitor.at(screen.path()),
    }
}

/// Redirects the browser to the connector; `None` if it does not exist.
async fn go(visitor: &mut Visitor, wanted: InteractionEvent) -> Result<Option<Response>, InteractionRefusal> {
    let (kind, id) = match visitor.current.request.direct_sign_in.clone() {
        Some(DirectSignIn::Sso(id)) => (ConnectorKind::Enterprise, id),
        Some(DirectSignIn::Social(target)) => {
            let mut tx = visitor.current.app.db.read().await?;
            let listed = buttons::list(&mut tx, &visitor.frame.settings).await?;
            let Some(found) = listed.into_iter().find(|button| button.target == target) else { return Ok(None) };
            (ConnectorKind::Social, found.id)
        }
        None => return Ok(None),
    };
    let hint = visitor.current.request.login_hint.clone();
    leave(visitor, kind, &id, wanted, hint.as_deref()).await.map(Some)
}
