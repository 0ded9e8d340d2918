//! Link tables (many-to-many): members of an organization, scopes of a role.

use super::filter::{Placeholders, placeholders};
use crate::storage::{Result, Tx};
use std::collections::HashSet;

/// How many links one statement takes away.
const LINKS_PER_STATEMENT: usize = 500;

/// Such a table: the columns of what has, and the column of what is had.
#[derive(Clone, Copy, Debug)]
pub struct Links {
    table: &'static str,
    owner: &'static [&'static str],
    target: &'static str,
}

/// What came and what went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Not there before; in ascending order.
    pub added: Vec<String>,
    /// Not there any more; in ascending order.
    pub removed: Vec<String>,
}

#[derive(sqlx::FromRow)]
struct Target {
    target: String,
}

impl Links {
    pub(in crate::storage) const fn new(
        table: &'static str,
        owner: &'static [&'static str],
        target: &'static str,
    ) -> Self {
        Self { table, owner, target }
    }

    /// Adds links, and answers those that were not there before. Unknown ids are [`crate::storage::Error::Missing`].
    pub async fn add(self, tx: &mut Tx, owner: &[&str], targets: &[String]) -> Result<Vec<String>> {
        if targets.is_empty() {
            return Ok(Vec::new());
        }
        let rows = Placeholders::of(tx).rows(self.owner.len() + 1, targets.len());
        let Self { table, target: column, .. } = self;
        let mut statement = tx.assembled(format!(
            "INSERT INTO {table} ({}, {column}) VALUES {rows} ON CONFLICT DO NOTHING RETURNING {column} AS target",
            self.owner.join(", "),
        ));
        for target in targets {
            statement = statement.bind_all(owner).bind(target);
        }
        Ok(in_order(statement.all().await?))
    }

    /// Takes one link away. `false` when there is none.
    pub async fn remove(self, tx: &mut Tx, owner: &[&str], target: &str) -> Result<bool> {
        let (condition, last) = self.condition();
        let sql = format!("DELETE FROM {} WHERE {condition} AND {} = ${last}", self.table, self.target);
        Ok(tx.assembled(sql).bind_all(owner).bind(target).execute().await? > 0)
    }

    /// Leaves these links and no others.
    pub async fn replace(self, tx: &mut Tx, owner: &[&str], targets: &[String]) -> Result<Changes> {
        let kept: HashSet<&String> = targets.iter().collect();
        let mut removed = self.of(tx, owner).await?;
        removed.retain(|id| !kept.contains(id));
        let (condition, next) = self.condition();
        for gone in removed.chunks(LINKS_PER_STATEMENT) {
            let wanted = placeholders(next, gone.len());
            let sql = format!("DELETE FROM {} WHERE {condition} AND {} IN ({wanted})", self.table, self.target);
            tx.assembled(sql).bind_all(owner).bind_all(gone).execute().await?;
        }
        Ok(Changes { added: self.add(tx, owner, targets).await?, removed })
    }

    /// Those of the given targets that are linked.
    pub async fn among(self, tx: &mut Tx, owner: &[&str], targets: &[String]) -> Result<Vec<String>> {
        if targets.is_empty() {
            return Ok(Vec::new());
        }
        let (condition, next) = self.condition();
        let Self { table, target: column, .. } = self;
        let wanted = placeholders(next, targets.len());
        let sql = format!("SELECT {column} AS target FROM {table} WHERE {condition} AND {column} IN ({wanted})");
        Ok(in_order(tx.assembled(sql).bind_all(owner).bind_all(targets).all().await?))
    }

    /// Every target of an owner, in ascending order.
    pub async fn of(self, tx: &mut Tx, owner: &[&str]) -> Result<Vec<String>> {
        let (condition, _) = self.condition();
        let sql = format!("SELECT {} AS target FROM {} WHERE {condition}", self.target, self.table);
        Ok(in_order(tx.assembled(sql).bind_all(owner).all().await?))
    }

    /// `one = $1 AND other = $2`, and the number of the placeholder behind it.
    fn condition(self) -> (String, usize) {
        let parts: Vec<String> =
            self.owner.iter().enumerate().map(|(index, column)| format!("{column} = ${}", index + 1)).collect();
        (parts.join(" AND "), parts.len() + 1)
    }
}

fn in_order(rows: Vec<Target>) -> Vec<String> {
    let mut targets: Vec<String> = rows.into_iter().map(|row| row.target).collect();
    targets.sort_unstable();
    targets
}
