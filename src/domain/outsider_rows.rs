//! The table of rows that an anonymous or merely registered caller can create or enlarge: their number and size per
//! caller and in total, their lifetime, their deletion, and the response above the limit.
//! `tests/storage/outsider_rows.rs` compares it with the schema, and `tests/experience/outsiders.rs` creates each kind
//! until it is refused.
//!
//! Every bound applies per node. The metric `claimsmith_rows_refused_total` and the sampled audit entry `Rows.Refused`
//! show that one was reached.

/// A minute in milliseconds.
const MINUTE: i64 = 60_000;
/// An hour in milliseconds.
const HOUR: i64 = 60 * MINUTE;
/// A kibibyte in bytes.
const KIB: u64 = 1 << 10;
/// A mebibyte in bytes.
const MIB: u64 = 1 << 20;

/// Maximum bytes of a stored authorization request: two texts of maximum size, and the rest.
pub const MAX_REQUEST_BYTES: usize = 12 << 10;
/// Maximum bytes of the progress of an interaction.
pub const MAX_PROGRESS_BYTES: usize = 64 << 10;
/// Maximum bytes of a user's own data: the profile and the custom data, as JSON.
pub const MAX_OWN_DATA_BYTES: usize = 64 << 10;
/// Maximum number of sessions of one user; a further one ends the least recently used.
pub const MAX_SESSIONS: usize = 100;

/// A kind of rows with a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Pushed authorization requests of public clients.
    PushedRequests,
    /// Interactions, and the sessions, grants and codes that result from them.
    Interactions,
    /// Steps of interactions: each rewrites its interaction.
    Steps,
    /// Audit entries of steps; entries above the limit are counted, and one entry records the count.
    AuditEntries,
    /// Devices that wait for a user's approval.
    DeviceCodes,
    /// Uploaded pictures that are not used yet.
    Pictures,
    /// Decoding of pictures, which stores nothing but takes time.
    PictureWork,
    /// Registrations of users.
    Registrations,
    /// Authorization codes, and the grants of them.
    Codes,
    /// Repeatedly issued tokens: by refresh tokens and personal access tokens.
    Tokens,
    /// Changes of users to their own account.
    OwnChanges,
}

/// A maximum of rows and bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Rows.
    pub rows: u64,
    /// Bytes of data that the caller chose.
    pub bytes: u64,
}

impl Bound {
    /// The bound of a network with `shares` times the share of one caller.
    #[must_use]
    pub const fn times(self, shares: u64) -> Self {
        Self { rows: self.rows * shares, bytes: self.bytes * shares }
    }
}

/// Who a bound applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A client address; of IPv6, a /64.
    Address,
    /// A user.
    User,
}

/// A kind of rows with its bounds.
#[derive(Clone, Copy, Debug)]
pub struct OutsiderRows {
    /// The kind.
    pub kind: RowKind,
    /// Its name in metrics and in the audit log.
    pub name: &'static str,
    /// The tables; rows of the later ones are created together with rows of the first one.
    pub tables: &'static [&'static str],
    /// Who the bound `each` applies to.
    pub holder: Holder,
    /// The bound of one holder within the lifetime.
    pub each: Bound,
    /// The total bound of all holders.
    pub total: Bound,
    /// Maximum bytes of one row.
    pub max_row_bytes: u64,
    /// How long a row counts, in milliseconds: until it is deleted, or the period of a rate.
    pub lifetime_ms: i64,
    /// What deletes it.
    pub deleted_by: &'static str,
    /// The response when the bound is reached.
    pub answer: &'static str,
}

