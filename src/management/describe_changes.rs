//! The OpenAPI schemas of nested objects in bodies that change them member by member (`documents/patch.rs`): no member
//! is required, and null removes an optional one.

use claimsmith_domain::documents::patch::{self, Merged};
use std::collections::BTreeMap;
use utoipa::openapi::schema::{Object, ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa::openapi::{OpenApi, Ref, RefOr};

type Schemas = BTreeMap<String, RefOr<Schema>>;

/// Replaces the schemas of these objects by those of their changes.
pub(super) fn complete(description: &mut OpenApi) {
    let Some(components) = &mut description.components else { return };
    for merged in patch::ALL {
        describe(&mut components.schemas, merged.body, "", merged);
    }
}

/// Describes the objects of a schema at a path of the body.
fn describe(schemas: &mut Schemas, schema: &str, path: &str, merged: &Merged) {
    let depth = if path.is_empty() { 0 } else { path.split('.').count() };
    for object in merged.objects.iter().filter(|object| object.split('.').count() == depth + 1) {
        let name = match object.rsplit_once('.') {
            Some((parent, name)) if parent == path => name,
            None if path.is_empty() => object,
            _ => continue,
        };
        let Some(target) = target(schemas, schema, name) else { continue };
        let changed = format!("{target}Patch");
        let Some(RefOr::T(Schema::Object(mut of_change))) = schemas.get(&target).cloned() else { continue };
        let demanded = std::mem::take(&mut of_change.required);
        for (member, value) in &mut of_change.properties {
            let is_required = merged.required.contains(&format!("{object}.{member}").as_str());
            if !demanded.contains(member) && !is_required {
                make_nullable(value);
            }
        }
        schemas.insert(changed.clone(), RefOr::T(Schema::Object(of_change)));
        describe(schemas, &changed, object, merged);
        redirect(schemas, schema, name, &changed);
    }
}

/// The schema to which a member of a schema refers.
fn target(schemas: &Schemas, schema: &str, member: &str) -> Option<String> {
    let object = owner(schemas.get(schema)?, member)?;
    reference(object.properties.get(member)?).map(|found| found.rsplit('/').next().unwrap_or_default().to_owned())
}

/// The object that has a member, in a schema that may be composed of several.
fn owner<'s>(schema: &'s RefOr<Schema>, member: &str) -> Option<&'s Object> {
    match schema {
        RefOr::T(Schema::Object(object)) if object.properties.contains_key(member) => Some(object),
        RefOr::T(Schema::AllOf(all_of)) => all_of.items.iter().find_map(|item| owner(item, member)),
        _ => None,
    }
}

fn owner_mut<'s>(schema: &'s mut RefOr<Schema>, member: &str) -> Option<&'s mut Object> {
    match schema {
        RefOr::T(Schema::Object(object)) if object.properties.contains_key(member) => Some(object),
        RefOr::T(Schema::AllOf(all_of)) => all_of.items.iter_mut().find_map(|item| owner_mut(item, member)),
        _ => None,
    }
}

fn reference(value: &RefOr<Schema>) -> Option<&str> {
    match value {
        RefOr::Ref(reference) => Some(&reference.ref_location),
        RefOr::T(Schema::OneOf(one_of)) => one_of.items.iter().find_map(reference),
        RefOr::T(_) => None,
    }
}

fn redirect(schemas: &mut Schemas, schema: &str, member: &str, to: &str) {
    let Some(object) = schemas.get_mut(schema).and_then(|found| owner_mut(found, member)) else { return };
    if let Some(found) = object.properties.get_mut(member).and_then(reference_mut) {
        found.ref_location = Ref::from_schema_name(to).ref_location;
    }
}

fn reference_mut(value: &mut RefOr<Schema>) -> Option<&mut Ref> {
    match value {
        RefOr::Ref(reference) => Some(reference),
        RefOr::T(Schema::OneOf(one_of)) => one_of.items.iter_mut().find_map(reference_mut),
        RefOr::T(_) => None,
    }
}

fn make_nullable(value: &mut RefOr<Schema>) {
    let null = || RefOr::T(Schema::Object(ObjectBuilder::new().schema_type(Type::Null).build()));
    let is_nullable = match &*value {
        RefOr::T(schema) => serde_json::to_string(schema).is_ok_and(|text| text.contains("\"null\"")),
        RefOr::Ref(_) => false,
    };
    if !is_nullable {
        let one_of = OneOfBuilder::new().item(value.clone()).item(null());
        *value = RefOr::T(Schema::OneOf(one_of.build()));
    }
}
