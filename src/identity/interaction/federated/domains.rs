//! Enterprise connectors by email domain: users with an address of such a domain can only sign in at its connector. A
//! connector that is not completely configured owns no domain yet, since its users could not sign in at all.

use super::connector;
use crate::interaction::client_settings;
use crate::interaction::current::CurrentInteraction;
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::id::ApplicationId;
use claimsmith_services::app::App;
use claimsmith_storage::connectors::sso_connectors::{self, DOMAINS, SsoConnector};
use claimsmith_storage::{Slice, Tx};
use serde_json::{Value, json};

/// Maximum connectors in a public list.
const MAX_SHOWN: i64 = 100;

/// The connectors that own the domain of an email address; none if enterprise sign-in is disabled.
pub(crate) async fn of_email(
    app: &App,
    tx: &mut Tx,
    settings: &SignInExperience,
    email: &str,
) -> Result<Vec<SsoConnector>, InteractionRefusal> {
    let domain = email.rsplit_once('@').map(|(_, domain)| domain).filter(|domain| !domain.is_empty());
    match domain {
        Some(domain) if settings.single_sign_on_enabled => {
            let owners = sso_connectors::of_domain(tx, domain).await?;
            complete(app, tx, owners).await
        }
        _ => Ok(Vec::new()),
    }
}

async fn complete(
    app: &App,
    tx: &mut Tx,
    connectors: Vec<SsoConnector>,
) -> Result<Vec<SsoConnector>, InteractionRefusal> {
    let mut found = Vec::with_capacity(connectors.len());
    for row in connectors {
        if connector::is_complete(app, tx, &row).await? {
            found.push(row);
        }
    }
    Ok(found)
}

/// The same for an interaction. At the server's own applications, only connectors for administrators are returned.
pub async fn of_interaction(
    current: &CurrentInteraction,
    email: &str,
) -> Result<Vec<SsoConnector>, InteractionRefusal> {
    let mut tx = current.app.db.read().await?;
    let settings = current.settings_in(&mut tx).await?;
    let mut found = of_email(&current.app, &mut tx, &settings, email).await?;
    found.retain(|connector| connector.signs_in_administrators || !current.is_of_own_client());
    Ok(found)
}

/// The public data of all connectors at which the users of an application can sign in; none if enterprise sign-in is
/// disabled. Connectors without domains are left out, since no address leads to them.
pub async fn all(
    app: &App,
    tx: &mut Tx,
    settings: &SignInExperience,
    application_id: Option<&ApplicationId>,
) -> Result<Vec<Value>, InteractionRefusal> {
    if !settings.single_sign_on_enabled {
        return Ok(Vec::new());
    }
    let mut found = sso_connectors::list(tx, Slice { limit: MAX_SHOWN, offset: 0 }).await?;
    let is_own = client_settings::is_own(application_id);
    found.retain(|connector| connector.signs_in_administrators || !is_own);
    let mut public = Vec::with_capacity(found.len());
    for connector in complete(app, tx, found).await? {
        if DOMAINS.count(tx, &connector.id).await? > 0 {
            public.push(shown(&connector));
        }
    }
    Ok(public)
}

/// Refuses an email address whose domain belongs to a connector.
pub(crate) async fn refuse_owned(
    app: &App,
    tx: &mut Tx,
    settings: &SignInExperience,
    email: &str,
) -> Result<(), InteractionRefusal> {
    let owners = of_email(app, tx, settings, email).await?;
    if owners.is_empty() { Ok(()) } else { Err(InteractionRefusal::SsoEnabled(owners.iter().map(shown).collect())) }
}

/// The display name of a connector.
pub fn name_of(connector: &SsoConnector) -> &str {
    connector.branding.get("displayName").and_then(Value::as_str).unwrap_or(&connector.connector_name)
}

/// The public data of a connector.
pub(crate) fn shown(connector: &SsoConnector) -> Value {
    let text = |name: &str| connector.branding.get(name).and_then(Value::as_str);
    let mut shown = json!({
        "id": connector.id,
        "connectorName": name_of(connector),
        "logo": text("logo").unwrap_or_default(),
    });
    if let Some(dark) = text("darkLogo") {
        shown["darkLogo"] = dark.into();
    }
    shown
}
