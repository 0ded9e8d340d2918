//! The settings of sign-in for one application and one organization: an organization's look overrides an application's,
//! which overrides the common one. The server's own applications have the common look.

use claimsmith_domain::documents::sign_in_experience::application::ApplicationSignInExperience;
use claimsmith_domain::documents::sign_in_experience::{CustomCss, SignInExperience};
use claimsmith_domain::id::{ApplicationId, OrganizationId};
use claimsmith_identity::interaction::client_settings;
use claimsmith_storage::sign_in::applications;
use claimsmith_storage::{Result, Tx, organizations};

/// The settings of the pages.
pub struct Experience {
    /// The settings, with the looks applied.
    pub settings: SignInExperience,
    /// The application's settings of its own pages.
    pub(crate) application: Option<ApplicationSignInExperience>,
}

/// Reads them. An application or organization that does not exist has no look.
pub async fn find(
    tx: &mut Tx,
    application_id: Option<&ApplicationId>,
    organization_id: Option<&OrganizationId>,
) -> Result<Experience> {
    let settings = client_settings::find(tx, application_id).await?;
    // No organization and no style sheet may hide or read what administrators type.
    if client_settings::is_own(application_id) {
        return Ok(Experience { settings, application: None });
    }
    lay(tx, settings, application_id, organization_id).await
}

/// The same for unsaved settings.
pub(crate) async fn lay(
    tx: &mut Tx,
    mut settings: SignInExperience,
    application_id: Option<&ApplicationId>,
    organization_id: Option<&OrganizationId>,
) -> Result<Experience> {
    let mut application = None;
    if let Some(id) = application_id
        && let Some(own) = applications::find(tx, id).await?
    {
        settings.lay(&own.color, &own.branding, own.custom_css.clone());
        application = Some(own);
    }
    if let Some(id) = organization_id
        && let Some(own) = organizations::find(tx, id).await?
    {
        // The same limit of length applies to both.
        let css = own.custom_css.and_then(|css| CustomCss::try_from(css).ok());
        settings.lay(&own.color, &own.branding, css);
    }
    Ok(Experience { settings, application })
}
