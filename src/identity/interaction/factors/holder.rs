//! The user of an interaction with their second factors, and the requirements of the settings.

use crate::accounts::BackupCodes;
use crate::interaction::administrators::administers;
use crate::interaction::current::CurrentInteraction;
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::sign_in_places;
use crate::interaction::user_check::check_user;
use claimsmith_domain::adaptive_mfa::TriggeredRule;
use claimsmith_domain::authorization::acr;
use claimsmith_domain::console::sign_in;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::sign_in_experience::factors::OrganizationMfaPolicy;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::documents::user_settings::{MfaSettings, UserSettings};
use claimsmith_domain::factor_policy::{MfaContext, ToSetUp};
use claimsmith_domain::id::{FactorId, TrustedDeviceId};
use claimsmith_domain::identifier::Identifier;
use claimsmith_domain::interaction::{InteractionEvent, Method, Progress};
use claimsmith_domain::sent_code::SentCode;
use claimsmith_domain::staged_factors::{MfaChoice, ProvedPasskey, StagedMfa};
use claimsmith_storage::sessions::trusted_devices;
use claimsmith_storage::users::mfa::MfaFactor;
use claimsmith_storage::users::passkeys::{self, Passkey};
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{Tx, organizations};

/// A user with their second factors.
#[expect(clippy::struct_excessive_bools, reason = "they are independent")]
pub(crate) struct FactorHolder {
    /// The user.
    pub user: User,
    /// The sign-in settings.
    pub settings: SignInExperience,
    factors: Vec<MfaFactor>,
    /// Without those that were made in this interaction: they prove nothing in it.
    passkeys: Vec<Passkey>,
    /// The passkeys that were made and stored in this interaction.
    new_passkeys: Vec<FactorId>,
    /// Whether to suggest adding a passkey for sign-in.
    lacks_passkey: bool,
    /// The types of the user's usable factors.
    had: Vec<FactorType>,
    /// The browser, if it is a trusted device of the user.
    trusted: Option<TrustedDeviceId>,
    chosen: MfaSettings,
    organization_asks: bool,
    is_step_up: bool,
    /// The rules that make the sign-in unusual, where second factors are asked for by risk.
    pub triggered: Option<Vec<TriggeredRule>>,
    /// The channel of the sign-in link, if the user came by one: codes over the same channel are no second factor.
    link_channel: Option<Channel>,
    /// Sign-in or registration.
    pub event: InteractionEvent,
    /// Whether the user is an administrator: their enrolled factors count, whatever the settings say.
    pub administers: bool,
    /// Whether the application is one of the server's own, where users are not asked to set up factors.
    is_of_own_client: bool,
}

/// Loads the user whom the interaction has identified, before it is submitted.
pub(crate) async fn of_interaction(current: &CurrentInteraction) -> Result<FactorHolder, InteractionRefusal> {
    if current.event()? == InteractionEvent::ForgotPassword || current.progress.authenticated {
        return Err(InteractionRefusal::WrongEvent);
    }
    let user_id = current.progress.user_id.clone().ok_or(InteractionRefusal::NotIdentified)?;
    let mut tx = current.app.db.read().await?;
    let user = users::find(&mut tx, &user_id).await?.ok_or(InteractionRefusal::UnknownUser)?;
    check_user(&user, current.progress.credential.as_deref())?;
    let settings = current.settings_in(&mut tx).await?;
    FactorHolder::load(current, &mut tx, user, settings).await
}

