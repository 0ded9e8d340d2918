//! The URLs of pictures that users uploaded to this server.

use super::id::AvatarId;

/// The path prefix of all pictures.
pub const FOLDER: &str = "/avatars/";
/// Length of an id in characters: 190 bits, so that the URL of a picture cannot be guessed.
pub const ID_CHARS: usize = 32;

/// The URL of a picture at a server with this base URL.
#[must_use]
pub fn address(base_url: &str, id: &AvatarId) -> String {
    format!("{base_url}{FOLDER}{id}")
}

/// The id in a URL; `None` if it is not the URL of a picture of this server. The base URL is ignored: the server may
/// have had another one at the time of the upload.
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
