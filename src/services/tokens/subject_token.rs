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
