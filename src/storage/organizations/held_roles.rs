//! Organization roles of members and of machine-to-machine applications. Both have a table of the same shape.

use crate::sql::filter;
use crate::sql::links::{Linked, Links};
use crate::{Result, Row, Tx};
use claimsmith_domain::id::{OrganizationId, OrganizationRoleId};

/// A role with its holder, or with the organization in which the holder has it.
#[derive(Clone, Debug, crate::Row)]
pub struct HeldRole<H> {
    /// The holder, or the organization.
    pub holder_id: H,
    /// The role.
    pub id: OrganizationRoleId,
    /// The role's name.
    pub name: String,
}

/// The roles of a holder in an organization.
type RolesHeld<H> = Links<(OrganizationId, H), OrganizationRoleId>;

/// The holders of a role in an organization.
type RoleHolders<H> = Links<(OrganizationId, OrganizationRoleId), H>;

/// The roles that these holders have in an organization, by name.
pub(super) async fn roles_of<H: Linked>(
    tx: &mut Tx,
    held: RolesHeld<H>,
    organization_id: &OrganizationId,
    holder_ids: &[&H],
) -> Result<Vec<HeldRole<H>>>
where
    HeldRole<H>: Row,
{
    if holder_ids.is_empty() {
        return Ok(Vec::new());
    }
    let (column, ids) = (holder_column(held), filter::placeholders(2, holder_ids.len()));
    let selected = selected(held, column);
    let sql = format!("{selected} WHERE held.organization_id = $1 AND held.{column} IN ({ids}) ORDER BY r.name, r.id");
    tx.assembled(sql).bind(organization_id).bind_all(holder_ids.iter().map(AsRef::as_ref)).all().await
}

/// The roles of a holder in all organizations, by name.
pub(super) async fn roles_by_organization<H: Linked>(
    tx: &mut Tx,
    held: RolesHeld<H>,
    holder_id: &H,
) -> Result<Vec<HeldRole<OrganizationId>>> {
    let selected = selected(held, "organization_id");
    let sql = format!("{selected} WHERE held.{} = $1 ORDER BY r.name, r.id", holder_column(held));
    tx.assembled(sql).bind(holder_id.as_ref()).all().await
}

/// Assigns each of these roles to each of these holders, with one statement per role or per holder, whichever are
/// fewer. Returns the new pairs of holder and role.
pub(super) async fn add_to_all<H: Linked + Clone>(
    tx: &mut Tx,
    (held, holders): (RolesHeld<H>, RoleHolders<H>),
    organization_id: &OrganizationId,
    (holder_ids, role_ids): (&[H], &[OrganizationRoleId]),
) -> Result<Vec<(H, OrganizationRoleId)>> {
    let mut added = Vec::new();
    if holder_ids.len() < role_ids.len() {
        for holder_id in holder_ids {
            let new = held.add(tx, (organization_id, holder_id), role_ids).await?;
            added.extend(new.into_iter().map(|role_id| (holder_id.clone(), role_id)));
        }
    } else {
        for role_id in role_ids {
            let new = holders.add(tx, (organization_id, role_id), holder_ids).await?;
            added.extend(new.into_iter().map(|holder_id| (holder_id, role_id.clone())));
        }
    }
    Ok(added)
}

/// SQL for roles with the column of the holder or organization.
fn selected<H>(held: RolesHeld<H>, whose: &str) -> String {
    format!(
        "SELECT held.{whose} AS holder_id, r.id, r.name FROM {} held \
         JOIN organization_roles r ON r.id = held.{}",
        held.table, held.target
    )
}

/// The column of the holder's id.
fn holder_column<H>(held: RolesHeld<H>) -> &'static str {
    held.owner[1]
}