impl FactorHolder {
    /// Loads the factors of a user.
    pub(crate) async fn load(
        current: &CurrentInteraction,
        tx: &mut Tx,
        user: User,
        mut settings: SignInExperience,
    ) -> Result<Self, InteractionRefusal> {
        let (app, progress) = (&current.app, &current.progress);
        let (administers, is_of_own_client) = (administers(app, tx, &user.id).await?, current.is_of_own_client());
        let factors = users::mfa::list(tx, &user.id).await?;
        let mut had = Vec::with_capacity(factors.len());
        for factor in &factors {
            if factor.kind != FactorType::BackupCode || BackupCodes::read(&app.cipher, factor)?.remaining() > 0 {
                had.push(factor.kind);
            }
        }
        let passkeys = passkeys::of_user(tx, &user.id).await?;
        let (new, passkeys): (Vec<_>, Vec<_>) =
            passkeys.into_iter().partition(|passkey| progress.mfa.has_stored(&passkey.id));
        let new_passkeys = new.into_iter().map(|passkey| passkey.id).collect();
        if !passkeys.is_empty() && app.passkeys.are_possible() {
            had.push(FactorType::WebAuthn);
        }
        let UserSettings { mfa: mut chosen, passkey_sign_in } =
            users::settings::find(tx, &user.id).await?.unwrap_or_default();
        chosen.skip_mfa_on_sign_in &= !administers && !is_of_own_client;
        if administers {
            settings.mfa.factors = sign_in::factors(&settings.mfa.factors, &had);
        }
        let lacks_passkey = settings.passkey_sign_in.enabled == Some(true)
            && app.passkeys.are_possible()
            && passkeys.is_empty()
            && !passkey_sign_in.skipped;
        let organization_asks = match settings.mfa.organization_required_mfa_policy {
            Some(OrganizationMfaPolicy::Mandatory) => {
                organizations::of_user(tx, &user.id).await?.iter().any(|one| one.is_mfa_required)
            }
            Some(OrganizationMfaPolicy::NoPrompt) | None => false,
        };
        let trusted = match &current.browser.trusted_hash {
            Some(hash) if settings.trusted_device.days().is_some() => {
                trusted_devices::find_live(tx, hash, &user.id, app.clock.now_ms()).await?
            }
            _ => None,
        };
        // An application that requests a second factor requires a fresh proof.
        let is_step_up = acr::takes_second_factor(&current.request.acr_values);
        let event = if progress.registered { InteractionEvent::Register } else { InteractionEvent::SignIn };
        let is_rated = settings.adaptive_mfa.is_on() && event == InteractionEvent::SignIn && !administers;
        let triggered = if is_rated { Some(sign_in_places::rate(current, tx, &user).await?) } else { None };
        let is_unusual = triggered.as_ref().is_some_and(|rules| !rules.is_empty());
        let trusted = trusted.map(|device| device.id).filter(|_| !is_step_up && !administers && !is_unusual);
        let is_their_link = |method: &Method| match method {
            Method::OneTimeToken { user_id: Some(of), .. } => *of == user.id,
            _ => false,
        };
        let mut methods = progress.verifications.iter().map(|kept| &kept.method);
        let link_channel = (!progress.registered && methods.any(is_their_link)).then_some(Channel::Email);
        Ok(Self {
            user,
            settings,
            factors,
            passkeys,
            new_passkeys,
            lacks_passkey,
            had,
            trusted,
            chosen,
            organization_asks,
            is_step_up,
            triggered,
            link_channel,
            event,
            administers,
            is_of_own_client,
        })
    }

