BEGIN TRANSACTION;
CREATE TABLE _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
);
INSERT INTO "_sqlx_migrations" VALUES(1,'identity','2026-11-30 08:44:15',1,X'019C0C3FB83D8562E02DCE28B287374FF43C9C77D3BAF0439D2D1EFC048DB69AC88968D51CD605D240D608E336323BA8',9582403);
INSERT INTO "_sqlx_migrations" VALUES(2,'tokens','2026-11-30 08:44:15',1,X'ED768B8D7003E52C390005136F0C77894314C04B09EBC27A56835F5957FDB1BEF16E6A2DDF32F4B41695CA56D72882C0',988621);
INSERT INTO "_sqlx_migrations" VALUES(3,'plugins','2026-11-30 08:44:15',1,X'56B41C9177F95C73043F6D0E913575580E814CBF429D310A7FC482FCA941968FDFFD0BCA61342B66A90FA12B10EA0016',2560541);
INSERT INTO "_sqlx_migrations" VALUES(4,'webhooks','2026-11-30 08:44:15',1,X'3A1F3CCDCF7EE9EC5A055D0892048D1205DF1513D7832723DC9D20D9F98AB1789A74294402EEE67F44636321A3C37BC2',995081);
INSERT INTO "_sqlx_migrations" VALUES(5,'users','2026-11-30 08:44:15',1,X'B45EE6AE4BF9D9E4D074720DB9F44DC1BCACA301BEE75BC6A268FDE7D347E0EFFAEF61FD34FBD3C7BD04B90420975505',8102229);
INSERT INTO "_sqlx_migrations" VALUES(6,'organizations','2026-11-30 08:44:15',1,X'5DB8E54EDE965B4C462F22B58784CC4338857E0C3E4AEAD0FEB15149D6C36B4320EBE8541762E5D0D1C73592488E5DB8',11329934);
INSERT INTO "_sqlx_migrations" VALUES(7,'audit','2026-11-30 08:44:15',1,X'E50DFB5C33CB33173ED0E4E6617A6CD5DD3D7A53932C686CA13375DA09260F24FE8B5EF3F97E00DC5F6A41F15AB2FA14',9658135);
INSERT INTO "_sqlx_migrations" VALUES(8,'roles','2026-11-30 08:44:15',1,X'8DA7E11AF6D967B975BA6869CAECEBE06162C68FCAF0791871F12986BE7A2D66E3237A262E920F76CE2C0FFD5FE40436',14219604);
INSERT INTO "_sqlx_migrations" VALUES(9,'delivery','2026-11-30 08:44:15',1,X'6EEAFA10E8EEEDB363BCA9658F99F7C1A283B0CF3D588036F4655341E6726E265CA3F532914596356955AE334C6827A3',91309345);
INSERT INTO "_sqlx_migrations" VALUES(10,'users in order','2026-11-30 08:44:15',1,X'E10F0B4F9D336A66C7F04917B4719D43F71FC641AA317E166E1D91715C729E006B5D4882138BBCD828CBA0CE1A5C7635',972076);
INSERT INTO "_sqlx_migrations" VALUES(11,'user settings','2026-11-30 08:44:15',1,X'CDBA4618C93FEFE5D2206BC0C7B5BEBE97FD7A87BE466A99BBAB8703DF7725B3F8D9504E836A89F510721F4ECE50F46B',6265786);
INSERT INTO "_sqlx_migrations" VALUES(12,'authorization changes','2026-11-30 08:44:15',1,X'DDBEED754CF251923426AA33F5AFEB0FF5ED30C4CD24B2D2D4315A0721C10C9FECBD27E0220161AB784C4AD1A4683974',203253);
INSERT INTO "_sqlx_migrations" VALUES(13,'sign in','2026-11-30 08:44:15',1,X'177B768027589BAA338414BCDCD00726A0407325B245F9B80B54DADDE9A6FC7E93BB5D926E2346B25ACAEC4748F1DF03',349551);
INSERT INTO "_sqlx_migrations" VALUES(14,'sessions','2026-11-30 08:44:15',1,X'64E9A43D87D09330A97EDF50537C409E9945AEF42CE5B6C7CD49186354B1A249731B412DDEE411B1192C46741667BC8C',12523861);
INSERT INTO "_sqlx_migrations" VALUES(15,'attempts','2026-11-30 08:44:15',1,X'EA399475917C3269543142674E4F438E22BB9C4D26DE2B1D955F326FEBBF8589FAF7D9E331E5CCF23A72BE30FB26801C',1011325);
INSERT INTO "_sqlx_migrations" VALUES(16,'backchannel logout','2026-11-30 08:44:15',1,X'FB420FFD487E664283F9C0060F8DF4895B24FAC57FE5F1CC200763E7A752F34371EEFA33027B74B288D48728CA02B09A',10304738);
INSERT INTO "_sqlx_migrations" VALUES(17,'devices','2026-11-30 08:44:15',1,X'B24A4487235B846E95A50468D117A402D9EEDBE77CCC84AA39A726CD4A7CE41F8EC2085888FAC1247515888A3614B4AA',9478052);
INSERT INTO "_sqlx_migrations" VALUES(18,'client assertions','2026-11-30 08:44:15',1,X'95A23F5E22A64FDCE8F052082A45A6D65D28DB9B7D9698BB4485487AC2DF1145959E2D0F690A471D13B52A4E76038C24',7508255);
INSERT INTO "_sqlx_migrations" VALUES(19,'known browsers','2026-11-30 08:44:15',1,X'00905B547D33D9F96EF7C1AB65BBB6E8D3B31C9686A2DBD0D37D3072BAFE502523BB2C4BA8136781355D1A4DFFB35A08',6786501);
INSERT INTO "_sqlx_migrations" VALUES(20,'factor use','2026-11-30 08:44:15',1,X'D1DFD9CF9BB7E1AC6EBDE3861220A86B84D2970FC92685ABEB2B11FB4BF13AB01C7015DB7B9B8AF8F1583C06A543C8AB',940519);
INSERT INTO "_sqlx_migrations" VALUES(21,'messages','2026-11-30 08:44:15',1,X'06857D3D592440F58561C8264B149C02C08FAE55A32543465A5A236CAD608401AC39B5510DA4B222FCA08A2D2FDF4E36',871257);
INSERT INTO "_sqlx_migrations" VALUES(22,'codes','2026-11-30 08:44:15',1,X'3028E4322D018D51CCEB41918A9D37FCA667744F157F56143D75C67EE3B388A43EFDED753472F063B8DB1559FB1802ED',3213983);
INSERT INTO "_sqlx_migrations" VALUES(23,'enterprise','2026-11-30 08:44:15',1,X'D59C1C5F648107F987328CF32839C23038126F221059CA0A8EF7EB1B161CE91786DC3737A4FBF8C1CE905BF280149AA8',11988925);
INSERT INTO "_sqlx_migrations" VALUES(24,'own account','2026-11-30 08:44:15',1,X'B599678B5AEBC40225734E3FE352C8FFB6EE038C57BDE2923EA6D200C924C6D769D589C73C4FBFEDA4E304318208D1B7',2369987);
INSERT INTO "_sqlx_migrations" VALUES(25,'passkeys','2026-11-30 08:44:15',1,X'8199AA0778933A32195A2DC0B7BC014AD032360B44FE9BD1EF51379AD0DB2A218C2983374FCEC89DFF091CD6135E46E4',341598);
INSERT INTO "_sqlx_migrations" VALUES(26,'proofs','2026-11-30 08:44:15',1,X'B344879717825FFC3454EB7592BBD3911833C90904194FD268A8BF26896924BECA14E40EC43248DF1431D93CCA514DBC',1166215);
INSERT INTO "_sqlx_migrations" VALUES(27,'captcha','2026-11-30 08:44:15',1,X'5BB999CB3FBA89138610D477B740233BAFB9797281148AC97DC09F93B37D6949B038168046E903E09048C30300716EA9',282150);
INSERT INTO "_sqlx_migrations" VALUES(28,'profiles','2026-11-30 08:44:15',1,X'8058DCD3F1A28D3F66769E523F1E9712F3F90AC30DF40D748F8C1E5412B2D585A6A56005CFBD6B2B951C434BF627CD3C',502378);
INSERT INTO "_sqlx_migrations" VALUES(29,'console','2026-11-30 08:44:15',1,X'17357DD7437C28897E5319AFD13458CDDA02CD35777BFF8E220F0BD79926FFE5D352F593FEA77A9055385879C49383A8',3651124);
INSERT INTO "_sqlx_migrations" VALUES(30,'operations','2026-11-30 08:44:15',1,X'865152BD8EE4111DF4642213C2B8796076AF4EB839F7C80F8069E667C6373C19D7F1A06F976EE674F2BE22E787733A66',22456745);
INSERT INTO "_sqlx_migrations" VALUES(31,'users by name','2026-11-30 08:44:15',1,X'8662CAD3B65D8074A04B1CE22257525922C55307D06A9E57ACF98490B03657880BE93689E38AAF09DE397F018432BF3E',8205653);
INSERT INTO "_sqlx_migrations" VALUES(32,'member counts','2026-11-30 08:44:15',1,X'4FC352366A1ED47A62DCF6DDAF130D5DD56017FF92FB8FF7CF361CE6AD07CD7462BACAED118F225DC43EA97B36EC16B2',1533182);
INSERT INTO "_sqlx_migrations" VALUES(33,'password work','2026-11-30 08:44:15',1,X'375EAB9AE61E3DEBDEDB079E968459152DC77FBFF25E7D5238B79137F6894F9735E0BBB9D0F17DA018437D0ECFD861E1',6702246);
INSERT INTO "_sqlx_migrations" VALUES(34,'administrators elsewhere','2026-11-30 08:44:15',1,X'93E19CE5DA5DF7CAA46116D83FC80288040005960B25951CAF9D0F0567B6060E0BCEDAE10B5845C7827F7FF206509216',17679995);
INSERT INTO "_sqlx_migrations" VALUES(35,'refresh families','2026-11-30 08:44:15',1,X'3E333309C58F60C9CE29D0CAAB55103D2F534062FBBF7DD6663CECCDF87106A4BE3904E36090BCEFCE3B370ECA5B0089',139969470);
INSERT INTO "_sqlx_migrations" VALUES(36,'client assertion audience','2026-11-30 08:44:15',1,X'1B5F494717542088ABDFB40A64B2A606E14E30C4427AC89C37E09DFBB9DA9AC9FB2201BAE365A48C7E83155CB6D74AC9',12657649);
INSERT INTO "_sqlx_migrations" VALUES(37,'kept settings','2026-11-30 08:44:15',1,X'5F5E39211324420D8FDB64969D07E44F038DD0B99C184C517A665C51A7CD8276154C86E33A941DD8858D0D0B19B94633',4648990);
INSERT INTO "_sqlx_migrations" VALUES(38,'imported password work','2026-11-30 08:44:15',1,X'25A14E2EBC1EF4CD1373F7A3FB4C39509D69A7075078209F1E679C0C70D21923874AA0651F1EF4D312B5A9AED388B0BD',6081441);
INSERT INTO "_sqlx_migrations" VALUES(39,'pushed requests','2026-11-30 08:44:15',1,X'54704F425201A704E333EC1D8268BEE5ADE345B7B539A2E1898BF033255075B053DE52A0082800F5F95F9A417AF5431A',14920628);
INSERT INTO "_sqlx_migrations" VALUES(40,'third parties','2026-11-30 08:44:15',1,X'42CDDFAC1EF40171754DE8DDCB706C80362F8797A57C222C7265E087B6F14F93729AC578BCB6DC3CF22819F0D6F0E4F5',2292823);
INSERT INTO "_sqlx_migrations" VALUES(41,'password age','2026-11-30 08:44:15',1,X'2F71DC132CF7A521790DF8AAA9AE0ACDE15AB236876C11BA08CEF354E24F4226EDE8EA01E7617501D9956128979C987E',31985336);
INSERT INTO "_sqlx_migrations" VALUES(42,'single event','2026-11-30 08:44:15',1,X'AAD3BD52565BBFDAEE88A002526250892F2095191481F4E9A019872906EE6F585328D5E12C9B68871706DCB24A7AA366',35910158);
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
INSERT INTO "activity" VALUES(1796028300000,'deliveries','','fx572xr6vyeq6uzfpsnzd',8,8,45000,29000);
INSERT INTO "activity" VALUES(1796028300000,'messages','','fx572xr6vyeq6uzfpsnzd',1,1,5635,5635);
INSERT INTO "activity" VALUES(1796028300000,'plugins','jwt-access-token','fx572xr6vyeq6uzfpsnzd',2,0,4602,3534);
INSERT INTO "activity" VALUES(1796028300000,'signIns','','fx572xr6vyeq6uzfpsnzd',1,0,0,0);
INSERT INTO "activity" VALUES(1796028300000,'tokens','authorization_code','fx572xr6vyeq6uzfpsnzd',1,0,22372,22372);
INSERT INTO "activity" VALUES(1796028300000,'tokens','client_credentials','fx572xr6vyeq6uzfpsnzd',1,0,12190,12190);
INSERT INTO "activity" VALUES(1796028300000,'tokens','token_exchange','fx572xr6vyeq6uzfpsnzd',1,0,5873,5873);
CREATE TABLE application_access_organization_roles (
    application_id       TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    organization_id      TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    organization_role_id TEXT NOT NULL REFERENCES organization_roles (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, organization_id, organization_role_id)
);
CREATE TABLE application_access_organizations (
    application_id  TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    organization_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, organization_id)
);
CREATE TABLE application_access_roles (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    role_id        TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, role_id)
);
CREATE TABLE application_access_users (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    user_id        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, user_id)
);
CREATE TABLE application_consent_limits (
    application_id TEXT PRIMARY KEY REFERENCES applications (id) ON DELETE CASCADE
);
CREATE TABLE application_consent_organization_resource_scopes (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    scope_id       TEXT NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, scope_id)
);
CREATE TABLE application_consent_organization_scopes (
    application_id        TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    organization_scope_id TEXT NOT NULL REFERENCES organization_scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, organization_scope_id)
);
CREATE TABLE application_consent_resource_scopes (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    scope_id       TEXT NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, scope_id)
);
CREATE TABLE application_consent_user_scopes (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    user_scope     TEXT NOT NULL,
    PRIMARY KEY (application_id, user_scope)
);
CREATE TABLE application_roles (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    role_id        TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, role_id)
);
INSERT INTO "application_roles" VALUES('f7570l4weiutx8fco40g7','2hdu17isz819qa0ch1g4a');
CREATE TABLE application_secrets (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    name           TEXT NOT NULL,
    hash           TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT,
    PRIMARY KEY (application_id, name)
);
INSERT INTO "application_secrets" VALUES('f7570l4weiutx8fco40g7','Default secret','b155562668eaaa80c7cb64e9807c21814686bc5679926c06678469d7ff32a3a4',1796028255865,NULL);
INSERT INTO "application_secrets" VALUES('t6up72jkgdu8e2lumuupm','Default secret','1af69e29d3fae931dd5bce587ad291ca5458d6f42251ae3571ce2a8b75fcd368',1796028255865,NULL);
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
, name_key TEXT NOT NULL DEFAULT '', description_key TEXT, app_level_access_control_enabled BOOLEAN NOT NULL DEFAULT FALSE);
INSERT INTO "applications" VALUES('f7570l4weiutx8fco40g7','Management API client',NULL,'MachineToMachine','{"redirectUris":[],"postLogoutRedirectUris":[]}','{}','{}',0,1796028255865,'management api client',NULL,0);
INSERT INTO "applications" VALUES('mvos8yj6xir0so8dbiz8g','Demo single-page application',NULL,'SPA','{"redirectUris":["http://127.0.0.1:3001/demo/callback"],"postLogoutRedirectUris":["http://127.0.0.1:3001/demo"]}','{"allowTokenExchange":true,"impersonationUri":"http://127.0.0.1:3001/demo/impersonate"}','{}',0,1796028255865,'demo single-page application',NULL,0);
INSERT INTO "applications" VALUES('t6up72jkgdu8e2lumuupm','Demo web application',NULL,'Traditional','{"redirectUris":[],"postLogoutRedirectUris":[]}','{"allowTokenExchange":true}','{}',0,1796028255865,'demo web application',NULL,0);
INSERT INTO "applications" VALUES('claimsmith-console','Claimsmith console',NULL,'SPA','{"redirectUris":["http://127.0.0.1:3001/console/callback"],"postLogoutRedirectUris":["http://127.0.0.1:3001/console"]}','{}','{}',0,1796028255865,'claimsmith console',NULL,0);
INSERT INTO "applications" VALUES('claimsmith-cli','Claimsmith command line',NULL,'Native','{"redirectUris":[],"postLogoutRedirectUris":[]}','{"isDeviceFlow":true}','{}',0,1796028255865,'claimsmith command line',NULL,0);
INSERT INTO "applications" VALUES('xnspg4ceckd88bqa8g88r','Shop',NULL,'SPA','{"redirectUris":["https://shop.example.com/callback"],"postLogoutRedirectUris":[]}','{"alwaysIssueRefreshToken":true}','{}',0,1796028260902,'shop',NULL,0);
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
INSERT INTO "attempts" VALUES('1a043hxfoycejtps2zzhx','msg_0bonx4qj0we1dqo6q55n0','lm7kf1g64wpoay7lrrwsd',1,1796028260609,29,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('4kvbrnzeohbdwy6aaxdnv','msg_jernpcka0t0piqce0ew7f','lm7kf1g64wpoay7lrrwsd',1,1796028260760,7,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('tdwh4lyuzao6nn46x4xy7','msg_0bonx4qj0we1dqo6q55n0','lm7kf1g64wpoay7lrrwsd',2,1796028264772,4,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('161j02xl57xzq3pdo3d5q','msg_jernpcka0t0piqce0ew7f','lm7kf1g64wpoay7lrrwsd',2,1796028264772,5,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('wqh1l16ojio51d6pfwvv9','msg_jernpcka0t0piqce0ew7f','lm7kf1g64wpoay7lrrwsd',3,1796028292463,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('h37neywzhc85emlbv4qme','msg_0bonx4qj0we1dqo6q55n0','lm7kf1g64wpoay7lrrwsd',3,1796028293248,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('ohyw7mlmxwn8sdzjfw4vp','msg_16uw5zm47u7jruc8qcj6b','lm7kf1g64wpoay7lrrwsd',1,1796028300243,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('4rmgk2hzp1kg8f3cnydhg','msg_s3t4zhf6kdqtpe7pa397r','lm7kf1g64wpoay7lrrwsd',1,1796028300260,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
CREATE TABLE authorization_changes (
    revision INTEGER NOT NULL,
    -- 'all', 'keys', 'application' or 'organization'.
    kind TEXT NOT NULL,
    -- Of the application or organization, else empty.
    id TEXT NOT NULL,
    PRIMARY KEY (revision, kind, id)
);
INSERT INTO "authorization_changes" VALUES(2,'nothing','');
INSERT INTO "authorization_changes" VALUES(2,'role','2hdu17isz819qa0ch1g4a');
INSERT INTO "authorization_changes" VALUES(2,'application','f7570l4weiutx8fco40g7');
INSERT INTO "authorization_changes" VALUES(2,'role','gumj430c03r06brq8or5u');
INSERT INTO "authorization_changes" VALUES(2,'role','9mlyh5j3mo4h69n46guaf');
INSERT INTO "authorization_changes" VALUES(2,'application','mvos8yj6xir0so8dbiz8g');
INSERT INTO "authorization_changes" VALUES(2,'application','t6up72jkgdu8e2lumuupm');
INSERT INTO "authorization_changes" VALUES(2,'keys','');
INSERT INTO "authorization_changes" VALUES(2,'role','claimsmith-console-role-read');
INSERT INTO "authorization_changes" VALUES(2,'role','claimsmith-console-role-support');
INSERT INTO "authorization_changes" VALUES(2,'role','claimsmith-console-role-developer');
INSERT INTO "authorization_changes" VALUES(2,'role','claimsmith-console-role-admin');
INSERT INTO "authorization_changes" VALUES(2,'application','claimsmith-console');
INSERT INTO "authorization_changes" VALUES(2,'application','claimsmith-cli');
INSERT INTO "authorization_changes" VALUES(2,'all','');
INSERT INTO "authorization_changes" VALUES(3,'nothing','');
INSERT INTO "authorization_changes" VALUES(4,'nothing','');
INSERT INTO "authorization_changes" VALUES(5,'nothing','');
INSERT INTO "authorization_changes" VALUES(6,'application','xnspg4ceckd88bqa8g88r');
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
INSERT INTO "authorization_codes" VALUES('b6ce223802ae21a654675863a6cc42df9ec9fe7d7f92929eddc238a8406e1513','6dbc2qw9kjgyv2u7b6s2n','xstr914vwdvs','xnspg4ceckd88bqa8g88r','{"redirectUri":"https://shop.example.com/callback","codeChallenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM","nonce":null,"scope":["openid","offline_access"],"resourceScope":[],"resources":[],"consented":null,"sessionId":"xnf102ywzdqje2rr2mzvu","authTime":1796028301,"amr":["pwd"],"acrValues":[],"interaction":{"interactionEvent":"SignIn","userId":"xstr914vwdvs","verificationRecords":[{"id":"r5fnb4v0ewhgmb35mj268","type":"Password","identifier":{"type":"username","value":"keeper"},"verified":true}]}}','wnjf44z7a82r4ghp3ldlr',1796028301162,1796028361162,1796028301177);
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
INSERT INTO "connectors" VALUES('3lamwjs8imnijgyukppz2','http-email','Email','http-email','{}','QBcjAiDAHTiYmcuDW/8yKjLpEVgafXCgIsDGk/fvdd7oLef/U+2JklIk5SJQRp4XxGFL+JJutMQzZPOe62GYLqDEAbFgPzd+9C/tO54nQEzJJlUMdhTSHuOeFpG9nfkJW2mbnN14WjfArkSdCe8=',0,0,1796028300222);
CREATE TABLE consent_organizations (
    application_id  TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    user_id         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organization_id TEXT NOT NULL,
    PRIMARY KEY (application_id, user_id, organization_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES organization_users (organization_id, user_id) ON DELETE CASCADE
);
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
INSERT INTO "console_links" VALUES('53ad9270abe3ca2149d31a543222974951a685efd7cee4d64d25e5b7cd713815','setup',NULL,NULL,1796028258545,1796031858545);
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
INSERT INTO "deliveries" VALUES(1,'msg_0bonx4qj0we1dqo6q55n0','mx30ur4e5th1xt6yci9bx','lm7kf1g64wpoay7lrrwsd',NULL,'pending',1796028424119,NULL,3,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1796028260558,NULL);
INSERT INTO "deliveries" VALUES(2,'msg_jernpcka0t0piqce0ew7f','mx30ur94bgb9yi7hyqsj0','lm7kf1g64wpoay7lrrwsd',NULL,'pending',1796028406794,NULL,3,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1796028260728,NULL);
INSERT INTO "deliveries" VALUES(3,'msg_16uw5zm47u7jruc8qcj6b','mx30vlqccjyvdj0rswx6o','lm7kf1g64wpoay7lrrwsd',NULL,'pending',1796028303869,NULL,1,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1796028300228,NULL);
INSERT INTO "deliveries" VALUES(4,'msg_s3t4zhf6kdqtpe7pa397r','mx30vlr268l8xr67of21e','lm7kf1g64wpoay7lrrwsd',NULL,'pending',1796028304069,NULL,1,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1796028300254,NULL);
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
INSERT INTO "events" VALUES('mx30ur4e5th1xt6yci9bx','User.Data.Updated','{"event":"User.Data.Updated","createdAt":"2026-11-30T08:44:20.558Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users/vw5i0zqc1w1i/password","method":"PATCH","status":200,"params":{"userId":"vw5i0zqc1w1i"},"matchedRoute":"/users/:userId/password","data":{"id":"vw5i0zqc1w1i","username":"customer","primaryEmail":"customer@example.com","primaryPhone":null,"name":"Casey Customer","avatar":null,"customData":{},"identities":{},"lastSignInAt":null,"createdAt":1796028255865,"updatedAt":1796028260558,"profile":{},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1796028260558);
INSERT INTO "events" VALUES('mx30ur94bgb9yi7hyqsj0','User.Created','{"event":"User.Created","createdAt":"2026-11-30T08:44:20.728Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users","method":"POST","status":200,"params":{},"matchedRoute":"/users","data":{"id":"xstr914vwdvs","username":"keeper","primaryEmail":"keeper@example.com","primaryPhone":null,"name":"Ada Lövelace","avatar":null,"customData":{"tier":"gold"},"identities":{},"lastSignInAt":null,"createdAt":1796028260728,"updatedAt":1796028260728,"profile":{"nickname":"Ada"},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1796028260728);
INSERT INTO "events" VALUES('mx30vlqccjyvdj0rswx6o','User.Data.Updated','{"event":"User.Data.Updated","createdAt":"2026-11-30T08:45:00.228Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users/xstr914vwdvs/identities/github","method":"PUT","status":201,"params":{"userId":"xstr914vwdvs","target":"github"},"matchedRoute":"/users/:userId/identities/:target","data":{"id":"xstr914vwdvs","username":"keeper","primaryEmail":"keeper@example.com","primaryPhone":null,"name":"Ada Lövelace","avatar":null,"customData":{"tier":"gold"},"identities":{"github":{"userId":"gh-1","details":{"name":"Ada"}}},"lastSignInAt":null,"createdAt":1796028260728,"updatedAt":1796028300228,"profile":{"nickname":"Ada"},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1796028300228);
INSERT INTO "events" VALUES('mx30vlr268l8xr67of21e','User.Created','{"event":"User.Created","createdAt":"2026-11-30T08:45:00.254Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users","method":"POST","status":200,"params":{},"matchedRoute":"/users","data":{"id":"fiajyozvn6z3","username":"careful","primaryEmail":null,"primaryPhone":null,"name":null,"avatar":null,"customData":{},"identities":{},"lastSignInAt":null,"createdAt":1796028300254,"updatedAt":1796028300254,"profile":{},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1796028300254);
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
INSERT INTO "grants" VALUES('6dbc2qw9kjgyv2u7b6s2n','xstr914vwdvs','xnspg4ceckd88bqa8g88r','xnf102ywzdqje2rr2mzvu','{"oidc":["openid","offline_access"],"resources":{},"organizations":[]}',1796028301162,1811580301162,1);
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
INSERT INTO "hook_statistics" VALUES('lm7kf1g64wpoay7lrrwsd',29933804,6,0);
INSERT INTO "hook_statistics" VALUES('lm7kf1g64wpoay7lrrwsd',29933805,2,0);
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
, previous_keys TEXT NOT NULL DEFAULT '[]', paused BOOLEAN NOT NULL DEFAULT FALSE, ordered BOOLEAN NOT NULL DEFAULT FALSE, max_in_flight BIGINT NOT NULL DEFAULT 10, rate_limit BIGINT, rate_credit BIGINT NOT NULL DEFAULT 0, rate_at BIGINT NOT NULL DEFAULT 0, held_until BIGINT NOT NULL DEFAULT 0, failing_since BIGINT, failures BIGINT NOT NULL DEFAULT 0, disabled_reason TEXT, single_event TEXT);
INSERT INTO "hooks" VALUES('lm7kf1g64wpoay7lrrwsd','before','["User.Created","User.Data.Updated"]','{"url":"http://127.0.0.1:9/nobody","retries":3}','QBcjAuuK26cS3soOElBq3xdSt6vztDZF/k626wBLlW1jqJDHHZWnhaJIArXzanRW5+9jnqgdcuDQdogbTeXt2zFzieCCdO3bVCj+iDdA9X7wOvmMTUiJ3vDfdRCQM8co',1,1796028258692,'[]',0,0,10,NULL,0,0,0,1796028260642,8,NULL,NULL);
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
INSERT INTO "interactions" VALUES('f7v39pxc17hrthjc5epv0','c220a31a92fb289e91f8dc80e0fb1a4379a737da66370ade927b57457855c20d','{"clientId":"xnspg4ceckd88bqa8g88r","redirectUri":"https://shop.example.com/callback","responseMode":"query","state":null,"nonce":null,"scope":["openid","offline_access"],"resources":[],"codeChallenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM","prompts":["consent"],"maxAge":null,"loginHint":null,"oneTimeTokenHash":null,"uiLocales":null,"hintedUser":null,"screen":null,"acrValues":[],"organizationId":null,"device":null}','{"event":null,"userId":null,"credential":null,"registered":false,"verifications":[],"profile":{"username":null,"passwordDigest":null,"primaryEmail":null,"primaryPhone":null,"social":null,"enterprise":null},"mfa":{"choice":null,"suggestionSkipped":false,"totp":null,"backupCodes":null,"passkeys":[],"passkeySkipped":false,"codes":[]},"sessionId":null,"authenticated":false,"consented":null,"organizations":[]}',9,1796028300923,1796028001162);
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
INSERT INTO "issuances" VALUES('mx30upnxpugtdbol40j8q',NULL,'f7570l4weiutx8fco40g7',NULL,NULL,'http://127.0.0.1:3001/api','all',0,NULL,NULL,NULL,1796028258669,1796031858000,NULL,NULL,NULL,NULL);
INSERT INTO "issuances" VALUES('mx30vlshgbaw7s773npph','vw5i0zqc1w1i','t6up72jkgdu8e2lumuupm',NULL,NULL,'https://api.example.com','resource:read resource:write',1,'mx30vlrtyl0l657fy4hz8',NULL,NULL,1796028300305,1796031900000,NULL,'{"ticketId":"TECH-1234","reason":"a stuck order"}',NULL,NULL);
INSERT INTO "issuances" VALUES('mx30vm655olfbxzvyu3zz','vw5i0zqc1w1i','t6up72jkgdu8e2lumuupm',NULL,NULL,NULL,'openid',0,NULL,'14a9e245ee4301872fd715de0eec9b4de31757bc2f4110de7bb5d45f23f99a56','{"iss":"http://127.0.0.1:3001/oidc","sub":"vw5i0zqc1w1i","exp":1796031900,"iat":1796028300,"jti":"mx30vm655olfbxzvyu3zz","client_id":"t6up72jkgdu8e2lumuupm","scope":"openid","ticket":null,"region":"eu"}',1796028300797,1796031900000,NULL,NULL,NULL,NULL);
INSERT INTO "issuances" VALUES('mx30vmgki9zra3215b2fc','xstr914vwdvs','xnspg4ceckd88bqa8g88r',NULL,NULL,NULL,'openid offline_access',0,NULL,'c6bcc5e5ac4ed8e2ca6702e78face937e762b47eeb13f73d4dd4e81b108915cc','{"iss":"http://127.0.0.1:3001/oidc","sub":"xstr914vwdvs","exp":1796031901,"iat":1796028301,"jti":"mx30vmgki9zra3215b2fc","client_id":"xnspg4ceckd88bqa8g88r","scope":"openid offline_access","ticket":null,"region":"eu"}',1796028301172,1796031901000,NULL,NULL,'6dbc2qw9kjgyv2u7b6s2n','wnjf44z7a82r4ghp3ldlr');
CREATE TABLE known_browsers (
    -- SHA-256 (hex) of the browser's cookie.
    hash       TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (hash, user_id)
);
INSERT INTO "known_browsers" VALUES('196c8bcaf8e36dbbe152eeff209f2220c92af3d02ce3ab973fae66e917187a22','xstr914vwdvs',1811580301104);
CREATE TABLE logs (
    id         TEXT PRIMARY KEY,
    key        TEXT NOT NULL,
    payload    TEXT NOT NULL,
    created_at BIGINT NOT NULL
, user_id TEXT, application_id TEXT, actor_id TEXT, ticket_id TEXT);
INSERT INTO "logs" VALUES('mx30uni1q1jn955ypas69','Bootstrap','{"demo":true,"demoApplication":true,"scopes":[],"signingKeys":["QoG6yzhNgPG_N2UI3PpzmGHcDzlZi2pVL_GlzR6EjSo","McV1YA0XvF3qeuZ3yIzRPNyB7CQsRiZJwQD7rS4Oyv0"],"console":["claimsmith-console","claimsmith-console-scope-read","claimsmith-console-scope-support","claimsmith-console-scope-developer","claimsmith-console-scope-admin","claimsmith-console-role-read","claimsmith-console-role-support","claimsmith-console-role-developer","claimsmith-console-role-admin","claimsmith-console","claimsmith-cli"],"key":"Bootstrap","result":"Success"}',1796028255865,NULL,NULL,NULL,NULL);
INSERT INTO "logs" VALUES('mx30upnxxcc9cw1w3l9xa','ExchangeTokenBy.ClientCredentials','{"applicationSecret":{"name":"Default secret"},"jti":"mx30upnxpugtdbol40j8q","key":"ExchangeTokenBy.ClientCredentials","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"aom1cy8c1duhykyp","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028258669,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30upokab8zpbm6a96v4','Management.Hook.Create','{"hookId":"lm7kf1g64wpoay7lrrwsd","key":"Management.Hook.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"bu7uzeblr3t2ehx7","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028258692,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30ur4erptvp8h0anvr7','Management.User.SetPassword','{"userId":"vw5i0zqc1w1i","key":"Management.User.SetPassword","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"w7dzpu8lnbsnd580","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028260558,'vw5i0zqc1w1i','f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30ur9401k4sm9cuqttp','Management.User.Create','{"userId":"xstr914vwdvs","key":"Management.User.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"0qyrshl6ub64vjer","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028260728,'xstr914vwdvs','f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30ura99cuymlpyl1n43','Management.Resource.Create','{"resourceId":"ekvbptdc8q5qbvv675cqe","key":"Management.Resource.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"ffkn7trdea9463hb","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028260769,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30urapp71z1xd3cacou','Management.Scope.Create','{"resourceId":"ekvbptdc8q5qbvv675cqe","scopeId":"ila7w7iyoai96gsaafa2s","key":"Management.Scope.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"2l3ew4b9gfm70uei","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028260785,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30urbat5ehh7ddpswlb','Management.Role.Create','{"roleId":"2kfkyd4ihtujnorok5jnr","scopeIds":["ila7w7iyoai96gsaafa2s"],"key":"Management.Role.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"mzz4paxpxqyey9u9","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028260806,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30urby7r7cg4k59xc4q','Management.User.AssignRoles','{"userId":"xstr914vwdvs","addedRoleIds":["2kfkyd4ihtujnorok5jnr"],"key":"Management.User.AssignRoles","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"0uae9d23wnv7nric","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028260830,'xstr914vwdvs','f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30urcc4oprl513wc8a2','Management.Organization.Create','{"organizationId":"lng0xbdocrx1","key":"Management.Organization.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"ondzfbssaqbvue44","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028260844,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30urd2wj9u65xosjm42','Management.Organization.ChangeUsers','{"organizationId":"lng0xbdocrx1","addedUserIds":["xstr914vwdvs"],"removedUserIds":[],"key":"Management.Organization.ChangeUsers","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"k633kcjwstewglba","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028260870,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30urdj1hfxclr4g7t12','Management.OrganizationInvitation.Create','{"organizationInvitationId":"96p989rq18ihyg0s6fidt","organizationId":"lng0xbdocrx1","organizationRoleIds":[],"key":"Management.OrganizationInvitation.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"avgsjjzqe1uiy8n6","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028260887,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30urdyf2ibh9i1nvuvt','Management.Application.Create','{"createdApplicationId":"xnspg4ceckd88bqa8g88r","type":"SPA","key":"Management.Application.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"pld4gw28nh6ikr2c","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028260902,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30urefqoz1xncylw3he','Management.SignInExperience.Update','{"changedSettings":["color"],"key":"Management.SignInExperience.Update","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"qmymrt9tqkp5sh1y","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028260919,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30urfdvpeg6qq1if1o9','Management.CustomPhrases.Update','{"languageTag":"en","key":"Management.CustomPhrases.Update","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"fhn3y4oqluadugkq","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028260953,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30va3h4yaaytjki6949','Management.Plugin.Upload','{"plugin":"jwt-access-token","version":"1","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","key":"Management.Plugin.Upload","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"r0cj86331cjdu3nk","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028285149,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vlpzrnnimn1lesl7j','Management.Plugin.Upload','{"plugin":"ticket","version":"1","digest":"sha256:6b2c493ed46cc46c354b46b3052b11a409983160b5b40e4f91b6ddb1785fe342","activated":false,"takeOver":false,"key":"Management.Plugin.Upload","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"imke1abhezasb7w3","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028300215,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vlq4gch0d4i4q47na','Management.PersonalAccessToken.Create','{"userId":"xstr914vwdvs","tokenName":"laptop","key":"Management.PersonalAccessToken.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"iqk7uj01szirrihb","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028300220,'xstr914vwdvs','f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vlq60zn91henak1s1','Management.Connector.Create','{"connectorId":"3lamwjs8imnijgyukppz2","factoryId":"http-email","replaced":0,"key":"Management.Connector.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"2sdiiru7bjcnw20d","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028300222,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vlq9qxst1j76p9d4l','Management.SsoConnector.Create','{"ssoConnectorId":"fdbm4dfve4dt7nafwy7ei","providerName":"OIDC","domains":["acme.example"],"signsInAdministrators":false,"key":"Management.SsoConnector.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"dk6yski5y862nxl8","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028300225,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vlqc7tx73odj9lepp','Management.User.LinkIdentity','{"userId":"xstr914vwdvs","target":"github","key":"Management.User.LinkIdentity","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"dpn8p3atliuqzdew","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028300228,'xstr914vwdvs','f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vlr2jg50usjsbz23j','Management.User.Create','{"userId":"fiajyozvn6z3","key":"Management.User.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"jq8hngow406e4rrl","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028300254,'fiajyozvn6z3','f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vlr71la9my6olla19','Management.User.AddMfaFactor','{"userId":"fiajyozvn6z3","factorId":"boxjwieeols97ixfec3t1","type":"Totp","key":"Management.User.AddMfaFactor","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"if3gyku0iwbo72g6","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028300259,'fiajyozvn6z3','f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vlrhnhl9u008rjb11','Management.User.AddMfaFactor','{"userId":"fiajyozvn6z3","factorId":"5wxwxvszqsxhdfz7cj892","type":"BackupCode","key":"Management.User.AddMfaFactor","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"7p7bupj7c3w17jcl","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028300269,'fiajyozvn6z3','f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vlrkl70wrt88q29h4','Management.OneTimeToken.Create','{"oneTimeTokenId":"mx30vlrkvy1q1cvizbj8b","email":"keeper@example.com","key":"Management.OneTimeToken.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"cn28pnbni46nonsv","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028300272,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vlrq6vebhultv54fs','Management.VerificationCode.Create','{"type":"email","key":"Management.VerificationCode.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"vbn8h8d8ruuina31","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028300278,NULL,'f7570l4weiutx8fco40g7',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vlruvftdcesmtf3zo','Management.SubjectToken.Create','{"userId":"vw5i0zqc1w1i","subjectTokenId":"mx30vlrtyl0l657fy4hz8","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"key":"Management.SubjectToken.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"bfumbex9ue3jyifc","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028300282,'vw5i0zqc1w1i','f7570l4weiutx8fco40g7',NULL,'TECH-1234');
INSERT INTO "logs" VALUES('mx30vlsey5mmrerrs04c8','Management.SubjectToken.Create','{"userId":"vw5i0zqc1w1i","subjectTokenId":"mx30vlse59cmhpu2pn0bd","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"key":"Management.SubjectToken.Create","result":"Success","applicationId":"f7570l4weiutx8fco40g7","requestId":"azb785jyetxitgls","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028300302,'vw5i0zqc1w1i','f7570l4weiutx8fco40g7',NULL,'TECH-1234');
INSERT INTO "logs" VALUES('mx30vlshh55isj1m7gkuu','ExchangeTokenBy.TokenExchange','{"applicationSecret":{"name":"Default secret"},"resource":"https://api.example.com","subjectTokenId":"mx30vlrtyl0l657fy4hz8","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"jti":"mx30vlshgbaw7s773npph","userId":"vw5i0zqc1w1i","plugins":[{"plugin":"jwt-access-token","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","generation":2,"outcome":"ok"}],"key":"ExchangeTokenBy.TokenExchange","result":"Success","applicationId":"t6up72jkgdu8e2lumuupm","requestId":"u1qrxfj54c4m3m4n","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028300305,'vw5i0zqc1w1i','t6up72jkgdu8e2lumuupm',NULL,'TECH-1234');
INSERT INTO "logs" VALUES('mx30vm65ly8kiyfcrksh8','ExchangeTokenBy.Operator','{"by":"operator","jti":"mx30vm655olfbxzvyu3zz","userId":"vw5i0zqc1w1i","plugins":[{"plugin":"jwt-access-token","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","generation":1,"outcome":"ok"}],"key":"ExchangeTokenBy.Operator","result":"Success","applicationId":"t6up72jkgdu8e2lumuupm"}',1796028300797,'vw5i0zqc1w1i','t6up72jkgdu8e2lumuupm',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vma32g2t2d5dpbl9q','Interaction.SignIn.Update','{"interactionId":"f7v39pxc17hrthjc5epv0","key":"Interaction.SignIn.Update","result":"Success","applicationId":"xnspg4ceckd88bqa8g88r","requestId":"2rd2bfofiohhc93j","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028300939,NULL,'xnspg4ceckd88bqa8g88r',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vme5w39dg3h8icbu6','Interaction.SignIn.Verification.Password.Submit','{"interactionId":"f7v39pxc17hrthjc5epv0","verificationId":"r5fnb4v0ewhgmb35mj268","userId":"xstr914vwdvs","key":"Interaction.SignIn.Verification.Password.Submit","result":"Success","applicationId":"xnspg4ceckd88bqa8g88r","requestId":"2rd2bfofiohhc93j","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028301085,'xstr914vwdvs','xnspg4ceckd88bqa8g88r',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vmefmze2pftl2yc64','Interaction.SignIn.Identifier.Submit','{"interactionId":"f7v39pxc17hrthjc5epv0","userId":"xstr914vwdvs","key":"Interaction.SignIn.Identifier.Submit","result":"Success","applicationId":"xnspg4ceckd88bqa8g88r","requestId":"2rd2bfofiohhc93j","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028301095,'xstr914vwdvs','xnspg4ceckd88bqa8g88r',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vmeofxi77xat9eh4n','Interaction.SignIn.Submit','{"interactionId":"f7v39pxc17hrthjc5epv0","userId":"xstr914vwdvs","sessionId":"xnf102ywzdqje2rr2mzvu","key":"Interaction.SignIn.Submit","result":"Success","applicationId":"xnspg4ceckd88bqa8g88r","requestId":"2rd2bfofiohhc93j","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028301104,'xstr914vwdvs','xnspg4ceckd88bqa8g88r',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vmgabs3kuu9llvtsx','Interaction.End','{"interactionId":"f7v39pxc17hrthjc5epv0","userId":"xstr914vwdvs","key":"Interaction.End","result":"Success","applicationId":"xnspg4ceckd88bqa8g88r","requestId":"jc7ud4l86llvhp2i","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028301162,'xstr914vwdvs','xnspg4ceckd88bqa8g88r',NULL,NULL);
INSERT INTO "logs" VALUES('mx30vmgkyej1jnyt2cc1h','ExchangeTokenBy.AuthorizationCode','{"grantId":"6dbc2qw9kjgyv2u7b6s2n","sessionId":"xnf102ywzdqje2rr2mzvu","jti":"mx30vmgki9zra3215b2fc","userId":"xstr914vwdvs","plugins":[{"plugin":"jwt-access-token","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","generation":2,"outcome":"ok"}],"key":"ExchangeTokenBy.AuthorizationCode","result":"Success","applicationId":"xnspg4ceckd88bqa8g88r","requestId":"xiu68c84a45ou2iw","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796028301172,'xstr914vwdvs','xnspg4ceckd88bqa8g88r',NULL,NULL);
CREATE TABLE member_counts (
    seq             INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL UNIQUE,
    value           BIGINT NOT NULL,
    is_sum          BOOLEAN NOT NULL DEFAULT TRUE
);
INSERT INTO "member_counts" VALUES(1,'lng0xbdocrx1',1,1);
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
INSERT INTO "messages" VALUES(1,'msg_02ifzebai60ouok2omqir','Email','keeper@example.com','Generic','en','QBcjAq8UwmjeaD99AYBjdArb5MkxPGfSwiW5Qc7YdiTc6/GitOOPwSwZmY4LUJAtMw==','64888be82cd750fef835edbd9ec3d3e586ef544c336673bf39884f3bb14a0e10',1796028900278,0,'pending',1796028304587,NULL,1,'requests to 127.0.0.1 are not allowed: 127.0.0.1 is loopback, and not in egress.allowed_networks',1796028300278,NULL);
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
INSERT INTO "mfa_factors" VALUES('boxjwieeols97ixfec3t1','fiajyozvn6z3','Totp','QBcjArpBqYSOqAp6Ta8fYsNzs1oDdtNyYb3jBRIOldZpFMLNphqQE/jeXEvUQC8kd6acQdzIa5nZinEJPRXU2A==',1796028300259,NULL,NULL);
INSERT INTO "mfa_factors" VALUES('5wxwxvszqsxhdfz7cj892','fiajyozvn6z3','BackupCode','QBcjAqGM6D21K+/ZAGQWJacyFdsdbiRdBDAy7iMqNjmvi/Z+Rp9ps4pPtLQwZn170rakA0aJz4VVTnemLrnanxD32rOWfVs7IvqRFt/licHscQlfvWM97GGVOX6vpDz4wxB6Aq60utqpviFLwWOAxJezcytxJ3Db0ZOj39mweKO976pg531nHF8TR/3Ie7ACiYkCSSAIUDCoHsuWVgB5b/tqZzGB9zrHFK2aDV73FoTney7EAatzLgC6A4X2Zmt6m3pvRhNTZ3f1Y5RnHEqCto37pPbtQLPnlpPBDy6aQDlkZwe/5RZUGsRHYzriPdPeRLYsEUCPEEwAjgkZH2xHnliNEqrfe2cvNip0bolo74Xbk8oMyKLKQWkyWZHz41y4peeUJP5LGaz9N0WCMNFRu9fB7YQZeGq03Bm/1+KrnB0MiLQEyhPfxUF4WcQKKidxfmIrphnLTNEcfJSvTuH83wgrXV0N6RyT5ZgygZSWCnEzpwB40nzcYQhd6lFjEWKGZdh57j/5l/tDs4IogonckS1GmBKq1J1+IGkkq+OHWS/BCGZXTTMBGUwcNZHxApNdXKq0OuQlBG00ZaPuAqIR7Iip/tUMXYQzok2F0QRQcGaNDepPJMX2V41Ka028UQp6TCkMm4qRAeb32Nttfz5vHPhzzxXUc4RLr+9r9YkdkeFbegqJCDOSK3lzpSpgr/0vbDmFoV2/6rVHFQgsvQJXovIcXRAUaGfBxK30PQ0eNlG3ZV0hqudtweTdOLmhE3Ptr4Q31/z8kVmr/3ihpOKyOA+u+b22t5YKsRfv3VPAtmUHiKiunxBHpEZFsDfFCCS13pFzoe7pjGRvXxfOBk/cPI4pK7rj8/gUXLMpxP7NV10vKQifRCthDxNjRU0FrOefMsp+yElREtNmt1Htr31S1N0UIYB9LaN+LC4Ph/DUtFC8i7MI0tIkNvVDwHwwL9KXeqQ+Ju68O6cBOU/Y3p9otFBad3cFtfnz880Yh5AumzpT6D7brN/OwiwTQvi0dFSCjrsIoa7YJ5CFaS0CD/QgGsVdh8+JM7Necuy5GRcILQI/HTP94jA9MRNmi+1S',1796028300269,NULL,NULL);
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
INSERT INTO "one_time_tokens" VALUES('mx30vlrkvy1q1cvizbj8b','keeper@example.com','98a08963d0649cca47967a85ba547a30bbc954920329e7ffd41296186f8d900b','{}','active',1796028300272,1796114700272);
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
, sealed_token TEXT);
INSERT INTO "organization_invitations" VALUES('96p989rq18ihyg0s6fidt','lng0xbdocrx1',NULL,'guest@example.com',NULL,'Pending',1796028260887,1796028260887,1796114660881,'QBcjAgbKdsO1yrR4yVTwh56g+m2/Aaw2tyjx2A6SPudC1MJCEAskflEV8Yc6rdUm1gN1S3qTtMb4ikVVKaE9qoLOMRGX5PG1IH9R');
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
CREATE TABLE organization_jit_sso_connectors (
    organization_id  TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    sso_connector_id TEXT NOT NULL REFERENCES sso_connectors (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, sso_connector_id)
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
INSERT INTO "organization_users" VALUES('lng0xbdocrx1','xstr914vwdvs');
CREATE TABLE organizations (
    id              TEXT PRIMARY KEY,
    name            TEXT NOT NULL,
    description     TEXT,
    custom_data     TEXT NOT NULL,
    is_mfa_required BOOLEAN NOT NULL DEFAULT FALSE,
    created_at      BIGINT NOT NULL
, color TEXT NOT NULL DEFAULT '{}', branding TEXT NOT NULL DEFAULT '{}', custom_css TEXT, search_key TEXT NOT NULL DEFAULT '');
INSERT INTO "organizations" VALUES('lng0xbdocrx1','Keepers',NULL,'{"plan":"team"}',0,1796028260844,'{}','{}',NULL,'lng0xbdocrx1 keepers');
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
INSERT INTO "personal_access_tokens" VALUES('xstr914vwdvs','laptop','09bc0e69a45dc11afebb88617f30457392aa65959251b272f20908d8ea2687de',1796028300220,NULL);
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
INSERT INTO "plugin_versions" VALUES('jwt-access-token',1,'sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496','javascript',X'636F6E737420676574437573746F6D4A7774436C61696D73203D206173796E6320287B20636F6E746578742C20656E7669726F6E6D656E745661726961626C6573207D29203D3E20287B0A20207469636B65743A20636F6E746578742E6772616E743F2E7375626A656374546F6B656E436F6E746578743F2E7469636B65744964203F3F206E756C6C2C20726567696F6E3A20656E7669726F6E6D656E745661726961626C65732E524547494F4E2C0A7D293B',179,'{"kind":"claims","world":"claimsmith:plugin/claims","imports":["wasi:io/poll","wasi:clocks/monotonic-clock","wasi:clocks/wall-clock","wasi:io/error","wasi:io/streams","wasi:cli/stdout","wasi:cli/stderr","wasi:cli/stdin","wasi:cli/environment","wasi:cli/exit","wasi:cli/terminal-input","wasi:cli/terminal-output","wasi:cli/terminal-stdin","wasi:cli/terminal-stdout","wasi:cli/terminal-stderr","wasi:filesystem/types","wasi:filesystem/preopens","wasi:random/insecure-seed","claimsmith:plugin/log","claimsmith:plugin/http","claimsmith:plugin/random","claimsmith:plugin/types"],"instructions":null}',NULL,NULL,'f7570l4weiutx8fco40g7',1796028285150);
INSERT INTO "plugin_versions" VALUES('ticket',1,'sha256:6b2c493ed46cc46c354b46b3052b11a409983160b5b40e4f91b6ddb1785fe342','wasm',X'0061736D0D0001000746014204016D0405646562756704696E666F047761726E056572726F720400056C6576656C030000014002056C6576656C01076D657373616765730100040005777269746501020A2001001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30050007EF0101420E01730400046A736F6E030000016B01017202047479706573157375626A6563742D746F6B656E2D636F6E74657874020400056772616E74030003016B04017205056772616E74050475736572020B6170706C69636174696F6E020C6F7267616E697A6174696F6E020B696E746572616374696F6E02040007636F6E74657874030006016F02737301700801720305746F6B656E0107636F6E746578740715656E7669726F6E6D656E742D7661726961626C65730904000E636C61696D732D7265717565737403000A0171020664656E696564017300066661696C65640173000400076661696C75726503000C0A2201001D636C61696D736D6974683A706C7567696E2F747970657340312E302E3005010613010300010E636C61696D732D726571756573740A1401000E636C61696D732D72657175657374030002060C01030001076661696C7572650A0D0100076661696C757265030004060901030001046A736F6E0A0A0100046A736F6E03000601901C0061736D01000000012D0860037F7F7F0060000060017F017F60027F7F017F60017F0060037F7F7F017F60047F7F7F7F017F60027F7F000225011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30057772697465000003121101010203000204030301010504060702010405017001010105030100050608017F01418080100B076105066D656D6F727902000B5F696E697469616C697A6500021F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73000D0C636162695F7265616C6C6F63000E156765742D637573746F6D2D6A77742D636C61696D7300100AC9191102000B2300024041002802A080908000450D00000B410041013602A0809080001081808080000B3A01017F0240200041106A41041084808080002201450D0020012000AD420586420484370308200141106A0F0B410041303602A48090800041000BE80101037F410021020240417F200041046A220320032000491B220041012001742201200020014B1B2201417F6A672200450D0002400240412020006B220041FFFF0371417D6A2203410D4F0D0042012000AD42FFFF038386A72104200341027422002802DC809080002201450D01200041DC809080006A200420016A417C6A28020036020020010F0B2001418380046A41107610868080800021020C010B200041A8809080006A2101024020002802A880908000220041FFFF03710D0041011086808080002200450D012001200020046A36020020000F0B2001200020046A36020020000F0B20020BA60101017F02404120200141046A220141012002742202200120024B1B2202417F6A676B220141FFFF0371417D6A2203410D4F0D00200042012001AC86A76A417C6A200341027422022802DC80908000360200200220003602DC809080000F0B2000420141202002418380046A411076417F6A676B2202AD42FFFF038386A74110746A417C6A200241FFFF037141027422022802908190800036020020022000360290819080000B6401027F420141202000417F6A676B2200AD42FFFF038386A721010240200041FFFF03714102742202280290819080002200450D0020024190819080006A200141107420006A417C6A28020036020020000F0B41002001400022004110742000417F461B0B3402017E027F02402000450D0020004101200041786A2903002201A722027422036B20032001420588A76A20021085808080000B0B800302017E087F024020010D00200010878080800041000F0B024020000D0020011083808080000F0B417F4101200041786A2903002202A7220374220420016A220541046A220620062005491B22062004200620044B1B2106200020046B2107024002400240024020042002420588A722086A220941046A220A2004200A20044B1B220A418080024B0D002006417F6A672206450D0142014120200A417F6A676BAD42FFFF038386A74201412020066BAD42FFFF038386A7470D010C020B42014120200A418380046A411076417F6A676BAD42FFFF038386A7420141202006418380046A411076417F6A676BAD42FFFF038386A7460D010B0240200520031084808080002205450D00200520046A210502402001200820012008491B2206450D00410021040340200520046A200020046A2D00003A0000200441016A22042006490D000B0B2007200920031085808080000C020B410041303602A48090800041000F0B200720046A21050B200541786A2002421F832001AD4205868437030020050B6402017E017F0240024002402000AD2001AD7E2202422088A70D002002A7220310838080800022000D01410021000C020B410041303602A48090800041000F0B41002101034020032001460D01200020016A41003A0000200141016A21010C000B0B20000B0300000B02000BB00A010B7F23808080800041106B2203248080808000410021044100210541002106024002400240024020002D00084101470D0041002104410021054100210620002D00144101470D0020002802182205450D01200028021C2206450D0120052D000041FB00470D0120064102490D01200520066A2204417F6A2107200541016A21082004417E6A21090340024020082D000022054122460D00200541FD00460D03200841016A22082004490D010C030B024002400240200841016A220A20044F0D00200A210503400240024020082D0001220641DC00460D002005210520064122470D012008200A6B41016A210B200841026A220C20044F0D05200920086B2105034002400240200C2D0000220841776A220641174B0D0041012006744193808004710D010B2008413A470D070B200C41016A210C2005417F6A22050D000C050B0B200841026A21050B20052108200541016A22052004490D000B0B2007200A6B210B0B2004210C0B4100210D200C21080340024002400240200822062004490D00200421080C010B024020062D000022054122470D00200421080240200641016A220520044F0D0003400240024020062D0001220841DC00460D002005210520084122470D01200641026A21080C030B200641026A21050B20052106200541016A22052004490D000B200421080B200D0D030C010B02400240024002400240200D0D00410021080240200541A57F6A0E03020504000B200541857F6A0E03010403020B200541207241FB00460D00200D21080C030B200D41016A21080C020B2005412C470D010B200621080C010B0240200541207241FD00460D002008210D0C020B2008417F6A220D0D01200641016A21080B02400240200B4108470D00200A29000042F4D28DDBD68CDDA4E400510D010B200820044F0D050C030B200C450D0420032008200C6B220236020C2003200C3602084101200341086A108F808080004100210D419D80908000210A024020002802542206450D002000280250210502400340024020052802002204450D00200541046A2802004106470D00200428000041D0A495B20473200441046A2F000041C9B0017372450D020B200541106A21052006417F6A22060D000C020B0B2005410C6A280200210D200541086A280200210A0B41C4001083808080002206450D05200641FBC4003B0000024002400240200D41026A220541C500490D002006200541017441C0006A220410888080800022060D010C080B41C4002104200D450D010B200D450D00200641026A200A200DFC0A00000B0240200D410B6A220020044D0D002006200041017441C0006A22041088808080002206450D060B200620056A220541002D008B809080003A000820054100290083809080003700000240200D410D6A220D20044D0D002006200D41017441C0006A22041088808080002206450D060B200620006A41A2F4003B00000240200D20026A220520044D0D002006200541017441C0006A22041088808080002206450D060B2008200C460D032002450D032006200D6A200C2002FC0A00000C030B200641016A21080C000B0B0B02404101410220051B220D20056A220820044D0D002006200841017441C0006A1088808080002206450D020B0240200D450D00200620056A41818090800041808090800020051B200DFC0A00000B2001200836020420012006360200410121050C020B41002105200241003A0000410141111089808080002206450D00200241103602082002200636020420064100290095809080003700082006410029008D809080003700000C010B108A80808000000B200341106A24808080800020050B5E01017F024002400240024020002D00000E020001030B2000280208450D02410421010C010B02400240024020002D00040E020001040B200028020C0D010C030B200028020C450D020B410821010B200020016A2802001087808080000B0B210002402003450D002000200310888080800022020D00108A80808000000B20020B14002000200128020020012802041080808080000BF90401137F23808080800041F0006B2201248080808000410021020240024020002D00084101460D00410021030C010B0240024020002D00144101460D00410021040C010B200028021C210520002802182106410121040B20002802102107200028020C2108410121030B0240024020002D00204101460D000C010B200028022821092000280224210A410121020B4100210B0240024020002D002C4101460D004100210C0C010B2000280234210D2000280230210E4101210C0B0240024020002D00384101460D000C010B2000280240210F200028023C21104101210B0B410121110240024020002D00444101460D00410021110C010B200028024C2112200028024821130B2001201236026420012013360260200120113A005C2001200F360258200120103602542001200B3A00502001200D36024C2001200E3602482001200C3A0044200120093602402001200A36023C200120023A00382001200536023420012006360230200120043A002C2001200736022820012008360224200120033A00202001200029020037021820012000290250370268200141186A200141106A200141046A108C8080800021022001280214210B20012802102111200128020C2108200128020821072001280204210320001087808080000240024020020D00410041013A00D48190800002400240200341FF01710E020001030B410020083602E081908000410020073602DC81908000410041003A00D8819080000C020B410020083602E081908000410041013A00D881908000410020073602DC819080000C010B4100200B3602DC81908000410020113602D881908000410041003A00D4819080000B200141F0006A24808080800041D4819080000B0800108B808080000B0B260100418080100B1E7B7D007469636B65745F6964004E616D6520746865207469636B65742E00002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E3301700061736D0100000001070160037F7F7F000302010004050170010101071002013000000824696D706F72747301000A0F010D0020002001200241001100000B002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33020401000100060701000001000130022C02010105777269746500000000011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E301201060C0100020102066D656D6F72790185010061736D01000000010A0260037F7F7F006000000232030661637475616C01300000046D61696E0B5F696E697469616C697A650001047368696D0824696D706F72747301700101010801010907010041000B0100002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33060A01010000057772697465080801010000020300000221020101013000010002030661637475616C1203046D61696E1202047368696D12000713026A010701054001077265717565737403000806500300000102156765742D637573746F6D2D6A77742D636C61696D73000001020C636162695F7265616C6C6F63000001021F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73080D010000020403000403000504090B1B0100156765742D637573746F6D2D6A77742D636C61696D73010100008D050E636F6D706F6E656E742D6E616D6501A101000005002A696E6469726563742D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E302D7772697465012A696E6469726563742D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E302D777269746502156765742D637573746F6D2D6A77742D636C61696D73030C636162695F7265616C6C6F63041F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73010B00020100066D656D6F7279013900110300046D61696E01197769742D636F6D706F6E656E742D7368696D2D6D6F64756C6502137769742D636F6D706F6E656E742D66697875700152001205001B7769742D636F6D706F6E656E742D7368696D2D696E7374616E6365011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E3002046D61696E030661637475616C04056669787570013E0502001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30011D636C61696D736D6974683A706C7567696E2F747970657340312E302E30013701030005777269746501156765742D637573746F6D2D6A77742D636C61696D7302156765742D637573746F6D2D6A77742D636C61696D730182010308001E74792D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30012074792D636C61696D736D6974683A706C7567696E2F747970657340312E302E30020E636C61696D732D72657175657374030E636C61696D732D7265717565737404076661696C75726505076661696C75726506046A736F6E07046A736F6E013E0502001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30011D636C61696D736D6974683A706C7567696E2F747970657340312E302E30002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33',5324,'{"kind":"claims","world":"claimsmith:plugin/claims","imports":["claimsmith:plugin/log","claimsmith:plugin/types"],"instructions":null}',NULL,NULL,'f7570l4weiutx8fco40g7',1796028300215);
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
INSERT INTO "plugins" VALUES('jwt-access-token','{"order":0,"enabled":true,"on_error":"skip","token_kinds":["access-token"],"grant_types":null,"applications":null,"resources":null,"limits":{"deadline_ms":null,"memory_mib":null,"output_kib":null},"environment":{"REGION":"eu"},"secrets":{},"capabilities":{}}',NULL,1,1,1,'{"script":"const getCustomJwtClaims = async ({ context, environmentVariables }) => ({\n  ticket: context.grant?.subjectTokenContext?.ticketId ?? null, region: environmentVariables.REGION,\n});","environmentVariables":{"REGION":"eu"}}',1796028285150,1796028285150);
INSERT INTO "plugins" VALUES('ticket','{}',NULL,NULL,1,1,NULL,1796028300215,1796028300215);
CREATE TABLE pushed_requests (
    hash           TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    -- Names and values, JSON.
    parameters     TEXT NOT NULL,
    expires_at     BIGINT NOT NULL
, kept_until BIGINT NOT NULL DEFAULT 0);
CREATE TABLE refresh_families (
    -- `family_id` of its tokens.
    id            TEXT PRIMARY KEY,
    grant_id      TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    -- 32 random bytes, encrypted.
    encrypted_key TEXT NOT NULL,
    created_at    BIGINT NOT NULL
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
INSERT INTO "refresh_tokens" VALUES('a1c2645abffbd47395e1f172105cc1db864bd58947f8df57d3d07c9927d4ee90','6dbc2qw9kjgyv2u7b6s2n','xstr914vwdvs','xnspg4ceckd88bqa8g88r','{"redirectUri":"https://shop.example.com/callback","codeChallenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM","nonce":null,"scope":["openid","offline_access"],"resourceScope":[],"resources":[],"consented":null,"sessionId":"xnf102ywzdqje2rr2mzvu","authTime":1796028301,"amr":["pwd"],"acrValues":[],"interaction":{"interactionEvent":"SignIn","userId":"xstr914vwdvs","verificationRecords":[{"id":"r5fnb4v0ewhgmb35mj268","type":"Password","identifier":{"type":"username","value":"keeper"},"verified":true}]}}','wnjf44z7a82r4ghp3ldlr',1,NULL,1796028301172,1797237901171,NULL,NULL);
CREATE TABLE resources (
    id               TEXT PRIMARY KEY,
    name             TEXT NOT NULL,
    indicator        TEXT NOT NULL UNIQUE,
    is_default       BOOLEAN NOT NULL DEFAULT FALSE,
    access_token_ttl BIGINT NOT NULL,
    created_at       BIGINT NOT NULL
);
INSERT INTO "resources" VALUES('f6navanwewnfz725hxiy4','Claimsmith Management API','http://127.0.0.1:3001/api',0,3600,1796028255865);
INSERT INTO "resources" VALUES('avluebu7vou0ge8n2iice','Example API','https://api.example.com',0,3600,1796028255865);
INSERT INTO "resources" VALUES('claimsmith-console','Claimsmith console','http://127.0.0.1:3001/console',0,3600,1796028255865);
INSERT INTO "resources" VALUES('ekvbptdc8q5qbvv675cqe','Shop','https://shop.example.com/api',0,3600,1796028260769);
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
INSERT INTO "role_scopes" VALUES('2hdu17isz819qa0ch1g4a','kj4oy6x6bhvss4fdfrt9y');
INSERT INTO "role_scopes" VALUES('gumj430c03r06brq8or5u','so7n8rvsp1g5q76xgc14u');
INSERT INTO "role_scopes" VALUES('gumj430c03r06brq8or5u','09q337thpb9zgsnrc8ky6');
INSERT INTO "role_scopes" VALUES('9mlyh5j3mo4h69n46guaf','so7n8rvsp1g5q76xgc14u');
INSERT INTO "role_scopes" VALUES('claimsmith-console-role-read','claimsmith-console-scope-read');
INSERT INTO "role_scopes" VALUES('claimsmith-console-role-support','claimsmith-console-scope-support');
INSERT INTO "role_scopes" VALUES('claimsmith-console-role-developer','claimsmith-console-scope-developer');
INSERT INTO "role_scopes" VALUES('claimsmith-console-role-admin','claimsmith-console-scope-admin');
INSERT INTO "role_scopes" VALUES('2kfkyd4ihtujnorok5jnr','ila7w7iyoai96gsaafa2s');
CREATE TABLE roles (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    type        TEXT NOT NULL,
    is_default  BOOLEAN NOT NULL DEFAULT FALSE,
    created_at  BIGINT NOT NULL
, name_key TEXT NOT NULL DEFAULT '', description_key TEXT);
INSERT INTO "roles" VALUES('2hdu17isz819qa0ch1g4a','Management API access','Management API access','MachineToMachine',0,1796028255865,'management api access','management api access');
INSERT INTO "roles" VALUES('gumj430c03r06brq8or5u','customer','customer','User',0,1796028255865,'customer','customer');
INSERT INTO "roles" VALUES('9mlyh5j3mo4h69n46guaf','support-engineer','support-engineer','User',0,1796028255865,'support-engineer','support-engineer');
INSERT INTO "roles" VALUES('claimsmith-console-role-read','Console: reader','See everything in the console but configuration.','User',0,1796028255865,'console: reader','see everything in the console but configuration.');
INSERT INTO "roles" VALUES('claimsmith-console-role-support','Console: support','Help users: unlock, suspend, end sessions, impersonate.','User',0,1796028255865,'console: support','help users: unlock, suspend, end sessions, impersonate.');
INSERT INTO "roles" VALUES('claimsmith-console-role-developer','Console: developer','Change applications, resources, webhooks and plugins.','User',0,1796028255865,'console: developer','change applications, resources, webhooks and plugins.');
INSERT INTO "roles" VALUES('claimsmith-console-role-admin','Console: administrator','Do everything in the console.','User',0,1796028255865,'console: administrator','do everything in the console.');
INSERT INTO "roles" VALUES('2kfkyd4ihtujnorok5jnr','shopper','Shops','User',0,1796028260806,'shopper','shops');
CREATE TABLE scopes (
    id          TEXT PRIMARY KEY,
    resource_id TEXT NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    description TEXT,
    created_at  BIGINT NOT NULL, name_key TEXT NOT NULL DEFAULT '', description_key TEXT,
    UNIQUE (resource_id, name)
);
INSERT INTO "scopes" VALUES('kj4oy6x6bhvss4fdfrt9y','f6navanwewnfz725hxiy4','all','Everything the Management API offers.',1796028255865,'all','everything the management api offers.');
INSERT INTO "scopes" VALUES('gamsv9h9mnjwov4o87ceb','f6navanwewnfz725hxiy4','users:read','Read users and their roles.',1796028255865,'users:read','read users and their roles.');
INSERT INTO "scopes" VALUES('b3mm2x4guoluni2urz8lh','f6navanwewnfz725hxiy4','users:write','Create, change and delete users.',1796028255865,'users:write','create, change and delete users.');
INSERT INTO "scopes" VALUES('6dg78898gbqk6aydhxv1o','f6navanwewnfz725hxiy4','roles:read','Read roles.',1796028255865,'roles:read','read roles.');
INSERT INTO "scopes" VALUES('6vh48z94kve7cd9va15zq','f6navanwewnfz725hxiy4','roles:write','Create, change and delete roles, and assign them.',1796028255865,'roles:write','create, change and delete roles, and assign them.');
INSERT INTO "scopes" VALUES('zok8nuamzm0e1rv3vi729','f6navanwewnfz725hxiy4','resources:read','Read API resources and their scopes.',1796028255865,'resources:read','read api resources and their scopes.');
INSERT INTO "scopes" VALUES('v6rqe6o7o0xibk3lf859l','f6navanwewnfz725hxiy4','resources:write','Create, change and delete API resources and their scopes.',1796028255865,'resources:write','create, change and delete api resources and their scopes.');
INSERT INTO "scopes" VALUES('krph6r4l11egcop338a7z','f6navanwewnfz725hxiy4','applications:read','Read applications.',1796028255865,'applications:read','read applications.');
INSERT INTO "scopes" VALUES('lbu74d2882d0gblke495z','f6navanwewnfz725hxiy4','applications:write','Create, change and delete applications and their secrets.',1796028255865,'applications:write','create, change and delete applications and their secrets.');
INSERT INTO "scopes" VALUES('zpvszcwoxed8z2asm0cq1','f6navanwewnfz725hxiy4','organizations:read','Read organizations, their members, roles, scopes and invitations.',1796028255865,'organizations:read','read organizations, their members, roles, scopes and invitations.');
INSERT INTO "scopes" VALUES('p10m72sv7t8kshq8x69ja','f6navanwewnfz725hxiy4','organizations:write','Create, change and delete organizations, their members, roles, scopes and invitations.',1796028255865,'organizations:write','create, change and delete organizations, their members, roles, scopes and invitations.');
INSERT INTO "scopes" VALUES('p8opgbp4vx26f8gfyz295','f6navanwewnfz725hxiy4','hooks:read','Read webhooks and their deliveries.',1796028255865,'hooks:read','read webhooks and their deliveries.');
INSERT INTO "scopes" VALUES('6ijsyezjjwv8v93ndqd47','f6navanwewnfz725hxiy4','hooks:write','Create, change and delete webhooks.',1796028255865,'hooks:write','create, change and delete webhooks.');
INSERT INTO "scopes" VALUES('h7owywdv1etmpxlgcghxt','f6navanwewnfz725hxiy4','configs:read','Read the configuration kept in the database, such as signing keys.',1796028255865,'configs:read','read the configuration kept in the database, such as signing keys.');
INSERT INTO "scopes" VALUES('bx4mhpwbnt7yscpam4ds8','f6navanwewnfz725hxiy4','configs:write','Change the configuration kept in the database, such as signing keys.',1796028255865,'configs:write','change the configuration kept in the database, such as signing keys.');
INSERT INTO "scopes" VALUES('dc3hsbhglp8xoe4wl41qb','f6navanwewnfz725hxiy4','logs:read','Read the audit log and the dashboard.',1796028255865,'logs:read','read the audit log and the dashboard.');
INSERT INTO "scopes" VALUES('fprntx3oqfmq35nxmrq0a','f6navanwewnfz725hxiy4','subject-tokens:read','Read which subject tokens are live, and who acted for whom.',1796028255865,'subject-tokens:read','read which subject tokens are live, and who acted for whom.');
INSERT INTO "scopes" VALUES('d8hm1cbuqdp6cs2wsbb3m','f6navanwewnfz725hxiy4','subject-tokens:write','Ask for subject tokens, revoke them, and end impersonations.',1796028255865,'subject-tokens:write','ask for subject tokens, revoke them, and end impersonations.');
INSERT INTO "scopes" VALUES('5j925e5ypqv4krk576094','f6navanwewnfz725hxiy4','plugins:read','Read the state of plugins.',1796028255865,'plugins:read','read the state of plugins.');
INSERT INTO "scopes" VALUES('w4pd3ltucunusm3r7teja','f6navanwewnfz725hxiy4','plugins:write','Upload, change and delete plugins.',1796028255865,'plugins:write','upload, change and delete plugins.');
INSERT INTO "scopes" VALUES('ntkuhq96m8ays5ca47a7j','f6navanwewnfz725hxiy4','plugins:secrets','Run tests of plugins with their secrets.',1796028255865,'plugins:secrets','run tests of plugins with their secrets.');
INSERT INTO "scopes" VALUES('cgvk0ge2wldkzn298n0y2','f6navanwewnfz725hxiy4','plugins:grant','Grant plugins what they ask to reach.',1796028255865,'plugins:grant','grant plugins what they ask to reach.');
INSERT INTO "scopes" VALUES('so7n8rvsp1g5q76xgc14u','avluebu7vou0ge8n2iice','resource:read','Read your data',1796028255865,'resource:read','read your data');
INSERT INTO "scopes" VALUES('09q337thpb9zgsnrc8ky6','avluebu7vou0ge8n2iice','resource:write','Change your data',1796028255865,'resource:write','change your data');
INSERT INTO "scopes" VALUES('claimsmith-console-scope-read','claimsmith-console','console:read','See everything in the console but configuration.',1796028255865,'console:read','see everything in the console but configuration.');
INSERT INTO "scopes" VALUES('claimsmith-console-scope-support','claimsmith-console','console:support','Help users: unlock, suspend, end sessions, impersonate.',1796028255865,'console:support','help users: unlock, suspend, end sessions, impersonate.');
INSERT INTO "scopes" VALUES('claimsmith-console-scope-developer','claimsmith-console','console:developer','Change applications, resources, webhooks and plugins.',1796028255865,'console:developer','change applications, resources, webhooks and plugins.');
INSERT INTO "scopes" VALUES('claimsmith-console-scope-admin','claimsmith-console','console:admin','Do everything in the console.',1796028255865,'console:admin','do everything in the console.');
INSERT INTO "scopes" VALUES('ila7w7iyoai96gsaafa2s','ekvbptdc8q5qbvv675cqe','read:carts','Read carts',1796028260785,'read:carts','read carts');
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
INSERT INTO "sessions" VALUES('xnf102ywzdqje2rr2mzvu','af53e132acb9437dcbf1ecb50a31abd57e7a038911e19ee5129b7111ddf5675f','xstr914vwdvs','{"amr":["pwd"],"ip":"127.0.0.1","userAgent":"Python-urllib/3.11","interaction":{"interactionEvent":"SignIn","userId":"xstr914vwdvs","verificationRecords":[{"id":"r5fnb4v0ewhgmb35mj268","type":"Password","identifier":{"type":"username","value":"keeper"},"verified":true}]},"clientId":"xnspg4ceckd88bqa8g88r"}',1796028301104,1796028301162,1797237901104);
CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO "settings" VALUES('bootstrap','1');
INSERT INTO "settings" VALUES('demo','1');
INSERT INTO "settings" VALUES('demo.client','mvos8yj6xir0so8dbiz8g');
INSERT INTO "settings" VALUES('demo.backend','f7570l4weiutx8fco40g7');
INSERT INTO "settings" VALUES('demo.customer','vw5i0zqc1w1i');
INSERT INTO "settings" VALUES('demo.resource','https://api.example.com');
CREATE TABLE sign_in_attempts (
    -- SHA-256 (hex) of what is counted.
    hash       TEXT PRIMARY KEY,
    failures   BIGINT NOT NULL,
    -- When they are forgotten: an hour after the first, or at the end of the lock-out.
    expires_at BIGINT NOT NULL
, lockouts BIGINT NOT NULL DEFAULT 0);
INSERT INTO "sign_in_attempts" VALUES('55e86fff236b032fbfa2f96dd4e1e8b7f868cc1d9f9b869c9b0deebdcbae386e',1,1796028900277,0);
INSERT INTO "sign_in_attempts" VALUES('5cb01652e9d4c3a822628b8cb5cad545ebe438dfbcb8533942aea3079556bb53',0,1796031900974,0);
CREATE TABLE sign_in_experiences (
    id       TEXT PRIMARY KEY,
    settings TEXT NOT NULL
);
INSERT INTO "sign_in_experiences" VALUES('default','{"color":{"primaryColor":"#0f766e","isDarkModeEnabled":true,"darkPrimaryColor":"#818cf8"},"branding":{},"languageInfo":{"autoDetect":true,"fallbackLanguage":"en"},"termsOfUseUrl":null,"privacyPolicyUrl":null,"agreeToTermsPolicy":"Automatic","supportEmail":null,"supportWebsiteUrl":null,"unknownSessionRedirectUrl":null,"signInMode":"SignInAndRegister","signUp":{"identifiers":["username"],"password":true,"verify":false},"signIn":{"methods":[{"identifier":"username","password":true,"verificationCode":false,"isPasswordPrimary":true}]},"socialSignIn":{},"socialSignInConnectorTargets":[],"singleSignOnEnabled":false,"mfa":{"factors":[],"policy":"UserControlled"},"adaptiveMfa":{},"trustedDevice":{},"passkeySignIn":{},"passwordPolicy":{},"passwordExpiration":{},"usernamePolicy":{"caseSensitive":false,"minLength":1,"maxLength":128,"allowedChars":{"lowercase":true,"uppercase":true,"numbers":true,"underscore":true,"dot":false,"hyphen":false,"letters":false,"leadingDigit":false,"at":false}},"forgotPasswordMethods":null,"verificationCodePolicy":{},"sentinelPolicy":{},"captchaPolicy":{},"emailBlocklistPolicy":{},"signUpProfileFields":null,"customCss":null}');
CREATE TABLE sign_in_places (
    user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind         TEXT NOT NULL,
    hash         TEXT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, kind, hash)
);
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
INSERT INTO "signing_keys" VALUES('QoG6yzhNgPG_N2UI3PpzmGHcDzlZi2pVL_GlzR6EjSo','ES256','{"kid":"QoG6yzhNgPG_N2UI3PpzmGHcDzlZi2pVL_GlzR6EjSo","use":"sig","alg":"ES256","crv":"P-256","kty":"EC","x":"1lPRLn2U83VvBjD4-RQjsHH-wTTA6PKtyGKx0_e0ByM","y":"Su6p5xXFpnhD0lDZ-Fv6GKkHF-_T_LYlamf3cI6nzbk"}','QBcjAq7fpB8W1HjA+BJFpJhR9Jqt3b+imh4j2iI9nEcLqzGgB/8KUqQKOvnd1a4JP7hLM6syGFI8kbWGNsWcWhCcgc8sRPkzko6U+A+Qtl5OfANec/TCyuQHNEYsEzeW7ksKsvfAIOl55z4OcpLyiEeb1DSUWEIF1ZplVPHqVT96BAuHli0jEB81zH2JwEMsznHt5kuw5qLtCjKs+UIpMebRDX8w1sgpB5M=',1796028255865,1796028255865,NULL);
INSERT INTO "signing_keys" VALUES('McV1YA0XvF3qeuZ3yIzRPNyB7CQsRiZJwQD7rS4Oyv0','RS256','{"kid":"McV1YA0XvF3qeuZ3yIzRPNyB7CQsRiZJwQD7rS4Oyv0","use":"sig","alg":"RS256","e":"AQAB","kty":"RSA","n":"5tVpfAagbRkKql7-zXxajHT5LzyUEjL5PB69ssDQ_mShn8DowB0TDUq_1sE1e7xksxfNhIkmR0zqpisQRFLCiHIOLYdHwXy2G6OrxpAeeyZ5eHspXBqkXiz3_vkfFSA5wXAxaWwiYK7Du2XPwRP9rzOzLIhNGlV6EQ9XqZvNaGwpBWuvr7ip38qUXG0G3EWnpSB8VyOSed-5D4VHBtz8QMf0qq6nY3fT8LQ0rICd7PN5P2zbuqjR4-q0EENze2WNF1nD1hblRGRbkY0D39uhWmNCHWZaVmSoEa8E2iP3kEhfmL1ExoNWDQTDy6-7zs0w1htNAAd57AbqzRbO5zNyuw"}','QBcjAmYPSftbw/GP4x9XFX3abCCczdIzNDdZZjAgaMFq9fhJv6SiIg7ayJAz/PKTdH71TMmNYeDZOcJRqV2znyzBfG/caAn41Bdn/7x7V7Go8iclADLTVY8NFkbIjIL8R1Tu8pt90hew84hmZnMW4fuzo9Q3DJjOPqVmQWDNe10Dfvc9LTalRmkkhgwPsTjkhOy9rmFcslAvhwyMPZY0f6Vp8k7ZyMtLn87dSExbD+2MfpFlOVyr3nfyooxLL1JLWkeSLwr3mEtJfPM1EVcSvMeryxfu5ukItWMcwIyDzhiLv4lIfQFMgUd56JuM/jw962bUorPtI/+yMyBbCwowrxWB4aIiJXVvkNPEm+EYGIHzyJHd9iBsVcpUm0FnB5cNNgZcfXfBXLyXGFF2LWKcPaE20cw4sYZ4OgmZesq7QhS2GuKA5j5cJgXKHAhhMXwmB2LJcO/jyq5e2vShjuELjHow4J28EpAivcnzeWbqmqPwtfgpus5hACtOF+hco6W8iOaoiDPs4SBbAmIHYCjN/OI6EblmDdML07oCmTRorZXygQNAR2QaDFjaTJzIoaPghFoiCpwI3INiIduwsKdgQm4D15jxleM0QEpCHevqnhtjD19Qiz7s/T5Tt4TJTR7l+igi9yb5iTe9sETGgAi93uLIDDfubrTYMA/T02Ug1MudmAykPVVkQ+oB4d68dMzqFVTaO2L+4tDnnYRD5UQu93WVlHAW3ulsfTz2ovc3pMnqB9m/tI16plUFH7zbsXxQr90sccnyhXRoNo3xHxw5ohY6AGyR2jZU/YvkSapfV0w4l82pmLjki6sIMktGFONtXoYdxV+CWjXihl9I3Up3PkLS7JtCY8h74ggwiQfv0ZuTV+z4sSsIXaFf6rgdy897hcTD3+Sa33Git52K5u1DyDrzx5860Y8UGvpSTfdpPOysuwkh2/wNksGUnZdJvy592FJ9jzTRRPPi0rbBjg6Nqw83Wpylwjxww8YQJsnesJBdXitqDyeVSV6fDWqGOCR5YcSMVa1nM/BI8crsbt13VVtLUjWnG6Hbyq+H9Kq1igKQLwvQISnjITfdxuxctLXE0ulM6uNjK0mlvMFFzBObFU+iGY0TrmjhYcCxnuzOrWUDCvGsqX6Fu76+NMvHXyEwfZPC8i9D4G0OnxvTm+Nein4tMvxh9mNt5VR81QgM/bCZ67ok9uJip+sc7LwlcTWNEGRmRevlI2IvxnAXgh0O5uuuQihlieOAalttl5mW0g71wiJ2b7z0xr40ghoC8h5mySM+OliNklaoW5czltYA7Cu0Z6qsbCEXUrlzMJPA9+BsM+xvLb4fJIKA35/0Ypl+DSwHLvjQjVgSjPgL4uV+W4bBDvEbnojAPEeAdFoxCl7B8VfpHJRB3XG/qglg0z9ZcSQsCqCnldtcmltDuV4LpTAgU9PK8vn4VqqXFexV1KZ7923YFe6m4vKcVVvvqN88dl3XcXI2md7bXpRSyhX+Yr4TIn8U5U35XddHQAYvZEyE8wIj8hfWsdcEbhq0ykLqlIz0C+vaF5E9LxF+s97sngxhE9KAwbSIcrHMPMJkNlZwLNjzjZ31Df66nmFwiBTlUuvEyg/dzVOELmWn1cWoysLa5rIpuFoVDpH0rgP4sA2MboiTtMo18YrUEhqhwx1Vho0=',1796028255865,1796028255865,NULL);
CREATE TABLE sso_connector_domains (
    sso_connector_id TEXT NOT NULL REFERENCES sso_connectors (id) ON DELETE CASCADE,
    domain           TEXT NOT NULL,
    PRIMARY KEY (sso_connector_id, domain)
);
INSERT INTO "sso_connector_domains" VALUES('fdbm4dfve4dt7nafwy7ei','acme.example');
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
, signs_in_administrators BOOLEAN NOT NULL DEFAULT FALSE);
INSERT INTO "sso_connectors" VALUES('fdbm4dfve4dt7nafwy7ei','OIDC','Acme','acme','QBcjAhrjxHCA6vSoFrgYs3byyqmToHJqmV2fn7gweJf+Dg==','{}',0,0,1796028300225,0);
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
    updated_at       BIGINT NOT NULL, linked_by_owner BOOLEAN NOT NULL DEFAULT FALSE,
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
INSERT INTO "subject_tokens" VALUES('mx30vlrtyl0l657fy4hz8','b6b64c7e34f2a0d59ebc30f2874425706c38953243b446df09b592aacce1e381','vw5i0zqc1w1i','{"ticketId":"TECH-1234","reason":"a stuck order"}','f7570l4weiutx8fco40g7',1796028300281,1796028900281,1796028300309);
INSERT INTO "subject_tokens" VALUES('mx30vlse59cmhpu2pn0bd','f85d4fae2f4a2e71ed37c1c9311a2d8d5e5babbca7165af717a264d2d872a029','vw5i0zqc1w1i','{"ticketId":"TECH-1234","reason":"a stuck order"}','f7570l4weiutx8fco40g7',1796028300302,1796028900302,NULL);
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
INSERT INTO "user_identities" VALUES('github','gh-1','xstr914vwdvs');
CREATE TABLE user_roles (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role_id TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, role_id)
);
INSERT INTO "user_roles" VALUES('vw5i0zqc1w1i','gumj430c03r06brq8or5u');
INSERT INTO "user_roles" VALUES('gmwjbytvndts','9mlyh5j3mo4h69n46guaf');
INSERT INTO "user_roles" VALUES('xstr914vwdvs','2kfkyd4ihtujnorok5jnr');
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
, username_key TEXT, email_key TEXT, name_key TEXT, place BIGINT NOT NULL DEFAULT 0, settings TEXT NOT NULL DEFAULT '{}', password_work INTEGER NOT NULL DEFAULT 0, password_updated_at BIGINT, is_password_expired BOOLEAN NOT NULL DEFAULT FALSE);
INSERT INTO "users" VALUES('vw5i0zqc1w1i','customer','customer@example.com',NULL,'$argon2id$v=19$m=19456,t=2,p=1$dwTWQH90qreI5Zc2AX4jPA$d6q/PGkNlZKwdRGdyGVMWZQl217s46o1ToNrjSUt3XY','Argon2id','Casey Customer',NULL,'{}','{}','{}',NULL,0,NULL,1796028255865,1796028260558,3,'customer','customer@example.com','casey customer',1,'{}',38912,1796028260558,0);
INSERT INTO "users" VALUES('gmwjbytvndts','engineer','engineer@example.com',NULL,'$argon2id$v=19$m=19456,t=2,p=1$5iUbyEoAlMPoAgADo3m2/A$XJYVts4q4jbSSY09iY0qOfY9EbW2yfyOdXOnl1hFC50','Argon2id','Erin Engineer',NULL,'{}','{}','{}',NULL,0,NULL,1796028255865,1796028255865,2,'engineer','engineer@example.com','erin engineer',2,'{}',38912,1796028255865,0);
INSERT INTO "users" VALUES('xstr914vwdvs','keeper','keeper@example.com',NULL,'$argon2id$v=19$m=19456,t=2,p=1$W2OcrnwwBtiIHpewbmjgZA$lgQ9y42R5XaHtUdiJqYwEAdRZVBi/8bAEU8tBou57S8','Argon2id','Ada Lövelace',NULL,'{"tier":"gold"}','{"github":{"userId":"gh-1","details":{"name":"Ada"}}}','{"nickname":"Ada"}',NULL,0,1796028301104,1796028260728,1796028300228,5,'keeper','keeper@example.com','ada lövelace',3,'{}',38912,1796028260728,0);
INSERT INTO "users" VALUES('fiajyozvn6z3','careful',NULL,NULL,'$argon2id$v=19$m=19456,t=2,p=1$8vJ3HEKbMqNWGfuD9PrL/w$v+2HyIqTxXi7ITxDO1VyQ6IyUmvixLINDRve48x10L8','Argon2id',NULL,NULL,'{}','{}','{}',NULL,0,NULL,1796028300254,1796028300254,1,'careful',NULL,NULL,4,'{}',38912,1796028300254,0);
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
INSERT INTO "verification_codes" VALUES('64888be82cd750fef835edbd9ec3d3e586ef544c336673bf39884f3bb14a0e10','tmwm8s9ne39l6gu6cfkg5','QBcjAiD6BTsxIW2PqWcVS4i7cQvE8hIaO+0AuZgCl2kd2Rs0',0,1796028900278);
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
CREATE INDEX subject_tokens_by_user ON subject_tokens (user_id);
CREATE INDEX subject_tokens_by_expiry ON subject_tokens (expires_at);
CREATE INDEX issuances_by_user ON issuances (user_id);
CREATE INDEX plugin_logs_by_plugin ON plugin_logs (plugin_name, id);
CREATE INDEX plugin_logs_by_creation ON plugin_logs (created_at);
CREATE INDEX hooks_by_creation ON hooks (created_at DESC, id);
CREATE INDEX events_by_creation ON events (created_at);
CREATE UNIQUE INDEX users_by_username_key ON users (username_key);
CREATE UNIQUE INDEX users_by_email_key ON users (email_key);
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
CREATE INDEX users_by_name_key ON users (name_key, place);
CREATE TRIGGER members_added AFTER INSERT ON organization_users BEGIN
    INSERT INTO member_counts (organization_id, value) VALUES (NEW.organization_id, 1)
        ON CONFLICT (organization_id) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER members_removed AFTER DELETE ON organization_users BEGIN
    UPDATE member_counts SET value = value - 1 WHERE organization_id = OLD.organization_id;
    DELETE FROM member_counts WHERE organization_id = OLD.organization_id AND value = 0;
END;
CREATE INDEX organization_user_roles_by_role
    ON organization_user_roles (organization_role_id, organization_id, user_id);
CREATE INDEX users_by_password_work ON users (password_work);
CREATE INDEX refresh_families_by_grant ON refresh_families (grant_id);
CREATE INDEX refresh_tokens_newest ON refresh_tokens (family_id) WHERE consumed_at IS NULL;
CREATE INDEX application_access_users_by_user ON application_access_users (user_id);
CREATE INDEX application_access_roles_by_role ON application_access_roles (role_id);
CREATE INDEX application_access_organizations_by_organization ON application_access_organizations (organization_id);
CREATE INDEX application_access_organization_roles_by_organization
    ON application_access_organization_roles (organization_id);
CREATE INDEX application_access_organization_roles_by_role
    ON application_access_organization_roles (organization_role_id);
CREATE INDEX application_consent_resource_scopes_by_scope ON application_consent_resource_scopes (scope_id);
CREATE INDEX application_consent_organization_resource_scopes_by_scope
    ON application_consent_organization_resource_scopes (scope_id);
CREATE INDEX application_consent_organization_scopes_by_scope
    ON application_consent_organization_scopes (organization_scope_id);
CREATE INDEX consent_organizations_by_member ON consent_organizations (organization_id, user_id);
CREATE INDEX consent_organizations_by_user ON consent_organizations (user_id);
CREATE INDEX organization_jit_sso_connectors_by_connector ON organization_jit_sso_connectors (sso_connector_id);
CREATE INDEX sign_in_places_by_time ON sign_in_places (last_seen_at);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('deliveries',4);
INSERT INTO "sqlite_sequence" VALUES('messages',1);
COMMIT;
