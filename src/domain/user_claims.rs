//! Claims of users by scope (OpenID Connect Core section 5.4, and the scopes of the reference beyond it).

use super::documents::id_token::IdTokenClaims;
use super::scope;
use super::user_scope::{self, GROUPS, ORGANIZATION_ROLES, ORGANIZATIONS, ROLES};
use serde_json::{Map, Value, json};

/// Every claim of a user except `sub`.
pub const CLAIMS: [&str; 28] = [
    "name",
    "family_name",
    "given_name",
    "middle_name",
    "nickname",
    "preferred_username",
    "profile",
    "picture",
    "website",
    "gender",
    "birthdate",
    "zoneinfo",
    "locale",
    "updated_at",
    "username",
    "created_at",
    "email",
    "email_verified",
    "phone_number",
    "phone_number_verified",
    "address",
    "custom_data",
    "identities",
    "roles",
    "organizations",
    "organization_data",
    "organization_roles",
    "groups",
];

/// Whether a claim belongs to what an application can have in its ID tokens.
#[must_use]
pub fn is_part_of(claim: &str, part: IdTokenClaims) -> bool {
    let claims: &[&str] = match part {
        IdTokenClaims::Profile => &CLAIMS[..16],
        IdTokenClaims::Email => &["email", "email_verified"],
        IdTokenClaims::Phone => &["phone_number", "phone_number_verified"],
        IdTokenClaims::Address => &["address"],
        IdTokenClaims::Groups => &["groups"],
    };
    claims.contains(&claim)
}

/// Claims of the scope `profile` with their key in the stored profile.
const OF_PROFILE: [(&str, &str); 11] = [
    ("family_name", "familyName"),
    ("given_name", "givenName"),
    ("middle_name", "middleName"),
    ("nickname", "nickname"),
    ("preferred_username", "preferredUsername"),
    ("profile", "profile"),
    ("website", "website"),
    ("gender", "gender"),
    ("birthdate", "birthdate"),
    ("zoneinfo", "zoneinfo"),
    ("locale", "locale"),
];
/// Members of the claim `address` with their key in the stored address.
const OF_ADDRESS: [(&str, &str); 6] = [
    ("formatted", "formatted"),
    ("street_address", "streetAddress"),
    ("locality", "locality"),
    ("region", "region"),
    ("postal_code", "postalCode"),
    ("country", "country"),
];

/// The data of a user.
#[derive(Clone, Copy)]
pub struct UserData<'a> {
    /// The username.
    pub username: Option<&'a str>,
    /// The display name.
    pub name: Option<&'a str>,
    /// URL of a picture.
    pub avatar: Option<&'a str>,
    /// The primary email address. It counts as verified: operators vouch for addresses that they set, and users can
    /// only set verified ones.
    pub email: Option<&'a str>,
    /// The primary phone number, as digits; it counts as verified too.
    pub phone: Option<&'a str>,
    /// The stored profile.
    pub profile: &'a Value,
    /// The integrator's custom data; only an object becomes a claim.
    pub custom_data: &'a Value,
    /// Linked identities by connector target; only an object becomes a claim.
    pub identities: &'a Value,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
    /// Names of roles.
    pub roles: &'a [String],
    /// Organizations that the user is a member of.
    pub organizations: &'a [OrganizationData],
    /// `organization:role` for each role in an organization.
    pub organization_roles: &'a [String],
}

/// An organization of a user.
pub struct OrganizationData {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
}

impl UserData<'_> {
    /// The claims of the granted scopes. Missing values are omitted (OpenID Connect Core section 5.3.2).
    #[must_use]
    pub fn claims(&self, granted: &str) -> Map<String, Value> {
        let mut claims = Map::new();
        for scope in user_scope::ALL.into_iter().chain([GROUPS]).filter(|known| scope::contains(granted, known)) {
            self.add(scope, &mut claims);
        }
        claims
    }

    fn add(&self, scope: &str, claims: &mut Map<String, Value>) {
        let mut put = |name: &str, value: Value| {
            claims.insert(name.to_owned(), value);
        };
        match scope {
            "profile" => claims.extend(self.of_profile()),
            "email" => {
                if let Some(email) = self.email {
                    put("email", json!(email));
                    put("email_verified", json!(true));
                }
            }
            "phone" => {
                if let Some(phone) = self.phone {
                    put("phone_number", json!(phone));
                    put("phone_number_verified", json!(true));
                }
            }
            "address" => {
                let address = renamed(&self.profile["address"], &OF_ADDRESS);
                if !address.is_empty() {
                    put("address", Value::Object(address));
                }
            }
            "custom_data" if self.custom_data.is_object() => put("custom_data", self.custom_data.clone()),
            "identities" if self.identities.is_object() => put("identities", self.identities.clone()),
            ROLES => put("roles", json!(self.roles)),
            ORGANIZATIONS => {
                put("organizations", self.organizations.iter().map(|one| json!(one.id)).collect());
                let data =
                    |one: &OrganizationData| json!({ "id": one.id, "name": one.name, "description": one.description });
                put("organization_data", self.organizations.iter().map(data).collect());
            }
            ORGANIZATION_ROLES => put("organization_roles", json!(self.organization_roles)),
            GROUPS => put("groups", self.roles.iter().chain(self.organization_roles).map(|name| json!(name)).collect()),
            _ => {}
        }
    }

    fn of_profile(&self) -> Map<String, Value> {
        let mut claims = Map::new();
        let texts = [
            ("name", self.name),
            ("picture", self.avatar),
            ("username", self.username),
            ("preferred_username", self.username),
        ];
        for (name, text) in texts {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                claims.insert(name.to_owned(), json!(text));
            }
        }
        claims.extend(renamed(self.profile, &OF_PROFILE));
        for (name, at) in [("updated_at", self.updated_at), ("created_at", self.created_at)] {
            claims.insert(name.to_owned(), json!(at / 1000));
        }
        claims
    }
}

