//! The user of an interaction with the second factors that they have now, and what the settings ask of them.

use crate::accounts::BackupCodes;
use crate::interaction::administrators::administers;
use crate::interaction::current::Current;
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::user_check::check_user;
use claimsmith_domain::authorization::acr;
use claimsmith_domain::console::sign_in;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::sign_in_experience::factors::OrganizationMfaPolicy;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::documents::user_settings::{MfaSettings, UserSettings};
use claimsmith_domain::factor_policy::{Situation, ToSetUp};
use claimsmith_domain::id::{FactorId, TrustedDeviceId};
use claimsmith_domain::interaction::{Identifier, InteractionEvent, Method, Progress};
use claimsmith_domain::sent_code::SentCode;
use claimsmith_domain::staged_factors::{MfaChoice, ProvedPasskey, StagedMfa};
use claimsmith_storage::sessions::trusted_devices;
use claimsmith_storage::users::mfa::MfaFactor;
use claimsmith_storage::users::passkeys::{self, Passkey};
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{Tx, organizations};

/// Somebody with their second factors.
#[expect(clippy::struct_excessive_bools, reason = "they are independent")]
pub(in crate::interaction) struct FactorHolder {
    /// Who it is.
    pub user: User,
    /// The settings of sign-in.
    pub settings: SignInExperience,
    factors: Vec<MfaFactor>,
    passkeys: Vec<Passkey>,
    /// Whether they are asked if they want a passkey to sign in with.
    lacks_passkey: bool,
    /// The types of factors that still work.
    had: Vec<FactorType>,
    /// The browser, if they trust it.
    trusted: Option<TrustedDeviceId>,
    chosen: MfaSettings,
    organization_asks: bool,
    is_step_up: bool,
    /// Over what the link came by which they came, if they did: codes over the same prove nothing more.
    link_channel: Option<Channel>,
    event: InteractionEvent,
    /// Whether they administer: what they enrolled counts, whatever the settings say.
    pub administers: bool,
    /// Whether the application is one of the server's own, where nobody is asked to set anything up.
    is_of_own_client: bool,
}

