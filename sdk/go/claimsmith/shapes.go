// Written by sdk/schema/generate from plugin.schema.json. Not to be edited.

package plugin

type EnvironmentVariables map[string]string

type Claims map[string]interface{}

// One request for claims.
type ClaimsRequest struct {
	Context              Context           `json:"context"`
	EnvironmentVariables map[string]string `json:"environmentVariables"`
	Token                Token             `json:"token"`
}

// Who and what the token is about. What does not apply is absent.
type Context struct {
	Application  *Application  `json:"application,omitempty"`
	Grant        *Grant        `json:"grant,omitempty"`
	Interaction  *Interaction  `json:"interaction,omitempty"`
	Organization *Organization `json:"organization,omitempty"`
	User         *User         `json:"user,omitempty"`
}

// The application that asked, without its secrets.
type Application struct {
	// Unix milliseconds.
	CreatedAt *int64 `json:"createdAt,omitempty"`
	// Settings of its tokens.
	CustomClientMetadata map[string]interface{} `json:"customClientMetadata,omitempty"`
	CustomData           map[string]interface{} `json:"customData,omitempty"`
	Description          *string                `json:"description"`
	ID                   string                 `json:"id"`
	IsThirdParty         *bool                  `json:"isThirdParty,omitempty"`
	Name                 *string                `json:"name,omitempty"`
	OidcClientMetadata   *OidcClientMetadata    `json:"oidcClientMetadata,omitempty"`
	TenantID             *string                `json:"tenantId,omitempty"`
	// SPA, Native, Traditional or MachineToMachine.
	Type *string `json:"type,omitempty"`
}

type OidcClientMetadata struct {
	PostLogoutRedirectUris []string `json:"postLogoutRedirectUris,omitempty"`
	RedirectUris           []string `json:"redirectUris,omitempty"`
}

// How the token came to be asked for; of token exchanges of stored subject tokens.
type Grant struct {
	// What was sent as context with the request for the subject token.
	SubjectTokenContext map[string]interface{} `json:"subjectTokenContext,omitempty"`
	// urn:ietf:params:oauth:grant-type:token-exchange
	Type string `json:"type"`
}

// The sign-in or registration that led to the token; of tokens of people who signed in.
type Interaction struct {
	// SignIn or Register.
	InteractionEvent *string `json:"interactionEvent,omitempty"`
	// Who signed in.
	UserID              *string              `json:"userId,omitempty"`
	VerificationRecords []VerificationRecord `json:"verificationRecords,omitempty"`
}

// How somebody proved who they are, without secrets.
type VerificationRecord struct {
	ID         *string             `json:"id,omitempty"`
	Identifier *VerifiedIdentifier `json:"identifier,omitempty"`
	// Password or NewPasswordIdentity; further types may be added.
	Type *string `json:"type,omitempty"`
	// Absent where there was nothing to prove.
	Verified *bool `json:"verified,omitempty"`
}

// What they typed.
type VerifiedIdentifier struct {
	// username, email or phone.
	Type  *string `json:"type,omitempty"`
	Value *string `json:"value,omitempty"`
}

// The organization that the token is for.
type Organization struct {
	CustomData  map[string]interface{} `json:"customData,omitempty"`
	Description *string                `json:"description"`
	ID          string                 `json:"id"`
	Name        *string                `json:"name,omitempty"`
}

// The user whom the token represents.
type User struct {
	ApplicationID *string `json:"applicationId"`
	Avatar        *string `json:"avatar"`
	CimdClientID  *string `json:"cimdClientId"`
	// Unix milliseconds.
	CreatedAt   *int64                 `json:"createdAt,omitempty"`
	CustomData  map[string]interface{} `json:"customData,omitempty"`
	HasPassword *bool                  `json:"hasPassword,omitempty"`
	ID          string                 `json:"id"`
	Identities  map[string]interface{} `json:"identities,omitempty"`
	IsSuspended *bool                  `json:"isSuspended,omitempty"`
	// Unix milliseconds.
	LastSignInAt *int64 `json:"lastSignInAt"`
	// Such as Totp.
	MfaVerificationFactors []string               `json:"mfaVerificationFactors,omitempty"`
	Name                   *string                `json:"name"`
	OrganizationRoles      []OrganizationRole     `json:"organizationRoles,omitempty"`
	Organizations          []UserOrganization     `json:"organizations,omitempty"`
	PrimaryEmail           *string                `json:"primaryEmail"`
	PrimaryPhone           *string                `json:"primaryPhone"`
	Profile                map[string]interface{} `json:"profile,omitempty"`
	Roles                  []Role                 `json:"roles,omitempty"`
	SsoIdentities          []SsoIdentity          `json:"ssoIdentities,omitempty"`
	// Unix milliseconds.
	UpdatedAt *int64  `json:"updatedAt,omitempty"`
	Username  *string `json:"username"`
}

// A role of the user in an organization.
type OrganizationRole struct {
	OrganizationID string `json:"organizationId"`
	RoleID         string `json:"roleId"`
	RoleName       string `json:"roleName"`
}

// An organization of which the user is a member.
type UserOrganization struct {
	Description *string `json:"description"`
	ID          string  `json:"id"`
	Name        string  `json:"name"`
}

type Role struct {
	Description *string `json:"description,omitempty"`
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Scopes      []Scope `json:"scopes,omitempty"`
}

type Scope struct {
	Description *string   `json:"description"`
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Resource    *Resource `json:"resource,omitempty"`
	ResourceID  *string   `json:"resourceId,omitempty"`
}

