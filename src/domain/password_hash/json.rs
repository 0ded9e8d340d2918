//! Formats in JSON: `["method", ["argument", …, "@"], "hash"]` of `Legacy`, and the credentials of Keycloak.

use super::encoding::exactly;
use super::modular::{argon2_of, number, scrypt_of};
use super::parts::{Parsed, bytes, check_key, pbkdf2, salts};
use super::{Argon2Hash, Argon2Variant, DigestFunction, Part, PasswordHash, UnreadableHash};
use claimsmith_json::{INCOMING, read};
use serde_json::{Map, Value};

/// Stands for the password.
const PASSWORD: &str = "@";
/// What a hash of Firebase needs.
pub(super) const FIREBASE: &str = "a hash of Firebase is [\"firebase-scrypt\", [salt, salt separator, signer key, rounds, \
     memory cost, \"@\"], hash], with the key and the separator of your project";
const LEGACY: &str = "expected JSON of the method, its arguments with \"@\" for the password, and the hash";

/// `["method", ["argument", …], "hash"]`.
pub(super) fn legacy(text: &str) -> Parsed {
    let parts: Vec<Value> = read(text, INCOMING).map_err(|_| LEGACY)?;
    let [Value::String(method), Value::Array(arguments), Value::String(hash)] = &parts[..] else {
        return Err(LEGACY.into());
    };
    let arguments: Option<Vec<String>> = arguments.iter().map(text_of).collect();
    let arguments = arguments.ok_or(LEGACY)?;
    if !arguments.iter().any(|argument| argument == PASSWORD) {
        return Err("none of its arguments is \"@\", which stands for the password".into());
    }
    match method.to_ascii_lowercase().as_str() {
        "pbkdf2" | "pbkdf2sync" => legacy_pbkdf2(&arguments, hash),
        "firebase-scrypt" => firebase(&arguments, hash),
        name => {
            let unknown = "its method is none of md5, sha1, sha256, sha384, sha512, pbkdf2 and firebase-scrypt";
            let function = DigestFunction::named(name).ok_or(unknown)?;
            let hash = exactly(hash, function.bytes());
            let hash = hash.ok_or_else(|| format!("its hash does not have {} bytes", function.bytes()))?;
            let parts = arguments.into_iter().map(|argument| match argument.as_str() {
                PASSWORD => Part::Password,
                _ => Part::Bytes(argument.into_bytes()),
            });
            Ok(PasswordHash::Digest { function, parts: parts.collect(), hash })
        }
    }
}

/// The arguments of Node's `pbkdf2Sync`, with the password at the end: salt, iterations, bytes of the key, function.
fn legacy_pbkdf2(arguments: &[String], hash: &str) -> Parsed {
    let [salt, iterations, key_bytes, function, password] = arguments else {
        return Err("the arguments of pbkdf2 are salt, iterations, key length, digest and \"@\"".into());
    };
    if password != PASSWORD {
        return Err("the arguments of pbkdf2 end with \"@\"".into());
    }
    let function = DigestFunction::named(function).ok_or("its digest is none of sha1, sha256, sha384 and sha512")?;
    let key_bytes = usize::try_from(number(key_bytes)?).unwrap_or(usize::MAX);
    let key = Some(key_bytes).filter(|bytes| *bytes <= hash.len()).and_then(|bytes| exactly(hash, bytes));
    let key = key.ok_or("its hash is not as long as its key length says")?;
    pbkdf2(function, number(iterations)?, salts(salt)?, key)
}

/// Salt, separator and signer key in base64, then rounds and memory cost.
fn firebase(arguments: &[String], hash: &str) -> Parsed {
    let [salt, separator, signer_key, rounds, memory_cost, password] = arguments else {
        return Err(FIREBASE.into());
    };
    if password != PASSWORD {
        return Err(FIREBASE.into());
    }
    let (mut salt, separator, signer_key, hash) = (bytes(salt)?, bytes(separator)?, bytes(signer_key)?, bytes(hash)?);
    if salt.is_empty() {
        return Err("it has no salt".into());
    }
    if hash.len() != signer_key.len() {
        return Err("its hash is not as long as the signer key".into());
    }
    check_key(&hash)?;
    salt.extend(separator);
    let scrypt = scrypt_of(number(memory_cost)?, [number(rounds)?, 1], salt, hash)?;
    Ok(PasswordHash::FirebaseScrypt { scrypt, signer_key })
}

/// A credential of Keycloak: as its export has it (`secretData` and `credentialData`), or flat (`algorithm`,
/// `iterations`, `salt`, `value`).
pub(super) fn keycloak(text: &str) -> Parsed {
    let mut members: Map<String, Value> =
        read(text, INCOMING).map_err(|_| "it begins with {, and is neither JSON nor of a scheme such as {SSHA}")?;
    for part in ["secretData", "credentialData"] {
        match members.remove(part) {
            Some(Value::String(text)) => {
                let part: Map<String, Value> = read(&text, INCOMING).map_err(|_| "its parts are not JSON")?;
                members.extend(part);
            }
            Some(Value::Object(part)) => members.extend(part),
            _ => {}
        }
    }
    let member = |names: &[&'static str]| {
        let found = names.iter().find_map(|name| text_of(members.get(*name)?));
        found.ok_or_else(|| UnreadableHash::from(format!("its member `{}` is missing", names.join("` or `"))))
    };
    let iterations = number(&member(&["iterations", "hashIterations"])?)?;
    let (salt, hash) = (bytes(&member(&["salt"])?)?, bytes(&member(&["value", "hashedSaltedValue"])?)?);
    let function = match member(&["algorithm"])?.as_str() {
        "pbkdf2" | "pbkdf2-sha1" => DigestFunction::Sha1,
        "pbkdf2-sha256" => DigestFunction::Sha256,
        "pbkdf2-sha512" => DigestFunction::Sha512,
        "argon2" => {
            let parameters = members.get("additionalParameters").and_then(Value::as_object);
            return keycloak_argon2(parameters.unwrap_or(&members), iterations, salt, hash);
        }
        _ => return Err("its algorithm is none of pbkdf2, pbkdf2-sha256, pbkdf2-sha512 and argon2".into()),
    };
    pbkdf2(function, iterations, vec![salt], hash)
}

/// Each parameter is a list of one text.
fn keycloak_argon2(parameters: &Map<String, Value>, passes: u32, salt: Vec<u8>, hash: Vec<u8>) -> Parsed {
    let parameter = |name: &str| {
        let value = parameters.get(name).and_then(|value| value.get(0).or(Some(value))).and_then(text_of);
        value.ok_or_else(|| UnreadableHash::from(format!("its parameter `{name}` is missing")))
    };
    let variant = match parameter("type")?.as_str() {
        "id" => Argon2Variant::Id,
        "i" => Argon2Variant::I,
        "d" => Argon2Variant::D,
        _ => return Err("its type is neither id nor i nor d".into()),
    };
    let is_current_version = match parameter("version")?.as_str() {
        "1.3" => true,
        "1.0" => false,
        _ => return Err("its version is neither 1.3 nor 1.0".into()),
    };
    let (memory, lanes) = (number(&parameter("memory")?)?, number(&parameter("parallelism")?)?);
    argon2_of(Argon2Hash { variant, is_current_version, memory, passes, lanes, salt, hash })
}

/// A text, or the digits of a number.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
