//! A sign-in at an upstream and its callback, for any purpose: the redirect, the stored state, and the resulting
//! account. The state is stored in one row of one table, and is accepted once.

use super::connector::Connector;
use super::parameters::{Callback, SignInParameters};
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::federated::{ConnectorKind, Federated, PendingFederatedSignIn};
use claimsmith_domain::upstream::account::ExternalAccount;
use claimsmith_services::app::App;
use claimsmith_services::encryption::Purpose;
use claimsmith_services::federation::{CallbackParameters, FederatedAttempt};
use claimsmith_services::tokens;
use subtle::ConstantTimeEq;
use url::Url;

/// Lifetime of a pending sign-in: ten minutes, in milliseconds.
const LIFETIME_MS: i64 = 600_000;

/// The row that stores the pending sign-in; its secrets are encrypted for that row.
#[derive(Clone, Copy)]
pub(crate) struct EncryptedRow<'r> {
    /// The purpose of the encryption.
    pub purpose: Purpose,
    /// The name of the row.
    pub name: &'r str,
}

/// The result of a sign-in.
pub(crate) struct UpstreamIdentity {
    /// The account.
    pub account: ExternalAccount,
    /// Whether the connector owns the domain of the verified email address.
    pub owns_address: bool,
}

/// Begins a sign-in: returns the data to store, and the authorization URL for the browser.
pub(crate) async fn depart(
    app: &App,
    mut connector: Connector,
    parameters: &SignInParameters<'_>,
    row: EncryptedRow<'_>,
) -> Result<(Federated, String), InteractionRefusal> {
    for asked in parameters.scope.unwrap_or_default().split_ascii_whitespace() {
        if !connector.upstream.scopes.iter().any(|known| known == asked) {
            connector.upstream.scopes.push(asked.to_owned());
        }
    }
    let (nonce, verifier) = (app.random.secret(43)?, app.random.secret(64)?);
    let attempt = FederatedAttempt {
        state: parameters.state,
        nonce: &nonce,
        verifier: &verifier,
        redirect_uri: parameters.redirect_uri,
    };
    let address = app
        .federation
        .address((parameters.connector_id, &connector.upstream), &attempt, parameters.hint)
        .await
        .map_err(InteractionRefusal::upstream)?;
    let secrets = format!("{nonce}.{verifier}");
    let pending = PendingFederatedSignIn {
        state: tokens::hash(parameters.state),
        secrets: app.cipher.encrypt(row.purpose, row.name, secrets.as_bytes())?,
        redirect_uri: parameters.redirect_uri.to_owned(),
        expires_at: app.clock.now_ms() + LIFETIME_MS,
    };
    let federated = Federated {
        connector_id: parameters.connector_id.to_owned(),
        realm: connector.realm,
        sync_profile: connector.sync_profile,
        owns_address: false,
        pending: Some(pending),
        account: None,
        user_id: None,
        by_owner: false,
    };
    Ok((federated, address))
}

/// The pending sign-in, if it has not expired and the callback's state matches.
pub(crate) fn recognize(
    app: &App,
    kind: ConnectorKind,
    waiting: &Federated,
    callback: &Callback,
) -> Result<PendingFederatedSignIn, InteractionRefusal> {
    let now = app.clock.now_ms();
    let pending = waiting.pending.clone().filter(|pending| pending.expires_at > now);
    let pending = pending.ok_or(InteractionRefusal::NotAwaited(kind))?;
    let shown = tokens::hash(callback.state.as_deref().unwrap_or_default());
    if bool::from(shown.as_bytes().ct_eq(pending.state.as_bytes())) {
        Ok(pending)
    } else {
        Err(InteractionRefusal::StateMismatch)
    }
}

/// Redeems the code of a pending sign-in, which the caller has used up before.
pub(crate) async fn receive(
    app: &App,
    (kind, connector): (ConnectorKind, &Connector),
    (waiting, pending): (&Federated, &PendingFederatedSignIn),
    callback: &Callback,
    row: EncryptedRow<'_>,
) -> Result<UpstreamIdentity, InteractionRefusal> {
    if callback.error.is_some() {
        return Err(InteractionRefusal::UpstreamDenied);
    }
    if connector.realm != waiting.realm {
        // The connector was reconfigured in the meantime.
        return Err(InteractionRefusal::NotAwaited(kind));
    }
    let code = callback.code.as_deref().filter(|code| !code.is_empty()).ok_or(InteractionRefusal::InsufficientInfo)?;
    let secrets = app.cipher.decrypt(row.purpose, row.name, &pending.secrets)?;
    let secrets = String::from_utf8(secrets.to_vec())?;
    let (nonce, verifier) = secrets.split_once('.').ok_or(InteractionRefusal::NotAwaited(kind))?;
    let attempt = FederatedAttempt {
        state: callback.state.as_deref().unwrap_or_default(),
        nonce,
        verifier,
        redirect_uri: &pending.redirect_uri,
    };
    let answer = CallbackParameters { code, issuer: callback.issuer.as_deref() };
    let upstream = (waiting.connector_id.as_str(), &connector.upstream);
    let account = app.federation.account(upstream, &attempt, &answer).await.map_err(InteractionRefusal::upstream)?;
    let domain = account.verified_email().and_then(|email| email.rsplit_once('@')).map(|(_, domain)| domain);
    let owns_address = domain.is_some_and(|domain| connector.domains.contains(&fold(domain)));
    Ok(UpstreamIdentity { account, owns_address })
}

/// Whether the redirect URI is at this server and for this connector only: another upstream then cannot pass its own
/// responses off as this one's (RFC 9700 section 4.4.2.2).
pub(crate) fn comes_back(base_url: &str, parameters: &SignInParameters<'_>) -> bool {
    let (Ok(own), Ok(url)) = (Url::parse(base_url), Url::parse(parameters.redirect_uri)) else { return false };
    url.origin() == own.origin() && is_for_connector(parameters)
}

/// Whether the redirect URI is for this connector only.
pub(crate) fn is_for_connector(parameters: &SignInParameters<'_>) -> bool {
    let Ok(url) = Url::parse(parameters.redirect_uri) else { return false };
    let last = url.path_segments().and_then(|mut segments| segments.next_back());
    url.fragment().is_none()
        && url.query().is_none()
        && last == Some(parameters.connector_id)
        && parameters.redirect_uri == url.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_back_to_an_address_of_their_connector() {
        for (redirect_uri, fits) in [
            ("https://id.test/callback/c1", true),
            ("https://id.test/own/pages/c1", true),
            ("https://id.test/callback/c2", false),
            ("https://id.test/callback/c1/", false),
            ("https://id.test/callback/c1?x=1", false),
            ("https://id.test/callback/c1#x", false),
            ("https://id.test.evil.test/callback/c1", false),
            ("http://id.test/callback/c1", false),
            ("https://id.test:444/callback/c1", false),
            ("/callback/c1", false),
            ("", false),
        ] {
            let parameters = SignInParameters { connector_id: "c1", state: "s", redirect_uri, hint: None, scope: None };
            assert_eq!(comes_back("https://id.test", &parameters), fits, "{redirect_uri}");
        }
    }
}