/// The non-empty strings of these keys, under their claim names.
fn renamed(stored: &Value, names: &[(&str, &str)]) -> Map<String, Value> {
    let text = |key: &str| stored.get(key).filter(|value| value.as_str().is_some_and(|text| !text.is_empty()));
    names.iter().filter_map(|(claim, key)| Some(((*claim).to_owned(), text(key)?.clone()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn claims(user: &UserData<'_>, granted: &str) -> Value {
        Value::Object(user.claims(granted))
    }

    #[test]
    fn each_scope_has_its_claims() {
        let (profile, custom_data, identities) = (
            json!({
                "familyName": "Lovelace", "givenName": "Ada", "middleName": "K", "nickname": "al",
                "preferredUsername": "countess", "profile": "https://ada.test", "website": "https://w.test",
                "gender": "female", "birthdate": "1815-12-10", "zoneinfo": "Europe/London", "locale": "en-GB",
                "address": {
                    "formatted": "12 St James's", "streetAddress": "12", "locality": "London", "region": "",
                    "postalCode": "SW1", "country": "UK",
                },
            }),
            json!({ "plan": "gold" }),
            json!({ "google": { "userId": "g1" } }),
        );
        let roles = ["admin".to_owned(), "user".to_owned()];
        let organizations = [
            OrganizationData { id: "o1".to_owned(), name: "One".to_owned(), description: Some("first".to_owned()) },
            OrganizationData { id: "o2".to_owned(), name: "Two".to_owned(), description: None },
        ];
        let organization_roles = ["o1:owner".to_owned()];
        let user = UserData {
            username: Some("ada"),
            name: Some("Ada Lovelace"),
            avatar: Some("https://ada.test/p.png"),
            email: Some("ada@example.com"),
            phone: Some("491701234567"),
            profile: &profile,
            custom_data: &custom_data,
            identities: &identities,
            created_at: 1_760_000_000_999,
            updated_at: 1_760_000_001_000,
            roles: &roles,
            organizations: &organizations,
            organization_roles: &organization_roles,
        };
        let of_profile = json!({
            "name": "Ada Lovelace", "family_name": "Lovelace", "given_name": "Ada", "middle_name": "K",
            "nickname": "al", "preferred_username": "countess", "profile": "https://ada.test",
            "picture": "https://ada.test/p.png", "website": "https://w.test", "gender": "female",
            "birthdate": "1815-12-10", "zoneinfo": "Europe/London", "locale": "en-GB", "updated_at": 1_760_000_001,
            "username": "ada", "created_at": 1_760_000_000,
        });
        let address = json!({
            "formatted": "12 St James's", "street_address": "12", "locality": "London", "postal_code": "SW1",
            "country": "UK",
        });
        let data = json!([
            { "id": "o1", "name": "One", "description": "first" }, { "id": "o2", "name": "Two", "description": null },
        ]);
        for (granted, expected) in [
            ("", json!({})),
            ("openid offline_access", json!({})),
            ("profiles email2 unknown", json!({})),
            ("openid profile", of_profile),
            ("email", json!({ "email": "ada@example.com", "email_verified": true })),
            ("phone", json!({ "phone_number": "491701234567", "phone_number_verified": true })),
            ("address", json!({ "address": address })),
            ("custom_data", json!({ "custom_data": { "plan": "gold" } })),
            ("identities", json!({ "identities": { "google": { "userId": "g1" } } })),
            ("roles", json!({ "roles": ["admin", "user"] })),
            (ORGANIZATIONS, json!({ "organizations": ["o1", "o2"], "organization_data": data })),
            (ORGANIZATION_ROLES, json!({ "organization_roles": ["o1:owner"] })),
            (GROUPS, json!({ "groups": ["admin", "user", "o1:owner"] })),
        ] {
            assert_eq!(claims(&user, granted), expected, "{granted}");
        }
        // The list in the discovery document is complete.
        let names = |granted: &str| user.claims(granted).into_iter().map(|(name, _)| name).collect::<BTreeSet<_>>();
        assert_eq!(names(&format!("{} {GROUPS}", user_scope::ALL.join(" "))), CLAIMS.map(str::to_owned).into());
        for part in IdTokenClaims::ALL {
            let claims = CLAIMS.into_iter().filter(|claim| is_part_of(claim, part)).map(str::to_owned);
            assert_eq!(names(part.as_str()), claims.collect(), "{}", part.as_str());
        }
    }

    #[test]
    fn what_the_user_does_not_have_is_left_out() {
        let empty = json!({});
        let user = UserData {
            username: None,
            name: Some(""),
            avatar: Some(""),
            email: None,
            phone: None,
            profile: &json!({ "nickname": "", "locale": 1, "address": { "region": "" } }),
            custom_data: &empty,
            identities: &empty,
            created_at: 0,
            updated_at: 0,
            roles: &[],
            organizations: &[],
            organization_roles: &[],
        };
        let times = json!({ "updated_at": 0, "created_at": 0 });
        assert_eq!(claims(&user, "profile email phone address"), times);
        assert_eq!(claims(&user, "roles custom_data"), json!({ "roles": [], "custom_data": {} }));
        let named = UserData { username: Some("ada"), ..user };
        let expected = json!({ "updated_at": 0, "created_at": 0, "username": "ada", "preferred_username": "ada" });
        assert_eq!(claims(&named, "profile"), expected);
    }
}
