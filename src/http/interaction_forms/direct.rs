//! `/direct`: redirects to the connector that the application named (`direct_sign_in`). If that is not possible, the
//! user chooses on the page of sign-in or registration.

use super::leave::leave;
use super::visitor::Visitor;
use axum::response::Response;
use claimsmith_domain::authorization::request::{DirectSignIn, Prompt};
use claimsmith_domain::authorization::screen::Screen;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_identity::interaction::federated::buttons;
use claimsmith_identity::interaction::refusal::InteractionRefusal;

pub(super) async fn show(mut visitor: Visitor) -> Response {
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
