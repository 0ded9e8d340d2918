//! Where a browser goes to end the sign-in behind a session (OpenID Connect RP-Initiated Logout).

use claimsmith_domain::console::BuiltInClient;
use claimsmith_domain::id::{SessionId, UserId};
use claimsmith_pages::failure::PageError;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{Algorithm, IdToken};
use serde_json::Map;

/// How long the ID token lives that says whom to sign out, in seconds. As a hint it counts for longer.
const HINT_LIFETIME_S: i64 = 60;

/// The address. The hint, by which nobody is asked, is an ID token that is made for it.
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
