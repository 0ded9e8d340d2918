//! Password hashes of this server and of other systems: what each format says, and what verifying it costs. A hash is
//! parsed when it is imported and when a password is verified, by the same table (`formats`): what no password can match
//! is refused at the import.

mod encoding;
mod formats;
mod json;
mod modular;
mod parts;

use crate::documents::user::PasswordAlgorithm;
use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;

/// Maximum work of verifying a hash ([`PasswordHash::work`]): about a second of one core.
pub const MAX_WORK: i64 = 1 << 20;
/// Maximum bytes of a password that is verified against a hash of crypt or phpass, whose time grows with the password.
pub const MAX_CRYPT_PASSWORD_BYTES: usize = 128;
/// Each step of the cost doubles the work of bcrypt: at cost 14 it is as much as a pass of Argon2 over a GiB.
const BCRYPT_WORK: u64 = 64;
/// Iterations of HMAC, and of phpass, that take as long as Argon2 takes for a KiB, on a processor without instructions
/// for SHA.
const ITERATIONS_PER_WORK: u64 = 2;
/// The work of scrypt for a KiB: it is written once and read once, with a slower function than that of Argon2.
const SCRYPT_WORK: u64 = 3;
/// The work of four rounds of crypt with the longest password.
const WORK_OF_FOUR_ROUNDS: u64 = 5;
/// The bytes of one block of scrypt, for each unit of `r`.
const SCRYPT_BLOCK_BYTES: u64 = 128;

/// A hash that a password may match.
#[derive(Clone, PartialEq, Eq)]
pub enum PasswordHash {
    /// Argon2 (RFC 9106).
    Argon2(Argon2Hash),
    /// Bcrypt, of which 72 bytes of the password count.
    Bcrypt {
        /// The text that begins with `$2`.
        text: String,
        /// Its cost.
        cost: u32,
        /// What is hashed.
        input: BcryptInput,
    },
    /// PBKDF2 with HMAC (RFC 8018).
    Pbkdf2(Pbkdf2Hash),
    /// Scrypt (RFC 7914).
    Scrypt(ScryptHash),
    /// Scrypt as Firebase uses it: the hash is the project's signer key, encrypted with the derived key.
    FirebaseScrypt {
        /// The salt with the project's separator; the derived key is not stored.
        scrypt: ScryptHash,
        /// The signer key of the project.
        signer_key: Vec<u8>,
    },
    /// Phpass of `WordPress` and `phpBB`: MD5, repeated.
    Phpass {
        /// The logarithm of the number of iterations.
        log_rounds: u32,
        /// Eight characters.
        salt: Vec<u8>,
        /// The MD5.
        hash: Vec<u8>,
    },
    /// SHA-crypt of Unix.
    ShaCrypt {
        /// Whether it is of SHA-512, otherwise of SHA-256.
        is_sha512: bool,
        /// The number of rounds.
        rounds: u32,
        /// At most 16 characters.
        salt: Vec<u8>,
        /// The digest.
        hash: Vec<u8>,
    },
    /// One pass over a text with the password in it.
    Digest {
        /// The function.
        function: DigestFunction,
        /// The parts of the text.
        parts: Vec<Part>,
        /// The digest.
        hash: Vec<u8>,
    },
}

/// The variants of Argon2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argon2Variant {
    /// `argon2d`.
    D,
    /// `argon2i`.
    I,
    /// `argon2id`.
    Id,
}

/// A hash of Argon2.
#[derive(Clone, PartialEq, Eq)]
pub struct Argon2Hash {
    /// The variant.
    pub variant: Argon2Variant,
    /// Whether it is of version 1.3, otherwise of 1.0.
    pub is_current_version: bool,
    /// KiB.
    pub memory: u32,
    /// Over the memory.
    pub passes: u32,
    /// Of the memory.
    pub lanes: u32,
    /// 8 bytes or more.
    pub salt: Vec<u8>,
    /// 10 to 64 bytes.
    pub hash: Vec<u8>,
}

/// What bcrypt hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BcryptInput {
    /// The password.
    Password,
    /// `WordPress` 6.8: base64 of the HMAC-SHA-384 of the password without blanks around it.
    WordPress,
    /// Django's `bcrypt_sha256`: the hexadecimal SHA-256 of the password.
    Sha256Hex,
}

