//! APIs that check the access tokens that they receive, in several languages (`docs/protect-an-api.md`).

use super::{Program, ProtectedApi, files};

/// All of them; the recommended one first. Each listens on port 4000 and answers the same requests.
pub(crate) const PROTECTED_APIS: &[ProtectedApi] = &[
    ProtectedApi {
        id: "node",
        title: "Node.js",
        program: Program {
            install: "npm init --yes && npm install express@5 jose@6",
            run: "node --env-file=.env api.mjs",
            files: files!("api" as ".env", "api_node": "api.mjs"),
        },
    },
    ProtectedApi {
        id: "python",
        title: "Python",
        program: Program {
            install: "python3 -m venv venv && venv/bin/pip install fastapi uvicorn 'pyjwt[crypto]~=2.10' 'python-dotenv~=1.1'",
            run: "venv/bin/python api.py",
            files: files!("api" as ".env", "api_python": "api.py"),
        },
    },
    ProtectedApi {
        id: "go",
        title: "Go",
        program: Program {
            install: "go mod init api && go get github.com/MicahParks/keyfunc/v3 github.com/golang-jwt/jwt/v5 github.com/joho/godotenv",
            run: "go run .",
            files: files!("api" as ".env", "api_go": "main.go"),
        },
    },
    ProtectedApi {
        id: "java",
        title: "Java",
        program: Program {
            install: "",
            run: "mvn --quiet spring-boot:run",
            files: files!("api_properties" as ".env", "api_java": "pom.xml", "src/main/resources/application.yaml", "src/main/java/shop/Api.java"),
        },
    },
    ProtectedApi {
        id: "rust",
        title: "Rust",
        program: Program {
            install: "",
            run: "cargo run",
            files: files!("api" as ".env", "api_rust": "Cargo.toml", "src/main.rs"),
        },
    },
];
