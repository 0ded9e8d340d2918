//! The built-in texts of the pages in all languages. One tree for all of them: the test below finds missing and unused
//! texts, and placeholders that differ from the English ones.

pub mod tree;

use claimsmith_domain::documents::language::LanguageTag;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::LazyLock;

/// The language that every text is in.
pub(crate) const ENGLISH: &str = "en";

/// The languages, English first.
const SOURCES: [(&str, &str); 6] = [
    (ENGLISH, include_str!("en.toml")),
    ("de", include_str!("de.toml")),
    ("fr", include_str!("fr.toml")),
    ("es", include_str!("es.toml")),
    ("ja", include_str!("ja.toml")),
    ("zh", include_str!("zh.toml")),
];

/// The trees of the languages. A test checks that each can be parsed.
static TREES: LazyLock<Vec<(&str, Value)>> = LazyLock::new(|| {
    // By way of JSON: read from TOML, the texts would be compiled once for each of its kinds of tables, a megabyte in all.
    let read = |source: &str| {
        let tree: Value = toml::from_str(source).ok()?;
        serde_json::to_value(Texts::deserialize(&tree).ok()?).ok()
    };
    SOURCES.into_iter().filter_map(|(tag, source)| Some((tag, read(source)?))).collect()
});

/// The tags of the languages, English first.
pub fn languages() -> impl Iterator<Item = &'static str> {
    SOURCES.into_iter().map(|(tag, _)| tag)
}

/// The tree of a language that the server speaks.
pub fn built_in(tag: &str) -> Option<&'static Value> {
    TREES.iter().find(|(known, _)| *known == tag).map(|(_, tree)| tree)
}

/// The texts of a language that the server speaks, for pages that are made without the database.
pub(crate) fn plain(tag: &str) -> Option<Texts> {
    Texts::deserialize(built_in(tag)?).ok()
}

