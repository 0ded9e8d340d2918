//! New subject tokens, as the group commit writes them: what their creation depended on is compared in its transaction.

use claimsmith_storage::audit::StoredAuditEntry;
use claimsmith_storage::issuing::LockedDependencies;
use claimsmith_storage::issuing::subject_tokens::SubjectToken;

/// A new subject token, with its audit entry.
#[derive(Debug)]
pub struct NewSubjectToken {
    /// Its row.
    pub token: SubjectToken,
    /// The audit entry of its creation.
    pub log: StoredAuditEntry,
    /// What its user was checked by; `None` if it may be for any user.
    pub checked: Option<CheckedUser>,
}

/// The state by which it was decided that somebody may act for a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedUser {
    /// The authorization revision.
    pub revision: i64,
    /// The revision of the user.
    pub user_revision: i64,
}

/// The result of writing a subject token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectTokenWritten {
    /// It is durable.
    Committed,
    /// What its user was checked by has changed: check again.
    Stale,
    /// There is no such user.
    UnknownUser,
}

impl NewSubjectToken {
    /// Whether it may be written, by what the transaction has locked.
    pub(super) fn check(&self, held: &LockedDependencies) -> SubjectTokenWritten {
        let Some(revision) = held.known_users.get(&self.token.user_id) else {
            return SubjectTokenWritten::UnknownUser;
        };
        let now = CheckedUser { revision: held.revision, user_revision: *revision };
        if self.checked.is_none_or(|checked| checked == now) {
            SubjectTokenWritten::Committed
        } else {
            SubjectTokenWritten::Stale
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::audit::Entry;
    use claimsmith_domain::audit_key::AuditKey;
    use serde_json::json;

    fn new(checked: Option<CheckedUser>) -> NewSubjectToken {
        let token = SubjectToken {
            id: "id".into(),
            hash: "hash".to_owned(),
            user_id: "user".into(),
            context: json!({}).into(),
            creator_id: "backend".to_owned(),
            created_at: 1,
            expires_at: 2,
            consumed_at: None,
        };
        let log = Entry::success(AuditKey::ManagementSubjectTokenCreate, json!({})).at(1).unwrap();
        NewSubjectToken { token, log, checked }
    }

    #[test]
    fn what_the_user_was_checked_by_is_compared_again() {
        let checked = CheckedUser { revision: 7, user_revision: 3 };
        let held = |revision, user_revision| LockedDependencies {
            revision,
            known_users: [("user".into(), user_revision)].into(),
            ..LockedDependencies::default()
        };
        for (revision, user_revision, expected) in [
            (7, 3, SubjectTokenWritten::Committed),
            (8, 3, SubjectTokenWritten::Stale),
            (7, 4, SubjectTokenWritten::Stale),
        ] {
            assert_eq!(new(Some(checked)).check(&held(revision, user_revision)), expected);
            assert_eq!(new(None).check(&held(revision, user_revision)), SubjectTokenWritten::Committed);
        }
        // The user was deleted.
        let nobody = LockedDependencies { revision: 7, ..LockedDependencies::default() };
        for checked in [Some(checked), None] {
            assert_eq!(new(checked).check(&nobody), SubjectTokenWritten::UnknownUser);
        }
    }
}
