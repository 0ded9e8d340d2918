//! Link tables (many-to-many): members of an organization, scopes of a role.

use super::filter::{Placeholders, placeholders};
use super::slice::Count;
use crate::{Result, Row, Tx};
use std::collections::HashSet;
use std::hash::Hash;
use std::marker::PhantomData;

/// Maximum number of links that one statement removes.
const LINKS_PER_STATEMENT: usize = 500;

/// A link table: the columns of the owner's id, an `O`, and the column of the target's, a `T`.
#[derive(Debug)]
pub struct Links<O, T> {
    pub(crate) table: &'static str,
    pub(crate) owner: &'static [&'static str],
    pub(crate) target: &'static str,
    /// A table whose column `value` adds up to the number of targets of an owner.
    counts: Option<&'static str>,
    of: PhantomData<fn(O) -> T>,
}

impl<O, T> Clone for Links<O, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O, T> Copy for Links<O, T> {}

/// The id of an owner of links: one id, or a pair.
pub trait LinkOwner<O>: Copy {
    /// The ids, in the order of the columns.
    fn ids(&self) -> Vec<&str>;
}

impl<A: AsRef<str>> LinkOwner<A> for &A {
    fn ids(&self) -> Vec<&str> {
        vec![(*self).as_ref()]
    }
}

impl<A: AsRef<str>, B: AsRef<str>> LinkOwner<(A, B)> for (&A, &B) {
    fn ids(&self) -> Vec<&str> {
        vec![self.0.as_ref(), self.1.as_ref()]
    }
}

/// A target: an id, or a text such as an email domain.
pub trait Linked: From<String> + AsRef<str> + Ord + Hash {}
impl<T: From<String> + AsRef<str> + Ord + Hash> Linked for T {}

/// Added and removed targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkChanges<T> {
    /// Added targets, in ascending order.
    pub added: Vec<T>,
    /// Removed targets, in ascending order.
    pub removed: Vec<T>,
}

impl<T> LinkChanges<T> {
    /// Only additions.
    #[must_use]
    pub fn added(added: Vec<T>) -> Self {
        Self { added, removed: Vec::new() }
    }

    /// Only removals.
    #[must_use]
    pub fn removed(removed: Vec<T>) -> Self {
        Self { added: Vec::new(), removed }
    }
}

#[derive(crate::Row)]
struct LinkTarget {
    target: String,
}

