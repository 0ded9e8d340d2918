//! `#[derive(Row)]`: reads a struct from a row, each member from the column with its name. `#[column(rename = "type")]`
//! names another column, and `#[column(flatten)]` reads a nested struct from the same row.

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::{Data, DeriveInput, Error, Field, Fields, LitStr, Result, parse_macro_input, parse_quote};

/// Implements `claimsmith_storage::Row`.
#[proc_macro_derive(Row, attributes(column))]
pub fn row(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// The source of a member.
enum Source {
    Column(String),
    SameRow,
}

fn expand(input: &DeriveInput) -> Result<Tokens> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "a row is a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(&input.ident, "members of a row have names"));
    };
    let mut generics = input.generics.clone();
    let mut members = Vec::new();
    for field in &fields.named {
        let (name, kind) = (&field.ident, &field.ty);
        let (value, read) = match source(field)? {
            Source::Column(column) => (quote!(Column), quote!(source.column(#column)?)),
            Source::SameRow => (quote!(Row), quote!(::claimsmith_storage::Row::read(source)?)),
        };
        members.push(quote!(#name: #read));
        // With type parameters, the bounds of the members are checked where the struct is used.
        if !input.generics.params.is_empty() {
            generics.make_where_clause().predicates.push(parse_quote!(#kind: ::claimsmith_storage::#value));
        }
    }
    let (name, (generics, arguments, conditions)) = (&input.ident, generics.split_for_impl());
    Ok(quote! {
        #[automatically_derived]
        impl #generics ::claimsmith_storage::Row for #name #arguments #conditions {
            fn read<R: ::claimsmith_storage::Source>(source: &R) -> ::claimsmith_storage::Result<Self> {
                ::core::result::Result::Ok(Self { #(#members),* })
            }
        }
    })
}

fn source(field: &Field) -> Result<Source> {
    let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
    let mut source = Source::Column(name.trim_start_matches("r#").to_owned());
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("column")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("rename") {
                source = Source::Column(meta.value()?.parse::<LitStr>()?.value());
                Ok(())
            } else if meta.path.is_ident("flatten") {
                source = Source::SameRow;
                Ok(())
            } else {
                Err(meta.error("`rename` or `flatten` is expected"))
            }
        })?;
    }
    Ok(source)
}
