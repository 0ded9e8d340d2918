//! C bindings of the plugin contract, for languages without a WIT generator: a header and its implementation.

use claimsmith_runtime::{Kind, contract};
use wit_bindgen_core::Files;

/// The files of a world's bindings in C, by their names.
///
/// # Errors
/// What the generator says.
pub fn c_bindings(kind: Kind) -> Result<Vec<(String, String)>, String> {
    let (mut resolve, package) = contract()?;
    let mut files = Files::default();
    let mut generate = || {
        let world = resolve.select_world(&[package], kind.world().rsplit('/').next())?;
        // One name for all, so that what helps with one helps with the others.
        let rename_world = Some("plugin".to_owned());
        let options = wit_bindgen_c::Opts { no_object_file: true, rename_world, ..wit_bindgen_c::Opts::default() };
        options.build().generate(&mut resolve, world, &mut files)
    };
    generate().map_err(|error| format!("{error:#}"))?;
    Ok(files.iter().map(|(name, text)| (name.to_owned(), String::from_utf8_lossy(text).into_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn each_world_has_its_function() -> Result<(), String> {
        for (kind, function) in [
            (Kind::Claims, "bool exports_plugin_get_custom_jwt_claims("),
            (Kind::WebhookTransform, "bool exports_plugin_transform("),
            (Kind::Message, "bool exports_plugin_compose("),
        ] {
            let files = c_bindings(kind)?;
            let headers: Vec<_> =
                files.iter().filter(|(name, _)| Path::new(name).extension() == Some("h".as_ref())).collect();
            assert!(headers.len() == 1 && headers[0].1.contains(function), "{headers:?}");
        }
        Ok(())
    }
}
