//! Formats with fields between dollar signs: PHC texts, crypt, bcrypt, phpass, and those of Django.

use super::encoding::{crypt, crypt_value};
use super::parts::{Parsed, bytes, check_key, pbkdf2 as pbkdf2_hash, unshuffled};
use super::{Argon2Hash, Argon2Variant, BcryptInput, DigestFunction, PasswordHash, ScryptHash, UnreadableHash};

/// Bytes of a hash of Argon2, as in the PHC text format.
const ARGON2_HASH_BYTES: std::ops::RangeInclusive<usize> = 10..=64;
/// RFC 9106.
const MIN_ARGON2_SALT_BYTES: usize = 8;
/// KiB that each lane has at least.
const MIN_ARGON2_KIB_PER_LANE: u32 = 8;
/// The characters of the salt of bcrypt and of its hash.
const BCRYPT_LENGTH: usize = 22 + 31;
/// Rounds of SHA-crypt without a number.
const DEFAULT_ROUNDS: u32 = 5000;
const MIN_ROUNDS: u32 = 1000;
const MAX_CRYPT_SALT_BYTES: usize = 16;
const PHPASS_SALT_BYTES: usize = 8;
/// RFC 7914: r times p is less.
const MAX_SCRYPT_BLOCKS: u64 = 1 << 30;
/// The largest logarithm of N; a larger number is N itself, as Ory Kratos writes it.
const MAX_LOG_N: u64 = 63;

/// `argon2id$v=19$m=19456,t=2,p=1$salt$hash`.
pub(super) fn argon2(text: &str) -> Parsed {
    let mut fields: Vec<&str> = text.split('$').collect();
    let is_current_version = match fields.get(1).and_then(|field| field.strip_prefix("v=")) {
        Some("19") => true,
        Some("16") | None => false,
        Some(_) => return Err("its version is neither v=19 nor v=16".into()),
    };
    if fields.get(1).is_some_and(|field| field.starts_with("v=")) {
        fields.remove(1);
    }
    let [variant, parameters, salt, hash] = fields[..] else {
        return Err("expected $argon2id$v=19$m=19456,t=2,p=1$salt$hash".into());
    };
    let variant = match variant {
        "argon2id" => Argon2Variant::Id,
        "argon2i" => Argon2Variant::I,
        "argon2d" => Argon2Variant::D,
        _ => return Err("its variant is neither argon2id nor argon2i nor argon2d".into()),
    };
    let [memory, passes, lanes] = numbers(parameters, ["m=", "t=", "p="])?;
    let (salt, hash) = (bytes(salt)?, bytes(hash)?);
    argon2_of(Argon2Hash { variant, is_current_version, memory, passes, lanes, salt, hash })
}

/// A hash of Argon2, checked.
pub(super) fn argon2_of(hash: Argon2Hash) -> Parsed {
    if hash.passes == 0 || hash.lanes == 0 || hash.memory / MIN_ARGON2_KIB_PER_LANE < hash.lanes {
        return Err("its memory, passes or lanes are less than Argon2 has".into());
    }
    if hash.salt.len() < MIN_ARGON2_SALT_BYTES {
        return Err(format!("its salt has {} bytes, and at least 8 are needed", hash.salt.len()).into());
    }
    if !ARGON2_HASH_BYTES.contains(&hash.hash.len()) {
        return Err(format!("its hash has {} bytes, and 10 to 64 are supported", hash.hash.len()).into());
    }
    Ok(PasswordHash::Argon2(hash))
}

/// `$2b$12$` with salt and hash.
pub(super) fn bcrypt(text: &str, input: BcryptInput) -> Parsed {
    let [_, version, cost, rest] = text.split('$').collect::<Vec<_>>()[..] else {
        return Err("expected $2b$, the cost, and 53 characters".into());
    };
    if !matches!(version, "2a" | "2b" | "2x" | "2y") {
        return Err("its version is none of 2a, 2b and 2y".into());
    }
    let cost = Some(cost).filter(|cost| cost.len() == 2).and_then(|cost| number(cost).ok());
    let cost = cost.filter(|cost| (4..=31).contains(cost)).ok_or("its cost is not a number of 04 to 31")?;
    if rest.len() != BCRYPT_LENGTH || rest.bytes().any(|letter| crypt_value(letter).is_none()) {
        return Err("expected 53 characters of salt and hash after the cost".into());
    }
    Ok(PasswordHash::Bcrypt { text: text.to_owned(), cost, input })
}

/// `B`, a logarithm, and salt and hash.
pub(super) fn phpass(text: &str) -> Parsed {
    let parts = text.split_at_checked(1).and_then(|(log, rest)| Some((log, rest.split_at_checked(PHPASS_SALT_BYTES)?)));
    let (log, (salt, hash)) = parts.ok_or("expected 31 characters after the prefix")?;
    let log_rounds = log.bytes().next().and_then(crypt_value).filter(|log| (7..=30).contains(log));
    let log_rounds = log_rounds.ok_or("its number of iterations cannot be read")?;
    let hash = crypt(hash, DigestFunction::Md5.bytes()).ok_or("expected 31 characters after the prefix")?;
    Ok(PasswordHash::Phpass { log_rounds, salt: salt.as_bytes().to_vec(), hash })
}

