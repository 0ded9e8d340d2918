//! Redirects browsers from a page to a connector, also to the enterprise connector of an email domain.

use super::visitor::Visitor;
use axum::response::Response;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_identity::interaction::federated::begin::begin;
use claimsmith_identity::interaction::federated::domains;
use claimsmith_identity::interaction::federated::parameters::SignInParameters;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::start::start;
use claimsmith_pages::paths;
use claimsmith_pages::sign_in::enterprise::{ChoiceView, EnterpriseChoicePage};
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
    let parameters = SignInParameters { connector_id, state: &state, redirect_uri: &redirect_uri, hint };
    Ok(see_other(&begin(current, kind, &parameters).await?.authorization_uri))
}

/// The other of the two.
pub(super) fn other(event: InteractionEvent) -> InteractionEvent {
    if event == InteractionEvent::Register { InteractionEvent::SignIn } else { InteractionEvent::Register }
}
