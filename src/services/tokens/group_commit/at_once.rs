//! The commit of a batch in one round trip on PostgreSQL: one statement compares everything, and writes all of the batch
//! or nothing. If it wrote nothing, a transaction finds out which of the jobs is refused.

use super::{Committed, JobsByKind, Written, add};
use crate::tokens::SubjectTokenWritten;
use claimsmith_storage::issuing::at_once::{self, Seen};
use claimsmith_storage::issuing::client_assertions;
use claimsmith_storage::issuing::{Consume, WriteBatch};
use claimsmith_storage::{self as storage, Db, Dialect};
use std::collections::HashSet;

/// Commits all of the jobs. `None` if it wrote nothing.
pub(super) async fn commit(db: &Db, jobs: &JobsByKind<'_>, now: i64) -> storage::Result<Option<Committed>> {
    // Before anything is collected: SQLite has no such statement.
    if db.dialect() == Dialect::Sqlite {
        return Ok(None);
    }
    let is_without_claims = jobs.claims.is_empty();
    let is_without_rows = jobs.writes.is_empty() && jobs.subject_tokens.is_empty() && jobs.notes.is_empty();
    if !jobs.changes.is_empty() || is_without_claims == is_without_rows {
        return Ok(None);
    }
    let (mut written, mut subject_tokens, mut claimed) = (Vec::new(), Vec::new(), HashSet::new());
    if is_without_claims {
        let Some(seen) = seen(jobs) else { return Ok(None) };
        let mut batch = WriteBatch::default();
        for write in &jobs.writes {
            add(&mut batch, write);
        }
        for new in &jobs.subject_tokens {
            batch.subject_tokens.push(&new.token);
            batch.logs.push(&new.log);
        }
        batch.logs.extend(&jobs.notes);
        if !at_once::commit(db, &jobs.dependencies(), &seen, &batch, now).await? {
            return Ok(None);
        }
        written.resize(jobs.writes.len(), Written::Committed);
        subject_tokens.resize(jobs.subject_tokens.len(), SubjectTokenWritten::Committed);
    } else {
        // They depend on nothing that is compared here.
        let Some(mut tx) = db.autocommit_issuing() else { return Ok(None) };
        claimed = client_assertions::claim(&mut tx, &jobs.claims).await?;
        tx.commit().await?;
    }
    Ok(Some(Committed { written, subject_tokens, claimed }))
}

/// What all of the jobs saw. `None` if they cannot all be right: they saw different states, or present the same
/// credential.
fn seen<'j>(jobs: &JobsByKind<'j>) -> Option<Seen<'j>> {
    let mut seen = Seen::default();
    let mut consumed: HashSet<&Consume> = HashSet::new();
    for write in &jobs.writes {
        if *seen.revision.get_or_insert(write.revision) != write.revision {
            return None;
        }
        for (id, revision) in &write.users {
            if *seen.users.entry(id).or_insert(*revision) != *revision {
                return None;
            }
        }
        if let Some(credential) = &write.consume
            && !consumed.insert(credential)
        {
            return None;
        }
    }
    for new in &jobs.subject_tokens {
        let known = seen.known_users.entry(&new.token.user_id).or_default();
        let Some(checked) = new.checked else { continue };
        let is_same = *seen.revision.get_or_insert(checked.revision) == checked.revision
            && *known.get_or_insert(checked.user_revision) == checked.user_revision;
        if !is_same {
            return None;
        }
    }
    Some(seen)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::audit::Entry;
    use crate::tokens::{CheckedUser, NewSubjectToken};
    use claimsmith_domain::audit_key::AuditKey;
    use claimsmith_storage::issuing::subject_tokens::SubjectToken;
    use serde_json::json;

    fn new(user: &str, checked: Option<(i64, i64)>) -> NewSubjectToken {
        let token = SubjectToken {
            id: "id".into(),
            hash: "hash".to_owned(),
            user_id: user.into(),
            context: json!({}).into(),
            creator_id: "backend".to_owned(),
            created_at: 1,
            expires_at: 2,
            consumed_at: None,
        };
        let log = Entry::success(AuditKey::ManagementSubjectTokenCreate, json!({})).at(1).unwrap();
        let checked = checked.map(|(revision, user_revision)| CheckedUser { revision, user_revision });
        NewSubjectToken { token, log, checked }
    }

    /// The revision, and those of the users, that these saw.
    fn seen_by(all: &[NewSubjectToken]) -> Option<(Option<i64>, Vec<Option<i64>>)> {
        let jobs = JobsByKind { subject_tokens: all.iter().collect(), ..JobsByKind::default() };
        seen(&jobs).map(|seen| (seen.revision, seen.known_users.into_values().collect()))
    }

    #[test]
    fn jobs_that_saw_different_states_are_not_written_at_once() {
        assert_eq!(seen_by(&[]), Some((None, vec![])));
        assert_eq!(seen_by(&[new("a", None), new("b", None)]), Some((None, vec![None, None])));
        for all in [[new("a", None), new("a", Some((7, 3)))], [new("a", Some((7, 3))), new("a", None)]] {
            assert_eq!(seen_by(&all), Some((Some(7), vec![Some(3)])), "one of them depends on it");
        }
        assert_eq!(seen_by(&[new("a", Some((7, 3))), new("b", Some((7, 4)))]), Some((Some(7), vec![Some(3), Some(4)])));
        assert_eq!(seen_by(&[new("a", Some((7, 3))), new("b", Some((8, 4)))]), None, "a change in between");
        assert_eq!(seen_by(&[new("a", Some((7, 3))), new("a", Some((7, 4)))]), None, "the user changed in between");
    }
}
