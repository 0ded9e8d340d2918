//! The demo application of `/demo`: its settings and redirect URIs. Each start adds what is missing: demo data of older
//! versions have none, and the base URL may have changed.

use super::{DemoReport, Error, ManagementReport};
use claimsmith_config::Config;
use claimsmith_domain::documents::uri_rule::UriRule;
use claimsmith_storage::settings::Demo;
use claimsmith_storage::{Tx, applications, settings};

/// Adds what is missing if the report contains demo data; returns whether anything was added.
pub(super) async fn add_missing(
    tx: &mut Tx,
    config: &Config,
    made: (Option<&DemoReport>, Option<&ManagementReport>),
) -> Result<bool, Error> {
    let known = settings::demo(tx).await?;
    let demo = match (known.clone(), made) {
        (Some(known), _) => known,
        (None, (Some(demo), Some(management))) => Demo {
            client_id: demo.spa_client_id.clone(),
            backend_id: management.client_id.clone(),
            customer_id: demo.customer_user_id.clone(),
            resource: demo.resource.clone(),
        },
        (None, _) => return Ok(false),
    };
    // The operator has deleted the demo application: do not create it again.
    let Some(mut application) = applications::find(tx, &demo.client_id).await? else { return Ok(false) };
    let base_url = &config.server.base_url;
    let metadata = &mut application.oidc_client_metadata.0;
    let mut is_changed = false;
    for (uris, uri) in [
        (&mut metadata.redirect_uris, format!("{base_url}/demo/callback")),
        (&mut metadata.post_logout_redirect_uris, format!("{base_url}/demo")),
    ] {
        if !uris.contains(&uri) {
            uris.push(uri);
            is_changed = true;
        }
    }
    let uri = format!("{base_url}/demo/impersonate");
    let custom = &mut application.custom_client_metadata.0;
    // Only a URI that the API would accept: plain http is limited to this machine.
    if custom.impersonation_uri.as_ref() != Some(&uri) && UriRule::Private.fault(&uri).is_none() {
        custom.impersonation_uri = Some(uri);
        is_changed = true;
    }
    if is_changed {
        applications::update(tx, &application).await?;
    }
    if known.is_none() {
        settings::put_demo(tx, &demo).await?;
    }
    Ok(is_changed || known.is_none())
}
