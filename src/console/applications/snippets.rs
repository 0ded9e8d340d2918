//! Code snippets for frameworks: templates whose `{{names}}` are replaced by the values of an application.

use claimsmith_domain::documents::application::ApplicationType;

/// A code snippet for one framework.
pub(super) struct Snippet {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    /// The command that installs the dependencies.
    pub(super) install: &'static str,
    /// File names and contents.
    pub(super) files: &'static [(&'static str, &'static str)],
}

/// The values of the placeholders.
pub(super) struct Values {
    pub(super) base_url: String,
    pub(super) client_id: String,
    pub(super) client_secret: Option<String>,
    pub(super) redirect_uri: Option<String>,
    pub(super) resource: Option<String>,
    pub(super) scope: Option<String>,
}

impl Values {
    /// Fills the placeholders of a text.
    pub(super) fn fill(&self, text: &str) -> String {
        let or = |value: &Option<String>, other: &str| {
            value.clone().filter(|text| !text.is_empty()).unwrap_or(other.to_owned())
        };
        text.replace("{{issuer}}", &format!("{}/oidc", self.base_url))
            .replace("{{client_id}}", &self.client_id)
            .replace("{{client_secret}}", &or(&self.client_secret, "YOUR_CLIENT_SECRET"))
            .replace("{{redirect_uri}}", &or(&self.redirect_uri, "http://localhost:3000/callback"))
            .replace("{{resource}}", &or(&self.resource, "https://api.example.com"))
            .replace("{{scope}}", &or(&self.scope, "read"))
    }
}

/// The snippets for a type of application, the recommended one first.
pub(super) fn of(kind: ApplicationType) -> &'static [Snippet] {
    match kind {
        ApplicationType::Spa => &SINGLE_PAGE,
        ApplicationType::Traditional => &WEB,
        ApplicationType::Native => &NATIVE,
        ApplicationType::MachineToMachine => &MACHINE,
    }
}

const REACT: Snippet = Snippet {
    id: "react",
    title: "React",
    install: "npm install oidc-client-ts react-oidc-context",
    files: &[("src/main.jsx", include_str!("../templates/applications/snippets/react.txt"))],
};
const VUE: Snippet = Snippet {
    id: "vue",
    title: "Vue",
    install: "npm install oidc-client-ts",
    files: &[
        ("src/auth.js", include_str!("../templates/applications/snippets/vue_auth.txt")),
        ("src/App.vue", include_str!("../templates/applications/snippets/vue_app.txt")),
    ],
};
const BROWSER: Snippet = Snippet {
    id: "browser",
    title: "Plain JavaScript",
    install: "npm install oidc-client-ts",
    files: &[("src/auth.js", include_str!("../templates/applications/snippets/vue_auth.txt"))],
};
const NEXT: Snippet = Snippet {
    id: "next",
    title: "Next.js",
    install: "npm install next-auth@beta",
    files: &[
        ("auth.js", include_str!("../templates/applications/snippets/next.txt")),
        ("app/api/auth/[...nextauth]/route.js", include_str!("../templates/applications/snippets/next_route.txt")),
        (".env.local", include_str!("../templates/applications/snippets/next_env.txt")),
    ],
};
const EXPRESS: Snippet = Snippet {
    id: "express",
    title: "Express",
    install: "npm install express express-session openid-client",
    files: &[("server.mjs", include_str!("../templates/applications/snippets/express.txt"))],
};
const DJANGO: Snippet = Snippet {
    id: "django",
    title: "Django",
    install: "pip install django authlib requests",
    files: &[
        ("settings.py", include_str!("../templates/applications/snippets/django_settings.txt")),
        ("views.py", include_str!("../templates/applications/snippets/django_views.txt")),
    ],
};
const SPRING: Snippet = Snippet {
    id: "spring",
    title: "Spring Boot",
    install: "implementation 'org.springframework.boot:spring-boot-starter-oauth2-client'",
    files: &[("application.yaml", include_str!("../templates/applications/snippets/spring.txt"))],
};
const GO: Snippet = Snippet {
    id: "go",
    title: "Go",
    install: "go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2",
    files: &[("main.go", include_str!("../templates/applications/snippets/go.txt"))],
};
const RUST: Snippet = Snippet {
    id: "rust",
    title: "Rust",
    install: "cargo add openidconnect && cargo add tokio --features full && cargo add anyhow",
    files: &[("src/main.rs", include_str!("../templates/applications/snippets/rust.txt"))],
};
const RUST_NATIVE: Snippet = Snippet {
    id: "rust",
    title: "Rust",
    install: RUST.install,
    files: &[("src/main.rs", include_str!("../templates/applications/snippets/rust_native.txt"))],
};
const DEVICE: Snippet = Snippet {
    id: "device",
    title: "Device flow with curl",
    install: "",
    files: &[("sign_in.sh", include_str!("../templates/applications/snippets/device.txt"))],
};
const PYTHON_NATIVE: Snippet = Snippet {
    id: "python",
    title: "Python command line",
    install: "pip install authlib requests",
    files: &[("sign_in.py", include_str!("../templates/applications/snippets/python_native.txt"))],
};
const CURL: Snippet = Snippet {
    id: "curl",
    title: "curl",
    install: "",
    files: &[("token.sh", include_str!("../templates/applications/snippets/machine_curl.txt"))],
};
const NODE: Snippet = Snippet {
    id: "node",
    title: "Node.js",
    install: "",
    files: &[("token.mjs", include_str!("../templates/applications/snippets/machine_node.txt"))],
};
const PYTHON: Snippet = Snippet {
    id: "python",
    title: "Python",
    install: "pip install authlib requests",
    files: &[("token.py", include_str!("../templates/applications/snippets/machine_python.txt"))],
};
const GO_MACHINE: Snippet = Snippet {
    id: "go",
    title: "Go",
    install: "go get golang.org/x/oauth2",
    files: &[("main.go", include_str!("../templates/applications/snippets/machine_go.txt"))],
};

const SINGLE_PAGE: [Snippet; 3] = [REACT, VUE, BROWSER];
const WEB: [Snippet; 6] = [NEXT, EXPRESS, DJANGO, SPRING, GO, RUST];
const NATIVE: [Snippet; 3] = [RUST_NATIVE, PYTHON_NATIVE, DEVICE];
const MACHINE: [Snippet; 4] = [CURL, NODE, PYTHON, GO_MACHINE];

#[cfg(test)]
mod tests {
    use super::super::model::TYPES;
    use super::*;

    #[test]
    fn every_name_gets_its_value() {
        let values = Values {
            base_url: "https://id.test".to_owned(),
            client_id: "abc".to_owned(),
            client_secret: None,
            redirect_uri: Some("https://app.test/callback".to_owned()),
            resource: None,
            scope: Some(String::new()),
        };
        for kind in TYPES {
            for snippet in of(kind) {
                let whole: String = snippet.files.iter().map(|(_, text)| values.fill(text)).collect();
                assert!(whole.contains("https://id.test/oidc"), "{}", snippet.id);
                assert!(whole.contains("abc"), "{}", snippet.id);
                for name in ["issuer", "client_id", "client_secret", "redirect_uri", "resource", "scope"] {
                    assert!(!whole.contains(&format!("{{{{{name}}}}}")), "{}: {name}", snippet.id);
                }
            }
        }
    }
}
