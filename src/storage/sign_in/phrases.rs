//! Custom texts of pages, by language.

use crate::{Json, Result, Tx};
use serde_json::Value;

/// The texts of one language.
#[derive(Clone, Debug, crate::Row)]
pub struct CustomPhrases {
    /// Such as `en` or `pt-BR`.
    pub language_tag: String,
    /// A part of the tree of texts.
    pub translation: Json<Value>,
}

#[derive(crate::Row)]
struct Tag {
    language_tag: String,
}

/// The texts of every language, by its tag.
pub async fn list(tx: &mut Tx) -> Result<Vec<CustomPhrases>> {
    tx.sql("SELECT language_tag, translation FROM custom_phrases ORDER BY language_tag").all().await
}

/// The languages with custom texts.
pub async fn languages(tx: &mut Tx) -> Result<Vec<String>> {
    let rows: Vec<Tag> = tx.sql("SELECT language_tag FROM custom_phrases ORDER BY language_tag").all().await?;
    Ok(rows.into_iter().map(|row| row.language_tag).collect())
}

/// The texts of a language.
pub async fn find(tx: &mut Tx, language_tag: &str) -> Result<Option<CustomPhrases>> {
    let sql = "SELECT language_tag, translation FROM custom_phrases WHERE language_tag = $1";
    tx.sql(sql).bind(language_tag).optional().await
}

/// Writes the texts of a language.
pub async fn put(tx: &mut Tx, phrases: &CustomPhrases) -> Result<()> {
    tx.sql(
        "INSERT INTO custom_phrases (language_tag, translation) VALUES ($1, $2) \
         ON CONFLICT (language_tag) DO UPDATE SET translation = excluded.translation",
    )
    .bind(&phrases.language_tag)
    .bind(&phrases.translation)
    .execute()
    .await?;
    Ok(())
}

/// Deletes the texts of a language. `false` when there are none.
pub async fn delete(tx: &mut Tx, language_tag: &str) -> Result<bool> {
    let deleted = tx.sql("DELETE FROM custom_phrases WHERE language_tag = $1").bind(language_tag).execute().await?;
    Ok(deleted > 0)
}
