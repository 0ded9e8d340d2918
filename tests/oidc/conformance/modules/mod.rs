//! The modules of Basic OP, which Form Post OP runs as well.

pub(super) mod claims;
pub(super) mod flow;
pub(super) mod hints;
pub(super) mod prompts;
pub(super) mod reuse;