    /// The input of the rules for second factors.
    pub(crate) fn mfa_context(&self, staged: &StagedMfa) -> MfaContext<'_> {
        let staged_kinds = [
            // A passkey for sign-in is not necessarily a second factor.
            (FactorType::WebAuthn, self.has_new_passkey(staged) && self.takes_passkeys()),
            (FactorType::Totp, staged.totp.is_some()),
            (FactorType::BackupCode, staged.backup_codes.is_some()),
        ];
        let added = staged_kinds.into_iter().filter(|(_, is_staged)| *is_staged).map(|(kind, _)| kind);
        let codes = staged.codes.iter().map(|channel| FactorType::over(*channel));
        let mut chosen = self.chosen.clone();
        choose(&mut chosen, staged);
        let mut context = MfaContext {
            settings: &self.settings.mfa,
            event: self.event,
            had: self.had.clone(),
            added: added.chain(codes.filter(|kind| self.address(*kind).is_none())).collect(),
            chosen,
            organization_asks: self.organization_asks,
            is_step_up: self.is_step_up,
            is_unusual: self.triggered.as_ref().map(|rules| !rules.is_empty()),
        };
        // Codes to the user's email address or phone number count as a factor once the user has enabled two-factor
        // authentication, or a factor is required or requested.
        if context.is_mandatory() || context.is_step_up || context.chosen.enabled == Some(true) {
            let sent = [FactorType::PhoneVerificationCode, FactorType::EmailVerificationCode];
            let is_one = |kind: &FactorType| self.address(*kind).is_some() && self.takes_codes(*kind);
            context.had.extend(sent.into_iter().filter(is_one));
        }
        context
    }

    /// The recipient of the codes of a factor, if the user has one.
    pub(super) fn address(&self, kind: FactorType) -> Option<&String> {
        match kind {
            FactorType::EmailVerificationCode => self.user.primary_email.as_ref(),
            FactorType::PhoneVerificationCode => self.user.primary_phone.as_ref(),
            FactorType::WebAuthn | FactorType::Totp | FactorType::BackupCode => None,
        }
    }

    /// The user's factor of that type, if the settings enable it.
    fn factor(&self, kind: FactorType) -> Option<&MfaFactor> {
        let is_enabled = self.settings.mfa.factors.contains(&kind.setting());
        self.factors.iter().find(|factor| is_enabled && factor.kind == kind)
    }

    /// The user's factor of that type, also if the settings do not enable it: then its proof is accepted, but does not
    /// count.
    pub(super) fn enrolled(&self, kind: FactorType) -> Option<&MfaFactor> {
        self.factors.iter().find(|factor| factor.kind == kind)
    }

    /// The credential ids of the user's passkeys.
    pub(crate) fn credential_ids(&self) -> Vec<String> {
        self.passkeys.iter().map(|passkey| passkey.credential_id.clone()).collect()
    }

    /// Whether the user has a usable factor of that type.
    pub(crate) fn has(&self, kind: FactorType) -> bool {
        self.had.contains(&kind)
    }

    /// The authentication method (RFC 8176) of a second factor that the user proved and still has; `None` without one.
    /// A factor that was set up in this interaction does not count.
    pub(crate) fn proved(&self, progress: &Progress) -> Option<&'static str> {
        let is_factor = |kind, id: &FactorId| self.factor(kind).is_some_and(|factor| factor.id == *id);
        let mut theirs = progress.verifications.iter().filter(|kept| kept.method.holder() == Some(&self.user.id));
        theirs.find_map(|kept| {
            let (amr, is_proved) = match &kept.method {
                Method::WebAuthn { proved: Some(proved), .. } => {
                    (proved.amr(), self.takes_passkeys() && self.has_passkey(proved))
                }
                Method::Totp { factor_id, .. } => ("otp", is_factor(FactorType::Totp, factor_id)),
                Method::BackupCode { factor_id, .. } => ("otp", is_factor(FactorType::BackupCode, factor_id)),
                Method::MfaEmailVerificationCode(sent) => {
                    ("otp", self.is_code(FactorType::EmailVerificationCode, sent))
                }
                Method::MfaPhoneVerificationCode(sent) => {
                    ("sms", self.is_code(FactorType::PhoneVerificationCode, sent))
                }
                _ => return None,
            };
            is_proved.then_some(amr)
        })
    }

    /// Whether codes of that type are a second factor: the settings enable them, and they use another channel than the
    /// link by which the user came.
    pub(super) fn takes_codes(&self, kind: FactorType) -> bool {
        let is_proved = self.link_channel.map(FactorType::over) == Some(kind);
        !is_proved && self.settings.mfa.factors.contains(&kind.setting())
    }

    /// Whether a code is accepted as a factor, and was verified for the user's current address or number.
    fn is_code(&self, kind: FactorType, sent: &SentCode) -> bool {
        self.takes_codes(kind) && sent.verified && self.address(kind) == Some(&sent.recipient)
    }

    /// The passkey with which the user signed in, if they still have it. It counts as two factors: the device, and what
    /// unlocks it.
    pub(crate) fn sign_in_passkey<'p>(&self, progress: &'p Progress) -> Option<&'p ProvedPasskey> {
        let is_enabled = self.settings.passkey_sign_in.enabled == Some(true);
        progress.verifications.iter().find_map(|kept| match &kept.method {
            Method::SignInPasskey { user_id: Some(user_id), proved: Some(proved), .. }
                if is_enabled && *user_id == self.user.id && self.has_passkey(proved) =>
            {
                Some(proved)
            }
            _ => None,
        })
    }

    /// Whether the user made a passkey in this interaction, and nobody has removed it since.
    fn has_new_passkey(&self, staged: &StagedMfa) -> bool {
        staged.passkeys.iter().any(|passkey| !passkey.is_stored || self.new_passkeys.contains(&passkey.id))
    }

    /// Whether the settings enable passkeys as a second factor.
    fn takes_passkeys(&self) -> bool {
        self.settings.mfa.factors.contains(&FactorType::WebAuthn.setting())
    }

    fn has_passkey(&self, proved: &ProvedPasskey) -> bool {
        self.passkeys.iter().any(|passkey| passkey.id == proved.id)
    }

    /// The trusted device that replaces a second factor, if one is needed and was not proved in this interaction.
    pub(crate) fn trusted_device(&self, progress: &Progress) -> Option<&TrustedDeviceId> {
        let is_needed = self.sign_in_passkey(progress).is_none() && self.proved(progress).is_none();
        self.trusted.as_ref().filter(|_| is_needed && !self.to_verify().is_empty())
    }

    /// For how many days the browser can be trusted: if the settings allow it, and the user proved an existing factor
    /// in this interaction.
    pub(crate) fn trusted_days(&self, progress: &Progress) -> Option<u32> {
        self.settings.trusted_device.days().filter(|_| self.proved(progress).is_some())
    }

    fn to_verify(&self) -> Vec<FactorType> {
        self.mfa_context(&StagedMfa::default()).to_verify()
    }

    /// Refuses a user who has a second factor and did not prove it, unless the browser is a trusted device.
    pub(crate) fn check_proved(&self, progress: &Progress) -> Result<(), InteractionRefusal> {
        if self.sign_in_passkey(progress).is_some() || self.trusted.is_some() {
            return Ok(());
        }
        let to_verify = self.to_verify();
        if to_verify.is_empty() || self.proved(progress).is_some() {
            return Ok(());
        }
        let masked = self.masked(&to_verify);
        Err(InteractionRefusal::FactorRequired(to_verify, masked))
    }

    /// The masked recipients of codes.
    fn masked(&self, kinds: &[FactorType]) -> Vec<(FactorType, String)> {
        let masked = kinds.iter().filter_map(|kind| {
            let (kind, channel) = (*kind, kind.channel()?);
            let identifier = Identifier { kind: channel.identifier(), value: self.address(kind)?.clone() };
            Some((kind, identifier.masked()))
        });
        masked.collect()
    }

    /// Refuses staged factors that can no longer be added.
    pub(crate) fn check_staged(&self, progress: &Progress) -> Result<(), InteractionRefusal> {
        let context = self.mfa_context(&progress.mfa);
        for kind in &context.added {
            if !context.is_enabled(*kind) {
                return Err(InteractionRefusal::FactorDisabled);
            }
            if self.had.contains(kind) && !kind.may_be_several() {
                return Err(InteractionRefusal::FactorInUse(*kind));
            }
        }
        Ok(())
    }

    /// Refuses a user who still has to set up a second factor.
    pub(crate) fn check_set_up(&self, progress: &Progress) -> Result<(), InteractionRefusal> {
        let staged = &progress.mfa;
        if self.is_of_own_client {
            return Ok(());
        }
        if self.lacks_passkey && !self.has_new_passkey(staged) && !staged.passkey_skipped {
            return Err(InteractionRefusal::PasskeySuggested);
        }
        let context = self.mfa_context(&progress.mfa);
        let further = context.to_suggest(|channel| self.settings.sign_up.asks_for(channel.identifier()));
        if !further.is_empty() {
            let masked = self.masked(&context.had);
            return Err(InteractionRefusal::FurtherFactorSuggested(further, masked));
        }
        match context.to_set_up() {
            None => Ok(()),
            Some(ToSetUp::Suggested(available)) => Err(InteractionRefusal::FactorSuggested(available)),
            Some(ToSetUp::Missing { available, skippable }) => {
                Err(InteractionRefusal::FactorMissing(available, skippable))
            }
            Some(ToSetUp::BackupCodes) => Err(InteractionRefusal::BackupCodesRequired),
        }
    }
}

/// Applies the user's choices in the interaction.
pub(crate) fn choose(chosen: &mut MfaSettings, staged: &StagedMfa) {
    match staged.choice {
        Some(MfaChoice::Enabled) => (chosen.enabled, chosen.skipped) = (Some(true), false),
        Some(MfaChoice::Skipped) => chosen.skipped = true,
        None => {}
    }
    chosen.additional_binding_suggestion_skipped |= staged.suggestion_skipped;
}
