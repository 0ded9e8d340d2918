//! The frameworks that the console has quickstart code for, by type of application; the recommended one first.

use super::{Framework, Program, program};
use claimsmith_domain::documents::application::ApplicationType::{self, MachineToMachine, Native, Spa, Traditional};

/// The redirect URI of development servers by Vite.
const VITE: &str = "http://localhost:5173/callback";
/// Where users return after signing out, on development servers by Vite.
const VITE_HOME: &str = "http://localhost:5173/";
/// The redirect URI of web applications.
const WEB: &str = "http://localhost:3000/callback";
/// Where users return after signing out of web applications.
const WEB_HOME: &str = "http://localhost:3000/";

/// All frameworks.
pub(super) const ALL: &[Framework] = &[
    Framework {
        id: "express",
        title: "Express",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: program!("web" as ".env", "express": "server.mjs"),
    },
    Framework {
        id: "next",
        title: "Next.js",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: program!("next" as ".env", "next":
            "lib/oidc.js",
            "app/layout.js",
            "app/page.js",
            "app/sign-in/route.js",
            "app/callback/route.js",
            "app/sign-out/route.js"
        ),
    },
    Framework {
        id: "nuxt",
        title: "Nuxt",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: program!("web" as ".env", "nuxt":
            "nuxt.config.ts",
            "app.vue",
            "server/utils/oidc.js",
            "server/api/me.get.js",
            "server/routes/sign-in.get.js",
            "server/routes/callback.get.js",
            "server/routes/sign-out.get.js"
        ),
    },
    Framework {
        id: "flask",
        title: "Flask",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: program!("web" as ".env", "flask": "app.py"),
    },
    Framework {
        id: "fastapi",
        title: "FastAPI",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: program!("web" as ".env", "fastapi": "app.py"),
    },
    Framework {
        id: "django",
        title: "Django",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: program!("web" as ".env", "django": "app.py"),
    },
    Framework {
        id: "go",
        title: "Go",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: program!("web" as ".env", "go": "main.go"),
    },
    Framework {
        id: "spring",
        title: "Spring Boot",
        kind: Traditional,
        redirect_uri: "http://localhost:3000/login/oauth2/code/claimsmith",
        post_logout_uri: WEB_HOME,
        program: program!("web_properties" as ".env", "spring":
            "pom.xml",
            "src/main/resources/application.yaml",
            "src/main/java/shop/Shop.java"
        ),
    },
    Framework {
        id: "rust",
        title: "Rust",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: program!("web" as ".env", "rust": "Cargo.toml", "src/main.rs"),
    },
    Framework {
        id: "react",
        title: "React",
        kind: Spa,
        redirect_uri: VITE,
        post_logout_uri: VITE_HOME,
        program: program!("vite" as ".env", "react": "vite.config.mjs", "index.html", "src/main.jsx"),
    },
    Framework {
        id: "vue",
        title: "Vue",
        kind: Spa,
        redirect_uri: VITE,
        post_logout_uri: VITE_HOME,
        program: program!("vite" as ".env", "vue":
            "vite.config.mjs",
            "index.html",
            "src/main.js",
            "src/auth.js",
            "src/App.vue"
        ),
    },
    Framework {
        id: "svelte",
        title: "Svelte",
        kind: Spa,
        redirect_uri: VITE,
        post_logout_uri: VITE_HOME,
        program: program!("vite" as ".env", "svelte":
            "vite.config.mjs",
            "index.html",
            "src/main.js",
            "src/auth.js",
            "src/App.svelte"
        ),
    },
    Framework {
        id: "angular",
        title: "Angular",
        kind: Spa,
        redirect_uri: "http://localhost:4200/callback",
        post_logout_uri: "http://localhost:4200/",
        program: program!("angular" as "src/environment.json", "angular":
            "angular.json",
            "tsconfig.json",
            "proxy.conf.mjs",
            "src/index.html",
            "src/main.ts"
        ),
    },
    Framework {
        id: "python-cli",
        title: "Python command line",
        kind: Native,
        redirect_uri: "http://127.0.0.1/callback",
        post_logout_uri: "",
        program: program!("native" as ".env", "python_cli": "sign_in.py"),
    },
    Framework {
        id: "device",
        title: "Device flow with curl",
        kind: Native,
        redirect_uri: "",
        post_logout_uri: "",
        program: program!("native" as ".env", "device": "sign_in.sh"),
    },
    Framework {
        id: "curl",
        title: "curl",
        kind: MachineToMachine,
        redirect_uri: "",
        post_logout_uri: "",
        program: program!("machine" as ".env", "curl": "call_api.sh"),
    },
    Framework {
        id: "node",
        title: "Node.js",
        kind: MachineToMachine,
        redirect_uri: "",
        post_logout_uri: "",
        program: program!("machine" as ".env", "node": "call_api.mjs"),
    },
    Framework {
        id: "python",
        title: "Python",
        kind: MachineToMachine,
        redirect_uri: "",
        post_logout_uri: "",
        program: program!("machine" as ".env", "python": "call_api.py"),
    },
];

/// The frameworks of a type of application.
pub(crate) fn of(kind: ApplicationType) -> impl Iterator<Item = &'static Framework> {
    ALL.iter().filter(move |framework| framework.kind == kind)
}

/// The framework with this id.
pub(crate) fn find(id: &str) -> Option<&'static Framework> {
    ALL.iter().find(|framework| framework.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ids_are_unique_and_are_not_types() {
        let ids: BTreeSet<_> = ALL.iter().map(|framework| framework.id).collect();
        assert_eq!(ids.len(), ALL.len());
        assert!(ids.iter().all(|id| ApplicationType::parse(id).is_none()));
        for kind in [Spa, Traditional, Native, MachineToMachine] {
            assert!(of(kind).next().is_some(), "{}", kind.as_str());
        }
    }
}
