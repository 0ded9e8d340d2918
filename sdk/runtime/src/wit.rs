//! The plugin contract (WIT), as text and parsed.

use wit_parser::{PackageId, Resolve, SourceMap};

/// The files of the package `claimsmith:plugin`, by name.
pub const WIT: [(&str, &str); 10] = [
    ("cache.wit", include_str!("../../../wit/cache.wit")),
    ("claims.wit", include_str!("../../../wit/claims.wit")),
    ("http.wit", include_str!("../../../wit/http.wit")),
    ("log.wit", include_str!("../../../wit/log.wit")),
    ("message.wit", include_str!("../../../wit/message.wit")),
    ("messages.wit", include_str!("../../../wit/messages.wit")),
    ("random.wit", include_str!("../../../wit/random.wit")),
    ("types.wit", include_str!("../../../wit/types.wit")),
    ("webhook-transform.wit", include_str!("../../../wit/webhook-transform.wit")),
    ("webhooks.wit", include_str!("../../../wit/webhooks.wit")),
];

/// The version of the contract, such as `1.2.0`.
#[must_use]
pub fn contract_version() -> &'static str {
    let declared = |text: &'static str| text.strip_prefix("package claimsmith:plugin@")?.split(';').next();
    WIT.iter().find_map(|(_, text)| declared(text)).unwrap_or_default()
}

/// The contract, parsed.
///
/// # Errors
/// What the parser says, which the tests never let happen.
pub fn contract() -> Result<(Resolve, PackageId), String> {
    contract_with(str::to_owned)
}

/// The same after a change to the text of each file.
pub(crate) fn contract_with(change: impl Fn(&str) -> String) -> Result<(Resolve, PackageId), String> {
    let mut sources = SourceMap::new();
    for (name, text) in WIT {
        sources.push_str(name, change(text));
    }
    let group = sources.parse().map_err(|(_, error)| error.to_string())?;
    let mut resolve = Resolve::default();
    let package = resolve.push_group(group).map_err(|error| error.to_string())?;
    Ok((resolve, package))
}
