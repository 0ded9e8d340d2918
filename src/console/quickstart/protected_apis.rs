//! APIs that check the access tokens that they receive, in several languages (`docs/protect-an-api.md`).

use super::{Program, ProtectedApi, files};

/// All of them; the recommended one first. Each listens on port 4000 and answers the same requests.
pub(crate) const PROTECTED_APIS: &[ProtectedApi] = &[ProtectedApi {
    id: "node",
    title: "Node.js",
    program: Program {
        install: "npm init --yes && npm install express@5 jose@6",
        run: "node --env-file=.env api.mjs",
        files: files!("api" as ".env", "api_node": "api.mjs"),
    },
}];
