//! MFA policy: who must provide a second factor at sign-in, who is asked to set one up, and who may skip that.

use super::interaction::InteractionEvent;
use crate::documents::mfa::FactorType;
use crate::documents::sign_in_experience::factors::{Mfa, MfaPolicy, OrganizationMfaPolicy};
use crate::documents::sign_in_experience::methods::Channel;
use crate::documents::user_settings::MfaSettings;

/// The facts that the rules depend on.
#[derive(Clone, Debug)]
pub struct MfaContext<'a> {
    /// The settings of sign-in.
    pub settings: &'a Mfa,
    /// Sign-in or registration.
    pub event: InteractionEvent,
    /// The factors that the user has; backup codes only while some are left.
    pub had: Vec<FactorType>,
    /// The factors that the user set up in this interaction.
    pub added: Vec<FactorType>,
    /// The user's MFA settings, from this interaction or before.
    pub chosen: MfaSettings,
    /// Whether an organization of the user requires a second factor of its members.
    pub organization_asks: bool,
    /// Whether the application requests a second factor ([`super::authorization::acr`]).
    pub is_step_up: bool,
    /// Where second factors are asked for by risk: whether the sign-in is unusual.
    pub is_unusual: Option<bool>,
}

/// What the user still has to set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToSetUp {
    /// The user is offered to set up one of these.
    Suggested(Vec<FactorType>),
    /// The user must set up one of these.
    Missing {
        /// The available factors.
        available: Vec<FactorType>,
        /// Whether the user may skip it.
        skippable: bool,
    },
    /// The user must generate backup codes.
    BackupCodes,
}