// The API to which a scope belongs.
type Resource struct {
	// Seconds.
	AccessTokenTTL *int64 `json:"accessTokenTtl,omitempty"`
	ID             string `json:"id"`
	// What tokens for it name as their audience.
	Indicator string  `json:"indicator"`
	IsDefault *bool   `json:"isDefault,omitempty"`
	Name      *string `json:"name,omitempty"`
	TenantID  *string `json:"tenantId,omitempty"`
}

// Who the user is at an identity provider of an enterprise.
type SsoIdentity struct {
	Detail     map[string]interface{} `json:"detail,omitempty"`
	IdentityID string                 `json:"identityId"`
	Issuer     string                 `json:"issuer"`
}

// The token as far as it is known before it is signed.
type Token struct {
	// The user whom it represents.
	AccountID *string `json:"accountId,omitempty"`
	// The API that it is for.
	Aud *string `json:"aud,omitempty"`
	// The application that asked.
	ClientID *string     `json:"clientId,omitempty"`
	Extra    *TokenExtra `json:"extra,omitempty"`
	GrantID  *string     `json:"grantId,omitempty"`
	// The grant type.
	Gty *string `json:"gty,omitempty"`
	// The token's id.
	Jti *string `json:"jti,omitempty"`
	// AccessToken, ClientCredentials or IdToken.
	Kind *string `json:"kind,omitempty"`
	// Scopes, separated by spaces.
	Scope *string `json:"scope,omitempty"`
}

// Of a token exchange.
type TokenExtra struct {
	Act *Actor `json:"act,omitempty"`
	// The subject token that was exchanged.
	SubjectTokenID *string `json:"subjectTokenId,omitempty"`
}

// Who acts (RFC 8693 section 4.1).
type Actor struct {
	Sub string `json:"sub"`
}

// One webhook delivery, before it is sent for the first time.
type Delivery struct {
	// The webhook-id, the same for every attempt.
	DeliveryID           string            `json:"deliveryId"`
	EnvironmentVariables map[string]string `json:"environmentVariables"`
	Event                Event             `json:"event"`
	Hook                 Hook              `json:"hook"`
}

// The body as it would be sent if nobody changed it. Events have more members, each of its
// own.
type Event struct {
	// RFC 3339.
	CreatedAt *string `json:"createdAt,omitempty"`
	// The entity as it is after the change; null where there is none.
	Data interface{} `json:"data"`
	// Such as User.Created.
	Event  string  `json:"event"`
	HookID *string `json:"hookId,omitempty"`
}

// Where the delivery goes.
type Hook struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

// What a transform answers of a delivery that is sent. What is left out stays as it is.
type Changed struct {
	// A text is sent as it is, an object or a list as JSON.
	Body interface{} `json:"body"`
	// Set over the hook's own. Those of the connection, webhook-* and signatures are the
	// server's.
	Headers map[string]string `json:"headers,omitempty"`
	// Where below the hook's own path, without a leading slash and a query.
	Path *string `json:"path,omitempty"`
}

// What a transform answers of a delivery that is not sent.
type Dropped struct {
	// The reason, which is kept with the delivery.
	Drop string `json:"drop"`
}

// One message to a person.
type OutgoingMessage struct {
	// Email or Sms; there may be more.
	Channel string `json:"channel"`
	// The code to type in. A message has either a code or a link.
	Code                 *string           `json:"code,omitempty"`
	Content              MessageContent    `json:"content"`
	Context              MessageContext    `json:"context"`
	EnvironmentVariables map[string]string `json:"environmentVariables"`
	// What it is for, such as SignIn or ForgotPassword; there may be more.
	Event string `json:"event"`
	// The same at every attempt, so that a provider can tell a repeated message.
	ID string `json:"id"`
	// The language of whoever gets it, such as de or pt-BR.
	Language string `json:"language"`
	// The link to open.
	Link *string `json:"link,omitempty"`
	// An email address, or a phone number such as +16502530000.
	Recipient string `json:"recipient"`
}

// What a message says, in the operator's words or the built-in ones.
type MessageContent struct {
	// Of an e-mail.
	HTML *string `json:"html,omitempty"`
	// Of an e-mail: where answers go, if the template says so.
	ReplyTo *string `json:"replyTo,omitempty"`
	// Of an e-mail: the sender's name, if the template says so.
	SendFrom *string `json:"sendFrom,omitempty"`
	// Of an e-mail.
	Subject *string `json:"subject,omitempty"`
	// Plain text; absent where an operator's template of an e-mail is HTML.
	Text *string `json:"text,omitempty"`
}

// Who and what a message is about, as far as it is known.
type MessageContext struct {
	// The application that somebody signs in to.
	Application map[string]interface{} `json:"application,omitempty"`
	// Who invites.
	Inviter map[string]interface{} `json:"inviter,omitempty"`
	// The address that asked for it.
	IP *string `json:"ip,omitempty"`
	// The organization that somebody is invited to.
	Organization map[string]interface{} `json:"organization,omitempty"`
	// Who gets the message, as webhooks show users.
	User map[string]interface{} `json:"user,omitempty"`
}

// What a message plugin answers: the request that sends the message.
type MessageRequest struct {
	// A text is sent as it is, an object or a list as JSON.
	Body interface{} `json:"body"`
	// Those of the connection are the server's.
	Headers map[string]string `json:"headers,omitempty"`
	// POST where it is absent.
	Method *string `json:"method,omitempty"`
	// On a host that the operator granted.
	URL string `json:"url"`
}
