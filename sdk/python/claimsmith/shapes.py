# Written by sdk/schema/generate from plugin.schema.json. Not to be edited.

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

type PluginContract = Any
"""
The JSON of the plugin contract: golden cases hold it, every language has its types from it.
"""


type EnvironmentVariables = dict[str, str]
"""
The plugin's own variables and secrets, as its operator set them.
"""


class Actor(TypedDict):
    """
    Who acts (RFC 8693 section 4.1).
    """

    sub: str


class Grant(TypedDict):
    """
    How the token came to be asked for; of token exchanges of stored subject tokens.
    """

    type: str
    """
    urn:ietf:params:oauth:grant-type:token-exchange
    """
    subjectTokenContext: NotRequired[dict[str, Any]]
    """
    What was sent as context with the request for the subject token.
    """


class VerifiedIdentifier(TypedDict):
    """
    What they typed.
    """

    type: NotRequired[str]
    """
    username, email or phone.
    """
    value: NotRequired[str]


class SsoIdentity(TypedDict):
    """
    Who the user is at an identity provider of an enterprise.
    """

    issuer: str
    identityId: str
    detail: NotRequired[dict[str, Any]]


class Resource(TypedDict):
    """
    The API to which a scope belongs.
    """

    id: str
    tenantId: NotRequired[str]
    name: NotRequired[str]
    indicator: str
    """
    What tokens for it name as their audience.
    """
    isDefault: NotRequired[bool]
    accessTokenTtl: NotRequired[int]
    """
    Seconds.
    """


class UserOrganization(TypedDict):
    """
    An organization of which the user is a member.
    """

    id: str
    name: str
    description: NotRequired[str | None]


class OrganizationRole(TypedDict):
    """
    A role of the user in an organization.
    """

    organizationId: str
    roleId: str
    roleName: str


class OidcClientMetadata(TypedDict):
    redirectUris: NotRequired[list[str]]
    postLogoutRedirectUris: NotRequired[list[str]]


class Organization(TypedDict):
    """
    The organization that the token is for.
    """

    id: str
    name: NotRequired[str]
    description: NotRequired[str | None]
    customData: NotRequired[dict[str, Any]]


class Claims(TypedDict):
    """
    What the plugin answers: each member becomes a claim, except for reserved names.
    """


class Event(TypedDict):
    """
    The body as it would be sent if nobody changed it. Events have more members, each of its own.
    """

    event: str
    """
    Such as User.Created.
    """
    createdAt: NotRequired[str]
    """
    RFC 3339.
    """
    hookId: NotRequired[str]
    data: NotRequired[Any]
    """
    The entity as it is after the change; null where there is none.
    """


class Changed(TypedDict):
    """
    What a transform answers of a delivery that is sent. What is left out stays as it is.
    """

    body: NotRequired[Any]
    """
    A text is sent as it is, an object or a list as JSON.
    """
    headers: NotRequired[dict[str, str]]
    """
    Set over the hook's own. Those of the connection, webhook-* and signatures are the server's.
    """
    path: NotRequired[str]
    """
    Where below the hook's own path, without a leading slash and a query.
    """


class Dropped(TypedDict):
    """
    What a transform answers of a delivery that is not sent.
    """

    drop: str
    """
    The reason, which is kept with the delivery.
    """


class Hook(TypedDict):
    """
    Where the delivery goes.
    """

    id: str
    name: str
    url: str


class MessageContent(TypedDict):
    """
    What a message says, in the operator's words or the built-in ones.
    """

    text: NotRequired[str]
    """
    Plain text; absent where an operator's template of an e-mail is HTML.
    """
    html: NotRequired[str]
    """
    Of an e-mail.
    """
    subject: NotRequired[str]
    """
    Of an e-mail.
    """
    replyTo: NotRequired[str]
    """
    Of an e-mail: where answers go, if the template says so.
    """
    sendFrom: NotRequired[str]
    """
    Of an e-mail: the sender's name, if the template says so.
    """


class MessageContext(TypedDict):
    """
    Who and what a message is about, as far as it is known.
    """

    application: NotRequired[dict[str, Any]]
    """
    The application that somebody signs in to.
    """
    organization: NotRequired[dict[str, Any]]
    """
    The organization that somebody is invited to.
    """
    user: NotRequired[dict[str, Any]]
    """
    Who gets the message, as webhooks show users.
    """
    inviter: NotRequired[dict[str, Any]]
    """
    Who invites.
    """
    ip: NotRequired[str]
    """
    The address that asked for it.
    """


class MessageRequest(TypedDict):
    """
    What a message plugin answers: the request that sends the message.
    """

    url: str
    """
    On a host that the operator granted.
    """
    method: NotRequired[str]
    """
    POST where it is absent.
    """
    headers: NotRequired[dict[str, str]]
    """
    Those of the connection are the server's.
    """
    body: NotRequired[Any]
    """
    A text is sent as it is, an object or a list as JSON.
    """


class TokenExtra(TypedDict):
    """
    Of a token exchange.
    """

    subjectTokenId: NotRequired[str]
    """
    The subject token that was exchanged.
    """
    act: NotRequired[Actor]


