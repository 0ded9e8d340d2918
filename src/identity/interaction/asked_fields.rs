//! The operator's profile fields on the registration form, and whether required ones are missing.

use super::current::CurrentInteraction;
use super::refusal::InteractionRefusal;
use crate::accounts::{entered, sign_up_fields};
use claimsmith_domain::custom_profile_field::submission::is_missing;
use claimsmith_domain::documents::custom_profile_field::CustomProfileField;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::interaction::{InteractionEvent, StagedProfile};
use claimsmith_storage::users::User;
use claimsmith_storage::{self as storage, Tx};

/// The profile fields to ask for.
#[derive(Debug, Default)]
pub(super) struct AskedFields {
    fields: Vec<CustomProfileField>,
    has_answered: bool,
}

impl AskedFields {
    /// Loads the fields for the user of an interaction: none unless they are registering.
    pub(super) async fn load(
        tx: &mut Tx,
        current: &CurrentInteraction,
        settings: &SignInExperience,
    ) -> storage::Result<Self> {
        if current.progress.event != Some(InteractionEvent::Register) {
            return Ok(Self::default());
        }
        let fields = sign_up_fields(tx, settings).await?;
        Ok(Self { fields, has_answered: current.progress.extra_profile_submitted })
    }

    /// The same for an existing user: only required fields can be missing.
    pub(super) fn answered(self) -> Self {
        Self { has_answered: true, ..self }
    }

    /// Whether fields are missing, counting staged values.
    pub(super) fn is_missing(&self, user: Option<&User>, staged: &StagedProfile) -> bool {
        let has = |name: &str| staged.entered(name).or_else(|| entered(user?, name)).is_some();
        is_missing(&self.fields, self.has_answered, has)
    }
}

/// The fields of the registration form.
pub async fn fields(current: &CurrentInteraction) -> Result<Vec<CustomProfileField>, InteractionRefusal> {
    let settings = current.settings().await?;
    Ok(AskedFields::load(&mut current.app.db.read().await?, current, &settings).await?.fields)
}
