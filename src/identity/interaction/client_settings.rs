//! The sign-in settings of an application: the operator's, or fixed ones at the server's own applications.

use claimsmith_domain::console::{built_in, sign_in};
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::id::ApplicationId;
use claimsmith_storage::connectors::sso_connectors;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::{self as storage, Tx};

/// The settings at an application; `None` is the account page.
pub async fn find(tx: &mut Tx, application_id: Option<&ApplicationId>) -> storage::Result<SignInExperience> {
    if is_own(application_id) { of_own_clients(tx).await } else { EXPERIENCE.find(tx).await }
}

/// The settings at the server's own applications.
pub(crate) async fn of_own_clients(tx: &mut Tx) -> storage::Result<SignInExperience> {
    let stored = EXPERIENCE.find(tx).await?;
    let has_company = sso_connectors::any_signs_in_administrators(tx).await?;
    Ok(sign_in::settings(stored, has_company))
}

/// Whether an application is one of the server's own.
#[must_use]
pub fn is_own(application_id: Option<&ApplicationId>) -> bool {
    application_id.is_some_and(|id| built_in::is_client(id))
}
