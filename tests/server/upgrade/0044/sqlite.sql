BEGIN TRANSACTION;
CREATE TABLE _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
);
INSERT INTO "_sqlx_migrations" VALUES(1,'identity','2026-11-30 09:28:55',1,X'019C0C3FB83D8562E02DCE28B287374FF43C9C77D3BAF0439D2D1EFC048DB69AC88968D51CD605D240D608E336323BA8',1313786);
INSERT INTO "_sqlx_migrations" VALUES(2,'tokens','2026-11-30 09:28:55',1,X'ED768B8D7003E52C390005136F0C77894314C04B09EBC27A56835F5957FDB1BEF16E6A2DDF32F4B41695CA56D72882C0',348188);
INSERT INTO "_sqlx_migrations" VALUES(3,'plugins','2026-11-30 09:28:55',1,X'56B41C9177F95C73043F6D0E913575580E814CBF429D310A7FC482FCA941968FDFFD0BCA61342B66A90FA12B10EA0016',415920);
INSERT INTO "_sqlx_migrations" VALUES(4,'webhooks','2026-11-30 09:28:55',1,X'3A1F3CCDCF7EE9EC5A055D0892048D1205DF1513D7832723DC9D20D9F98AB1789A74294402EEE67F44636321A3C37BC2',394246);
INSERT INTO "_sqlx_migrations" VALUES(5,'users','2026-11-30 09:28:55',1,X'B45EE6AE4BF9D9E4D074720DB9F44DC1BCACA301BEE75BC6A268FDE7D347E0EFFAEF61FD34FBD3C7BD04B90420975505',1130553);
INSERT INTO "_sqlx_migrations" VALUES(6,'organizations','2026-11-30 09:28:55',1,X'5DB8E54EDE965B4C462F22B58784CC4338857E0C3E4AEAD0FEB15149D6C36B4320EBE8541762E5D0D1C73592488E5DB8',2597957);
INSERT INTO "_sqlx_migrations" VALUES(7,'audit','2026-11-30 09:28:55',1,X'E50DFB5C33CB33173ED0E4E6617A6CD5DD3D7A53932C686CA13375DA09260F24FE8B5EF3F97E00DC5F6A41F15AB2FA14',1688272);
INSERT INTO "_sqlx_migrations" VALUES(8,'roles','2026-11-30 09:28:55',1,X'8DA7E11AF6D967B975BA6869CAECEBE06162C68FCAF0791871F12986BE7A2D66E3237A262E920F76CE2C0FFD5FE40436',4388191);
INSERT INTO "_sqlx_migrations" VALUES(9,'delivery','2026-11-30 09:28:55',1,X'6EEAFA10E8EEEDB363BCA9658F99F7C1A283B0CF3D588036F4655341E6726E265CA3F532914596356955AE334C6827A3',5852081);
INSERT INTO "_sqlx_migrations" VALUES(10,'users in order','2026-11-30 09:28:55',1,X'E10F0B4F9D336A66C7F04917B4719D43F71FC641AA317E166E1D91715C729E006B5D4882138BBCD828CBA0CE1A5C7635',988130);
INSERT INTO "_sqlx_migrations" VALUES(11,'user settings','2026-11-30 09:28:55',1,X'CDBA4618C93FEFE5D2206BC0C7B5BEBE97FD7A87BE466A99BBAB8703DF7725B3F8D9504E836A89F510721F4ECE50F46B',552342);
INSERT INTO "_sqlx_migrations" VALUES(12,'authorization changes','2026-11-30 09:28:55',1,X'DDBEED754CF251923426AA33F5AFEB0FF5ED30C4CD24B2D2D4315A0721C10C9FECBD27E0220161AB784C4AD1A4683974',153008);
INSERT INTO "_sqlx_migrations" VALUES(13,'sign in','2026-11-30 09:28:55',1,X'177B768027589BAA338414BCDCD00726A0407325B245F9B80B54DADDE9A6FC7E93BB5D926E2346B25ACAEC4748F1DF03',274548);
INSERT INTO "_sqlx_migrations" VALUES(14,'sessions','2026-11-30 09:28:55',1,X'64E9A43D87D09330A97EDF50537C409E9945AEF42CE5B6C7CD49186354B1A249731B412DDEE411B1192C46741667BC8C',2371770);
INSERT INTO "_sqlx_migrations" VALUES(15,'attempts','2026-11-30 09:28:55',1,X'EA399475917C3269543142674E4F438E22BB9C4D26DE2B1D955F326FEBBF8589FAF7D9E331E5CCF23A72BE30FB26801C',201530);
INSERT INTO "_sqlx_migrations" VALUES(16,'backchannel logout','2026-11-30 09:28:55',1,X'FB420FFD487E664283F9C0060F8DF4895B24FAC57FE5F1CC200763E7A752F34371EEFA33027B74B288D48728CA02B09A',849314);
INSERT INTO "_sqlx_migrations" VALUES(17,'devices','2026-11-30 09:28:55',1,X'B24A4487235B846E95A50468D117A402D9EEDBE77CCC84AA39A726CD4A7CE41F8EC2085888FAC1247515888A3614B4AA',382299);
INSERT INTO "_sqlx_migrations" VALUES(18,'client assertions','2026-11-30 09:28:55',1,X'95A23F5E22A64FDCE8F052082A45A6D65D28DB9B7D9698BB4485487AC2DF1145959E2D0F690A471D13B52A4E76038C24',189913);
INSERT INTO "_sqlx_migrations" VALUES(19,'known browsers','2026-11-30 09:28:55',1,X'00905B547D33D9F96EF7C1AB65BBB6E8D3B31C9686A2DBD0D37D3072BAFE502523BB2C4BA8136781355D1A4DFFB35A08',848493);
INSERT INTO "_sqlx_migrations" VALUES(20,'factor use','2026-11-30 09:28:55',1,X'D1DFD9CF9BB7E1AC6EBDE3861220A86B84D2970FC92685ABEB2B11FB4BF13AB01C7015DB7B9B8AF8F1583C06A543C8AB',603087);
INSERT INTO "_sqlx_migrations" VALUES(21,'messages','2026-11-30 09:28:55',1,X'06857D3D592440F58561C8264B149C02C08FAE55A32543465A5A236CAD608401AC39B5510DA4B222FCA08A2D2FDF4E36',719781);
INSERT INTO "_sqlx_migrations" VALUES(22,'codes','2026-11-30 09:28:55',1,X'3028E4322D018D51CCEB41918A9D37FCA667744F157F56143D75C67EE3B388A43EFDED753472F063B8DB1559FB1802ED',430040);
INSERT INTO "_sqlx_migrations" VALUES(23,'enterprise','2026-11-30 09:28:55',1,X'D59C1C5F648107F987328CF32839C23038126F221059CA0A8EF7EB1B161CE91786DC3737A4FBF8C1CE905BF280149AA8',401458);
INSERT INTO "_sqlx_migrations" VALUES(24,'own account','2026-11-30 09:28:55',1,X'B599678B5AEBC40225734E3FE352C8FFB6EE038C57BDE2923EA6D200C924C6D769D589C73C4FBFEDA4E304318208D1B7',1163101);
INSERT INTO "_sqlx_migrations" VALUES(25,'passkeys','2026-11-30 09:28:55',1,X'8199AA0778933A32195A2DC0B7BC014AD032360B44FE9BD1EF51379AD0DB2A218C2983374FCEC89DFF091CD6135E46E4',221660);
INSERT INTO "_sqlx_migrations" VALUES(26,'proofs','2026-11-30 09:28:55',1,X'B344879717825FFC3454EB7592BBD3911833C90904194FD268A8BF26896924BECA14E40EC43248DF1431D93CCA514DBC',976403);
INSERT INTO "_sqlx_migrations" VALUES(27,'captcha','2026-11-30 09:28:55',1,X'5BB999CB3FBA89138610D477B740233BAFB9797281148AC97DC09F93B37D6949B038168046E903E09048C30300716EA9',141591);
INSERT INTO "_sqlx_migrations" VALUES(28,'profiles','2026-11-30 09:28:55',1,X'8058DCD3F1A28D3F66769E523F1E9712F3F90AC30DF40D748F8C1E5412B2D585A6A56005CFBD6B2B951C434BF627CD3C',368749);
INSERT INTO "_sqlx_migrations" VALUES(29,'console','2026-11-30 09:28:55',1,X'17357DD7437C28897E5319AFD13458CDDA02CD35777BFF8E220F0BD79926FFE5D352F593FEA77A9055385879C49383A8',434386);
INSERT INTO "_sqlx_migrations" VALUES(30,'operations','2026-11-30 09:28:55',1,X'865152BD8EE4111DF4642213C2B8796076AF4EB839F7C80F8069E667C6373C19D7F1A06F976EE674F2BE22E787733A66',2419471);
INSERT INTO "_sqlx_migrations" VALUES(31,'users by name','2026-11-30 09:28:55',1,X'8662CAD3B65D8074A04B1CE22257525922C55307D06A9E57ACF98490B03657880BE93689E38AAF09DE397F018432BF3E',193979);
INSERT INTO "_sqlx_migrations" VALUES(32,'member counts','2026-11-30 09:28:55',1,X'4FC352366A1ED47A62DCF6DDAF130D5DD56017FF92FB8FF7CF361CE6AD07CD7462BACAED118F225DC43EA97B36EC16B2',388368);
INSERT INTO "_sqlx_migrations" VALUES(33,'password work','2026-11-30 09:28:55',1,X'375EAB9AE61E3DEBDEDB079E968459152DC77FBFF25E7D5238B79137F6894F9735E0BBB9D0F17DA018437D0ECFD861E1',959468);
INSERT INTO "_sqlx_migrations" VALUES(34,'administrators elsewhere','2026-11-30 09:28:55',1,X'93E19CE5DA5DF7CAA46116D83FC80288040005960B25951CAF9D0F0567B6060E0BCEDAE10B5845C7827F7FF206509216',1689124);
INSERT INTO "_sqlx_migrations" VALUES(35,'refresh families','2026-11-30 09:28:55',1,X'3E333309C58F60C9CE29D0CAAB55103D2F534062FBBF7DD6663CECCDF87106A4BE3904E36090BCEFCE3B370ECA5B0089',273758);
INSERT INTO "_sqlx_migrations" VALUES(36,'client assertion audience','2026-11-30 09:28:55',1,X'1B5F494717542088ABDFB40A64B2A606E14E30C4427AC89C37E09DFBB9DA9AC9FB2201BAE365A48C7E83155CB6D74AC9',100349);
INSERT INTO "_sqlx_migrations" VALUES(37,'kept settings','2026-11-30 09:28:55',1,X'5F5E39211324420D8FDB64969D07E44F038DD0B99C184C517A665C51A7CD8276154C86E33A941DD8858D0D0B19B94633',849995);
INSERT INTO "_sqlx_migrations" VALUES(38,'imported password work','2026-11-30 09:28:55',1,X'25A14E2EBC1EF4CD1373F7A3FB4C39509D69A7075078209F1E679C0C70D21923874AA0651F1EF4D312B5A9AED388B0BD',129843);
INSERT INTO "_sqlx_migrations" VALUES(39,'pushed requests','2026-11-30 09:28:55',1,X'54704F425201A704E333EC1D8268BEE5ADE345B7B539A2E1898BF033255075B053DE52A0082800F5F95F9A417AF5431A',966048);
INSERT INTO "_sqlx_migrations" VALUES(40,'third parties','2026-11-30 09:28:55',1,X'42CDDFAC1EF40171754DE8DDCB706C80362F8797A57C222C7265E087B6F14F93729AC578BCB6DC3CF22819F0D6F0E4F5',4006504);
INSERT INTO "_sqlx_migrations" VALUES(41,'password age','2026-11-30 09:28:55',1,X'2F71DC132CF7A521790DF8AAA9AE0ACDE15AB236876C11BA08CEF354E24F4226EDE8EA01E7617501D9956128979C987E',3220053);
INSERT INTO "_sqlx_migrations" VALUES(42,'single event','2026-11-30 09:28:55',1,X'AAD3BD52565BBFDAEE88A002526250892F2095191481F4E9A019872906EE6F585328D5E12C9B68871706DCB24A7AA366',1535866);
INSERT INTO "_sqlx_migrations" VALUES(43,'confirmations','2026-11-30 09:28:55',1,X'BF3DB29DD11D781EC309D25D5F18953947BC10D710EB5233CBB316F931EB81EB1923A83F5EC78E740D83E4F0C14ABFBC',541616);
INSERT INTO "_sqlx_migrations" VALUES(44,'plugin calls and invitations','2026-11-30 09:28:55',1,X'BD4D899DCB80394CB9D721D40CF26B65DC7035E8BF610F2042068ABAE53589E34C6ED34A4A98D5A2DF6139A550AD7BD2',748774);
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
INSERT INTO "activity" VALUES(1796030940000,'deliveries','','n9zzqpgw5yy7nckbhbjtr',6,6,172000,108000);
INSERT INTO "activity" VALUES(1796030940000,'messages','','n9zzqpgw5yy7nckbhbjtr',1,1,5301,5301);
INSERT INTO "activity" VALUES(1796030940000,'plugins','jwt-access-token','n9zzqpgw5yy7nckbhbjtr',2,0,2125,1089);
INSERT INTO "activity" VALUES(1796030940000,'signIns','','n9zzqpgw5yy7nckbhbjtr',1,0,0,0);
INSERT INTO "activity" VALUES(1796030940000,'tokens','authorization_code','n9zzqpgw5yy7nckbhbjtr',1,0,9059,9059);
INSERT INTO "activity" VALUES(1796030940000,'tokens','client_credentials','n9zzqpgw5yy7nckbhbjtr',1,0,10947,10947);
INSERT INTO "activity" VALUES(1796030940000,'tokens','token_exchange','n9zzqpgw5yy7nckbhbjtr',1,0,5587,5587);
CREATE TABLE administrator_invitations (
    id         TEXT PRIMARY KEY,
    -- SHA-256 (hex) of the code in the link; NULL once an account has used it.
    hash       TEXT UNIQUE,
    -- One of the built-in roles of the console.
    role_id    TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    inviter_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- For whom it is, in the inviter's words.
    note       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- Of the link; and of the claim, once there is one.
    expires_at BIGINT NOT NULL,
    -- The account that used the link.
    user_id    TEXT REFERENCES users (id) ON DELETE CASCADE,
    claimed_at BIGINT
);
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
INSERT INTO "application_roles" VALUES('6px4urxb5oasuvhw0o80d','rry0l0grhfuosxyekxr1p');
CREATE TABLE application_secrets (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    name           TEXT NOT NULL,
    hash           TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT,
    PRIMARY KEY (application_id, name)
);
INSERT INTO "application_secrets" VALUES('6px4urxb5oasuvhw0o80d','Default secret','86fa65e5d733e597eee855a5c9289ae9a14095254cbc412ec8f0394e67042214',1796030935844,NULL);
INSERT INTO "application_secrets" VALUES('tfphfjuicfelcmywvkz8i','Default secret','a4efa846825d4a00bfcfb535c95c9cd2ed2502316403e9983ea734605c09ef40',1796030935844,NULL);
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
INSERT INTO "applications" VALUES('6px4urxb5oasuvhw0o80d','Management API client',NULL,'MachineToMachine','{"redirectUris":[],"postLogoutRedirectUris":[]}','{}','{}',0,1796030935844,'management api client',NULL,0);
INSERT INTO "applications" VALUES('z150rv6q8sy2tp556blmj','Demo single-page application',NULL,'SPA','{"redirectUris":["http://127.0.0.1:3001/demo/callback"],"postLogoutRedirectUris":["http://127.0.0.1:3001/demo"]}','{"allowTokenExchange":true,"impersonationUri":"http://127.0.0.1:3001/demo/impersonate"}','{}',0,1796030935844,'demo single-page application',NULL,0);
INSERT INTO "applications" VALUES('tfphfjuicfelcmywvkz8i','Demo web application',NULL,'Traditional','{"redirectUris":[],"postLogoutRedirectUris":[]}','{"allowTokenExchange":true}','{}',0,1796030935844,'demo web application',NULL,0);
INSERT INTO "applications" VALUES('claimsmith-console','Claimsmith console',NULL,'SPA','{"redirectUris":["http://127.0.0.1:3001/console/callback"],"postLogoutRedirectUris":["http://127.0.0.1:3001/console"]}','{}','{}',0,1796030935844,'claimsmith console',NULL,0);
INSERT INTO "applications" VALUES('claimsmith-cli','Claimsmith command line',NULL,'Native','{"redirectUris":[],"postLogoutRedirectUris":[]}','{"isDeviceFlow":true}','{}',0,1796030935844,'claimsmith command line',NULL,0);
INSERT INTO "applications" VALUES('as760mdovfheyevwfs7n2','Shop',NULL,'SPA','{"redirectUris":["https://shop.example.com/callback"],"postLogoutRedirectUris":[]}','{"alwaysIssueRefreshToken":true}','{}',0,1796030938189,'shop',NULL,0);
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
INSERT INTO "attempts" VALUES('nxz52t68cu3kfd0f519r1','msg_gecy9lc9ox35p20r94vmk','snoxqqcqyxhp962yrau8q',1,1796030938113,64,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('ub28q3preo5izrs5733zp','msg_ykfhy6wkulkf72p3akly3','snoxqqcqyxhp962yrau8q',1,1796030938091,108,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('v7h8dql3nj4guswfwp7us','msg_ykfhy6wkulkf72p3akly3','snoxqqcqyxhp962yrau8q',2,1796030942073,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('mak270bi6ef4dgeytky3c','msg_gecy9lc9ox35p20r94vmk','snoxqqcqyxhp962yrau8q',2,1796030942383,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('7zg2p2kw5su0d2ar6s27x','msg_mmdravrs97i11pm8s40f1','snoxqqcqyxhp962yrau8q',1,1796030968971,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO "attempts" VALUES('810mhkzvftxwya05lvrnu','msg_9wxnz6gxqhdviubd7kfx1','snoxqqcqyxhp962yrau8q',1,1796030969045,0,NULL,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)');
CREATE TABLE authorization_changes (
    revision INTEGER NOT NULL,
    -- 'all', 'keys', 'application' or 'organization'.
    kind TEXT NOT NULL,
    -- Of the application or organization, else empty.
    id TEXT NOT NULL,
    PRIMARY KEY (revision, kind, id)
);
INSERT INTO "authorization_changes" VALUES(2,'nothing','');
INSERT INTO "authorization_changes" VALUES(2,'role','rry0l0grhfuosxyekxr1p');
INSERT INTO "authorization_changes" VALUES(2,'application','6px4urxb5oasuvhw0o80d');
INSERT INTO "authorization_changes" VALUES(2,'role','6v2iwdzsh4uyt06azukux');
INSERT INTO "authorization_changes" VALUES(2,'role','hmhdr4e429p6j92p4hbzr');
INSERT INTO "authorization_changes" VALUES(2,'application','z150rv6q8sy2tp556blmj');
INSERT INTO "authorization_changes" VALUES(2,'application','tfphfjuicfelcmywvkz8i');
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
INSERT INTO "authorization_changes" VALUES(6,'application','as760mdovfheyevwfs7n2');
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
INSERT INTO "authorization_codes" VALUES('4766cc2b98c4d8dcc7b918f1a45b2b9a9dff4617cd4ea4afbfba93f3f58f7a74','hw5e10ticp2blhb1uj16j','tyqpq6u1c91n','as760mdovfheyevwfs7n2','{"redirectUri":"https://shop.example.com/callback","codeChallenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM","nonce":null,"scope":["openid","offline_access"],"resourceScope":[],"resources":[],"consented":null,"sessionId":"q6qyhpac3jpev2il74baq","authTime":1796030969,"amr":["pwd"],"acrValues":[],"interaction":{"interactionEvent":"SignIn","userId":"tyqpq6u1c91n","verificationRecords":[{"id":"7fwqgq0cf2km8xfl2v29b","type":"Password","identifier":{"type":"username","value":"keeper"},"verified":true}]}}','y6pah965ob1yznx3lfjek',1796030969990,1796031029990,1796030969999);
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
INSERT INTO "connectors" VALUES('s84cvntnqv5bielh0io52','http-email','Email','http-email','{}','QBcjAt/DAkGQ9kyYgeh8jY4n7Wm5pBH6M6LyS+J9lTG0mIrbTGXe4Xe6kzIOR3T3aLLayZTpJJZZTMuMjOs9JXlTZ0UVX8v5nSqCcDpkScGIhKj9pTJa+bpC+5qJsglS0Wa/1ClVj5egtasiCx4=',0,0,1796030968934);
CREATE TABLE consent_organizations (
    application_id  TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    user_id         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organization_id TEXT NOT NULL,
    PRIMARY KEY (application_id, user_id, organization_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES organization_users (organization_id, user_id) ON DELETE CASCADE
);
CREATE TABLE console_confirmations (
    -- The id in the sealed action.
    id         TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
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
INSERT INTO "console_links" VALUES('773b900db800ff63951bfc8d1a01c80835b0fc66484e32f940f4c888c878be4f','setup',NULL,NULL,1796030936990,1796034536990);
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
INSERT INTO "deliveries" VALUES(1,'msg_ykfhy6wkulkf72p3akly3','mx32g52t6syvbe7zv4q8t','snoxqqcqyxhp962yrau8q',NULL,'pending',1796030972202,NULL,2,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1796030938037,NULL);
INSERT INTO "deliveries" VALUES(2,'msg_gecy9lc9ox35p20r94vmk','mx32g54mgh7vu6rydr3rh','snoxqqcqyxhp962yrau8q',NULL,'pending',1796030970309,NULL,2,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1796030938102,NULL);
INSERT INTO "deliveries" VALUES(3,'msg_mmdravrs97i11pm8s40f1','mx32gsx9ad1wxxee2fq8s','snoxqqcqyxhp962yrau8q',NULL,'pending',1796030972977,NULL,1,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1796030968941,NULL);
INSERT INTO "deliveries" VALUES(4,'msg_9wxnz6gxqhdviubd7kfx1','mx32gsyy403zbfqmsspc4','snoxqqcqyxhp962yrau8q',NULL,'pending',1796030972809,NULL,1,NULL,'no connection to 127.0.0.1: Connection refused (os error 111)',1796030969002,NULL);
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
INSERT INTO "events" VALUES('mx32g52t6syvbe7zv4q8t','User.Data.Updated','{"event":"User.Data.Updated","createdAt":"2026-11-30T09:28:58.037Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users/cakha3nrrfgi/password","method":"PATCH","status":200,"params":{"userId":"cakha3nrrfgi"},"matchedRoute":"/users/:userId/password","data":{"id":"cakha3nrrfgi","username":"customer","primaryEmail":"customer@example.com","primaryPhone":null,"name":"Casey Customer","avatar":null,"customData":{},"identities":{},"lastSignInAt":null,"createdAt":1796030935844,"updatedAt":1796030938037,"profile":{},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1796030938037);
INSERT INTO "events" VALUES('mx32g54mgh7vu6rydr3rh','User.Created','{"event":"User.Created","createdAt":"2026-11-30T09:28:58.102Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users","method":"POST","status":200,"params":{},"matchedRoute":"/users","data":{"id":"tyqpq6u1c91n","username":"keeper","primaryEmail":"keeper@example.com","primaryPhone":null,"name":"Ada Lövelace","avatar":null,"customData":{"tier":"gold"},"identities":{},"lastSignInAt":null,"createdAt":1796030938102,"updatedAt":1796030938102,"profile":{"nickname":"Ada"},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1796030938102);
INSERT INTO "events" VALUES('mx32gsx9ad1wxxee2fq8s','User.Data.Updated','{"event":"User.Data.Updated","createdAt":"2026-11-30T09:29:28.941Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users/tyqpq6u1c91n/identities/github","method":"PUT","status":201,"params":{"userId":"tyqpq6u1c91n","target":"github"},"matchedRoute":"/users/:userId/identities/:target","data":{"id":"tyqpq6u1c91n","username":"keeper","primaryEmail":"keeper@example.com","primaryPhone":null,"name":"Ada Lövelace","avatar":null,"customData":{"tier":"gold"},"identities":{"github":{"userId":"gh-1","details":{"name":"Ada"}}},"lastSignInAt":null,"createdAt":1796030938102,"updatedAt":1796030968941,"profile":{"nickname":"Ada"},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1796030968941);
INSERT INTO "events" VALUES('mx32gsyy403zbfqmsspc4','User.Created','{"event":"User.Created","createdAt":"2026-11-30T09:29:29.002Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users","method":"POST","status":200,"params":{},"matchedRoute":"/users","data":{"id":"cf509igpkxsg","username":"careful","primaryEmail":null,"primaryPhone":null,"name":null,"avatar":null,"customData":{},"identities":{},"lastSignInAt":null,"createdAt":1796030969002,"updatedAt":1796030969002,"profile":{},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}',1796030969002);
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
INSERT INTO "grants" VALUES('hw5e10ticp2blhb1uj16j','tyqpq6u1c91n','as760mdovfheyevwfs7n2','q6qyhpac3jpev2il74baq','{"oidc":["openid","offline_access"],"resources":{},"organizations":[]}',1796030969990,1811582969990,1);
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
INSERT INTO "hook_statistics" VALUES('snoxqqcqyxhp962yrau8q',29933848,2,0);
INSERT INTO "hook_statistics" VALUES('snoxqqcqyxhp962yrau8q',29933849,4,0);
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
INSERT INTO "hooks" VALUES('snoxqqcqyxhp962yrau8q','before','["User.Created","User.Data.Updated"]','{"url":"http://127.0.0.1:9/nobody","retries":3}','QBcjAleclPpqE5vBEy1udO0qYFs896nUTEG1uwJGKStUNdN+MIMSkQFFq1rnE8dteQqxYTVdhr+kKzTGrB1kDEJUi2C/bhYy30gmc10TS/DmLkVVzaWReM+nM9C2FDvn',1,1796030937021,'[]',0,0,10,NULL,0,0,0,1796030938179,6,NULL,NULL);
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
INSERT INTO "interactions" VALUES('by0d6yjl7zapq1ywqv3qc','187d7e0782297805cc01e6ec74f60ceb9e8c4945204455c5499cde7039bf6745','{"clientId":"as760mdovfheyevwfs7n2","redirectUri":"https://shop.example.com/callback","responseMode":"query","state":null,"nonce":null,"scope":["openid","offline_access"],"resources":[],"codeChallenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM","prompts":["consent"],"maxAge":null,"loginHint":null,"oneTimeTokenHash":null,"uiLocales":null,"hintedUser":null,"screen":null,"acrValues":[],"organizationId":null,"device":null}','{"event":null,"userId":null,"credential":null,"registered":false,"verifications":[],"profile":{"username":null,"passwordDigest":null,"primaryEmail":null,"primaryPhone":null,"social":null,"enterprise":null},"mfa":{"choice":null,"suggestionSkipped":false,"totp":null,"backupCodes":null,"passkeys":[],"passkeySkipped":false,"codes":[]},"sessionId":null,"authenticated":false,"consented":null,"organizations":[]}',9,1796030969902,1796030669990);
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
INSERT INTO "issuances" VALUES('mx32g4a59k9qtl8yxp171',NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL,'http://127.0.0.1:3001/api','all',0,NULL,NULL,NULL,1796030937005,1796034537000,NULL,NULL,NULL,NULL);
INSERT INTO "issuances" VALUES('mx32gt2irli8aofhq9ec3','cakha3nrrfgi','tfphfjuicfelcmywvkz8i',NULL,NULL,'https://api.example.com','resource:read resource:write',1,'mx32gt2dpk7l0w479ib22',NULL,NULL,1796030969130,1796034569000,NULL,'{"ticketId":"TECH-1234","reason":"a stuck order"}',NULL,NULL);
INSERT INTO "issuances" VALUES('mx32gtl5yu1fxefg191bm','cakha3nrrfgi','tfphfjuicfelcmywvkz8i',NULL,NULL,NULL,'openid',0,NULL,'0a762b153b6629de5090b51828876cf425e84ba33a13d2e952ff15e81b5dd3c0','{"iss":"http://127.0.0.1:3001/oidc","sub":"cakha3nrrfgi","exp":1796034569,"iat":1796030969,"jti":"mx32gtl5yu1fxefg191bm","client_id":"tfphfjuicfelcmywvkz8i","scope":"openid","ticket":null,"region":"eu"}',1796030969801,1796034569000,NULL,NULL,NULL,NULL);
INSERT INTO "issuances" VALUES('mx32gtqlqaln8zijs90we','tyqpq6u1c91n','as760mdovfheyevwfs7n2',NULL,NULL,NULL,'openid offline_access',0,NULL,'1e4b4a5051542cac67715075468515230a5e2fe7cc4cdb6bdf67e8bf6c486aeb','{"iss":"http://127.0.0.1:3001/oidc","sub":"tyqpq6u1c91n","exp":1796034569,"iat":1796030969,"jti":"mx32gtqlqaln8zijs90we","client_id":"as760mdovfheyevwfs7n2","scope":"openid offline_access","ticket":null,"region":"eu"}',1796030969997,1796034569000,NULL,NULL,'hw5e10ticp2blhb1uj16j','y6pah965ob1yznx3lfjek');
CREATE TABLE known_browsers (
    -- SHA-256 (hex) of the browser's cookie.
    hash       TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (hash, user_id)
);
INSERT INTO "known_browsers" VALUES('4cb1f64020909c27136fc143c8424e9bf43ca428620631ff64d7a95c7bd95463','tyqpq6u1c91n',1811582969982);
CREATE TABLE logs (
    id         TEXT PRIMARY KEY,
    key        TEXT NOT NULL,
    payload    TEXT NOT NULL,
    created_at BIGINT NOT NULL
, user_id TEXT, application_id TEXT, actor_id TEXT, ticket_id TEXT);
INSERT INTO "logs" VALUES('mx32g3dwokdcre7ixu3r0','Bootstrap','{"demo":true,"demoApplication":true,"scopes":[],"signingKeys":["6FFzcPGp-411hDUV7sx-BeEuoTlICizlrxdaWRvXZxk","AUnyaMOpdIGbVRNfAWAAjeUpjy6joh9BD8TsxcLst_g"],"console":["claimsmith-console","claimsmith-console-scope-read","claimsmith-console-scope-support","claimsmith-console-scope-developer","claimsmith-console-scope-admin","claimsmith-console-role-read","claimsmith-console-role-support","claimsmith-console-role-developer","claimsmith-console-role-admin","claimsmith-console","claimsmith-cli"],"key":"Bootstrap","result":"Success"}',1796030935844,NULL,NULL,NULL,NULL);
INSERT INTO "logs" VALUES('mx32g4a55bjr3l89xn2mq','ExchangeTokenBy.ClientCredentials','{"applicationSecret":{"name":"Default secret"},"jti":"mx32g4a59k9qtl8yxp171","key":"ExchangeTokenBy.ClientCredentials","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"kf949xxhsndj5z6c","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030937005,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32g4alt6coig4i9tolr','Management.Hook.Create','{"hookId":"snoxqqcqyxhp962yrau8q","key":"Management.Hook.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"wedp75y4fi0nmefm","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030937021,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32g52tanlled7vilupo','Management.User.SetPassword','{"userId":"cakha3nrrfgi","key":"Management.User.SetPassword","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"chtytq33wtkeoei3","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030938037,'cakha3nrrfgi','6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32g54m970ype8hpa015','Management.User.Create','{"userId":"tyqpq6u1c91n","key":"Management.User.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"pqyueprozvxlqb6k","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030938102,'tyqpq6u1c91n','6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32g54uvi7cyfdm0dzs9','Management.Resource.Create','{"resourceId":"ja45fi3v6a33tw5xno4k1","key":"Management.Resource.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"wbpiw59w65uy07n7","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030938110,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32g557720jecrqbqbdo','Management.Scope.Create','{"resourceId":"ja45fi3v6a33tw5xno4k1","scopeId":"fwg8ejhlnqcbxpl2i5p3p","key":"Management.Scope.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"6etqcgvxgkcazymd","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030938123,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32g55bb0ljc7ctetoaj','Management.Role.Create','{"roleId":"xfwhlefliu5xcg00vj9e8","scopeIds":["fwg8ejhlnqcbxpl2i5p3p"],"key":"Management.Role.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"4xb6n79lmkj75wpy","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030938127,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32g5610pyx2o9gyvwbi','Management.User.AssignRoles','{"userId":"tyqpq6u1c91n","addedRoleIds":["xfwhlefliu5xcg00vj9e8"],"key":"Management.User.AssignRoles","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"gdqwknuz0kjnim93","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030938153,'tyqpq6u1c91n','6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32g56jsnvqjf8779qbc','Management.Organization.Create','{"organizationId":"vdmmqmdsma3n","key":"Management.Organization.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"ur9a4yf8em0pl6tu","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030938171,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32g56tnv63sxf3r0xy7','Management.Organization.ChangeUsers','{"organizationId":"vdmmqmdsma3n","addedUserIds":["tyqpq6u1c91n"],"removedUserIds":[],"key":"Management.Organization.ChangeUsers","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"ymae10zcyhvr0kaz","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030938181,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32g56y8f8pcoqmlxukj','Management.OrganizationInvitation.Create','{"organizationInvitationId":"rwnypm27x8vrxueu4ji2t","organizationId":"vdmmqmdsma3n","organizationRoleIds":[],"key":"Management.OrganizationInvitation.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"9pom5su5g8ikfmz0","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030938186,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32g5716men0mdbl4dz4','Management.Application.Create','{"createdApplicationId":"as760mdovfheyevwfs7n2","type":"SPA","key":"Management.Application.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"puyelztbap7py2u6","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030938189,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32g573hnfb6x2atkonb','Management.SignInExperience.Update','{"changedSettings":["color"],"key":"Management.SignInExperience.Update","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"yp1up0k1m19d5rmi","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030938191,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32g57aj7oyc5m9q8666','Management.CustomPhrases.Update','{"languageTag":"en","key":"Management.CustomPhrases.Update","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"encworeaqyg0pgzo","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030938198,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gfm2queikp7df36iz','Management.Plugin.Upload','{"plugin":"jwt-access-token","version":"1","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","key":"Management.Plugin.Upload","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"ywwop92x4ce503pj","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030951690,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gswgm0ijwr2g99ogo','Management.Plugin.Upload','{"plugin":"ticket","version":"1","digest":"sha256:6b2c493ed46cc46c354b46b3052b11a409983160b5b40e4f91b6ddb1785fe342","activated":false,"takeOver":false,"key":"Management.Plugin.Upload","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"ifizdu48tsqakt66","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030968912,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gswur1edki6j9xo1u','Management.PersonalAccessToken.Create','{"userId":"tyqpq6u1c91n","tokenName":"laptop","key":"Management.PersonalAccessToken.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"191r2yq495cq18md","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030968926,'tyqpq6u1c91n','6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gsx2x7pvxyx2zkrcs','Management.Connector.Create','{"connectorId":"s84cvntnqv5bielh0io52","factoryId":"http-email","replaced":0,"key":"Management.Connector.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"ghfuaiu1xrm4ho7x","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030968934,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gsx61wy6ittb9j4uj','Management.SsoConnector.Create','{"ssoConnectorId":"qc3otqfmxtmaw6do3fuz0","providerName":"OIDC","domains":["acme.example"],"signsInAdministrators":false,"key":"Management.SsoConnector.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"70kforsx4put0c08","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030968938,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gsx93jfvup5d6314f','Management.User.LinkIdentity','{"userId":"tyqpq6u1c91n","target":"github","key":"Management.User.LinkIdentity","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"f4ft2s34ayc784fi","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030968941,'tyqpq6u1c91n','6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gsyy2r93ylos3i8gy','Management.User.Create','{"userId":"cf509igpkxsg","key":"Management.User.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"n40mcno4wwnbad6k","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030969002,'cf509igpkxsg','6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gszp7i91q1obesg8j','Management.User.AddMfaFactor','{"userId":"cf509igpkxsg","factorId":"f4rnpof6j7r40mhxvzras","type":"Totp","key":"Management.User.AddMfaFactor","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"2h6c9b3614cnl60q","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030969029,'cf509igpkxsg','6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gt10vlw2fl0dbwphj','Management.User.AddMfaFactor','{"userId":"cf509igpkxsg","factorId":"mikqztacx7mg8qwag3jpr","type":"BackupCode","key":"Management.User.AddMfaFactor","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"9cnb24gmwombaqey","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030969076,'cf509igpkxsg','6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gt1s0b1dv27ua8rkv','Management.OneTimeToken.Create','{"oneTimeTokenId":"mx32gt1s0zwth9xeoh25q","email":"keeper@example.com","key":"Management.OneTimeToken.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"0bg8p3sm1swklxf6","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030969104,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gt274ugjewa3jvqys','Management.VerificationCode.Create','{"type":"email","key":"Management.VerificationCode.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"pkpetml5843i3662","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030969119,NULL,'6px4urxb5oasuvhw0o80d',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gt2dccj7d1t6583v6','Management.SubjectToken.Create','{"userId":"cakha3nrrfgi","subjectTokenId":"mx32gt2dpk7l0w479ib22","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"key":"Management.SubjectToken.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"csju6z820dn3ymeu","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030969125,'cakha3nrrfgi','6px4urxb5oasuvhw0o80d',NULL,'TECH-1234');
INSERT INTO "logs" VALUES('mx32gt2gp5p365o6gq3rx','Management.SubjectToken.Create','{"userId":"cakha3nrrfgi","subjectTokenId":"mx32gt2g4k96ndygzqsky","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"key":"Management.SubjectToken.Create","result":"Success","applicationId":"6px4urxb5oasuvhw0o80d","requestId":"cfpx1lp8egqht776","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030969128,'cakha3nrrfgi','6px4urxb5oasuvhw0o80d',NULL,'TECH-1234');
INSERT INTO "logs" VALUES('mx32gt2ihjrj62oigl577','ExchangeTokenBy.TokenExchange','{"applicationSecret":{"name":"Default secret"},"resource":"https://api.example.com","subjectTokenId":"mx32gt2dpk7l0w479ib22","context":{"ticketId":"TECH-1234","reason":"a stuck order"},"jti":"mx32gt2irli8aofhq9ec3","userId":"cakha3nrrfgi","plugins":[{"plugin":"jwt-access-token","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","generation":2,"outcome":"ok"}],"key":"ExchangeTokenBy.TokenExchange","result":"Success","applicationId":"tfphfjuicfelcmywvkz8i","requestId":"1pmw8ylebbthlz30","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030969130,'cakha3nrrfgi','tfphfjuicfelcmywvkz8i',NULL,'TECH-1234');
INSERT INTO "logs" VALUES('mx32gtl5otyzakc1yjwzb','ExchangeTokenBy.Operator','{"by":"operator","jti":"mx32gtl5yu1fxefg191bm","userId":"cakha3nrrfgi","plugins":[{"plugin":"jwt-access-token","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","generation":1,"outcome":"ok"}],"key":"ExchangeTokenBy.Operator","result":"Success","applicationId":"tfphfjuicfelcmywvkz8i"}',1796030969801,'cakha3nrrfgi','tfphfjuicfelcmywvkz8i',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gtoevp6ce3490i4yx','Interaction.SignIn.Update','{"interactionId":"by0d6yjl7zapq1ywqv3qc","key":"Interaction.SignIn.Update","result":"Success","applicationId":"as760mdovfheyevwfs7n2","requestId":"21irf7e8cauara62","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030969918,NULL,'as760mdovfheyevwfs7n2',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gtq23nkisno06tk8c','Interaction.SignIn.Verification.Password.Submit','{"interactionId":"by0d6yjl7zapq1ywqv3qc","verificationId":"7fwqgq0cf2km8xfl2v29b","userId":"tyqpq6u1c91n","key":"Interaction.SignIn.Verification.Password.Submit","result":"Success","applicationId":"as760mdovfheyevwfs7n2","requestId":"21irf7e8cauara62","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030969978,'tyqpq6u1c91n','as760mdovfheyevwfs7n2',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gtq5ua07r9fmu0x3c','Interaction.SignIn.Identifier.Submit','{"interactionId":"by0d6yjl7zapq1ywqv3qc","userId":"tyqpq6u1c91n","key":"Interaction.SignIn.Identifier.Submit","result":"Success","applicationId":"as760mdovfheyevwfs7n2","requestId":"21irf7e8cauara62","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030969981,'tyqpq6u1c91n','as760mdovfheyevwfs7n2',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gtq6wmggc0vrtq7r4','Interaction.SignIn.Submit','{"interactionId":"by0d6yjl7zapq1ywqv3qc","userId":"tyqpq6u1c91n","sessionId":"q6qyhpac3jpev2il74baq","key":"Interaction.SignIn.Submit","result":"Success","applicationId":"as760mdovfheyevwfs7n2","requestId":"21irf7e8cauara62","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030969982,'tyqpq6u1c91n','as760mdovfheyevwfs7n2',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gtqejkbxr77o059jl','Interaction.End','{"interactionId":"by0d6yjl7zapq1ywqv3qc","userId":"tyqpq6u1c91n","key":"Interaction.End","result":"Success","applicationId":"as760mdovfheyevwfs7n2","requestId":"ogfly7enww2atnc5","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030969990,'tyqpq6u1c91n','as760mdovfheyevwfs7n2',NULL,NULL);
INSERT INTO "logs" VALUES('mx32gtqlpr5ji9fetkvqh','ExchangeTokenBy.AuthorizationCode','{"grantId":"hw5e10ticp2blhb1uj16j","sessionId":"q6qyhpac3jpev2il74baq","jti":"mx32gtqlqaln8zijs90we","userId":"tyqpq6u1c91n","plugins":[{"plugin":"jwt-access-token","digest":"sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496","generation":2,"outcome":"ok"}],"key":"ExchangeTokenBy.AuthorizationCode","result":"Success","applicationId":"as760mdovfheyevwfs7n2","requestId":"4w8xnxa23xt46vty","ip":"127.0.0.1","userAgent":"Python-urllib/3.11"}',1796030969997,'tyqpq6u1c91n','as760mdovfheyevwfs7n2',NULL,NULL);
CREATE TABLE member_counts (
    seq             INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL UNIQUE,
    value           BIGINT NOT NULL,
    is_sum          BOOLEAN NOT NULL DEFAULT TRUE
);
INSERT INTO "member_counts" VALUES(1,'vdmmqmdsma3n',1,1);
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
INSERT INTO "messages" VALUES(1,'msg_ae4d5f97j946rqta6twxk','Email','keeper@example.com','Generic','en','QBcjAi1HtwcpXuiBnuTrzSkJcMAfTvA47iYe5ejO8PoiLGpWDyf6Xm623swLMvCjlg==','64888be82cd750fef835edbd9ec3d3e586ef544c336673bf39884f3bb14a0e10',1796031569119,0,'pending',1796030973289,NULL,1,'requests to 127.0.0.1 are not allowed: 127.0.0.1 is loopback, and not in egress.allowed_networks',1796030969119,NULL);
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
INSERT INTO "mfa_factors" VALUES('f4rnpof6j7r40mhxvzras','cf509igpkxsg','Totp','QBcjAtpVeo3vAtrXrK46lbAAQYfGgBdMZymltKLCoDLEthEgTI5jMoIHql/nfi6Vqum+BvcUHhJbX/VWryrfHQ==',1796030969029,NULL,NULL);
INSERT INTO "mfa_factors" VALUES('mikqztacx7mg8qwag3jpr','cf509igpkxsg','BackupCode','QBcjAkmFqMvWdaLti+LNNjLkyHytA3TqKKLtmXLNRNdgAXs1LYwSvH6VCiVUrpyo6P9/Q/RUf9an66mUaUnJXcgkHYk+UqSL66ZEkBbg4G4boO4gSTwg3mZVyOhV0xLrduuwpOTTOeJoL85GerusSFrKQSzX+XtYcQCavh+mChWEQPsLoUcVgTJm/PMGZiWUGC2tuIk8r0Dl4XVFySfstp8ISptnvRFf/uk9EeftukxVquV8DFiNWb8UygjHLAxy0wOpPY5HL4Co+Ut3j4kTmtiTRutVonq+nQz+V3y8iS1NxVmxSqxTaJ9NqYq/Q6VY3cadQP24iJVjDtYnnJPqDsJVXrhVsmvunVZFO/n5kvNfRI7Zl2WJDJVYdMKexESWf3yt5GfReEcpOBiCi9Hla24rg4GMMe37P8dSGpwaYNKZ0qAopI2wrb2NQcEi82T9FTC2LwH8ZCyn7zpoMJjqZndIxLUxOeTH7OaW7RiuOKw2/ilbwkJFsIJMM/ekHu03DYq46+mY4iiy/GU5so/36+KQqMLVhzHvpVf62WLhhHPs2Y/3Fz7kBJZcvmMeYcPYYIkSAxHy6SDegj+/87B0MdP+CUqinPu4F84sLXToIspa4EIlcHAU8jNn/zM+dhSCyKYsKHtGZbyIDPbQDhU93Rouh4PyQC8moTl2WFnu+CiQP0URt7+ZHNrfzWFLQjnL/yCVtJvu3La7NPVQW0rMTbjnPCvSGDFgezBWoVQd6yqHDi/6EqFEwFrbIa5iIeTK6J97OgfBfSGqsDGVoDRHANy8ZuCL4c9NBa6u0HSQZC+RvKRpZMQrE3LudoXAsNzYkVvFsuZCbhYMiqzi1VIUYnHNYazLKe3uRDtZ/C8YZzvgxlS78HqJ4EMjyClvLgWIZzX/OoRcc06Jd+LFig7k19pzUOUMEu8Ipf9rtmGBmfQZuEu2ceKM4hdXt5X6Lt8ETgI3WwjjgV1RrfBVMqtceYFzOkINgXAb50Nmd8FMXrD8MbaSnfoGIzfVfqO6wt3fWvOs8i2LsKf64iMUgI5QZcxEC0G/7pHdwlRFR/5i5WCrLsL6uEVfVkpgqzfo',1796030969076,NULL,NULL);
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
INSERT INTO "one_time_tokens" VALUES('mx32gt1s0zwth9xeoh25q','keeper@example.com','ab0eccf0f8435fd7aad686ad7ca3b17ecee10afc618d8ab1b77eb7b4e56af1f9','{}','active',1796030969104,1796117369104);
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
INSERT INTO "organization_invitations" VALUES('rwnypm27x8vrxueu4ji2t','vdmmqmdsma3n',NULL,'guest@example.com',NULL,'Pending',1796030938186,1796030938186,1796117338185,'QBcjArCEUj6kqUqJZqktdFb0PCFB66n1OnrE+enRGcLRqrHraK3GQaWICZap1JAKFqdBDP6SCbL94YorD3iLszGhc9RPNnGsoQsj');
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
INSERT INTO "organization_users" VALUES('vdmmqmdsma3n','tyqpq6u1c91n');
CREATE TABLE organizations (
    id              TEXT PRIMARY KEY,
    name            TEXT NOT NULL,
    description     TEXT,
    custom_data     TEXT NOT NULL,
    is_mfa_required BOOLEAN NOT NULL DEFAULT FALSE,
    created_at      BIGINT NOT NULL
, color TEXT NOT NULL DEFAULT '{}', branding TEXT NOT NULL DEFAULT '{}', custom_css TEXT, search_key TEXT NOT NULL DEFAULT '');
INSERT INTO "organizations" VALUES('vdmmqmdsma3n','Keepers',NULL,'{"plan":"team"}',0,1796030938171,'{}','{}',NULL,'vdmmqmdsma3n keepers');
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
INSERT INTO "personal_access_tokens" VALUES('tyqpq6u1c91n','laptop','3e2946660930aa08b580c5d8842fd4b5c4eca985eb06c5277ab4be4f2f2dba0b',1796030968926,NULL);
CREATE TABLE plugin_calls (
    -- When the minute began, Unix milliseconds.
    bucket          BIGINT NOT NULL,
    plugin          TEXT NOT NULL,
    -- 'sha256:…' of the version that was called; empty if none had loaded.
    digest          TEXT NOT NULL,
    -- The node that counted.
    node            TEXT NOT NULL,
    calls           BIGINT NOT NULL,
    denied          BIGINT NOT NULL,
    failed          BIGINT NOT NULL,
    -- The last denial or failure of the minute, without secrets; NULL if there was none.
    last_outcome    TEXT,
    last_error      TEXT,
    last_request_id TEXT,
    PRIMARY KEY (bucket, plugin, digest, node)
) WITHOUT ROWID;
INSERT INTO "plugin_calls" VALUES(1796030940000,'jwt-access-token','sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496','n9zzqpgw5yy7nckbhbjtr',2,0,0,NULL,NULL,NULL);
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
INSERT INTO "plugin_versions" VALUES('jwt-access-token',1,'sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496','javascript',X'636F6E737420676574437573746F6D4A7774436C61696D73203D206173796E6320287B20636F6E746578742C20656E7669726F6E6D656E745661726961626C6573207D29203D3E20287B0A20207469636B65743A20636F6E746578742E6772616E743F2E7375626A656374546F6B656E436F6E746578743F2E7469636B65744964203F3F206E756C6C2C20726567696F6E3A20656E7669726F6E6D656E745661726961626C65732E524547494F4E2C0A7D293B',179,'{"kind":"claims","world":"claimsmith:plugin/claims","imports":["wasi:io/poll","wasi:clocks/monotonic-clock","wasi:clocks/wall-clock","wasi:io/error","wasi:io/streams","wasi:cli/stdout","wasi:cli/stderr","wasi:cli/stdin","wasi:cli/environment","wasi:cli/exit","wasi:cli/terminal-input","wasi:cli/terminal-output","wasi:cli/terminal-stdin","wasi:cli/terminal-stdout","wasi:cli/terminal-stderr","wasi:filesystem/types","wasi:filesystem/preopens","wasi:random/insecure-seed","claimsmith:plugin/log","claimsmith:plugin/http","claimsmith:plugin/random","claimsmith:plugin/types"],"instructions":null}',NULL,NULL,'6px4urxb5oasuvhw0o80d',1796030951715);
INSERT INTO "plugin_versions" VALUES('ticket',1,'sha256:6b2c493ed46cc46c354b46b3052b11a409983160b5b40e4f91b6ddb1785fe342','wasm',X'0061736D0D0001000746014204016D0405646562756704696E666F047761726E056572726F720400056C6576656C030000014002056C6576656C01076D657373616765730100040005777269746501020A2001001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30050007EF0101420E01730400046A736F6E030000016B01017202047479706573157375626A6563742D746F6B656E2D636F6E74657874020400056772616E74030003016B04017205056772616E74050475736572020B6170706C69636174696F6E020C6F7267616E697A6174696F6E020B696E746572616374696F6E02040007636F6E74657874030006016F02737301700801720305746F6B656E0107636F6E746578740715656E7669726F6E6D656E742D7661726961626C65730904000E636C61696D732D7265717565737403000A0171020664656E696564017300066661696C65640173000400076661696C75726503000C0A2201001D636C61696D736D6974683A706C7567696E2F747970657340312E302E3005010613010300010E636C61696D732D726571756573740A1401000E636C61696D732D72657175657374030002060C01030001076661696C7572650A0D0100076661696C757265030004060901030001046A736F6E0A0A0100046A736F6E03000601901C0061736D01000000012D0860037F7F7F0060000060017F017F60027F7F017F60017F0060037F7F7F017F60047F7F7F7F017F60027F7F000225011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30057772697465000003121101010203000204030301010504060702010405017001010105030100050608017F01418080100B076105066D656D6F727902000B5F696E697469616C697A6500021F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73000D0C636162695F7265616C6C6F63000E156765742D637573746F6D2D6A77742D636C61696D7300100AC9191102000B2300024041002802A080908000450D00000B410041013602A0809080001081808080000B3A01017F0240200041106A41041084808080002201450D0020012000AD420586420484370308200141106A0F0B410041303602A48090800041000BE80101037F410021020240417F200041046A220320032000491B220041012001742201200020014B1B2201417F6A672200450D0002400240412020006B220041FFFF0371417D6A2203410D4F0D0042012000AD42FFFF038386A72104200341027422002802DC809080002201450D01200041DC809080006A200420016A417C6A28020036020020010F0B2001418380046A41107610868080800021020C010B200041A8809080006A2101024020002802A880908000220041FFFF03710D0041011086808080002200450D012001200020046A36020020000F0B2001200020046A36020020000F0B20020BA60101017F02404120200141046A220141012002742202200120024B1B2202417F6A676B220141FFFF0371417D6A2203410D4F0D00200042012001AC86A76A417C6A200341027422022802DC80908000360200200220003602DC809080000F0B2000420141202002418380046A411076417F6A676B2202AD42FFFF038386A74110746A417C6A200241FFFF037141027422022802908190800036020020022000360290819080000B6401027F420141202000417F6A676B2200AD42FFFF038386A721010240200041FFFF03714102742202280290819080002200450D0020024190819080006A200141107420006A417C6A28020036020020000F0B41002001400022004110742000417F461B0B3402017E027F02402000450D0020004101200041786A2903002201A722027422036B20032001420588A76A20021085808080000B0B800302017E087F024020010D00200010878080800041000F0B024020000D0020011083808080000F0B417F4101200041786A2903002202A7220374220420016A220541046A220620062005491B22062004200620044B1B2106200020046B2107024002400240024020042002420588A722086A220941046A220A2004200A20044B1B220A418080024B0D002006417F6A672206450D0142014120200A417F6A676BAD42FFFF038386A74201412020066BAD42FFFF038386A7470D010C020B42014120200A418380046A411076417F6A676BAD42FFFF038386A7420141202006418380046A411076417F6A676BAD42FFFF038386A7460D010B0240200520031084808080002205450D00200520046A210502402001200820012008491B2206450D00410021040340200520046A200020046A2D00003A0000200441016A22042006490D000B0B2007200920031085808080000C020B410041303602A48090800041000F0B200720046A21050B200541786A2002421F832001AD4205868437030020050B6402017E017F0240024002402000AD2001AD7E2202422088A70D002002A7220310838080800022000D01410021000C020B410041303602A48090800041000F0B41002101034020032001460D01200020016A41003A0000200141016A21010C000B0B20000B0300000B02000BB00A010B7F23808080800041106B2203248080808000410021044100210541002106024002400240024020002D00084101470D0041002104410021054100210620002D00144101470D0020002802182205450D01200028021C2206450D0120052D000041FB00470D0120064102490D01200520066A2204417F6A2107200541016A21082004417E6A21090340024020082D000022054122460D00200541FD00460D03200841016A22082004490D010C030B024002400240200841016A220A20044F0D00200A210503400240024020082D0001220641DC00460D002005210520064122470D012008200A6B41016A210B200841026A220C20044F0D05200920086B2105034002400240200C2D0000220841776A220641174B0D0041012006744193808004710D010B2008413A470D070B200C41016A210C2005417F6A22050D000C050B0B200841026A21050B20052108200541016A22052004490D000B0B2007200A6B210B0B2004210C0B4100210D200C21080340024002400240200822062004490D00200421080C010B024020062D000022054122470D00200421080240200641016A220520044F0D0003400240024020062D0001220841DC00460D002005210520084122470D01200641026A21080C030B200641026A21050B20052106200541016A22052004490D000B200421080B200D0D030C010B02400240024002400240200D0D00410021080240200541A57F6A0E03020504000B200541857F6A0E03010403020B200541207241FB00460D00200D21080C030B200D41016A21080C020B2005412C470D010B200621080C010B0240200541207241FD00460D002008210D0C020B2008417F6A220D0D01200641016A21080B02400240200B4108470D00200A29000042F4D28DDBD68CDDA4E400510D010B200820044F0D050C030B200C450D0420032008200C6B220236020C2003200C3602084101200341086A108F808080004100210D419D80908000210A024020002802542206450D002000280250210502400340024020052802002204450D00200541046A2802004106470D00200428000041D0A495B20473200441046A2F000041C9B0017372450D020B200541106A21052006417F6A22060D000C020B0B2005410C6A280200210D200541086A280200210A0B41C4001083808080002206450D05200641FBC4003B0000024002400240200D41026A220541C500490D002006200541017441C0006A220410888080800022060D010C080B41C4002104200D450D010B200D450D00200641026A200A200DFC0A00000B0240200D410B6A220020044D0D002006200041017441C0006A22041088808080002206450D060B200620056A220541002D008B809080003A000820054100290083809080003700000240200D410D6A220D20044D0D002006200D41017441C0006A22041088808080002206450D060B200620006A41A2F4003B00000240200D20026A220520044D0D002006200541017441C0006A22041088808080002206450D060B2008200C460D032002450D032006200D6A200C2002FC0A00000C030B200641016A21080C000B0B0B02404101410220051B220D20056A220820044D0D002006200841017441C0006A1088808080002206450D020B0240200D450D00200620056A41818090800041808090800020051B200DFC0A00000B2001200836020420012006360200410121050C020B41002105200241003A0000410141111089808080002206450D00200241103602082002200636020420064100290095809080003700082006410029008D809080003700000C010B108A80808000000B200341106A24808080800020050B5E01017F024002400240024020002D00000E020001030B2000280208450D02410421010C010B02400240024020002D00040E020001040B200028020C0D010C030B200028020C450D020B410821010B200020016A2802001087808080000B0B210002402003450D002000200310888080800022020D00108A80808000000B20020B14002000200128020020012802041080808080000BF90401137F23808080800041F0006B2201248080808000410021020240024020002D00084101460D00410021030C010B0240024020002D00144101460D00410021040C010B200028021C210520002802182106410121040B20002802102107200028020C2108410121030B0240024020002D00204101460D000C010B200028022821092000280224210A410121020B4100210B0240024020002D002C4101460D004100210C0C010B2000280234210D2000280230210E4101210C0B0240024020002D00384101460D000C010B2000280240210F200028023C21104101210B0B410121110240024020002D00444101460D00410021110C010B200028024C2112200028024821130B2001201236026420012013360260200120113A005C2001200F360258200120103602542001200B3A00502001200D36024C2001200E3602482001200C3A0044200120093602402001200A36023C200120023A00382001200536023420012006360230200120043A002C2001200736022820012008360224200120033A00202001200029020037021820012000290250370268200141186A200141106A200141046A108C8080800021022001280214210B20012802102111200128020C2108200128020821072001280204210320001087808080000240024020020D00410041013A00D48190800002400240200341FF01710E020001030B410020083602E081908000410020073602DC81908000410041003A00D8819080000C020B410020083602E081908000410041013A00D881908000410020073602DC819080000C010B4100200B3602DC81908000410020113602D881908000410041003A00D4819080000B200141F0006A24808080800041D4819080000B0800108B808080000B0B260100418080100B1E7B7D007469636B65745F6964004E616D6520746865207469636B65742E00002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E3301700061736D0100000001070160037F7F7F000302010004050170010101071002013000000824696D706F72747301000A0F010D0020002001200241001100000B002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33020401000100060701000001000130022C02010105777269746500000000011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E301201060C0100020102066D656D6F72790185010061736D01000000010A0260037F7F7F006000000232030661637475616C01300000046D61696E0B5F696E697469616C697A650001047368696D0824696D706F72747301700101010801010907010041000B0100002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33060A01010000057772697465080801010000020300000221020101013000010002030661637475616C1203046D61696E1202047368696D12000713026A010701054001077265717565737403000806500300000102156765742D637573746F6D2D6A77742D636C61696D73000001020C636162695F7265616C6C6F63000001021F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73080D010000020403000403000504090B1B0100156765742D637573746F6D2D6A77742D636C61696D73010100008D050E636F6D706F6E656E742D6E616D6501A101000005002A696E6469726563742D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E302D7772697465012A696E6469726563742D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E302D777269746502156765742D637573746F6D2D6A77742D636C61696D73030C636162695F7265616C6C6F63041F636162695F706F73745F6765742D637573746F6D2D6A77742D636C61696D73010B00020100066D656D6F7279013900110300046D61696E01197769742D636F6D706F6E656E742D7368696D2D6D6F64756C6502137769742D636F6D706F6E656E742D66697875700152001205001B7769742D636F6D706F6E656E742D7368696D2D696E7374616E6365011B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E3002046D61696E030661637475616C04056669787570013E0502001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30011D636C61696D736D6974683A706C7567696E2F747970657340312E302E30013701030005777269746501156765742D637573746F6D2D6A77742D636C61696D7302156765742D637573746F6D2D6A77742D636C61696D730182010308001E74792D636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30012074792D636C61696D736D6974683A706C7567696E2F747970657340312E302E30020E636C61696D732D72657175657374030E636C61696D732D7265717565737404076661696C75726505076661696C75726506046A736F6E07046A736F6E013E0502001B636C61696D736D6974683A706C7567696E2F6C6F6740312E302E30011D636C61696D736D6974683A706C7567696E2F747970657340312E302E30002F0970726F647563657273010C70726F6365737365642D6279010D7769742D636F6D706F6E656E7407302E3235382E33',5324,'{"kind":"claims","world":"claimsmith:plugin/claims","imports":["claimsmith:plugin/log","claimsmith:plugin/types"],"instructions":null}',NULL,NULL,'6px4urxb5oasuvhw0o80d',1796030968914);
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
INSERT INTO "plugins" VALUES('jwt-access-token','{"order":0,"enabled":true,"on_error":"skip","token_kinds":["access-token"],"grant_types":null,"applications":null,"resources":null,"limits":{"deadline_ms":null,"memory_mib":null,"output_kib":null},"environment":{"REGION":"eu"},"secrets":{},"capabilities":{}}',NULL,1,1,1,'{"script":"const getCustomJwtClaims = async ({ context, environmentVariables }) => ({\n  ticket: context.grant?.subjectTokenContext?.ticketId ?? null, region: environmentVariables.REGION,\n});","environmentVariables":{"REGION":"eu"}}',1796030951715,1796030951715);
INSERT INTO "plugins" VALUES('ticket','{}',NULL,NULL,1,1,NULL,1796030968914,1796030968914);
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
INSERT INTO "refresh_tokens" VALUES('9ea9658fd1e9d0262d83d9991ae040bcc2f01bc68a692c9481ba6e2bb3c1815d','hw5e10ticp2blhb1uj16j','tyqpq6u1c91n','as760mdovfheyevwfs7n2','{"redirectUri":"https://shop.example.com/callback","codeChallenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM","nonce":null,"scope":["openid","offline_access"],"resourceScope":[],"resources":[],"consented":null,"sessionId":"q6qyhpac3jpev2il74baq","authTime":1796030969,"amr":["pwd"],"acrValues":[],"interaction":{"interactionEvent":"SignIn","userId":"tyqpq6u1c91n","verificationRecords":[{"id":"7fwqgq0cf2km8xfl2v29b","type":"Password","identifier":{"type":"username","value":"keeper"},"verified":true}]}}','y6pah965ob1yznx3lfjek',1,NULL,1796030969997,1797240569996,NULL,NULL);
CREATE TABLE resources (
    id               TEXT PRIMARY KEY,
    name             TEXT NOT NULL,
    indicator        TEXT NOT NULL UNIQUE,
    is_default       BOOLEAN NOT NULL DEFAULT FALSE,
    access_token_ttl BIGINT NOT NULL,
    created_at       BIGINT NOT NULL
);
INSERT INTO "resources" VALUES('yah8tlbrzgbrgdw8xipc7','Claimsmith Management API','http://127.0.0.1:3001/api',0,3600,1796030935844);
INSERT INTO "resources" VALUES('0vor25i2j6el25eq16rfr','Example API','https://api.example.com',0,3600,1796030935844);
INSERT INTO "resources" VALUES('claimsmith-console','Claimsmith console','http://127.0.0.1:3001/console',0,3600,1796030935844);
INSERT INTO "resources" VALUES('ja45fi3v6a33tw5xno4k1','Shop','https://shop.example.com/api',0,3600,1796030938110);
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
INSERT INTO "role_scopes" VALUES('rry0l0grhfuosxyekxr1p','bmkomvl7mnchvw5elrzg9');
INSERT INTO "role_scopes" VALUES('6v2iwdzsh4uyt06azukux','ams5cxoa3vrz9dkewlorv');
INSERT INTO "role_scopes" VALUES('6v2iwdzsh4uyt06azukux','plnb8z61e3c5lohk2vndd');
INSERT INTO "role_scopes" VALUES('hmhdr4e429p6j92p4hbzr','ams5cxoa3vrz9dkewlorv');
INSERT INTO "role_scopes" VALUES('claimsmith-console-role-read','claimsmith-console-scope-read');
INSERT INTO "role_scopes" VALUES('claimsmith-console-role-support','claimsmith-console-scope-support');
INSERT INTO "role_scopes" VALUES('claimsmith-console-role-developer','claimsmith-console-scope-developer');
INSERT INTO "role_scopes" VALUES('claimsmith-console-role-admin','claimsmith-console-scope-admin');
INSERT INTO "role_scopes" VALUES('xfwhlefliu5xcg00vj9e8','fwg8ejhlnqcbxpl2i5p3p');
CREATE TABLE roles (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    type        TEXT NOT NULL,
    is_default  BOOLEAN NOT NULL DEFAULT FALSE,
    created_at  BIGINT NOT NULL
, name_key TEXT NOT NULL DEFAULT '', description_key TEXT);
INSERT INTO "roles" VALUES('rry0l0grhfuosxyekxr1p','Management API access','Management API access','MachineToMachine',0,1796030935844,'management api access','management api access');
INSERT INTO "roles" VALUES('6v2iwdzsh4uyt06azukux','customer','customer','User',0,1796030935844,'customer','customer');
INSERT INTO "roles" VALUES('hmhdr4e429p6j92p4hbzr','support-engineer','support-engineer','User',0,1796030935844,'support-engineer','support-engineer');
INSERT INTO "roles" VALUES('claimsmith-console-role-read','Console: reader','See everything in the console but configuration.','User',0,1796030935844,'console: reader','see everything in the console but configuration.');
INSERT INTO "roles" VALUES('claimsmith-console-role-support','Console: support','Help users: unlock, suspend, end sessions, impersonate.','User',0,1796030935844,'console: support','help users: unlock, suspend, end sessions, impersonate.');
INSERT INTO "roles" VALUES('claimsmith-console-role-developer','Console: developer','Change applications, resources, webhooks and plugins.','User',0,1796030935844,'console: developer','change applications, resources, webhooks and plugins.');
INSERT INTO "roles" VALUES('claimsmith-console-role-admin','Console: administrator','Do everything in the console.','User',0,1796030935844,'console: administrator','do everything in the console.');
INSERT INTO "roles" VALUES('xfwhlefliu5xcg00vj9e8','shopper','Shops','User',0,1796030938127,'shopper','shops');
CREATE TABLE scopes (
    id          TEXT PRIMARY KEY,
    resource_id TEXT NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    description TEXT,
    created_at  BIGINT NOT NULL, name_key TEXT NOT NULL DEFAULT '', description_key TEXT,
    UNIQUE (resource_id, name)
);
INSERT INTO "scopes" VALUES('bmkomvl7mnchvw5elrzg9','yah8tlbrzgbrgdw8xipc7','all','Everything the Management API offers.',1796030935844,'all','everything the management api offers.');
INSERT INTO "scopes" VALUES('25epk6dvnwnzrdvq9j04x','yah8tlbrzgbrgdw8xipc7','users:read','Read users and their roles.',1796030935844,'users:read','read users and their roles.');
INSERT INTO "scopes" VALUES('5btg81yvc7wlql2fd9ord','yah8tlbrzgbrgdw8xipc7','users:write','Create, change and delete users.',1796030935844,'users:write','create, change and delete users.');
INSERT INTO "scopes" VALUES('rvt9ons92d7350aefvth9','yah8tlbrzgbrgdw8xipc7','roles:read','Read roles.',1796030935844,'roles:read','read roles.');
INSERT INTO "scopes" VALUES('q4dms7aj9f4vuixlu2ob8','yah8tlbrzgbrgdw8xipc7','roles:write','Create, change and delete roles, and assign them.',1796030935844,'roles:write','create, change and delete roles, and assign them.');
INSERT INTO "scopes" VALUES('ix5653ryz84i5it9n1b2z','yah8tlbrzgbrgdw8xipc7','resources:read','Read API resources and their scopes.',1796030935844,'resources:read','read api resources and their scopes.');
INSERT INTO "scopes" VALUES('rnoyyff6xukwqmr6lh5qc','yah8tlbrzgbrgdw8xipc7','resources:write','Create, change and delete API resources and their scopes.',1796030935844,'resources:write','create, change and delete api resources and their scopes.');
INSERT INTO "scopes" VALUES('dodcbxw1vbi62tcho5fzd','yah8tlbrzgbrgdw8xipc7','applications:read','Read applications.',1796030935844,'applications:read','read applications.');
INSERT INTO "scopes" VALUES('oel61lwp7otythqxd20lg','yah8tlbrzgbrgdw8xipc7','applications:write','Create, change and delete applications and their secrets.',1796030935844,'applications:write','create, change and delete applications and their secrets.');
INSERT INTO "scopes" VALUES('cncwpbkq0o7f3cmlr7amc','yah8tlbrzgbrgdw8xipc7','organizations:read','Read organizations, their members, roles, scopes and invitations.',1796030935844,'organizations:read','read organizations, their members, roles, scopes and invitations.');
INSERT INTO "scopes" VALUES('cqk5qecgr70bgnd26ugck','yah8tlbrzgbrgdw8xipc7','organizations:write','Create, change and delete organizations, their members, roles, scopes and invitations.',1796030935844,'organizations:write','create, change and delete organizations, their members, roles, scopes and invitations.');
INSERT INTO "scopes" VALUES('c0hsux8x1i6j78l1sr8j6','yah8tlbrzgbrgdw8xipc7','hooks:read','Read webhooks and their deliveries.',1796030935844,'hooks:read','read webhooks and their deliveries.');
INSERT INTO "scopes" VALUES('jom1r3u6cdnm8dio61kdk','yah8tlbrzgbrgdw8xipc7','hooks:write','Create, change and delete webhooks.',1796030935844,'hooks:write','create, change and delete webhooks.');
INSERT INTO "scopes" VALUES('hhpd2ci784v6odz4dt5w8','yah8tlbrzgbrgdw8xipc7','configs:read','Read the configuration kept in the database, such as signing keys.',1796030935844,'configs:read','read the configuration kept in the database, such as signing keys.');
INSERT INTO "scopes" VALUES('16l0cz7tbrwtenms3scql','yah8tlbrzgbrgdw8xipc7','configs:write','Change the configuration kept in the database, such as signing keys.',1796030935844,'configs:write','change the configuration kept in the database, such as signing keys.');
INSERT INTO "scopes" VALUES('acsywbzo3pseoc2ur6v6c','yah8tlbrzgbrgdw8xipc7','logs:read','Read the audit log and the dashboard.',1796030935844,'logs:read','read the audit log and the dashboard.');
INSERT INTO "scopes" VALUES('x9dtm26x9ex8gvr9mlf2b','yah8tlbrzgbrgdw8xipc7','subject-tokens:read','Read which subject tokens are live, and who acted for whom.',1796030935844,'subject-tokens:read','read which subject tokens are live, and who acted for whom.');
INSERT INTO "scopes" VALUES('2bdoax5w493j9c8hl2zoq','yah8tlbrzgbrgdw8xipc7','subject-tokens:write','Ask for subject tokens, revoke them, and end impersonations.',1796030935844,'subject-tokens:write','ask for subject tokens, revoke them, and end impersonations.');
INSERT INTO "scopes" VALUES('8355hkrfiip5tj9bb8pby','yah8tlbrzgbrgdw8xipc7','plugins:read','Read the state of plugins.',1796030935844,'plugins:read','read the state of plugins.');
INSERT INTO "scopes" VALUES('9heoc5kwwhuhh3ajx6pbw','yah8tlbrzgbrgdw8xipc7','plugins:write','Upload, change and delete plugins.',1796030935844,'plugins:write','upload, change and delete plugins.');
INSERT INTO "scopes" VALUES('n6vcgk8f7a5vuqu8o0bq2','yah8tlbrzgbrgdw8xipc7','plugins:secrets','Run tests of plugins with their secrets.',1796030935844,'plugins:secrets','run tests of plugins with their secrets.');
INSERT INTO "scopes" VALUES('rrw0d8gyxls2pn9kwbwy4','yah8tlbrzgbrgdw8xipc7','plugins:grant','Grant plugins what they ask to reach.',1796030935844,'plugins:grant','grant plugins what they ask to reach.');
INSERT INTO "scopes" VALUES('ams5cxoa3vrz9dkewlorv','0vor25i2j6el25eq16rfr','resource:read','Read your data',1796030935844,'resource:read','read your data');
INSERT INTO "scopes" VALUES('plnb8z61e3c5lohk2vndd','0vor25i2j6el25eq16rfr','resource:write','Change your data',1796030935844,'resource:write','change your data');
INSERT INTO "scopes" VALUES('claimsmith-console-scope-read','claimsmith-console','console:read','See everything in the console but configuration.',1796030935844,'console:read','see everything in the console but configuration.');
INSERT INTO "scopes" VALUES('claimsmith-console-scope-support','claimsmith-console','console:support','Help users: unlock, suspend, end sessions, impersonate.',1796030935844,'console:support','help users: unlock, suspend, end sessions, impersonate.');
INSERT INTO "scopes" VALUES('claimsmith-console-scope-developer','claimsmith-console','console:developer','Change applications, resources, webhooks and plugins.',1796030935844,'console:developer','change applications, resources, webhooks and plugins.');
INSERT INTO "scopes" VALUES('claimsmith-console-scope-admin','claimsmith-console','console:admin','Do everything in the console.',1796030935844,'console:admin','do everything in the console.');
INSERT INTO "scopes" VALUES('fwg8ejhlnqcbxpl2i5p3p','ja45fi3v6a33tw5xno4k1','read:carts','Read carts',1796030938123,'read:carts','read carts');
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
INSERT INTO "sessions" VALUES('q6qyhpac3jpev2il74baq','aabb7d7d9b470dc9208bcf552cc6b0f0e5038cc87f0da5b4476bc0f95b4cc475','tyqpq6u1c91n','{"amr":["pwd"],"ip":"127.0.0.1","userAgent":"Python-urllib/3.11","interaction":{"interactionEvent":"SignIn","userId":"tyqpq6u1c91n","verificationRecords":[{"id":"7fwqgq0cf2km8xfl2v29b","type":"Password","identifier":{"type":"username","value":"keeper"},"verified":true}]},"clientId":"as760mdovfheyevwfs7n2"}',1796030969982,1796030969990,1797240569982);
CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO "settings" VALUES('server.base_url','http://127.0.0.1:3001');
INSERT INTO "settings" VALUES('tokens.management_resource','http://127.0.0.1:3001/api');
INSERT INTO "settings" VALUES('tokens.signing_algorithm','ES256');
INSERT INTO "settings" VALUES('bootstrap','1');
INSERT INTO "settings" VALUES('demo','1');
INSERT INTO "settings" VALUES('demo.client','z150rv6q8sy2tp556blmj');
INSERT INTO "settings" VALUES('demo.backend','6px4urxb5oasuvhw0o80d');
INSERT INTO "settings" VALUES('demo.customer','cakha3nrrfgi');
INSERT INTO "settings" VALUES('demo.resource','https://api.example.com');
CREATE TABLE sign_in_attempts (
    -- SHA-256 (hex) of what is counted.
    hash       TEXT PRIMARY KEY,
    failures   BIGINT NOT NULL,
    -- When they are forgotten: an hour after the first, or at the end of the lock-out.
    expires_at BIGINT NOT NULL
, lockouts BIGINT NOT NULL DEFAULT 0);
INSERT INTO "sign_in_attempts" VALUES('55e86fff236b032fbfa2f96dd4e1e8b7f868cc1d9f9b869c9b0deebdcbae386e',1,1796031569115,0);
INSERT INTO "sign_in_attempts" VALUES('5cb01652e9d4c3a822628b8cb5cad545ebe438dfbcb8533942aea3079556bb53',0,1796034569919,0);
CREATE TABLE sign_in_experiences (
    id       TEXT PRIMARY KEY,
    settings TEXT NOT NULL
);
INSERT INTO "sign_in_experiences" VALUES('default','{"color":{"primaryColor":"#0f766e","isDarkModeEnabled":true,"darkPrimaryColor":"#818cf8"},"branding":{},"languageInfo":{"autoDetect":true,"fallbackLanguage":"en"},"termsOfUseUrl":null,"privacyPolicyUrl":null,"agreeToTermsPolicy":"Automatic","supportEmail":null,"supportWebsiteUrl":null,"unknownSessionRedirectUrl":null,"signInMode":"SignInAndRegister","signUp":{"identifiers":["username"],"password":true,"verify":false},"signIn":{"methods":[{"identifier":"username","password":true,"verificationCode":false,"isPasswordPrimary":true},{"identifier":"email","password":true,"verificationCode":false,"isPasswordPrimary":true}]},"socialSignIn":{},"socialSignInConnectorTargets":[],"singleSignOnEnabled":false,"mfa":{"factors":[],"policy":"UserControlled"},"adaptiveMfa":{},"trustedDevice":{},"passkeySignIn":{},"passwordPolicy":{},"passwordExpiration":{},"usernamePolicy":{"caseSensitive":false,"minLength":1,"maxLength":128,"allowedChars":{"lowercase":true,"uppercase":true,"numbers":true,"underscore":true,"dot":false,"hyphen":false,"letters":false,"leadingDigit":false,"at":false}},"forgotPasswordMethods":null,"verificationCodePolicy":{},"sentinelPolicy":{},"captchaPolicy":{},"emailBlocklistPolicy":{},"signUpProfileFields":null,"customCss":null}');
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
INSERT INTO "signing_keys" VALUES('6FFzcPGp-411hDUV7sx-BeEuoTlICizlrxdaWRvXZxk','ES256','{"kid":"6FFzcPGp-411hDUV7sx-BeEuoTlICizlrxdaWRvXZxk","use":"sig","alg":"ES256","crv":"P-256","kty":"EC","x":"3BzADoRI_3pcP9KiWTAa-2P7xpdy-QfMLQ3XJ9N74ks","y":"6WUoAlJi3S_0yu0RNlR31Vqf4v6vBHkZ-LnLP93yWCs"}','QBcjAiRSeVSo09ZxELDyoU9SGPB0PJnMhPOihH6kcWHSHA3PS5xb93rMz0WtL9+9I9935PjDVms9MTIpxfVj8sUpdhR2HFzxaxqMhpAMdnMV7J6MP67DsSjL0C5v7a23HDgFOhh0u0HWIPtdICuEgJ4EHVceB39U15xMjOb1I5qFm67cfZYnga+/JGz0W3BZNJ0dX+UlhCBOOKQK97U7Tsh1eIFLslCAS58=',1796030935844,1796030935844,NULL);
INSERT INTO "signing_keys" VALUES('AUnyaMOpdIGbVRNfAWAAjeUpjy6joh9BD8TsxcLst_g','RS256','{"kid":"AUnyaMOpdIGbVRNfAWAAjeUpjy6joh9BD8TsxcLst_g","use":"sig","alg":"RS256","e":"AQAB","kty":"RSA","n":"netuR3mLKLbGLy_wg_4Fjt8vbaGsV235aOjc9YNo0f4CK4-9lh99HsIPDF7ElIGeotChvWLRPHUHYxK4XPUSIihQ3bZuQZ6pBo-d7ncsYW9-m_v9MuVhkRf2BIhveNLy8Dwqz76MezxZcWbNubW-bYrBDOvW0rmoHAwzSFNdHjjR-oXytmFzYm8NgIr58Iq3Rc152XJvxFuRmrLoObm4XPAmCyPOLaFrSvcxB26Dfmf_SAzAppxVtieXR1zqAvA62sxi4xfu8Zcx0Lx_zLkFfYDTO3cs9dvXjuZ4rXCYAx9HoXBCRvoy82gK2jXPNJHcw3lPJpX6D1X4VRg5HQ1fpQ"}','QBcjAnwdPUvF5xI8GISPEF0T1VSjkdtYqyeEG9n/zBWM6tzcQxjxAq18nhWM3dOm3dKowodoFqAqQFN2RDuJEo9lFtNrkwp0UsiKCMWIq1cS8u66Cc8orvWS1WdUmBd77EAiN6eMhrtAU/loDnXLj/0I+L4cKNFbJeajn4c8YhEbyHONqCx8Oxf9ZZJVkuJ+lRmAr/Z+8Yvz3gZbyKzeMj1kbcrhQaJt7F/Ghw3FVdiMzl5eqYNAKLS/tKKryXdmv7HcB61oe0CgPuth8xpt6FdEyelTlfDB5iKF1rwlxIjIaQC4eKh/of50z/WovHcVFBKQ01evKuLJmGwXexQJmXBNBPQy8Zmf/w+rBw+jGcrzJEpc5t9rDvZVaITzFYvdm5E/ZFwgfV0bJoJR8m3E5uJ4Wlegx+dPtt8aHPYpdZH5sGG1VSclq0vfc0ssT/2oQn/OfVHjsHLDw1+8G4nUVcZr0Jm2K3IRJ/FoKJ4DkEVZRo1gDRM41oAWl8je5uNUUAp59EyIWQOwL9O0+f95POFdVdEFKTAzV5/UbnBPEjeH0EpMhzT3UIWUSxKJlH1alA3W+rS7gO2JT6GqqR+FOUcEWIjlRg4xikg5JTwJQH4HmCLLR4QYazrfI68P89g4iMcZnYM1c4zy8+GTs5rqJyq2WXAP2v1sxLBjfVpSKWNajQgilGeHhlSx5OLRYTgUumckrGvUwD+DCBlH1EYU8apsJZUpEfsv5v0tHBad7HeE8W8MhMIslUG9Asp20xKysAmtB4/OVlEDtWLib19RYPAPNG012qE2OrxCQRXrZbbMibfCQgQVuZayezqlO0Q2rDNJ2yFLp2j745ZWaa+ESRhv10cX2D3e7yW8Qf4YR34RQspxZ+pcL+F/6jnQE0f/c0l9JdWQWWggMfFXb9zzWOh4IqZdV3LTmoaS6/ERD1EaDJer797Z1oubXiT47h35pSZqSjWvof2UUQ6+MIQun+LQpiUOiDqaTcYCcVQrUbdL9HlW2M1t4hNDvyYtWHg+Mi4VWQWba3F0pfBwkYE1NULAbf1WjJUD1wO0TmKQFra9QlHnm/2aDVJNBxYnUcfjou0AHCfz1vbc0yNvKYTyp3Ev+OaMWx2moNQa6mK/no3oAAI0ZY2WwzDHKlqKffUS6AiDuLUOioXthxXuGKqPnIMVEfK3f2o0zSrB87rgQH/lOvkGL2rpUpGJgPH35DeNHDXYUXKldwGVL5hNYDLNAuufBZ8UyOcLQnqoa+dbJWly+OoYaZvbnVJ+ZSN+yspYyxmYSelSnVVBDwRfL7mtIfxYCD/KKofXYyaLi2MhalijIguxYU0QlMmVw8MqObxlOQaITtEk7GlzbIG6MqapyRt4yn6t6/9pR539CHhZWmlwJkVl31yRmDbYYtYKlOYAfZ5lpPhUnx/ukAXLsnUKTCPzWtgwT056SjjXEQnTU/rWnyj/4/EEgoI69NkfSkqdw/icvuWKBI8vFqY3NtCyMGPrGkmygWKU/WYzLYOGUlRr31v/0KcsX+it6sZoF9UG6x9rQNTFVx4XwiPmGhHY/1ADFpSfBj0EMGFUXqO7c5sXYF9eLZ23k89KROudiT0HzviJi3zsGjUrE6msdceEICQN5roo851rDDNlxuLpsX5AtieUM1xxHXT0bY//72qoYg==',1796030935844,1796030935844,NULL);
CREATE TABLE sso_connector_domains (
    sso_connector_id TEXT NOT NULL REFERENCES sso_connectors (id) ON DELETE CASCADE,
    domain           TEXT NOT NULL,
    PRIMARY KEY (sso_connector_id, domain)
);
INSERT INTO "sso_connector_domains" VALUES('qc3otqfmxtmaw6do3fuz0','acme.example');
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
INSERT INTO "sso_connectors" VALUES('qc3otqfmxtmaw6do3fuz0','OIDC','Acme','acme','QBcjAhDd09Y+/pY2I9RyH+KBo3MCsfZYBjjY1yQWBZQiWg==','{}',0,0,1796030968938,0);
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
INSERT INTO "subject_tokens" VALUES('mx32gt2dpk7l0w479ib22','6db6d6819805b9b4c11e95ffe86956757f71c0b02e1cb421a5bfffd349953fcf','cakha3nrrfgi','{"ticketId":"TECH-1234","reason":"a stuck order"}','6px4urxb5oasuvhw0o80d',1796030969125,1796031569125,1796030969133);
INSERT INTO "subject_tokens" VALUES('mx32gt2g4k96ndygzqsky','68b748da91a813dc95fe2f3db14de11ada3d7c3824502fa8a982c34601c04de9','cakha3nrrfgi','{"ticketId":"TECH-1234","reason":"a stuck order"}','6px4urxb5oasuvhw0o80d',1796030969128,1796031569128,NULL);
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
INSERT INTO "user_identities" VALUES('github','gh-1','tyqpq6u1c91n');
CREATE TABLE user_roles (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role_id TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, role_id)
);
INSERT INTO "user_roles" VALUES('cakha3nrrfgi','6v2iwdzsh4uyt06azukux');
INSERT INTO "user_roles" VALUES('29m28qk86cxf','hmhdr4e429p6j92p4hbzr');
INSERT INTO "user_roles" VALUES('tyqpq6u1c91n','xfwhlefliu5xcg00vj9e8');
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
INSERT INTO "users" VALUES('cakha3nrrfgi','customer','customer@example.com',NULL,'$argon2id$v=19$m=19456,t=2,p=1$JEcabABj6bKCqADpcNvkqA$hJIBjhtKDOMklVf6dubzlhfFt6ON4noOUq0ojmhoomM','Argon2id','Casey Customer',NULL,'{}','{}','{}',NULL,0,NULL,1796030935844,1796030938037,3,'customer','customer@example.com','casey customer',1,'{}',38912,1796030938037,0);
INSERT INTO "users" VALUES('29m28qk86cxf','engineer','engineer@example.com',NULL,'$argon2id$v=19$m=19456,t=2,p=1$cOL95OP2bM8A5ZBMuFkL4g$PWDmW9rnYvvVBmhmD7OQIFHOP5BT5/L8SoCu/R/rwZs','Argon2id','Erin Engineer',NULL,'{}','{}','{}',NULL,0,NULL,1796030935844,1796030935844,2,'engineer','engineer@example.com','erin engineer',2,'{}',38912,1796030935844,0);
INSERT INTO "users" VALUES('tyqpq6u1c91n','keeper','keeper@example.com',NULL,'$argon2id$v=19$m=19456,t=2,p=1$wzRsafzkGcAmYEKhDMxJrw$AHM7Tqs/GlJcCAPGt0mcFF5K9s8pgnI6QSCSfHMzl6Q','Argon2id','Ada Lövelace',NULL,'{"tier":"gold"}','{"github":{"userId":"gh-1","details":{"name":"Ada"}}}','{"nickname":"Ada"}',NULL,0,1796030969982,1796030938102,1796030968941,5,'keeper','keeper@example.com','ada lövelace',3,'{}',38912,1796030938102,0);
INSERT INTO "users" VALUES('cf509igpkxsg','careful',NULL,NULL,'$argon2id$v=19$m=19456,t=2,p=1$gk4+4deL7OUT2w6q8xDLcA$XRB9nNCQNshb2n+NhLiSb7jLb1kev3ptdDOLP2pXONg','Argon2id',NULL,NULL,'{}','{}','{}',NULL,0,NULL,1796030969002,1796030969002,1,'careful',NULL,NULL,4,'{}',38912,1796030969002,0);
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
INSERT INTO "verification_codes" VALUES('64888be82cd750fef835edbd9ec3d3e586ef544c336673bf39884f3bb14a0e10','nua1jppi4dv4e71g3nlw8','QBcjAtMsKa6s//TA7+znu0na/83MBhyzbHYe6y9c7VQsLEIn',0,1796031569119);
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
CREATE INDEX console_confirmations_by_session ON console_confirmations (session_id);
CREATE INDEX console_confirmations_by_expiry ON console_confirmations (expires_at);
CREATE INDEX administrator_invitations_by_inviter ON administrator_invitations (inviter_id);
CREATE INDEX administrator_invitations_by_user ON administrator_invitations (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX administrator_invitations_by_expiry ON administrator_invitations (expires_at);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('deliveries',4);
INSERT INTO "sqlite_sequence" VALUES('messages',1);
COMMIT;
