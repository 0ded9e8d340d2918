// Written by sdk/schema/generate from plugin.schema.json. Not to be edited.

/**
 * One request for claims.
 */
export interface ClaimsRequest {
    context:              Context;
    environmentVariables: { [key: string]: string };
    token:                Token;
}

/**
 * Who and what the token is about. What does not apply is absent.
 */
export interface Context {
    application?:  Application;
    grant?:        Grant;
    interaction?:  Interaction;
    organization?: Organization;
    user?:         User;
}

/**
 * The application that asked, without its secrets.
 */
export interface Application {
    /**
     * Unix milliseconds.
     */
    createdAt?: number;
    /**
     * Settings of its tokens.
     */
    customClientMetadata?: { [key: string]: any };
    customData?:           { [key: string]: any };
    description?:          null | string;
    id:                    string;
    isThirdParty?:         boolean;
    name?:                 string;
    oidcClientMetadata?:   OidcClientMetadata;
    tenantId?:             string;
    /**
     * SPA, Native, Traditional or MachineToMachine.
     */
    type?: string;
    [property: string]: any;
}

export interface OidcClientMetadata {
    postLogoutRedirectUris?: string[];
    redirectUris?:           string[];
    [property: string]: any;
}

/**
 * How the token came to be asked for; of token exchanges of stored subject tokens.
 */
export interface Grant {
    /**
     * What was sent as context with the request for the subject token.
     */
    subjectTokenContext?: { [key: string]: any };
    /**
     * urn:ietf:params:oauth:grant-type:token-exchange
     */
    type: string;
}

/**
 * The sign-in or registration that led to the token; of tokens of people who signed in.
 */
export interface Interaction {
    /**
     * SignIn or Register.
     */
    interactionEvent?: string;
    /**
     * Who signed in.
     */
    userId?:              string;
    verificationRecords?: VerificationRecord[];
    [property: string]: any;
}

/**
 * How somebody proved who they are, without secrets.
 */
export interface VerificationRecord {
    id?:         string;
    identifier?: VerifiedIdentifier;
    /**
     * Password or NewPasswordIdentity; further types may be added.
     */
    type?: string;
    /**
     * Absent where there was nothing to prove.
     */
    verified?: boolean;
    [property: string]: any;
}

/**
 * What they typed.
 */
export interface VerifiedIdentifier {
    /**
     * username, email or phone.
     */
    type?:  string;
    value?: string;
    [property: string]: any;
}

/**
 * The organization that the token is for.
 */
export interface Organization {
    customData?:  { [key: string]: any };
    description?: null | string;
    id:           string;
    name?:        string;
    [property: string]: any;
}

/**
 * The user whom the token represents.
 */
export interface User {
    applicationId?: null | string;
    avatar?:        null | string;
    cimdClientId?:  null | string;
    /**
     * Unix milliseconds.
     */
    createdAt?:   number;
    customData?:  { [key: string]: any };
    hasPassword?: boolean;
    id:           string;
    identities?:  { [key: string]: any };
    isSuspended?: boolean;
    /**
     * Unix milliseconds.
     */
    lastSignInAt?: number | null;
    /**
     * Such as Totp.
     */
    mfaVerificationFactors?: string[];
    name?:                   null | string;
    organizationRoles?:      OrganizationRole[];
    organizations?:          UserOrganization[];
    primaryEmail?:           null | string;
    primaryPhone?:           null | string;
    profile?:                { [key: string]: any };
    roles?:                  Role[];
    ssoIdentities?:          SsoIdentity[];
    /**
     * Unix milliseconds.
     */
    updatedAt?: number;
    username?:  null | string;
    [property: string]: any;
}

/**
 * A role of the user in an organization.
 */
export interface OrganizationRole {
    organizationId: string;
    roleId:         string;
    roleName:       string;
    [property: string]: any;
}

/**
 * An organization of which the user is a member.
 */
export interface UserOrganization {
    description?: null | string;
    id:           string;
    name:         string;
    [property: string]: any;
}

export interface Role {
    description?: string;
    id:           string;
    name:         string;
    scopes?:      Scope[];
    [property: string]: any;
}

export interface Scope {
    description?: null | string;
    id:           string;
    name:         string;
    resource?:    Resource;
    resourceId?:  string;
    [property: string]: any;
}

/**
 * The API to which a scope belongs.
 */
export interface Resource {
    /**
     * Seconds.
     */
    accessTokenTtl?: number;
    id:              string;
    /**
     * What tokens for it name as their audience.
     */
    indicator:  string;
    isDefault?: boolean;
    name?:      string;
    tenantId?:  string;
    [property: string]: any;
}

/**
 * Who the user is at an identity provider of an enterprise.
 */
