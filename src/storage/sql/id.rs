//! Ids as columns: they are stored as their text.

use crate::domain::id::{
    ApplicationId, AvatarId, ConnectorId, DeliveryId, DeviceAuthorizationId, EmailTemplateId, FactorId, GrantId,
    HookId, HookReceiverId, InteractionId, InvitationId, MessageId, OrganizationId, OrganizationRoleId,
    OrganizationScopeId, ResourceId, RoleId, ScopeId, SessionId, SsoConnectorId, SubjectTokenId, TrustedDeviceId,
    UserId, VerificationRecordId,
};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::{Database, Decode, Encode, Type};

macro_rules! texts {
    ($($id:ty),+ $(,)?) => {$(
        impl<DB: Database> Type<DB> for $id
        where
            String: Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <String as Type<DB>>::type_info()
            }

            fn compatible(found: &DB::TypeInfo) -> bool {
                <String as Type<DB>>::compatible(found)
            }
        }

        impl<DB: Database> Encode<'_, DB> for $id
        where
            for<'s> &'s str: Encode<'s, DB>,
        {
            fn encode_by_ref(&self, buffer: &mut DB::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
                self.as_str().encode_by_ref(buffer)
            }
        }

        impl<'r, DB: Database> Decode<'r, DB> for $id
        where
            String: Decode<'r, DB>,
        {
            fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
                <String as Decode<'r, DB>>::decode(value).map(Self::from)
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
    UserId,
    TrustedDeviceId,
    VerificationRecordId,
);
