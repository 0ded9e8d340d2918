//! The names in a line of an import: those that are known, and for others the nearest one, so that a file of another
//! system does not create empty users.

use crate::users::columns::{CUSTOM_DATA, ID, READ_ONLY_COLUMNS, SECRETS, SUSPENDED, TEXTS, of_profile};
use claimsmith_domain::profile::{ADDRESS_KEYS, KEYS};
use claimsmith_web::error::ApiError;
use serde_json::{Map, Value};
use strsim::normalized_damerau_levenshtein;

const PROFILE: &str = "profile";
const ADDRESS: &str = "address";
/// What `GET /api/users` shows beside what an export has.
const SHOWN_MEMBERS: [&str; 2] = ["cimdClientId", "ssoIdentities"];
/// Maximum unknown members that are named for one line.
const MAX_NAMED: usize = 5;
/// Maximum characters of an unknown name that are compared and shown: a longer one resembles none of ours.
const MAX_NAME_CHARS: usize = 64;
/// From 0 to 1: less similar names are not suggested.
const MIN_SIMILARITY: f64 = 0.6;

/// A member, and how other systems call it, in small letters and digits.
struct Foreign {
    ours: &'static str,
    names: &'static [&'static str],
    note: &'static str,
}

const FOREIGN: [Foreign; 14] = [
    Foreign { ours: "username", names: &["login", "user", "uid", "userlogin", "samaccountname"], note: "" },
    Foreign { ours: "primaryEmail", names: &["email", "emailaddress", "mail", "useremail"], note: "" },
    Foreign {
        ours: "primaryPhone",
        names: &["phone", "phonenumber", "mobile", "mobilephone", "telephonenumber"],
        note: "",
    },
    Foreign { ours: "name", names: &["displayname", "fullname", "cn"], note: "" },
    Foreign { ours: "avatar", names: &["picture", "photo", "photourl", "avatarurl", "image", "imageurl"], note: "" },
    Foreign { ours: "profile.givenName", names: &["firstname", "givenname"], note: "" },
    Foreign { ours: "profile.familyName", names: &["lastname", "surname", "sn"], note: "" },
    Foreign {
        ours: "passwordDigest",
        names: &["passwordhash", "hash", "hashedpassword", "encryptedpassword", "userpass", "custompasswordhash"],
        note: "",
    },
    Foreign {
        ours: "passwordDigest",
        names: &["salt", "passwordsalt", "credentials", "secretdata", "credentialdata"],
        note: ", which has all that verifying the password needs",
    },
    Foreign {
        ours: "passwordAlgorithm",
        names: &["algorithm", "hashalgorithm", "passwordhashalgorithm", "hashtype", "encryptionmethod"],
        note: "",
    },
    Foreign { ours: SUSPENDED, names: &["blocked", "disabled", "suspended", "banned", "locked"], note: "" },
    Foreign { ours: SUSPENDED, names: &["enabled", "active", "isactive"], note: ", which is the opposite" },
    Foreign {
        ours: CUSTOM_DATA,
        names: &["metadata", "usermetadata", "appmetadata", "attributes", "customattributes", "customclaims"],
        note: "",
    },
    Foreign {
        ours: CUSTOM_DATA,
        names: &["userid", "localid", "sub", "externalid", "guid", "uuid", "oid"],
        note: "? The server gives ids of its own",
    },
];

/// Refuses a line with names that are not known: their values would be lost.
pub(super) fn check(line: &Map<String, Value>) -> Result<(), ApiError> {
    let profile = line.get(PROFILE).and_then(Value::as_object);
    let address = profile.and_then(|profile| profile.get(ADDRESS)?.as_object());
    let names = |members: Option<&Map<String, Value>>| members.into_iter().flat_map(Map::keys).cloned().collect();
    let (outer, profile, address): (Vec<String>, Vec<String>, Vec<String>) =
        (names(Some(line)), names(profile), names(address));
    let unknown = outer.into_iter().filter(|name| !is_known(name));
    let of_profile = profile.into_iter().filter(|name| name != ADDRESS && !KEYS.contains(&name.as_str()));
    let of_address = address.into_iter().filter(|name| !ADDRESS_KEYS.contains(&name.as_str()));
    let unknown = unknown
        .map(|name| (String::new(), name))
        .chain(of_profile.map(|name| (format!("{PROFILE}."), name)))
        .chain(of_address.map(|name| (format!("{PROFILE}.{ADDRESS}."), name)));
    let problems: Vec<String> = unknown
        .take(MAX_NAMED)
        .map(|(path, name)| {
            let shown: String = name.chars().take(MAX_NAME_CHARS).collect();
            format!("Error in key path \"{path}{shown}\": unknown member{}", suggestion(&name))
        })
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(ApiError::invalid_input("body", problems.join("\n"))) }
}

