//! Settings stored as a single row with a document: the sign-in settings and the account center settings.

use crate::{Document, Json, Result, Tx};
use claimsmith_domain::documents::account_center::AccountCenter;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;

/// The sign-in settings.
pub const EXPERIENCE: SettingsTable<SignInExperience> = SettingsTable::new("sign_in_experiences");

/// The account center settings.
pub const ACCOUNT_CENTER: SettingsTable<AccountCenter> = SettingsTable::new("account_centers");

/// A table with one row, which contains a `T`.
#[derive(Debug)]
pub struct SettingsTable<T> {
    table: &'static str,
    of: PhantomData<fn() -> T>,
}

#[derive(crate::Row)]
struct SettingsRow<T> {
    settings: Json<T>,
}

impl<T: Document + Default + Clone + Serialize + DeserializeOwned + Send + Unpin> SettingsTable<T> {
    const fn new(table: &'static str) -> Self {
        Self { table, of: PhantomData }
    }

    /// The settings.
    pub async fn find(&self, tx: &mut Tx) -> Result<T> {
        self.one(tx, format!("SELECT settings FROM {} WHERE id = 'default'", self.table)).await
    }

    /// Reads the settings and locks them, to serialize changes of them and of data that they depend on.
    pub async fn lock(&self, tx: &mut Tx) -> Result<T> {
        // Both databases lock a written row.
        let sql = format!("UPDATE {} SET id = id WHERE id = 'default' RETURNING settings", self.table);
        self.one(tx, sql).await
    }

    /// Writes the settings.
    pub async fn put(&self, tx: &mut Tx, settings: &T) -> Result<()> {
        let sql = format!(
            "INSERT INTO {} (id, settings) VALUES ('default', $1) \
             ON CONFLICT (id) DO UPDATE SET settings = excluded.settings",
            self.table
        );
        tx.assembled(sql).bind(Json(settings.clone())).execute().await?;
        Ok(())
    }

    async fn one(&self, tx: &mut Tx, sql: String) -> Result<T> {
        let row: Option<SettingsRow<T>> = tx.assembled(sql).optional().await?;
        Ok(row.map(|row| row.settings.0).unwrap_or_default())
    }
}
