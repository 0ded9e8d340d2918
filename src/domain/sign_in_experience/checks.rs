//! What the settings of sign-in must not be: ways in that cannot work, and factors that prove the same thing twice.
//! Only what a change names is checked, so that what became impossible later does not stand in the way of all else.

use crate::documents::language::LanguageTag;
use crate::documents::sign_in_experience::SignInExperience;
use crate::documents::sign_in_experience::change::SignInExperienceChange;
use crate::documents::sign_in_experience::factors::{Mfa, MfaFactor};
use crate::documents::sign_in_experience::methods::{Channel, SignIn, SignInIdentifier, SignUp};
use crate::unsupported_settings::{self, UnsupportedSetting};

/// What there is beside the settings.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// Whether email can be sent.
    pub email: bool,
    /// Whether text messages can be sent.
    pub phone: bool,
    /// Which accounts elsewhere people may sign in with.
    pub social_targets: Vec<String>,
    /// The languages that there are texts in; English always.
    pub languages: Vec<LanguageTag>,
}

impl Surroundings {
    fn reaches(&self, channel: Channel) -> Result<(), Violation> {
        let is_there = match channel {
            Channel::Email => self.email,
            Channel::Phone => self.phone,
        };
        if is_there { Ok(()) } else { Err(Violation::ConnectorNotFound(channel)) }
    }
}

/// Why settings are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// Nothing sends codes over this.
    ConnectorNotFound(Channel),
    /// An address or number to register with must be verified.
    VerificationRequired,
    /// An identifier to register with is named twice.
    DuplicatedIdentifiers,
    /// A way to sign in asks for nothing.
    FactorRequired,
    /// Registration without a password requires sign-in with a code.
    CodeRequired,
    /// Codes over this are a second factor already.
    CodeIsSecondFactor(Channel),
    /// Codes over this are a way to sign in already.
    CodeIsSignIn(Channel),
    /// Backup codes stand for another factor.
    BackupCodeAlone,
    /// A factor is named twice.
    DuplicatedFactors,
    /// An entry is neither an address nor a domain.
    BlocklistFormat,
    /// Nothing sends codes to whoever forgot their password over this.
    WayBackNotFound(Channel),
    /// There are no texts in this language.
    UnsupportedLanguage,
    /// This server does not obey it.
    Unsupported(&'static UnsupportedSetting),
    /// What is to be the address of those who help is none.
    SupportEmailFormat,
}

/// Refuses a change by which the settings would not work.
pub(super) fn check_change(
    current: &SignInExperience,
    change: &SignInExperienceChange,
    around: &Surroundings,
) -> Result<(), Violation> {
    let sign_up = change.sign_up.as_ref().unwrap_or(&current.sign_up);
    let sign_in = change.sign_in.as_ref().unwrap_or(&current.sign_in);
    let mfa = change.mfa.as_ref().unwrap_or(&current.mfa);
    if let Some(info) = &change.language_info
        && info.fallback_language != LanguageTag::english()
        && !around.languages.contains(&info.fallback_language)
    {
        return Err(Violation::UnsupportedLanguage);
    }
    // What is set already may be written back: earlier versions took more addresses.
    let policy = change.email_blocklist_policy.as_ref().filter(|policy| **policy != current.email_blocklist_policy);
    if policy.is_some_and(|policy| !policy.is_well_formed()) {
        return Err(Violation::BlocklistFormat);
    }
    let support = change.support_email.as_ref().filter(|address| **address != current.support_email);
    if support.and_then(Option::as_ref).is_some_and(|address| !address.is_well_formed()) {
        return Err(Violation::SupportEmailFormat);
    }
    if change.sign_up.is_some() {
        check_sign_up(sign_up, around)?;
    }
    if change.sign_in.is_some() {
        check_sign_in(sign_in, sign_up, mfa, around)?;
    }
    if change.mfa.is_some() {
        check_factors(mfa, sign_in, around)?;
    }
    for method in change.forgot_password_methods.iter().flatten().flat_map(|methods| methods.iter()) {
        around.reaches(method.channel()).map_err(|_| Violation::WayBackNotFound(method.channel()))?;
    }
    Ok(())
}

fn check_sign_up(sign_up: &SignUp, around: &Surroundings) -> Result<(), Violation> {
    let secondary = sign_up.secondary_identifiers.as_deref().unwrap_or_default();
    let mut named: Vec<SignInIdentifier> = Vec::new();
    let all = sign_up.identifiers.iter().chain(secondary.iter().flat_map(|one| one.identifier.identifiers()));
    for identifier in all {
        if named.contains(identifier) {
            return Err(Violation::DuplicatedIdentifiers);
        }
        named.push(*identifier);
    }
    for channel in sign_up.identifiers.iter().filter_map(|identifier| identifier.channel()) {
        around.reaches(channel)?;
        if !sign_up.verify {
            return Err(Violation::VerificationRequired);
        }
    }
    let verified = secondary.iter().filter(|one| one.verify == Some(true));
    for channel in verified.flat_map(|one| one.identifier.identifiers()).filter_map(|one| one.channel()) {
        around.reaches(channel)?;
    }
    Ok(())
}

fn check_sign_in(sign_in: &SignIn, sign_up: &SignUp, mfa: &Mfa, around: &Surroundings) -> Result<(), Violation> {
    for method in sign_in.methods.iter() {
        let code = method.identifier.channel().filter(|_| method.verification_code);
        if let Some(channel) = code {
            around.reaches(channel)?;
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

fn check_factors(mfa: &Mfa, sign_in: &SignIn, around: &Surroundings) -> Result<(), Violation> {
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
        around.reaches(channel)?;
    }
    Ok(())
}

/// Refuses what would be kept and not obeyed.
pub(super) fn check_supported(before: &SignInExperience, after: &SignInExperience) -> Result<(), Violation> {
    let [before, after, default] =
        [before, after, &SignInExperience::default()].map(|one| serde_json::to_value(one).unwrap_or_default());
    match unsupported_settings::turned_on(&before, &after, &default) {
        Some(setting) => Err(Violation::Unsupported(setting)),
        None => Ok(()),
    }
}

fn is_factor(mfa: &Mfa, channel: Channel) -> bool {
    mfa.factors.iter().any(|factor| factor.channel() == Some(channel))
}

#[cfg(test)]
mod tests;
