//! The user of an interaction with the second factors that they have now, and what the settings ask of them.

use crate::accounts::BackupCodes;
use crate::app::App;
use crate::domain::factor_policy::{Situation, ToSetUp};
use crate::domain::id::FactorId;
use crate::domain::interaction::{InteractionEvent, Method, Progress};
use crate::domain::mfa::FactorType;
use crate::domain::sign_in_experience::SignInExperience;
use crate::domain::sign_in_experience::factors::OrganizationMfaPolicy;
use crate::domain::staged_factors::{MfaChoice, StagedMfa};
use crate::domain::user_settings::MfaSettings;
use crate::interaction::current::Current;
use crate::interaction::refusal::Refusal;
use crate::interaction::user_check::check_user;
use crate::storage::sign_in::experience;
use crate::storage::users::mfa::MfaFactor;
use crate::storage::users::{self, User};
use crate::storage::{Tx, organizations};

/// Somebody with their second factors.
pub(in crate::interaction) struct Holder {
    /// Who it is.
    pub user: User,
    /// The settings of sign-in.
    pub settings: SignInExperience,
    factors: Vec<MfaFactor>,
    /// The types of factors that still work.
    had: Vec<FactorType>,
    chosen: MfaSettings,
    organization_asks: bool,
    event: InteractionEvent,
}

/// The user whom the interaction has identified, before it is submitted.
pub(in crate::interaction) async fn of_interaction(current: &Current) -> Result<Holder, Refusal> {
    current.event()?;
    if current.progress.authenticated {
        return Err(Refusal::WrongEvent);
    }
    let user_id = current.progress.user_id.clone().ok_or(Refusal::NotIdentified)?;
    let mut tx = current.app.db.read().await?;
    let user = users::find(&mut tx, &user_id).await?.ok_or(Refusal::UnknownUser)?;
    check_user(&user, current.progress.credential.as_deref())?;
    let settings = experience::find(&mut tx).await?;
    Holder::load(&current.app, &mut tx, user, settings, &current.progress).await
}

impl Holder {
    /// Reads what a user has.
    pub(in crate::interaction) async fn load(
        app: &App,
        tx: &mut Tx,
        user: User,
        settings: SignInExperience,
        progress: &Progress,
    ) -> Result<Self, Refusal> {
        let factors = users::mfa::list(tx, &user.id).await?;
        let mut had = Vec::with_capacity(factors.len());
        for factor in &factors {
            let Some(kind) = FactorType::parse(&factor.kind) else { continue };
            if kind != FactorType::BackupCode || BackupCodes::read(&app.cipher, factor)?.remaining() > 0 {
                had.push(kind);
            }
        }
        let chosen = users::settings::find(tx, &user.id).await?.unwrap_or_default().mfa;
        let organization_asks = match settings.mfa.organization_required_mfa_policy {
            Some(OrganizationMfaPolicy::Mandatory) => {
                organizations::of_user(tx, &user.id).await?.iter().any(|one| one.is_mfa_required)
            }
            Some(OrganizationMfaPolicy::NoPrompt) | None => false,
        };
        let event = if progress.registered { InteractionEvent::Register } else { InteractionEvent::SignIn };
        Ok(Self { user, settings, factors, had, chosen, organization_asks, event })
    }

    /// What the rules make of it.
    pub(in crate::interaction) fn situation(&self, staged: &StagedMfa) -> Situation<'_> {
        let staged_kinds = [(FactorType::Totp, &staged.totp), (FactorType::BackupCode, &staged.backup_codes)];
        let mut chosen = self.chosen.clone();
        choose(&mut chosen, staged);
        Situation {
            settings: &self.settings.mfa,
            event: self.event,
            had: self.had.clone(),
            added: staged_kinds.into_iter().filter(|(_, staged)| staged.is_some()).map(|(kind, _)| kind).collect(),
            chosen,
            organization_asks: self.organization_asks,
        }
    }

    /// The factor of that type, if the settings take it.
    pub(super) fn factor(&self, kind: FactorType) -> Option<&MfaFactor> {
        let is_enabled = self.settings.mfa.factors.contains(&kind.setting());
        self.factors.iter().find(|factor| is_enabled && factor.kind == kind.as_str())
    }

    /// Whether the user has a working factor of that type.
    pub(super) fn has(&self, kind: FactorType) -> bool {
        self.had.contains(&kind)
    }

    /// Whether the user proved a factor that they had before, and still have. One that they set up in this very
    /// interaction proves nothing.
    pub(in crate::interaction) fn has_proved(&self, progress: &Progress) -> bool {
        let is_factor = |kind, id: &FactorId| self.factor(kind).is_some_and(|factor| factor.id == *id);
        progress.verifications.iter().any(|kept| {
            kept.method.holder() == Some(&self.user.id)
                && match &kept.method {
                    Method::Totp { factor_id, .. } => is_factor(FactorType::Totp, factor_id),
                    Method::BackupCode { factor_id, .. } => is_factor(FactorType::BackupCode, factor_id),
                    _ => false,
                }
        })
    }

    /// Refuses somebody who has a second factor and did not prove it.
    pub(in crate::interaction) fn check_proved(&self, progress: &Progress) -> Result<(), Refusal> {
        let to_verify = self.situation(&StagedMfa::default()).to_verify();
        if to_verify.is_empty() || self.has_proved(progress) { Ok(()) } else { Err(Refusal::FactorRequired(to_verify)) }
    }

    /// Refuses factors that were set up and cannot be the user's any more.
    pub(in crate::interaction) fn check_staged(&self, progress: &Progress) -> Result<(), Refusal> {
        let situation = self.situation(&progress.mfa);
        for kind in &situation.added {
            if !situation.is_enabled(*kind) {
                return Err(Refusal::FactorDisabled);
            }
            if situation.had.contains(kind) {
                return Err(Refusal::FactorInUse(*kind));
            }
        }
        Ok(())
    }

    /// Refuses somebody who is still to set up a second factor.
    pub(in crate::interaction) fn check_set_up(&self, progress: &Progress) -> Result<(), Refusal> {
        match self.situation(&progress.mfa).to_set_up() {
            None => Ok(()),
            Some(ToSetUp::Suggested(available)) => Err(Refusal::FactorSuggested(available)),
            Some(ToSetUp::Missing { available, skippable }) => Err(Refusal::FactorMissing(available, skippable)),
            Some(ToSetUp::BackupCodes) => Err(Refusal::BackupCodesRequired),
        }
    }
}

/// Carries out what the user chose in the interaction.
pub(in crate::interaction) fn choose(chosen: &mut MfaSettings, staged: &StagedMfa) {
    match staged.choice {
        Some(MfaChoice::Enabled) => (chosen.enabled, chosen.skipped) = (Some(true), false),
        Some(MfaChoice::Skipped) => chosen.skipped = true,
        None => {}
    }
    chosen.additional_binding_suggestion_skipped |= staged.suggestion_skipped;
}
