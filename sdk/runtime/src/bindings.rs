//! The world `claims` as Rust types, generated from the published WIT, and nothing else.
//!
//! The WIT is synchronous; `exports: async` accepts guests whose export is typed `async` (JavaScript) as well.

wasmtime::component::bindgen!({
    path: "../../wit",
    world: "claims",
    imports: { "claimsmith:plugin/http.send": async | trappable, default: trappable },
    exports: { default: async },
    ownership: Borrowing { duplicate_if_necessary: true },
});
