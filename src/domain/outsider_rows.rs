//! The rows that an anonymous or merely registered caller can create or enlarge, in one table: how many and how large they
//! may be for each caller and in all, how long they are kept, who deletes them, and what the caller is answered beyond
//! that. `tests/storage/outsider_rows.rs` compares it with the schema, and `tests/experience/outsiders.rs` creates each kind
//! until it is refused.
//!
//! Every bound is one of a node. The metric `claimsmith_rows_refused_total` and the audit entry `Rows.Refused`, which is
//! sampled, tell the operator that one was reached.

/// Milliseconds of a minute.
const MINUTE: i64 = 60_000;
/// Milliseconds of an hour.
const HOUR: i64 = 60 * MINUTE;
/// Bytes of a kibibyte.
const KIB: u64 = 1 << 10;
/// Bytes of a mebibyte.
const MIB: u64 = 1 << 20;

/// The audit key of the entries that say that a bound was reached.
pub const REFUSED: &str = "Rows.Refused";
/// The most bytes of an authorization request as it is stored: two texts of the most bytes, and the rest.
pub const MAX_REQUEST_BYTES: usize = 12 << 10;
/// The most bytes of what was done in an interaction.
pub const MAX_PROGRESS_BYTES: usize = 64 << 10;
/// The most bytes of what people write about themselves: their profile and the data of the integrator, as JSON.
pub const MAX_OWN_DATA_BYTES: usize = 64 << 10;
/// The most sessions of one user; whoever begins another one ends the one that was used longest ago.
pub const MAX_SESSIONS: usize = 100;

/// A kind of rows with a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Authorization requests that public clients send ahead.
    PushedRequests,
    /// Interactions, and the sessions, grants and codes that come of them.
    Interactions,
    /// Steps of interactions: each writes its interaction anew.
    Steps,
    /// Audit entries of steps; those beyond are counted, and one entry has the count.
    AuditEntries,
    /// Devices that wait for somebody to let them in.
    DeviceCodes,
    /// Pictures that were uploaded and not chosen yet.
    Pictures,
    /// Decoding pictures, which stores nothing and takes time.
    PictureWork,
    /// People who register.
    Registrations,
    /// Authorization codes, and the grants that they come with.
    Codes,
    /// Tokens that somebody gets again and again: by refresh tokens and personal access tokens.
    Tokens,
    /// What people do to their own account.
    OwnChanges,
}

/// So many rows, and so many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Rows.
    pub rows: u64,
    /// Bytes of what the caller chose.
    pub bytes: u64,
}

impl Bound {
    /// The bound of a network that may have so many times what one caller may.
    #[must_use]
    pub const fn times(self, shares: u64) -> Self {
        Self { rows: self.rows * shares, bytes: self.bytes * shares }
    }
}

/// Whom a bound holds for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A client address; of IPv6, a /64.
    Address,
    /// A user.
    User,
}

/// A kind of rows, with everything that bounds it.
#[derive(Clone, Copy, Debug)]
pub struct OutsiderRows {
    /// Which.
    pub kind: RowKind,
    /// Its name in metrics and in the audit log.
    pub name: &'static str,
    /// The tables that it is about; rows of the later ones come with rows of the first one.
    pub tables: &'static [&'static str],
    /// Whom the first bound is of.
    pub holder: Holder,
    /// How much one of them has within the lifetime.
    pub each: Bound,
    /// How much all of them have.
    pub total: Bound,
    /// The most bytes of one row.
    pub max_row_bytes: u64,
    /// How long a row counts, in milliseconds: until it is deleted, or the time in which so many are written.
    pub lifetime_ms: i64,
    /// What deletes it.
    pub deleted_by: &'static str,
    /// What the caller is answered when the bound is reached.
    pub answer: &'static str,
}

/// All of them.
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
        deleted_by: "its use; otherwise retention, a minute after its minute",
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

/// Tables whose rows have another bound than a budget, with what it is.
pub const BOUND_OTHERWISE: [(&str, &str); 12] = [
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
    ("activity", "counts of a node: a row for each minute and kind, added up to hours"),
    ("hook_statistics", "counts of deliveries: a row for each hook and hour"),
];

/// Tables into which only callers with credentials of the operator write: by the Management API, the console, the command
/// line, a client's secret, or the server itself.
pub const NOT_REACHABLE: [&str; 43] = [
    "account_centers",
    "application_roles",
    "application_secrets",
    "application_sign_in_experiences",
    "applications",
    "authorization_changes",
    "captcha_providers",
    "connectors",
    "console_links",
    "console_sessions",
    "custom_phrases",
    "custom_profile_fields",
    "email_templates",
    "hooks",
    "nodes",
    "one_time_tokens",
    "organization_application_roles",
    "organization_applications",
    "organization_invitation_roles",
    "organization_invitations",
    "organization_jit_email_domains",
    "organization_jit_roles",
    "organization_role_resource_scopes",
    "organization_role_scopes",
    "organization_roles",
    "organization_scopes",
    "organizations",
    "personal_access_tokens",
    "plugin_logs",
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
    /// What bounds it.
    #[must_use]
    pub fn rules(self) -> &'static OutsiderRows {
        // The table has the order of the kinds, which a test checks.
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
