BEGIN TRANSACTION;
CREATE TABLE _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
);
INSERT INTO "_sqlx_migrations" VALUES(1,'identity','2026-11-23 19:53:00',1,X'019C0C3FB83D8562E02DCE28B287374FF43C9C77D3BAF0439D2D1EFC048DB69AC88968D51CD605D240D608E336323BA8',1485769);
INSERT INTO "_sqlx_migrations" VALUES(2,'tokens','2026-11-23 19:53:00',1,X'ED768B8D7003E52C390005136F0C77894314C04B09EBC27A56835F5957FDB1BEF16E6A2DDF32F4B41695CA56D72882C0',712960);
INSERT INTO "_sqlx_migrations" VALUES(3,'plugins','2026-11-23 19:53:00',1,X'56B41C9177F95C73043F6D0E913575580E814CBF429D310A7FC482FCA941968FDFFD0BCA61342B66A90FA12B10EA0016',3333367);
INSERT INTO "_sqlx_migrations" VALUES(4,'webhooks','2026-11-23 19:53:00',1,X'3A1F3CCDCF7EE9EC5A055D0892048D1205DF1513D7832723DC9D20D9F98AB1789A74294402EEE67F44636321A3C37BC2',2269444);
INSERT INTO "_sqlx_migrations" VALUES(5,'users','2026-11-23 19:53:00',1,X'B45EE6AE4BF9D9E4D074720DB9F44DC1BCACA301BEE75BC6A268FDE7D347E0EFFAEF61FD34FBD3C7BD04B90420975505',14139023);
INSERT INTO "_sqlx_migrations" VALUES(6,'organizations','2026-11-23 19:53:00',1,X'5DB8E54EDE965B4C462F22B58784CC4338857E0C3E4AEAD0FEB15149D6C36B4320EBE8541762E5D0D1C73592488E5DB8',7613701);
INSERT INTO "_sqlx_migrations" VALUES(7,'audit','2026-11-23 19:53:00',1,X'E50DFB5C33CB33173ED0E4E6617A6CD5DD3D7A53932C686CA13375DA09260F24FE8B5EF3F97E00DC5F6A41F15AB2FA14',8248113);
INSERT INTO "_sqlx_migrations" VALUES(8,'roles','2026-11-23 19:53:00',1,X'8DA7E11AF6D967B975BA6869CAECEBE06162C68FCAF0791871F12986BE7A2D66E3237A262E920F76CE2C0FFD5FE40436',9002055);
INSERT INTO "_sqlx_migrations" VALUES(9,'delivery','2026-11-23 19:53:00',1,X'6EEAFA10E8EEEDB363BCA9658F99F7C1A283B0CF3D588036F4655341E6726E265CA3F532914596356955AE334C6827A3',26764705);
INSERT INTO "_sqlx_migrations" VALUES(10,'users in order','2026-11-23 19:53:00',1,X'E10F0B4F9D336A66C7F04917B4719D43F71FC641AA317E166E1D91715C729E006B5D4882138BBCD828CBA0CE1A5C7635',5154875);
INSERT INTO "_sqlx_migrations" VALUES(11,'user settings','2026-11-23 19:53:00',1,X'CDBA4618C93FEFE5D2206BC0C7B5BEBE97FD7A87BE466A99BBAB8703DF7725B3F8D9504E836A89F510721F4ECE50F46B',7628623);
INSERT INTO "_sqlx_migrations" VALUES(12,'authorization changes','2026-11-23 19:53:00',1,X'DDBEED754CF251923426AA33F5AFEB0FF5ED30C4CD24B2D2D4315A0721C10C9FECBD27E0220161AB784C4AD1A4683974',267849);
INSERT INTO "_sqlx_migrations" VALUES(13,'sign in','2026-11-23 19:53:00',1,X'177B768027589BAA338414BCDCD00726A0407325B245F9B80B54DADDE9A6FC7E93BB5D926E2346B25ACAEC4748F1DF03',288950);
INSERT INTO "_sqlx_migrations" VALUES(14,'sessions','2026-11-23 19:53:00',1,X'64E9A43D87D09330A97EDF50537C409E9945AEF42CE5B6C7CD49186354B1A249731B412DDEE411B1192C46741667BC8C',10140838);
INSERT INTO "_sqlx_migrations" VALUES(15,'attempts','2026-11-23 19:53:00',1,X'EA399475917C3269543142674E4F438E22BB9C4D26DE2B1D955F326FEBBF8589FAF7D9E331E5CCF23A72BE30FB26801C',374567);
INSERT INTO "_sqlx_migrations" VALUES(16,'backchannel logout','2026-11-23 19:53:00',1,X'FB420FFD487E664283F9C0060F8DF4895B24FAC57FE5F1CC200763E7A752F34371EEFA33027B74B288D48728CA02B09A',1431879);
INSERT INTO "_sqlx_migrations" VALUES(17,'devices','2026-11-23 19:53:00',1,X'B24A4487235B846E95A50468D117A402D9EEDBE77CCC84AA39A726CD4A7CE41F8EC2085888FAC1247515888A3614B4AA',2482862);
INSERT INTO "_sqlx_migrations" VALUES(18,'client assertions','2026-11-23 19:53:00',1,X'95A23F5E22A64FDCE8F052082A45A6D65D28DB9B7D9698BB4485487AC2DF1145959E2D0F690A471D13B52A4E76038C24',334928);
INSERT INTO "_sqlx_migrations" VALUES(19,'known browsers','2026-11-23 19:53:00',1,X'00905B547D33D9F96EF7C1AB65BBB6E8D3B31C9686A2DBD0D37D3072BAFE502523BB2C4BA8136781355D1A4DFFB35A08',7683845);
INSERT INTO "_sqlx_migrations" VALUES(20,'factor use','2026-11-23 19:53:00',1,X'D1DFD9CF9BB7E1AC6EBDE3861220A86B84D2970FC92685ABEB2B11FB4BF13AB01C7015DB7B9B8AF8F1583C06A543C8AB',1069621);
INSERT INTO "_sqlx_migrations" VALUES(21,'messages','2026-11-23 19:53:00',1,X'06857D3D592440F58561C8264B149C02C08FAE55A32543465A5A236CAD608401AC39B5510DA4B222FCA08A2D2FDF4E36',3003846);
INSERT INTO "_sqlx_migrations" VALUES(22,'codes','2026-11-23 19:53:00',1,X'3028E4322D018D51CCEB41918A9D37FCA667744F157F56143D75C67EE3B388A43EFDED753472F063B8DB1559FB1802ED',3681264);
INSERT INTO "_sqlx_migrations" VALUES(23,'enterprise','2026-11-23 19:53:00',1,X'D59C1C5F648107F987328CF32839C23038126F221059CA0A8EF7EB1B161CE91786DC3737A4FBF8C1CE905BF280149AA8',4064073);
INSERT INTO "_sqlx_migrations" VALUES(24,'own account','2026-11-23 19:53:00',1,X'B599678B5AEBC40225734E3FE352C8FFB6EE038C57BDE2923EA6D200C924C6D769D589C73C4FBFEDA4E304318208D1B7',3763966);
INSERT INTO "_sqlx_migrations" VALUES(25,'passkeys','2026-11-23 19:53:00',1,X'8199AA0778933A32195A2DC0B7BC014AD032360B44FE9BD1EF51379AD0DB2A218C2983374FCEC89DFF091CD6135E46E4',422388);
CREATE TABLE account_centers (
    id       TEXT PRIMARY KEY,
    settings TEXT NOT NULL
);
INSERT INTO "account_centers" VALUES('default','{}');
CREATE TABLE active_days (
    day     BIGINT NOT NULL,
    user_id TEXT NOT NULL,
    PRIMARY KEY (day, user_id)
) WITHOUT ROWID;
CREATE TABLE application_roles (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    role_id        TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, role_id)
);
INSERT INTO "application_roles" VALUES('sbu9ohpmjw150kjyb09be','7iiu44xzknqxmliekx1xq');
CREATE TABLE application_secrets (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    name           TEXT NOT NULL,
    hash           TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT,
    PRIMARY KEY (application_id, name)
);
INSERT INTO "application_secrets" VALUES('sbu9ohpmjw150kjyb09be','Default secret','dd6aba3df0ebb7c90012e9a34405231032a976baa2e5b89bae979f8aacb5fec7',1795463580619,NULL);
INSERT INTO "application_secrets" VALUES('5zcavhnrp1kvxjzb3dpw8','Default secret','714605b1c56829ae14733258e7bad680e1f08bfa135a20fcff66dd853b38dc12',1795463580619,NULL);
CREATE TABLE application_sign_in_experiences (
    application_id TEXT PRIMARY KEY REFERENCES applications (id) ON DELETE CASCADE,
    settings       TEXT NOT NULL
);
CREATE TABLE applications (
    id                     TEXT PRIMARY KEY,
    name                   TEXT NOT NULL,
    description            TEXT,
    type                   TEXT NOT NULL,
    oidc_client_metadata   TEXT NOT NULL,
    custom_client_metadata TEXT NOT NULL,
    custom_data            TEXT NOT NULL,
    is_third_party         BOOLEAN NOT NULL DEFAULT FALSE,
    created_at             BIGINT NOT NULL
, name_key TEXT NOT NULL DEFAULT '', description_key TEXT);
INSERT INTO "applications" VALUES('sbu9ohpmjw150kjyb09be','Management API client',NULL,'MachineToMachine','{"redirectUris":[],"postLogoutRedirectUris":[]}','{}','{}',0,1795463580619,'management api client',NULL);
INSERT INTO "applications" VALUES('toy1gbrwqae8ncpnltyf0','Demo single-page application',NULL,'SPA','{"redirectUris":["http://127.0.0.1:3001/demo/callback"],"postLogoutRedirectUris":["http://127.0.0.1:3001/demo"]}','{"allowTokenExchange":true}','{}',0,1795463580619,'demo single-page application',NULL);
INSERT INTO "applications" VALUES('5zcavhnrp1kvxjzb3dpw8','Demo web application',NULL,'Traditional','{"redirectUris":[],"postLogoutRedirectUris":[]}','{"allowTokenExchange":true}','{}',0,1795463580619,'demo web application',NULL);
INSERT INTO "applications" VALUES('rzzbv0ccx7vo2aoqixy8x','Shop',NULL,'SPA','{"redirectUris":["https://shop.example.com/callback"],"postLogoutRedirectUris":[]}','{"alwaysIssueRefreshToken":true}','{}',0,1795463582245,'shop',NULL);
CREATE TABLE attempts (
    id            TEXT PRIMARY KEY,
    delivery_id   TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    hook_id       TEXT NOT NULL,
    number        BIGINT NOT NULL,
    started_at    BIGINT NOT NULL,
    duration_ms   BIGINT NOT NULL,
    -- The receiver's answer; NULL when there was none.
    status        BIGINT,
    response_body TEXT,
    error         TEXT
);
INSERT INTO "attempts" VALUES('l50w3gwxcwltmecf5ngpx','msg_3ip2m9k9pirn12vtblzaw','7vv3zi7v7g1ygooqai7yr',1,1795463582003,10,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('7d2wshk3qb8y0d8iu8mwl','msg_ch6xwx4kzel4jtoqbk4nu','7vv3zi7v7g1ygooqai7yr',1,1795463582098,4,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('kkqvu2godvdfoyn9ec46q','msg_ch6xwx4kzel4jtoqbk4nu','7vv3zi7v7g1ygooqai7yr',2,1795463586219,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('utkh92ygjao8u5ukg9zz2','msg_3ip2m9k9pirn12vtblzaw','7vv3zi7v7g1ygooqai7yr',2,1795463586351,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('4nk2hj41umqxj5l35kc9p','msg_691x4gr2utbcxob1wxhy5','7vv3zi7v7g1ygooqai7yr',1,1795463586474,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('bowm9n55uun8jn62dfeyc','msg_8mj9ascxqori9nftcqi0r','7vv3zi7v7g1ygooqai7yr',1,1795463586683,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
CREATE TABLE authorization_changes (
    revision INTEGER NOT NULL,
    -- 'all', 'keys', 'application' or 'organization'.
    kind TEXT NOT NULL,
    -- Of the application or organization, else empty.
    id TEXT NOT NULL,
    PRIMARY KEY (revision, kind, id)
);
INSERT INTO "authorization_changes" VALUES(2,'all','');
INSERT INTO "authorization_changes" VALUES(2,'application','sbu9ohpmjw150kjyb09be');
INSERT INTO "authorization_changes" VALUES(2,'application','toy1gbrwqae8ncpnltyf0');
INSERT INTO "authorization_changes" VALUES(2,'application','5zcavhnrp1kvxjzb3dpw8');
INSERT INTO "authorization_changes" VALUES(2,'keys','');
INSERT INTO "authorization_changes" VALUES(3,'all','');
INSERT INTO "authorization_changes" VALUES(4,'all','');
INSERT INTO "authorization_changes" VALUES(5,'all','');
INSERT INTO "authorization_changes" VALUES(6,'application','rzzbv0ccx7vo2aoqixy8x');
CREATE TABLE authorization_codes (
    hash           TEXT PRIMARY KEY,
    grant_id       TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    user_id        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    application_id TEXT NOT NULL,
    -- What was asked for, and how somebody signed in, JSON.
    authorization_details TEXT NOT NULL,
    -- Of all tokens that come from this code.
    family_id      TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL,
    consumed_at    BIGINT
);
INSERT INTO "authorization_codes" VALUES('3e0e5b6d4b3d25e6a2790e6ee1930d2eb5dc15bb8e28c53b5ce33d6194f37d35','kn52h4ckclee2wxh2u9q2','1ejw1s0n0qtr','rzzbv0ccx7vo2aoqixy8x','{"redirectUri":"https://shop.example.com/callback","codeChallenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM","nonce":null,"scope":["openid","offline_access"],"resourceScope":[],"resources":[],"consented":null,"sessionId":"ibkwk5yq3iyas2raaalwp","authTime":1795463587,"amr":["pwd"],"acrValues":[],"interaction":{"interactionEvent":"SignIn","userId":"1ejw1s0n0qtr","verificationRecords":[{"id":"fz0d4ufyv1rhgch3rr9cp","type":"Password","identifier":{"type":"username","value":"keeper"},"verified":true}]}}','5aesjjn5dkyv8g7vz7k02',1795463587837,1795463647837,1795463587877);
CREATE TABLE backchannel_logouts (
    seq            INTEGER PRIMARY KEY AUTOINCREMENT,
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    user_id        TEXT NOT NULL,
    session_id     TEXT NOT NULL,
    -- 'pending', 'delivered', 'dead' or 'dropped'.
    state          TEXT NOT NULL DEFAULT 'pending',
    -- When it may be leased: for the next attempt, or since the lease of an attempt has expired. NULL when it is done.
    due_at         BIGINT,
    -- The lease of whoever attempts it now.
    claim          TEXT,
    attempts       BIGINT NOT NULL DEFAULT 0,
    -- The last error.
    note           TEXT,
    created_at     BIGINT NOT NULL,
    finished_at    BIGINT
);
CREATE TABLE client_assertions (
    -- SHA-256 of client and jti, hexadecimal.
    hash TEXT PRIMARY KEY,
    -- When the assertion expires, Unix milliseconds.
    expires_at BIGINT NOT NULL
);
CREATE TABLE connectors (
    id                   TEXT PRIMARY KEY,
    -- The factory that it is made by, such as 'smtp'.
    connector_id         TEXT NOT NULL,
    -- 'Email', 'Sms' or 'Social'.
    type                 TEXT NOT NULL,
    -- What identities of users are kept under; the factory's own for those that send messages.
    target               TEXT NOT NULL,
    metadata             TEXT NOT NULL DEFAULT '{}',
    -- The configuration, which holds secrets: encrypted, base64.
    config               TEXT NOT NULL,
    sync_profile         BOOLEAN NOT NULL DEFAULT FALSE,
    enable_token_storage BOOLEAN NOT NULL DEFAULT FALSE,
    created_at           BIGINT NOT NULL
);
INSERT INTO "connectors" VALUES('dg2x52i2cyt6ijjd2qvfr','http-email','Email','http-email','{}','QBcjAn3Iqpf9sQXJPSDs+HYYU9LxOW1xTXeWFdLSFnYIcsJaD/h6xVx/xF2Rn4xQB1cVm2gRXzIawkFP8rIQ3MBFSyExPulVJsk65fmajW4zQ45rnO4XbpReV9U5QJeRWQ7tMDOyPstI+aFwQfo=',0,0,1795463586434);
CREATE TABLE custom_phrases (
    language_tag TEXT PRIMARY KEY,
    -- A part of the tree of texts.
    translation  TEXT NOT NULL
);
INSERT INTO "custom_phrases" VALUES('en','{"sign_in":{"title":"Ahoy!"}}');
CREATE TABLE "deliveries" (
    -- The order of the events.
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The same in every attempt.
    id          TEXT NOT NULL UNIQUE,
    event_id    TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    hook_id     TEXT NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
    -- What the event is about, where the hook wants order.
    entity      TEXT,
    -- 'pending', 'delivered', 'dead' or 'dropped'.
    state       TEXT NOT NULL DEFAULT 'pending',
    -- When it may be claimed: for the next attempt, or since the claim of an attempt has expired. NULL when it is done.
    due_at      BIGINT,
    -- Whoever attempts it now.
    claim       TEXT,
    attempts    BIGINT NOT NULL DEFAULT 0,
    -- What transforms made of it, as JSON text: every attempt sends these bytes.
    prepared    TEXT,
    -- The last error, or why it was dropped.
    note        TEXT,
    created_at  BIGINT NOT NULL,
    finished_at BIGINT
);
INSERT INTO "deliveries" VALUES(1,'msg_3ip2m9k9pirn12vtblzaw','mwtonqc26hvmiet9xip4m','7vv3zi7v7g1ygooqai7yr',NULL,'pending',1795463616103,NULL,2,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1795463581970,NULL);
INSERT INTO "deliveries" VALUES(2,'msg_ch6xwx4kzel4jtoqbk4nu','mwtonqf7s1lsjd2lsmixb','7vv3zi7v7g1ygooqai7yr',NULL,'pending',1795463619187,NULL,2,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1795463582083,NULL);
INSERT INTO "deliveries" VALUES(3,'msg_691x4gr2utbcxob1wxhy5','mwtontsv3qsok7dd950rr','7vv3zi7v7g1ygooqai7yr',NULL,'pending',1795463590556,NULL,1,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1795463586463,NULL);
INSERT INTO "deliveries" VALUES(4,'msg_8mj9ascxqori9nftcqi0r','mwtonty7ksm6mw5mf1rrr','7vv3zi7v7g1ygooqai7yr',NULL,'pending',1795463590757,NULL,1,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1795463586655,NULL);
CREATE TABLE device_authorizations (
    id             TEXT PRIMARY KEY,
    -- Of the device code.
    hash           TEXT NOT NULL UNIQUE,
    user_code_hash TEXT NOT NULL UNIQUE,
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    -- What the device asks for, JSON.
    request        TEXT NOT NULL,
    -- The address that it asked from.
    address        TEXT,
    -- Seconds that it has to wait between two questions, and when it asked last.
    poll_interval  BIGINT NOT NULL,
    polled_at      BIGINT,
    -- What somebody said to it: they let it in, with a grant, or not.
    user_id        TEXT REFERENCES users (id) ON DELETE CASCADE,
    grant_id       TEXT REFERENCES grants (id) ON DELETE CASCADE,
    authorization_details TEXT,
    denied_at      BIGINT,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL,
    consumed_at    BIGINT
);
CREATE TABLE email_templates (
    id            TEXT PRIMARY KEY,
    language_tag  TEXT NOT NULL,
    template_type TEXT NOT NULL,
    details       TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    UNIQUE (language_tag, template_type)
);
CREATE TABLE events (
    id         TEXT PRIMARY KEY,
    type       TEXT NOT NULL,
    -- The body without the hook's id, as it was put together.
    payload    TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
INSERT INTO "events" VALUES('mwtonqc26hvmiet9xip4m','User.Data.Updated','{"event":"User.Data.Updated","createdAt":"2026-11-23T19:53:01.970Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users/37glxndfs5j2/password","method":"PATCH","status":200,"params":{"userId":"37glxndfs5j2"},"matchedRoute":"/users/:userId/password","data":{"id":"37glxndfs5j2","username":"customer","primaryEmail":"customer@example.com","primaryPhone":null,"name":"Casey Customer","avatar":null,"customData":{},"identities":{},"lastSignInAt":null,"createdAt":1795463580619,"updatedAt":1795463581970,"profile":{},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1795463581970);
INSERT INTO "events" VALUES('mwtonqf7s1lsjd2lsmixb','User.Created','{"event":"User.Created","createdAt":"2026-11-23T19:53:02.083Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users","method":"POST","status":200,"params":{},"matchedRoute":"/users","data":{"id":"1ejw1s0n0qtr","username":"keeper","primaryEmail":"keeper@example.com","primaryPhone":null,"name":"Ada Lövelace","avatar":null,"customData":{"tier":"gold"},"identities":{},"lastSignInAt":null,"createdAt":1795463582083,"updatedAt":1795463582083,"profile":{"nickname":"Ada"},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1795463582083);
INSERT INTO "events" VALUES('mwtontsv3qsok7dd950rr','User.Data.Updated','{"event":"User.Data.Updated","createdAt":"2026-11-23T19:53:06.463Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users/1ejw1s0n0qtr/identities/github","method":"PUT","status":201,"params":{"userId":"1ejw1s0n0qtr","target":"github"},"matchedRoute":"/users/:userId/identities/:target","data":{"id":"1ejw1s0n0qtr","username":"keeper","primaryEmail":"keeper@example.com","primaryPhone":null,"name":"Ada Lövelace","avatar":null,"customData":{"tier":"gold"},"identities":{"github":{"userId":"gh-1","details":{"name":"Ada"}}},"lastSignInAt":null,"createdAt":1795463582083,"updatedAt":1795463586463,"profile":{"nickname":"Ada"},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1795463586463);
INSERT INTO "events" VALUES('mwtonty7ksm6mw5mf1rrr','User.Created','{"event":"User.Created","createdAt":"2026-11-23T19:53:06.655Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users","method":"POST","status":200,"params":{},"matchedRoute":"/users","data":{"id":"o75eavxficu9","username":"careful","primaryEmail":null,"primaryPhone":null,"name":null,"avatar":null,"customData":{},"identities":{},"lastSignInAt":null,"createdAt":1795463586655,"updatedAt":1795463586655,"profile":{},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1795463586655);
CREATE TABLE grants (
    id             TEXT PRIMARY KEY,
    user_id        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    -- The session whose end ends its tokens; NULL when that is over.
    session_id     TEXT,
    -- Scopes about the user, and those of resources, JSON.
    scopes         TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL
, has_tokens BOOLEAN NOT NULL DEFAULT FALSE);
INSERT INTO "grants" VALUES('kn52h4ckclee2wxh2u9q2','1ejw1s0n0qtr','rzzbv0ccx7vo2aoqixy8x','ibkwk5yq3iyas2raaalwp','{"oidc":["openid","offline_access"],"resources":{},"organizations":[]}',1795463587837,1811015587837,1);
CREATE TABLE hook_statistics (
    hook_id   TEXT NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
    minute    BIGINT NOT NULL,
    requests  BIGINT NOT NULL,
    successes BIGINT NOT NULL,
    PRIMARY KEY (hook_id, minute)
);
INSERT INTO "hook_statistics" VALUES('7vv3zi7v7g1ygooqai7yr',29924393,6,0);
CREATE TABLE hooks (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    -- Names of events, as a JSON list.
    events      TEXT NOT NULL,
    -- Address and headers, as JSON.
    config      TEXT NOT NULL,
    -- Sealed by the encryption key, base64.
    signing_key TEXT NOT NULL,
    enabled     BOOLEAN NOT NULL,
    created_at  BIGINT NOT NULL
, previous_keys TEXT NOT NULL DEFAULT '[]', paused BOOLEAN NOT NULL DEFAULT FALSE, ordered BOOLEAN NOT NULL DEFAULT FALSE, max_in_flight BIGINT NOT NULL DEFAULT 10, rate_limit BIGINT, rate_credit BIGINT NOT NULL DEFAULT 0, rate_at BIGINT NOT NULL DEFAULT 0, held_until BIGINT NOT NULL DEFAULT 0, failing_since BIGINT, failures BIGINT NOT NULL DEFAULT 0, disabled_reason TEXT);
INSERT INTO "hooks" VALUES('7vv3zi7v7g1ygooqai7yr','before','["User.Created","User.Data.Updated"]','{"url":"http://127.0.0.1:9/nobody","retries":3}','QBcjAobMWcqWg84m7MjbmxjKrDxEP/VjECCRCgIRcD9QTXsj4qajchKVcLonGFMbX39iALdAV7i5a9py//s/VnEKDthjRfBRHdt9lwgzlfsdknUA46ul32zDbYkQ6MrS',1,1795463581527,'[]',0,0,10,NULL,0,0,0,1795463582014,6,NULL);
CREATE TABLE interactions (
    id         TEXT PRIMARY KEY,
    -- SHA-256 (hex) of the browser's cookie.
    hash       TEXT NOT NULL UNIQUE,
    -- The authorization request, and what was done so far, JSON.
    request    TEXT NOT NULL,
    state      TEXT NOT NULL,
    -- Bumped by every step, so that of two steps at once one is refused.
    revision   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE TABLE issuances (
    jti              TEXT PRIMARY KEY,
    user_id          TEXT,
    application_id   TEXT NOT NULL,
    actor_id         TEXT,
    organization_id  TEXT,
    resource         TEXT,
    scope            TEXT NOT NULL,
    -- Came from a token exchange, with or without an actor.
    exchanged        BOOLEAN NOT NULL,
    subject_token_id TEXT,
    -- SHA-256 (hex) and claims of an opaque token; NULL for a JWT, which carries its own.
    opaque_hash      TEXT UNIQUE,
    claims           TEXT,
    created_at       BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL,
    revoked_at       BIGINT
, context JSONB, grant_id TEXT, family_id TEXT);
INSERT INTO "issuances" VALUES('mwtonpz3h0btv85nm45cs',NULL,'sbu9ohpmjw150kjyb09be',NULL,NULL,'http://127.0.0.1:3001/api','all',0,NULL,NULL,NULL,1795463581503,1795467181000,NULL,NULL,NULL,NULL);
INSERT INTO "issuances" VALUES('mwtonu596o8m32t1ifd1l','37glxndfs5j2','5zcavhnrp1kvxjzb3dpw8',NULL,NULL,'https://api.example.com','resource:read resource:write',1,'mwtonu3aywwg0e9wotrcg',NULL,NULL,1795463586909,1795467186000,NULL,'{"ticketId":"TECH-1234","reason":"a stuck order"}',NULL,NULL);
INSERT INTO "issuances" VALUES('mwtonuja8vk0uswg9ks59','37glxndfs5j2','5zcavhnrp1kvxjzb3dpw8',NULL,NULL,NULL,'openid',0,NULL,'07c29bcfeb50a4cff0d7797f4c481cd0914008d7789f5b68a4a89b99ab77ce0b','{"iss":"http://127.0.0.1:3001/oidc","sub":"37glxndfs5j2","exp":1795467187,"iat":1795463587,"jti":"mwtonuja8vk0uswg9ks59","client_id":"5zcavhnrp1kvxjzb3dpw8","scope":"openid","ticket":null,"region":"eu"}',1795463587414,1795467187000,NULL,NULL,NULL,NULL);
INSERT INTO "issuances" VALUES('mwtonuw2a81pny4w76cse','1ejw1s0n0qtr','rzzbv0ccx7vo2aoqixy8x',NULL,NULL,NULL,'openid offline_access',0,NULL,'3a750d578e63a17a8dc85713d0c351c1ee122375afac4433ec80b3e98cc2f034','{"iss":"http://127.0.0.1:3001/oidc","sub":"1ejw1s0n0qtr","exp":1795467187,"iat":1795463587,"jti":"mwtonuw2a81pny4w76cse","client_id":"rzzbv0ccx7vo2aoqixy8x","scope":"openid offline_access","ticket":null,"region":"eu"}',1795463587874,1795467187000,NULL,NULL,'kn52h4ckclee2wxh2u9q2','5aesjjn5dkyv8g7vz7k02');
CREATE TABLE known_browsers (
    -- SHA-256 (hex) of the browser's cookie.
    hash       TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (hash, user_id)
);
INSERT INTO "known_browsers" VALUES('dda6c01026d02aaf6e8d7a7f2b3e5a1a50130f41f746f61eadb7edb2a59ed022','1ejw1s0n0qtr',1811015587804);
CREATE TABLE logs (
    id         TEXT PRIMARY KEY,
    key        TEXT NOT NULL,
    payload    TEXT NOT NULL,
    created_at BIGINT NOT NULL
, user_id TEXT, application_id TEXT);
INSERT INTO "logs" VALUES('mwtonpaje5xkzc03xopoh','Bootstrap','{"demo":true,"demoApplication":true,"scopes":[],"signingKeys":["DmrNrISKh2InrJPPCZpasthBHKBZmbTvIgJfCJ66q5w","0Rtv4odYN_iUSwlFdCxol5Y5IQDynpjx-aAvFgoumWY"],"key":"Bootstrap","result":"Success"}',1795463580619,NULL,NULL);
INSERT INTO "logs" VALUES('mwtonpz3qwrncxqdaibaf','ExchangeTokenBy.ClientCredentials','{"applicationSecret":{"name":"Default secret"},"jti":"mwtonpz3h0btv85nm45cs","key":"ExchangeTokenBy.ClientCredentials","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"pswja0bc1a30dwpm","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463581503,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonpzrikru25p7lkv5o','Management.Hook.Create','{"hookId":"7vv3zi7v7g1ygooqai7yr","key":"Management.Hook.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"bl729mhctvb4oqga","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463581527,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonqc2hzbi2t2tde1wa','Management.User.SetPassword','{"userId":"37glxndfs5j2","key":"Management.User.SetPassword","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"am56hg54n9jax8z4","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463581970,'37glxndfs5j2','sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonqf764aw0morc028f','Management.User.Create','{"userId":"1ejw1s0n0qtr","key":"Management.User.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"kbyccli1zr07n5tu","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463582083,'1ejw1s0n0qtr','sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonqfthms62r4us5wzh','Management.Resource.Create','{"resourceId":"cut1vmxqdn7s3kdg1l5ku","key":"Management.Resource.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"n0hjjsfrkognv9vk","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463582105,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonqgaide02rjd1nsp4','Management.Scope.Create','{"resourceId":"cut1vmxqdn7s3kdg1l5ku","scopeId":"jgxl5x2spyvpzz25t0gb3","key":"Management.Scope.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"ezdteovvr65tkgp0","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463582122,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonqgvfh58mx6kxqslf','Management.Role.Create','{"roleId":"6mil2rjq6we4yrc8auqt0","scopeIds":["jgxl5x2spyvpzz25t0gb3"],"key":"Management.Role.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"gn778p0x45fnrjk9","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463582143,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonqi29gy7nhy7nswm4','Management.User.AssignRoles','{"userId":"1ejw1s0n0qtr","addedRoleIds":["6mil2rjq6we4yrc8auqt0"],"key":"Management.User.AssignRoles","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"l734burnbqlmq6da","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463582186,'1ejw1s0n0qtr','sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonqisgxa85of08zj4r','Management.Organization.Create','{"organizationId":"2thxrykk1bai","key":"Management.Organization.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"1kvnbt6hb65h53ds","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463582212,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonqj6k6u0fexptykue','Management.Organization.ChangeUsers','{"organizationId":"2thxrykk1bai","addedUserIds":["1ejw1s0n0qtr"],"removedUserIds":[],"key":"Management.Organization.ChangeUsers","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"ac9m71ivjcboj941","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463582226,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonqjfyiaacs5ik3q9f','Management.OrganizationInvitation.Create','{"organizationInvitationId":"vhx6sav0rs8sc90pwmoyf","organizationId":"2thxrykk1bai","organizationRoleIds":[],"key":"Management.OrganizationInvitation.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"358xoqo5o37q9o6l","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463582235,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonqjpheyitaoi40mtc','Management.Application.Create','{"createdApplicationId":"rzzbv0ccx7vo2aoqixy8x","type":"SPA","key":"Management.Application.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"a6xg1k0yq8wrl2wj","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463582245,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonqjvz0jyifu3sc7f9','Management.SignInExperience.Update','{"changedSettings":["color"],"key":"Management.SignInExperience.Update","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"v9mhbv349vkqu8r4","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463582251,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonqkfmar1vgvx44sse','Management.CustomPhrases.Update','{"languageTag":"en","key":"Management.CustomPhrases.Update","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"i7ef438pmbsatlt9","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463582271,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtontlqbbnimacyr1ic8','Management.Plugin.Upload','{"plugin":"jwt-access-token","version":"1","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","key":"Management.Plugin.Upload","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"kzl0w6bmtt5eh8gl","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463586206,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtontqk49b699i0kejtk','Management.Plugin.Upload','{"plugin":"ticket","version":"1","digest":"sha256:6b2c493ed46cc46c354b46b3052b11a409983160b5b40e4f91b6ddb1785fe342","activated":false,"key":"Management.Plugin.Upload","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"f0dufll994ucm9gr","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463586380,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtontrld0u087msx0xvd','Management.PersonalAccessToken.Create','{"userId":"1ejw1s0n0qtr","tokenName":"laptop","key":"Management.PersonalAccessToken.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"7n6hhcbxvlg35jjf","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463586417,'1ejw1s0n0qtr','sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonts2v5mk5yvw4xoi3','Management.Connector.Create','{"connectorId":"dg2x52i2cyt6ijjd2qvfr","factoryId":"http-email","replaced":0,"key":"Management.Connector.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"cgrowsecxycifmt8","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463586434,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtontsmnnc4hf2pxwu72','Management.SsoConnector.Create','{"ssoConnectorId":"h2kapjf9ycquwftudl6lb","providerName":"OIDC","domains":["acme.example"],"key":"Management.SsoConnector.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"9kwvee8p2qcnj1ov","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463586454,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtontsvm7uauflw1d547','Management.User.LinkIdentity','{"userId":"1ejw1s0n0qtr","target":"github","key":"Management.User.LinkIdentity","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"9toauviiyow2t3oa","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463586463,'1ejw1s0n0qtr','sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonty7zxhocdskw589v','Management.User.Create','{"userId":"o75eavxficu9","key":"Management.User.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"to4v806iku6xaxge","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463586655,'o75eavxficu9','sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtontz0mwz44cyzn2159','Management.User.AddMfaFactor','{"userId":"o75eavxficu9","factorId":"iwc836oz0zusb336qj35o","type":"Totp","key":"Management.User.AddMfaFactor","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"ay3m7yqqp581frzd","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463586684,'o75eavxficu9','sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtontzubznmadnb003dv','Management.User.AddMfaFactor','{"userId":"o75eavxficu9","factorId":"krq3e3z8heacbj2svhqr9","type":"BackupCode","key":"Management.User.AddMfaFactor","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"crn7oyjqel35373o","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463586714,'o75eavxficu9','sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonu1ru0mmbe88i98b7','Management.OneTimeToken.Create','{"oneTimeTokenId":"mwtonu1r5nujtbrc7r9zf","email":"keeper@example.com","key":"Management.OneTimeToken.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"ug6w61sf073vftlc","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463586783,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonu2o6mea8fapgkbrz','Management.VerificationCode.Create','{"type":"email","key":"Management.VerificationCode.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"t5wttzei9jw7wpl3","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463586816,NULL,'sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonu3aybhgmz5z4wt6d','Management.SubjectToken.Create','{"userId":"37glxndfs5j2","subjectTokenId":"mwtonu3aywwg0e9wotrcg","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"key":"Management.SubjectToken.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"hnwu76h8pd7bvwe8","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463586838,'37glxndfs5j2','sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonu4ei1yaym7pms9xx','Management.SubjectToken.Create','{"userId":"37glxndfs5j2","subjectTokenId":"mwtonu4e9n5r9cfbpcfoh","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"key":"Management.SubjectToken.Create","result":"Success","applicationId":"sbu9ohpmjw150kjyb09be","requestId":"846763humvzzq52z","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463586878,'37glxndfs5j2','sbu9ohpmjw150kjyb09be');
INSERT INTO "logs" VALUES('mwtonu595lkmc51ioomct','ExchangeTokenBy.TokenExchange','{"applicationSecret":{"name":"Default secret"},"resource":"https://api.example.com","subjectTokenId":"mwtonu3aywwg0e9wotrcg","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"jti":"mwtonu596o8m32t1ifd1l","userId":"37glxndfs5j2","plugins":[{"plugin":"jwt-access-token","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","generation":2,"outcome":"ok"}],"key":"ExchangeTokenBy.TokenExchange","result":"Success","applicationId":"5zcavhnrp1kvxjzb3dpw8","requestId":"l08vxvprjbn3sfmw","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463586909,'37glxndfs5j2','5zcavhnrp1kvxjzb3dpw8');
INSERT INTO "logs" VALUES('mwtonujapyi2bfxuwxi0e','ExchangeTokenBy.Operator','{"by":"operator","jti":"mwtonuja8vk0uswg9ks59","userId":"37glxndfs5j2","plugins":[{"plugin":"jwt-access-token","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","generation":1,"outcome":"ok"}],"key":"ExchangeTokenBy.Operator","result":"Success","applicationId":"5zcavhnrp1kvxjzb3dpw8"}',1795463587414,'37glxndfs5j2','5zcavhnrp1kvxjzb3dpw8');
INSERT INTO "logs" VALUES('mwtonumbwp19vl3srgjfy','Interaction.SignIn.Update','{"interactionId":"miuxvvlnlpefx91wq4p42","key":"Interaction.SignIn.Update","result":"Success","applicationId":"rzzbv0ccx7vo2aoqixy8x","requestId":"q2iuzboqu5qji8zk","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463587523,NULL,'rzzbv0ccx7vo2aoqixy8x');
INSERT INTO "logs" VALUES('mwtonuqxcjh7tx7wi7k0f','Interaction.SignIn.Verification.Password.Submit','{"interactionId":"miuxvvlnlpefx91wq4p42","verificationId":"fz0d4ufyv1rhgch3rr9cp","userId":"1ejw1s0n0qtr","key":"Interaction.SignIn.Verification.Password.Submit","result":"Success","applicationId":"rzzbv0ccx7vo2aoqixy8x","requestId":"q2iuzboqu5qji8zk","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463587689,'1ejw1s0n0qtr','rzzbv0ccx7vo2aoqixy8x');
INSERT INTO "logs" VALUES('mwtonutfy0i2u3gem40sg','Interaction.SignIn.Identifier.Submit','{"interactionId":"miuxvvlnlpefx91wq4p42","userId":"1ejw1s0n0qtr","key":"Interaction.SignIn.Identifier.Submit","result":"Success","applicationId":"rzzbv0ccx7vo2aoqixy8x","requestId":"q2iuzboqu5qji8zk","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463587779,'1ejw1s0n0qtr','rzzbv0ccx7vo2aoqixy8x');
INSERT INTO "logs" VALUES('mwtonuu4g62ni44pcpsqr','Interaction.SignIn.Submit','{"interactionId":"miuxvvlnlpefx91wq4p42","userId":"1ejw1s0n0qtr","sessionId":"ibkwk5yq3iyas2raaalwp","key":"Interaction.SignIn.Submit","result":"Success","applicationId":"rzzbv0ccx7vo2aoqixy8x","requestId":"q2iuzboqu5qji8zk","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463587804,'1ejw1s0n0qtr','rzzbv0ccx7vo2aoqixy8x');
INSERT INTO "logs" VALUES('mwtonuv1v7g66u9sqhbik','Interaction.End','{"interactionId":"miuxvvlnlpefx91wq4p42","userId":"1ejw1s0n0qtr","key":"Interaction.End","result":"Success","applicationId":"rzzbv0ccx7vo2aoqixy8x","requestId":"fjwxcfl2u5dc16o8","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463587837,'1ejw1s0n0qtr','rzzbv0ccx7vo2aoqixy8x');
INSERT INTO "logs" VALUES('mwtonuw2f6nh6vp7s5w19','ExchangeTokenBy.AuthorizationCode','{"grantId":"kn52h4ckclee2wxh2u9q2","sessionId":"ibkwk5yq3iyas2raaalwp","jti":"mwtonuw2a81pny4w76cse","userId":"1ejw1s0n0qtr","plugins":[{"plugin":"jwt-access-token","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","generation":2,"outcome":"ok"}],"key":"ExchangeTokenBy.AuthorizationCode","result":"Success","applicationId":"rzzbv0ccx7vo2aoqixy8x","requestId":"2qh7pgmspxeazpku","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795463587874,'1ejw1s0n0qtr','rzzbv0ccx7vo2aoqixy8x');
CREATE TABLE messages (
    seq           INTEGER PRIMARY KEY AUTOINCREMENT,
    id            TEXT NOT NULL UNIQUE,
    -- 'Email' or 'Sms'.
    channel       TEXT NOT NULL,
    recipient     TEXT NOT NULL,
    template_type TEXT NOT NULL,
    language_tag  TEXT NOT NULL,
    -- Code or link, and the facts of templates: encrypted, base64. NULL once nobody needs them.
    contents      TEXT,
    -- What code or link it carries; when that is used or replaced, the message is not sent any more.
    about         TEXT,
    -- When its code or link ends.
    expires_at    BIGINT NOT NULL,
    -- Whether it is shown in the mailbox of a demo server, and not sent.
    in_mailbox    BOOLEAN NOT NULL DEFAULT FALSE,
    -- 'pending', 'delivered', 'dead' or 'dropped'.
    state         TEXT NOT NULL DEFAULT 'pending',
    -- When it may be leased: for the next attempt, or since the lease of an attempt has expired. NULL when it is done.
    due_at        BIGINT,
    -- The lease of whoever attempts it now.
    claim         TEXT,
    attempts      BIGINT NOT NULL DEFAULT 0,
    -- The last error.
    note          TEXT,
    created_at    BIGINT NOT NULL,
    finished_at   BIGINT
);
INSERT INTO "messages" VALUES(1,'msg_rc51f095jsi7s7dvbj0il','Email','keeper@example.com','Generic','en','QBcjAgNg/fyQmu/rXJj6oQ9b3yWUGIEkN4Wmlrev5t6Jk5+kH8Os1HjFePOkUpsx+g==','64888be82cd750fef835edbd9ec3d3e586ef544c336673bf39884f3bb14a0e10',1795464186816,0,'pending',1795463590860,NULL,1,'requests to 127.0.0.1 are not allowed: 127.0.0.1 is loopback, and not in egress.allowed_networks',1795463586816,NULL);
CREATE TABLE mfa_factors (
    id         TEXT PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- 'Totp' or 'BackupCode', one of each.
    type       TEXT NOT NULL,
    -- The secret, or the codes as a JSON list, sealed by the encryption key, base64.
    sealed     TEXT NOT NULL,
    created_at BIGINT NOT NULL, used_step BIGINT, name TEXT,
    UNIQUE (user_id, type)
);
INSERT INTO "mfa_factors" VALUES('iwc836oz0zusb336qj35o','o75eavxficu9','Totp','QBcjAsupHQOxKuVaAYAOeCsdgBO4QneLM7IjXDZoPnYK1M8uQSiCockrkoW13gwLwsVykuIrPa9kwgHjKEJerw==',1795463586684,NULL,NULL);
INSERT INTO "mfa_factors" VALUES('krq3e3z8heacbj2svhqr9','o75eavxficu9','BackupCode','QBcjAi/Myzm6anbkLgwVljmWmKsGOImv5vncjM4GqG0UWl1Lmcvqwklx9qLHbDsYcrR3GslN/o0q0YoygraO12kRbEIG1L/1vB1qxmAnkoyz/+k7BPiAg3MhDLtcPNIwJ6GVKtwzNrSOSGv36WF6v9LrYsw0l0Aytthj+Jnw/5amI/XyW+u73bHwcro/ZvvW7dFuBloR0VfS8aWfpnV3fgQ5BROfK1M8K5mRNXPblbeEXFtQopqBoFylulmdSTrVA65mYYxfquFL1NvZowDf8H4CSXzdsfHeX0I1vkQ9KV5Rb7OYSWj7/YRuhAsqKjqynILuzC5MMrfmb38b94vUUyp6Y6FVNgnxSBHBt4At5P3I8q9qN32RJ6GT/rZDhLhKX9LVmQRTZ0pLd5NnKGHrE8Ev/si+uWikqC0tmvFcim56bTM8YLHbJ/qo2UKlgRoGre06yQVseiWMehoYICD/J4R9tG4pmWMRSTqDuBR7ke0l/F8ujIUyaLfFMhGS4jgQxlzVsRBtN7z1rBoZHkS/q6tblxkeQqup3oTnY9ciuzAJPWb8oIj8Y9sfVplh69MpQZrhC5RGcMsCdZOFJGcQShvdh7HP5TNRSlXCLiXBdGsLX7PY2dVX1hPzoI7gMxI91P0unOnT96aEru6yeemS3MUJ6v4nFP+L0zv3O2iQiJ1ndoOnWdTtzfjuhzC4jt4kDcYNnEiKlOpinD66MrdX8m1x00aKQZALb1hLXKnn43zNIlNm5RB+0UEHnbm6CcPt4GqQ9sUWf9SeUroS6hv4aUPoMEORRvPbcS4/9UNVWVs3IldhGfNesshYNfLkrJgi0ZivILi6VSKxSVpcvVH8suqUadjh2za7l2gCHjOHR2DrAPljh/4S4NofK3MxBdD2kRm2mdLz1eWr+6vGtPQNlP+Ip1xFViixqWOudzaC9J6tRjmQGkUCl8KIcjbcHVvwbUTwH2ldto+bn6PjOuhWGiV6FXrpMzQahmhnVYk63WOdsx6akw0Lfhkkkaf4pOuT+SxM8BqlR4+Hq5gTnHW8mD5SEu3wjVTpquIw1xAOlr9v70Hygu5PzpoYxSOt',1795463586714,NULL,NULL);
CREATE TABLE one_time_tokens (
    id         TEXT PRIMARY KEY,
    -- Whom it was made for, in lower case.
    email      TEXT NOT NULL,
    -- SHA-256 (hex) of the token.
    hash       TEXT NOT NULL UNIQUE,
    -- Organizations that take the person in, and what they are about to do, JSON.
    context    TEXT NOT NULL,
    -- An active one whose time is over counts as expired, whatever stands here.
    status     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
INSERT INTO "one_time_tokens" VALUES('mwtonu1r5nujtbrc7r9zf','keeper@example.com','699d5441d4cae706eb089368f1f27ee40b34a85a0de394dd77c85a6d0f14386b','{}','active',1795463586783,1795549986783);
CREATE TABLE organization_application_roles (
    organization_id      TEXT NOT NULL,
    application_id       TEXT NOT NULL,
    organization_role_id TEXT NOT NULL REFERENCES organization_roles (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, application_id, organization_role_id),
    FOREIGN KEY (organization_id, application_id)
        REFERENCES organization_applications (organization_id, application_id) ON DELETE CASCADE
);
CREATE TABLE organization_applications (
    organization_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    application_id  TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, application_id)
);
CREATE TABLE organization_invitation_roles (
    invitation_id        TEXT NOT NULL REFERENCES organization_invitations (id) ON DELETE CASCADE,
    organization_role_id TEXT NOT NULL REFERENCES organization_roles (id) ON DELETE CASCADE,
    PRIMARY KEY (invitation_id, organization_role_id)
);
CREATE TABLE organization_invitations (
    id               TEXT PRIMARY KEY,
    organization_id  TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    inviter_id       TEXT REFERENCES users (id) ON DELETE SET NULL,
    -- An email address in lower case.
    invitee          TEXT NOT NULL,
    accepted_user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    -- A pending one whose time is over counts as expired, whatever stands here.
    status           TEXT NOT NULL,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL
);
INSERT INTO "organization_invitations" VALUES('vhx6sav0rs8sc90pwmoyf','2thxrykk1bai',NULL,'guest@example.com',NULL,'Pending',1795463582235,1795463582235,1795549982229);
CREATE TABLE organization_jit_email_domains (
    organization_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    email_domain    TEXT NOT NULL,
    PRIMARY KEY (organization_id, email_domain)
);
CREATE TABLE organization_jit_roles (
    organization_id      TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    organization_role_id TEXT NOT NULL REFERENCES organization_roles (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, organization_role_id)
);
CREATE TABLE organization_role_resource_scopes (
    organization_role_id TEXT NOT NULL REFERENCES organization_roles (id) ON DELETE CASCADE,
    scope_id             TEXT NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_role_id, scope_id)
);
CREATE TABLE organization_role_scopes (
    organization_role_id  TEXT NOT NULL REFERENCES organization_roles (id) ON DELETE CASCADE,
    organization_scope_id TEXT NOT NULL REFERENCES organization_scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_role_id, organization_scope_id)
);
CREATE TABLE organization_roles (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    description TEXT,
    type        TEXT NOT NULL
, search_key TEXT NOT NULL DEFAULT '');
CREATE TABLE organization_scopes (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    description TEXT,
    search_key  TEXT NOT NULL
);
CREATE TABLE organization_user_roles (
    organization_id      TEXT NOT NULL,
    user_id              TEXT NOT NULL,
    organization_role_id TEXT NOT NULL REFERENCES organization_roles (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, user_id, organization_role_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES organization_users (organization_id, user_id) ON DELETE CASCADE
);
CREATE TABLE organization_users (
    organization_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    user_id         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, user_id)
);
INSERT INTO "organization_users" VALUES('2thxrykk1bai','1ejw1s0n0qtr');
CREATE TABLE organizations (
    id              TEXT PRIMARY KEY,
    name            TEXT NOT NULL,
    description     TEXT,
    custom_data     TEXT NOT NULL,
    is_mfa_required BOOLEAN NOT NULL DEFAULT FALSE,
    created_at      BIGINT NOT NULL
, color TEXT NOT NULL DEFAULT '{}', branding TEXT NOT NULL DEFAULT '{}', custom_css TEXT, search_key TEXT NOT NULL DEFAULT '');
INSERT INTO "organizations" VALUES('2thxrykk1bai','Keepers',NULL,'{"plan":"team"}',0,1795463582212,'{}','{}',NULL,'2thxrykk1bai keepers');
CREATE TABLE passkeys (
    id            TEXT PRIMARY KEY,
    user_id       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The authenticator's id of it, base64url: that of one user.
    credential_id TEXT NOT NULL UNIQUE,
    -- The public key, the signature counter and what the authenticator said of itself.
    credential    TEXT NOT NULL,
    -- Whether it is kept by a service that copies it from device to device.
    is_synced     BOOLEAN NOT NULL,
    -- What its user calls it.
    name          TEXT,
    -- The browser that made it.
    agent         TEXT,
    created_at    BIGINT NOT NULL,
    last_used_at  BIGINT
);
CREATE TABLE personal_access_tokens (
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    hash       TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    PRIMARY KEY (user_id, name)
);
INSERT INTO "personal_access_tokens" VALUES('1ejw1s0n0qtr','laptop','93782ef36f084907c3eb94b5e4a606073b181516bb0313005ad1be9db115f934',1795463586416,NULL);
CREATE TABLE plugin_logs (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    plugin_name TEXT NOT NULL,
    level       TEXT NOT NULL,
    message     TEXT NOT NULL,
    request_id  TEXT,
    -- 'sha256:…' of the version that wrote it.
    digest      TEXT,
    created_at  BIGINT NOT NULL
);
CREATE TABLE plugin_secrets (
    plugin_name TEXT NOT NULL REFERENCES plugins (name) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    -- Sealed by the encryption key, base64.
    sealed      TEXT NOT NULL,
    updated_at  BIGINT NOT NULL,
    PRIMARY KEY (plugin_name, name)
);
CREATE TABLE plugin_versions (
    plugin_name TEXT NOT NULL REFERENCES plugins (name) ON DELETE CASCADE,
    id          BIGINT NOT NULL,
    -- 'sha256:…' of the source.
    digest      TEXT NOT NULL,
    language    TEXT NOT NULL,
    source      BLOB NOT NULL,
    size        BIGINT NOT NULL,
    -- What the compiler found out: kind, world, imports.
    facts       TEXT NOT NULL,
    -- What it asks to reach by HTTP.
    http        TEXT,
    -- Its golden cases, as they were uploaded.
    cases       TEXT,
    created_by  TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (plugin_name, id)
);
INSERT INTO "plugin_versions" VALUES('jwt-access-token',1,'sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496','javascript',X'636F6E737420676574437573746F6D4A7774436C61696D73203D206173796E6320287B20636F6E746578742C20656E7669726F6E6D656E745661726961626C6573207D29203D3E20287B0A20207469636B65743A20636F6E746578742E6772616E743F2E7375626A656374546F6B656E436F6E746578743F2E7469636B65744964203F3F206E756C6C2C20726567696F6E3A20656E7669726F6E6D656E745661726961626C65732E524547494F4E2C0A7D293B',179,'{"kind":"claims","world":"claimsmith:plugin/claims","imports":["wasi:io/poll","wasi:clocks/monotonic-clock","wasi:clocks/wall-clock","wasi:io/error","wasi:io/streams","wasi:cli/stdout","wasi:cli/stderr","wasi:cli/stdin","wasi:cli/environment","wasi:cli/exit","wasi:cli/terminal-input","wasi:cli/terminal-output","wasi:cli/terminal-stdin","wasi:cli/terminal-stdout","wasi:cli/terminal-stderr","wasi:filesystem/types","wasi:filesystem/preopens","wasi:random/insecure-seed","claimsmith:plugin/log","claimsmith:plugin/http","claimsmith:plugin/random","claimsmith:plugin/types"]}',NULL,NULL,'sbu9ohpmjw150kjyb09be',1795463586220);
INSERT INTO "plugin_versions" VALUES('ticket',1,'sha256:6b2c493ed46cc46c354b46b3052b11a409983160b5b40e4f91b6ddb1785fe342','wasm',X'0061736D0D0001000746014204016D0405646562756704696E666F047761726E056572726F720400056C6576656C030000014002056C6576656C01076D657373616765730100040005777269746501020A2001001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30050007EF0101420E01730400046A736F6E030000016B01017202047479706573157375626A6563742D746F6B656E2D636F6E74657874020400056772616E74030003016B04017205056772616E74050475736572020B6170706C69636174696F6E020C6F7267616E697A6174696F6E020B696E746572616374696F6E02040007636F6E74657874030006016F02737301700801720305746F6B656E0107636F6E746578740715656E7669726F6E6D656E742D7661726961626C65730904000E636C61696D732D7265717565737403000A0171020664656E696564017300066661696C65640173000400076661696C75726503000C0A2201001D636C61696D736D6974683A706C7567696E2F747970657340312E302E3005010613010300010E636C61696D732D726571756573740A1401000E636C61696D732D72657175657374030002060C01030001076661696C7572650A0D0100076661696C757265030004060901030001046A736F6E0A0A0100046A736F6E03000601901C0061736D01000000012D0860037F7F7F0060000060017F017F60027F7F017F60017F0060037F7F7F017F60047F7F7F7F017F60027F7F000225011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30057772697465000003121101010203000204030301010504060702010405017001010105030100050608017F01418080100B076105066D656D6F727902000B5F696E697469616C697A6500021F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73000D0C636162695F7265616C6C6F63000E156765742D637573746F6D2D6A77742D636C61696D7300100AC9191102000B2300024041002802A080908000450D00000B410041013602A0809080001081808080000B3A01017F0240200041106A41041084808080002201450D0020012000AD420586420484370308200141106A0F0B410041303602A48090800041000BE80101037F410021020240417F200041046A220320032000491B220041012001742201200020014B1B2201417F6A672200450D0002400240412020006B220041FFFF0371417D6A2203410D4F0D0042012000AD42FFFF038386A72104200341027422002802DC809080002201450D01200041DC809080006A200420016A417C6A28020036020020010F0B2001418380046A41107610868080800021020C010B200041A8809080006A2101024020002802A880908000220041FFFF03710D0041011086808080002200450D012001200020046A36020020000F0B2001200020046A36020020000F0B20020BA60101017F02404120200141046A220141012002742202200120024B1B2202417F6A676B220141FFFF0371417D6A2203410D4F0D00200042012001AC86A76A417C6A200341027422022802DC80908000360200200220003602DC809080000F0B2000420141202002418380046A411076417F6A676B2202AD42FFFF038386A74110746A417C6A200241FFFF037141027422022802908190800036020020022000360290819080000B6401027F420141202000417F6A676B2200AD42FFFF038386A721010240200041FFFF03714102742202280290819080002200450D0020024190819080006A200141107420006A417C6A28020036020020000F0B41002001400022004110742000417F461B0B3402017E027F02402000450D0020004101200041786A2903002201A722027422036B20032001420588A76A20021085808080000B0B800302017E087F024020010D00200010878080800041000F0B024020000D0020011083808080000F0B417F4101200041786A2903002202A7220374220420016A220541046A220620062005491B22062004200620044B1B2106200020046B2107024002400240024020042002420588A722086A220941046A220A2004200A20044B1B220A418080024B0D002006417F6A672206450D0142014120200A417F6A676BAD42FFFF038386A74201412020066BAD42FFFF038386A7470D010C020B42014120200A418380046A411076417F6A676BAD42FFFF038386A7420141202006418380046A411076417F6A676BAD42FFFF038386A7460D010B0240200520031084808080002205450D00200520046A210502402001200820012008491B2206450D00410021040340200520046A200020046A2D00003A0000200441016A22042006490D000B0B2007200920031085808080000C020B410041303602A48090800041000F0B200720046A21050B200541786A2002421F832001AD4205868437030020050B6402017E017F0240024002402000AD2001AD7E2202422088A70D002002A7220310838080800022000D01410021000C020B410041303602A48090800041000F0B41002101034020032001460D01200020016A41003A0000200141016A21010C000B0B20000B0300000B02000BB00A010B7F23808080800041106B2203248080808000410021044100210541002106024002400240024020002D00084101470D0041002104410021054100210620002D00144101470D0020002802182205450D01200028021C2206450D0120052D000041FB00470D0120064102490D01200520066A2204417F6A2107200541016A21082004417E6A21090340024020082D000022054122460D00200541FD00460D03200841016A22082004490D010C030B024002400240200841016A220A20044F0D00200A210503400240024020082D0001220641DC00460D002005210520064122470D012008200A6B41016A210B200841026A220C20044F0D05200920086B2105034002400240200C2D0000220841776A220641174B0D0041012006744193808004710D010B2008413A470D070B200C41016A210C2005417F6A22050D000C050B0B200841026A21050B20052108200541016A22052004490D000B0B2007200A6B210B0B2004210C0B4100210D200C21080340024002400240200822062004490D00200421080C010B024020062D000022054122470D00200421080240200641016A220520044F0D0003400240024020062D0001220841DC00460D002005210520084122470D01200641026A21080C030B200641026A21050B20052106200541016A22052004490D000B200421080B200D0D030C010B02400240024002400240200D0D00410021080240200541A57F6A0E03020504000B200541857F6A0E03010403020B200541207241FB00460D00200D21080C030B200D41016A21080C020B2005412C470D010B200621080C010B0240200541207241FD00460D002008210D0C020B2008417F6A220D0D01200641016A21080B02400240200B4108470D00200A29000042F4D28DDBD68CDDA4E400510D010B200820044F0D050C030B200C450D0420032008200C6B220236020C2003200C3602084101200341086A108F808080004100210D419D80908000210A024020002802542206450D002000280250210502400340024020052802002204450D00200541046A2802004106470D00200428000041D0A495B20473200441046A2F000041C9B0017372450D020B200541106A21052006417F6A22060D000C020B0B2005410C6A280200210D200541086A280200210A0B41C4001083808080002206450D05200641FBC4003B0000024002400240200D41026A220541C500490D002006200541017441C0006A220410888080800022060D010C080B41C4002104200D450D010B200D450D00200641026A200A200DFC0A00000B0240200D410B6A220020044D0D002006200041017441C0006A22041088808080002206450D060B200620056A220541002D008B809080003A000820054100290083809080003700000240200D410D6A220D20044D0D002006200D41017441C0006A22041088808080002206450D060B200620006A41A2F4003B00000240200D20026A220520044D0D002006200541017441C0006A22041088808080002206450D060B2008200C460D032002450D032006200D6A200C2002FC0A00000C030B200641016A21080C000B0B0B02404101410220051B220D20056A220820044D0D002006200841017441C0006A1088808080002206450D020B0240200D450D00200620056A41818090800041808090800020051B200DFC0A00000B2001200836020420012006360200410121050C020B41002105200241003A0000410141111089808080002206450D00200241103602082002200636020420064100290095809080003700082006410029008D809080003700000C010B108A80808000000B200341106A24808080800020050B5E01017F024002400240024020002D00000E020001030B2000280208450D02410421010C010B02400240024020002D00040E020001040B200028020C0D010C030B200028020C450D020B410821010B200020016A2802001087808080000B0B210002402003450D002000200310888080800022020D00108A80808000000B20020B14002000200128020020012802041080808080000BF90401137F23808080800041F0006B2201248080808000410021020240024020002D00084101460D00410021030C010B0240024020002D00144101460D00410021040C010B200028021C210520002802182106410121040B20002802102107200028020C2108410121030B0240024020002D00204101460D000C010B200028022821092000280224210A410121020B4100210B0240024020002D002C4101460D004100210C0C010B2000280234210D2000280230210E4101210C0B0240024020002D00384101460D000C010B2000280240210F200028023C21104101210B0B410121110240024020002D00444101460D00410021110C010B200028024C2112200028024821130B2001201236026420012013360260200120113A005C2001200F360258200120103602542001200B3A00502001200D36024C2001200E3602482001200C3A0044200120093602402001200A36023C200120023A00382001200536023420012006360230200120043A002C2001200736022820012008360224200120033A00202001200029020037021820012000290250370268200141186A200141106A200141046A108C8080800021022001280214210B20012802102111200128020C2108200128020821072001280204210320001087808080000240024020020D00410041013A00D48190800002400240200341FF01710E020001030B410020083602E081908000410020073602DC81908000410041003A00D8819080000C020B410020083602E081908000410041013A00D881908000410020073602DC819080000C010B4100200B3602DC81908000410020113602D881908000410041003A00D4819080000B200141F0006A24808080800041D4819080000B0800108B808080000B0B260100418080100B1E7B7D007469636B65745F6964004E616D6520746865207469636B65742E00002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E3301700061736D0100000001070160037F7F7F000302010004050170010101071002013000000824696D706F72747301000A0F010D0020002001200241001100000B002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33020401000100060701000001000130022C02010105777269746500000000011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E301201060C0100020102066D656D6F72790185010061736D01000000010A0260037F7F7F006000000232030661637475616C01300000046D61696E0B5F696E697469616C697A650001047368696D0824696D706F72747301700101010801010907010041000B0100002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33060A01010000057772697465080801010000020300000221020101013000010002030661637475616C1203046D61696E1202047368696D12000713026A010701054001077265717565737403000806500300000102156765742D637573746F6D2D6A77742D636C61696D73000001020C636162695F7265616C6C6F63000001021F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73080D010000020403000403000504090B1B0100156765742D637573746F6D2D6A77742D636C61696D73010100008D050E636F6D706F6E656E742D6E616D6501A101000005002A696E6469726563742D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E302D7772697465012A696E6469726563742D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E302D777269746502156765742D637573746F6D2D6A77742D636C61696D73030C636162695F7265616C6C6F63041F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73010B00020100066D656D6F7279013900110300046D61696E01197769742D636F6D706F6E656E742D7368696D2D6D6F64756C6502137769742D636F6D706F6E656E742D66697875700152001205001B7769742D636F6D706F6E656E742D7368696D2D696E7374616E6365011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E3002046D61696E030661637475616C04056669787570013E0502001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30011D636C61696D736D6974683A706C7567696E2F747970657340312E302E30013701030005777269746501156765742D637573746F6D2D6A77742D636C61696D7302156765742D637573746F6D2D6A77742D636C61696D730182010308001E74792D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30012074792D636C61696D736D6974683A706C7567696E2F747970657340312E302E30020E636C61696D732D72657175657374030E636C61696D732D7265717565737404076661696C75726505076661696C75726506046A736F6E07046A736F6E013E0502001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30011D636C61696D736D6974683A706C7567696E2F747970657340312E302E30002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33',5324,'{"kind":"claims","world":"claimsmith:plugin/claims","imports":["claimsmith:plugin/log","claimsmith:plugin/types"]}',NULL,NULL,'sbu9ohpmjw150kjyb09be',1795463586391);
CREATE TABLE plugins (
    name           TEXT PRIMARY KEY,
    -- A manifest as JSON.
    settings       TEXT NOT NULL,
    -- What the operator lets it reach by HTTP; NULL lets it reach nothing.
    http_grant     TEXT,
    -- NULL until one was activated.
    active_version BIGINT,
    -- Version ids are never used twice.
    last_version   BIGINT NOT NULL,
    -- Counts the changes; a caller that saw an older one is told so.
    revision       BIGINT NOT NULL,
    -- What the token customizer API was given beside script and variables; NULL for all other plugins.
    customizer     TEXT,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);
INSERT INTO "plugins" VALUES('jwt-access-token','{"order":0,"enabled":true,"on_error":"skip","token_kinds":["access-token"],"grant_types":null,"applications":null,"resources":null,"limits":{"deadline_ms":null,"memory_mib":null,"output_kib":null},"environment":{"REGION":"eu"},"secrets":{},"capabilities":{}}',NULL,1,1,1,'{"script":"const getCustomJwtClaims = async ({ context, environmentVariables }) => ({\n  ticket: context.grant?.subjectTokenContext?.ticketId ?? null, region: environmentVariables.REGION,\n});","environmentVariables":{"REGION":"eu"}}',1795463586220,1795463586220);
INSERT INTO "plugins" VALUES('ticket','{}',NULL,NULL,1,1,NULL,1795463586391,1795463586391);
CREATE TABLE pushed_requests (
    hash           TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    -- Names and values, JSON.
    parameters     TEXT NOT NULL,
    expires_at     BIGINT NOT NULL
);
CREATE TABLE refresh_tokens (
    hash           TEXT PRIMARY KEY,
    grant_id       TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    user_id        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    application_id TEXT NOT NULL,
    authorization_details TEXT NOT NULL,
    family_id      TEXT NOT NULL,
    -- Whether it was asked for with offline_access.
    outlives_session BOOLEAN NOT NULL,
    -- The token that this one replaces.
    parent_hash    TEXT,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL,
    -- When it was replaced, and when for the first time.
    consumed_at    BIGINT,
    rotated_at     BIGINT
);
INSERT INTO "refresh_tokens" VALUES('85dea6fcf4d85780e12a2fb9db78b3877a8ab80479630f7196cc97a32dc76c68','kn52h4ckclee2wxh2u9q2','1ejw1s0n0qtr','rzzbv0ccx7vo2aoqixy8x','{"redirectUri":"https://shop.example.com/callback","codeChallenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM","nonce":null,"scope":["openid","offline_access"],"resourceScope":[],"resources":[],"consented":null,"sessionId":"ibkwk5yq3iyas2raaalwp","authTime":1795463587,"amr":["pwd"],"acrValues":[],"interaction":{"interactionEvent":"SignIn","userId":"1ejw1s0n0qtr","verificationRecords":[{"id":"fz0d4ufyv1rhgch3rr9cp","type":"Password","identifier":{"type":"username","value":"keeper"},"verified":true}]}}','5aesjjn5dkyv8g7vz7k02',1,NULL,1795463587874,1796673187859,NULL,NULL);
CREATE TABLE resources (
    id               TEXT PRIMARY KEY,
    name             TEXT NOT NULL,
    indicator        TEXT NOT NULL UNIQUE,
    is_default       BOOLEAN NOT NULL DEFAULT FALSE,
    access_token_ttl BIGINT NOT NULL,
    created_at       BIGINT NOT NULL
);
INSERT INTO "resources" VALUES('7o8a436zsfg67nqmmpmz4','Claimsmith Management API','http://127.0.0.1:3001/api',0,3600,1795463580619);
INSERT INTO "resources" VALUES('n0qxe9boza60tycqfsq2z','Example API','https://api.example.com',0,3600,1795463580619);
INSERT INTO "resources" VALUES('cut1vmxqdn7s3kdg1l5ku','Shop','https://shop.example.com/api',0,3600,1795463582105);
CREATE TABLE revisions (
    name  TEXT PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO "revisions" VALUES('authorization',6);
INSERT INTO "revisions" VALUES('plugins',2);
INSERT INTO "revisions" VALUES('plugin_logs',0);
CREATE TABLE role_scopes (
    role_id  TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    scope_id TEXT NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (role_id, scope_id)
);
INSERT INTO "role_scopes" VALUES('7iiu44xzknqxmliekx1xq','namxnjbzcx25hr01acowl');
INSERT INTO "role_scopes" VALUES('6rg12ysz3ojpgy3sg9itl','l5zf4chd1lm65ug2k1lsm');
INSERT INTO "role_scopes" VALUES('6rg12ysz3ojpgy3sg9itl','wygouqxqvbl8pjwtkme8e');
INSERT INTO "role_scopes" VALUES('je0izi028oi2mrzi51n4n','l5zf4chd1lm65ug2k1lsm');
INSERT INTO "role_scopes" VALUES('6mil2rjq6we4yrc8auqt0','jgxl5x2spyvpzz25t0gb3');
CREATE TABLE roles (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    type        TEXT NOT NULL,
    is_default  BOOLEAN NOT NULL DEFAULT FALSE,
    created_at  BIGINT NOT NULL
, name_key TEXT NOT NULL DEFAULT '', description_key TEXT);
INSERT INTO "roles" VALUES('7iiu44xzknqxmliekx1xq','Management API access','Management API access','MachineToMachine',0,1795463580619,'management api access','management api access');
INSERT INTO "roles" VALUES('6rg12ysz3ojpgy3sg9itl','customer','customer','User',0,1795463580619,'customer','customer');
INSERT INTO "roles" VALUES('je0izi028oi2mrzi51n4n','support-engineer','support-engineer','User',0,1795463580619,'support-engineer','support-engineer');
INSERT INTO "roles" VALUES('6mil2rjq6we4yrc8auqt0','shopper','Shops','User',0,1795463582143,'shopper','shops');
CREATE TABLE scopes (
    id          TEXT PRIMARY KEY,
    resource_id TEXT NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    description TEXT,
    created_at  BIGINT NOT NULL, name_key TEXT NOT NULL DEFAULT '', description_key TEXT,
    UNIQUE (resource_id, name)
);
INSERT INTO "scopes" VALUES('namxnjbzcx25hr01acowl','7o8a436zsfg67nqmmpmz4','all','Everything the Management API offers.',1795463580619,'all','everything the management api offers.');
INSERT INTO "scopes" VALUES('h0y11vooocm1h37gxp486','7o8a436zsfg67nqmmpmz4','users:read','Read users and their roles.',1795463580619,'users:read','read users and their roles.');
INSERT INTO "scopes" VALUES('mgzqku87drbhuhutfylvk','7o8a436zsfg67nqmmpmz4','users:write','Create, change and delete users.',1795463580619,'users:write','create, change and delete users.');
INSERT INTO "scopes" VALUES('2tqqhxvnukaf9q9le1hf5','7o8a436zsfg67nqmmpmz4','roles:read','Read roles.',1795463580619,'roles:read','read roles.');
INSERT INTO "scopes" VALUES('qy4rba2vhmifzvi1cs302','7o8a436zsfg67nqmmpmz4','roles:write','Create, change and delete roles, and assign them.',1795463580619,'roles:write','create, change and delete roles, and assign them.');
INSERT INTO "scopes" VALUES('5132077zgss4i8wjxog3w','7o8a436zsfg67nqmmpmz4','resources:read','Read API resources and their scopes.',1795463580619,'resources:read','read api resources and their scopes.');
INSERT INTO "scopes" VALUES('1dib66rxvpjbm61mr6k4g','7o8a436zsfg67nqmmpmz4','resources:write','Create, change and delete API resources and their scopes.',1795463580619,'resources:write','create, change and delete api resources and their scopes.');
INSERT INTO "scopes" VALUES('dra21ajykobu605zwqtox','7o8a436zsfg67nqmmpmz4','applications:read','Read applications.',1795463580619,'applications:read','read applications.');
INSERT INTO "scopes" VALUES('lyjpbiq8ki0ecckmz27cf','7o8a436zsfg67nqmmpmz4','applications:write','Create, change and delete applications and their secrets.',1795463580619,'applications:write','create, change and delete applications and their secrets.');
INSERT INTO "scopes" VALUES('s8eeqfndeeti0fhsy2it6','7o8a436zsfg67nqmmpmz4','organizations:read','Read organizations, their members, roles, scopes and invitations.',1795463580619,'organizations:read','read organizations, their members, roles, scopes and invitations.');
INSERT INTO "scopes" VALUES('uqbk65capvz8ggcfkvlnz','7o8a436zsfg67nqmmpmz4','organizations:write','Create, change and delete organizations, their members, roles, scopes and invitations.',1795463580619,'organizations:write','create, change and delete organizations, their members, roles, scopes and invitations.');
INSERT INTO "scopes" VALUES('9jsctlmjl0we818nwc4th','7o8a436zsfg67nqmmpmz4','hooks:read','Read webhooks and their deliveries.',1795463580619,'hooks:read','read webhooks and their deliveries.');
INSERT INTO "scopes" VALUES('1bb3d45dpa4cm1iafoo4v','7o8a436zsfg67nqmmpmz4','hooks:write','Create, change and delete webhooks.',1795463580619,'hooks:write','create, change and delete webhooks.');
INSERT INTO "scopes" VALUES('lx9j142eqwsvi3hhzdlh4','7o8a436zsfg67nqmmpmz4','configs:read','Read the configuration kept in the database, such as signing keys.',1795463580619,'configs:read','read the configuration kept in the database, such as signing keys.');
INSERT INTO "scopes" VALUES('md065pe0w28ecrs5lxnxr','7o8a436zsfg67nqmmpmz4','configs:write','Change the configuration kept in the database, such as signing keys.',1795463580619,'configs:write','change the configuration kept in the database, such as signing keys.');
INSERT INTO "scopes" VALUES('ja4r4lerp8ivljz0jaj5w','7o8a436zsfg67nqmmpmz4','logs:read','Read the audit log and the dashboard.',1795463580619,'logs:read','read the audit log and the dashboard.');
INSERT INTO "scopes" VALUES('zpg5297789ybi85c2mjnn','7o8a436zsfg67nqmmpmz4','subject-tokens:read','Read which subject tokens are live, and who acted for whom.',1795463580619,'subject-tokens:read','read which subject tokens are live, and who acted for whom.');
INSERT INTO "scopes" VALUES('xjq7w8k0moq6vh8pftyeu','7o8a436zsfg67nqmmpmz4','subject-tokens:write','Ask for subject tokens, revoke them, and end impersonations.',1795463580619,'subject-tokens:write','ask for subject tokens, revoke them, and end impersonations.');
INSERT INTO "scopes" VALUES('wyoiithfqd42kqpclj387','7o8a436zsfg67nqmmpmz4','plugins:read','Read the state of plugins.',1795463580619,'plugins:read','read the state of plugins.');
INSERT INTO "scopes" VALUES('vqh7azqeprzz7ejf7zvch','7o8a436zsfg67nqmmpmz4','plugins:write','Upload, change and delete plugins.',1795463580619,'plugins:write','upload, change and delete plugins.');
INSERT INTO "scopes" VALUES('4xhb1nauo62yuvs0qj1os','7o8a436zsfg67nqmmpmz4','plugins:secrets','Run tests of plugins with their secrets.',1795463580619,'plugins:secrets','run tests of plugins with their secrets.');
INSERT INTO "scopes" VALUES('hhsxj7iqqb0eytndikmx3','7o8a436zsfg67nqmmpmz4','plugins:grant','Grant plugins what they ask to reach.',1795463580619,'plugins:grant','grant plugins what they ask to reach.');
INSERT INTO "scopes" VALUES('l5zf4chd1lm65ug2k1lsm','n0qxe9boza60tycqfsq2z','resource:read','Read your data',1795463580619,'resource:read','read your data');
INSERT INTO "scopes" VALUES('wygouqxqvbl8pjwtkme8e','n0qxe9boza60tycqfsq2z','resource:write','Change your data',1795463580619,'resource:write','change your data');
INSERT INTO "scopes" VALUES('jgxl5x2spyvpzz25t0gb3','cut1vmxqdn7s3kdg1l5ku','read:carts','Read carts',1795463582122,'read:carts','read carts');
CREATE TABLE sessions (
    id               TEXT PRIMARY KEY,
    -- SHA-256 (hex) of the browser's cookie.
    browser_hash     TEXT NOT NULL,
    user_id          TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- How and from where somebody signed in, JSON.
    details          TEXT NOT NULL,
    authenticated_at BIGINT NOT NULL,
    last_active_at   BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL
);
INSERT INTO "sessions" VALUES('ibkwk5yq3iyas2raaalwp','d0e6782edbb8f447e507131c88565969682aa04ee0187ec04df2ea3742b5dfa2','1ejw1s0n0qtr','{"amr":["pwd"],"ip":"127.0.0.1","userAgent":"Python-urllib/3.11","interaction":{"interactionEvent":"SignIn","userId":"1ejw1s0n0qtr","verificationRecords":[{"id":"fz0d4ufyv1rhgch3rr9cp","type":"Password","identifier":{"type":"username","value":"keeper"},"verified":true}]}}',1795463587804,1795463587837,1796673187804);
CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO "settings" VALUES('bootstrap','1');
INSERT INTO "settings" VALUES('demo','1');
INSERT INTO "settings" VALUES('demo.client','toy1gbrwqae8ncpnltyf0');
INSERT INTO "settings" VALUES('demo.backend','sbu9ohpmjw150kjyb09be');
INSERT INTO "settings" VALUES('demo.customer','37glxndfs5j2');
INSERT INTO "settings" VALUES('demo.resource','https://api.example.com');
CREATE TABLE sign_in_attempts (
    -- SHA-256 (hex) of what is counted.
    hash       TEXT PRIMARY KEY,
    failures   BIGINT NOT NULL,
    -- When they are forgotten: an hour after the first, or at the end of the lock-out.
    expires_at BIGINT NOT NULL
, lockouts BIGINT NOT NULL DEFAULT 0);
INSERT INTO "sign_in_attempts" VALUES('55e86fff236b032fbfa2f96dd4e1e8b7f868cc1d9f9b869c9b0deebdcbae386e',1,1795464186811,0);
INSERT INTO "sign_in_attempts" VALUES('5cb01652e9d4c3a822628b8cb5cad545ebe438dfbcb8533942aea3079556bb53',0,1795467187543,0);
CREATE TABLE sign_in_experiences (
    id       TEXT PRIMARY KEY,
    settings TEXT NOT NULL
);
INSERT INTO "sign_in_experiences" VALUES('default','{"color":{"primaryColor":"#0f766e","isDarkModeEnabled":true,"darkPrimaryColor":"#818cf8"},"branding":{},"languageInfo":{"autoDetect":true,"fallbackLanguage":"en"},"termsOfUseUrl":null,"privacyPolicyUrl":null,"agreeToTermsPolicy":"Automatic","supportEmail":null,"supportWebsiteUrl":null,"unknownSessionRedirectUrl":null,"signInMode":"SignInAndRegister","signUp":{"identifiers":["username"],"password":true,"verify":false},"signIn":{"methods":[{"identifier":"username","password":true,"verificationCode":false,"isPasswordPrimary":true}]},"socialSignIn":{},"socialSignInConnectorTargets":[],"singleSignOnEnabled":false,"mfa":{"factors":[],"policy":"UserControlled"},"adaptiveMfa":{},"passkeySignIn":{},"passwordPolicy":{},"passwordExpiration":{},"usernamePolicy":{"caseSensitive":false,"minLength":1,"maxLength":128,"allowedChars":{"lowercase":true,"uppercase":true,"numbers":true,"underscore":true}},"forgotPasswordMethods":null,"verificationCodePolicy":{},"sentinelPolicy":{},"captchaPolicy":{},"emailBlocklistPolicy":{},"signUpProfileFields":null,"customCss":null}');
CREATE TABLE signing_keys (
    kid            TEXT PRIMARY KEY,
    algorithm      TEXT NOT NULL,
    public_jwk     TEXT NOT NULL,
    -- PKCS#8, sealed by the encryption key, base64.
    sealed_private TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    activates_at   BIGINT NOT NULL,
    retires_at     BIGINT
);
INSERT INTO "signing_keys" VALUES('DmrNrISKh2InrJPPCZpasthBHKBZmbTvIgJfCJ66q5w','ES256','{"kid":"DmrNrISKh2InrJPPCZpasthBHKBZmbTvIgJfCJ66q5w","use":"sig","alg":"ES256","crv":"P-256","kty":"EC","x":"JJGvV7kXsmUYmbPmr3jCSUUhYjzSsU-73qMfyXprJwI","y":"tFsHPdetrI2gyU4AxfSm1XR9508nvI9H6Sm9cxG81O0"}','QBcjAg+Emlg/ppF0X3PlCSJZG8rOj63Iy1QJpzKel75wTMMU4g7RZYconw93PPHIJ+YhuxQEOaoVsgSTJK2MpIiunHXWkQRJWXTuzsd4OZl3Gj6UVf6vAKGtZ5+rtt7JX9n4WDoOBSux1Xj/mp6mApb3BJsCwrwXB1ujAeQUfTygutNWi/DAX3KHbdMbyrO1Rq8NuG5PQ/WoTa0y9j6OmrGG9E+Zlh9/Fl4=',1795463580619,1795463580619,NULL);
INSERT INTO "signing_keys" VALUES('0Rtv4odYN_iUSwlFdCxol5Y5IQDynpjx-aAvFgoumWY','RS256','{"kid":"0Rtv4odYN_iUSwlFdCxol5Y5IQDynpjx-aAvFgoumWY","use":"sig","alg":"RS256","e":"AQAB","kty":"RSA","n":"w7jk55zHvtJYIXeMHNfUNFyQDh4XacxHtrVQwvzOso-FOdLR0mDZ1-Gu49KJXTtQ0WsgjuWCz5aBzpGIg1hTPMzZvNO5rRFPp34I-ISzZMuBCZPtej7jRHYbhCRCB2-wRDWGK8HdicB4bK_QcQIh8edipfZH-Wtej3Jd6J5bKoeIIZ8meD-1LRXgfBV8qIINKhmsjg9wTTYLYh6qry9bOfqjaVWHRUYWleHM51ut3vPOGC_ZXNQuG0uBjJmgh43Kh1MZxEtXoIgfLmy7QJ56rGlqE0RQsHQZT4tK8wn0fK9Ts6Fxnr80AQx-Ujb6s_B7I9TWtY3RypV_fCbpXcXrFQ"}','QBcjAuDtj8pVLafiDEOOcFGCYDEinfKjeo4bLyr8vj4o+fthOiPu+IGQVwfQJ0mMr+22Nwlm9O51Yxm2y1UhxtpZubrMV6WB3z/UBHZ7sIVSy+dXkfbvCOYutmsXwKQ4VYlRvr7jBsg1mjxina+ik1/utqzhiH30TNdwrzs1esZ3Bzu7tNI2mOI6KnwS7O67DgWMzUf9vMZsM2xMA7kklBYxztOoAgVMlw5OoD6olBKM/VbsZ3eb6DFscd1cO8I2R5FDzWds42LBa6mJHOUreKCGj6M8GTCXLTDqvRaQGcu+vd3JA3XX1GE/2JPISzxQ098b8jYXVMwFnnRg04Qhkt66BShCvoP6oSgrpn+OiltZUA+QHAlW6IYy9dQ0iMOfqKLqJh5m1By9ZTfS38k0kpW3lRRHYYM4T7L93GsduMNp3hTdmbDI2ysUleG5r+5BGX0BkYeqJ+jcyCK0/f/vppwYj88/oVxDinMGUS76JQufvHYCjWb8F4G0P/T+CuS5qFLFAKN4EwPGQZM++hZ4nWDwVOKXawDAL9Fpy29p7pSDGEMM9bne/r7bexfcdgLTPB8z9LIkDa9Mzx+2rKszjGY5aipWB2DKxRRfXV59UktatfFx1D3SY0Hi/wKp2yWh3h/GrGDrnDzlbCIHbFnEqW/LmHJS1g1Pav/XY4y/IfOx23TTKojnpBPyZe4HjXZmAvqfc0PJ+Pw5Fu9eGhfLQl40JisqinM3ACvahU/degKSxFe+hXWTUVCrfKGcGtXOASK/LVN+NizvXwAsN/CgVE/vlMCGGDw7dpHycZ5XzLbdPCUqn5PtRWelmin/8lhMtJWsoW2cE4pKxN/zoDpKBm36r0fagGV4qHx1O4axI7Ua8omD6JoJwy4f9Zi2tBT8ksKnDt+3m7WF1dK1nGFwvWAru2oq/LRB4rxqqHH13pn01W7I0D2msQbyIEFQEEzvrImploGbVCoyq2nmUQc4BTnto+vkHLX8Ji9tvygfxaJrUaAfZFcToFyGwpu/wpZ1nm1cjej+S4T+5QaxijI1KGg4f4o2ZxXmrALk+Ig3teNMWDF6Bnk+ejq9XqaHqzznWHZf5gZYvfAyGW4WBi1o+YF4EiInXAuuDOcs54ZC5a6++8ZQkB3MNuOC2WZ80okcSLW0qis4QbAWXGV+e/s76htDN2BL4ihfFmFxPQNmeT83lqGGsBE+uEXxuGgn7rrRtV7Wojfz7/pggFP1+FvaVtCtc03OJ8a3m9m0kXdjLn8nn3BrY/YBaQeHpDm2yooN/OVqaJ3/dfUouPL71Z0iGY9mZxOTTEaSS0WzSj4NjGDtI2gWlKCcR9mJRsepjxlHX6Rz5LmO4NCE0K8erB9DhzZE8WKVozlUzcsa/XCgeUqZQhP3s4Uj7nwWYJJNTBd0/CzyR1TBtwGJ0BLFh0RQWWwewk1eLqClKWRbn9dJS0CYYha21c9M4jyzLW3pntNnFhgS9FPyA5HDuYcGS8/yrX66i97Q/wMO1hlFPndel9dBT+6J/0PE5Ce1VSH43u+K9XyzJha8z3/3YqL8lvIP5Pw3brmr3TV4xJasIPF86hxFJXp+7rHtXdddhRKgm/6pE6ubT0rjmHdQFXtif9UPOXH75UkEPfI9aqRSpZcYCKdbKdaxwnMfE52pjlH1pEQ1iA==',1795463580619,1795463580619,NULL);
CREATE TABLE sso_connector_domains (
    sso_connector_id TEXT NOT NULL REFERENCES sso_connectors (id) ON DELETE CASCADE,
    domain           TEXT NOT NULL,
    PRIMARY KEY (sso_connector_id, domain)
);
INSERT INTO "sso_connector_domains" VALUES('h2kapjf9ycquwftudl6lb','acme.example');
CREATE TABLE sso_connectors (
    id                   TEXT PRIMARY KEY,
    -- 'OIDC', 'AzureAdOidc', 'GoogleWorkspace' or 'Okta'.
    provider_name        TEXT NOT NULL,
    connector_name       TEXT NOT NULL,
    -- The name in lower case and composed form, as the server folds it.
    name_key             TEXT NOT NULL UNIQUE,
    -- The configuration, which holds a secret: encrypted, base64.
    config               TEXT NOT NULL,
    branding             TEXT NOT NULL DEFAULT '{}',
    sync_profile         BOOLEAN NOT NULL DEFAULT FALSE,
    enable_token_storage BOOLEAN NOT NULL DEFAULT FALSE,
    created_at           BIGINT NOT NULL
);
INSERT INTO "sso_connectors" VALUES('h2kapjf9ycquwftudl6lb','OIDC','Acme','acme','QBcjAhQA3gWio+BmEc+zFR4MeuZd5hRKPmtR2MK8ireYmA==','{}',0,0,1795463586454);
CREATE TABLE sso_identities (
    id               TEXT PRIMARY KEY,
    user_id          TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    sso_connector_id TEXT NOT NULL REFERENCES sso_connectors (id) ON DELETE CASCADE,
    -- The issuer that the connector had, and the id there.
    issuer           TEXT NOT NULL,
    identity_id      TEXT NOT NULL,
    -- What is known of them there.
    detail           TEXT NOT NULL DEFAULT '{}',
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    UNIQUE (sso_connector_id, issuer, identity_id),
    UNIQUE (user_id, sso_connector_id)
);
CREATE TABLE subject_tokens (
    id          TEXT PRIMARY KEY,
    hash        TEXT NOT NULL UNIQUE,
    user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    context     TEXT NOT NULL,
    creator_id  TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    consumed_at BIGINT
);
INSERT INTO "subject_tokens" VALUES('mwtonu3aywwg0e9wotrcg','78af4e7a56286a725109ae1261b1551bb034c0f0c324692e79d56fa29fb830cb','37glxndfs5j2','{"ticketId":"TECH-1234","reason":"a stuck order"}','sbu9ohpmjw150kjyb09be',1795463586838,1795464186838,1795463586952);
INSERT INTO "subject_tokens" VALUES('mwtonu4e9n5r9cfbpcfoh','459687e32f7251d6c99872f466a56975d1e23be0f1c31efb9282d834d50ca09f','37glxndfs5j2','{"ticketId":"TECH-1234","reason":"a stuck order"}','sbu9ohpmjw150kjyb09be',1795463586878,1795464186878,NULL);
CREATE TABLE totals (
    name  TEXT NOT NULL,
    slot  INTEGER NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (name, slot)
);
INSERT INTO "totals" VALUES('users',0,4);
CREATE TABLE user_blocks (
    block BIGINT NOT NULL,
    slot  INTEGER NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (block, slot)
);
INSERT INTO "user_blocks" VALUES(0,0,4);
CREATE TABLE user_identities (
    target      TEXT NOT NULL,
    external_id TEXT NOT NULL,
    user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (target, external_id),
    UNIQUE (user_id, target)
);
INSERT INTO "user_identities" VALUES('github','gh-1','1ejw1s0n0qtr');
CREATE TABLE user_roles (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role_id TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, role_id)
);
INSERT INTO "user_roles" VALUES('37glxndfs5j2','6rg12ysz3ojpgy3sg9itl');
INSERT INTO "user_roles" VALUES('77hm6q349p71','je0izi028oi2mrzi51n4n');
INSERT INTO "user_roles" VALUES('1ejw1s0n0qtr','6mil2rjq6we4yrc8auqt0');
CREATE TABLE users (
    id                 TEXT PRIMARY KEY,
    username           TEXT UNIQUE,
    primary_email      TEXT UNIQUE,
    primary_phone      TEXT UNIQUE,
    password_digest    TEXT,
    password_algorithm TEXT,
    name               TEXT,
    avatar             TEXT,
    custom_data        TEXT NOT NULL,
    identities         TEXT NOT NULL,
    profile            TEXT NOT NULL,
    application_id     TEXT,
    is_suspended       BOOLEAN NOT NULL DEFAULT FALSE,
    last_sign_in_at    BIGINT,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL,
    -- Bumped by every change to the user, their roles or memberships.
    revision           BIGINT NOT NULL DEFAULT 1
, username_key TEXT, email_key TEXT, name_key TEXT, place BIGINT NOT NULL DEFAULT 0, settings TEXT NOT NULL DEFAULT '{}');
INSERT INTO "users" VALUES('37glxndfs5j2','customer','customer@example.com',NULL,'$argon2id$v=19$m=19456,t=2,p=1$iBbXwXeetIiJwfxHaIzNyQ$CPu4V3eL1lOLKWpQFrz77G/jrhUMLtKH7njFpIzEimU','Argon2id','Casey Customer',NULL,'{}','{}','{}',NULL,0,NULL,1795463580619,1795463581970,3,'customer','customer@example.com','casey customer',1,'{}');
INSERT INTO "users" VALUES('77hm6q349p71','engineer','engineer@example.com',NULL,'$argon2id$v=19$m=19456,t=2,p=1$oOY+4b224a5HP1kxtOilcw$GgIuVxIPZfNzwuH61MSQsqv8qcd3NIfnltYZAqSSZlI','Argon2id','Erin Engineer',NULL,'{}','{}','{}',NULL,0,NULL,1795463580619,1795463580619,2,'engineer','engineer@example.com','erin engineer',2,'{}');
INSERT INTO "users" VALUES('1ejw1s0n0qtr','keeper','keeper@example.com',NULL,'$argon2id$v=19$m=19456,t=2,p=1$3e+hz/317uBweKdcjMteuw$INqVMKC7T73juyRi9pciFTZY1e3lm6NzmKF73lM1hW4','Argon2id','Ada Lövelace',NULL,'{"tier":"gold"}','{"github":{"userId":"gh-1","details":{"name":"Ada"}}}','{"nickname":"Ada"}',NULL,0,1795463587804,1795463582083,1795463586463,5,'keeper','keeper@example.com','ada lövelace',3,'{}');
INSERT INTO "users" VALUES('o75eavxficu9','careful',NULL,NULL,'$argon2id$v=19$m=19456,t=2,p=1$1nXIwjRKsU17x3HnMyKX7w$Z8agIHMOQeRlokXXjuiNQeV6Vob9t7mJHLpuTYv96os','Argon2id',NULL,NULL,'{}','{}','{}',NULL,0,NULL,1795463586655,1795463586655,1,'careful',NULL,NULL,4,'{}');
CREATE TABLE verification_codes (
    -- SHA-256 (hex) of who asked, and what for.
    asker      TEXT PRIMARY KEY,
    -- Of the verification.
    id         TEXT NOT NULL,
    -- Keyed digest, base64: of a short code, a hash alone would be found by trying all.
    digest     TEXT NOT NULL,
    -- How often something was typed.
    attempts   BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
INSERT INTO "verification_codes" VALUES('64888be82cd750fef835edbd9ec3d3e586ef544c336673bf39884f3bb14a0e10','3djxf565px9l6jvdwqcic','QBcjAqZQuBtsJec2vjMo9zOpCgqNafSBJb5uvqT2M9FPGReu',0,1795464186816);
CREATE TABLE verification_records (
    id          TEXT PRIMARY KEY,
    user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The session at whose page it was proved; NULL when it was by the Account API.
    session_id  TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    -- How: Password.
    type        TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    -- NULL until it is proved.
    verified_at BIGINT,
    expires_at  BIGINT NOT NULL
);
CREATE INDEX users_by_creation ON users (created_at DESC, id);
CREATE INDEX role_scopes_by_scope ON role_scopes (scope_id);
CREATE INDEX applications_by_creation ON applications (created_at DESC, id);
CREATE INDEX application_roles_by_role ON application_roles (role_id);
CREATE INDEX organization_users_by_user ON organization_users (user_id);
CREATE INDEX organization_role_resource_scopes_by_scope ON organization_role_resource_scopes (scope_id);
CREATE INDEX organization_user_roles_by_user ON organization_user_roles (user_id);
CREATE INDEX organization_user_roles_by_role ON organization_user_roles (organization_role_id);
CREATE INDEX subject_tokens_by_user ON subject_tokens (user_id);
CREATE INDEX subject_tokens_by_expiry ON subject_tokens (expires_at);
CREATE INDEX issuances_by_user ON issuances (user_id);
CREATE INDEX issuances_by_expiry ON issuances (expires_at);
CREATE INDEX plugin_logs_by_plugin ON plugin_logs (plugin_name, id);
CREATE INDEX plugin_logs_by_creation ON plugin_logs (created_at);
CREATE INDEX hooks_by_creation ON hooks (created_at DESC, id);
CREATE INDEX events_by_creation ON events (created_at);
CREATE UNIQUE INDEX users_by_username_key ON users (username_key);
CREATE UNIQUE INDEX users_by_email_key ON users (email_key);
CREATE INDEX users_by_name_key ON users (name_key);
CREATE TRIGGER users_added AFTER INSERT ON users BEGIN
    UPDATE totals SET value = value + 1 WHERE name = 'users';
END;
CREATE TRIGGER users_removed AFTER DELETE ON users BEGIN
    UPDATE totals SET value = value - 1 WHERE name = 'users';
END;
CREATE INDEX organizations_by_creation ON organizations (created_at DESC, id);
CREATE INDEX organization_role_scopes_by_scope ON organization_role_scopes (organization_scope_id);
CREATE INDEX organization_applications_by_application ON organization_applications (application_id);
CREATE INDEX organization_application_roles_by_role ON organization_application_roles (organization_role_id);
CREATE INDEX organization_jit_email_domains_by_domain ON organization_jit_email_domains (email_domain);
CREATE INDEX organization_jit_roles_by_role ON organization_jit_roles (organization_role_id);
CREATE UNIQUE INDEX organization_invitations_pending ON organization_invitations (organization_id, invitee)
    WHERE status = 'Pending';
CREATE INDEX organization_invitations_by_organization ON organization_invitations (organization_id);
CREATE INDEX organization_invitations_by_inviter ON organization_invitations (inviter_id);
CREATE INDEX organization_invitations_by_invitee ON organization_invitations (invitee);
CREATE INDEX organization_invitations_by_accepted_user ON organization_invitations (accepted_user_id);
CREATE INDEX organization_invitation_roles_by_role ON organization_invitation_roles (organization_role_id);
CREATE INDEX logs_by_creation ON logs (created_at) WHERE substr(key, 1, 12) <> 'TriggerHook.';
CREATE INDEX logs_by_key ON logs (key, created_at);
CREATE INDEX logs_by_user ON logs (user_id, created_at)
    WHERE user_id IS NOT NULL AND substr(key, 1, 12) <> 'TriggerHook.';
CREATE INDEX logs_by_application ON logs (application_id, created_at)
    WHERE application_id IS NOT NULL AND substr(key, 1, 12) <> 'TriggerHook.';
CREATE INDEX impersonations_by_creation ON issuances (created_at, application_id) WHERE exchanged = TRUE;
CREATE INDEX impersonations_by_actor ON issuances (actor_id, created_at) WHERE actor_id IS NOT NULL;
CREATE INDEX issuances_by_use ON issuances (created_at, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX subject_tokens_by_creation ON subject_tokens (created_at);
CREATE INDEX roles_by_name_key ON roles (name_key);
CREATE INDEX scopes_by_name_key ON scopes (name_key);
CREATE INDEX applications_by_name_key ON applications (name_key);
CREATE INDEX user_roles_by_role ON user_roles (role_id, user_id);
CREATE UNIQUE INDEX resources_default ON resources (is_default) WHERE is_default;
CREATE INDEX deliveries_by_hook ON deliveries (hook_id, seq);
CREATE INDEX deliveries_by_state ON deliveries (hook_id, state, seq);
CREATE INDEX deliveries_by_event ON deliveries (event_id);
CREATE INDEX deliveries_due ON deliveries (hook_id, due_at, seq) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_claimed ON deliveries (hook_id, claim) WHERE claim IS NOT NULL;
CREATE INDEX deliveries_in_order ON deliveries (hook_id, entity, seq) WHERE due_at IS NOT NULL AND entity IS NOT NULL;
CREATE INDEX deliveries_finished ON deliveries (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX attempts_by_delivery ON attempts (delivery_id, started_at);
CREATE INDEX attempts_by_hook ON attempts (hook_id, started_at DESC, id DESC);
CREATE UNIQUE INDEX users_by_place ON users (place);
CREATE TRIGGER users_added_to_block AFTER INSERT ON users BEGIN
    INSERT INTO user_blocks (block, slot, value) VALUES (NEW.place / 1024, 0, 1)
        ON CONFLICT (block, slot) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER users_removed_from_block AFTER DELETE ON users BEGIN
    UPDATE user_blocks SET value = value - 1 WHERE block = OLD.place / 1024;
END;
CREATE INDEX sessions_by_browser ON sessions (browser_hash);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE INDEX interactions_by_expiry ON interactions (expires_at);
CREATE INDEX grants_by_user ON grants (user_id, application_id);
CREATE INDEX grants_by_application ON grants (application_id);
CREATE INDEX grants_by_session ON grants (session_id);
CREATE INDEX grants_by_expiry ON grants (expires_at);
CREATE INDEX authorization_codes_by_grant ON authorization_codes (grant_id);
CREATE INDEX authorization_codes_by_user ON authorization_codes (user_id);
CREATE INDEX authorization_codes_by_expiry ON authorization_codes (expires_at);
CREATE INDEX refresh_tokens_by_grant ON refresh_tokens (grant_id);
CREATE INDEX refresh_tokens_by_user ON refresh_tokens (user_id);
CREATE INDEX refresh_tokens_by_family ON refresh_tokens (family_id);
CREATE INDEX refresh_tokens_by_parent ON refresh_tokens (parent_hash);
CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);
CREATE INDEX pushed_requests_by_application ON pushed_requests (application_id);
CREATE INDEX pushed_requests_by_expiry ON pushed_requests (expires_at);
CREATE INDEX issuances_by_grant ON issuances (grant_id);
CREATE INDEX sign_in_attempts_by_expiry ON sign_in_attempts (expires_at);
CREATE INDEX backchannel_logouts_by_application ON backchannel_logouts (application_id, due_at, seq);
CREATE INDEX backchannel_logouts_due ON backchannel_logouts (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX backchannel_logouts_claimed ON backchannel_logouts (application_id, claim) WHERE claim IS NOT NULL;
CREATE INDEX backchannel_logouts_finished ON backchannel_logouts (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX device_authorizations_by_application ON device_authorizations (application_id);
CREATE INDEX device_authorizations_by_user ON device_authorizations (user_id);
CREATE INDEX device_authorizations_by_grant ON device_authorizations (grant_id);
CREATE INDEX device_authorizations_by_expiry ON device_authorizations (expires_at);
CREATE INDEX client_assertions_by_expiry ON client_assertions (expires_at);
CREATE INDEX known_browsers_by_user ON known_browsers (user_id);
CREATE INDEX known_browsers_by_expiry ON known_browsers (expires_at);
CREATE INDEX connectors_by_type ON connectors (type, created_at, id);
CREATE INDEX connectors_by_target ON connectors (target);
CREATE UNIQUE INDEX connectors_of_messages ON connectors (type) WHERE type <> 'Social';
CREATE INDEX messages_by_channel ON messages (channel, due_at, seq);
CREATE INDEX messages_due ON messages (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX messages_claimed ON messages (channel, claim) WHERE claim IS NOT NULL;
CREATE INDEX messages_about ON messages (about) WHERE about IS NOT NULL AND state = 'pending';
CREATE INDEX messages_of_mailbox ON messages (seq) WHERE in_mailbox;
CREATE INDEX messages_finished ON messages (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX verification_codes_by_expiry ON verification_codes (expires_at);
CREATE INDEX one_time_tokens_by_email ON one_time_tokens (email);
CREATE INDEX one_time_tokens_by_creation ON one_time_tokens (created_at DESC, id);
CREATE INDEX one_time_tokens_by_expiry ON one_time_tokens (expires_at);
CREATE INDEX sso_connector_domains_by_domain ON sso_connector_domains (domain);
CREATE INDEX verification_records_by_user ON verification_records (user_id);
CREATE INDEX verification_records_by_session ON verification_records (session_id);
CREATE INDEX verification_records_by_expiry ON verification_records (expires_at);
CREATE INDEX passkeys_of_user ON passkeys (user_id, created_at, id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('deliveries',4);
INSERT INTO "sqlite_sequence" VALUES('messages',1);
COMMIT;