/// A hash of PBKDF2.
#[derive(Clone, PartialEq, Eq)]
pub struct Pbkdf2Hash {
    /// Of the HMAC.
    pub function: DigestFunction,
    /// Of the HMAC.
    pub iterations: NonZeroU32,
    /// The salt; two where its text can be read as such and as hexadecimal.
    pub salts: Vec<Vec<u8>>,
    /// The derived key.
    pub key: Vec<u8>,
}

/// A hash of scrypt.
#[derive(Clone, PartialEq, Eq)]
pub struct ScryptHash {
    /// The logarithm of N.
    pub log_n: u8,
    /// The block size.
    pub r: u32,
    /// The parallelization.
    pub p: u32,
    /// The salt.
    pub salt: Vec<u8>,
    /// The derived key.
    pub key: Vec<u8>,
}

/// Hash functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigestFunction {
    /// MD5.
    Md5,
    /// SHA-1.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

/// A part of a text that is hashed.
#[derive(Clone, PartialEq, Eq)]
pub enum Part {
    /// The password.
    Password,
    /// A salt.
    Bytes(Vec<u8>),
}

/// The reason that a text is not a hash which a password can match. Nothing of the text is in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnreadableHash(Cow<'static, str>);

impl From<&'static str> for UnreadableHash {
    fn from(reason: &'static str) -> Self {
        Self(reason.into())
    }
}

impl From<String> for UnreadableHash {
    fn from(reason: String) -> Self {
        Self(reason.into())
    }
}

/// Without the hash.
impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PasswordHash").field("work", &self.work()).finish_non_exhaustive()
    }
}

impl DigestFunction {
    /// Bytes of a digest.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Md5 => 16,
            Self::Sha1 => 20,
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }

    /// The function with this name, in any of its spellings (`sha256`, `SHA-256`).
    fn named(name: &str) -> Option<Self> {
        let name: String = name.chars().filter(|letter| !matches!(letter, '-' | '_')).collect();
        Some(match name.to_ascii_lowercase().as_str() {
            "md5" => Self::Md5,
            "sha1" => Self::Sha1,
            "sha256" => Self::Sha256,
            "sha384" => Self::Sha384,
            "sha512" => Self::Sha512,
            _ => return None,
        })
    }
}

impl PasswordHash {
    /// Parses a hash. The prefix of a text that names its format decides, otherwise `algorithm`.
    pub fn parse(text: &str, algorithm: PasswordAlgorithm) -> Result<Self, UnreadableHash> {
        formats::parse(text, algorithm)
    }

    /// The work of verifying a password, comparable between formats: KiB of memory times passes for Argon2, and what
    /// takes about as long for the others; 0 for one pass over a short text.
    #[must_use]
    pub fn work(&self) -> u64 {
        match self {
            Self::Argon2(hash) => u64::from(hash.memory).saturating_mul(hash.passes.into()),
            Self::Bcrypt { cost, .. } => BCRYPT_WORK.checked_shl(*cost).unwrap_or(u64::MAX),
            Self::Pbkdf2(hash) => {
                u64::from(hash.iterations.get()).saturating_mul(hash.keys()).div_ceil(ITERATIONS_PER_WORK)
            }
            Self::Scrypt(scrypt) | Self::FirebaseScrypt { scrypt, .. } => {
                scrypt.memory_kib().saturating_mul(u64::from(scrypt.p) * SCRYPT_WORK)
            }
            Self::Phpass { log_rounds, .. } => {
                1_u64.checked_shl(*log_rounds).unwrap_or(u64::MAX).div_ceil(ITERATIONS_PER_WORK)
            }
            Self::ShaCrypt { rounds, .. } => (u64::from(*rounds) * WORK_OF_FOUR_ROUNDS).div_ceil(4),
            Self::Digest { .. } => 0,
        }
    }
}

impl Pbkdf2Hash {
    /// How often the iterations are computed: for each block of the key, with each salt.
    #[must_use]
    pub fn keys(&self) -> u64 {
        (self.key.len().div_ceil(self.function.bytes()) * self.salts.len()) as u64
    }

    /// The maximum of iterations for so long a key.
    #[must_use]
    pub fn max_iterations(&self) -> u64 {
        MAX_WORK.unsigned_abs() * ITERATIONS_PER_WORK / self.keys().max(1)
    }
}

impl ScryptHash {
    /// KiB of memory.
    #[must_use]
    pub fn memory_kib(&self) -> u64 {
        let blocks = 1_u64.checked_shl(self.log_n.into()).unwrap_or(u64::MAX);
        blocks.saturating_mul(u64::from(self.r) * SCRYPT_BLOCK_BYTES) >> 10
    }
}
