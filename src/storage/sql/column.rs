//! Values of columns and rows, the same on both databases. Domain types are stored as their underlying values, so that
//! the domain does not depend on a database.

use crate::{Error, Result};
use claimsmith_domain::console_link::Purpose;
use claimsmith_domain::documents::algorithm::Algorithm;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::connector::ConnectorType;
use claimsmith_domain::documents::custom_profile_field::FieldType;
use claimsmith_domain::documents::message::{MessageChannel, TemplateType};
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::one_time_token::Status;
use claimsmith_domain::documents::organization::InvitationStatus;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{
    ApplicationId, AvatarId, ConnectorId, DeliveryId, DeviceAuthorizationId, EmailTemplateId, FactorId, GrantId,
    HookId, HookReceiverId, InteractionId, InvitationId, MessageId, OrganizationId, OrganizationRoleId,
    OrganizationScopeId, ResourceId, RoleId, ScopeId, SessionId, SsoConnectorId, SubjectTokenId, TrustedDeviceId,
    UserId, VerificationRecordId,
};
use claimsmith_domain::verification_record::RecordType;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Encode, Postgres, Row as _, Sqlite, Type};

/// A value that both drivers encode.
pub trait Encoded<'q>: Encode<'q, Sqlite> + Type<Sqlite> + Encode<'q, Postgres> + Type<Postgres> {}
impl<'q, T> Encoded<'q> for T where T: Encode<'q, Sqlite> + Type<Sqlite> + Encode<'q, Postgres> + Type<Postgres> {}

/// A value that both drivers decode.
pub trait Decoded: for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres> {}
impl<T> Decoded for T where T: for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres> {}

/// A value that a statement binds.
pub trait Bind<'q> {
    /// What is stored for it.
    type Stored: Encoded<'q>;

    /// Converts to the stored value.
    fn stored(self) -> Self::Stored;
}

/// A value read from a column.
pub trait Column: Sized {
    /// What is stored for it.
    type Stored: Decoded;

    /// Converts from the stored value.
    fn from_stored(stored: Self::Stored) -> Result<Self>;
}

/// A row of a database.
pub trait Source {
    /// The value of a column. Fails if there is no such column or it has another type.
    fn column<T: Column>(&self, name: &str) -> Result<T>;

    /// The value of the column at a position, from 0.
    fn column_at<T: Column>(&self, position: usize) -> Result<T>;
}

/// A type that is read from a row; derived for structs.
pub trait Row: Sized {
    /// Reads a row.
    fn read<R: Source>(source: &R) -> Result<Self>;
}

macro_rules! sources {
    ($($row:ty),+) => {$(
        impl Source for $row {
            fn column<T: Column>(&self, name: &str) -> Result<T> {
                T::from_stored(self.try_get(name)?)
            }

            fn column_at<T: Column>(&self, position: usize) -> Result<T> {
                T::from_stored(self.try_get(position)?)
            }
        }
    )+};
}

sources!(SqliteRow, PgRow);

impl<'q, T: Bind<'q>> Bind<'q> for Option<T>
where
    Option<T::Stored>: Encoded<'q>,
{
    type Stored = Option<T::Stored>;

    fn stored(self) -> Self::Stored {
        self.map(T::stored)
    }
}

impl<'q, T> Bind<'q> for &'q Option<T>
where
    &'q T: Bind<'q>,
    Option<<&'q T as Bind<'q>>::Stored>: Encoded<'q>,
{
    type Stored = Option<<&'q T as Bind<'q>>::Stored>;

    fn stored(self) -> Self::Stored {
        self.as_ref().map(Bind::stored)
    }
}

impl<T: Column> Column for Option<T>
where
    Option<T::Stored>: Decoded,
{
    type Stored = Option<T::Stored>;

    fn from_stored(stored: Self::Stored) -> Result<Self> {
        stored.map(T::from_stored).transpose()
    }
}

/// Values that the drivers support directly.
macro_rules! as_they_are {
    ($($value:ty),+) => {$(
        impl<'q> Bind<'q> for $value {
            type Stored = Self;

            fn stored(self) -> Self {
                self
            }
        }

        impl<'q> Bind<'q> for &'q $value {
            type Stored = Self;

            fn stored(self) -> Self {
                self
            }
        }

        impl Column for $value {
            type Stored = Self;

            fn from_stored(stored: Self) -> $crate::Result<Self> {
                Ok(stored)
            }
        }
    )+};
}

as_they_are!(String, i64, i32, i16, f64, bool, Vec<u8>);
pub(super) use as_they_are;

impl<'q> Bind<'q> for &'q str {
    type Stored = Self;

    fn stored(self) -> Self {
        self
    }
}

impl<'q, T: ?Sized> Bind<'q> for &&'q T
where
    &'q T: Bind<'q>,
{
    type Stored = <&'q T as Bind<'q>>::Stored;

    fn stored(self) -> Self::Stored {
        (*self).stored()
    }
}

impl<'q> Bind<'q> for &'q [u8] {
    type Stored = Self;

    fn stored(self) -> Self {
        self
    }
}

/// Ids are stored as their text.
macro_rules! texts {
    ($($id:ty),+ $(,)?) => {$(
        impl<'q> Bind<'q> for $id {
            type Stored = String;

            fn stored(self) -> String {
                self.into()
            }
        }

        impl<'q> Bind<'q> for &'q $id {
            type Stored = &'q str;

            fn stored(self) -> &'q str {
                self.as_str()
            }
        }

        impl Column for $id {
            type Stored = String;

            fn from_stored(stored: String) -> Result<Self> {
                Ok(stored.into())
            }
        }
    )+};
}

texts!(
    ApplicationId,
    AvatarId,
    ConnectorId,
    DeliveryId,
    DeviceAuthorizationId,
    EmailTemplateId,
    FactorId,
    GrantId,
    HookId,
    HookReceiverId,
    InteractionId,
    InvitationId,
    MessageId,
    OrganizationId,
    OrganizationRoleId,
    OrganizationScopeId,
    ResourceId,
    RoleId,
    ScopeId,
    SessionId,
    SsoConnectorId,
    SubjectTokenId,
    TrustedDeviceId,
    UserId,
    VerificationRecordId,
);

/// Enums are stored as the names of their values.
macro_rules! names {
    ($($kind:ident),+ $(,)?) => {$(
        impl<'q> Bind<'q> for $kind {
            type Stored = &'q str;

            fn stored(self) -> &'q str {
                self.as_str()
            }
        }

        impl Column for $kind {
            type Stored = String;

            fn from_stored(stored: String) -> Result<Self> {
                Self::parse(&stored).ok_or(Error::UnknownName { kind: stringify!($kind), found: stored })
            }
        }
    )+};
}

names!(
    Algorithm,
    ApplicationType,
    ConnectorType,
    EventType,
    FactorType,
    FieldType,
    InvitationStatus,
    MessageChannel,
    PasswordAlgorithm,
    Purpose,
    RecordType,
    RoleType,
    Status,
    TemplateType,
);

/// Rows of a few columns, by position.
macro_rules! tuples {
    ($(($($column:ident $position:literal),+)),+ $(,)?) => {$(
        impl<$($column: Column),+> Row for ($($column,)+) {
            fn read<R: Source>(source: &R) -> Result<Self> {
                Ok(($(source.column_at::<$column>($position)?,)+))
            }
        }
    )+};
}

tuples!((A 0), (A 0, B 1), (A 0, B 1, C 2), (A 0, B 1, C 2, D 3));
