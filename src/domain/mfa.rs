//! Second factors: the format of backup codes.

use std::collections::BTreeSet;

/// How many backup codes a user has.
pub const BACKUP_CODES: usize = 10;
/// Letters and digits of a backup code.
pub const BACKUP_CODE_LENGTH: usize = 10;

/// Whether these can be a user's backup codes.
#[must_use]
pub fn are_backup_codes(codes: &[String]) -> bool {
    let is_code =
        |code: &String| code.len() == BACKUP_CODE_LENGTH && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let different: BTreeSet<&String> = codes.iter().collect();
    codes.len() == BACKUP_CODES && different.len() == codes.len() && codes.iter().all(is_code)
}
