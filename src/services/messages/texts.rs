//! The built-in texts of messages, in the languages of the pages.

use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::language::choose;
use serde::Deserialize;
use std::sync::LazyLock;

/// The languages, English first.
const SOURCES: [(&str, &str); 6] = [
    ("en", include_str!("texts/en.toml")),
    ("de", include_str!("texts/de.toml")),
    ("fr", include_str!("texts/fr.toml")),
    ("es", include_str!("texts/es.toml")),
    ("ja", include_str!("texts/ja.toml")),
    ("zh", include_str!("texts/zh.toml")),
];

/// The texts of one language.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Texts {
    pub(super) code: String,
    pub(super) open_link: String,
    pub(super) valid: String,
    pub(super) minutes: String,
    pub(super) hours: String,
    pub(super) days: String,
    pub(super) ignore: String,
    pub(super) keep_secret: String,
    sign_in: PurposeTexts,
    register: PurposeTexts,
    forgot_password: PurposeTexts,
    organization_invitation: PurposeTexts,
    administrator_invitation: PurposeTexts,
    generic: PurposeTexts,
    user_permission_validation: PurposeTexts,
    bind_new_identifier: PurposeTexts,
    mfa_verification: PurposeTexts,
    bind_mfa: PurposeTexts,
}

/// The texts for one purpose.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PurposeTexts {
    pub(super) subject: String,
    pub(super) instruction: String,
}

/// All languages. A test checks that each can be parsed.
static TEXTS: LazyLock<Vec<(LanguageTag, Texts)>> = LazyLock::new(|| {
    let read = |(tag, source): (&str, &str)| {
        Some((LanguageTag::try_from(tag.to_owned()).ok()?, toml::from_str::<Texts>(source).ok()?))
    };
    SOURCES.into_iter().filter_map(read).collect()
});

/// The texts of the first available one of these languages, or English, with their tag.
pub(super) fn best(wanted: &[&str]) -> (LanguageTag, Texts) {
    let tags: Vec<LanguageTag> = TEXTS.iter().map(|(tag, _)| tag.clone()).collect();
    let chosen = choose(&tags, wanted).cloned().unwrap_or_else(LanguageTag::english);
    let texts = TEXTS.iter().find(|(tag, _)| *tag == chosen).map(|(_, texts)| texts.clone());
    (chosen, texts.unwrap_or_default())
}

impl Texts {
    /// The texts for messages of a type.
    pub(super) fn purpose(&self, template: TemplateType) -> &PurposeTexts {
        match template {
            TemplateType::SignIn => &self.sign_in,
            TemplateType::Register => &self.register,
            TemplateType::ForgotPassword => &self.forgot_password,
            TemplateType::OrganizationInvitation => &self.organization_invitation,
            TemplateType::AdministratorInvitation => &self.administrator_invitation,
            TemplateType::Generic => &self.generic,
            TemplateType::UserPermissionValidation => &self.user_permission_validation,
            TemplateType::BindNewIdentifier => &self.bind_new_identifier,
            TemplateType::MfaVerification => &self.mfa_verification,
            TemplateType::BindMfa => &self.bind_mfa,
        }
    }

    /// A period of validity in words.
    pub(super) fn validity(&self, milliseconds: i64) -> String {
        let minutes = milliseconds / 60_000;
        let (number, unit) = match minutes {
            ..=0 => return String::new(),
            1..=119 => (minutes, &self.minutes),
            120..=2879 => (minutes / 60, &self.hours),
            _ => (minutes / 1440, &self.days),
        };
        format!("{} {number} {unit}", self.valid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_says_everything() {
        for (tag, source) in SOURCES {
            let read = toml::from_str::<Texts>(source);
            assert!(read.is_ok(), "{tag}: {:?}", read.err());
        }
        assert_eq!(TEXTS.len(), SOURCES.len());
        for (tag, texts) in TEXTS.iter() {
            for template in TemplateType::ALL {
                let PurposeTexts { subject, instruction } = texts.purpose(template);
                assert!(!subject.trim().is_empty() && !instruction.trim().is_empty(), "{tag:?} {template:?}");
            }
        }
    }

    #[test]
    fn somebody_gets_a_language_that_they_read() {
        for (wanted, found) in [(&["de-AT"][..], "de"), (&["nl", "fr"], "fr"), (&["nl"], "en"), (&[], "en")] {
            assert_eq!(best(wanted).0.as_str(), found, "{wanted:?}");
        }
    }

    #[test]
    fn times_are_said_in_the_unit_that_fits() {
        let (_, texts) = best(&["en"]);
        for (milliseconds, said) in [
            (0, ""),
            (600_000, "Valid for 10 min"),
            (3 * 3_600_000, "Valid for 3 h"),
            (7 * 86_400_000, "Valid for 7 days"),
        ] {
            assert_eq!(texts.validity(milliseconds), said);
        }
    }
}
