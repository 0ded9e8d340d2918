//! Audience and scopes of the tokens of a signed-in user: for a resource, an organization, a resource within one, or
//! this server's own endpoints. Never more than was authorized.

use crate::authorization::request::Authorized;
use crate::scope;
use crate::user_scope::{OPENID, ORGANIZATIONS};
use std::collections::BTreeSet;

/// The authorization, and the part of it that a request asks for.
#[derive(Clone, Copy, Debug)]
pub struct Authorization<'a> {
    /// What was authorized.
    pub authorized: &'a Authorized,
    /// The scopes that a refresh requests; `None`: all.
    pub narrowed: Option<&'a [&'a str]>,
}

impl Authorization<'_> {
    /// Whether an ID token is issued: with `openid`, unless a refresh requests scopes without it.
    #[must_use]
    pub fn has_id_token(&self) -> bool {
        self.holds(OPENID) && self.narrowed.is_none_or(|narrowed| narrowed.contains(&OPENID))
    }

    /// Whether tokens for organizations may be requested. Does not check that the user is a member, and that they
    /// consented to the organization for a third party.
    #[must_use]
    pub fn has_organizations(&self) -> bool {
        self.holds(ORGANIZATIONS)
    }

    /// The resource of a request that names none: the only authorized one (RFC 8707 section 2.2), if the token cannot
    /// be for this server's own endpoints, which need `openid`.
    #[must_use]
    pub fn implied_resource(&self, within_organization: bool) -> Option<&str> {
        match self.authorized.resources.as_slice() {
            [only] if !self.holds(OPENID) && !within_organization => Some(only),
            _ => None,
        }
    }

    /// Whether the resource was requested at sign-in.
    #[must_use]
    pub fn covers(&self, indicator: &str) -> bool {
        self.authorized.resources.iter().any(|resource| resource == indicator)
    }

    /// The scopes of a token for this server's own endpoints.
    #[must_use]
    pub fn scope_of_user(&self) -> String {
        self.requested(&self.authorized.scope).join(" ")
    }

    /// The scopes of an organization token: those that the user has in the organization.
    #[must_use]
    pub fn scope_of_organization(&self, held: &BTreeSet<String>) -> String {
        scope::grant(&self.requested(&self.authorized.resource_scope), held)
    }

    /// The scopes of a token for a resource: those that the user has and, for a third party, consented to.
    #[must_use]
    pub fn scope_of_resource(&self, indicator: &str, mut held: BTreeSet<String>) -> String {
        if let Some(consented) = &self.authorized.consented {
            let consented = consented.resources.get(indicator).map(Vec::as_slice).unwrap_or_default();
            held.retain(|scope| consented.contains(scope));
        }
        scope::grant(&self.requested(&self.authorized.resource_scope), &held)
    }

    fn holds(&self, scope: &str) -> bool {
        self.authorized.scope.iter().any(|held| held == scope)
    }

    fn requested<'s>(&self, authorized: &'s [String]) -> Vec<&'s str> {
        let requested = |scope: &&str| self.narrowed.is_none_or(|narrowed| narrowed.contains(scope));
        authorized.iter().map(String::as_str).filter(requested).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authorization::request::Consented;

    const ORDERS: &str = "https://api.example.com/orders";

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn authorized(scope: &str, resource_scope: &str, resources: &str) -> Authorized {
        Authorized {
            redirect_uri: String::new(),
            code_challenge: None,
            nonce: None,
            scope: words(scope),
            resource_scope: words(resource_scope),
            resources: words(resources),
            consented: None,
            session_id: None,
            auth_time: 0,
            amr: Vec::new(),
            acr_values: Vec::new(),
            interaction: None,
        }
    }

    fn third_party(mut authorized: Authorized, resource_scope: &str, organizations: &str) -> Authorized {
        let resources = [(ORDERS.to_owned(), words(resource_scope))].into();
        authorized.consented = Some(Consented { resources, organizations: words(organizations) });
        authorized
    }

    #[test]
    fn an_organization_is_for_who_asked_for_organizations() {
        let own = |scope| authorized(scope, "", "");
        for (authorized, expected) in [
            (own("openid"), false),
            (own("openid urn:logto:scope:organizations"), true),
            (third_party(own("urn:logto:scope:organizations"), "", ""), true),
            (third_party(own("openid"), "", "acme"), false),
        ] {
            let authorization = Authorization { authorized: &authorized, narrowed: None };
            assert_eq!(authorization.has_organizations(), expected, "{authorized:?}");
        }
    }

    #[test]
    fn the_only_resource_is_implied_without_openid_and_outside_of_organizations() {
        for (scope, resources, within_organization, expected) in [
            ("profile", ORDERS, false, Some(ORDERS)),
            ("openid", ORDERS, false, None),
            ("profile", ORDERS, true, None),
            ("profile", "https://one.example.com https://two.example.com", false, None),
            ("profile", "", false, None),
        ] {
            let authorized = authorized(scope, "", resources);
            let authorization = Authorization { authorized: &authorized, narrowed: None };
            assert_eq!(authorization.implied_resource(within_organization), expected, "{scope} {resources}");
        }
    }

    #[test]
    fn a_refresh_for_scopes_without_openid_has_no_id_token() {
        for (scope, narrowed, expected) in [
            ("openid email", None, true),
            ("openid email", Some(&["openid"][..]), true),
            ("openid email", Some(&["email"][..]), false),
            ("email", None, false),
            ("email", Some(&["openid"][..]), false),
        ] {
            let authorized = authorized(scope, "", "");
            let authorization = Authorization { authorized: &authorized, narrowed };
            assert_eq!(authorization.has_id_token(), expected, "{scope} {narrowed:?}");
        }
    }

    #[test]
    fn scopes_are_what_was_authorized_and_asked_for_and_is_held() {
        let own = authorized("openid email", "orders:read orders:write", ORDERS);
        let all = Authorization { authorized: &own, narrowed: None };
        let held = BTreeSet::from(["orders:write", "orders:delete"].map(str::to_owned));
        assert_eq!(all.scope_of_user(), "openid email");
        assert_eq!(all.scope_of_resource(ORDERS, held.clone()), "orders:write");
        assert_eq!(all.scope_of_organization(&held), "orders:write");
        let narrowed = Authorization { narrowed: Some(&["email", "orders:read"]), ..all };
        assert_eq!(narrowed.scope_of_user(), "email");
        assert_eq!(narrowed.scope_of_resource(ORDERS, held.clone()), "");
        assert_eq!(narrowed.scope_of_organization(&held), "");
        assert!(all.covers(ORDERS) && !all.covers("https://api.example.com"));
    }

    #[test]
    fn a_third_party_gets_what_the_user_consented_to() {
        let held = || BTreeSet::from(["orders:read", "orders:write"].map(str::to_owned));
        let asked = || authorized("openid", "orders:read orders:write", ORDERS);
        for (consented, expected) in [("orders:read", "orders:read"), ("orders:delete", ""), ("", "")] {
            let authorized = third_party(asked(), consented, "");
            let authorization = Authorization { authorized: &authorized, narrowed: None };
            assert_eq!(authorization.scope_of_resource(ORDERS, held()), expected, "{consented}");
            assert_eq!(authorization.scope_of_resource("https://other.example.com", held()), "", "{consented}");
        }
    }
}
