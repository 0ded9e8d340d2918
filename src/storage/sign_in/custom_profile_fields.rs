//! The fields of a profile that the operator asks people for.

use crate::sql::filter;
use crate::{Json, Result, Tx};
use claimsmith_domain::documents::custom_profile_field::{Config, CustomProfileField, FieldType};

/// A field as stored.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct StoredField {
    /// 21 characters.
    pub id: String,
    /// Letters and digits; unique.
    pub name: String,
    /// Such as `Text`.
    #[column(rename = "type")]
    pub kind: String,
    /// What people read; the name when it is empty.
    pub label: String,
    /// What it is for.
    pub description: Option<String>,
    /// Whether it must be given.
    pub required: bool,
    /// What may be entered.
    pub config: Json<Config>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Its place in the list.
    pub sie_order: i64,
}

impl StoredField {
    /// The definition; none when its type is not known here.
    #[must_use]
    pub fn definition(&self) -> Option<CustomProfileField> {
        Some(CustomProfileField {
            name: self.name.clone(),
            kind: FieldType::parse(&self.kind)?,
            label: self.label.clone(),
            description: self.description.clone(),
            required: self.required,
            config: self.config.0.clone(),
        })
    }
}

const COLUMNS: &str = "id, name, type, label, description, required, config, created_at, sie_order";

/// All fields, in their order.
pub async fn list(tx: &mut Tx) -> Result<Vec<StoredField>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM custom_profile_fields ORDER BY sie_order, created_at, id")).all().await
}

/// The field of that name.
pub async fn find(tx: &mut Tx, name: &str) -> Result<Option<StoredField>> {
    let sql = format!("SELECT {COLUMNS} FROM custom_profile_fields WHERE name = $1");
    tx.assembled(sql).bind(name).optional().await
}

/// Adds a field. [`crate::Error::Conflict`] when there is one of that name.
pub async fn insert(tx: &mut Tx, field: &StoredField) -> Result<()> {
    tx.assembled(format!("INSERT INTO custom_profile_fields ({COLUMNS}) VALUES {}", filter::rows(9, 1)))
        .bind(&field.id)
        .bind(&field.name)
        .bind(&field.kind)
        .bind(&field.label)
        .bind(&field.description)
        .bind(field.required)
        .bind(&field.config)
        .bind(field.created_at)
        .bind(field.sie_order)
        .execute()
        .await?;
    Ok(())
}

/// Writes everything of a field but its name, its age and its place. `false` when there is none of that name.
pub async fn update(tx: &mut Tx, field: &StoredField) -> Result<bool> {
    let changed = tx
        .sql(
            "UPDATE custom_profile_fields SET type = $1, label = $2, description = $3, required = $4, config = $5 \
             WHERE name = $6",
        )
        .bind(&field.kind)
        .bind(&field.label)
        .bind(&field.description)
        .bind(field.required)
        .bind(&field.config)
        .bind(&field.name)
        .execute()
        .await?;
    Ok(changed > 0)
}

/// Puts a field in its place. `false` when there is none of that name.
pub async fn set_order(tx: &mut Tx, name: &str, sie_order: i64) -> Result<bool> {
    let sql = "UPDATE custom_profile_fields SET sie_order = $1 WHERE name = $2";
    Ok(tx.sql(sql).bind(sie_order).bind(name).execute().await? > 0)
}

/// Deletes a field. `false` when there is none of that name.
pub async fn delete(tx: &mut Tx, name: &str) -> Result<bool> {
    Ok(tx.sql("DELETE FROM custom_profile_fields WHERE name = $1").bind(name).execute().await? > 0)
}