class VerificationRecord(TypedDict):
    """
    How somebody proved who they are, without secrets.
    """

    id: NotRequired[str]
    type: NotRequired[str]
    """
    Password or NewPasswordIdentity; further types may be added.
    """
    identifier: NotRequired[VerifiedIdentifier]
    verified: NotRequired[bool]
    """
    Absent where there was nothing to prove.
    """


class Scope(TypedDict):
    id: str
    name: str
    description: NotRequired[str | None]
    resourceId: NotRequired[str]
    resource: NotRequired[Resource]


class Application(TypedDict):
    """
    The application that asked, without its secrets.
    """

    id: str
    name: NotRequired[str]
    description: NotRequired[str | None]
    type: NotRequired[str]
    """
    SPA, Native, Traditional or MachineToMachine.
    """
    tenantId: NotRequired[str]
    oidcClientMetadata: NotRequired[OidcClientMetadata]
    customClientMetadata: NotRequired[dict[str, Any]]
    """
    Settings of its tokens.
    """
    customData: NotRequired[dict[str, Any]]
    isThirdParty: NotRequired[bool]
    createdAt: NotRequired[int]
    """
    Unix milliseconds.
    """


class Delivery(TypedDict):
    """
    One webhook delivery, before it is sent for the first time.
    """

    deliveryId: str
    """
    The webhook-id, the same for every attempt.
    """
    event: Event
    hook: Hook
    environmentVariables: EnvironmentVariables


class OutgoingMessage(TypedDict):
    """
    One message to a person.
    """

    id: str
    """
    The same at every attempt, so that a provider can tell a repeated message.
    """
    channel: str
    """
    Email or Sms; there may be more.
    """
    event: str
    """
    What it is for, such as SignIn or ForgotPassword; there may be more.
    """
    recipient: str
    """
    An email address, or a phone number such as +16502530000.
    """
    language: str
    """
    The language of whoever gets it, such as de or pt-BR.
    """
    code: NotRequired[str]
    """
    The code to type in. A message has either a code or a link.
    """
    link: NotRequired[str]
    """
    The link to open.
    """
    content: MessageContent
    context: MessageContext
    environmentVariables: EnvironmentVariables


class Token(TypedDict):
    """
    The token as far as it is known before it is signed.
    """

    jti: NotRequired[str]
    """
    The token's id.
    """
    kind: NotRequired[str]
    """
    AccessToken, ClientCredentials or IdToken.
    """
    aud: NotRequired[str]
    """
    The API that it is for.
    """
    scope: NotRequired[str]
    """
    Scopes, separated by spaces.
    """
    clientId: NotRequired[str]
    """
    The application that asked.
    """
    accountId: NotRequired[str]
    """
    The user whom it represents.
    """
    grantId: NotRequired[str]
    gty: NotRequired[str]
    """
    The grant type.
    """
    extra: NotRequired[TokenExtra]


class Interaction(TypedDict):
    """
    The sign-in or registration that led to the token; of tokens of people who signed in.
    """

    interactionEvent: NotRequired[str]
    """
    SignIn or Register.
    """
    userId: NotRequired[str]
    """
    Who signed in.
    """
    verificationRecords: NotRequired[list[VerificationRecord]]


class Role(TypedDict):
    id: str
    name: str
    description: NotRequired[str]
    scopes: NotRequired[list[Scope]]


class User(TypedDict):
    """
    The user whom the token represents.
    """

    id: str
    username: NotRequired[str | None]
    primaryEmail: NotRequired[str | None]
    primaryPhone: NotRequired[str | None]
    name: NotRequired[str | None]
    avatar: NotRequired[str | None]
    customData: NotRequired[dict[str, Any]]
    identities: NotRequired[dict[str, Any]]
    profile: NotRequired[dict[str, Any]]
    applicationId: NotRequired[str | None]
    cimdClientId: NotRequired[str | None]
    ssoIdentities: NotRequired[list[SsoIdentity]]
    mfaVerificationFactors: NotRequired[list[str]]
    """
    Such as Totp.
    """
    isSuspended: NotRequired[bool]
    hasPassword: NotRequired[bool]
    lastSignInAt: NotRequired[int | None]
    """
    Unix milliseconds.
    """
    createdAt: NotRequired[int]
    """
    Unix milliseconds.
    """
    updatedAt: NotRequired[int]
    """
    Unix milliseconds.
    """
    roles: NotRequired[list[Role]]
    organizations: NotRequired[list[UserOrganization]]
    organizationRoles: NotRequired[list[OrganizationRole]]


class Context(TypedDict):
    """
    Who and what the token is about. What does not apply is absent.
    """

    grant: NotRequired[Grant]
    user: NotRequired[User]
    application: NotRequired[Application]
    organization: NotRequired[Organization]
    interaction: NotRequired[Interaction]


class ClaimsRequest(TypedDict):
    """
    One request for claims.
    """

    token: Token
    context: Context
    environmentVariables: EnvironmentVariables
