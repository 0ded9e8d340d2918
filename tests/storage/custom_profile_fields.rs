//! The fields of a profile that the operator asks people for.

use crate::Store;
use claimsmith_domain::documents::custom_profile_field::{Config, FieldType};
use claimsmith_storage::sign_in;
use claimsmith_storage::sign_in::custom_profile_fields::StoredField;
use claimsmith_storage::{Error, Json};
use claimsmith_test_support::both;
use serde_json::json;

fn field(name: &str, sie_order: i64) -> StoredField {
    let config: Config = serde_json::from_value(json!({ "minLength": 1, "placeholder": "…" })).unwrap();
    StoredField {
        id: format!("id of {name}"),
        name: name.to_owned(),
        kind: FieldType::Text,
        label: "Company".to_owned(),
        description: None,
        required: true,
        config: Json(config),
        created_at: 1,
        sie_order,
    }
}

both!(fields_are_kept_in_their_order, async |store: Store| {
    let mut tx = store.begin().await;
    let (mut company, age) = (field("company", 2), field("age", 1));
    for one in [&company, &age] {
        sign_in::custom_profile_fields::insert(&mut tx, one).await.unwrap();
    }
    assert_eq!(sign_in::custom_profile_fields::list(&mut tx).await.unwrap(), [age.clone(), company.clone()]);
    assert_eq!(sign_in::custom_profile_fields::find(&mut tx, "age").await.unwrap(), Some(age.clone()));
    assert_eq!(sign_in::custom_profile_fields::find(&mut tx, "plan").await.unwrap(), None);
    assert_eq!(age.definition().kind, FieldType::Text);
    (company.kind, company.required, company.description) = (FieldType::Date, false, Some("When".to_owned()));
    company.config = Json(Config::default());
    assert!(sign_in::custom_profile_fields::update(&mut tx, &company).await.unwrap());
    assert!(!sign_in::custom_profile_fields::update(&mut tx, &field("plan", 3)).await.unwrap());
    assert!(sign_in::custom_profile_fields::set_order(&mut tx, "company", 0).await.unwrap());
    assert!(!sign_in::custom_profile_fields::set_order(&mut tx, "plan", 0).await.unwrap());
    company.sie_order = 0;
    assert_eq!(sign_in::custom_profile_fields::list(&mut tx).await.unwrap(), [company, age]);
    assert!(sign_in::custom_profile_fields::delete(&mut tx, "company").await.unwrap());
    assert!(!sign_in::custom_profile_fields::delete(&mut tx, "company").await.unwrap());
    let again = StoredField { id: "another".to_owned(), ..field("age", 3) };
    assert!(matches!(sign_in::custom_profile_fields::insert(&mut tx, &again).await, Err(Error::Conflict)));
});
