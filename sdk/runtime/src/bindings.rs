//! The plugin worlds as Rust types, generated from the published WIT. Functions that several worlds import are the same;
//! types are the generator's, which cannot borrow a text whose type comes from another interface.
//!
//! The WIT is synchronous; `exports: async` accepts guests whose export is typed `async` (JavaScript) as well.

/// The world `claims`.
pub(crate) mod claims {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "claims",
        imports: { "claimsmith:plugin/http.send": async | trappable, default: trappable },
        exports: { default: async },
        ownership: Borrowing { duplicate_if_necessary: true },
    });
}

/// The world `webhook-transform`.
pub(crate) mod transform {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "webhook-transform",
        with: {
            "claimsmith:plugin/log": super::claims::claimsmith::plugin::log,
            "claimsmith:plugin/random": super::claims::claimsmith::plugin::random,
        },
        imports: { default: trappable },
        exports: { default: async },
    });
}

/// The world `message`.
pub(crate) mod message {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "message",
        with: {
            "claimsmith:plugin/log": super::claims::claimsmith::plugin::log,
            "claimsmith:plugin/random": super::claims::claimsmith::plugin::random,
        },
        imports: { default: trappable },
        exports: { default: async },
    });
}

impl From<transform::claimsmith::plugin::types::Failure> for claims::claimsmith::plugin::types::Failure {
    fn from(failure: transform::claimsmith::plugin::types::Failure) -> Self {
        match failure {
            transform::claimsmith::plugin::types::Failure::Denied(text) => Self::Denied(text),
            transform::claimsmith::plugin::types::Failure::Failed(text) => Self::Failed(text),
        }
    }
}

impl From<message::claimsmith::plugin::types::Failure> for claims::claimsmith::plugin::types::Failure {
    fn from(failure: message::claimsmith::plugin::types::Failure) -> Self {
        match failure {
            message::claimsmith::plugin::types::Failure::Denied(text) => Self::Denied(text),
            message::claimsmith::plugin::types::Failure::Failed(text) => Self::Failed(text),
        }
    }
}