impl MfaContext<'_> {
    /// Whether a second factor is mandatory, by the policy or by an organization.
    #[must_use]
    pub fn is_mandatory(&self) -> bool {
        self.settings.policy.is_mandatory_prompt() || self.is_always_mandatory()
    }

    /// The same, however usual a sign-in is.
    fn is_always_mandatory(&self) -> bool {
        self.settings.policy == MfaPolicy::Mandatory || self.is_asked_by_organization()
    }

    /// Whether the settings enable this type.
    #[must_use]
    pub fn is_enabled(&self, kind: FactorType) -> bool {
        self.settings.factors.contains(&kind.setting())
    }

    /// The factors of which the user must provide one; empty if none is needed. Backup codes alone do not count. If the
    /// policy leaves it to users, they may have opted out, unless the application requests a second factor. Where second
    /// factors are asked for by risk, usual sign-ins need none, and opting out has no effect on unusual ones.
    #[must_use]
    pub fn to_verify(&self) -> Vec<FactorType> {
        let is_exempt = match self.is_unusual {
            _ if self.is_step_up => false,
            Some(is_unusual) => !is_unusual && !self.is_always_mandatory(),
            None => self.chosen.skip_mfa_on_sign_in && !self.is_mandatory(),
        };
        if self.event != InteractionEvent::SignIn || is_exempt || !self.has_factor(&self.had) {
            return Vec::new();
        }
        FactorType::ALL.into_iter().filter(|kind| self.had.contains(kind) && self.is_enabled(*kind)).collect()
    }

    /// What the user still has to set up.
    #[must_use]
    pub fn to_set_up(&self) -> Option<ToSetUp> {
        let all: Vec<FactorType> = self.had.iter().chain(&self.added).copied().collect();
        if self.has_factor(&all) {
            let lacks_codes = self.is_enabled(FactorType::BackupCode) && !all.contains(&FactorType::BackupCode);
            return lacks_codes.then_some(ToSetUp::BackupCodes);
        }
        if self.settings.factors.is_empty() {
            return None;
        }
        let available: Vec<FactorType> =
            FactorType::ALL.into_iter().filter(|kind| kind.stands_alone() && self.is_enabled(*kind)).collect();
        if self.is_asked_by_organization() {
            return Some(ToSetUp::Missing { available, skippable: false });
        }
        let is_registration = self.event == InteractionEvent::Register;
        match self.settings.policy {
            MfaPolicy::NoPrompt => None,
            MfaPolicy::PromptOnlyAtSignIn | MfaPolicy::PromptOnlyAtSignInMandatory if is_registration => None,
            MfaPolicy::Mandatory
            | MfaPolicy::PromptAtSignInAndSignUpMandatory
            | MfaPolicy::PromptOnlyAtSignInMandatory => Some(ToSetUp::Missing { available, skippable: false }),
            MfaPolicy::UserControlled | MfaPolicy::PromptOnlyAtSignIn | MfaPolicy::PromptAtSignInAndSignUp => {
                match self.chosen.enabled {
                    // The user skipped it, or there is nothing to set up.
                    _ if self.chosen.skipped || available.is_empty() => None,
                    Some(true) => Some(ToSetUp::Missing { available, skippable: true }),
                    _ => Some(ToSetUp::Suggested(available)),
                }
            }
        }
    }

    /// The factors to suggest to a user who registers and whose only factors are codes to an address that registration
    /// asks for (`is_asked`): all that are available, if the user lacks one. Empty if there is nothing to suggest.
    #[must_use]
    pub fn to_suggest(&self, is_asked: impl Fn(Channel) -> bool) -> Vec<FactorType> {
        let prompts = self.is_asked_by_organization()
            || match self.settings.policy {
                MfaPolicy::Mandatory | MfaPolicy::PromptAtSignInAndSignUpMandatory => true,
                MfaPolicy::UserControlled | MfaPolicy::PromptAtSignInAndSignUp => !self.chosen.skipped,
                MfaPolicy::NoPrompt | MfaPolicy::PromptOnlyAtSignIn | MfaPolicy::PromptOnlyAtSignInMandatory => false,
            };
        let all: Vec<FactorType> = self.had.iter().chain(&self.added).copied().collect();
        let are_codes = all.iter().all(|kind| kind.channel().is_some_and(&is_asked));
        let is_declined = self.chosen.additional_binding_suggestion_skipped;
        if self.event != InteractionEvent::Register || !prompts || is_declined || !are_codes || !self.has_factor(&all) {
            return Vec::new();
        }
        let available: Vec<FactorType> =
            FactorType::ALL.into_iter().filter(|kind| kind.stands_alone() && self.is_enabled(*kind)).collect();
        if available.iter().all(|kind| all.contains(kind)) { Vec::new() } else { available }
    }

    /// Whether one of these is enabled and counts as a factor on its own.
    #[must_use]
    pub fn has_factor(&self, kinds: &[FactorType]) -> bool {
        kinds.iter().any(|kind| kind.stands_alone() && self.is_enabled(*kind))
    }

    fn is_asked_by_organization(&self) -> bool {
        let policy = self.settings.organization_required_mfa_policy;
        self.organization_asks && policy == Some(OrganizationMfaPolicy::Mandatory)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    fn settings(policy: &str, factors: &[&str]) -> Mfa {
        serde_json::from_value(json!({ "policy": policy, "factors": factors })).unwrap()
    }

    fn mfa_context<'a>(settings: &'a Mfa, had: &[FactorType]) -> MfaContext<'a> {
        MfaContext {
            settings,
            event: InteractionEvent::SignIn,
            had: had.to_vec(),
            added: Vec::new(),
            chosen: MfaSettings::default(),
            organization_asks: false,
            is_step_up: false,
            is_unusual: None,
        }
    }

    const BOTH: [FactorType; 2] = [FactorType::Totp, FactorType::BackupCode];

    #[test]
    fn each_policy_asks_whom_its_name_says() {
        // Prompt at sign-in and at registration: none, skippable, or mandatory.
        for (policy, at_sign_in, at_registration) in [
            ("NoPrompt", None, None),
            ("UserControlled", Some(true), Some(true)),
            ("PromptAtSignInAndSignUp", Some(true), Some(true)),
            ("PromptOnlyAtSignIn", Some(true), None),
            ("Mandatory", Some(false), Some(false)),
            ("PromptAtSignInAndSignUpMandatory", Some(false), Some(false)),
            ("PromptOnlyAtSignInMandatory", Some(false), None),
        ] {
            let settings = settings(policy, &["Totp", "BackupCode"]);
            for (event, skippable) in
                [(InteractionEvent::SignIn, at_sign_in), (InteractionEvent::Register, at_registration)]
            {
                let mut context = MfaContext { event, ..mfa_context(&settings, &[]) };
                let available = vec![FactorType::Totp];
                let first = skippable.map(|skippable| {
                    if skippable {
                        ToSetUp::Suggested(available.clone())
                    } else {
                        ToSetUp::Missing { available: available.clone(), skippable }
                    }
                });
                assert_eq!(context.to_set_up(), first, "{policy} {event:?}");
                context.chosen.enabled = Some(true);
                let wanted = skippable.map(|skippable| ToSetUp::Missing { available: available.clone(), skippable });
                assert_eq!(context.to_set_up(), wanted, "{policy} {event:?}");
                context.chosen.skipped = true;
                let is_left = skippable == Some(false);
                assert_eq!(context.to_set_up().is_some(), is_left, "{policy} {event:?}");
                assert_eq!(context.to_verify(), []);
            }
        }
    }

    #[test]
    fn who_has_a_factor_proves_it() {
        for policy in ["NoPrompt", "UserControlled", "Mandatory"] {
            let settings = settings(policy, &["Totp", "BackupCode"]);
            let mut context = mfa_context(&settings, &BOTH);
            assert_eq!((context.to_verify(), context.to_set_up()), (BOTH.to_vec(), None), "{policy}");
            context.chosen.skip_mfa_on_sign_in = true;
            assert_eq!(context.to_verify().is_empty(), policy != "Mandatory", "{policy}");
            context.is_step_up = true;
            assert_eq!(context.to_verify(), BOTH, "{policy}");
            // Backup codes alone are not a factor.
            context = self::mfa_context(&settings, &[FactorType::BackupCode]);
            assert_eq!(context.to_verify(), []);
            context.event = InteractionEvent::Register;
            assert_eq!(context.to_verify(), []);
        }
        // Disabled factors are not required.
        let off = settings("UserControlled", &[]);
        assert_eq!((mfa_context(&off, &BOTH).to_verify(), mfa_context(&off, &BOTH).to_set_up()), (vec![], None));
        let without_codes = settings("UserControlled", &["Totp"]);
        assert_eq!(mfa_context(&without_codes, &BOTH).to_verify(), [FactorType::Totp]);
    }

    #[test]
    fn by_risk_usual_sign_ins_need_no_factor_and_unusual_ones_always_do() {
        let prompt = settings("PromptOnlyAtSignInMandatory", &["Totp", "BackupCode"]);
        let mut context = mfa_context(&prompt, &BOTH);
        assert_eq!(context.to_verify(), BOTH);
        context.is_unusual = Some(false);
        assert_eq!(context.to_verify(), []);
        context.is_step_up = true;
        assert_eq!(context.to_verify(), BOTH);
        (context.is_step_up, context.is_unusual, context.chosen.skip_mfa_on_sign_in) = (false, Some(true), true);
        assert_eq!(context.to_verify(), BOTH);
        // Whoever has no factor has to set one up, however usual the sign-in is.
        (context.had, context.is_unusual) = (vec![], Some(false));
        assert!(matches!(context.to_set_up(), Some(ToSetUp::Missing { skippable: false, .. })));
        let always = settings("Mandatory", &["Totp"]);
        assert_eq!(
            MfaContext { is_unusual: Some(false), ..mfa_context(&always, &BOTH) }.to_verify(),
            [FactorType::Totp]
        );
        let mut asked = prompt.clone();
        asked.organization_required_mfa_policy = Some(OrganizationMfaPolicy::Mandatory);
        let context = MfaContext { organization_asks: true, is_unusual: Some(false), ..mfa_context(&asked, &BOTH) };
        assert_eq!(context.to_verify(), BOTH);
    }

    #[test]
    fn a_further_factor_is_suggested_to_who_registers_with_an_address() {
        const CODES: FactorType = FactorType::EmailVerificationCode;
        let both = vec![FactorType::Totp, CODES];
        let suggested = |policy: &str, change: fn(&mut MfaContext<'_>)| {
            let settings = settings(policy, &["EmailVerificationCode", "Totp", "BackupCode"]);
            let mut context = MfaContext { event: InteractionEvent::Register, ..mfa_context(&settings, &[CODES]) };
            change(&mut context);
            context.to_suggest(|channel| channel == Channel::Email)
        };
        for policy in ["Mandatory", "PromptAtSignInAndSignUpMandatory", "UserControlled", "PromptAtSignInAndSignUp"] {
            assert_eq!(suggested(policy, |_| {}), both, "{policy}");
        }
        for policy in ["NoPrompt", "PromptOnlyAtSignIn", "PromptOnlyAtSignInMandatory"] {
            assert_eq!(suggested(policy, |_| {}), [], "{policy}");
        }
        assert_eq!(suggested("Mandatory", |context| context.event = InteractionEvent::SignIn), []);
        assert_eq!(suggested("Mandatory", |context| context.added = vec![FactorType::Totp]), []);
        assert_eq!(suggested("Mandatory", |context| context.had = vec![FactorType::PhoneVerificationCode]), []);
        assert_eq!(suggested("Mandatory", |context| context.had = vec![]), []);
        assert_eq!(suggested("Mandatory", |context| context.chosen.skipped = true), both);
        assert_eq!(suggested("UserControlled", |context| context.chosen.skipped = true), []);
        let declined = |context: &mut MfaContext<'_>| context.chosen.additional_binding_suggestion_skipped = true;
        assert_eq!(suggested("Mandatory", declined), []);
    }

    #[test]
    fn backup_codes_go_with_a_factor() {
        let with = settings("NoPrompt", &["Totp", "BackupCode"]);
        let mut context = mfa_context(&with, &[FactorType::Totp]);
        assert_eq!(context.to_set_up(), Some(ToSetUp::BackupCodes));
        context.added = vec![FactorType::BackupCode];
        assert_eq!(context.to_set_up(), None);
        (context.had, context.added) = (vec![], BOTH.to_vec());
        assert_eq!(context.to_set_up(), None);
    }

    #[test]
    fn an_organization_asks_its_members() {
        let mut settings = settings("NoPrompt", &["Totp"]);
        for (policy, asks) in [
            (None, false),
            (Some(OrganizationMfaPolicy::NoPrompt), false),
            (Some(OrganizationMfaPolicy::Mandatory), true),
        ] {
            settings.organization_required_mfa_policy = policy;
            let mut context = MfaContext { organization_asks: true, ..mfa_context(&settings, &[]) };
            (context.chosen.skipped, context.chosen.skip_mfa_on_sign_in) = (true, true);
            assert_eq!(context.to_set_up().is_some(), asks, "{policy:?}");
            assert_eq!(context.is_mandatory(), asks);
            context.had = vec![FactorType::Totp];
            assert_eq!(context.to_verify().is_empty(), !asks);
        }
    }
}