/// `rounds=5000$salt$hash`; the rounds may be left out.
pub(super) fn sha_crypt(text: &str, is_sha512: bool) -> Parsed {
    let (rounds, rest) = match text.strip_prefix("rounds=").and_then(|rest| rest.split_once('$')) {
        Some((rounds, rest)) => (number(rounds)?, rest),
        None => (DEFAULT_ROUNDS, text),
    };
    if rounds < MIN_ROUNDS {
        return Err("its number of rounds is less than 1000".into());
    }
    let (salt, hash) = rest.split_once('$').ok_or("it has no hash")?;
    if salt.is_empty() || salt.len() > MAX_CRYPT_SALT_BYTES {
        return Err("its salt does not have 1 to 16 characters".into());
    }
    let hash = unshuffled(hash, is_sha512);
    let hash = hash.ok_or(if is_sha512 {
        "its hash does not have 86 characters of crypt"
    } else {
        "its hash does not have 43 characters of crypt"
    })?;
    Ok(PasswordHash::ShaCrypt { is_sha512, rounds, salt: salt.as_bytes().to_vec(), hash })
}

/// Of passlib, `29000$salt$hash`, and of others, `i=29000,l=32$salt$hash`.
pub(super) fn pbkdf2(text: &str, function: DigestFunction) -> Parsed {
    let [iterations, salt, key] = text.split('$').collect::<Vec<_>>()[..] else {
        return Err("expected the iterations, the salt and the hash between dollar signs".into());
    };
    let named = iterations.split(',').find_map(|one| one.strip_prefix("i="));
    pbkdf2_hash(function, number(named.unwrap_or(iterations))?, vec![bytes(salt)?], bytes(key)?)
}

/// `600000$salt$hash`; the salt is text.
pub(super) fn django_pbkdf2(text: &str, function: DigestFunction) -> Parsed {
    let [iterations, salt, key] = text.split('$').collect::<Vec<_>>()[..] else {
        return Err("expected the iterations, the salt and the hash between dollar signs".into());
    };
    pbkdf2_hash(function, number(iterations)?, vec![salt.as_bytes().to_vec()], bytes(key)?)
}

/// `ln=16,r=8,p=1$salt$hash`.
pub(super) fn scrypt(text: &str) -> Parsed {
    let [parameters, salt, key] = text.split('$').collect::<Vec<_>>()[..] else {
        return Err("expected $scrypt$ln=16,r=8,p=1$salt$hash".into());
    };
    let [log_n, r, p] = numbers(parameters, ["ln=", "r=", "p="])?;
    let log_n = if u64::from(log_n) > MAX_LOG_N { logarithm(log_n)? } else { log_n };
    scrypt_of(log_n, [r, p], bytes(salt)?, bytes(key)?).map(PasswordHash::Scrypt)
}

/// `16384$salt$8$5$hash`: N, the salt as text, r, p.
pub(super) fn django_scrypt(text: &str) -> Parsed {
    let [n, salt, r, p, key] = text.split('$').collect::<Vec<_>>()[..] else {
        return Err("expected scrypt$N$salt$r$p$hash".into());
    };
    let hash = scrypt_of(logarithm(number(n)?)?, [number(r)?, number(p)?], salt.as_bytes().to_vec(), bytes(key)?)?;
    check_key(&hash.key)?;
    Ok(PasswordHash::Scrypt(hash))
}

/// A hash of scrypt, checked.
pub(super) fn scrypt_of(
    log_n: u32,
    [r, p]: [u32; 2],
    salt: Vec<u8>,
    key: Vec<u8>,
) -> Result<ScryptHash, UnreadableHash> {
    let log_n = u8::try_from(log_n).ok().filter(|log_n| (1..=63).contains(log_n));
    let log_n = log_n.ok_or("its N is not a power of two that scrypt takes")?;
    if r == 0 || p == 0 || u64::from(r) * u64::from(p) >= MAX_SCRYPT_BLOCKS {
        return Err("its r or p is not one that scrypt takes".into());
    }
    if salt.is_empty() {
        return Err("it has no salt".into());
    }
    check_key(&key)?;
    Ok(ScryptHash { log_n, r, p, salt, key })
}

fn logarithm(n: u32) -> Result<u32, UnreadableHash> {
    if n.is_power_of_two() { Ok(n.ilog2()) } else { Err("its N is not a power of two".into()) }
}

/// Parameters such as `m=19456,t=2,p=1`, each once, and no others.
fn numbers<const N: usize>(text: &str, names: [&str; N]) -> Result<[u32; N], UnreadableHash> {
    let fields: Vec<&str> = text.split(',').collect();
    let mut found = [0; N];
    for (name, value) in names.into_iter().zip(&mut found) {
        let field = fields.iter().find_map(|field| field.strip_prefix(name));
        *value = number(field.ok_or_else(|| format!("its parameter {name} is missing"))?)?;
    }
    if fields.len() == N { Ok(found) } else { Err("it has parameters that are not supported".into()) }
}

/// A decimal number.
pub(super) fn number(digits: &str) -> Result<u32, UnreadableHash> {
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| digits.parse().ok()).flatten();
    number.ok_or_else(|| "one of its numbers cannot be read, or is too large".into())
}
