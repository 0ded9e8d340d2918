//! Everything that depends on the encryption key, one line each: encrypted columns, which `claimsmith keys rekey`
//! encrypts again; the column with keyed hashes, which need the previous key; and what is stored outside of the
//! database.

use claimsmith_services::encryption::Purpose;
use claimsmith_storage::encrypted::EncryptedColumn;
use serde_json::Value;

/// A column, and the ciphertexts of one purpose in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SecretColumn {
    /// The column.
    pub(crate) stored: EncryptedColumn,
    /// Finds the ciphertexts in a document; `None` if the value itself is the ciphertext, bound to its own row.
    pub(super) inside: Option<fn(&str, &Value) -> Vec<EmbeddedCiphertext>>,
}

/// A ciphertext in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EmbeddedCiphertext {
    /// The row that it is bound to.
    pub(super) row: String,
    /// The ciphertext.
    pub(super) sealed: String,
}

/// Where the data of a purpose that depends on the encryption key is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SecretLocation {
    /// In these columns, encrypted; rekeying encrypts it again.
    Encrypted(&'static [SecretColumn]),
    /// In this column, as a hash that cannot be recomputed without the secret: it is verified under the previous key
    /// until it expires.
    Digested {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
    },
    /// Outside of the database, in a browser, a backend or a message: verified or decrypted under the previous key for
    /// this long, in milliseconds.
    Outside(i64),
    /// Nowhere: derived from the current key when needed. A new key changes the value.
    Derived,
}

/// Where the data of a purpose is stored.
pub(crate) fn secret_location(purpose: Purpose) -> SecretLocation {
    match purpose {
        Purpose::SigningKey => SecretLocation::Encrypted(const { &[text("signing_keys", "kid", "sealed_private")] }),
        Purpose::PluginSecret => {
            SecretLocation::Encrypted(const { &[text("plugin_secrets", "plugin_name || '/' || name", "sealed")] })
        }
        Purpose::RecordingKey => SecretLocation::Encrypted(const { &[text("plugin_recordings", "id", "sealed_key")] }),
        Purpose::PluginSample => SecretLocation::Encrypted(const { &[text("plugin_samples", "id", "sealed")] }),
        Purpose::PopulationRun => SecretLocation::Encrypted(
            const {
                &[
                    text("plugin_population_runs", "id || '/key'", "sealed_key"),
                    text("plugin_population_runs", "id || '/results'", "sealed_results"),
                ]
            },
        ),
        Purpose::PopulationDifference => {
            SecretLocation::Encrypted(const { &[text("plugin_population_differences", "id", "sealed")] })
        }
        Purpose::RolloutSample => {
            SecretLocation::Encrypted(const { &[text("plugin_rollout_samples", "id", "sealed")] })
        }
        Purpose::HookKey => SecretLocation::Encrypted(
            const { &[text("hooks", "id", "signing_key"), document("hooks", "previous_keys", replaced_keys)] },
        ),
        Purpose::MfaFactor => SecretLocation::Encrypted(
            const { &[text("mfa_factors", "id", "sealed"), document("interactions", "state", staged_factors)] },
        ),
        Purpose::CaptchaProvider => SecretLocation::Encrypted(const { &[text("captcha_providers", "id", "config")] }),
        Purpose::Connector => SecretLocation::Encrypted(const { &[text("connectors", "id", "config")] }),
        Purpose::SsoConnector => SecretLocation::Encrypted(const { &[text("sso_connectors", "id", "config")] }),
        Purpose::Message => SecretLocation::Encrypted(const { &[text("messages", "id", "contents")] }),
        Purpose::Interaction => {
            SecretLocation::Encrypted(const { &[document("interactions", "state", awaited_by_interaction)] })
        }
        Purpose::VerificationRecord => {
            SecretLocation::Encrypted(const { &[document("verification_records", "details", awaited_by_record)] })
        }
        Purpose::Invitation => {
            SecretLocation::Encrypted(const { &[text("organization_invitations", "id", "sealed_token")] })
        }
        Purpose::RefreshFamily => {
            SecretLocation::Encrypted(const { &[text("refresh_families", "id", "encrypted_key")] })
        }
        Purpose::VerificationCode => SecretLocation::Digested { table: "verification_codes", column: "digest" },
        // Those of `claimsmith doctor` are sent at once.
        Purpose::ConsoleSignIn | Purpose::ConsoleAction | Purpose::DoctorProbe => {
            SecretLocation::Outside(10 * MINUTE_MS)
        }
        // The lifetime of a console session.
        Purpose::ConsoleForm | Purpose::ConsoleCookie => SecretLocation::Outside(12 * 60 * MINUTE_MS),
        Purpose::CaptchaPuzzle => SecretLocation::Outside(5 * MINUTE_MS),
        // After a change of the key, the backend has to begin again, and places of users are new once.
        Purpose::BackendLink | Purpose::PasskeyDecoys | Purpose::SignInPlace => SecretLocation::Derived,
    }
}

const MINUTE_MS: i64 = 60_000;

const fn text(table: &'static str, key: &'static str, column: &'static str) -> SecretColumn {
    SecretColumn { stored: EncryptedColumn { table, key, column, is_document: false }, inside: None }
}

const fn document(
    table: &'static str,
    column: &'static str,
    inside: fn(&str, &Value) -> Vec<EmbeddedCiphertext>,
) -> SecretColumn {
    SecretColumn { stored: EncryptedColumn { table, key: "id", column, is_document: true }, inside: Some(inside) }
}

fn found(row: impl Into<String>, sealed: &Value) -> Option<EmbeddedCiphertext> {
    Some(EmbeddedCiphertext { row: row.into(), sealed: sealed.as_str()?.to_owned() })
}

/// Replaced keys of a hook that still sign.
fn replaced_keys(hook: &str, keys: &Value) -> Vec<EmbeddedCiphertext> {
    keys.as_array().into_iter().flatten().filter_map(|key| found(hook, key.get("key")?)).collect()
}

/// Second factors under setup, anywhere in the state of an interaction.
fn staged_factors(_: &str, state: &Value) -> Vec<EmbeddedCiphertext> {
    fn staged(value: &Value) -> Vec<EmbeddedCiphertext> {
        match value {
            Value::Object(members) => {
                let own = || found(members.get("id")?.as_str()?, members.get("sealed")?);
                own().into_iter().chain(members.values().flat_map(staged)).collect()
            }
            Value::Array(values) => values.iter().flat_map(staged).collect(),
            _ => Vec::new(),
        }
    }
    staged(state)
}

/// Callbacks of upstreams that an interaction waits for.
fn awaited_by_interaction(interaction: &str, state: &Value) -> Vec<EmbeddedCiphertext> {
    let verifications = state.get("verifications").and_then(Value::as_array);
    let awaited = |verification: &Value| {
        let row = format!("{interaction}/{}", verification.get("id")?.as_str()?);
        found(row, verification.get("pending")?.get("secrets")?)
    };
    verifications.into_iter().flatten().filter_map(awaited).collect()
}

/// The callback of an upstream that a verification record waits for.
fn awaited_by_record(record: &str, details: &Value) -> Vec<EmbeddedCiphertext> {
    let awaited = || found(record, details.get("social")?.get("pending")?.get("secrets")?);
    awaited().into_iter().collect()
}