fn is_known(name: &str) -> bool {
    [ID, SUSPENDED, CUSTOM_DATA, PROFILE].contains(&name)
        || TEXTS.contains(&name)
        || SECRETS.contains(&name)
        || READ_ONLY_COLUMNS.contains(&name)
        || SHOWN_MEMBERS.contains(&name)
}

/// The nearest known name, as the end of a message.
pub(super) fn suggestion(name: &str) -> String {
    let plain: String = plain(name).take(MAX_NAME_CHARS + 1).collect();
    let is = |known: &str| self::plain(known.rsplit('.').next().unwrap_or(known)).eq(plain.chars());
    let foreign = FOREIGN.iter().find(|foreign| foreign.names.contains(&plain.as_str()));
    let (ours, note) = match foreign {
        Some(foreign) => (Some(foreign.ours.to_owned()), foreign.note),
        None => (settable().find(|known| is(known)).or_else(|| similar(&plain)), ""),
    };
    match ours {
        Some(ours) if note.is_empty() => format!(", did you mean `{ours}`?"),
        Some(ours) if note.starts_with('?') => format!(", did you mean `{ours}`{note}."),
        Some(ours) => format!(", did you mean `{ours}`{note}?"),
        None => format!("; `{CUSTOM_DATA}` has room for it"),
    }
}

fn similar(plain: &str) -> Option<String> {
    let likeness = |known: &str| normalized_damerau_levenshtein(&self::plain(known).collect::<String>(), plain);
    let best = settable().map(|known| (likeness(&known), known)).max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.filter(|(likeness, _)| *likeness >= MIN_SIMILARITY).map(|(_, known)| known)
}

/// The names that a line may set.
fn settable() -> impl Iterator<Item = String> {
    let outer = TEXTS.into_iter().chain(SECRETS).chain([SUSPENDED, CUSTOM_DATA]).map(str::to_owned);
    outer.chain(of_profile())
}

fn plain(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unknown_names_have_the_nearest_known_one() {
        for (name, expected) in [
            ("email", ", did you mean `primaryEmail`?"),
            ("Email_Address", ", did you mean `primaryEmail`?"),
            ("user_id", ", did you mean `customData`? The server gives ids of its own."),
            ("passwordHash", ", did you mean `passwordDigest`?"),
            ("salt", ", did you mean `passwordDigest`, which has all that verifying the password needs?"),
            ("enabled", ", did you mean `isSuspended`, which is the opposite?"),
            ("given_name", ", did you mean `profile.givenName`?"),
            ("birthdate", ", did you mean `profile.birthdate`?"),
            ("postal_code", ", did you mean `profile.address.postalCode`?"),
            ("usernme", ", did you mean `username`?"),
            ("user_name", ", did you mean `username`?"),
            ("primaryMail", ", did you mean `primaryEmail`?"),
            ("favouriteColour", "; `customData` has room for it"),
            ("", "; `customData` has room for it"),
        ] {
            assert_eq!(suggestion(name), expected, "{name}");
        }
    }

    #[test]
    fn a_line_is_refused_for_what_would_be_lost_alone() {
        let told = |line: Value| {
            let line = line.as_object().cloned().unwrap_or_default();
            check(&line).err().map(|error| error.told().to_owned())
        };
        let known = json!({ "id": "x", "username": "ada", "profile": { "givenName": "Ada", "address": { "country": "UK" } },
            "customData": { "email": "x" }, "roles": [], "hasPassword": true, "cimdClientId": "x" });
        assert_eq!(told(known), None);
        let unknown = json!({ "email": "x", "profile": { "given_name": "Ada", "address": { "zip": "1" } } });
        let expected = "Error in key path \"email\": unknown member, did you mean `primaryEmail`?\n\
                        Error in key path \"profile.given_name\": unknown member, did you mean `profile.givenName`?\n\
                        Error in key path \"profile.address.zip\": unknown member; `customData` has room for it";
        assert_eq!(told(unknown).as_deref(), Some(expected));
        let long = told(json!({ ("x".repeat(1 << 20)): 1 })).unwrap_or_default();
        assert!(long.len() < 200 && long.contains("`customData` has room for it"), "{long}");
        let many: Map<String, Value> = (0..100).map(|number| (format!("x{number}"), json!(1))).collect();
        assert_eq!(told(Value::Object(many)).map(|told| told.lines().count()), Some(MAX_NAMED));
    }
}
