//! User accounts: the rules for creating and changing users, whoever does it (defaults, uniqueness, passwords, second
//! factors), with the audit entry and the event of every change, within one
//! [`UnitOfWork`](claimsmith_services::unit_of_work::UnitOfWork).

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
mod invitations;
mod membership;
pub(crate) mod mfa;
mod own_data;
mod passkeys;
mod password;
mod profile_fields;
mod refusal;
mod settings;
mod signed_in;
mod totp;
mod trusted_devices;
mod view;
mod way_in;

pub(crate) use administrators::{keep_administrator, make_administrator, restore_account};
pub(crate) use avatar::{Uploader, keep_avatar};
pub(crate) use backup_codes::BackupCodes;
pub(crate) use change::{UserUpdate, begin_update, delete, set_suspended, tell_update};
pub(crate) use create::{NewUser, create, create_each};
pub(crate) use external::ExternalIdentity;
pub(crate) use factors::{
    NewFactor, add_factor, new_backup_codes, remove_factor, rename_factor, replace_factor, stage_factor,
    use_backup_code,
};
pub(crate) use identifiers::{UserIdentifier, is_taken, phone, wanted};
pub(crate) use identities::{link_identity, replace_identity, unlink_company, unlink_identity};
pub(crate) use interaction::{Completion, complete, register, reset_password};
pub(crate) use invitations::{accept_invitation, invitation_token, is_invitation_token, new_invitation_token};
pub(crate) use membership::{join_by_email, join_each};
pub(crate) use own_data::own_bytes;
pub(crate) use passkeys::add as add_passkey;
pub(crate) use password::{
    NewPassword, PasswordDigest, admit_new_password, change_password, digest, set_password, verify_password,
};
pub(crate) use profile_fields::{entered, fill_in, profile_fields, sign_up_fields};
pub(crate) use refusal::AccountRefusal;
pub(crate) use settings::change_settings;
pub(crate) use signed_in::{Kept, end_others};
pub(crate) use totp::matching_step;
pub(crate) use trusted_devices::{end_trusted_device, end_trusted_devices};
pub(crate) use view::{UserFields, UserView};
pub(crate) use way_in::{refuse_last_way_in, ways_in};
