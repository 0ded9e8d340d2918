//! The URL that ends the session behind a session of the console (OpenID Connect RP-Initiated Logout).

use claimsmith_domain::console::BuiltInClient;
use claimsmith_domain::id::{SessionId, UserId};
use claimsmith_pages::failure::PageError;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{Algorithm, IdToken};
use serde_json::Map;

/// Lifetime of the ID token that serves as the hint, in seconds. As a hint it is accepted for longer.
const HINT_LIFETIME_S: i64 = 60;

/// The URL. Its `id_token_hint` is an ID token issued for it, so that the user is not asked for confirmation.
pub(super) async fn address(app: &App, user_id: &UserId, session_id: &SessionId) -> Result<String, PageError> {
    let now = app.clock.now_ms();
    let snapshot = app.authorizations.current(&mut app.db.read().await?, now).await?;
    let hint = IdToken {
        user_id,
        client_id: &BuiltInClient::Console.id().into(),
        algorithm: Algorithm::from(app.config.tokens.signing_algorithm),
        lifetime: HINT_LIFETIME_S,
        auth_time: now / 1000,
        nonce: None,
        session_id: Some(session_id.as_str()),
        acr: None,
        amr: Vec::new(),
        access_token: None,
        user_claims: Map::new(),
        custom_claims: Map::new(),
    };
    let hint = hint.sign(&snapshot.keys, app.issuer.name(), now)?;
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("id_token_hint", &hint).finish();
    Ok(format!("{}/session/end?{query}", app.issuer.name()))
}
