//! APIs that check the access tokens that they receive, in several languages (`docs/protect-an-api.md`).

use super::{Program, ProtectedApi, program};

/// All of them; the recommended one first. Each listens on port 4000 and answers the same requests.
pub(crate) const PROTECTED_APIS: &[ProtectedApi] = &[
    ProtectedApi { id: "node", title: "Node.js", program: program!("api" as ".env", "api_node": "api.mjs") },
    ProtectedApi { id: "python", title: "Python", program: program!("api" as ".env", "api_python": "api.py") },
    ProtectedApi { id: "go", title: "Go", program: program!("api" as ".env", "api_go": "main.go") },
    ProtectedApi {
        id: "java",
        title: "Java",
        program: program!("api_properties" as ".env", "api_java":
            "pom.xml",
            "src/main/resources/application.yaml",
            "src/main/java/shop/Api.java"
        ),
    },
    ProtectedApi {
        id: "rust",
        title: "Rust",
        program: program!("api" as ".env", "api_rust": "Cargo.toml", "src/main.rs"),
    },
];
