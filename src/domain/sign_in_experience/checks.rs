//! Validation of the sign-in settings: refuses methods that cannot work, and factors that prove the same thing twice.
//! Only changed settings are checked, so that a setting that became invalid later does not block other changes.

use crate::documents::language::LanguageTag;
use crate::documents::sign_in_experience::SignInExperience;
use crate::documents::sign_in_experience::change::SignInExperienceChange;
use crate::documents::sign_in_experience::factors::{Mfa, MfaFactor};
use crate::documents::sign_in_experience::methods::{Channel, SignIn, SignUp};
use crate::identifier::IdentifierType;
use crate::unsupported_settings::{self, UnsupportedSetting};

/// The environment that settings are checked against.
#[derive(Clone, Debug, Default)]
pub struct SettingsContext {
    /// Now, Unix milliseconds.
    pub now: i64,
    /// Whether email can be sent.
    pub email: bool,
    /// Whether text messages can be sent.
    pub phone: bool,
    /// The targets of the social connectors.
    pub social_targets: Vec<String>,
    /// The languages that have texts; English always has.
    pub languages: Vec<LanguageTag>,
}

impl SettingsContext {
    fn reaches(&self, channel: Channel) -> Result<(), Violation> {
        let is_there = match channel {
            Channel::Email => self.email,
            Channel::Phone => self.phone,
        };
        if is_there { Ok(()) } else { Err(Violation::ConnectorNotFound(channel)) }
    }
}

/// The reason that settings are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// There is no connector for this channel.
    ConnectorNotFound(Channel),
    /// An address or number to register with must be verified.
    VerificationRequired,
    /// A sign-up identifier is listed twice.
    DuplicatedIdentifiers,
    /// A sign-in method requires neither a password nor a code.
    FactorRequired,
    /// Registration without a password requires sign-in with a code.
    CodeRequired,
    /// Codes over this channel are already a second factor.
    CodeIsSecondFactor(Channel),
    /// Codes over this channel are already a sign-in method.
    CodeIsSignIn(Channel),
    /// Backup codes need another factor.
    BackupCodeAlone,
    /// A factor is listed twice.
    DuplicatedFactors,
    /// An entry is neither an email address nor a domain.
    BlocklistFormat,
    /// There is no connector for this password recovery channel.
    WayBackNotFound(Channel),
    /// Passwords that expire need a number of days.
    ExpirationPeriod,
    /// Passwords that expire need a way to reset them.
    ExpirationNeedsWayBack,
    /// Second factors by risk need second factors.
    AdaptiveNeedsFactors,
    /// Second factors by risk need a policy by which users must have one.
    AdaptiveNeedsPolicy,
    /// There are no texts in this language.
    UnsupportedLanguage,
    /// This server does not support the setting.
    Unsupported(&'static UnsupportedSetting),
    /// The support email address is not valid.
    SupportEmailFormat,
}

/// Refuses a change that would make the settings unusable.
pub(super) fn check_change(
    current: &SignInExperience,
    change: &SignInExperienceChange,
    context: &SettingsContext,
) -> Result<(), Violation> {
    let sign_up = change.sign_up.as_ref().unwrap_or(&current.sign_up);
    let sign_in = change.sign_in.as_ref().unwrap_or(&current.sign_in);
    let mfa = change.mfa.as_ref().unwrap_or(&current.mfa);
    if let Some(info) = &change.language_info
        && info.fallback_language != LanguageTag::english()
        && !context.languages.contains(&info.fallback_language)
    {
        return Err(Violation::UnsupportedLanguage);
    }
    // An unchanged value is accepted: earlier versions allowed more addresses.
    let policy = change.email_blocklist_policy.as_ref().filter(|policy| **policy != current.email_blocklist_policy);
    if policy.is_some_and(|policy| !policy.is_well_formed()) {
        return Err(Violation::BlocklistFormat);
    }
    let support = change.support_email.as_ref().filter(|address| **address != current.support_email);
    if support.and_then(Option::as_ref).is_some_and(|address| !address.is_well_formed()) {
        return Err(Violation::SupportEmailFormat);
    }
    if change.sign_up.is_some() {
        check_sign_up(sign_up, context)?;
    }
    if change.sign_in.is_some() {
        check_sign_in(sign_in, sign_up, mfa, context)?;
    }
    if change.mfa.is_some() {
        check_factors(mfa, sign_in, context)?;
    }
    for method in change.forgot_password_methods.iter().flatten().flat_map(|methods| methods.iter()) {
        context.reaches(method.channel()).map_err(|_| Violation::WayBackNotFound(method.channel()))?;
    }
    Ok(())
}

