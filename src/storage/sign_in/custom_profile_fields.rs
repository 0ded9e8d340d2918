//! Custom profile fields.

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
    /// The type of its value.
    #[column(rename = "type")]
    pub kind: FieldType,
    /// The displayed label; the name if empty.
    pub label: String,
    /// The description.
    pub description: Option<String>,
    /// Whether a value is required.
    pub required: bool,
    /// The rules of its value.
    pub config: Json<Config>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Its position in the list.
    pub sie_order: i64,
}

impl StoredField {
    /// The definition.
    #[must_use]
    pub fn definition(&self) -> CustomProfileField {
        CustomProfileField {
            name: self.name.clone(),
            kind: self.kind,
            label: self.label.clone(),
            description: self.description.clone(),
            required: self.required,
            config: self.config.0.clone(),
        }
    }
}

const COLUMNS: &str = "id, name, type, label, description, required, config, created_at, sie_order";

/// All fields, in order.
pub async fn list(tx: &mut Tx) -> Result<Vec<StoredField>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM custom_profile_fields ORDER BY sie_order, created_at, id")).all().await
}

/// The field with this name.
pub async fn find(tx: &mut Tx, name: &str) -> Result<Option<StoredField>> {
    let sql = format!("SELECT {COLUMNS} FROM custom_profile_fields WHERE name = $1");
    tx.assembled(sql).bind(name).optional().await
}

/// Adds a field. [`crate::Error::Conflict`] when there is one with this name.
pub async fn insert(tx: &mut Tx, field: &StoredField) -> Result<()> {
    tx.assembled(format!("INSERT INTO custom_profile_fields ({COLUMNS}) VALUES {}", filter::rows(9, 1)))
        .bind(&field.id)
        .bind(&field.name)
        .bind(field.kind)
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

/// Updates a field, except for its name, creation time and position. `false` if there is none with that name.
pub async fn update(tx: &mut Tx, field: &StoredField) -> Result<bool> {
    let changed = tx
        .sql(
            "UPDATE custom_profile_fields SET type = $1, label = $2, description = $3, required = $4, config = $5 \
             WHERE name = $6",
        )
        .bind(field.kind)
        .bind(&field.label)
        .bind(&field.description)
        .bind(field.required)
        .bind(&field.config)
        .bind(&field.name)
        .execute()
        .await?;
    Ok(changed > 0)
}

/// Sets the position of a field. `false` if there is none with that name.
pub async fn set_order(tx: &mut Tx, name: &str, sie_order: i64) -> Result<bool> {
    let sql = "UPDATE custom_profile_fields SET sie_order = $1 WHERE name = $2";
    Ok(tx.sql(sql).bind(sie_order).bind(name).execute().await? > 0)
}

/// Deletes a field. `false` when there is none with this name.
pub async fn delete(tx: &mut Tx, name: &str) -> Result<bool> {
    Ok(tx.sql("DELETE FROM custom_profile_fields WHERE name = $1").bind(name).execute().await? > 0)
}
