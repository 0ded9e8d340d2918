//! Second factors: the format of backup codes.

use std::collections::BTreeSet;

/// Number of backup codes of a user.
pub const BACKUP_CODES: usize = 10;
/// Length of a backup code, in letters and digits.
pub const BACKUP_CODE_LENGTH: usize = 10;

/// Whether these are well-formed backup codes.
#[must_use]
pub fn are_backup_codes(codes: &[String]) -> bool {
    let is_code =
        |code: &String| code.len() == BACKUP_CODE_LENGTH && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let different: BTreeSet<&String> = codes.iter().collect();
    codes.len() == BACKUP_CODES && different.len() == codes.len() && codes.iter().all(is_code)
}