/// The user whom the interaction has identified, before it is submitted.
pub(in crate::interaction) async fn of_interaction(current: &Current) -> Result<FactorHolder, InteractionRefusal> {
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
    /// Reads what a user has.
    pub(in crate::interaction) async fn load(
        current: &Current,
        tx: &mut Tx,
        user: User,
        mut settings: SignInExperience,
    ) -> Result<Self, InteractionRefusal> {
        let (app, progress) = (&current.app, &current.progress);
        let (administers, is_of_own_client) = (administers(app, tx, &user.id).await?, current.is_of_own_client());
        let factors = users::mfa::list(tx, &user.id).await?;
        let mut had = Vec::with_capacity(factors.len());
        for factor in &factors {
            let Some(kind) = FactorType::parse(&factor.kind) else { continue };
            if kind != FactorType::BackupCode || BackupCodes::read(&app.cipher, factor)?.remaining() > 0 {
                had.push(kind);
            }
        }
        let passkeys = passkeys::of_user(tx, &user.id).await?;
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
        // An application that wants a factor wants it proved now.
        let is_step_up = acr::takes_second_factor(&current.request.acr_values);
        let trusted = trusted.map(|device| device.id).filter(|_| !is_step_up && !administers);
        let event = if progress.registered { InteractionEvent::Register } else { InteractionEvent::SignIn };
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
            lacks_passkey,
            had,
            trusted,
            chosen,
            organization_asks,
            is_step_up,
            link_channel,
            event,
            administers,
            is_of_own_client,
        })
    }

    /// What the rules make of it.
    pub(in crate::interaction) fn situation(&self, staged: &StagedMfa) -> Situation<'_> {
        let staged_kinds = [
            // To sign in with, it need not be a second factor as well.
            (FactorType::WebAuthn, !staged.passkeys.is_empty() && self.takes_passkeys()),
            (FactorType::Totp, staged.totp.is_some()),
            (FactorType::BackupCode, staged.backup_codes.is_some()),
        ];
        let added = staged_kinds.into_iter().filter(|(_, is_staged)| *is_staged).map(|(kind, _)| kind);
        let codes = staged.codes.iter().map(|channel| FactorType::over(*channel));
        let mut chosen = self.chosen.clone();
        choose(&mut chosen, staged);
        let mut situation = Situation {
            settings: &self.settings.mfa,
            event: self.event,
            had: self.had.clone(),
            added: added.chain(codes.filter(|kind| self.address(*kind).is_none())).collect(),
            chosen,
            organization_asks: self.organization_asks,
            is_step_up: self.is_step_up,
        };
        // Whoever has an address has codes to it, once they want a second factor, or have to have or prove one.
        if situation.is_mandatory() || situation.is_step_up || situation.chosen.enabled == Some(true) {
            let sent = [FactorType::PhoneVerificationCode, FactorType::EmailVerificationCode];
            let is_one = |kind: &FactorType| self.address(*kind).is_some() && self.takes_codes(*kind);
            situation.had.extend(sent.into_iter().filter(is_one));
        }
        situation
    }

    /// Where the codes of a factor go, as the user has it.
    pub(super) fn address(&self, kind: FactorType) -> Option<&String> {
        match kind {
            FactorType::EmailVerificationCode => self.user.primary_email.as_ref(),
            FactorType::PhoneVerificationCode => self.user.primary_phone.as_ref(),
            FactorType::WebAuthn | FactorType::Totp | FactorType::BackupCode => None,
        }
    }

    /// The factor of that type, if the settings take it.
    pub(super) fn factor(&self, kind: FactorType) -> Option<&MfaFactor> {
        let is_enabled = self.settings.mfa.factors.contains(&kind.setting());
        self.factors.iter().find(|factor| is_enabled && factor.kind == kind.as_str())
    }

    /// The authenticators' ids of the user's passkeys.
    pub(in crate::interaction) fn credential_ids(&self) -> Vec<String> {
        self.passkeys.iter().map(|passkey| passkey.credential_id.clone()).collect()
    }

    /// Whether the user has a working factor of that type.
    pub(in crate::interaction) fn has(&self, kind: FactorType) -> bool {
        self.had.contains(&kind)
    }

    /// How the user proved a factor that they had before, and still have (RFC 8176); none if they did not. One that they
    /// set up in this very interaction proves nothing.
    pub(in crate::interaction) fn proved(&self, progress: &Progress) -> Option<&'static str> {
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

    /// Whether codes of that type prove anything: the settings take them, and they go elsewhere than the link did by
    /// which the user came.
    pub(super) fn takes_codes(&self, kind: FactorType) -> bool {
        let is_proved = self.link_channel.map(FactorType::over) == Some(kind);
        !is_proved && self.settings.mfa.factors.contains(&kind.setting())
    }

    /// Whether a code came back from the address that the user has, and counts.
    fn is_code(&self, kind: FactorType, sent: &SentCode) -> bool {
        self.takes_codes(kind) && sent.verified && self.address(kind) == Some(&sent.recipient)
    }

    /// The passkey with which the user signs in, if they do, and still have it. It is two factors in one: the device, and
    /// what unlocks it.
    pub(in crate::interaction) fn sign_in_passkey<'p>(&self, progress: &'p Progress) -> Option<&'p ProvedPasskey> {
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

    /// Whether a passkey is a second factor.
    fn takes_passkeys(&self) -> bool {
        self.settings.mfa.factors.contains(&FactorType::WebAuthn.setting())
    }

    fn has_passkey(&self, proved: &ProvedPasskey) -> bool {
        self.passkeys.iter().any(|passkey| passkey.id == proved.id)
    }

    /// The trusted device that stands in for a second factor, which the user did not prove in this interaction.
    pub(in crate::interaction) fn trusted_device(&self, progress: &Progress) -> Option<&TrustedDeviceId> {
        let is_needed = self.sign_in_passkey(progress).is_none() && self.proved(progress).is_none();
        self.trusted.as_ref().filter(|_| is_needed && !self.to_verify().is_empty())
    }

    /// For how many days the browser may be trusted: where the settings let people trust one, and for whoever proved a
    /// factor in this interaction that they had before.
    pub(in crate::interaction) fn trusted_days(&self, progress: &Progress) -> Option<u32> {
        self.settings.trusted_device.days().filter(|_| self.proved(progress).is_some())
    }

    fn to_verify(&self) -> Vec<FactorType> {
        self.situation(&StagedMfa::default()).to_verify()
    }

    /// Refuses somebody who has a second factor and did not prove it, unless they trust the browser.
    pub(in crate::interaction) fn check_proved(&self, progress: &Progress) -> Result<(), InteractionRefusal> {
        if self.sign_in_passkey(progress).is_some() || self.trusted.is_some() {
            return Ok(());
        }
        let to_verify = self.to_verify();
        if to_verify.is_empty() || self.proved(progress).is_some() {
            return Ok(());
        }
        let masked = to_verify.iter().filter_map(|kind| {
            let (kind, channel) = (*kind, kind.channel()?);
            let identifier = Identifier { kind: channel.identifier(), value: self.address(kind)?.clone() };
            Some((kind, identifier.masked()))
        });
        Err(InteractionRefusal::FactorRequired(to_verify.clone(), masked.collect()))
    }

    /// Refuses factors that were set up and cannot be the user's any more.
    pub(in crate::interaction) fn check_staged(&self, progress: &Progress) -> Result<(), InteractionRefusal> {
        let situation = self.situation(&progress.mfa);
        for kind in &situation.added {
            if !situation.is_enabled(*kind) {
                return Err(InteractionRefusal::FactorDisabled);
            }
            if self.had.contains(kind) && !kind.may_be_several() {
                return Err(InteractionRefusal::FactorInUse(*kind));
            }
        }
        Ok(())
    }

    /// Refuses somebody who is still to set up a second factor.
    pub(in crate::interaction) fn check_set_up(&self, progress: &Progress) -> Result<(), InteractionRefusal> {
        let staged = &progress.mfa;
        if self.is_of_own_client {
            return Ok(());
        }
        if self.lacks_passkey && staged.passkeys.is_empty() && !staged.passkey_skipped {
            return Err(InteractionRefusal::PasskeySuggested);
        }
        match self.situation(&progress.mfa).to_set_up() {
            None => Ok(()),
            Some(ToSetUp::Suggested(available)) => Err(InteractionRefusal::FactorSuggested(available)),
            Some(ToSetUp::Missing { available, skippable }) => {
                Err(InteractionRefusal::FactorMissing(available, skippable))
            }
            Some(ToSetUp::BackupCodes) => Err(InteractionRefusal::BackupCodesRequired),
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
