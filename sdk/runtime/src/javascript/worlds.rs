//! The kinds of JavaScript plugins: for each the author's function, the world, and the runtime's own modules around it.

use super::{claims_script, modules::Module};
use crate::Kind;

/// One kind of JavaScript plugin.
pub(super) struct ScriptKind {
    pub(super) kind: Kind,
    /// The name under which the author's function is found.
    pub(super) function: &'static str,
    /// The world's name.
    pub(super) world: &'static str,
    /// The world's export as its WIT declares it, and as the runtime is linked with it. `async` is how the runtime knows
    /// to run an author's promises.
    pub(super) export: (&'static str, &'static str),
    /// The module that exports what the WIT asks for.
    pub(super) entry: Module,
    /// What the entry imports.
    pub(super) prelude: &'static [Module],
    /// What the entry throws when there is nothing to call.
    pub(super) not_a_function: &'static str,
}

const CALL: Module = ("/claimsmith/call.js", include_str!("guest/call.js"));
const CLOCK: Module = ("/claimsmith/clock.js", include_str!("guest/clock.js"));
const CONSOLE: Module = ("/claimsmith/console.js", include_str!("guest/console.js"));
const HEADERS: Module = ("/claimsmith/headers.js", include_str!("guest/headers.js"));
const HEADER_PAIRS: Module = ("/claimsmith/header-pairs.js", include_str!("guest/header-pairs.js"));
const RANDOM: Module = ("/claimsmith/random.js", include_str!("guest/random.js"));
const TEXT: Module = ("/claimsmith/text.js", include_str!("guest/text.js"));

/// Every kind.
pub(super) static KINDS: [&ScriptKind; 3] = [&CLAIMS, &TRANSFORM, &MESSAGE];

/// Claims plugins.
pub(super) static CLAIMS: ScriptKind = ScriptKind {
    kind: Kind::Claims,
    function: "getCustomJwtClaims",
    world: "claims",
    export: ("get-custom-jwt-claims: func(request: claims-request)", claims_script::EXPORT),
    entry: ("/claimsmith/entry.js", include_str!("guest/claims-entry.js")),
    prelude: &[
        ("/claimsmith/cache.js", include_str!("guest/cache.js")),
        CALL,
        CLOCK,
        CONSOLE,
        ("/claimsmith/fetch.js", include_str!("guest/fetch.js")),
        HEADERS,
        RANDOM,
        TEXT,
        ("/claimsmith/claims.js", include_str!("guest/claims.js")),
    ],
    not_a_function: "getCustomJwtClaims is not a function: export one, or declare one",
};

/// Webhook transforms.
pub(super) static TRANSFORM: ScriptKind = ScriptKind {
    kind: Kind::WebhookTransform,
    function: "transformWebhook",
    world: "webhook-transform",
    export: ("transform: func(", "transform: async func("),
    entry: ("/claimsmith/entry.js", include_str!("guest/transform-entry.js")),
    prelude: &[
        CALL,
        CLOCK,
        CONSOLE,
        HEADERS,
        HEADER_PAIRS,
        RANDOM,
        TEXT,
        ("/claimsmith/transform.js", include_str!("guest/transform.js")),
    ],
    not_a_function: "transformWebhook is not a function: export one, or declare one",
};

/// Message plugins.
pub(super) static MESSAGE: ScriptKind = ScriptKind {
    kind: Kind::Message,
    function: "composeMessage",
    world: "message",
    export: ("compose: func(", "compose: async func("),
    entry: ("/claimsmith/entry.js", include_str!("guest/message-entry.js")),
    prelude: &[
        CALL,
        CLOCK,
        CONSOLE,
        HEADERS,
        HEADER_PAIRS,
        RANDOM,
        TEXT,
        ("/claimsmith/message.js", include_str!("guest/message.js")),
    ],
    not_a_function: "composeMessage is not a function: export one, or declare one",
};