/// A part of the tree: texts, and parts of it.
macro_rules! parts {
    ($($(#[$about:meta])+ $name:ident { $($text:ident)* $(; $($part:ident: $kind:ident)+)? })+) => {$(
        $(#[$about])+
        #[derive(Clone, Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $(#[doc = concat!("The text `", stringify!($text), "`.")] pub $text: String,)*
            $($(#[doc = concat!("The part `", stringify!($part), "`.")] pub $part: $kind,)+)?
        }
    )+};
}

parts! {
    /// All texts.
    Texts {
        ; common: Common
        fields: Fields
        front: Front
        welcome: Welcome
        sign_in: SignIn
        register: Register
        verification_code: VerificationCode
        forgot_password: ForgotPassword
        one_time_link: OneTimeLink
        invitation: Invitation
        profile: Profile
        second_factor: SecondFactor
        passkey: Passkey
        captcha: Captcha
        enterprise: Enterprise
        consent: Consent
        choose_account: ChooseAccount
        device: Device
        account: Account
        error_page: ErrorPage
        suspended: Suspended
        form_post: FormPost
        signed_out: SignedOut
        not_found: NotFound
        mailbox: Mailbox
        errors: Errors
    }
    /// Texts with a plural.
    Counted { one other }
    /// Buttons and words of every page.
    Common {
        next back cancel close save retry or optional please_wait show_password hide_password copy copied language help
        contact_support terms_of_use privacy_policy skip_to_content
    }
    /// Labels of fields.
    Fields {
        username email phone username_or_email username_or_phone email_or_phone any_identifier password new_password
        repeat_password code backup_code name given_name family_name nickname website gender birthdate zoneinfo locale
        address
    }
    /// The start page of the server: what it is, and where its parts are.
    Front {
        title description demo demo_hint discovery discovery_hint console console_hint api api_hint status ready starting
    }
    /// For visitors who were not sent by an application.
    Welcome { title title_for_application description sign_in register }
    /// Signing in.
    SignIn {
        title title_for_application submit forgot_password no_account register use_passkey with_provider signed_in_as
    }
    /// Making an account.
    Register {
        title title_for_application submit has_account sign_in terms_link privacy_link
        ; password_hint: Counted
        agree: Agreement
        implied: Agreement
    }
    /// Agreeing to the terms and the privacy policy, or to the only one of them that there is.
    Agreement { both terms privacy }
    /// Codes that are sent.
    VerificationCode {
        title description submit resend resent use_other send use_code use_password register_by_code register_by_name
        no_account_title no_account_description
    }
    /// A forgotten password.
    ForgotPassword { title description back new_title new_description new_submit done }
    /// A link that came by email.
    OneTimeLink { title description void_title void_description }
    /// An invitation to an organization.
    Invitation { title description accept accepted_title accepted_description void_title void_description }
    /// Missing parts of a profile.
    Profile { title description description_for_application submit skip }
    /// A second factor.
    SecondFactor {
        title totp backup_code use_backup_code use_totp send_description use_email use_phone submit set_up_title
        set_up_description set_up_required set_up_code email_instead phone_instead scan qr_code key set_up_submit skip
        backup_codes_title backup_codes_description backup_codes_saved
        ; trust: Counted
    }
    /// Passkeys.
    Passkey { title description submit prove prove_submit failed needs_script use_app use_it use_instead }
    /// The captcha.
    Captcha { working needs_script failed unsupported }
    /// Signing in with one's company.
    Enterprise { link title description choose submit }
    /// Letting an application in.
    Consent {
        title description signed_in_as permissions organizations third_party destination allow deny
        ; scopes: Scopes
    }
    /// What an application may do.
    Scopes {
        openid profile email phone address identities custom_data roles groups organizations organization_roles
        sessions trusted_devices offline_access
    }
    /// The choice of an account.
    ChooseAccount { title description use_another sign_out }
    /// Signing in on a device without a keyboard.
    Device {
        title description submit confirm_title confirm_description other_network confirm deny done_title
        done_description denied_title denied_description
    }
    /// One's own account.
    Account {
        title hint saved profile_title picture picture_hint upload_picture fields_title avatar change_username password_description current_password change_password
        addresses_title nothing remove factors_title authenticator backup_codes since factor_name add_authenticator
        replace_authenticator get_codes new_codes identities_title sessions_title this_device device unknown_device
        session_details end_others applications_title revoke acted_title acted_description acted_nobody acted_through
        somebody reason ticket period end over data_title data_description download delete_title delete_description
        delete_submit prove_description prove_by_sign_in change_email add_email change_phone add_phone new_address link
        passkey passkey_name add_passkey prove_by_code send_to devices_title devices_description device_details
        end_devices last_way_in last_administrator not_allowed gone already_linked
        ; codes_left: Counted
    }
    /// Errors that do not belong to a form.
    ErrorPage {
        title description expired_title expired_description invalid_title invalid_description reference
        code back_to_application
    }
    /// A suspended account.
    Suspended { title description }
    /// The return to an application with `response_mode=form_post`.
    FormPost { description }
    /// After signing out, and before.
    SignedOut { title description sign_in_again confirm_title confirm_description confirm }
    /// An address without a page.
    NotFound { title description home }
    /// Messages of a demo server.
    Mailbox { title description closed open empty text_message follow over }
    /// Errors of inputs.
    Errors {
        required wrong_credentials wrong_password wrong_code expired_code username_taken email_taken phone_taken
        elsewhere_denied elsewhere_failed no_company
        picture_too_large not_a_picture field_required field_invalid username_characters
        username_format email_format phone_format url_format date_format passwords_differ agreement_required suspended
        registration_closed sign_in_closed not_a_member too_many_requests unexpected address_blocked too_many_codes
        too_many_tries no_codes no_account password_expired
        ; username_too_short: Counted
        username_too_long: Counted
        locked: Counted
        password: PasswordErrors
    }
    /// What is wrong with a new password.
    PasswordErrors {
        unsupported_characters common repetition sequence user_info words expired same
        ; too_short: Counted
        too_long: Counted
        character_types: Counted
    }
}

impl Counted {
    /// The text for a number.
    #[must_use]
    pub fn of(&self, count: usize, language: &LanguageTag) -> &str {
        let is_one = match language.as_str().split('-').next() {
            Some("fr" | "pt") => count < 2,
            _ => count == 1,
        };
        if is_one { &self.one } else { &self.other }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use claimsmith_domain::documents::language;
    use std::collections::BTreeMap;

    /// Every text by its path.
    fn texts(tree: &Value, path: &str, found: &mut BTreeMap<String, String>) {
        match tree {
            Value::Object(members) => {
                members.iter().for_each(|(name, part)| texts(part, &format!("{path}.{name}"), found));
            }
            text => assert!(found.insert(path.to_owned(), text.as_str().unwrap().to_owned()).is_none()),
        }
    }

    #[test]
    fn every_language_says_everything_with_the_same_placeholders() {
        for (tag, source) in SOURCES {
            let read = toml::from_str::<Texts>(source);
            assert!(read.is_ok(), "{tag}: {:?}", read.err());
        }
        let (mut english, mut count) = (BTreeMap::new(), 0);
        texts(built_in("en").unwrap(), "", &mut english);
        for tag in languages() {
            let mut own = BTreeMap::new();
            texts(built_in(tag).unwrap(), "", &mut own);
            assert!(own.keys().eq(english.keys()), "{tag}");
            for (path, text) in &own {
                assert!(!text.trim().is_empty() && text.trim() == text, "{tag}{path}: {text:?}");
                let placeholders = |text| tree::placeholders(text).collect::<std::collections::BTreeSet<_>>();
                assert_eq!(placeholders(text), placeholders(&english[path]), "{tag}{path}: {text:?}");
                count += 1;
            }
        }
        assert!(english.len() > 150 && count == english.len() * SOURCES.len(), "{count}");
    }

    #[test]
    fn the_languages_are_those_of_messages() {
        assert!(languages().eq(language::BUILT_IN));
    }

    #[test]
    fn a_number_chooses_its_text() {
        let texts = plain(ENGLISH).unwrap();
        let counted = &texts.errors.locked;
        for (tag, count, is_one) in [("en", 1, true), ("en", 0, false), ("fr-CA", 0, true), ("de", 2, false)] {
            let tag = LanguageTag::try_from(tag.to_owned()).unwrap();
            let expected = if is_one { &counted.one } else { &counted.other };
            assert_eq!(counted.of(count, &tag), expected, "{tag:?} {count}");
        }
    }
}
