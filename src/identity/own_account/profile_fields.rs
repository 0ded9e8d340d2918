//! The operator's profile fields on one's own account: which of them users can see and change, and the entered values.

use super::owner::Owner;
use super::refusal::OwnAccountRefusal;
use crate::accounts::{begin_update, fill_in, profile_fields};
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::audit_key::{AuditKey, AuditOperation};
use claimsmith_domain::custom_profile_field::submission::{ValueLocation, read};
use claimsmith_domain::documents::account_center::{AccountCenter, Control, Field};
use claimsmith_domain::documents::custom_profile_field::{CustomProfileField, FieldType};
use claimsmith_storage::sign_in::settings::ACCOUNT_CENTER;
use claimsmith_storage::{self as storage, Document as _, Tx};
use serde_json::{Map, Value, json};

/// A field, as the owner sees it.
#[derive(Debug)]
pub struct OwnField {
    /// Its definition.
    pub definition: CustomProfileField,
    /// Whether the owner can change it.
    pub is_editable: bool,
}

/// The fields that users can see.
pub async fn fields(tx: &mut Tx, settings: &AccountCenter) -> storage::Result<Vec<OwnField>> {
    let all = profile_fields(tx, settings.profile_fields.as_ref()).await?;
    // The page has separate fields for name and picture.
    let others = all
        .into_iter()
        .filter(|one| !matches!(ValueLocation::of(&one.name), ValueLocation::Name | ValueLocation::Avatar));
    let own = others.filter_map(|definition| {
        let control = control(settings, &definition);
        (control != Control::Off).then_some(OwnField { definition, is_editable: control == Control::Edit })
    });
    Ok(own.collect())
}

/// The permission for a field: that of the location where it is stored. Fields of custom data that the settings list
/// are editable, also if custom data as a whole are read-only.
fn control(settings: &AccountCenter, field: &CustomProfileField) -> Control {
    let kept = match (field.kind, ValueLocation::of(&field.name)) {
        (FieldType::Fullname, _) | (_, ValueLocation::Profile(_)) => Field::Profile,
        (_, ValueLocation::Name) => Field::Name,
        (_, ValueLocation::Avatar) => Field::Avatar,
        (_, ValueLocation::CustomData(_)) => Field::CustomData,
    };
    match settings.fields.of(kept) {
        Control::ReadOnly if kept == Field::CustomData && settings.profile_fields.is_some() => Control::Edit,
        control => control,
    }
}

/// Writes entered values of some fields.
pub async fn set(owner: &Owner, values: &Map<String, Value>) -> Result<(), OwnAccountRefusal> {
    let outcome = write(owner, values).await;
    owner.note(AuditKey::of_account(AuditOperation::UserUpdate), outcome)
}

async fn write(owner: &Owner, values: &Map<String, Value>) -> Result<(), OwnAccountRefusal> {
    let (mut work, before) = owner.begin().await?;
    let settings = ACCOUNT_CENTER.find(&mut work).await?;
    let own = fields(&mut work, &settings).await?;
    let editable: Vec<_> = own.into_iter().filter(|field| field.is_editable).map(|field| field.definition).collect();
    if values.keys().any(|name| !editable.iter().any(|field| is_of(field, name))) {
        return Err(OwnAccountRefusal::FieldReadOnly);
    }
    let given = read(&editable, values).map_err(InteractionRefusal::ExtraProfile)?;
    if before.profile.is_unreadable() || before.custom_data.is_unreadable() {
        return Err(OwnAccountRefusal::Unreadable);
    }
    let mut update = begin_update(&mut work, &owner.user_id).await?;
    fill_in(&mut update.user, given);
    let names: Vec<&String> = values.keys().collect();
    update.save(AuditOperation::UserUpdate, json!({ "keys": names }), 200).await?;
    Ok(work.commit().await?)
}

/// Whether a value with this name belongs to this field.
fn is_of(field: &CustomProfileField, name: &str) -> bool {
    if field.kind == FieldType::Fullname {
        return field.parts().any(|part| part.name.as_str() == name);
    }
    field.name == name
}
