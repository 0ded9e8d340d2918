BEGIN TRANSACTION;
CREATE TABLE _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
);
INSERT INTO "_sqlx_migrations" VALUES(1,'identity','2026-11-25 14:10:07',1,X'019C0C3FB83D8562E02DCE28B287374FF43C9C77D3BAF0439D2D1EFC048DB69AC88968D51CD605D240D608E336323BA8',3389853);
INSERT INTO "_sqlx_migrations" VALUES(2,'tokens','2026-11-25 14:10:07',1,X'ED768B8D7003E52C390005136F0C77894314C04B09EBC27A56835F5957FDB1BEF16E6A2DDF32F4B41695CA56D72882C0',1106489);
INSERT INTO "_sqlx_migrations" VALUES(3,'plugins','2026-11-25 14:10:07',1,X'56B41C9177F95C73043F6D0E913575580E814CBF429D310A7FC482FCA941968FDFFD0BCA61342B66A90FA12B10EA0016',749428);
INSERT INTO "_sqlx_migrations" VALUES(4,'webhooks','2026-11-25 14:10:07',1,X'3A1F3CCDCF7EE9EC5A055D0892048D1205DF1513D7832723DC9D20D9F98AB1789A74294402EEE67F44636321A3C37BC2',659322);
INSERT INTO "_sqlx_migrations" VALUES(5,'users','2026-11-25 14:10:07',1,X'B45EE6AE4BF9D9E4D074720DB9F44DC1BCACA301BEE75BC6A268FDE7D347E0EFFAEF61FD34FBD3C7BD04B90420975505',2230255);
INSERT INTO "_sqlx_migrations" VALUES(6,'organizations','2026-11-25 14:10:07',1,X'5DB8E54EDE965B4C462F22B58784CC4338857E0C3E4AEAD0FEB15149D6C36B4320EBE8541762E5D0D1C73592488E5DB8',4497124);
INSERT INTO "_sqlx_migrations" VALUES(7,'audit','2026-11-25 14:10:07',1,X'E50DFB5C33CB33173ED0E4E6617A6CD5DD3D7A53932C686CA13375DA09260F24FE8B5EF3F97E00DC5F6A41F15AB2FA14',2156815);
INSERT INTO "_sqlx_migrations" VALUES(8,'roles','2026-11-25 14:10:07',1,X'8DA7E11AF6D967B975BA6869CAECEBE06162C68FCAF0791871F12986BE7A2D66E3237A262E920F76CE2C0FFD5FE40436',3587938);
INSERT INTO "_sqlx_migrations" VALUES(9,'delivery','2026-11-25 14:10:07',1,X'6EEAFA10E8EEEDB363BCA9658F99F7C1A283B0CF3D588036F4655341E6726E265CA3F532914596356955AE334C6827A3',9053696);
INSERT INTO "_sqlx_migrations" VALUES(10,'users in order','2026-11-25 14:10:07',1,X'E10F0B4F9D336A66C7F04917B4719D43F71FC641AA317E166E1D91715C729E006B5D4882138BBCD828CBA0CE1A5C7635',1336091);
INSERT INTO "_sqlx_migrations" VALUES(11,'user settings','2026-11-25 14:10:07',1,X'CDBA4618C93FEFE5D2206BC0C7B5BEBE97FD7A87BE466A99BBAB8703DF7725B3F8D9504E836A89F510721F4ECE50F46B',671241);
INSERT INTO "_sqlx_migrations" VALUES(12,'authorization changes','2026-11-25 14:10:07',1,X'DDBEED754CF251923426AA33F5AFEB0FF5ED30C4CD24B2D2D4315A0721C10C9FECBD27E0220161AB784C4AD1A4683974',207389);
INSERT INTO "_sqlx_migrations" VALUES(13,'sign in','2026-11-25 14:10:07',1,X'177B768027589BAA338414BCDCD00726A0407325B245F9B80B54DADDE9A6FC7E93BB5D926E2346B25ACAEC4748F1DF03',411874);
INSERT INTO "_sqlx_migrations" VALUES(14,'sessions','2026-11-25 14:10:07',1,X'64E9A43D87D09330A97EDF50537C409E9945AEF42CE5B6C7CD49186354B1A249731B412DDEE411B1192C46741667BC8C',4792243);
INSERT INTO "_sqlx_migrations" VALUES(15,'attempts','2026-11-25 14:10:07',1,X'EA399475917C3269543142674E4F438E22BB9C4D26DE2B1D955F326FEBBF8589FAF7D9E331E5CCF23A72BE30FB26801C',330944);
INSERT INTO "_sqlx_migrations" VALUES(16,'backchannel logout','2026-11-25 14:10:07',1,X'FB420FFD487E664283F9C0060F8DF4895B24FAC57FE5F1CC200763E7A752F34371EEFA33027B74B288D48728CA02B09A',1298595);
INSERT INTO "_sqlx_migrations" VALUES(17,'devices','2026-11-25 14:10:07',1,X'B24A4487235B846E95A50468D117A402D9EEDBE77CCC84AA39A726CD4A7CE41F8EC2085888FAC1247515888A3614B4AA',639093);
INSERT INTO "_sqlx_migrations" VALUES(18,'client assertions','2026-11-25 14:10:07',1,X'95A23F5E22A64FDCE8F052082A45A6D65D28DB9B7D9698BB4485487AC2DF1145959E2D0F690A471D13B52A4E76038C24',300468);
INSERT INTO "_sqlx_migrations" VALUES(19,'known browsers','2026-11-25 14:10:07',1,X'00905B547D33D9F96EF7C1AB65BBB6E8D3B31C9686A2DBD0D37D3072BAFE502523BB2C4BA8136781355D1A4DFFB35A08',1267269);
INSERT INTO "_sqlx_migrations" VALUES(20,'factor use','2026-11-25 14:10:07',1,X'D1DFD9CF9BB7E1AC6EBDE3861220A86B84D2970FC92685ABEB2B11FB4BF13AB01C7015DB7B9B8AF8F1583C06A543C8AB',846622);
INSERT INTO "_sqlx_migrations" VALUES(21,'messages','2026-11-25 14:10:07',1,X'06857D3D592440F58561C8264B149C02C08FAE55A32543465A5A236CAD608401AC39B5510DA4B222FCA08A2D2FDF4E36',1473517);
INSERT INTO "_sqlx_migrations" VALUES(22,'codes','2026-11-25 14:10:07',1,X'3028E4322D018D51CCEB41918A9D37FCA667744F157F56143D75C67EE3B388A43EFDED753472F063B8DB1559FB1802ED',874284);
INSERT INTO "_sqlx_migrations" VALUES(23,'enterprise','2026-11-25 14:10:07',1,X'D59C1C5F648107F987328CF32839C23038126F221059CA0A8EF7EB1B161CE91786DC3737A4FBF8C1CE905BF280149AA8',856467);
INSERT INTO "_sqlx_migrations" VALUES(24,'own account','2026-11-25 14:10:07',1,X'B599678B5AEBC40225734E3FE352C8FFB6EE038C57BDE2923EA6D200C924C6D769D589C73C4FBFEDA4E304318208D1B7',1517302);
INSERT INTO "_sqlx_migrations" VALUES(25,'passkeys','2026-11-25 14:10:07',1,X'8199AA0778933A32195A2DC0B7BC014AD032360B44FE9BD1EF51379AD0DB2A218C2983374FCEC89DFF091CD6135E46E4',287608);
INSERT INTO "_sqlx_migrations" VALUES(26,'proofs','2026-11-25 14:10:07',1,X'B344879717825FFC3454EB7592BBD3911833C90904194FD268A8BF26896924BECA14E40EC43248DF1431D93CCA514DBC',1429350);
INSERT INTO "_sqlx_migrations" VALUES(27,'captcha','2026-11-25 14:10:07',1,X'5BB999CB3FBA89138610D477B740233BAFB9797281148AC97DC09F93B37D6949B038168046E903E09048C30300716EA9',253337);
INSERT INTO "_sqlx_migrations" VALUES(28,'profiles','2026-11-25 14:10:07',1,X'8058DCD3F1A28D3F66769E523F1E9712F3F90AC30DF40D748F8C1E5412B2D585A6A56005CFBD6B2B951C434BF627CD3C',748115);
INSERT INTO "_sqlx_migrations" VALUES(29,'console','2026-11-25 14:10:07',1,X'17357DD7437C28897E5319AFD13458CDDA02CD35777BFF8E220F0BD79926FFE5D352F593FEA77A9055385879C49383A8',928424);
INSERT INTO "_sqlx_migrations" VALUES(30,'operations','2026-11-25 14:10:07',1,X'865152BD8EE4111DF4642213C2B8796076AF4EB839F7C80F8069E667C6373C19D7F1A06F976EE674F2BE22E787733A66',4109776);
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
CREATE TABLE activity (
    -- When it began, Unix milliseconds.
    bucket       BIGINT NOT NULL,
    kind         TEXT NOT NULL,
    name         TEXT NOT NULL,
    -- The node that counted; empty once the counts of all nodes are added up.
    node         TEXT NOT NULL,
    count        BIGINT NOT NULL,
    failures     BIGINT NOT NULL,
    microseconds BIGINT NOT NULL,
    slowest      BIGINT NOT NULL,
    PRIMARY KEY (bucket, kind, name, node)
) WITHOUT ROWID;
INSERT INTO "activity" VALUES(1795615800000,'deliveries','','7lrk60nlk1kc2aly9cz2n',4,4,32000,32000);
INSERT INTO "activity" VALUES(1795615800000,'messages','','7lrk60nlk1kc2aly9cz2n',1,1,13282,13282);
INSERT INTO "activity" VALUES(1795615800000,'plugins','jwt-access-token','7lrk60nlk1kc2aly9cz2n',2,0,7883,6508);
INSERT INTO "activity" VALUES(1795615800000,'signIns','','7lrk60nlk1kc2aly9cz2n',1,0,0,0);
INSERT INTO "activity" VALUES(1795615800000,'tokens','authorization_code','7lrk60nlk1kc2aly9cz2n',1,0,6640,6640);
INSERT INTO "activity" VALUES(1795615800000,'tokens','client_credentials','7lrk60nlk1kc2aly9cz2n',1,0,15043,15043);
INSERT INTO "activity" VALUES(1795615800000,'tokens','token_exchange','7lrk60nlk1kc2aly9cz2n',1,0,16317,16317);
CREATE TABLE application_roles (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    role_id        TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, role_id)
);
INSERT INTO "application_roles" VALUES('1udrh9j3shxurdby84v08','8mc7r9aqe1p72b80g0kbp');
CREATE TABLE application_secrets (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    name           TEXT NOT NULL,
    hash           TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT,
    PRIMARY KEY (application_id, name)
);
INSERT INTO "application_secrets" VALUES('1udrh9j3shxurdby84v08','Default secret','cec9e0f6bbfda6f443f0792f1defeac7e9f750e2fc50598abffe597d87d0ad31',1795615807294,NULL);
INSERT INTO "application_secrets" VALUES('fxmi0v5yyrolxfvqcwx4a','Default secret','c25698b8e7536c2dc56b71ed59466991a569794c9ba0401f4577fb6630e8e144',1795615807294,NULL);
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
INSERT INTO "applications" VALUES('1udrh9j3shxurdby84v08','Management API client',NULL,'MachineToMachine','{"redirectUris":[],"postLogoutRedirectUris":[]}','{}','{}',0,1795615807294,'management api client',NULL);
INSERT INTO "applications" VALUES('3ybp2s7shrptvosws0g1d','Demo single-page application',NULL,'SPA','{"redirectUris":["http://127.0.0.1:3001/demo/callback"],"postLogoutRedirectUris":["http://127.0.0.1:3001/demo"]}','{"allowTokenExchange":true,"impersonationUri":"http://127.0.0.1:3001/demo/impersonate"}','{}',0,1795615807294,'demo single-page application',NULL);
INSERT INTO "applications" VALUES('fxmi0v5yyrolxfvqcwx4a','Demo web application',NULL,'Traditional','{"redirectUris":[],"postLogoutRedirectUris":[]}','{"allowTokenExchange":true}','{}',0,1795615807294,'demo web application',NULL);
INSERT INTO "applications" VALUES('claimsmith-console','Claimsmith console',NULL,'SPA','{"redirectUris":["http://127.0.0.1:3001/console/callback"],"postLogoutRedirectUris":["http://127.0.0.1:3001/console"]}','{}','{}',0,1795615807294,'claimsmith console',NULL);
INSERT INTO "applications" VALUES('claimsmith-cli','Claimsmith command line',NULL,'Native','{"redirectUris":[],"postLogoutRedirectUris":[]}','{"isDeviceFlow":true}','{}',0,1795615807294,'claimsmith command line',NULL);
INSERT INTO "applications" VALUES('lo68iou15xv5d3yyt7plu','Shop',NULL,'SPA','{"redirectUris":["https://shop.example.com/callback"],"postLogoutRedirectUris":[]}','{"alwaysIssueRefreshToken":true}','{}',0,1795615808035,'shop',NULL);
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
INSERT INTO "attempts" VALUES('whcu4s6mwfkd45ruoqcyf','msg_b1tm43ptkd7o9xh3qlkqd','qhk670wy88zk0qj7n4g6o',1,1795615807911,32,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('6n43zazyd511okyurzv4z','msg_ll8jxt6hfp9ihn1p82159','qhk670wy88zk0qj7n4g6o',1,1795615807992,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('pba14md5qzlwas7qvtaeu','msg_iy5eyobpkpa92qmqk08j3','qhk670wy88zk0qj7n4g6o',1,1795615809793,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('tuh3rpaubr6dg59mc5dy9','msg_q4ep89qd72wcfijdsi5n4','qhk670wy88zk0qj7n4g6o',1,1795615809851,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
CREATE TABLE authorization_changes (
    revision INTEGER NOT NULL,
    -- 'all', 'keys', 'application' or 'organization'.
    kind TEXT NOT NULL,
    -- Of the application or organization, else empty.
    id TEXT NOT NULL,
    PRIMARY KEY (revision, kind, id)
);
INSERT INTO "authorization_changes" VALUES(2,'all','');
INSERT INTO "authorization_changes" VALUES(2,'application','1udrh9j3shxurdby84v08');
INSERT INTO "authorization_changes" VALUES(2,'application','3ybp2s7shrptvosws0g1d');
INSERT INTO "authorization_changes" VALUES(2,'application','fxmi0v5yyrolxfvqcwx4a');
INSERT INTO "authorization_changes" VALUES(2,'keys','');
INSERT INTO "authorization_changes" VALUES(2,'application','claimsmith-console');
INSERT INTO "authorization_changes" VALUES(2,'application','claimsmith-cli');
INSERT INTO "authorization_changes" VALUES(3,'all','');
INSERT INTO "authorization_changes" VALUES(4,'all','');
INSERT INTO "authorization_changes" VALUES(5,'all','');
INSERT INTO "authorization_changes" VALUES(6,'application','lo68iou15xv5d3yyt7plu');
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
INSERT INTO "authorization_codes" VALUES('c4ba216b9b0c15cc5ffc75fb61b68a27a7175dcec06374ddd958bde9980f36e1','f5aproqm77pqv6ctjt4w8','2cwzykxtn1vf','lo68iou15xv5d3yyt7plu','{"redirectUri":"https://shop.example.com/callback","codeChallenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM","nonce":null,"scope":["openid","offline_access"],"resourceScope":[],"resources":[],"consented":null,"sessionId":"yiy8du1zwruf7blwyhbkf","authTime":1795615810,"amr":["pwd"],"acrValues":[],"interaction":{"interactionEvent":"SignIn","userId":"2cwzykxtn1vf","verificationRecords":[{"id":"9qks7w6alcctsk4h23vzl","type":"Password","identifier":{"type":"username","value":"keeper"},"verified":true}]}}','oiimxt680mfz92bez2jd2',1795615810210,1795615870210,1795615810219);
CREATE TABLE avatars (
    -- A part of the public address, which cannot be guessed.
    id             TEXT PRIMARY KEY,
    -- Whose it is; NULL while somebody registers.
    user_id        TEXT REFERENCES users (id) ON DELETE CASCADE,
    -- The interaction of a registration in which it was uploaded; NULL once somebody has it.
    interaction_id TEXT,
    -- Such as 'image/png'.
    media_type     TEXT NOT NULL,
    content        BLOB NOT NULL,
    created_at     BIGINT NOT NULL,
    -- When it is deleted if nobody has chosen it; NULL once somebody has.
    expires_at     BIGINT
);
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
CREATE TABLE captcha_providers (
    -- Always 'default'.
    id         TEXT PRIMARY KEY,
    -- The configuration, which may hold a secret: encrypted, base64.
    config     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
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
INSERT INTO "connectors" VALUES('0mhx03r3e3q7jfdcnh1yk','http-email','Email','http-email','{}','QBcjAuirD24AOnAX0hF5t+44Q3OvLo4gUSKDLm3KZgJW36EPMbDN0Qpi0YShDcTAVkzxTsc9V1z5+5p8lLo9dpH9z5vfUDcVZPl5nL2jizHKReAjQZ4WDu/cZRwDyXmTJFcSOA+bv6ttbOHSMrQ=',0,0,1795615809778);
CREATE TABLE console_links (
    -- SHA-256 (hex) of the code in the link.
    hash       TEXT PRIMARY KEY,
    -- 'setup', 'invite' or 'recover'.
    purpose    TEXT NOT NULL,
    -- Whom it lets in; NULL when it makes an account.
    user_id    TEXT REFERENCES users (id) ON DELETE CASCADE,
    -- The address that the account begins with, if it was named.
    email      TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
INSERT INTO "console_links" VALUES('3433f20ef60b6d5ebf4cdfb38096224bee4e8128b91ba3d1eead776f4296ad60','setup',NULL,NULL,1795615807683,1795619407683);
CREATE TABLE console_sessions (
    -- SHA-256 (hex) of the browser's cookie.
    hash             TEXT PRIMARY KEY,
    session_id       TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    user_id          TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- When they last proved who they are.
    authenticated_at BIGINT NOT NULL,
    created_at       BIGINT NOT NULL,
    last_active_at   BIGINT NOT NULL
);
CREATE TABLE custom_phrases (
    language_tag TEXT PRIMARY KEY,
    -- A part of the tree of texts.
    translation  TEXT NOT NULL
);
INSERT INTO "custom_phrases" VALUES('en','{"sign_in":{"title":"Ahoy!"}}');
CREATE TABLE custom_profile_fields (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    -- Such as 'Text'.
    type        TEXT NOT NULL,
    label       TEXT NOT NULL,
    description TEXT,
    required    BOOLEAN NOT NULL,
    -- What may be entered.
    config      TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    -- Its place in the list.
    sie_order   BIGINT NOT NULL
);
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
INSERT INTO "deliveries" VALUES(1,'msg_b1tm43ptkd7o9xh3qlkqd','mww7agm2jilpj3pnlx0ih','qhk670wy88zk0qj7n4g6o',NULL,'pending',1795615811977,NULL,1,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1795615807898,NULL);
INSERT INTO "deliveries" VALUES(2,'msg_ll8jxt6hfp9ihn1p82159','mww7agohq386ndixefyi9','qhk670wy88zk0qj7n4g6o',NULL,'pending',1795615811770,NULL,1,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1795615807985,NULL);
INSERT INTO "deliveries" VALUES(3,'msg_iy5eyobpkpa92qmqk08j3','mww7ai2kuxmqd6dtlzz2s','qhk670wy88zk0qj7n4g6o',NULL,'pending',1795615813544,NULL,1,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1795615809788,NULL);
INSERT INTO "deliveries" VALUES(4,'msg_q4ep89qd72wcfijdsi5n4','mww7ai45vg4vza4gsr0su','qhk670wy88zk0qj7n4g6o',NULL,'pending',1795615813890,NULL,1,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1795615809845,NULL);
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
INSERT INTO "events" VALUES('mww7agm2jilpj3pnlx0ih','User.Data.Updated','{"event":"User.Data.Updated","createdAt":"2026-11-25T14:10:07.898Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users/p1wtfpgpmm9z/password","method":"PATCH","status":200,"params":{"userId":"p1wtfpgpmm9z"},"matchedRoute":"/users/:userId/password","data":{"id":"p1wtfpgpmm9z","username":"customer","primaryEmail":"customer@example.com","primaryPhone":null,"name":"Casey Customer","avatar":null,"customData":{},"identities":{},"lastSignInAt":null,"createdAt":1795615807294,"updatedAt":1795615807898,"profile":{},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1795615807898);
INSERT INTO "events" VALUES('mww7agohq386ndixefyi9','User.Created','{"event":"User.Created","createdAt":"2026-11-25T14:10:07.985Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users","method":"POST","status":200,"params":{},"matchedRoute":"/users","data":{"id":"2cwzykxtn1vf","username":"keeper","primaryEmail":"keeper@example.com","primaryPhone":null,"name":"Ada Lövelace","avatar":null,"customData":{"tier":"gold"},"identities":{},"lastSignInAt":null,"createdAt":1795615807985,"updatedAt":1795615807985,"profile":{"nickname":"Ada"},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1795615807985);
INSERT INTO "events" VALUES('mww7ai2kuxmqd6dtlzz2s','User.Data.Updated','{"event":"User.Data.Updated","createdAt":"2026-11-25T14:10:09.788Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users/2cwzykxtn1vf/identities/github","method":"PUT","status":201,"params":{"userId":"2cwzykxtn1vf","target":"github"},"matchedRoute":"/users/:userId/identities/:target","data":{"id":"2cwzykxtn1vf","username":"keeper","primaryEmail":"keeper@example.com","primaryPhone":null,"name":"Ada Lövelace","avatar":null,"customData":{"tier":"gold"},"identities":{"github":{"userId":"gh-1","details":{"name":"Ada"}}},"lastSignInAt":null,"createdAt":1795615807985,"updatedAt":1795615809788,"profile":{"nickname":"Ada"},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1795615809788);
INSERT INTO "events" VALUES('mww7ai45vg4vza4gsr0su','User.Created','{"event":"User.Created","createdAt":"2026-11-25T14:10:09.845Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users","method":"POST","status":200,"params":{},"matchedRoute":"/users","data":{"id":"uhp77b43sfdt","username":"careful","primaryEmail":null,"primaryPhone":null,"name":null,"avatar":null,"customData":{},"identities":{},"lastSignInAt":null,"createdAt":1795615809845,"updatedAt":1795615809845,"profile":{},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1795615809845);
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
INSERT INTO "grants" VALUES('f5aproqm77pqv6ctjt4w8','2cwzykxtn1vf','lo68iou15xv5d3yyt7plu','yiy8du1zwruf7blwyhbkf','{"oidc":["openid","offline_access"],"resources":{},"organizations":[]}',1795615810210,1811167810210,1);
CREATE TABLE hook_receiver_requests (
    id                 TEXT PRIMARY KEY,
    receiver_id        TEXT NOT NULL REFERENCES hook_receivers (id) ON DELETE CASCADE,
    received_at        BIGINT NOT NULL,
    headers            TEXT NOT NULL,
    body               TEXT NOT NULL,
    status             BIGINT NOT NULL,
    -- The hook that sends there, if any does.
    hook_id            TEXT,
    is_signature_valid BOOLEAN
);
CREATE TABLE hook_receivers (
    id         TEXT PRIMARY KEY,
    -- The last part of its URL. Whoever has it may write into the list of its requests, and nothing else.
    token      TEXT NOT NULL UNIQUE,
    -- What it answers.
    status     BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE TABLE hook_statistics (
    hook_id   TEXT NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
    minute    BIGINT NOT NULL,
    requests  BIGINT NOT NULL,
    successes BIGINT NOT NULL,
    PRIMARY KEY (hook_id, minute)
);
INSERT INTO "hook_statistics" VALUES('qhk670wy88zk0qj7n4g6o',29926930,4,0);
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
INSERT INTO "hooks" VALUES('qhk670wy88zk0qj7n4g6o','before','["User.Created","User.Data.Updated"]','{"url":"http://127.0.0.1:9/nobody","retries":3}','QBcjAgXyZZ365WXJC7xJsOXRz11GxsNSqjkPDsSwHWrrWfvKog66lrKmtO3JPopzaqc++tyB7CQGZEPROwkQvFvE5qy7e53QkWCQeKxDVipP2PVpxd+DcWiGS4h16yS4',1,1795615807739,'[]',0,0,10,NULL,0,0,0,1795615807945,4,NULL);
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
INSERT INTO "issuances" VALUES('mww7agguqibj36dcx844k',NULL,'1udrh9j3shxurdby84v08',NULL,NULL,'http://127.0.0.1:3001/api','all',0,NULL,NULL,NULL,1795615807710,1795619407000,NULL,NULL,NULL,NULL);
INSERT INTO "issuances" VALUES('mww7ai5cvu05p0zen6koh','p1wtfpgpmm9z','fxmi0v5yyrolxfvqcwx4a',NULL,NULL,'https://api.example.com','resource:read resource:write',1,'mww7ai52snntfwgnllb5p',NULL,NULL,1795615809888,1795619409000,NULL,'{"ticketId":"TECH-1234","reason":"a stuck order"}',NULL,NULL);
INSERT INTO "issuances" VALUES('mww7aibbczfw94wkz9f09','p1wtfpgpmm9z','fxmi0v5yyrolxfvqcwx4a',NULL,NULL,NULL,'openid',0,NULL,'9af684e39ffbfe322abd1b1ad2a7788e806e2e275d1f0ddf970184877575e10e','{"iss":"http://127.0.0.1:3001/oidc","sub":"p1wtfpgpmm9z","exp":1795619410,"iat":1795615810,"jti":"mww7aibbczfw94wkz9f09","client_id":"fxmi0v5yyrolxfvqcwx4a","scope":"openid","ticket":null,"region":"eu"}',1795615810103,1795619410000,NULL,NULL,NULL,NULL);
INSERT INTO "issuances" VALUES('mww7aiegy4slo5jyf13y1','2cwzykxtn1vf','lo68iou15xv5d3yyt7plu',NULL,NULL,NULL,'openid offline_access',0,NULL,'741f8375eea703cc2e169a1f85a79648921560288f9f56d6e0bffa2b2e30dde2','{"iss":"http://127.0.0.1:3001/oidc","sub":"2cwzykxtn1vf","exp":1795619410,"iat":1795615810,"jti":"mww7aiegy4slo5jyf13y1","client_id":"lo68iou15xv5d3yyt7plu","scope":"openid offline_access","ticket":null,"region":"eu"}',1795615810216,1795619410000,NULL,NULL,'f5aproqm77pqv6ctjt4w8','oiimxt680mfz92bez2jd2');
CREATE TABLE known_browsers (
    -- SHA-256 (hex) of the browser's cookie.
    hash       TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (hash, user_id)
);
INSERT INTO "known_browsers" VALUES('cdef8e5e140b893425cdbcb2a8e7e5432024afb452381b931c5182d0975ee76d','2cwzykxtn1vf',1811167810203);
CREATE TABLE logs (
    id         TEXT PRIMARY KEY,
    key        TEXT NOT NULL,
    payload    TEXT NOT NULL,
    created_at BIGINT NOT NULL
, user_id TEXT, application_id TEXT, actor_id TEXT, ticket_id TEXT);
INSERT INTO "logs" VALUES('mww7ag5agvfj12razxyh9','Bootstrap','{"demo":true,"demoApplication":true,"scopes":[],"signingKeys":["qbVoj6dU5W9z1s98fF_RUCSnUVH9OBQ3EOGVMsBRF48","gHVZyEjzubTwiHP5zaOiAVTdeH0y5ah0Uxj7gfXvK0M"],"console":["claimsmith-console","claimsmith-console-scope-read","claimsmith-console-scope-support","claimsmith-console-scope-developer","claimsmith-console-scope-admin","claimsmith-console-role-read","claimsmith-console-role-support","claimsmith-console-role-developer","claimsmith-console-role-admin","claimsmith-console","claimsmith-cli"],"key":"Bootstrap","result":"Success"}',1795615807294,NULL,NULL,NULL,NULL);
INSERT INTO "logs" VALUES('mww7agguxz2j73hnuw6hm','ExchangeTokenBy.ClientCredentials','{"applicationSecret":{"name":"Default secret"},"jti":"mww7agguqibj36dcx844k","key":"ExchangeTokenBy.ClientCredentials","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"s1nz263qzabnjzac","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615807710,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7aghnjvy7kb3x3zv5r','Management.Hook.Create','{"hookId":"qhk670wy88zk0qj7n4g6o","key":"Management.Hook.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"fl383440e46lny4t","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615807739,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7agm224yre49ry9tyl','Management.User.SetPassword','{"userId":"p1wtfpgpmm9z","key":"Management.User.SetPassword","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"z3l8s22dztrbioyn","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615807898,'p1wtfpgpmm9z','1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7agohr91rofhr8hy66','Management.User.Create','{"userId":"2cwzykxtn1vf","key":"Management.User.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"wz8vnz7kxm0d1jnd","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615807985,'2cwzykxtn1vf','1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7agon0ak7h6zsegc9t','Management.Resource.Create','{"resourceId":"3lqmssc859v5fmrwy7qyp","key":"Management.Resource.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"80mbbueogkgojgmk","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615807991,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7agoyu3tyu4szorzev','Management.Scope.Create','{"resourceId":"3lqmssc859v5fmrwy7qyp","scopeId":"sgdqtjoiydq768d9slfdb","key":"Management.Scope.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"s1zri74vbq82h3u8","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615808002,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7agp4ekzabrlq91d89','Management.Role.Create','{"roleId":"z1wkfpkfk2sqrc4w1zagn","scopeIds":["sgdqtjoiydq768d9slfdb"],"key":"Management.Role.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"i5zxtjj86yph5voa","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615808008,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7agpcw6niivtbz2r1z','Management.User.AssignRoles','{"userId":"2cwzykxtn1vf","addedRoleIds":["z1wkfpkfk2sqrc4w1zagn"],"key":"Management.User.AssignRoles","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"innfxgkumqzpqwqu","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615808016,'2cwzykxtn1vf','1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7agph6lsvcne4s2fyh','Management.Organization.Create','{"organizationId":"jftiesrcsszl","key":"Management.Organization.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"n75r0ei0n9rfdxbv","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615808021,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7agpljl86u5lx1zbuw','Management.Organization.ChangeUsers','{"organizationId":"jftiesrcsszl","addedUserIds":["2cwzykxtn1vf"],"removedUserIds":[],"key":"Management.Organization.ChangeUsers","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"ptxhn04w0elewpft","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615808025,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7agpqc6o1llgwprxkk','Management.OrganizationInvitation.Create','{"organizationInvitationId":"3xg0mluxcvsrqaj7i3nmr","organizationId":"jftiesrcsszl","organizationRoleIds":[],"key":"Management.OrganizationInvitation.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"ckjjg2ojrshvgf9j","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615808030,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7agpv5vtndf0yu2ekn','Management.Application.Create','{"createdApplicationId":"lo68iou15xv5d3yyt7plu","type":"SPA","key":"Management.Application.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"rtd1nrqaybta1loh","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615808035,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7agpz51jovaunqve7a','Management.SignInExperience.Update','{"changedSettings":["color"],"key":"Management.SignInExperience.Update","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"1v96uzod1yswn3yd","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615808039,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7agqbrb46q18ak189t','Management.CustomPhrases.Update','{"languageTag":"en","key":"Management.CustomPhrases.Update","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"ypuh6qyysgd096md","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615808051,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7ai0l0jpa5mh5ukr4b','Management.Plugin.Upload','{"plugin":"jwt-access-token","version":"1","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","key":"Management.Plugin.Upload","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"fn7uub9eup9ookmk","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615809717,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7ai208xiv2h1s2cxtk','Management.Plugin.Upload','{"plugin":"ticket","version":"1","digest":"sha256:6b2c493ed46cc46c354b46b3052b11a409983160b5b40e4f91b6ddb1785fe342","activated":false,"takeOver":false,"key":"Management.Plugin.Upload","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"9f3m8omp4uy655y6","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615809768,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7ai26106s3hef7emt2','Management.PersonalAccessToken.Create','{"userId":"2cwzykxtn1vf","tokenName":"laptop","key":"Management.PersonalAccessToken.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"sahxb5ougi52xzb5","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615809774,'2cwzykxtn1vf','1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7ai2aqiu37gcxdv7jr','Management.Connector.Create','{"connectorId":"0mhx03r3e3q7jfdcnh1yk","factoryId":"http-email","replaced":0,"key":"Management.Connector.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"d0yjy2s16ctbyu8g","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615809778,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7ai2f2jjxpoutvlxfp','Management.SsoConnector.Create','{"ssoConnectorId":"4wen0gyvolkbv21uiyk4v","providerName":"OIDC","domains":["acme.example"],"key":"Management.SsoConnector.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"0t5xnqu8mrpc9xge","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615809783,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7ai2kinj8i8tfy53lb','Management.User.LinkIdentity','{"userId":"2cwzykxtn1vf","target":"github","key":"Management.User.LinkIdentity","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"r710k1cobp9tm97x","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615809788,'2cwzykxtn1vf','1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7ai45lo9lf5nh8c3av','Management.User.Create','{"userId":"uhp77b43sfdt","key":"Management.User.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"3xvxhee15tipaokj","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615809845,'uhp77b43sfdt','1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7ai4awtl8415ibnv98','Management.User.AddMfaFactor','{"userId":"uhp77b43sfdt","factorId":"r3cyud47p1jn3vpgia02n","type":"Totp","key":"Management.User.AddMfaFactor","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"9fzt7wcpghydabgu","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615809850,'uhp77b43sfdt','1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7ai4hidze3pipd6e1p','Management.User.AddMfaFactor','{"userId":"uhp77b43sfdt","factorId":"un3e73l2skkyms6lvjysu","type":"BackupCode","key":"Management.User.AddMfaFactor","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"3r2tmarrehfnljpt","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615809857,'uhp77b43sfdt','1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7ai4sehk2o94jgtyzg','Management.OneTimeToken.Create','{"oneTimeTokenId":"mww7ai4s7h94g6won27mm","email":"keeper@example.com","key":"Management.OneTimeToken.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"f2i0rd7vmbcxctzd","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615809868,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7ai4xhylvxmbgh6pe6','Management.VerificationCode.Create','{"type":"email","key":"Management.VerificationCode.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"uv3ia62yo7kog6l1","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615809873,NULL,'1udrh9j3shxurdby84v08',NULL,NULL);
INSERT INTO "logs" VALUES('mww7ai52sye6uti3h5zbt','Management.SubjectToken.Create','{"userId":"p1wtfpgpmm9z","subjectTokenId":"mww7ai52snntfwgnllb5p","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"key":"Management.SubjectToken.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"ryt4ymu6r5bjrqbn","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615809878,'p1wtfpgpmm9z','1udrh9j3shxurdby84v08',NULL,'TECH-1234');
INSERT INTO "logs" VALUES('mww7ai58j0iqhf51znbtk','Management.SubjectToken.Create','{"userId":"p1wtfpgpmm9z","subjectTokenId":"mww7ai58ii1htf66dr8w2","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"key":"Management.SubjectToken.Create","result":"Success","applicationId":"1udrh9j3shxurdby84v08","requestId":"tna4musqg66wldh0","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615809884,'p1wtfpgpmm9z','1udrh9j3shxurdby84v08',NULL,'TECH-1234');
INSERT INTO "logs" VALUES('mww7ai5ccs71c5dy4t14u','ExchangeTokenBy.TokenExchange','{"applicationSecret":{"name":"Default secret"},"resource":"https://api.example.com","subjectTokenId":"mww7ai52snntfwgnllb5p","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"jti":"mww7ai5cvu05p0zen6koh","userId":"p1wtfpgpmm9z","plugins":[{"plugin":"jwt-access-token","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","generation":2,"outcome":"ok"}],"key":"ExchangeTokenBy.TokenExchange","result":"Success","applicationId":"fxmi0v5yyrolxfvqcwx4a","requestId":"2n6z9gfx0o6ixuwf","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615809888,'p1wtfpgpmm9z','fxmi0v5yyrolxfvqcwx4a',NULL,'TECH-1234');
INSERT INTO "logs" VALUES('mww7aibbfkq40mt9eg3ww','ExchangeTokenBy.Operator','{"by":"operator","jti":"mww7aibbczfw94wkz9f09","userId":"p1wtfpgpmm9z","plugins":[{"plugin":"jwt-access-token","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","generation":1,"outcome":"ok"}],"key":"ExchangeTokenBy.Operator","result":"Success","applicationId":"fxmi0v5yyrolxfvqcwx4a"}',1795615810103,'p1wtfpgpmm9z','fxmi0v5yyrolxfvqcwx4a',NULL,NULL);
INSERT INTO "logs" VALUES('mww7aicgpgqwz0uygjaa2','Interaction.SignIn.Update','{"interactionId":"ghmf1gxwrg49h6ctmfo5d","key":"Interaction.SignIn.Update","result":"Success","applicationId":"lo68iou15xv5d3yyt7plu","requestId":"e43r64cahlhtj3zl","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615810144,NULL,'lo68iou15xv5d3yyt7plu',NULL,NULL);
INSERT INTO "logs" VALUES('mww7aidyldxh2key00klw','Interaction.SignIn.Verification.Password.Submit','{"interactionId":"ghmf1gxwrg49h6ctmfo5d","verificationId":"9qks7w6alcctsk4h23vzl","userId":"2cwzykxtn1vf","key":"Interaction.SignIn.Verification.Password.Submit","result":"Success","applicationId":"lo68iou15xv5d3yyt7plu","requestId":"e43r64cahlhtj3zl","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615810198,'2cwzykxtn1vf','lo68iou15xv5d3yyt7plu',NULL,NULL);
INSERT INTO "logs" VALUES('mww7aie1jm5tvcct2iqm8','Interaction.SignIn.Identifier.Submit','{"interactionId":"ghmf1gxwrg49h6ctmfo5d","userId":"2cwzykxtn1vf","key":"Interaction.SignIn.Identifier.Submit","result":"Success","applicationId":"lo68iou15xv5d3yyt7plu","requestId":"e43r64cahlhtj3zl","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615810201,'2cwzykxtn1vf','lo68iou15xv5d3yyt7plu',NULL,NULL);
INSERT INTO "logs" VALUES('mww7aie37w4kx0lnkvj6q','Interaction.SignIn.Submit','{"interactionId":"ghmf1gxwrg49h6ctmfo5d","userId":"2cwzykxtn1vf","sessionId":"yiy8du1zwruf7blwyhbkf","key":"Interaction.SignIn.Submit","result":"Success","applicationId":"lo68iou15xv5d3yyt7plu","requestId":"e43r64cahlhtj3zl","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615810203,'2cwzykxtn1vf','lo68iou15xv5d3yyt7plu',NULL,NULL);
INSERT INTO "logs" VALUES('mww7aieagcy125o1kqrqi','Interaction.End','{"interactionId":"ghmf1gxwrg49h6ctmfo5d","userId":"2cwzykxtn1vf","key":"Interaction.End","result":"Success","applicationId":"lo68iou15xv5d3yyt7plu","requestId":"69ajd1s4djcd6vsq","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615810210,'2cwzykxtn1vf','lo68iou15xv5d3yyt7plu',NULL,NULL);
INSERT INTO "logs" VALUES('mww7aiegvkrmtticml57y','ExchangeTokenBy.AuthorizationCode','{"grantId":"f5aproqm77pqv6ctjt4w8","sessionId":"yiy8du1zwruf7blwyhbkf","jti":"mww7aiegy4slo5jyf13y1","userId":"2cwzykxtn1vf","plugins":[{"plugin":"jwt-access-token","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","generation":2,"outcome":"ok"}],"key":"ExchangeTokenBy.AuthorizationCode","result":"Success","applicationId":"lo68iou15xv5d3yyt7plu","requestId":"nihd1ztnsajmkv0z","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1795615810216,'2cwzykxtn1vf','lo68iou15xv5d3yyt7plu',NULL,NULL);
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
INSERT INTO "messages" VALUES(1,'msg_f450gcjy4bo9723bbdb8i','Email','keeper@example.com','Generic','en','QBcjAna7yNhn4gWqSekooN9F2nzl4x1CBdlG7lZLuzxGVnd1e4pLBvnAboY1Q2w7fA==','64888be82cd750fef835edbd9ec3d3e586ef544c336673bf39884f3bb14a0e10',1795616409873,0,'pending',1795615814252,NULL,1,'requests to 127.0.0.1 are not allowed: 127.0.0.1 is loopback, and not in egress.allowed_networks',1795615809873,NULL);
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
INSERT INTO "mfa_factors" VALUES('r3cyud47p1jn3vpgia02n','uhp77b43sfdt','Totp','QBcjAjjUU9P0wTnji0D7HmY/n3+sMoXrYtVfnVmPRN/lgCZ0ypmg5CchmU5Vw/Tko+INfLjTOfmpfXOOgBypSw==',1795615809850,NULL,NULL);
INSERT INTO "mfa_factors" VALUES('un3e73l2skkyms6lvjysu','uhp77b43sfdt','BackupCode','QBcjApYRPanhRggh9N65teB2IMnwzAK/QoagF+6hxmFJYxSlOsOeILWKnk7k/guFLZQUJZp/G1Fe9XfiPKlstUUTvtGS7HoZQ/WAO06ufxusjPpWgHNeRe1fhrLMBpShAr9HCmFFUFACbYaa2YqRXQ4i3RhYs8/jy1h4cnViz7OuB3bZRJzeuHU4pkwO83REkZPMkmhjwQbtEWeSKQFyHtnbz3owWNzersUTBiq4G5g0B08QK3ouunWjMGblN7F0pPrWzQiwfIGKER6t1bkXX3Ak19Bh/jYnN7/A/AF2BiNGWpKNNuIdbODLQyak7cNRyNxeYaHaIcXCoG2pxjPjgjfESVlT7cqUPdH6ug+bEH5r7U3tRXHeAxYLMSNZX/5fxhDAcF39qYSDCVl7DfwXYaqZ4CsMN0Dx4q/EXrbOVjtj/hNupFykK/7OHZrBg9/9Ef450h3R2pCg6gZBWd3RGXJ+Iagot1BW3rYXZ2+zkBYerp8ySBTB/HY15di/4Sj/OpStmP+MRgXxJUuYi5xg6kcghigIP6DNp9lFrJ2GjAvH7fiNZ9w99KBruER/OzSw5THJwqC0L4jRbASKAB3811n+HTv1Rm43s9kTe4gb0FYuHtpk8OfGY5cMBRbJqHECh1IJq98t9af8cYwVMp3oFE3WqJod/0eeOWPVZoxF1199vGJSd6vINhi14Tm5/DdJXpk0DnYDme39FX6LSbeA69JN5B/cHCd+CO0gBeoMcXwCDKlsS4YnCsiZR1cZXmSct1vbOZS62IlK8Gi+gJfVSGNoZvTx9/CNRnS6tPA1jPQrQFHWoVMj4Aq4t2QhYmt4wB0r86EroXikBoLItShhTS7Os5dguV3cjyS9s7LIylitWqdeBFbSlg0AhdttAiALDynAVWBnE0UWisJZC39jvh3falgI7PD1pPiIJWwNCvK2Qk0m6ifVDVAUpB/aVLXlqjcUiKLAdfnvTF+eOdNp58sTVCv9MDaAhPununl752FOhVa6E1vTTxM8fupXgK8Ft8F7cAJIOSt5S5HAy0Qu5Oty+tanbpJqhfGvzi6RkIsh8k/0sTDSCljgg5y0',1795615809857,NULL,NULL);
CREATE TABLE nodes (
    id         TEXT PRIMARY KEY,
    version    TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL
);
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
INSERT INTO "one_time_tokens" VALUES('mww7ai4s7h94g6won27mm','keeper@example.com','5af356c83e2c9db9f88211d23ae52c86d5a0a3104ce2cb494c84b20183762adf','{}','active',1795615809868,1795702209868);
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
INSERT INTO "organization_invitations" VALUES('3xg0mluxcvsrqaj7i3nmr','jftiesrcsszl',NULL,'guest@example.com',NULL,'Pending',1795615808029,1795615808029,1795702208027);
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
INSERT INTO "organization_users" VALUES('jftiesrcsszl','2cwzykxtn1vf');
CREATE TABLE organizations (
    id              TEXT PRIMARY KEY,
    name            TEXT NOT NULL,
    description     TEXT,
    custom_data     TEXT NOT NULL,
    is_mfa_required BOOLEAN NOT NULL DEFAULT FALSE,
    created_at      BIGINT NOT NULL
, color TEXT NOT NULL DEFAULT '{}', branding TEXT NOT NULL DEFAULT '{}', custom_css TEXT, search_key TEXT NOT NULL DEFAULT '');
INSERT INTO "organizations" VALUES('jftiesrcsszl','Keepers',NULL,'{"plan":"team"}',0,1795615808021,'{}','{}',NULL,'jftiesrcsszl keepers');
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
INSERT INTO "personal_access_tokens" VALUES('2cwzykxtn1vf','laptop','3aa0a43529042eee92380410ece7b1f417a0daa2fa8e51397fdf870bf1cf0845',1795615809774,NULL);
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
INSERT INTO "plugin_versions" VALUES('jwt-access-token',1,'sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496','javascript',X'636F6E737420676574437573746F6D4A7774436C61696D73203D206173796E6320287B20636F6E746578742C20656E7669726F6E6D656E745661726961626C6573207D29203D3E20287B0A20207469636B65743A20636F6E746578742E6772616E743F2E7375626A656374546F6B656E436F6E746578743F2E7469636B65744964203F3F206E756C6C2C20726567696F6E3A20656E7669726F6E6D656E745661726961626C65732E524547494F4E2C0A7D293B',179,'{"kind":"claims","world":"claimsmith:plugin/claims","imports":["wasi:io/poll","wasi:clocks/monotonic-clock","wasi:clocks/wall-clock","wasi:io/error","wasi:io/streams","wasi:cli/stdout","wasi:cli/stderr","wasi:cli/stdin","wasi:cli/environment","wasi:cli/exit","wasi:cli/terminal-input","wasi:cli/terminal-output","wasi:cli/terminal-stdin","wasi:cli/terminal-stdout","wasi:cli/terminal-stderr","wasi:filesystem/types","wasi:filesystem/preopens","wasi:random/insecure-seed","claimsmith:plugin/log","claimsmith:plugin/http","claimsmith:plugin/random","claimsmith:plugin/types"],"instructions":null}',NULL,NULL,'1udrh9j3shxurdby84v08',1795615809718);
INSERT INTO "plugin_versions" VALUES('ticket',1,'sha256:6b2c493ed46cc46c354b46b3052b11a409983160b5b40e4f91b6ddb1785fe342','wasm',X'0061736D0D0001000746014204016D0405646562756704696E666F047761726E056572726F720400056C6576656C030000014002056C6576656C01076D657373616765730100040005777269746501020A2001001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30050007EF0101420E01730400046A736F6E030000016B01017202047479706573157375626A6563742D746F6B656E2D636F6E74657874020400056772616E74030003016B04017205056772616E74050475736572020B6170706C69636174696F6E020C6F7267616E697A6174696F6E020B696E746572616374696F6E02040007636F6E74657874030006016F02737301700801720305746F6B656E0107636F6E746578740715656E7669726F6E6D656E742D7661726961626C65730904000E636C61696D732D7265717565737403000A0171020664656E696564017300066661696C65640173000400076661696C75726503000C0A2201001D636C61696D736D6974683A706C7567696E2F747970657340312E302E3005010613010300010E636C61696D732D726571756573740A1401000E636C61696D732D72657175657374030002060C01030001076661696C7572650A0D0100076661696C757265030004060901030001046A736F6E0A0A0100046A736F6E03000601901C0061736D01000000012D0860037F7F7F0060000060017F017F60027F7F017F60017F0060037F7F7F017F60047F7F7F7F017F60027F7F000225011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30057772697465000003121101010203000204030301010504060702010405017001010105030100050608017F01418080100B076105066D656D6F727902000B5F696E697469616C697A6500021F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73000D0C636162695F7265616C6C6F63000E156765742D637573746F6D2D6A77742D636C61696D7300100AC9191102000B2300024041002802A080908000450D00000B410041013602A0809080001081808080000B3A01017F0240200041106A41041084808080002201450D0020012000AD420586420484370308200141106A0F0B410041303602A48090800041000BE80101037F410021020240417F200041046A220320032000491B220041012001742201200020014B1B2201417F6A672200450D0002400240412020006B220041FFFF0371417D6A2203410D4F0D0042012000AD42FFFF038386A72104200341027422002802DC809080002201450D01200041DC809080006A200420016A417C6A28020036020020010F0B2001418380046A41107610868080800021020C010B200041A8809080006A2101024020002802A880908000220041FFFF03710D0041011086808080002200450D012001200020046A36020020000F0B2001200020046A36020020000F0B20020BA60101017F02404120200141046A220141012002742202200120024B1B2202417F6A676B220141FFFF0371417D6A2203410D4F0D00200042012001AC86A76A417C6A200341027422022802DC80908000360200200220003602DC809080000F0B2000420141202002418380046A411076417F6A676B2202AD42FFFF038386A74110746A417C6A200241FFFF037141027422022802908190800036020020022000360290819080000B6401027F420141202000417F6A676B2200AD42FFFF038386A721010240200041FFFF03714102742202280290819080002200450D0020024190819080006A200141107420006A417C6A28020036020020000F0B41002001400022004110742000417F461B0B3402017E027F02402000450D0020004101200041786A2903002201A722027422036B20032001420588A76A20021085808080000B0B800302017E087F024020010D00200010878080800041000F0B024020000D0020011083808080000F0B417F4101200041786A2903002202A7220374220420016A220541046A220620062005491B22062004200620044B1B2106200020046B2107024002400240024020042002420588A722086A220941046A220A2004200A20044B1B220A418080024B0D002006417F6A672206450D0142014120200A417F6A676BAD42FFFF038386A74201412020066BAD42FFFF038386A7470D010C020B42014120200A418380046A411076417F6A676BAD42FFFF038386A7420141202006418380046A411076417F6A676BAD42FFFF038386A7460D010B0240200520031084808080002205450D00200520046A210502402001200820012008491B2206450D00410021040340200520046A200020046A2D00003A0000200441016A22042006490D000B0B2007200920031085808080000C020B410041303602A48090800041000F0B200720046A21050B200541786A2002421F832001AD4205868437030020050B6402017E017F0240024002402000AD2001AD7E2202422088A70D002002A7220310838080800022000D01410021000C020B410041303602A48090800041000F0B41002101034020032001460D01200020016A41003A0000200141016A21010C000B0B20000B0300000B02000BB00A010B7F23808080800041106B2203248080808000410021044100210541002106024002400240024020002D00084101470D0041002104410021054100210620002D00144101470D0020002802182205450D01200028021C2206450D0120052D000041FB00470D0120064102490D01200520066A2204417F6A2107200541016A21082004417E6A21090340024020082D000022054122460D00200541FD00460D03200841016A22082004490D010C030B024002400240200841016A220A20044F0D00200A210503400240024020082D0001220641DC00460D002005210520064122470D012008200A6B41016A210B200841026A220C20044F0D05200920086B2105034002400240200C2D0000220841776A220641174B0D0041012006744193808004710D010B2008413A470D070B200C41016A210C2005417F6A22050D000C050B0B200841026A21050B20052108200541016A22052004490D000B0B2007200A6B210B0B2004210C0B4100210D200C21080340024002400240200822062004490D00200421080C010B024020062D000022054122470D00200421080240200641016A220520044F0D0003400240024020062D0001220841DC00460D002005210520084122470D01200641026A21080C030B200641026A21050B20052106200541016A22052004490D000B200421080B200D0D030C010B02400240024002400240200D0D00410021080240200541A57F6A0E03020504000B200541857F6A0E03010403020B200541207241FB00460D00200D21080C030B200D41016A21080C020B2005412C470D010B200621080C010B0240200541207241FD00460D002008210D0C020B2008417F6A220D0D01200641016A21080B02400240200B4108470D00200A29000042F4D28DDBD68CDDA4E400510D010B200820044F0D050C030B200C450D0420032008200C6B220236020C2003200C3602084101200341086A108F808080004100210D419D80908000210A024020002802542206450D002000280250210502400340024020052802002204450D00200541046A2802004106470D00200428000041D0A495B20473200441046A2F000041C9B0017372450D020B200541106A21052006417F6A22060D000C020B0B2005410C6A280200210D200541086A280200210A0B41C4001083808080002206450D05200641FBC4003B0000024002400240200D41026A220541C500490D002006200541017441C0006A220410888080800022060D010C080B41C4002104200D450D010B200D450D00200641026A200A200DFC0A00000B0240200D410B6A220020044D0D002006200041017441C0006A22041088808080002206450D060B200620056A220541002D008B809080003A000820054100290083809080003700000240200D410D6A220D20044D0D002006200D41017441C0006A22041088808080002206450D060B200620006A41A2F4003B00000240200D20026A220520044D0D002006200541017441C0006A22041088808080002206450D060B2008200C460D032002450D032006200D6A200C2002FC0A00000C030B200641016A21080C000B0B0B02404101410220051B220D20056A220820044D0D002006200841017441C0006A1088808080002206450D020B0240200D450D00200620056A41818090800041808090800020051B200DFC0A00000B2001200836020420012006360200410121050C020B41002105200241003A0000410141111089808080002206450D00200241103602082002200636020420064100290095809080003700082006410029008D809080003700000C010B108A80808000000B200341106A24808080800020050B5E01017F024002400240024020002D00000E020001030B2000280208450D02410421010C010B02400240024020002D00040E020001040B200028020C0D010C030B200028020C450D020B410821010B200020016A2802001087808080000B0B210002402003450D002000200310888080800022020D00108A80808000000B20020B14002000200128020020012802041080808080000BF90401137F23808080800041F0006B2201248080808000410021020240024020002D00084101460D00410021030C010B0240024020002D00144101460D00410021040C010B200028021C210520002802182106410121040B20002802102107200028020C2108410121030B0240024020002D00204101460D000C010B200028022821092000280224210A410121020B4100210B0240024020002D002C4101460D004100210C0C010B2000280234210D2000280230210E4101210C0B0240024020002D00384101460D000C010B2000280240210F200028023C21104101210B0B410121110240024020002D00444101460D00410021110C010B200028024C2112200028024821130B2001201236026420012013360260200120113A005C2001200F360258200120103602542001200B3A00502001200D36024C2001200E3602482001200C3A0044200120093602402001200A36023C200120023A00382001200536023420012006360230200120043A002C2001200736022820012008360224200120033A00202001200029020037021820012000290250370268200141186A200141106A200141046A108C8080800021022001280214210B20012802102111200128020C2108200128020821072001280204210320001087808080000240024020020D00410041013A00D48190800002400240200341FF01710E020001030B410020083602E081908000410020073602DC81908000410041003A00D8819080000C020B410020083602E081908000410041013A00D881908000410020073602DC819080000C010B4100200B3602DC81908000410020113602D881908000410041003A00D4819080000B200141F0006A24808080800041D4819080000B0800108B808080000B0B260100418080100B1E7B7D007469636B65745F6964004E616D6520746865207469636B65742E00002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E3301700061736D0100000001070160037F7F7F000302010004050170010101071002013000000824696D706F72747301000A0F010D0020002001200241001100000B002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33020401000100060701000001000130022C02010105777269746500000000011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E301201060C0100020102066D656D6F72790185010061736D01000000010A0260037F7F7F006000000232030661637475616C01300000046D61696E0B5F696E697469616C697A650001047368696D0824696D706F72747301700101010801010907010041000B0100002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33060A01010000057772697465080801010000020300000221020101013000010002030661637475616C1203046D61696E1202047368696D12000713026A010701054001077265717565737403000806500300000102156765742D637573746F6D2D6A77742D636C61696D73000001020C636162695F7265616C6C6F63000001021F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73080D010000020403000403000504090B1B0100156765742D637573746F6D2D6A77742D636C61696D73010100008D050E636F6D706F6E656E742D6E616D6501A101000005002A696E6469726563742D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E302D7772697465012A696E6469726563742D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E302D777269746502156765742D637573746F6D2D6A77742D636C61696D73030C636162695F7265616C6C6F63041F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73010B00020100066D656D6F7279013900110300046D61696E01197769742D636F6D706F6E656E742D7368696D2D6D6F64756C6502137769742D636F6D706F6E656E742D66697875700152001205001B7769742D636F6D706F6E656E742D7368696D2D696E7374616E6365011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E3002046D61696E030661637475616C04056669787570013E0502001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30011D636C61696D736D6974683A706C7567696E2F747970657340312E302E30013701030005777269746501156765742D637573746F6D2D6A77742D636C61696D7302156765742D637573746F6D2D6A77742D636C61696D730182010308001E74792D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30012074792D636C61696D736D6974683A706C7567696E2F747970657340312E302E30020E636C61696D732D72657175657374030E636C61696D732D7265717565737404076661696C75726505076661696C75726506046A736F6E07046A736F6E013E0502001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30011D636C61696D736D6974683A706C7567696E2F747970657340312E302E30002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33',5324,'{"kind":"claims","world":"claimsmith:plugin/claims","imports":["claimsmith:plugin/log","claimsmith:plugin/types"],"instructions":null}',NULL,NULL,'1udrh9j3shxurdby84v08',1795615809769);
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
INSERT INTO "plugins" VALUES('jwt-access-token','{"order":0,"enabled":true,"on_error":"skip","token_kinds":["access-token"],"grant_types":null,"applications":null,"resources":null,"limits":{"deadline_ms":null,"memory_mib":null,"output_kib":null},"environment":{"REGION":"eu"},"secrets":{},"capabilities":{}}',NULL,1,1,1,'{"script":"const getCustomJwtClaims = async ({ context, environmentVariables }) => ({\n  ticket: context.grant?.subjectTokenContext?.ticketId ?? null, region: environmentVariables.REGION,\n});","environmentVariables":{"REGION":"eu"}}',1795615809718,1795615809718);
INSERT INTO "plugins" VALUES('ticket','{}',NULL,NULL,1,1,NULL,1795615809769,1795615809769);
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
INSERT INTO "refresh_tokens" VALUES('97f80c18e7cf3fb3720d85eef8273fc714c5a42f0df219946b96cb05f91f9be6','f5aproqm77pqv6ctjt4w8','2cwzykxtn1vf','lo68iou15xv5d3yyt7plu','{"redirectUri":"https://shop.example.com/callback","codeChallenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM","nonce":null,"scope":["openid","offline_access"],"resourceScope":[],"resources":[],"consented":null,"sessionId":"yiy8du1zwruf7blwyhbkf","authTime":1795615810,"amr":["pwd"],"acrValues":[],"interaction":{"interactionEvent":"SignIn","userId":"2cwzykxtn1vf","verificationRecords":[{"id":"9qks7w6alcctsk4h23vzl","type":"Password","identifier":{"type":"username","value":"keeper"},"verified":true}]}}','oiimxt680mfz92bez2jd2',1,NULL,1795615810216,1796825410215,NULL,NULL);
CREATE TABLE resources (
    id               TEXT PRIMARY KEY,
    name             TEXT NOT NULL,
    indicator        TEXT NOT NULL UNIQUE,
    is_default       BOOLEAN NOT NULL DEFAULT FALSE,
    access_token_ttl BIGINT NOT NULL,
    created_at       BIGINT NOT NULL
);
INSERT INTO "resources" VALUES('52srtocyp038f0j82bckc','Claimsmith Management API','http://127.0.0.1:3001/api',0,3600,1795615807294);
INSERT INTO "resources" VALUES('dg3yh5vvcsze0x8cij3ad','Example API','https://api.example.com',0,3600,1795615807294);
INSERT INTO "resources" VALUES('claimsmith-console','Claimsmith console','http://127.0.0.1:3001/console',0,3600,1795615807294);
INSERT INTO "resources" VALUES('3lqmssc859v5fmrwy7qyp','Shop','https://shop.example.com/api',0,3600,1795615807991);
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
INSERT INTO "role_scopes" VALUES('8mc7r9aqe1p72b80g0kbp','zx1iejcg0oijbvsac34s3');
INSERT INTO "role_scopes" VALUES('hu2mnr5m22qtku7gpfyun','3hfg7jnwcgwz95gwmw9x3');
INSERT INTO "role_scopes" VALUES('hu2mnr5m22qtku7gpfyun','0ndmr2k5sckaoc5vj4hwp');
INSERT INTO "role_scopes" VALUES('5unzytdt3wkq5vvc88iey','3hfg7jnwcgwz95gwmw9x3');
INSERT INTO "role_scopes" VALUES('claimsmith-console-role-read','claimsmith-console-scope-read');
INSERT INTO "role_scopes" VALUES('claimsmith-console-role-support','claimsmith-console-scope-support');
INSERT INTO "role_scopes" VALUES('claimsmith-console-role-developer','claimsmith-console-scope-developer');
INSERT INTO "role_scopes" VALUES('claimsmith-console-role-admin','claimsmith-console-scope-admin');
INSERT INTO "role_scopes" VALUES('z1wkfpkfk2sqrc4w1zagn','sgdqtjoiydq768d9slfdb');
CREATE TABLE roles (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    type        TEXT NOT NULL,
    is_default  BOOLEAN NOT NULL DEFAULT FALSE,
    created_at  BIGINT NOT NULL
, name_key TEXT NOT NULL DEFAULT '', description_key TEXT);
INSERT INTO "roles" VALUES('8mc7r9aqe1p72b80g0kbp','Management API access','Management API access','MachineToMachine',0,1795615807294,'management api access','management api access');
INSERT INTO "roles" VALUES('hu2mnr5m22qtku7gpfyun','customer','customer','User',0,1795615807294,'customer','customer');
INSERT INTO "roles" VALUES('5unzytdt3wkq5vvc88iey','support-engineer','support-engineer','User',0,1795615807294,'support-engineer','support-engineer');
INSERT INTO "roles" VALUES('claimsmith-console-role-read','Console: reader','See everything in the console but configuration.','User',0,1795615807294,'console: reader','see everything in the console but configuration.');
INSERT INTO "roles" VALUES('claimsmith-console-role-support','Console: support','Help users: unlock, suspend, end sessions, impersonate.','User',0,1795615807294,'console: support','help users: unlock, suspend, end sessions, impersonate.');
INSERT INTO "roles" VALUES('claimsmith-console-role-developer','Console: developer','Change applications, resources, webhooks and plugins.','User',0,1795615807294,'console: developer','change applications, resources, webhooks and plugins.');
INSERT INTO "roles" VALUES('claimsmith-console-role-admin','Console: administrator','Do everything in the console.','User',0,1795615807294,'console: administrator','do everything in the console.');
INSERT INTO "roles" VALUES('z1wkfpkfk2sqrc4w1zagn','shopper','Shops','User',0,1795615808008,'shopper','shops');
CREATE TABLE scopes (
    id          TEXT PRIMARY KEY,
    resource_id TEXT NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    description TEXT,
    created_at  BIGINT NOT NULL, name_key TEXT NOT NULL DEFAULT '', description_key TEXT,
    UNIQUE (resource_id, name)
);
INSERT INTO "scopes" VALUES('zx1iejcg0oijbvsac34s3','52srtocyp038f0j82bckc','all','Everything the Management API offers.',1795615807294,'all','everything the management api offers.');
INSERT INTO "scopes" VALUES('yyvs4zufj8v37gufmp89q','52srtocyp038f0j82bckc','users:read','Read users and their roles.',1795615807294,'users:read','read users and their roles.');
INSERT INTO "scopes" VALUES('q3vbtq46wcbtr1rdqlhc7','52srtocyp038f0j82bckc','users:write','Create, change and delete users.',1795615807294,'users:write','create, change and delete users.');
INSERT INTO "scopes" VALUES('r894ufbsgu6jdj1b2jg37','52srtocyp038f0j82bckc','roles:read','Read roles.',1795615807294,'roles:read','read roles.');
INSERT INTO "scopes" VALUES('27rx3y81ssjc9zokaj06q','52srtocyp038f0j82bckc','roles:write','Create, change and delete roles, and assign them.',1795615807294,'roles:write','create, change and delete roles, and assign them.');
INSERT INTO "scopes" VALUES('i6mzp1qeogz800nxfh518','52srtocyp038f0j82bckc','resources:read','Read API resources and their scopes.',1795615807294,'resources:read','read api resources and their scopes.');
INSERT INTO "scopes" VALUES('f4ni7akwgln50yd4gx4a0','52srtocyp038f0j82bckc','resources:write','Create, change and delete API resources and their scopes.',1795615807294,'resources:write','create, change and delete api resources and their scopes.');
INSERT INTO "scopes" VALUES('rn57c8m7jszs536ahtq43','52srtocyp038f0j82bckc','applications:read','Read applications.',1795615807294,'applications:read','read applications.');
INSERT INTO "scopes" VALUES('jrd38xoq0ohkex4d12etr','52srtocyp038f0j82bckc','applications:write','Create, change and delete applications and their secrets.',1795615807294,'applications:write','create, change and delete applications and their secrets.');
INSERT INTO "scopes" VALUES('5eh4urd0avq548ylyblwu','52srtocyp038f0j82bckc','organizations:read','Read organizations, their members, roles, scopes and invitations.',1795615807294,'organizations:read','read organizations, their members, roles, scopes and invitations.');
INSERT INTO "scopes" VALUES('ym3y1g9erj0fa9fspqj56','52srtocyp038f0j82bckc','organizations:write','Create, change and delete organizations, their members, roles, scopes and invitations.',1795615807294,'organizations:write','create, change and delete organizations, their members, roles, scopes and invitations.');
INSERT INTO "scopes" VALUES('pc2asu1c86xv0uzavm58u','52srtocyp038f0j82bckc','hooks:read','Read webhooks and their deliveries.',1795615807294,'hooks:read','read webhooks and their deliveries.');
INSERT INTO "scopes" VALUES('nbdczdjknm0hpqrb2q0ly','52srtocyp038f0j82bckc','hooks:write','Create, change and delete webhooks.',1795615807294,'hooks:write','create, change and delete webhooks.');
INSERT INTO "scopes" VALUES('wuz2ghy5zvtggui5sq3iy','52srtocyp038f0j82bckc','configs:read','Read the configuration kept in the database, such as signing keys.',1795615807294,'configs:read','read the configuration kept in the database, such as signing keys.');
INSERT INTO "scopes" VALUES('i67oufj44357cw7ljz8p1','52srtocyp038f0j82bckc','configs:write','Change the configuration kept in the database, such as signing keys.',1795615807294,'configs:write','change the configuration kept in the database, such as signing keys.');
INSERT INTO "scopes" VALUES('71lai45iozpbsydb00k32','52srtocyp038f0j82bckc','logs:read','Read the audit log and the dashboard.',1795615807294,'logs:read','read the audit log and the dashboard.');
INSERT INTO "scopes" VALUES('p19kexlh8cmbrdlsk5bp5','52srtocyp038f0j82bckc','subject-tokens:read','Read which subject tokens are live, and who acted for whom.',1795615807294,'subject-tokens:read','read which subject tokens are live, and who acted for whom.');
INSERT INTO "scopes" VALUES('b71w2ilhvlhfsto1ifit1','52srtocyp038f0j82bckc','subject-tokens:write','Ask for subject tokens, revoke them, and end impersonations.',1795615807294,'subject-tokens:write','ask for subject tokens, revoke them, and end impersonations.');
INSERT INTO "scopes" VALUES('06esit7buqcthf6bckkn8','52srtocyp038f0j82bckc','plugins:read','Read the state of plugins.',1795615807294,'plugins:read','read the state of plugins.');
INSERT INTO "scopes" VALUES('c0z6mweaf0w2oxlpxe4il','52srtocyp038f0j82bckc','plugins:write','Upload, change and delete plugins.',1795615807294,'plugins:write','upload, change and delete plugins.');
INSERT INTO "scopes" VALUES('m4kwmkvqtyjiomsfjnbw9','52srtocyp038f0j82bckc','plugins:secrets','Run tests of plugins with their secrets.',1795615807294,'plugins:secrets','run tests of plugins with their secrets.');
INSERT INTO "scopes" VALUES('jtz15yemmsr1siqt7o0e7','52srtocyp038f0j82bckc','plugins:grant','Grant plugins what they ask to reach.',1795615807294,'plugins:grant','grant plugins what they ask to reach.');
INSERT INTO "scopes" VALUES('3hfg7jnwcgwz95gwmw9x3','dg3yh5vvcsze0x8cij3ad','resource:read','Read your data',1795615807294,'resource:read','read your data');
INSERT INTO "scopes" VALUES('0ndmr2k5sckaoc5vj4hwp','dg3yh5vvcsze0x8cij3ad','resource:write','Change your data',1795615807294,'resource:write','change your data');
INSERT INTO "scopes" VALUES('claimsmith-console-scope-read','claimsmith-console','console:read','See everything in the console but configuration.',1795615807294,'console:read','see everything in the console but configuration.');
INSERT INTO "scopes" VALUES('claimsmith-console-scope-support','claimsmith-console','console:support','Help users: unlock, suspend, end sessions, impersonate.',1795615807294,'console:support','help users: unlock, suspend, end sessions, impersonate.');
INSERT INTO "scopes" VALUES('claimsmith-console-scope-developer','claimsmith-console','console:developer','Change applications, resources, webhooks and plugins.',1795615807294,'console:developer','change applications, resources, webhooks and plugins.');
INSERT INTO "scopes" VALUES('claimsmith-console-scope-admin','claimsmith-console','console:admin','Do everything in the console.',1795615807294,'console:admin','do everything in the console.');
INSERT INTO "scopes" VALUES('sgdqtjoiydq768d9slfdb','3lqmssc859v5fmrwy7qyp','read:carts','Read carts',1795615808002,'read:carts','read carts');
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
INSERT INTO "sessions" VALUES('yiy8du1zwruf7blwyhbkf','a063d05e99b0c2e755f71210b25a4e31af50a829198b631457f8c6b005d1645f','2cwzykxtn1vf','{"amr":["pwd"],"ip":"127.0.0.1","userAgent":"Python-urllib/3.11","interaction":{"interactionEvent":"SignIn","userId":"2cwzykxtn1vf","verificationRecords":[{"id":"9qks7w6alcctsk4h23vzl","type":"Password","identifier":{"type":"username","value":"keeper"},"verified":true}]}}',1795615810203,1795615810210,1796825410203);
CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO "settings" VALUES('bootstrap','1');
INSERT INTO "settings" VALUES('demo','1');
INSERT INTO "settings" VALUES('demo.client','3ybp2s7shrptvosws0g1d');
INSERT INTO "settings" VALUES('demo.backend','1udrh9j3shxurdby84v08');
INSERT INTO "settings" VALUES('demo.customer','p1wtfpgpmm9z');
INSERT INTO "settings" VALUES('demo.resource','https://api.example.com');
CREATE TABLE sign_in_attempts (
    -- SHA-256 (hex) of what is counted.
    hash       TEXT PRIMARY KEY,
    failures   BIGINT NOT NULL,
    -- When they are forgotten: an hour after the first, or at the end of the lock-out.
    expires_at BIGINT NOT NULL
, lockouts BIGINT NOT NULL DEFAULT 0);
INSERT INTO "sign_in_attempts" VALUES('55e86fff236b032fbfa2f96dd4e1e8b7f868cc1d9f9b869c9b0deebdcbae386e',1,1795616409872,0);
INSERT INTO "sign_in_attempts" VALUES('5cb01652e9d4c3a822628b8cb5cad545ebe438dfbcb8533942aea3079556bb53',0,1795619410146,0);
CREATE TABLE sign_in_experiences (
    id       TEXT PRIMARY KEY,
    settings TEXT NOT NULL
);
INSERT INTO "sign_in_experiences" VALUES('default','{"color":{"primaryColor":"#0f766e","isDarkModeEnabled":true,"darkPrimaryColor":"#818cf8"},"branding":{},"languageInfo":{"autoDetect":true,"fallbackLanguage":"en"},"termsOfUseUrl":null,"privacyPolicyUrl":null,"agreeToTermsPolicy":"Automatic","supportEmail":null,"supportWebsiteUrl":null,"unknownSessionRedirectUrl":null,"signInMode":"SignInAndRegister","signUp":{"identifiers":["username"],"password":true,"verify":false},"signIn":{"methods":[{"identifier":"username","password":true,"verificationCode":false,"isPasswordPrimary":true}]},"socialSignIn":{},"socialSignInConnectorTargets":[],"singleSignOnEnabled":false,"mfa":{"factors":[],"policy":"UserControlled"},"adaptiveMfa":{},"trustedDevice":{},"passkeySignIn":{},"passwordPolicy":{},"passwordExpiration":{},"usernamePolicy":{"caseSensitive":false,"minLength":1,"maxLength":128,"allowedChars":{"lowercase":true,"uppercase":true,"numbers":true,"underscore":true}},"forgotPasswordMethods":null,"verificationCodePolicy":{},"sentinelPolicy":{},"captchaPolicy":{},"emailBlocklistPolicy":{},"signUpProfileFields":null,"customCss":null}');
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
INSERT INTO "signing_keys" VALUES('qbVoj6dU5W9z1s98fF_RUCSnUVH9OBQ3EOGVMsBRF48','ES256','{"kid":"qbVoj6dU5W9z1s98fF_RUCSnUVH9OBQ3EOGVMsBRF48","use":"sig","alg":"ES256","crv":"P-256","kty":"EC","x":"uPysO_DiazBnz3dC89TwDq2JS0LkhDGBGKtP5ESKwz0","y":"ImyWjrLvZX1vTNGVckNiqXl_7m3bz11GuzWfRg-_F2U"}','QBcjAuhV1b4KDJSuN4d5eYwjZK+CNV6obz/mQHtqHy/aZbW7GrPPAM35TMDQcFZSy7Nq9Je6ihnaCgYL44cM3DpNR3HGYWKgP4fslxTcMqj7tBJp6Lgk+8Tv02Y6oobVK7LIoieejKw0SkvXfSPTxdFl2Kge972UI4Sv2Ns4VkW5vZU1DxeLOx3xzzS1btLWlz+UX5cA+d+TIbDF/JQ0OvIwO04jMxCS8Do=',1795615807294,1795615807294,NULL);
INSERT INTO "signing_keys" VALUES('gHVZyEjzubTwiHP5zaOiAVTdeH0y5ah0Uxj7gfXvK0M','RS256','{"kid":"gHVZyEjzubTwiHP5zaOiAVTdeH0y5ah0Uxj7gfXvK0M","use":"sig","alg":"RS256","e":"AQAB","kty":"RSA","n":"yfCOFJe6aW3ZL70TI3Fxv1HmA1IY5cDJpsloLmfvQOPDO-7ARO0ep9PxhlLgxBFu4KpL4vuvrkLIMFWCQhw1nvXiUntMYeWsR4kVAyRu9e1vwZUkwCVawowtNreN8FJOalI-VvnGI0oPrUbWLNkKcYgw5rocT-RsNkcHuKS_W9Gqt17RQiXZqRehx61YBkGju4IEVwFXoftFJPvclU55DT-2nXdyL5FDRU26cxcQsd8pPu1BvS-UcSghKeUSIMUDlC76bvW9K7YzsJg-g67FE73CpoX8NnEyTaj5sV_upkLz47fvbxEay2LupWWfqB_s0_gF4o3ynOIjz5PmEEFVEQ"}','QBcjAt6db/C++yuyAyCaSdtpf5vbR5S0y1TJKB2gtJnotj9PczMVRIgrh865AmyQtFqh/hEVX8cuF3iLuiKLuEKcvx0/oCb1X/4VJLtoQieyG1Oijp/6UvzZSUG4StdqQPoHC4KzjOC/HpOHpfd+QFxBkSdLEkEoBYMoR1hN38tgVgOP9xsAEIUbQL6AlpcxPvANi0uzD6Ytvt21GiDBem6hYd03ulEkYzvnfeXKMix5HjD2DpcQZKYMP/pwy6t80P8c7ZRE+8TgIYVV1mePL11u84T4OJBBE3tiLIeOEgKYIPkk5YAKLPPkm11DEKxyvi1r5worhSn/AUWQKECtZy6reL3LzWZ31RYETaakbjclJs0sn7MXPcDQF0n2atK4ce4N0Y1fF6Je3PLvzVu2/daPn39QAVVX3Vs8IoDe8LAzYA2MtptPk4uHpNMml/IqcFIZ01Lq53TJKrdVpocDeLoaapy7zslfSoxEFtV80ktYlLw92Sp+zFAaiQqmAu/YLu6v3cRP7F3+46twYuRuiJWMTiJfaeNbr9uo7Srn4wbQ95iXQF5iftteDvVKy+KOpxGsVjHLHSwutHfyv3m8CIG5H0q+bDhEgckQRDMfmr+6c9Mx7hU0wqof7bv+ZPrgvqCTRtb5cZ8AAyjTOvfmrykb5g5SQSPQSXo30lMR80ibaaaWayghbbNkQEHC+BD4snt5k7FVzMXXY8crhHasYqfo+Q13DQ9IlLtMNh8aW9PsRNrM0zsL5KkhyjE6ICxo8tpsJoAmX2ARkAnTPuRdJVGFP49IvrLW/7EubCG4EHrlRPlX10IggcQrP8E+rV23RqSDBcdy41QYwheVSCGGoRrm67TYCcF5o3ogS8q+Z8S2vEwUxbsFmxPM1WX7wZNo43b9gMzNRJVwYCdpK0a/unWeI5Yk/GTAStf/y3iCmCuAewq06G02eOk92RmBIwXUv4M8xXpLG8aoSBwh76Ht1ZThG2vRkU8gJYNNvUwrO3VOyE6beFRhngbwfjkUbz8zosJmgveTMOm93QN+LhujJLMVHoLdoLX/vNDIQRW8Jtv/vX50ZOKmW7FVkixI8TJjF9Zr4o9QIHlG0TUKRWwTHNoSlc/alsqRypaMNV8Entw1NoddKd9kPnbfCnjY81bcYO7qyj4m9R6Y4iASTMGU4MeTFgB+tKWe9zbS/lHsEsBtr3MrDAQx20krjV+glLG2RGtM4AD0NbW037jMMLzAn8kUQjRAq8Q9g3MJppdzZ9mAuagqWfYknCGkwwQMN4jKdGF2Cycap/KICCXi/Ipj9i7+kntT1x2Q48mCoFyiUz/K0jv2rSgeRMqezEMQsMtvzW9q6X7M2p+UBoJ0NgyOUyjOvDuN0h4BKbyN8OguFWO8rhVWoJjI02tGkHBE1TlImFvzj6U9Qm+bHXiYdCrtpXX1tWPTyLzFfc69uROhWOjF2KINIGYL2Xc/d6Z+y7EtZvCOK8LB2PmdndorzvxRfyMw19PyR4+5A8RJDIKsxtziV1Z51H3BejYk4CrqUWmmFFXVdsRRtbxJ2Uw2EBBFAKBMRbU5NMreITNEUy1ym9h1u2VRaqajOqRUbxFIt9EixiK+hai6/gx/ssKGZT8/hkFDD/qOHP3IxKM0ccbHJx638u173kM6X2K8TkFeFzwG1+wr',1795615807294,1795615807294,NULL);
CREATE TABLE sso_connector_domains (
    sso_connector_id TEXT NOT NULL REFERENCES sso_connectors (id) ON DELETE CASCADE,
    domain           TEXT NOT NULL,
    PRIMARY KEY (sso_connector_id, domain)
);
INSERT INTO "sso_connector_domains" VALUES('4wen0gyvolkbv21uiyk4v','acme.example');
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
INSERT INTO "sso_connectors" VALUES('4wen0gyvolkbv21uiyk4v','OIDC','Acme','acme','QBcjAnzHLBVmHYZl7Kz3k2SdrDkybv7yzggJcUkzQSRuOA==','{}',0,0,1795615809783);
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
INSERT INTO "subject_tokens" VALUES('mww7ai52snntfwgnllb5p','2996e86f493bd0d827e6495e34341805596b3e9b7fdc82692c1993b279ee7764','p1wtfpgpmm9z','{"ticketId":"TECH-1234","reason":"a stuck order"}','1udrh9j3shxurdby84v08',1795615809878,1795616409878,1795615809900);
INSERT INTO "subject_tokens" VALUES('mww7ai58ii1htf66dr8w2','7817b5a6f7b04409943b2020658f397d94f84a259b9f855cd1dbb9c9ac50c873','p1wtfpgpmm9z','{"ticketId":"TECH-1234","reason":"a stuck order"}','1udrh9j3shxurdby84v08',1795615809884,1795616409884,NULL);
CREATE TABLE totals (
    name  TEXT NOT NULL,
    slot  INTEGER NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (name, slot)
);
INSERT INTO "totals" VALUES('users',0,4);
CREATE TABLE trusted_devices (
    id           TEXT PRIMARY KEY,
    user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- SHA-256 (hex) of the browser's cookie. Several users of one browser may have it.
    hash         TEXT NOT NULL,
    user_agent   TEXT,
    -- Where it was when it was last used.
    ip           TEXT,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    UNIQUE (hash, user_id)
);
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
INSERT INTO "user_identities" VALUES('github','gh-1','2cwzykxtn1vf');
CREATE TABLE user_roles (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role_id TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, role_id)
);
INSERT INTO "user_roles" VALUES('p1wtfpgpmm9z','hu2mnr5m22qtku7gpfyun');
INSERT INTO "user_roles" VALUES('70d03qgy47kb','5unzytdt3wkq5vvc88iey');
INSERT INTO "user_roles" VALUES('2cwzykxtn1vf','z1wkfpkfk2sqrc4w1zagn');
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
INSERT INTO "users" VALUES('p1wtfpgpmm9z','customer','customer@example.com',NULL,'$argon2id$v=19$m=19456,t=6,p=1$yJb0kH6fMo+CDLXw8l6fYg$TMZiShIpbdB7K2mgOF53+QSwxbk91sKWjc/dKr+D/Hg','Argon2id','Casey Customer',NULL,'{}','{}','{}',NULL,0,NULL,1795615807294,1795615807898,3,'customer','customer@example.com','casey customer',1,'{}');
INSERT INTO "users" VALUES('70d03qgy47kb','engineer','engineer@example.com',NULL,'$argon2id$v=19$m=19456,t=2,p=1$HntTU+Opl5R55V6gwXGHEQ$H8XbPnmzo/OmB8FqksY5A9Fq4sWNHk6/1kfUFsKf02s','Argon2id','Erin Engineer',NULL,'{}','{}','{}',NULL,0,NULL,1795615807294,1795615807294,2,'engineer','engineer@example.com','erin engineer',2,'{}');
INSERT INTO "users" VALUES('2cwzykxtn1vf','keeper','keeper@example.com',NULL,'$argon2id$v=19$m=19456,t=6,p=1$z30AGlRMNtgGnt05P5AFDA$rUKsRjpO66SX+0CIg2XnAIEZ6F12WxjXTC6aFBk9mjw','Argon2id','Ada Lövelace',NULL,'{"tier":"gold"}','{"github":{"userId":"gh-1","details":{"name":"Ada"}}}','{"nickname":"Ada"}',NULL,0,1795615810203,1795615807985,1795615809788,5,'keeper','keeper@example.com','ada lövelace',3,'{}');
INSERT INTO "users" VALUES('uhp77b43sfdt','careful',NULL,NULL,'$argon2id$v=19$m=19456,t=6,p=1$FrNCIClcQZZhrf55IXBNtg$iH9s6udWbOYAo5/e/XNoAz5ts0B62h8QJABd1dVOO2I','Argon2id',NULL,NULL,'{}','{}','{}',NULL,0,NULL,1795615809845,1795615809845,1,'careful',NULL,NULL,4,'{}');
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
INSERT INTO "verification_codes" VALUES('64888be82cd750fef835edbd9ec3d3e586ef544c336673bf39884f3bb14a0e10','qrpjar0so1v9bfvjx2fvy','QBcjAj16YCEgww1sYG8aHDgN2G9AavwSTDA94UJyr9HZkYF4',0,1795616409873);
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
, details TEXT NOT NULL DEFAULT '{}');
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
CREATE INDEX trusted_devices_by_user ON trusted_devices (user_id, last_used_at);
CREATE INDEX trusted_devices_by_expiry ON trusted_devices (expires_at);
CREATE INDEX avatars_of_user ON avatars (user_id);
CREATE INDEX avatars_of_interaction ON avatars (interaction_id) WHERE interaction_id IS NOT NULL;
CREATE INDEX avatars_by_expiry ON avatars (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX console_sessions_by_session ON console_sessions (session_id);
CREATE INDEX console_sessions_by_user ON console_sessions (user_id);
CREATE INDEX console_sessions_by_creation ON console_sessions (created_at);
CREATE INDEX console_links_by_user ON console_links (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX console_links_by_expiry ON console_links (expires_at);
CREATE INDEX hook_receiver_requests_in_order ON hook_receiver_requests (receiver_id, received_at, id);
CREATE INDEX logs_by_actor ON logs (actor_id, created_at)
    WHERE actor_id IS NOT NULL AND substr(key, 1, 12) <> 'TriggerHook.';
CREATE INDEX logs_by_ticket ON logs (ticket_id, created_at)
    WHERE ticket_id IS NOT NULL AND substr(key, 1, 12) <> 'TriggerHook.';
CREATE INDEX logs_failed ON logs (created_at)
    WHERE substr(key, 1, 12) <> 'TriggerHook.'
    AND CASE WHEN json_valid(payload) THEN json_extract(payload, '$.result') END = 'Error';
CREATE INDEX issuances_by_expiry ON issuances (expires_at) WHERE subject_token_id IS NULL;
CREATE INDEX impersonations_by_expiry ON issuances (expires_at) WHERE subject_token_id IS NOT NULL;
CREATE INDEX users_suspended ON users (place) WHERE is_suspended;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('deliveries',4);
INSERT INTO "sqlite_sequence" VALUES('messages',1);
COMMIT;