fn check_sign_up(sign_up: &SignUp, context: &SettingsContext) -> Result<(), Violation> {
    let secondary = sign_up.secondary_identifiers.as_deref().unwrap_or_default();
    let mut named: Vec<IdentifierType> = Vec::new();
    let all = sign_up.identifiers.iter().chain(secondary.iter().flat_map(|one| one.identifier.identifiers()));
    for identifier in all {
        if named.contains(identifier) {
            return Err(Violation::DuplicatedIdentifiers);
        }
        named.push(*identifier);
    }
    for channel in sign_up.identifiers.iter().filter_map(|identifier| identifier.channel()) {
        context.reaches(channel)?;
        if !sign_up.verify {
            return Err(Violation::VerificationRequired);
        }
    }
    let verified = secondary.iter().filter(|one| one.verify == Some(true));
    for channel in verified.flat_map(|one| one.identifier.identifiers()).filter_map(|one| one.channel()) {
        context.reaches(channel)?;
    }
    Ok(())
}

fn check_sign_in(sign_in: &SignIn, sign_up: &SignUp, mfa: &Mfa, context: &SettingsContext) -> Result<(), Violation> {
    for method in sign_in.methods.iter() {
        let code = method.identifier.channel().filter(|_| method.verification_code);
        if let Some(channel) = code {
            context.reaches(channel)?;
        }
        if !method.password && code.is_none() {
            return Err(Violation::FactorRequired);
        }
        if sign_up.verify && !sign_up.password && code.is_none() && method.identifier.channel().is_some() {
            return Err(Violation::CodeRequired);
        }
        if let Some(channel) = code.filter(|channel| is_factor(mfa, *channel)) {
            return Err(Violation::CodeIsSecondFactor(channel));
        }
    }
    Ok(())
}

fn check_factors(mfa: &Mfa, sign_in: &SignIn, context: &SettingsContext) -> Result<(), Violation> {
    let is_repeated = |(index, factor)| mfa.factors[..index].contains(factor);
    if mfa.factors.iter().enumerate().any(is_repeated) {
        return Err(Violation::DuplicatedFactors);
    }
    if *mfa.factors == [MfaFactor::BackupCode] {
        return Err(Violation::BackupCodeAlone);
    }
    for channel in mfa.factors.iter().filter_map(|factor| factor.channel()) {
        let is_way_in = |one: &crate::documents::sign_in_experience::methods::SignInMethod| {
            one.verification_code && one.identifier.channel() == Some(channel)
        };
        if sign_in.methods.iter().any(|method| is_way_in(method)) {
            return Err(Violation::CodeIsSignIn(channel));
        }
        context.reaches(channel)?;
    }
    Ok(())
}

/// Refuses settings that would be stored but have no effect.
pub(super) fn check_supported(before: &SignInExperience, after: &SignInExperience) -> Result<(), Violation> {
    let [before, after, default] =
        [before, after, &SignInExperience::default()].map(|one| serde_json::to_value(one).unwrap_or_default());
    match unsupported_settings::turned_on(&before, &after, &default) {
        Some(setting) => Err(Violation::Unsupported(setting)),
        None => Ok(()),
    }
}

/// Refuses expiration of passwords without a period, or that users could not reset.
pub(super) fn check_expiration(
    before: &SignInExperience,
    after: &SignInExperience,
    context: &SettingsContext,
) -> Result<(), Violation> {
    let depends_on = |settings: &SignInExperience| {
        (settings.password_expiration.clone(), settings.forgot_password_methods.clone(), settings.mfa.factors.clone())
    };
    if depends_on(before) == depends_on(after) {
        return Ok(());
    }
    if after.password_expiration != before.password_expiration && !after.password_expiration.has_period() {
        return Err(Violation::ExpirationPeriod);
    }
    let resets = |channel| context.reaches(channel).is_ok() && after.resets_by(channel);
    if after.password_expiration.is_on() && ![Channel::Email, Channel::Phone].into_iter().any(resets) {
        return Err(Violation::ExpirationNeedsWayBack);
    }
    Ok(())
}

/// Refuses second factors by risk where they could not be asked for, or always are.
pub(super) fn check_adaptive(before: &SignInExperience, after: &SignInExperience) -> Result<(), Violation> {
    let is_same = before.adaptive_mfa == after.adaptive_mfa && before.mfa == after.mfa;
    if is_same || !after.adaptive_mfa.is_on() {
        return Ok(());
    }
    if after.mfa.factors.is_empty() {
        return Err(Violation::AdaptiveNeedsFactors);
    }
    if after.mfa.policy.is_mandatory_prompt() { Ok(()) } else { Err(Violation::AdaptiveNeedsPolicy) }
}

fn is_factor(mfa: &Mfa, channel: Channel) -> bool {
    mfa.factors.iter().any(|factor| factor.channel() == Some(channel))
}

#[cfg(test)]
mod tests;