export interface SsoIdentity {
    detail?:    { [key: string]: any };
    identityId: string;
    issuer:     string;
    [property: string]: any;
}

/**
 * The token as far as it is known before it is signed.
 */
export interface Token {
    /**
     * The user whom it represents.
     */
    accountId?: string;
    /**
     * The API that it is for.
     */
    aud?: string;
    /**
     * The application that asked.
     */
    clientId?: string;
    extra?:    TokenExtra;
    grantId?:  string;
    /**
     * The grant type.
     */
    gty?: string;
    /**
     * The token's id.
     */
    jti?: string;
    /**
     * AccessToken, ClientCredentials or IdToken.
     */
    kind?: string;
    /**
     * Scopes, separated by spaces.
     */
    scope?: string;
    [property: string]: any;
}

/**
 * Of a token exchange.
 */
export interface TokenExtra {
    act?: Actor;
    /**
     * The subject token that was exchanged.
     */
    subjectTokenId?: string;
    [property: string]: any;
}

/**
 * Who acts (RFC 8693 section 4.1).
 */
export interface Actor {
    sub: string;
    [property: string]: any;
}

/**
 * One webhook delivery, before it is sent for the first time.
 */
export interface Delivery {
    /**
     * The webhook-id, the same for every attempt.
     */
    deliveryId:           string;
    environmentVariables: { [key: string]: string };
    event:                Event;
    hook:                 Hook;
}

/**
 * The body as it would be sent if nobody changed it. Events have more members, each of its
 * own.
 */
export interface Event {
    /**
     * RFC 3339.
     */
    createdAt?: string;
    /**
     * The entity as it is after the change; null where there is none.
     */
    data?: any;
    /**
     * Such as User.Created.
     */
    event:   string;
    hookId?: string;
    [property: string]: any;
}

/**
 * Where the delivery goes.
 */
export interface Hook {
    id:   string;
    name: string;
    url:  string;
    [property: string]: any;
}

/**
 * What a transform answers of a delivery that is sent. What is left out stays as it is.
 */
export interface Changed {
    /**
     * A text is sent as it is, an object or a list as JSON.
     */
    body?: any;
    /**
     * Set over the hook's own. Those of the connection, webhook-* and signatures are the
     * server's.
     */
    headers?: { [key: string]: string };
    /**
     * Where below the hook's own path, without a leading slash and a query.
     */
    path?: string;
}

/**
 * What a transform answers of a delivery that is not sent.
 */
export interface Dropped {
    /**
     * The reason, which is kept with the delivery.
     */
    drop: string;
}

/**
 * One message to a person.
 */
export interface OutgoingMessage {
    /**
     * Email or Sms; there may be more.
     */
    channel: string;
    /**
     * The code to type in. A message has either a code or a link.
     */
    code?:                string;
    content:              MessageContent;
    context:              MessageContext;
    environmentVariables: { [key: string]: string };
    /**
     * What it is for, such as SignIn or ForgotPassword; there may be more.
     */
    event: string;
    /**
     * The same at every attempt, so that a provider can tell a repeated message.
     */
    id: string;
    /**
     * The language of whoever gets it, such as de or pt-BR.
     */
    language: string;
    /**
     * The link to open.
     */
    link?: string;
    /**
     * An email address, or a phone number such as +16502530000.
     */
    recipient: string;
}

/**
 * What a message says, in the operator's words or the built-in ones.
 */
export interface MessageContent {
    /**
     * Of an e-mail.
     */
    html?: string;
    /**
     * Of an e-mail: where answers go, if the template says so.
     */
    replyTo?: string;
    /**
     * Of an e-mail: the sender's name, if the template says so.
     */
    sendFrom?: string;
    /**
     * Of an e-mail.
     */
    subject?: string;
    /**
     * Plain text; absent where an operator's template of an e-mail is HTML.
     */
    text?: string;
    [property: string]: any;
}

/**
 * Who and what a message is about, as far as it is known.
 */
export interface MessageContext {
    /**
     * The application that somebody signs in to.
     */
    application?: { [key: string]: any };
    /**
     * Who invites.
     */
    inviter?: { [key: string]: any };
    /**
     * The address that asked for it.
     */
    ip?: string;
    /**
     * The organization that somebody is invited to.
     */
    organization?: { [key: string]: any };
    /**
     * Who gets the message, as webhooks show users.
     */
    user?: { [key: string]: any };
    [property: string]: any;
}

/**
 * What a message plugin answers: the request that sends the message.
 */
export interface MessageRequest {
    /**
     * A text is sent as it is, an object or a list as JSON.
     */
    body?: any;
    /**
     * Those of the connection are the server's.
     */
    headers?: { [key: string]: string };
    /**
     * POST where it is absent.
     */
    method?: string;
    /**
     * On a host that the operator granted.
     */
    url: string;
}
