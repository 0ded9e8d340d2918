//! Members whose types know their own bounds (`documents/schema.rs`): the description shows the bounds at the member,
//! not as a schema with a name of its own.

use claimsmith_domain::documents::schema::INLINE;
use std::collections::BTreeMap;
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, OneOf, Schema, SchemaType, Type};
use utoipa::openapi::{OpenApi, Ref, RefOr};

type Schemas = BTreeMap<String, RefOr<Schema>>;

/// Puts these schemas in the place of the references to them.
pub fn resolve(description: &mut OpenApi) {
    let Some(components) = &mut description.components else { return };
    let (mut inline, mut named): (Schemas, Schemas) =
        std::mem::take(&mut components.schemas).into_iter().partition(|(name, _)| name.starts_with(INLINE));
    // A few contain others.
    let known = inline.clone();
    for schema in inline.values_mut() {
        walk(schema, &known);
    }
    for schema in named.values_mut() {
        walk(schema, &inline);
    }
    components.schemas = named;
}

/// Resolves the references within a schema.
fn walk(schema: &mut RefOr<Schema>, inline: &Schemas) {
    if let Some(found) = resolved(schema, inline) {
        *schema = RefOr::T(found);
    }
    let RefOr::T(schema) = schema else { return };
    match schema {
        Schema::Object(object) => {
            object.properties.values_mut().for_each(|member| walk(member, inline));
            if let Some(AdditionalProperties::RefOr(value)) = object.additional_properties.as_deref_mut() {
                walk(value, inline);
            }
        }
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(item) = &mut array.items {
                walk(item, inline);
            }
        }
        Schema::OneOf(of) => of.items.iter_mut().for_each(|item| walk(item, inline)),
        Schema::AllOf(of) => of.items.iter_mut().for_each(|item| walk(item, inline)),
        Schema::AnyOf(of) => of.items.iter_mut().for_each(|item| walk(item, inline)),
        _ => {}
    }
}

/// The schema that a reference names, with what is said beside the reference.
fn resolved(schema: &RefOr<Schema>, inline: &Schemas) -> Option<Schema> {
    match schema {
        RefOr::Ref(reference) => beside(reference, inline),
        RefOr::T(Schema::OneOf(of)) => nullable(of, inline),
        RefOr::T(_) => None,
    }
}

fn beside(reference: &Ref, inline: &Schemas) -> Option<Schema> {
    let name = reference.ref_location.rsplit('/').next()?;
    let RefOr::T(mut schema) = inline.get(name)?.clone() else { return None };
    let description = Some(reference.description.clone()).filter(|text| !text.is_empty());
    match &mut schema {
        Schema::Object(object) => {
            object.description = description.or(object.description.take());
            object.default.clone_from(&reference.default);
            object.write_only = reference.write_only;
            object.read_only = reference.read_only;
        }
        Schema::Array(array) => {
            array.description = description.or(array.description.take());
            array.default.clone_from(&reference.default);
        }
        _ => {}
    }
    Some(schema)
}

/// An optional member: `null`, or such a schema.
fn nullable(of: &OneOf, inline: &Schemas) -> Option<Schema> {
    let [first, second] = of.items.as_slice() else { return None };
    let reference = [first, second].into_iter().find_map(|item| match item {
        RefOr::Ref(reference) => Some(reference),
        RefOr::T(_) => None,
    })?;
    let mut schema = beside(reference, inline)?;
    match &mut schema {
        Schema::Object(object) => allow_null(&mut object.schema_type),
        Schema::Array(array) => allow_null(&mut array.schema_type),
        _ => return None,
    }
    Some(schema)
}

fn allow_null(kind: &mut SchemaType) {
    if let SchemaType::Type(one) = kind {
        *kind = SchemaType::Array(vec![one.clone(), Type::Null]);
    }
}
