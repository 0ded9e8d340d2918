//! The application of an interaction, as webhook events show it.

use claimsmith_domain::id::ApplicationId;
use claimsmith_storage::{Result, Tx, applications};
use serde_json::{Value, json};

/// Its id, type, name and description. `None` if it no longer exists.
pub(super) async fn shown(tx: &mut Tx, id: &ApplicationId) -> Result<Option<Value>> {
    let found = applications::find(tx, id).await?;
    Ok(found.map(|application| {
        json!({
            "id": application.id, "type": application.kind, "name": application.name,
            "description": application.description,
        })
    }))
}
