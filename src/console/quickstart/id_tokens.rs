//! Which frameworks take ID tokens that are signed with ES256, which costs the server less than RS256. A framework does
//! only if its library accepts ES256 as the offered program sets it up.

use super::Framework;

/// Whether each framework that signs users in takes ES256.
const TAKES_ES256: [(&str, bool); 15] = [
    // openid-client accepts the algorithms of the discovery document, unless the client's metadata name one.
    ("express", true),
    ("next", true),
    ("nuxt", true),
    // Authlib accepts the algorithms of the discovery document.
    ("flask", true),
    ("fastapi", true),
    ("django", true),
    // go-oidc accepts the algorithms of the discovery document, unless its verifier names others.
    ("go", true),
    // Spring Security accepts RS256 only, unless the application has a decoder factory of its own.
    ("spring", false),
    // The crate openidconnect accepts RS256 only, unless its verifier names others.
    ("rust", false),
    // oidc-client-ts takes ID tokens from the token endpoint over TLS, and does not check their signatures (OpenID
    // Connect Core section 3.1.3.7).
    ("react", true),
    ("vue", true),
    ("svelte", true),
    // angular-auth-oidc-client verifies with the algorithm that the header names, ES256 among them.
    ("angular", true),
    // These use access tokens only.
    ("python-cli", true),
    ("device", true),
];

impl Framework {
    /// Whether its program takes ID tokens that are signed with ES256.
    pub(crate) fn takes_es256(&self) -> bool {
        TAKES_ES256.contains(&(self.id, true))
    }
}

#[cfg(test)]
mod tests {
    use super::super::frameworks;
    use super::*;
    use claimsmith_domain::documents::application::ApplicationType;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_has_every_framework_that_signs_users_in() {
        let with_users = frameworks::ALL.iter().filter(|framework| framework.kind != ApplicationType::MachineToMachine);
        let expected: BTreeSet<&str> = with_users.map(|framework| framework.id).collect();
        let found: BTreeSet<&str> = TAKES_ES256.iter().map(|(id, _)| *id).collect();
        assert_eq!(found, expected);
        assert_eq!(found.len(), TAKES_ES256.len(), "each is there once");
    }

    #[test]
    fn others_keep_the_default() {
        for framework in frameworks::ALL {
            let expected =
                framework.kind != ApplicationType::MachineToMachine && !["spring", "rust"].contains(&framework.id);
            assert_eq!(framework.takes_es256(), expected, "{}", framework.id);
        }
    }
}