impl<O, T: Linked> Links<O, T> {
    pub(crate) const fn new(table: &'static str, owner: &'static [&'static str], target: &'static str) -> Self {
        Self { table, owner, target, counts: None, of: PhantomData }
    }

    /// The same table, with a table of counts that triggers maintain.
    pub(crate) const fn counted_in(self, counts: &'static str) -> Self {
        Self { counts: Some(counts), ..self }
    }

    /// Adds links, and returns the new targets. Unknown ids are [`crate::Error::Missing`].
    pub async fn add(self, tx: &mut Tx, owner: impl LinkOwner<O>, targets: &[T]) -> Result<Vec<T>> {
        if targets.is_empty() {
            return Ok(Vec::new());
        }
        let rows = Placeholders::of(tx).rows(self.owner.len() + 1, targets.len());
        let Self { table, target: column, .. } = self;
        let mut statement = tx.assembled(format!(
            "INSERT INTO {table} ({}, {column}) VALUES {rows} ON CONFLICT DO NOTHING RETURNING {column} AS target",
            self.owner.join(", "),
        ));
        let owner = owner.ids();
        for target in targets {
            statement = statement.bind_all(&owner).bind(target.as_ref());
        }
        Ok(in_order(statement.all().await?))
    }

    /// Removes one link. `false` if there is none.
    pub async fn remove(self, tx: &mut Tx, owner: impl LinkOwner<O>, target: &T) -> Result<bool> {
        let (condition, last) = self.condition();
        let sql = format!("DELETE FROM {} WHERE {condition} AND {} = ${last}", self.table, self.target);
        Ok(tx.assembled(sql).bind_all(owner.ids()).bind(target.as_ref()).execute().await? > 0)
    }

    /// Replaces all links of an owner.
    pub async fn replace(self, tx: &mut Tx, owner: impl LinkOwner<O>, targets: &[T]) -> Result<LinkChanges<T>> {
        let kept: HashSet<&T> = targets.iter().collect();
        let mut removed = self.of(tx, owner).await?;
        removed.retain(|id| !kept.contains(id));
        let (condition, next) = self.condition();
        for gone in removed.chunks(LINKS_PER_STATEMENT) {
            let wanted = placeholders(next, gone.len());
            let sql = format!("DELETE FROM {} WHERE {condition} AND {} IN ({wanted})", self.table, self.target);
            tx.assembled(sql).bind_all(owner.ids()).bind_all(gone.iter().map(T::as_ref)).execute().await?;
        }
        Ok(LinkChanges { added: self.add(tx, owner, targets).await?, removed })
    }

    /// The given targets that are linked.
    pub async fn among(self, tx: &mut Tx, owner: impl LinkOwner<O>, targets: &[T]) -> Result<Vec<T>> {
        if targets.is_empty() {
            return Ok(Vec::new());
        }
        let (condition, next) = self.condition();
        let Self { table, target: column, .. } = self;
        let wanted = placeholders(next, targets.len());
        let sql = format!("SELECT {column} AS target FROM {table} WHERE {condition} AND {column} IN ({wanted})");
        let statement = tx.assembled(sql).bind_all(owner.ids()).bind_all(targets.iter().map(T::as_ref));
        Ok(in_order(statement.all().await?))
    }

    /// Every target of an owner, in ascending order.
    pub async fn of(self, tx: &mut Tx, owner: impl LinkOwner<O>) -> Result<Vec<T>> {
        let (condition, _) = self.condition();
        let sql = format!("SELECT {} AS target FROM {} WHERE {condition}", self.target, self.table);
        Ok(in_order(tx.assembled(sql).bind_all(owner.ids()).all().await?))
    }

    /// The number of targets of an owner.
    pub async fn count(self, tx: &mut Tx, owner: impl LinkOwner<O>) -> Result<i64> {
        let (condition, _) = self.condition();
        let sql = format!("SELECT {} AS count", self.total(&condition));
        Ok(tx.assembled(sql).bind_all(owner.ids()).one::<Count>().await?.count)
    }

    /// SQL expression for the number of links of the owner that the condition selects.
    fn total(self, condition: &str) -> String {
        match self.counts {
            Some(counts) => format!("(SELECT CAST(COALESCE(SUM(value), 0) AS BIGINT) FROM {counts} WHERE {condition})"),
            None => format!("(SELECT COUNT(*) FROM {} WHERE {condition})", self.table),
        }
    }

    /// For each of these owners, the number of targets as `total`, and up to three of them: these columns of that
    /// table, whose rows are `t`.
    pub(crate) async fn featured<R: Row>(
        self,
        tx: &mut Tx,
        owners: &[&O],
        rows: &'static str,
        columns: &'static str,
    ) -> Result<Vec<R>>
    where
        O: AsRef<str>,
    {
        if owners.is_empty() {
            return Ok(Vec::new());
        }
        let Self { table, target, .. } = self;
        let owner = self.owner.join(", ");
        // An index provides the count and the first three: numbering a million rows would take seconds.
        let of_one = |number: usize| {
            let condition = format!("{owner} = ${number}");
            let columns = format!("{owner}, {target}, {} AS total", self.total(&condition));
            let three = format!("SELECT {columns} FROM {table} WHERE {condition} ORDER BY {target} LIMIT 3");
            format!("SELECT * FROM ({three}) AS held{number}")
        };
        let held = (1..=owners.len()).map(of_one).collect::<Vec<_>>().join(" UNION ALL ");
        let sql = format!(
            "SELECT held.{owner}, held.total, {columns} FROM ({held}) AS held \
             JOIN {rows} t ON t.id = held.{target} ORDER BY held.{owner}, held.{target}"
        );
        tx.assembled(sql).bind_all(owners.iter().map(AsRef::as_ref)).all().await
    }

    /// `one = $1 AND other = $2`, and the number of the next placeholder.
    pub(crate) fn condition(self) -> (String, usize) {
        let parts: Vec<String> =
            self.owner.iter().enumerate().map(|(index, column)| format!("{column} = ${}", index + 1)).collect();
        (parts.join(" AND "), parts.len() + 1)
    }
}

fn in_order<T: Linked>(rows: Vec<LinkTarget>) -> Vec<T> {
    let mut targets: Vec<T> = rows.into_iter().map(|row| row.target.into()).collect();
    targets.sort_unstable();
    targets
}
