//! The frameworks that the console has quickstart code for, by type of application; the recommended one first.

use super::{Framework, Program, files};
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
        program: Program {
            install: "npm init --yes && npm install express@5 express-session@1 openid-client@6",
            run: "node --env-file=.env server.mjs",
            files: files!("web" as ".env", "express": "server.mjs"),
        },
    },
    Framework {
        id: "next",
        title: "Next.js",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: Program {
            install: "npm init --yes && npm install next@15 react@19 react-dom@19 openid-client@6 iron-session@8",
            run: "node --env-file=.env node_modules/next/dist/bin/next dev",
            files: files!("next" as ".env", "next": "lib/oidc.js", "app/layout.js", "app/page.js", "app/sign-in/route.js", "app/callback/route.js", "app/sign-out/route.js"),
        },
    },
    Framework {
        id: "nuxt",
        title: "Nuxt",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: Program {
            install: "npm init --yes && npm install nuxt@3 openid-client@6",
            run: "node --env-file=.env node_modules/nuxt/bin/nuxt.mjs dev",
            files: files!("web" as ".env", "nuxt": "nuxt.config.ts", "app.vue", "server/utils/oidc.js", "server/api/me.get.js", "server/routes/sign-in.get.js", "server/routes/callback.get.js", "server/routes/sign-out.get.js"),
        },
    },
    Framework {
        id: "flask",
        title: "Flask",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: Program {
            install: "python3 -m venv venv && venv/bin/pip install 'flask~=3.1' 'authlib~=1.6' 'requests~=2.32' 'python-dotenv~=1.1'",
            run: "venv/bin/python app.py",
            files: files!("web" as ".env", "flask": "app.py"),
        },
    },
    Framework {
        id: "fastapi",
        title: "FastAPI",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: Program {
            install: "python3 -m venv venv && venv/bin/pip install fastapi uvicorn httpx itsdangerous \\\n  'authlib~=1.6' 'python-dotenv~=1.1'",
            run: "venv/bin/python app.py",
            files: files!("web" as ".env", "fastapi": "app.py"),
        },
    },
    Framework {
        id: "django",
        title: "Django",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: Program {
            install: "python3 -m venv venv && venv/bin/pip install 'django~=5.2' 'authlib~=1.6' 'requests~=2.32' 'python-dotenv~=1.1'",
            run: "venv/bin/python app.py",
            files: files!("web" as ".env", "django": "app.py"),
        },
    },
    Framework {
        id: "go",
        title: "Go",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: Program {
            install: "go mod init shop && go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2 github.com/joho/godotenv",
            run: "go run .",
            files: files!("web" as ".env", "go": "main.go"),
        },
    },
    Framework {
        id: "spring",
        title: "Spring Boot",
        kind: Traditional,
        redirect_uri: "http://localhost:3000/login/oauth2/code/claimsmith",
        post_logout_uri: WEB_HOME,
        program: Program {
            install: "",
            run: "mvn --quiet spring-boot:run",
            files: files!("web_properties" as ".env", "spring": "pom.xml", "src/main/resources/application.yaml", "src/main/java/shop/Shop.java"),
        },
    },
    Framework {
        id: "rust",
        title: "Rust",
        kind: Traditional,
        redirect_uri: WEB,
        post_logout_uri: WEB_HOME,
        program: Program {
            install: "",
            run: "cargo run",
            files: files!("web" as ".env", "rust": "Cargo.toml", "src/main.rs"),
        },
    },
    Framework {
        id: "react",
        title: "React",
        kind: Spa,
        redirect_uri: VITE,
        post_logout_uri: VITE_HOME,
        program: Program {
            install: "npm init --yes && npm install react@19 react-dom@19 oidc-client-ts@3 react-oidc-context@3 \\\n  vite@7 @vitejs/plugin-react@5",
            run: "npx vite",
            files: files!("vite" as ".env", "react": "vite.config.mjs", "index.html", "src/main.jsx"),
        },
    },
    Framework {
        id: "vue",
        title: "Vue",
        kind: Spa,
        redirect_uri: VITE,
        post_logout_uri: VITE_HOME,
        program: Program {
            install: "npm init --yes && npm install vue@3 oidc-client-ts@3 vite@7 @vitejs/plugin-vue@6",
            run: "npx vite",
            files: files!("vite" as ".env", "vue": "vite.config.mjs", "index.html", "src/main.js", "src/auth.js", "src/App.vue"),
        },
    },
    Framework {
        id: "svelte",
        title: "Svelte",
        kind: Spa,
        redirect_uri: VITE,
        post_logout_uri: VITE_HOME,
        program: Program {
            install: "npm init --yes && npm install svelte@5 oidc-client-ts@3 vite@7 @sveltejs/vite-plugin-svelte@6",
            run: "npx vite",
            files: files!("vite" as ".env", "svelte": "vite.config.mjs", "index.html", "src/main.js", "src/auth.js", "src/App.svelte"),
        },
    },
    Framework {
        id: "angular",
        title: "Angular",
        kind: Spa,
        redirect_uri: "http://localhost:4200/callback",
        post_logout_uri: "http://localhost:4200/",
        program: Program {
            install: "npm init --yes && npm install @angular/core@20 @angular/common@20 @angular/compiler@20 \\\n  @angular/platform-browser@20 @angular/router@20 rxjs@7 tslib@2 angular-auth-oidc-client@20 \\\n  @angular/build@20 @angular/cli@20 @angular/compiler-cli@20 typescript@5.9",
            run: "npx ng serve --port $(node -p 'require(`./src/environment.json`).port')",
            files: files!("angular" as "src/environment.json", "angular": "angular.json", "tsconfig.json", "proxy.conf.mjs", "src/index.html", "src/main.ts"),
        },
    },
    Framework {
        id: "python-cli",
        title: "Python command line",
        kind: Native,
        redirect_uri: "http://127.0.0.1/callback",
        post_logout_uri: "",
        program: Program {
            install: "python3 -m venv venv && venv/bin/pip install 'authlib~=1.6' 'requests~=2.32' 'python-dotenv~=1.1'",
            run: "venv/bin/python sign_in.py",
            files: files!("native" as ".env", "python_cli": "sign_in.py"),
        },
    },
    Framework {
        id: "device",
        title: "Device flow with curl",
        kind: Native,
        redirect_uri: "",
        post_logout_uri: "",
        program: Program {
            install: "",
            run: "bash sign_in.sh",
            files: files!("native" as ".env", "device": "sign_in.sh"),
        },
    },
    Framework {
        id: "curl",
        title: "curl",
        kind: MachineToMachine,
        redirect_uri: "",
        post_logout_uri: "",
        program: Program {
            install: "",
            run: "bash call_api.sh",
            files: files!("machine" as ".env", "curl": "call_api.sh"),
        },
    },
    Framework {
        id: "node",
        title: "Node.js",
        kind: MachineToMachine,
        redirect_uri: "",
        post_logout_uri: "",
        program: Program {
            install: "npm init --yes && npm install openid-client@6",
            run: "node --env-file=.env call_api.mjs",
            files: files!("machine" as ".env", "node": "call_api.mjs"),
        },
    },
    Framework {
        id: "python",
        title: "Python",
        kind: MachineToMachine,
        redirect_uri: "",
        post_logout_uri: "",
        program: Program {
            install: "python3 -m venv venv && venv/bin/pip install 'authlib~=1.6' 'requests~=2.32' 'python-dotenv~=1.1'",
            run: "venv/bin/python call_api.py",
            files: files!("machine" as ".env", "python": "call_api.py"),
        },
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