/// All kinds.
pub const OUTSIDER_ROWS: [OutsiderRows; 11] = [
    OutsiderRows {
        kind: RowKind::PushedRequests,
        name: "pushed_requests",
        tables: &["pushed_requests"],
        holder: Holder::Address,
        each: Bound { rows: 600, bytes: 2 * MIB },
        total: Bound { rows: 20_000, bytes: 64 * MIB },
        max_row_bytes: MAX_REQUEST_BYTES as u64,
        lifetime_ms: 2 * MINUTE,
        deleted_by: "its response; otherwise retention, a minute after its minute or with its interaction, which counts it",
        answer: "503 temporarily_unavailable",
    },
    OutsiderRows {
        kind: RowKind::Interactions,
        name: "interactions",
        tables: &["interactions"],
        holder: Holder::Address,
        each: Bound { rows: 10_000, bytes: 48 * MIB },
        total: Bound { rows: 200_000, bytes: 512 * MIB },
        max_row_bytes: (MAX_REQUEST_BYTES + MAX_PROGRESS_BYTES) as u64,
        lifetime_ms: 2 * HOUR,
        deleted_by: "retention, an hour after it is over or has expired; its browser, which keeps eight",
        answer: "the application: temporarily_unavailable; pages and API: 503",
    },
    OutsiderRows {
        kind: RowKind::Steps,
        name: "steps",
        tables: &[
            "sign_in_attempts",
            "verification_codes",
            "messages",
            "active_days",
            "known_browsers",
            "trusted_devices",
            "sign_in_places",
        ],
        holder: Holder::Address,
        each: Bound { rows: 20_000, bytes: 32 * MIB },
        total: Bound { rows: 400_000, bytes: 256 * MIB },
        max_row_bytes: MAX_PROGRESS_BYTES as u64,
        lifetime_ms: HOUR,
        deleted_by: "retention, an hour after the row has expired; messages after webhooks.retention_days",
        answer: "503 request.too_many",
    },
    OutsiderRows {
        kind: RowKind::AuditEntries,
        name: "audit_entries",
        tables: &["logs"],
        holder: Holder::Address,
        each: Bound { rows: 3_000, bytes: 4 * MIB },
        total: Bound { rows: 100_000, bytes: 128 * MIB },
        max_row_bytes: 2 * KIB,
        lifetime_ms: HOUR,
        deleted_by: "retention, after audit.retention_days",
        answer: "none: further entries are counted, and one a minute has their count",
    },
    OutsiderRows {
        kind: RowKind::DeviceCodes,
        name: "device_codes",
        tables: &["device_authorizations"],
        holder: Holder::Address,
        each: Bound { rows: 1_000, bytes: 4 * MIB },
        total: Bound { rows: 20_000, bytes: 64 * MIB },
        max_row_bytes: MAX_REQUEST_BYTES as u64,
        lifetime_ms: HOUR + 10 * MINUTE,
        deleted_by: "retention, an hour after its ten minutes",
        answer: "503 temporarily_unavailable",
    },
    OutsiderRows {
        kind: RowKind::Pictures,
        name: "pictures",
        tables: &["avatars"],
        holder: Holder::Address,
        each: Bound { rows: 30, bytes: 4 * MIB },
        total: Bound { rows: 2_000, bytes: 128 * MIB },
        max_row_bytes: 300 * KIB,
        lifetime_ms: HOUR,
        deleted_by: "the next picture of the same person; otherwise retention, after an hour",
        answer: "503 request.too_many",
    },
    OutsiderRows {
        kind: RowKind::PictureWork,
        name: "picture_work",
        tables: &[],
        holder: Holder::Address,
        each: Bound { rows: 20, bytes: 16 * MIB },
        total: Bound { rows: 1_200, bytes: 600 * MIB },
        max_row_bytes: 0,
        lifetime_ms: 10 * MINUTE,
        deleted_by: "nothing is stored",
        answer: "503 request.too_many",
    },
    OutsiderRows {
        kind: RowKind::Registrations,
        name: "registrations",
        tables: &[
            "users",
            "user_roles",
            "user_identities",
            "sso_identities",
            "organization_users",
            "organization_user_roles",
        ],
        holder: Holder::Address,
        each: Bound { rows: 300, bytes: 4 * MIB },
        total: Bound { rows: 20_000, bytes: 128 * MIB },
        max_row_bytes: MAX_OWN_DATA_BYTES as u64,
        lifetime_ms: HOUR,
        deleted_by: "whoever administers users; the user, where the settings let them",
        answer: "503 request.too_many",
    },
    OutsiderRows {
        kind: RowKind::Codes,
        name: "codes",
        tables: &["authorization_codes", "grants", "refresh_families", "backchannel_logouts"],
        holder: Holder::Address,
        each: Bound { rows: 20_000, bytes: 32 * MIB },
        total: Bound { rows: 400_000, bytes: 512 * MIB },
        max_row_bytes: 16 * KIB,
        lifetime_ms: HOUR,
        deleted_by: "retention, an hour after the row has expired",
        answer: "the application: temporarily_unavailable",
    },
    OutsiderRows {
        kind: RowKind::Tokens,
        name: "tokens",
        tables: &["refresh_tokens", "issuances"],
        holder: Holder::User,
        each: Bound { rows: 20_000, bytes: 32 * MIB },
        total: Bound { rows: 20_000_000, bytes: 16_384 * MIB },
        max_row_bytes: KIB,
        lifetime_ms: HOUR,
        deleted_by: "retention, an hour after the row has expired; its audit entry after audit.retention_days",
        answer: "503 temporarily_unavailable",
    },
    OutsiderRows {
        kind: RowKind::OwnChanges,
        name: "own_changes",
        tables: &["verification_records", "mfa_factors", "passkeys"],
        holder: Holder::User,
        each: Bound { rows: 2_000, bytes: 8 * MIB },
        total: Bound { rows: 100_000, bytes: 512 * MIB },
        max_row_bytes: MAX_OWN_DATA_BYTES as u64,
        lifetime_ms: HOUR,
        deleted_by: "the user; verification records by retention, an hour after their ten minutes",
        answer: "503 request.too_many",
    },
];

