//! The URLs of pictures that people uploaded here.

use super::id::AvatarId;

/// The path that all of them are below.
pub const FOLDER: &str = "/avatars/";
/// The characters of an id: 190 bits, so that nobody finds a picture whose address they were not told.
pub const ID_CHARS: usize = 32;

/// The address of a picture at a server with this base URL.
#[must_use]
pub fn address(base_url: &str, id: &AvatarId) -> String {
    format!("{base_url}{FOLDER}{id}")
}

/// The id in an address; none when no picture here has such an address. Its beginning does not count: a server may have
/// had another base URL when it was uploaded.
#[must_use]
pub fn id_of(address: &str) -> Option<AvatarId> {
    let (_, id) = address.rsplit_once(FOLDER)?;
    let is_id = id.len() == ID_CHARS && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_id.then(|| id.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_back_to_its_id() {
        let id = AvatarId::from("0aZ".repeat(10) + "xy");
        for base in ["https://id.test", "https://id.test/tenant", "http://localhost:3001"] {
            assert_eq!(id_of(&address(base, &id)), Some(id.clone()));
        }
        let base = "https://id.test";
        for other in [
            address(base, &id) + "/",
            address(base, &id) + "?x",
            address(base, &"short".into()),
            address(base, &("../".to_owned() + &"x".repeat(29)).into()),
            format!("{base}/pictures/{id}"),
            String::new(),
        ] {
            assert_eq!(id_of(&other), None, "{other}");
        }
    }
}
