//! The plugin contract as text, for whoever makes components of it.

/// The files of the package `claimsmith:plugin`, by name.
pub const WIT: [(&str, &str); 7] = [
    ("claims.wit", include_str!("../../../wit/claims.wit")),
    ("http.wit", include_str!("../../../wit/http.wit")),
    ("log.wit", include_str!("../../../wit/log.wit")),
    ("random.wit", include_str!("../../../wit/random.wit")),
    ("types.wit", include_str!("../../../wit/types.wit")),
    ("webhook-transform.wit", include_str!("../../../wit/webhook-transform.wit")),
    ("webhooks.wit", include_str!("../../../wit/webhooks.wit")),
];