/// Tables whose rows have another bound than a budget, with its description.
pub const BOUND_OTHERWISE: [(&str, &str); 22] = [
    ("consent_organizations", "one for each third-party application and organization of a user who consented to it"),
    ("sessions", "one for each submitted interaction; at most MAX_SESSIONS of a user"),
    ("client_assertions", "one for each assertion that a registered key signed; deleted an hour after it has expired"),
    ("hook_receivers", "created with hooks:write; anonymous callers write into hook_receiver_requests alone"),
    ("hook_receiver_requests", "the last requests of a receiver, whose URL one has to know"),
    ("events", "one for each change of a person or step; deleted when it is delivered"),
    ("deliveries", "one for each event and subscribed hook; deleted after webhooks.retention_days"),
    ("attempts", "the attempts of a delivery, which are few; deleted with it"),
    ("totals", "one count of a table"),
    ("user_blocks", "counts of users: a row for so many of them"),
    ("member_counts", "counts of members, added up by retention"),
    ("log_counts", "counts of the audit log: a row for each key"),
    ("active_day_counts", "counts of active users: a row for each day, and each number of days since they were active"),
    ("activity", "counts of a node: a row for each minute and kind, added up to hours"),
    ("hook_statistics", "counts of deliveries: a row for each hook and hour"),
    ("plugin_breakers", "one for each plugin, and for at most 200 of its applications and 200 users"),
    ("plugin_failures", "counts of failures: at most 20,000 rows of a version and 129 of a node, for its window"),
    ("plugin_calls", "counts of calls: a row for each minute, version of a plugin and node, for two hours"),
    ("plugin_samples", "as many as an operator asked to record; at most MAX_BYTES_OF_PLUGIN of a plugin"),
    ("plugin_population_differences", "of a run over all users; at most 32 MiB of a run, for a week after it"),
    (
        "plugin_rollout_counts",
        "counts of a rollout: a few hundred names for each node, as long as it is the plugin's last",
    ),
    ("plugin_rollout_samples", "at most 20 samples of each class of a rollout, for a week"),
];

/// Tables that only the server and callers with the operator's credentials write: by the Management API, the console,
/// the command line, or a client secret.
pub const NOT_REACHABLE: [&str; 60] = [
    "account_centers",
    "administrator_invitations",
    "application_access_organization_roles",
    "application_access_organizations",
    "application_access_roles",
    "application_access_users",
    "application_consent_limits",
    "application_consent_organization_resource_scopes",
    "application_consent_organization_scopes",
    "application_consent_resource_scopes",
    "application_consent_user_scopes",
    "application_roles",
    "application_secrets",
    "application_sign_in_experiences",
    "applications",
    "authorization_changes",
    "captcha_providers",
    "connectors",
    "console_confirmations",
    "console_links",
    "console_sessions",
    "custom_phrases",
    "custom_profile_fields",
    "email_templates",
    "hook_subscriptions",
    "hooks",
    "nodes",
    "one_time_tokens",
    "organization_application_roles",
    "organization_applications",
    "organization_invitation_roles",
    "organization_invitations",
    "organization_jit_email_domains",
    "organization_jit_roles",
    "organization_jit_sso_connectors",
    "organization_role_resource_scopes",
    "organization_role_scopes",
    "organization_roles",
    "organization_scopes",
    "organizations",
    "personal_access_tokens",
    "plugin_logs",
    "plugin_nodes",
    "plugin_population_runs",
    "plugin_recordings",
    "plugin_rollouts",
    "plugin_secrets",
    "plugin_versions",
    "plugins",
    "resources",
    "revisions",
    "role_scopes",
    "roles",
    "scopes",
    "settings",
    "sign_in_experiences",
    "signing_keys",
    "sso_connector_domains",
    "sso_connectors",
    "subject_tokens",
];

impl RowKind {
    /// The bounds of this kind.
    #[must_use]
    pub fn rules(self) -> &'static OutsiderRows {
        // The table is in the order of the kinds, which a test checks.
        &OUTSIDER_ROWS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_order_of_the_kinds_and_what_it_says_can_be() {
        for (index, rules) in OUTSIDER_ROWS.iter().enumerate() {
            assert_eq!(rules.kind as usize, index, "{}", rules.name);
            assert_eq!(rules.kind.rules().name, rules.name);
            assert!(rules.each.rows <= rules.total.rows && rules.each.bytes <= rules.total.bytes, "{}", rules.name);
            assert!(rules.max_row_bytes <= rules.each.bytes, "{}", rules.name);
            assert!(!rules.deleted_by.is_empty() && !rules.answer.is_empty() && rules.lifetime_ms > 0);
        }
    }
}
