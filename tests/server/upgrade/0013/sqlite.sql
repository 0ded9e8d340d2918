BEGIN TRANSACTION;
CREATE TABLE _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
);
INSERT INTO "_sqlx_migrations" VALUES(1,'identity','2026-11-23 13:10:52',1,X'019C0C3FB83D8562E02DCE28B287374FF43C9C77D3BAF0439D2D1EFC048DB69AC88968D51CD605D240D608E336323BA8',1205456);
INSERT INTO "_sqlx_migrations" VALUES(2,'tokens','2026-11-23 13:10:52',1,X'ED768B8D7003E52C390005136F0C77894314C04B09EBC27A56835F5957FDB1BEF16E6A2DDF32F4B41695CA56D72882C0',289331);
INSERT INTO "_sqlx_migrations" VALUES(3,'plugins','2026-11-23 13:10:52',1,X'56B41C9177F95C73043F6D0E913575580E814CBF429D310A7FC482FCA941968FDFFD0BCA61342B66A90FA12B10EA0016',405004);
INSERT INTO "_sqlx_migrations" VALUES(4,'webhooks','2026-11-23 13:10:52',1,X'3A1F3CCDCF7EE9EC5A055D0892048D1205DF1513D7832723DC9D20D9F98AB1789A74294402EEE67F44636321A3C37BC2',276943);
INSERT INTO "_sqlx_migrations" VALUES(5,'users','2026-11-23 13:10:52',1,X'B45EE6AE4BF9D9E4D074720DB9F44DC1BCACA301BEE75BC6A268FDE7D347E0EFFAEF61FD34FBD3C7BD04B90420975505',1142863);
INSERT INTO "_sqlx_migrations" VALUES(6,'organizations','2026-11-23 13:10:52',1,X'5DB8E54EDE965B4C462F22B58784CC4338857E0C3E4AEAD0FEB15149D6C36B4320EBE8541762E5D0D1C73592488E5DB8',2092167);
INSERT INTO "_sqlx_migrations" VALUES(7,'audit','2026-11-23 13:10:52',1,X'E50DFB5C33CB33173ED0E4E6617A6CD5DD3D7A53932C686CA13375DA09260F24FE8B5EF3F97E00DC5F6A41F15AB2FA14',1406495);
INSERT INTO "_sqlx_migrations" VALUES(8,'roles','2026-11-23 13:10:52',1,X'8DA7E11AF6D967B975BA6869CAECEBE06162C68FCAF0791871F12986BE7A2D66E3237A262E920F76CE2C0FFD5FE40436',1969735);
INSERT INTO "_sqlx_migrations" VALUES(9,'delivery','2026-11-23 13:10:52',1,X'6EEAFA10E8EEEDB363BCA9658F99F7C1A283B0CF3D588036F4655341E6726E265CA3F532914596356955AE334C6827A3',6293877);
INSERT INTO "_sqlx_migrations" VALUES(10,'users in order','2026-11-23 13:10:52',1,X'E10F0B4F9D336A66C7F04917B4719D43F71FC641AA317E166E1D91715C729E006B5D4882138BBCD828CBA0CE1A5C7635',716047);
INSERT INTO "_sqlx_migrations" VALUES(11,'user settings','2026-11-23 13:10:52',1,X'CDBA4618C93FEFE5D2206BC0C7B5BEBE97FD7A87BE466A99BBAB8703DF7725B3F8D9504E836A89F510721F4ECE50F46B',574306);
INSERT INTO "_sqlx_migrations" VALUES(12,'authorization changes','2026-11-23 13:10:52',1,X'DDBEED754CF251923426AA33F5AFEB0FF5ED30C4CD24B2D2D4315A0721C10C9FECBD27E0220161AB784C4AD1A4683974',153529);
INSERT INTO "_sqlx_migrations" VALUES(13,'sign in','2026-11-23 13:10:52',1,X'177B768027589BAA338414BCDCD00726A0407325B245F9B80B54DADDE9A6FC7E93BB5D926E2346B25ACAEC4748F1DF03',278545);
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
INSERT INTO "application_roles" VALUES('upmpsbl61dlislxm1i6pb','v8sbhsphxa08ra2kt9ja4');
CREATE TABLE application_secrets (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    name           TEXT NOT NULL,
    hash           TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT,
    PRIMARY KEY (application_id, name)
);
INSERT INTO "application_secrets" VALUES('upmpsbl61dlislxm1i6pb','Default secret','144761f58129ca443e7624d42415680f9475dcdf558db113cbab343c206432f6',1795439452418,NULL);
INSERT INTO "application_secrets" VALUES('4p4ozeyk66kq786h9j1qe','Default secret','9d631546ce2a7c7816704272751894c4a1ce4564162024693d3b9f940b59094e',1795439452418,NULL);
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
INSERT INTO "applications" VALUES('upmpsbl61dlislxm1i6pb','Management API client',NULL,'MachineToMachine','{"redirectUris":[],"postLogoutRedirectUris":[]}','{}','{}',0,1795439452418,'management api client',NULL);
INSERT INTO "applications" VALUES('lynqj3yhuxlufjy11urel','Demo single-page application',NULL,'SPA','{"redirectUris":[],"postLogoutRedirectUris":[]}','{"allowTokenExchange":true}','{}',0,1795439452418,'demo single-page application',NULL);
INSERT INTO "applications" VALUES('4p4ozeyk66kq786h9j1qe','Demo web application',NULL,'Traditional','{"redirectUris":[],"postLogoutRedirectUris":[]}','{"allowTokenExchange":true}','{}',0,1795439452418,'demo web application',NULL);
INSERT INTO "applications" VALUES('e9j0ehw8hz2qw1e0bkz33','Shop',NULL,'SPA','{"redirectUris":["https://shop.example.com/callback"],"postLogoutRedirectUris":[]}','{"alwaysIssueRefreshToken":true}','{}',0,1795439453911,'shop',NULL);
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
INSERT INTO "attempts" VALUES('quz26ltl2uyqqzhzmyj8e','msg_qj0m3ijbgsu61fpfpb8q0','eo11kangns3rt6gvl1eoj',1,1795439453662,9,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('7nlkfls0zclbnqwoibroh','msg_qk3p9cju7ksyzd3zxvdsy','eo11kangns3rt6gvl1eoj',1,1795439453761,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('2mkmkz7th3qdnu6uiko2g','msg_qj0m3ijbgsu61fpfpb8q0','eo11kangns3rt6gvl1eoj',2,1795439457722,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('6rgm0ka3v9yq4gmobnw75','msg_qk3p9cju7ksyzd3zxvdsy','eo11kangns3rt6gvl1eoj',2,1795439457722,1,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
CREATE TABLE authorization_changes (
    revision INTEGER NOT NULL,
    -- 'all', 'keys', 'application' or 'organization'.
    kind TEXT NOT NULL,
    -- Of the application or organization, else empty.
    id TEXT NOT NULL,
    PRIMARY KEY (revision, kind, id)
);
INSERT INTO "authorization_changes" VALUES(2,'keys','');
INSERT INTO "authorization_changes" VALUES(2,'all','');
INSERT INTO "authorization_changes" VALUES(2,'application','upmpsbl61dlislxm1i6pb');
INSERT INTO "authorization_changes" VALUES(2,'application','lynqj3yhuxlufjy11urel');
INSERT INTO "authorization_changes" VALUES(2,'application','4p4ozeyk66kq786h9j1qe');
INSERT INTO "authorization_changes" VALUES(3,'all','');
INSERT INTO "authorization_changes" VALUES(4,'all','');
INSERT INTO "authorization_changes" VALUES(5,'all','');
INSERT INTO "authorization_changes" VALUES(6,'application','e9j0ehw8hz2qw1e0bkz33');
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
INSERT INTO "deliveries" VALUES(1,'msg_qj0m3ijbgsu61fpfpb8q0','mwtaaksk0n153p37fti4g','eo11kangns3rt6gvl1eoj',NULL,'pending',1795439488323,NULL,2,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1795439453636,NULL);
INSERT INTO "deliveries" VALUES(2,'msg_qk3p9cju7ksyzd3zxvdsy','mwtaakvf6zkqk1g8h4ml6','eo11kangns3rt6gvl1eoj',NULL,'pending',1795439484912,NULL,2,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1795439453739,NULL);
CREATE TABLE events (
    id         TEXT PRIMARY KEY,
    type       TEXT NOT NULL,
    -- The body without the hook's id, as it was put together.
    payload    TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
INSERT INTO "events" VALUES('mwtaaksk0n153p37fti4g','User.Data.Updated','{"event":"User.Data.Updated","createdAt":"2026-11-23T13:10:53.636Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users/vs8ycf4mgyjs/password","method":"PATCH","status":200,"params":{"userId":"vs8ycf4mgyjs"},"matchedRoute":"/users/:userId/password","data":{"id":"vs8ycf4mgyjs","username":"customer","primaryEmail":"customer@example.com","primaryPhone":null,"name":"Casey Customer","avatar":null,"customData":{},"identities":{},"lastSignInAt":null,"createdAt":1795439452418,"updatedAt":1795439453636,"profile":{},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1795439453636);
INSERT INTO "events" VALUES('mwtaakvf6zkqk1g8h4ml6','User.Created','{"event":"User.Created","createdAt":"2026-11-23T13:10:53.739Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users","method":"POST","status":200,"params":{},"matchedRoute":"/users","data":{"id":"x9g3r1qykd0e","username":"keeper","primaryEmail":"keeper@example.com","primaryPhone":null,"name":"Ada Lövelace","avatar":null,"customData":{"tier":"gold"},"identities":{},"lastSignInAt":null,"createdAt":1795439453739,"updatedAt":1795439453739,"profile":{"nickname":"Ada"},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1795439453739);
CREATE TABLE hook_statistics (
    hook_id   TEXT NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
    minute    BIGINT NOT NULL,
    requests  BIGINT NOT NULL,
    successes BIGINT NOT NULL,
    PRIMARY KEY (hook_id, minute)
);
INSERT INTO "hook_statistics" VALUES('eo11kangns3rt6gvl1eoj',29923990,4,0);
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
INSERT INTO "hooks" VALUES('eo11kangns3rt6gvl1eoj','before','["User.Created","User.Data.Updated"]','{"url":"http://127.0.0.1:9/nobody","retries":3}','QBcjAi4aHg9yOxzFjvsZu7ZMF96ewPYC/Qwq7rz9GeYqd0MCxweChvcFHAWVxBKMoT25u323UWg+K2Xok+wkDPhjEmvsGjCTP/Rfz/8Zy62N0SyZAtHGAFNocDaaFUog',1,1795439453360,'[]',0,0,10,NULL,0,0,0,1795439453671,4,NULL);
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
, context JSONB);
INSERT INTO "issuances" VALUES('mwtaakkd97drhzyuiapg6',NULL,'upmpsbl61dlislxm1i6pb',NULL,NULL,'http://127.0.0.1:3001/api','all',0,NULL,NULL,NULL,1795439453341,1795443053000,NULL,NULL);
INSERT INTO "issuances" VALUES('mwtaaprodssiihmkqdpkk','vs8ycf4mgyjs','4p4ozeyk66kq786h9j1qe',NULL,NULL,'https://api.example.com','resource:read resource:write',1,'mwtaaprg0y55pa09j9iof',NULL,NULL,1795439460084,1795443060000,NULL,'{"ticketId":"TECH-1234","reason":"a stuck order"}');
INSERT INTO "issuances" VALUES('mwtaapvxzdr5dzdicdkzf','vs8ycf4mgyjs','4p4ozeyk66kq786h9j1qe',NULL,NULL,NULL,'openid',0,NULL,'caf053269b383aa9eb8482c1e566d1473de6e23e1cc1ac47a1e54c4b21cd5a13','{"iss":"http://127.0.0.1:3001/oidc","sub":"vs8ycf4mgyjs","exp":1795443060,"iat":1795439460,"jti":"mwtaapvxzdr5dzdicdkzf","client_id":"4p4ozeyk66kq786h9j1qe","scope":"openid","ticket":null,"region":"eu"}',1795439460237,1795443060000,NULL,NULL);
CREATE TABLE logs (
    id         TEXT PRIMARY KEY,
    key        TEXT NOT NULL,
    payload    TEXT NOT NULL,
    created_at BIGINT NOT NULL
, user_id TEXT, application_id TEXT);
INSERT INTO "logs" VALUES('mwtaajuqf3e7f2dybxw75','Bootstrap','{"demo":true,"scopes":[],"key":"Bootstrap","result":"Success"}',1795439452418,NULL,NULL);
INSERT INTO "logs" VALUES('mwtaakkdquegwkbyvh9hg','ExchangeTokenBy.ClientCredentials','{"applicationSecret":{"name":"Default secret"},"jti":"mwtaakkd97drhzyuiapg6","key":"ExchangeTokenBy.ClientCredentials","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"xhki7sy4liw3qqw8","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439453341,NULL,'upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaakkxi1h2jo3qmcf9n','Management.Hook.Create','{"hookId":"eo11kangns3rt6gvl1eoj","key":"Management.Hook.Create","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"im8p7sgg9urqqmfa","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439453361,NULL,'upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaaksk91a5db9z5fybr','Management.User.SetPassword','{"userId":"vs8ycf4mgyjs","key":"Management.User.SetPassword","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"st8wb3lcgc6otuxr","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439453636,'vs8ycf4mgyjs','upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaakvfdrrqpdhmivr5v','Management.User.Create','{"userId":"x9g3r1qykd0e","key":"Management.User.Create","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"xgszx3hjxqcabfu7","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439453739,'x9g3r1qykd0e','upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaakvzigi4lcao8l3o3','Management.Resource.Create','{"resourceId":"4d368i4zfc68b7pm0jmun","key":"Management.Resource.Create","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"95ikcsxiw2tiyqbh","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439453759,NULL,'upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaakx5x7c2wb9sw2f4t','Management.Scope.Create','{"resourceId":"4d368i4zfc68b7pm0jmun","scopeId":"cs8aecfbvby9nva52t9hd","key":"Management.Scope.Create","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"h71ictekypdoej0u","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439453801,NULL,'upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaakxbhhlndklbrpmie','Management.Role.Create','{"roleId":"wmzzxe1qw0wuaqgubtssj","scopeIds":["cs8aecfbvby9nva52t9hd"],"key":"Management.Role.Create","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"qxn3jjw2kp709u2w","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439453807,NULL,'upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaakxy2yy0ad1xrwq3n','Management.User.AssignRoles','{"userId":"x9g3r1qykd0e","addedRoleIds":["wmzzxe1qw0wuaqgubtssj"],"key":"Management.User.AssignRoles","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"czci1nbil1s19g9e","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439453830,'x9g3r1qykd0e','upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaakyl5g10jl2092t55','Management.Organization.Create','{"organizationId":"gsygkdnhplti","key":"Management.Organization.Create","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"296dhna11ix0p5oe","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439453853,NULL,'upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaakyv0hffvpgrkjrbm','Management.Organization.ChangeUsers','{"organizationId":"gsygkdnhplti","addedUserIds":["x9g3r1qykd0e"],"removedUserIds":[],"key":"Management.Organization.ChangeUsers","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"ed0fmaj8cphiiqtf","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439453863,NULL,'upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaal00qfewmu1xgbnkv','Management.OrganizationInvitation.Create','{"organizationInvitationId":"1p8nmflaxcnui9dmdo3rt","organizationId":"gsygkdnhplti","organizationRoleIds":[],"key":"Management.OrganizationInvitation.Create","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"qwlnege6ztco68ut","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439453904,NULL,'upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaal077cocaamae2qsq','Management.Application.Create','{"createdApplicationId":"e9j0ehw8hz2qw1e0bkz33","type":"SPA","key":"Management.Application.Create","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"6m6pwvqu4zieo9no","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439453911,NULL,'upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaal12wcxcutmvbu9yo','Management.SignInExperience.Update','{"changedSettings":["color"],"key":"Management.SignInExperience.Update","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"xfjoqpdozvix9zet","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439453942,NULL,'upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaal1cuo0ucjp5e17ky','Management.CustomPhrases.Update','{"languageTag":"en","key":"Management.CustomPhrases.Update","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"p9zmed3b0cl4uao0","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439453952,NULL,'upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaapoc7ksdk90o0t6pj','Management.Plugin.Upload','{"plugin":"jwt-access-token","version":"1","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","key":"Management.Plugin.Upload","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"yjvcn8by6doqq25y","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439459964,NULL,'upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaapr5onzdst7yn0nfd','Management.Plugin.Upload','{"plugin":"ticket","version":"1","digest":"sha256:6b2c493ed46cc46c354b46b3052b11a409983160b5b40e4f91b6ddb1785fe342","activated":false,"key":"Management.Plugin.Upload","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"p284sxragn5246kd","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439460065,NULL,'upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaaprcuvjq4fs8cpson','Management.PersonalAccessToken.Create','{"userId":"x9g3r1qykd0e","tokenName":"laptop","key":"Management.PersonalAccessToken.Create","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"9cbgqelrw7s87hfv","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439460072,'x9g3r1qykd0e','upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaaprg76jhssbeybzu4','Management.SubjectToken.Create','{"userId":"vs8ycf4mgyjs","subjectTokenId":"mwtaaprg0y55pa09j9iof","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"key":"Management.SubjectToken.Create","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"axxaow8asr0kg4a3","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439460076,'vs8ycf4mgyjs','upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaaprl32a119eoq9xpm','Management.SubjectToken.Create','{"userId":"vs8ycf4mgyjs","subjectTokenId":"mwtaaprlbogjtvx7cbs4l","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"key":"Management.SubjectToken.Create","result":"Success","applicationId":"upmpsbl61dlislxm1i6pb","requestId":"h3z51m0c52v473k6","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439460081,'vs8ycf4mgyjs','upmpsbl61dlislxm1i6pb');
INSERT INTO "logs" VALUES('mwtaapro8r43c4xrc4w2u','ExchangeTokenBy.TokenExchange','{"applicationSecret":{"name":"Default secret"},"resource":"https://api.example.com","subjectTokenId":"mwtaaprg0y55pa09j9iof","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"jti":"mwtaaprodssiihmkqdpkk","userId":"vs8ycf4mgyjs","plugins":[{"plugin":"jwt-access-token","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","generation":2,"outcome":"ok"}],"key":"ExchangeTokenBy.TokenExchange","result":"Success","applicationId":"4p4ozeyk66kq786h9j1qe","requestId":"qug1w8x7c0uyubsv","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795439460084,'vs8ycf4mgyjs','4p4ozeyk66kq786h9j1qe');
INSERT INTO "logs" VALUES('mwtaapvxmrut4dqx12eye','ExchangeTokenBy.Operator','{"by":"operator","jti":"mwtaapvxzdr5dzdicdkzf","userId":"vs8ycf4mgyjs","plugins":[{"plugin":"jwt-access-token","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","generation":1,"outcome":"ok"}],"key":"ExchangeTokenBy.Operator","result":"Success","applicationId":"4p4ozeyk66kq786h9j1qe"}',1795439460237,'vs8ycf4mgyjs','4p4ozeyk66kq786h9j1qe');
CREATE TABLE mfa_factors (
    id         TEXT PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- 'Totp' or 'BackupCode', one of each.
    type       TEXT NOT NULL,
    -- The secret, or the codes as a JSON list, sealed by the encryption key, base64.
    sealed     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (user_id, type)
);
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
INSERT INTO "organization_invitations" VALUES('1p8nmflaxcnui9dmdo3rt','gsygkdnhplti',NULL,'guest@example.com',NULL,'Pending',1795439453904,1795439453904,1795525853868);
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
INSERT INTO "organization_users" VALUES('gsygkdnhplti','x9g3r1qykd0e');
CREATE TABLE organizations (
    id              TEXT PRIMARY KEY,
    name            TEXT NOT NULL,
    description     TEXT,
    custom_data     TEXT NOT NULL,
    is_mfa_required BOOLEAN NOT NULL DEFAULT FALSE,
    created_at      BIGINT NOT NULL
, color TEXT NOT NULL DEFAULT '{}', branding TEXT NOT NULL DEFAULT '{}', custom_css TEXT, search_key TEXT NOT NULL DEFAULT '');
INSERT INTO "organizations" VALUES('gsygkdnhplti','Keepers',NULL,'{"plan":"team"}',0,1795439453853,'{}','{}',NULL,'gsygkdnhplti keepers');
CREATE TABLE personal_access_tokens (
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    hash       TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    PRIMARY KEY (user_id, name)
);
INSERT INTO "personal_access_tokens" VALUES('x9g3r1qykd0e','laptop','72f216ebce4f17b504992fbea670d01116fe68b30d2b22f9801c570361455790',1795439460072,NULL);
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
INSERT INTO "plugin_versions" VALUES('jwt-access-token',1,'sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496','javascript',X'636F6E737420676574437573746F6D4A7774436C61696D73203D206173796E6320287B20636F6E746578742C20656E7669726F6E6D656E745661726961626C6573207D29203D3E20287B0A20207469636B65743A20636F6E746578742E6772616E743F2E7375626A656374546F6B656E436F6E746578743F2E7469636B65744964203F3F206E756C6C2C20726567696F6E3A20656E7669726F6E6D656E745661726961626C65732E524547494F4E2C0A7D293B',179,'{"kind":"claims","world":"claimsmith:plugin/claims","imports":["wasi:io/poll","wasi:clocks/monotonic-clock","wasi:clocks/wall-clock","wasi:io/error","wasi:io/streams","wasi:cli/stdout","wasi:cli/stderr","wasi:cli/stdin","wasi:cli/environment","wasi:cli/exit","wasi:cli/terminal-input","wasi:cli/terminal-output","wasi:cli/terminal-stdin","wasi:cli/terminal-stdout","wasi:cli/terminal-stderr","wasi:filesystem/types","wasi:filesystem/preopens","wasi:random/insecure-seed","claimsmith:plugin/log","claimsmith:plugin/http","claimsmith:plugin/random","claimsmith:plugin/types"]}',NULL,NULL,'upmpsbl61dlislxm1i6pb',1795439459965);
INSERT INTO "plugin_versions" VALUES('ticket',1,'sha256:6b2c493ed46cc46c354b46b3052b11a409983160b5b40e4f91b6ddb1785fe342','wasm',X'0061736D0D0001000746014204016D0405646562756704696E666F047761726E056572726F720400056C6576656C030000014002056C6576656C01076D657373616765730100040005777269746501020A2001001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30050007EF0101420E01730400046A736F6E030000016B01017202047479706573157375626A6563742D746F6B656E2D636F6E74657874020400056772616E74030003016B04017205056772616E74050475736572020B6170706C69636174696F6E020C6F7267616E697A6174696F6E020B696E746572616374696F6E02040007636F6E74657874030006016F02737301700801720305746F6B656E0107636F6E746578740715656E7669726F6E6D656E742D7661726961626C65730904000E636C61696D732D7265717565737403000A0171020664656E696564017300066661696C65640173000400076661696C75726503000C0A2201001D636C61696D736D6974683A706C7567696E2F747970657340312E302E3005010613010300010E636C61696D732D726571756573740A1401000E636C61696D732D72657175657374030002060C01030001076661696C7572650A0D0100076661696C757265030004060901030001046A736F6E0A0A0100046A736F6E03000601901C0061736D01000000012D0860037F7F7F0060000060017F017F60027F7F017F60017F0060037F7F7F017F60047F7F7F7F017F60027F7F000225011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30057772697465000003121101010203000204030301010504060702010405017001010105030100050608017F01418080100B076105066D656D6F727902000B5F696E697469616C697A6500021F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73000D0C636162695F7265616C6C6F63000E156765742D637573746F6D2D6A77742D636C61696D7300100AC9191102000B2300024041002802A080908000450D00000B410041013602A0809080001081808080000B3A01017F0240200041106A41041084808080002201450D0020012000AD420586420484370308200141106A0F0B410041303602A48090800041000BE80101037F410021020240417F200041046A220320032000491B220041012001742201200020014B1B2201417F6A672200450D0002400240412020006B220041FFFF0371417D6A2203410D4F0D0042012000AD42FFFF038386A72104200341027422002802DC809080002201450D01200041DC809080006A200420016A417C6A28020036020020010F0B2001418380046A41107610868080800021020C010B200041A8809080006A2101024020002802A880908000220041FFFF03710D0041011086808080002200450D012001200020046A36020020000F0B2001200020046A36020020000F0B20020BA60101017F02404120200141046A220141012002742202200120024B1B2202417F6A676B220141FFFF0371417D6A2203410D4F0D00200042012001AC86A76A417C6A200341027422022802DC80908000360200200220003602DC809080000F0B2000420141202002418380046A411076417F6A676B2202AD42FFFF038386A74110746A417C6A200241FFFF037141027422022802908190800036020020022000360290819080000B6401027F420141202000417F6A676B2200AD42FFFF038386A721010240200041FFFF03714102742202280290819080002200450D0020024190819080006A200141107420006A417C6A28020036020020000F0B41002001400022004110742000417F461B0B3402017E027F02402000450D0020004101200041786A2903002201A722027422036B20032001420588A76A20021085808080000B0B800302017E087F024020010D00200010878080800041000F0B024020000D0020011083808080000F0B417F4101200041786A2903002202A7220374220420016A220541046A220620062005491B22062004200620044B1B2106200020046B2107024002400240024020042002420588A722086A220941046A220A2004200A20044B1B220A418080024B0D002006417F6A672206450D0142014120200A417F6A676BAD42FFFF038386A74201412020066BAD42FFFF038386A7470D010C020B42014120200A418380046A411076417F6A676BAD42FFFF038386A7420141202006418380046A411076417F6A676BAD42FFFF038386A7460D010B0240200520031084808080002205450D00200520046A210502402001200820012008491B2206450D00410021040340200520046A200020046A2D00003A0000200441016A22042006490D000B0B2007200920031085808080000C020B410041303602A48090800041000F0B200720046A21050B200541786A2002421F832001AD4205868437030020050B6402017E017F0240024002402000AD2001AD7E2202422088A70D002002A7220310838080800022000D01410021000C020B410041303602A48090800041000F0B41002101034020032001460D01200020016A41003A0000200141016A21010C000B0B20000B0300000B02000BB00A010B7F23808080800041106B2203248080808000410021044100210541002106024002400240024020002D00084101470D0041002104410021054100210620002D00144101470D0020002802182205450D01200028021C2206450D0120052D000041FB00470D0120064102490D01200520066A2204417F6A2107200541016A21082004417E6A21090340024020082D000022054122460D00200541FD00460D03200841016A22082004490D010C030B024002400240200841016A220A20044F0D00200A210503400240024020082D0001220641DC00460D002005210520064122470D012008200A6B41016A210B200841026A220C20044F0D05200920086B2105034002400240200C2D0000220841776A220641174B0D0041012006744193808004710D010B2008413A470D070B200C41016A210C2005417F6A22050D000C050B0B200841026A21050B20052108200541016A22052004490D000B0B2007200A6B210B0B2004210C0B4100210D200C21080340024002400240200822062004490D00200421080C010B024020062D000022054122470D00200421080240200641016A220520044F0D0003400240024020062D0001220841DC00460D002005210520084122470D01200641026A21080C030B200641026A21050B20052106200541016A22052004490D000B200421080B200D0D030C010B02400240024002400240200D0D00410021080240200541A57F6A0E03020504000B200541857F6A0E03010403020B200541207241FB00460D00200D21080C030B200D41016A21080C020B2005412C470D010B200621080C010B0240200541207241FD00460D002008210D0C020B2008417F6A220D0D01200641016A21080B02400240200B4108470D00200A29000042F4D28DDBD68CDDA4E400510D010B200820044F0D050C030B200C450D0420032008200C6B220236020C2003200C3602084101200341086A108F808080004100210D419D80908000210A024020002802542206450D002000280250210502400340024020052802002204450D00200541046A2802004106470D00200428000041D0A495B20473200441046A2F000041C9B0017372450D020B200541106A21052006417F6A22060D000C020B0B2005410C6A280200210D200541086A280200210A0B41C4001083808080002206450D05200641FBC4003B0000024002400240200D41026A220541C500490D002006200541017441C0006A220410888080800022060D010C080B41C4002104200D450D010B200D450D00200641026A200A200DFC0A00000B0240200D410B6A220020044D0D002006200041017441C0006A22041088808080002206450D060B200620056A220541002D008B809080003A000820054100290083809080003700000240200D410D6A220D20044D0D002006200D41017441C0006A22041088808080002206450D060B200620006A41A2F4003B00000240200D20026A220520044D0D002006200541017441C0006A22041088808080002206450D060B2008200C460D032002450D032006200D6A200C2002FC0A00000C030B200641016A21080C000B0B0B02404101410220051B220D20056A220820044D0D002006200841017441C0006A1088808080002206450D020B0240200D450D00200620056A41818090800041808090800020051B200DFC0A00000B2001200836020420012006360200410121050C020B41002105200241003A0000410141111089808080002206450D00200241103602082002200636020420064100290095809080003700082006410029008D809080003700000C010B108A80808000000B200341106A24808080800020050B5E01017F024002400240024020002D00000E020001030B2000280208450D02410421010C010B02400240024020002D00040E020001040B200028020C0D010C030B200028020C450D020B410821010B200020016A2802001087808080000B0B210002402003450D002000200310888080800022020D00108A80808000000B20020B14002000200128020020012802041080808080000BF90401137F23808080800041F0006B2201248080808000410021020240024020002D00084101460D00410021030C010B0240024020002D00144101460D00410021040C010B200028021C210520002802182106410121040B20002802102107200028020C2108410121030B0240024020002D00204101460D000C010B200028022821092000280224210A410121020B4100210B0240024020002D002C4101460D004100210C0C010B2000280234210D2000280230210E4101210C0B0240024020002D00384101460D000C010B2000280240210F200028023C21104101210B0B410121110240024020002D00444101460D00410021110C010B200028024C2112200028024821130B2001201236026420012013360260200120113A005C2001200F360258200120103602542001200B3A00502001200D36024C2001200E3602482001200C3A0044200120093602402001200A36023C200120023A00382001200536023420012006360230200120043A002C2001200736022820012008360224200120033A00202001200029020037021820012000290250370268200141186A200141106A200141046A108C8080800021022001280214210B20012802102111200128020C2108200128020821072001280204210320001087808080000240024020020D00410041013A00D48190800002400240200341FF01710E020001030B410020083602E081908000410020073602DC81908000410041003A00D8819080000C020B410020083602E081908000410041013A00D881908000410020073602DC819080000C010B4100200B3602DC81908000410020113602D881908000410041003A00D4819080000B200141F0006A24808080800041D4819080000B0800108B808080000B0B260100418080100B1E7B7D007469636B65745F6964004E616D6520746865207469636B65742E00002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E3301700061736D0100000001070160037F7F7F000302010004050170010101071002013000000824696D706F72747301000A0F010D0020002001200241001100000B002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33020401000100060701000001000130022C02010105777269746500000000011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E301201060C0100020102066D656D6F72790185010061736D01000000010A0260037F7F7F006000000232030661637475616C01300000046D61696E0B5F696E697469616C697A650001047368696D0824696D706F72747301700101010801010907010041000B0100002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33060A01010000057772697465080801010000020300000221020101013000010002030661637475616C1203046D61696E1202047368696D12000713026A010701054001077265717565737403000806500300000102156765742D637573746F6D2D6A77742D636C61696D73000001020C636162695F7265616C6C6F63000001021F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73080D010000020403000403000504090B1B0100156765742D637573746F6D2D6A77742D636C61696D73010100008D050E636F6D706F6E656E742D6E616D6501A101000005002A696E6469726563742D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E302D7772697465012A696E6469726563742D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E302D777269746502156765742D637573746F6D2D6A77742D636C61696D73030C636162695F7265616C6C6F63041F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73010B00020100066D656D6F7279013900110300046D61696E01197769742D636F6D706F6E656E742D7368696D2D6D6F64756C6502137769742D636F6D706F6E656E742D66697875700152001205001B7769742D636F6D706F6E656E742D7368696D2D696E7374616E6365011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E3002046D61696E030661637475616C04056669787570013E0502001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30011D636C61696D736D6974683A706C7567696E2F747970657340312E302E30013701030005777269746501156765742D637573746F6D2D6A77742D636C61696D7302156765742D637573746F6D2D6A77742D636C61696D730182010308001E74792D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30012074792D636C61696D736D6974683A706C7567696E2F747970657340312E302E30020E636C61696D732D72657175657374030E636C61696D732D7265717565737404076661696C75726505076661696C75726506046A736F6E07046A736F6E013E0502001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30011D636C61696D736D6974683A706C7567696E2F747970657340312E302E30002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33',5324,'{"kind":"claims","world":"claimsmith:plugin/claims","imports":["claimsmith:plugin/log","claimsmith:plugin/types"]}',NULL,NULL,'upmpsbl61dlislxm1i6pb',1795439460066);
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
INSERT INTO "plugins" VALUES('jwt-access-token','{"order":0,"enabled":true,"on_error":"skip","token_kinds":["access-token"],"grant_types":null,"applications":null,"resources":null,"limits":{"deadline_ms":null,"memory_mib":null,"output_kib":null},"environment":{"REGION":"eu"},"secrets":{},"capabilities":{}}',NULL,1,1,1,'{"script":"const getCustomJwtClaims = async ({ context, environmentVariables }) => ({\n  ticket: context.grant?.subjectTokenContext?.ticketId ?? null, region: environmentVariables.REGION,\n});","environmentVariables":{"REGION":"eu"}}',1795439459965,1795439459965);
INSERT INTO "plugins" VALUES('ticket','{}',NULL,NULL,1,1,NULL,1795439460066,1795439460066);
CREATE TABLE resources (
    id               TEXT PRIMARY KEY,
    name             TEXT NOT NULL,
    indicator        TEXT NOT NULL UNIQUE,
    is_default       BOOLEAN NOT NULL DEFAULT FALSE,
    access_token_ttl BIGINT NOT NULL,
    created_at       BIGINT NOT NULL
);
INSERT INTO "resources" VALUES('wxyyys7st908c7sez6wtp','Claimsmith Management API','http://127.0.0.1:3001/api',0,3600,1795439452418);
INSERT INTO "resources" VALUES('s3g7l1zdy7sk6pf0juiy4','Example API','https://api.example.com',0,3600,1795439452418);
INSERT INTO "resources" VALUES('4d368i4zfc68b7pm0jmun','Shop','https://shop.example.com/api',0,3600,1795439453759);
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
INSERT INTO "role_scopes" VALUES('v8sbhsphxa08ra2kt9ja4','928ag9qamf62fzizfsnn0');
INSERT INTO "role_scopes" VALUES('sqytydrimrkgg5x73g7yn','a9229ysenspddr4ghgsng');
INSERT INTO "role_scopes" VALUES('sqytydrimrkgg5x73g7yn','p9sbl9doprf2b5da17qqf');
INSERT INTO "role_scopes" VALUES('1gtr3oyr5e6rntzreie10','a9229ysenspddr4ghgsng');
INSERT INTO "role_scopes" VALUES('wmzzxe1qw0wuaqgubtssj','cs8aecfbvby9nva52t9hd');
CREATE TABLE roles (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    type        TEXT NOT NULL,
    is_default  BOOLEAN NOT NULL DEFAULT FALSE,
    created_at  BIGINT NOT NULL
, name_key TEXT NOT NULL DEFAULT '', description_key TEXT);
INSERT INTO "roles" VALUES('v8sbhsphxa08ra2kt9ja4','Management API access','Management API access','MachineToMachine',0,1795439452418,'management api access','management api access');
INSERT INTO "roles" VALUES('sqytydrimrkgg5x73g7yn','customer','customer','User',0,1795439452418,'customer','customer');
INSERT INTO "roles" VALUES('1gtr3oyr5e6rntzreie10','support-engineer','support-engineer','User',0,1795439452418,'support-engineer','support-engineer');
INSERT INTO "roles" VALUES('wmzzxe1qw0wuaqgubtssj','shopper','Shops','User',0,1795439453807,'shopper','shops');
CREATE TABLE scopes (
    id          TEXT PRIMARY KEY,
    resource_id TEXT NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    description TEXT,
    created_at  BIGINT NOT NULL, name_key TEXT NOT NULL DEFAULT '', description_key TEXT,
    UNIQUE (resource_id, name)
);
INSERT INTO "scopes" VALUES('928ag9qamf62fzizfsnn0','wxyyys7st908c7sez6wtp','all','Everything the Management API offers.',1795439452418,'all','everything the management api offers.');
INSERT INTO "scopes" VALUES('if1g6y6pauo2tbq3abspt','wxyyys7st908c7sez6wtp','users:read','Read users and their roles.',1795439452418,'users:read','read users and their roles.');
INSERT INTO "scopes" VALUES('tt3uxvbwpd38m34zzv3cu','wxyyys7st908c7sez6wtp','users:write','Create, change and delete users.',1795439452418,'users:write','create, change and delete users.');
INSERT INTO "scopes" VALUES('fmzrpx3iu2q5n8ey6150m','wxyyys7st908c7sez6wtp','roles:read','Read roles.',1795439452418,'roles:read','read roles.');
INSERT INTO "scopes" VALUES('gazmwkw435k87fd9y61rp','wxyyys7st908c7sez6wtp','roles:write','Create, change and delete roles, and assign them.',1795439452418,'roles:write','create, change and delete roles, and assign them.');
INSERT INTO "scopes" VALUES('w0lc12l42pkwes9w2pyuk','wxyyys7st908c7sez6wtp','resources:read','Read API resources and their scopes.',1795439452418,'resources:read','read api resources and their scopes.');
INSERT INTO "scopes" VALUES('iqt9x69drniuihfl5vg4l','wxyyys7st908c7sez6wtp','resources:write','Create, change and delete API resources and their scopes.',1795439452418,'resources:write','create, change and delete api resources and their scopes.');
INSERT INTO "scopes" VALUES('rmmhj4hsqbz3r4n9zj3vc','wxyyys7st908c7sez6wtp','applications:read','Read applications.',1795439452418,'applications:read','read applications.');
INSERT INTO "scopes" VALUES('kjmca9w3ygsg8krm64wd9','wxyyys7st908c7sez6wtp','applications:write','Create, change and delete applications and their secrets.',1795439452418,'applications:write','create, change and delete applications and their secrets.');
INSERT INTO "scopes" VALUES('0zem02b2psp8na1z940nw','wxyyys7st908c7sez6wtp','organizations:read','Read organizations, their members, roles, scopes and invitations.',1795439452418,'organizations:read','read organizations, their members, roles, scopes and invitations.');
INSERT INTO "scopes" VALUES('fljt71b30jvbes3yx7aui','wxyyys7st908c7sez6wtp','organizations:write','Create, change and delete organizations, their members, roles, scopes and invitations.',1795439452418,'organizations:write','create, change and delete organizations, their members, roles, scopes and invitations.');
INSERT INTO "scopes" VALUES('a0jdutsgd018icb8z9g4m','wxyyys7st908c7sez6wtp','hooks:read','Read webhooks and their deliveries.',1795439452418,'hooks:read','read webhooks and their deliveries.');
INSERT INTO "scopes" VALUES('iceoejs3275kwck6o6bic','wxyyys7st908c7sez6wtp','hooks:write','Create, change and delete webhooks.',1795439452418,'hooks:write','create, change and delete webhooks.');
INSERT INTO "scopes" VALUES('mu4s3abiy95q43yb0cg9s','wxyyys7st908c7sez6wtp','configs:read','Read the configuration kept in the database, such as signing keys.',1795439452418,'configs:read','read the configuration kept in the database, such as signing keys.');
INSERT INTO "scopes" VALUES('yeo1pjew9m0fui9r85odq','wxyyys7st908c7sez6wtp','configs:write','Change the configuration kept in the database, such as signing keys.',1795439452418,'configs:write','change the configuration kept in the database, such as signing keys.');
INSERT INTO "scopes" VALUES('pocvj485at1jg27iaazy3','wxyyys7st908c7sez6wtp','logs:read','Read the audit log and the dashboard.',1795439452418,'logs:read','read the audit log and the dashboard.');
INSERT INTO "scopes" VALUES('d08se335d2eqbg6d65hbr','wxyyys7st908c7sez6wtp','subject-tokens:read','Read which subject tokens are live, and who acted for whom.',1795439452418,'subject-tokens:read','read which subject tokens are live, and who acted for whom.');
INSERT INTO "scopes" VALUES('1v2ecgdfv2w03r2p203q6','wxyyys7st908c7sez6wtp','subject-tokens:write','Ask for subject tokens, revoke them, and end impersonations.',1795439452418,'subject-tokens:write','ask for subject tokens, revoke them, and end impersonations.');
INSERT INTO "scopes" VALUES('satvegpukns9wm18u5ajf','wxyyys7st908c7sez6wtp','plugins:read','Read the state of plugins.',1795439452418,'plugins:read','read the state of plugins.');
INSERT INTO "scopes" VALUES('2ejqa7qvyiqhfnli83d3m','wxyyys7st908c7sez6wtp','plugins:write','Upload, change and delete plugins.',1795439452418,'plugins:write','upload, change and delete plugins.');
INSERT INTO "scopes" VALUES('pu6f7y8uxu0xx8n31jn33','wxyyys7st908c7sez6wtp','plugins:secrets','Run tests of plugins with their secrets.',1795439452418,'plugins:secrets','run tests of plugins with their secrets.');
INSERT INTO "scopes" VALUES('buuxy020iiw9y2h92lwph','wxyyys7st908c7sez6wtp','plugins:grant','Grant plugins what they ask to reach.',1795439452418,'plugins:grant','grant plugins what they ask to reach.');
INSERT INTO "scopes" VALUES('a9229ysenspddr4ghgsng','s3g7l1zdy7sk6pf0juiy4','resource:read','Read what belongs to the user.',1795439452418,'resource:read','read what belongs to the user.');
INSERT INTO "scopes" VALUES('p9sbl9doprf2b5da17qqf','s3g7l1zdy7sk6pf0juiy4','resource:write','Change what belongs to the user.',1795439452418,'resource:write','change what belongs to the user.');
INSERT INTO "scopes" VALUES('cs8aecfbvby9nva52t9hd','4d368i4zfc68b7pm0jmun','read:carts','Read carts',1795439453801,'read:carts','read carts');
CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO "settings" VALUES('bootstrap','1');
INSERT INTO "settings" VALUES('demo','1');
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
INSERT INTO "signing_keys" VALUES('msUSfkYv2ZUUJGXh4aKp271pSNHgA3XPi0wQiFY4O_E','ES256','{"kid":"msUSfkYv2ZUUJGXh4aKp271pSNHgA3XPi0wQiFY4O_E","use":"sig","alg":"ES256","crv":"P-256","kty":"EC","x":"3BzMvkV4_-LKcAZ9VXHyYqwHmEC6yvzjuu_NX6I9L0c","y":"m8Bj3XW-FeAlvjGNbZpypV0s7VbfTt1UNB-SX7VspLw"}','QBcjAmaDQEBgbHTZ/ZsHzgrIlS05mDVAm/4IvBrOTZ1XgilFXuH3pyEhRWorDEARIl4QZcQpf05vyCtuW3guCdRKsHztgC1htHaycUTSlI+dQyxeEmQY8Pb/Kb0naWBpoIJzbKlg5jf+ey98j3hz2Cx048/PoWPmLOSEvr9kuwoGhW5Trh8hP+wZYle17LyJ/GwMveaaieZ2mzJONXjt2rRfqogTSfU3MlI=',1795439452418,1795439452418,NULL);
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
INSERT INTO "subject_tokens" VALUES('mwtaaprg0y55pa09j9iof','aa76a1c9655986a8178057399a420a04bf27f8d376fec0344ff575ebde14a693','vs8ycf4mgyjs','{"ticketId":"TECH-1234","reason":"a stuck order"}','upmpsbl61dlislxm1i6pb',1795439460076,1795440060076,1795439460089);
INSERT INTO "subject_tokens" VALUES('mwtaaprlbogjtvx7cbs4l','6ccb2471316e1a4a5e879dec99880bd9ab2f614c7823a6aa8c5d3f65cf3c1fe3','vs8ycf4mgyjs','{"ticketId":"TECH-1234","reason":"a stuck order"}','upmpsbl61dlislxm1i6pb',1795439460081,1795440060081,NULL);
CREATE TABLE totals (
    name  TEXT NOT NULL,
    slot  INTEGER NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (name, slot)
);
INSERT INTO "totals" VALUES('users',0,3);
CREATE TABLE user_blocks (
    block BIGINT NOT NULL,
    slot  INTEGER NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (block, slot)
);
INSERT INTO "user_blocks" VALUES(0,0,3);
CREATE TABLE user_identities (
    target      TEXT NOT NULL,
    external_id TEXT NOT NULL,
    user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (target, external_id),
    UNIQUE (user_id, target)
);
CREATE TABLE user_roles (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role_id TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, role_id)
);
INSERT INTO "user_roles" VALUES('vs8ycf4mgyjs','sqytydrimrkgg5x73g7yn');
INSERT INTO "user_roles" VALUES('ig7me15g9vro','1gtr3oyr5e6rntzreie10');
INSERT INTO "user_roles" VALUES('x9g3r1qykd0e','wmzzxe1qw0wuaqgubtssj');
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
INSERT INTO "users" VALUES('vs8ycf4mgyjs','customer','customer@example.com',NULL,'$argon2id$v=19$m=19456,t=3,p=1$5Xh944Xmc8jdLaJbk8t7tA$WRaPr9P/hApEtH/MlPEqmbrDfOVInB/pqIrstDlD9HI','Argon2id','Casey Customer',NULL,'{}','{}','{}',NULL,0,NULL,1795439452418,1795439453636,3,'customer','customer@example.com','casey customer',1,'{}');
INSERT INTO "users" VALUES('ig7me15g9vro','engineer','engineer@example.com',NULL,NULL,NULL,'Erin Engineer',NULL,'{}','{}','{}',NULL,0,NULL,1795439452418,1795439452418,2,'engineer','engineer@example.com','erin engineer',2,'{}');
INSERT INTO "users" VALUES('x9g3r1qykd0e','keeper','keeper@example.com',NULL,'$argon2id$v=19$m=19456,t=3,p=1$QkaacufheJa1CV/Mh0/6Dw$/H/58oP+rz/+Ihcpc+WEfUYlyJ7ymUNBzDunq1MazbQ','Argon2id','Ada Lövelace',NULL,'{"tier":"gold"}','{}','{"nickname":"Ada"}',NULL,0,NULL,1795439453739,1795439453739,3,'keeper','keeper@example.com','ada lövelace',3,'{}');
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
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('deliveries',2);
COMMIT;
