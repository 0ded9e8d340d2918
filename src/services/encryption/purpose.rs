//! What the encryption key is used for: one line for every kind of ciphertext and of keyed hash. A secret is bound to
//! its purpose, so that a ciphertext of one never decrypts as another. Where each is stored, and how long the previous
//! key must be kept for it, is in `src/identity/rekey/columns.rs`: the compiler requires a line there for each one
//! here.

macro_rules! purposes {
    ($($(#[$doc:meta])* $purpose:ident = $name:literal),* $(,)?) => {
        /// The purpose of a ciphertext or keyed hash.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Purpose {
            $($(#[$doc])* $purpose,)*
        }

        impl Purpose {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$purpose),*];

            /// The name that is part of the associated data of a ciphertext, and of the input of a keyed hash. It never
            /// changes.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$purpose => $name,)*
                }
            }
        }
    };
}

purposes! {
    /// Private signing keys.
    SigningKey = "signing_keys",
    /// Secrets of plugins, by plugin and name.
    PluginSecret = "plugin_secrets",
    /// Keys of the pseudonyms of recordings of plugins.
    RecordingKey = "plugin_recordings",
    /// Recorded calls of plugins.
    PluginSample = "plugin_samples",
    /// The table of a run over all users (`ID/results`), and the key of its pseudonyms (`ID/key`).
    PopulationRun = "plugin_population_runs",
    /// Differences that such a run found.
    PopulationDifference = "plugin_population_differences",
    /// Samples of rollouts, redacted.
    RolloutSample = "plugin_rollout_samples",
    /// Signing keys of hooks, also replaced ones that still sign.
    HookKey = "hooks",
    /// Secrets of authenticator apps and hashes of backup codes, also while they are being set up.
    MfaFactor = "mfa_factors",
    /// The configuration of the captcha provider.
    CaptchaProvider = "captcha_providers",
    /// Configurations of connectors.
    Connector = "connectors",
    /// Configurations of enterprise connectors.
    SsoConnector = "sso_connectors",
    /// Codes and links of queued messages.
    Message = "messages",
    /// Nonce and code verifier of a sign-in at an upstream, of an interaction.
    Interaction = "interactions",
    /// The same, of an account that is being linked.
    VerificationRecord = "verification_records",
    /// Tokens of the links of invitations. Earlier versions derived them from a keyed hash.
    Invitation = "organization_invitations",
    /// Keys of families of refresh tokens.
    RefreshFamily = "refresh_families",
    /// Hashes of verification codes.
    VerificationCode = "verification_codes",
    /// Hashes of networks and countries that users signed in from.
    SignInPlace = "sign_in_places",
    /// A sign-in at the console in progress, in a cookie.
    ConsoleSignIn = "console sign-in",
    /// The seal of the console's cookie, which proves that a session existed.
    ConsoleCookie = "console cookie",
    /// The CSRF tokens of the console's forms.
    ConsoleForm = "console_sessions",
    /// An action of the console that waits for a confirmation, in a form.
    ConsoleAction = "console action",
    /// Proof-of-work puzzles of the captcha.
    CaptchaPuzzle = "captcha_puzzles",
    /// Nonce and code verifier of an account that a backend links.
    BackendLink = "connector_authorizations",
    /// The proof in a request of `claimsmith doctor` that it comes from the operator of the server.
    DoctorProbe = "doctor probe",
    /// Credential ids for users without a passkey.
    PasskeyDecoys = "passkeys",
}

#[cfg(test)]
mod tests {
    use super::Purpose;
    use std::collections::HashSet;

    #[test]
    fn no_two_purposes_have_the_same_name() {
        let names: HashSet<_> = Purpose::ALL.iter().map(|purpose| purpose.name()).collect();
        assert_eq!(names.len(), Purpose::ALL.len());
    }
}
