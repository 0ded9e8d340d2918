//! User accounts: the rules for creating and changing users for all callers (defaults, uniqueness, passwords, second
//! factors), with the audit entry and the event of every change, within one
//! [`UnitOfWork`](claimsmith_services::unit_of_work::UnitOfWork).

pub mod administrator_invitations;
mod administrators;
mod avatar;
mod backup_codes;
mod change;
mod create;
mod external;
mod factors;
mod identifiers;
mod identities;
mod interaction;
pub mod invitations;
mod membership;
pub mod mfa;
mod own_data;
mod passkeys;
mod password;
mod profile_fields;
mod refusal;
mod settings;
mod sign_in_means;
mod signed_in;
mod totp;
mod trusted_devices;
mod view;

pub use administrators::{keep_administrator, make_administrator, restore_account};
pub use avatar::{Uploader, keep_avatar};
pub use backup_codes::BackupCodes;
pub use change::{UserUpdate, begin_update, delete, set_suspended, tell_update};
pub use create::{NewUser, create, create_each};
pub use external::ExternalIdentity;
pub use factors::{
    NewFactor, add_factor, new_backup_codes, remove_factor, rename_factor, replace_factor, stage_factor,
    use_backup_code,
};
pub use identifiers::{is_taken, phone, wanted};
pub use identities::{link_identity, replace_identity, unlink_company, unlink_identity};
pub use interaction::{Completion, complete, register, reset_password};
pub use invitations::{accept_invitation, invitation_token, is_invitation_token, new_invitation_token};
pub use membership::{join_by_email, join_each};
pub use own_data::own_bytes;
pub use passkeys::add as add_passkey;
pub use password::{
    NewPassword, PasswordDigest, admit_new_password, change_password, digest, set_password, set_password_expired,
    verify_password,
};
pub use profile_fields::{entered, fill_in, profile_fields, sign_up_fields};
pub use refusal::AccountRefusal;
pub use settings::change_settings;
pub use sign_in_means::{refuse_last_sign_in_method, sign_in_means};
pub use signed_in::{RetainedSession, end_others};
pub use totp::matching_step;
pub use trusted_devices::{end_trusted_device, end_trusted_devices};
pub use view::{user_fields, user_view};
