SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE FUNCTION public.count_users() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    own_slot   INTEGER := pg_backend_pid() % 16;
    difference BIGINT := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
BEGIN
    UPDATE totals SET value = value + difference * (SELECT COUNT(*) FROM changed)
        WHERE name = 'users' AND slot = own_slot;
    INSERT INTO user_blocks AS known (block, slot, value)
        SELECT place / 1024, own_slot, difference * COUNT(*) FROM changed GROUP BY place / 1024
        ON CONFLICT (block, slot) DO UPDATE SET value = known.value + excluded.value;
    RETURN NULL;
END
$$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public._sqlx_migrations (
    version bigint NOT NULL,
    description text NOT NULL,
    installed_on timestamp with time zone DEFAULT now() NOT NULL,
    success boolean NOT NULL,
    checksum bytea NOT NULL,
    execution_time bigint NOT NULL
);
CREATE TABLE public.active_days (
    day bigint NOT NULL,
    user_id text NOT NULL
);
CREATE TABLE public.application_roles (
    application_id text NOT NULL,
    role_id text NOT NULL
);
CREATE TABLE public.application_secrets (
    application_id text NOT NULL,
    name text NOT NULL,
    hash text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint
);
CREATE TABLE public.application_sign_in_experiences (
    application_id text NOT NULL,
    settings jsonb NOT NULL
);
CREATE TABLE public.applications (
    id text NOT NULL,
    name text NOT NULL,
    description text,
    type text NOT NULL,
    oidc_client_metadata jsonb NOT NULL,
    custom_client_metadata jsonb NOT NULL,
    custom_data jsonb NOT NULL,
    is_third_party boolean DEFAULT false NOT NULL,
    created_at bigint NOT NULL,
    name_key text DEFAULT ''::text NOT NULL,
    description_key text
);
CREATE TABLE public.attempts (
    id text NOT NULL,
    delivery_id text NOT NULL,
    hook_id text NOT NULL,
    number bigint NOT NULL,
    started_at bigint NOT NULL,
    duration_ms bigint NOT NULL,
    status bigint,
    response_body text,
    error text
);
CREATE TABLE public.authorization_changes (
    revision bigint NOT NULL,
    kind text NOT NULL,
    id text NOT NULL
);
CREATE TABLE public.authorization_codes (
    hash text NOT NULL,
    grant_id text NOT NULL,
    user_id text NOT NULL,
    application_id text NOT NULL,
    authorization_details jsonb NOT NULL,
    family_id text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    consumed_at bigint
);
CREATE TABLE public.custom_phrases (
    language_tag text NOT NULL,
    translation jsonb NOT NULL
);
CREATE TABLE public.deliveries (
    seq bigint NOT NULL,
    id text NOT NULL,
    event_id text NOT NULL,
    hook_id text NOT NULL,
    entity text,
    state text DEFAULT 'pending'::text NOT NULL,
    due_at bigint,
    claim text,
    attempts bigint DEFAULT 0 NOT NULL,
    prepared text,
    note text,
    created_at bigint NOT NULL,
    finished_at bigint
);
CREATE TABLE public.events (
    id text NOT NULL,
    type text NOT NULL,
    payload text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.grants (
    id text NOT NULL,
    user_id text NOT NULL,
    application_id text NOT NULL,
    session_id text,
    scopes jsonb NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.hook_statistics (
    hook_id text NOT NULL,
    minute bigint NOT NULL,
    requests bigint NOT NULL,
    successes bigint NOT NULL
);
CREATE TABLE public.hooks (
    id text NOT NULL,
    name text NOT NULL,
    events jsonb NOT NULL,
    config jsonb NOT NULL,
    signing_key text NOT NULL,
    enabled boolean NOT NULL,
    created_at bigint NOT NULL,
    previous_keys jsonb DEFAULT '[]'::jsonb NOT NULL,
    paused boolean DEFAULT false NOT NULL,
    ordered boolean DEFAULT false NOT NULL,
    max_in_flight bigint DEFAULT 10 NOT NULL,
    rate_limit bigint,
    rate_credit bigint DEFAULT 0 NOT NULL,
    rate_at bigint DEFAULT 0 NOT NULL,
    held_until bigint DEFAULT 0 NOT NULL,
    failing_since bigint,
    failures bigint DEFAULT 0 NOT NULL,
    disabled_reason text
);
CREATE TABLE public.interactions (
    id text NOT NULL,
    hash text NOT NULL,
    request jsonb NOT NULL,
    state jsonb NOT NULL,
    revision bigint NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.issuances (
    jti text NOT NULL,
    user_id text,
    application_id text NOT NULL,
    actor_id text,
    organization_id text,
    resource text,
    scope text NOT NULL,
    exchanged boolean NOT NULL,
    subject_token_id text,
    opaque_hash text,
    claims jsonb,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    revoked_at bigint,
    context jsonb,
    grant_id text,
    family_id text
);
CREATE TABLE public.logs (
    id text NOT NULL,
    key text NOT NULL,
    payload jsonb NOT NULL,
    created_at bigint NOT NULL,
    user_id text,
    application_id text
);
CREATE TABLE public.mfa_factors (
    id text NOT NULL,
    user_id text NOT NULL,
    type text NOT NULL,
    sealed text NOT NULL,
    created_at bigint NOT NULL
);
ALTER TABLE public.deliveries ALTER COLUMN seq ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ordered_deliveries_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.organization_application_roles (
    organization_id text NOT NULL,
    application_id text NOT NULL,
    organization_role_id text NOT NULL
);
CREATE TABLE public.organization_applications (
    organization_id text NOT NULL,
    application_id text NOT NULL
);
CREATE TABLE public.organization_invitation_roles (
    invitation_id text NOT NULL,
    organization_role_id text NOT NULL
);
CREATE TABLE public.organization_invitations (
    id text NOT NULL,
    organization_id text NOT NULL,
    inviter_id text,
    invitee text NOT NULL,
    accepted_user_id text,
    status text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.organization_jit_email_domains (
    organization_id text NOT NULL,
    email_domain text NOT NULL
);
CREATE TABLE public.organization_jit_roles (
    organization_id text NOT NULL,
    organization_role_id text NOT NULL
);
CREATE TABLE public.organization_role_resource_scopes (
    organization_role_id text NOT NULL,
    scope_id text NOT NULL
);
CREATE TABLE public.organization_role_scopes (
    organization_role_id text NOT NULL,
    organization_scope_id text NOT NULL
);
CREATE TABLE public.organization_roles (
    id text NOT NULL,
    name text NOT NULL,
    description text,
    type text NOT NULL,
    search_key text DEFAULT ''::text NOT NULL
);
CREATE TABLE public.organization_scopes (
    id text NOT NULL,
    name text NOT NULL,
    description text,
    search_key text NOT NULL
);
CREATE TABLE public.organization_user_roles (
    organization_id text NOT NULL,
    user_id text NOT NULL,
    organization_role_id text NOT NULL
);
CREATE TABLE public.organization_users (
    organization_id text NOT NULL,
    user_id text NOT NULL
);
CREATE TABLE public.organizations (
    id text NOT NULL,
    name text NOT NULL,
    description text,
    custom_data jsonb NOT NULL,
    is_mfa_required boolean DEFAULT false NOT NULL,
    created_at bigint NOT NULL,
    color jsonb DEFAULT '{}'::jsonb NOT NULL,
    branding jsonb DEFAULT '{}'::jsonb NOT NULL,
    custom_css text,
    search_key text DEFAULT ''::text NOT NULL
);
CREATE TABLE public.personal_access_tokens (
    user_id text NOT NULL,
    name text NOT NULL,
    hash text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint
);
CREATE TABLE public.plugin_logs (
    id bigint NOT NULL,
    plugin_name text NOT NULL,
    level text NOT NULL,
    message text NOT NULL,
    request_id text,
    digest text,
    created_at bigint NOT NULL
);
ALTER TABLE public.plugin_logs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.plugin_logs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.plugin_secrets (
    plugin_name text NOT NULL,
    name text NOT NULL,
    sealed text NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.plugin_versions (
    plugin_name text NOT NULL,
    id bigint NOT NULL,
    digest text NOT NULL,
    language text NOT NULL,
    source bytea NOT NULL,
    size bigint NOT NULL,
    facts jsonb NOT NULL,
    http jsonb,
    cases text,
    created_by text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.plugins (
    name text NOT NULL,
    settings jsonb NOT NULL,
    http_grant jsonb,
    active_version bigint,
    last_version bigint NOT NULL,
    revision bigint NOT NULL,
    customizer jsonb,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.pushed_requests (
    hash text NOT NULL,
    application_id text NOT NULL,
    parameters jsonb NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.refresh_tokens (
    hash text NOT NULL,
    grant_id text NOT NULL,
    user_id text NOT NULL,
    application_id text NOT NULL,
    authorization_details jsonb NOT NULL,
    family_id text NOT NULL,
    outlives_session boolean NOT NULL,
    parent_hash text,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    consumed_at bigint,
    rotated_at bigint
);
CREATE TABLE public.resources (
    id text NOT NULL,
    name text NOT NULL,
    indicator text NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    access_token_ttl bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.revisions (
    name text NOT NULL,
    value bigint NOT NULL
);
CREATE TABLE public.role_scopes (
    role_id text NOT NULL,
    scope_id text NOT NULL
);
CREATE TABLE public.roles (
    id text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    type text NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    created_at bigint NOT NULL,
    name_key text DEFAULT ''::text NOT NULL,
    description_key text
);
CREATE TABLE public.scopes (
    id text NOT NULL,
    resource_id text NOT NULL,
    name text NOT NULL,
    description text,
    created_at bigint NOT NULL,
    name_key text DEFAULT ''::text NOT NULL,
    description_key text
);
CREATE TABLE public.sessions (
    id text NOT NULL,
    browser_hash text NOT NULL,
    user_id text NOT NULL,
    details jsonb NOT NULL,
    authenticated_at bigint NOT NULL,
    last_active_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.settings (
    key text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.sign_in_attempts (
    hash text NOT NULL,
    failures bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.sign_in_experiences (
    id text NOT NULL,
    settings jsonb NOT NULL
);
CREATE TABLE public.signing_keys (
    kid text NOT NULL,
    algorithm text NOT NULL,
    public_jwk jsonb NOT NULL,
    sealed_private text NOT NULL,
    created_at bigint NOT NULL,
    activates_at bigint NOT NULL,
    retires_at bigint
);
CREATE TABLE public.subject_tokens (
    id text NOT NULL,
    hash text NOT NULL,
    user_id text NOT NULL,
    context jsonb NOT NULL,
    creator_id text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    consumed_at bigint
);
CREATE TABLE public.totals (
    name text NOT NULL,
    slot integer NOT NULL,
    value bigint NOT NULL
);
CREATE TABLE public.user_blocks (
    block bigint NOT NULL,
    slot integer NOT NULL,
    value bigint NOT NULL
);
CREATE TABLE public.user_identities (
    target text NOT NULL,
    external_id text NOT NULL,
    user_id text NOT NULL
);
CREATE TABLE public.users (
    id text NOT NULL,
    username text,
    primary_email text,
    primary_phone text,
    password_digest text,
    password_algorithm text,
    name text,
    avatar text,
    custom_data jsonb NOT NULL,
    identities jsonb NOT NULL,
    profile jsonb NOT NULL,
    application_id text,
    is_suspended boolean DEFAULT false NOT NULL,
    last_sign_in_at bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    revision bigint DEFAULT 1 NOT NULL,
    username_key text,
    email_key text,
    name_key text,
    place bigint NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE SEQUENCE public.user_places
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.user_places OWNED BY public.users.place;
CREATE TABLE public.user_roles (
    user_id text NOT NULL,
    role_id text NOT NULL
);
ALTER TABLE ONLY public.users ALTER COLUMN place SET DEFAULT nextval('public.user_places'::regclass);
INSERT INTO public._sqlx_migrations VALUES (1, 'identity', '2026-11-23 12:40:47.194459+00', true, '\x98575eb91b279380cafe73d784b6e9c562c8b35065b673d2c3c609840a7d8a4a3bae1a03aa606ebb9134aadca197fc88', 228124031);
INSERT INTO public._sqlx_migrations VALUES (2, 'tokens', '2026-11-23 12:40:47.423036+00', true, '\xb8007c8e7bbf54f155f2a5f0daed976b631c0a03fe7a37c879a200725079c81dc60b44dc2deffa125d4da80fdf5528af', 55024804);
INSERT INTO public._sqlx_migrations VALUES (3, 'plugins', '2026-11-23 12:40:47.481621+00', true, '\xfab9f7a66cf2d2f1e25b6774240b5eca4b4b569343bca7d697b601edb7c1567c302df452dcbb96fa50d06c76b1d922ed', 47205834);
INSERT INTO public._sqlx_migrations VALUES (4, 'webhooks', '2026-11-23 12:40:47.525657+00', true, '\x7212944c145f6afb3bfd9f80f640feba126d8a38967437e01338e89fe7e383ac04f4d8411c4edd9cab5890cd0a6fe579', 56317610);
INSERT INTO public._sqlx_migrations VALUES (5, 'users', '2026-11-23 12:40:47.585672+00', true, '\x255d5bff56799635cf462f667415085c1f0b01c6b2057f2a7b26c88ef6b1522b7ad436e48a133700542adfe3d2fb4962', 95885124);
INSERT INTO public._sqlx_migrations VALUES (6, 'organizations', '2026-11-23 12:40:47.678409+00', true, '\xb44f8e87457b54a22bdc6ba93090ce496187c6cc3d8880d8446be14e3d05ad2b9beadccf09d850b57aa5177afc507338', 135750781);
INSERT INTO public._sqlx_migrations VALUES (7, 'audit', '2026-11-23 12:40:47.818158+00', true, '\x4f84efc7d868be69839cb5888c47fa777aa11ebd1202fd311da59c7386ddf2360d1ba0da97dfd153981c7ccc8c43a7fb', 48033627);
INSERT INTO public._sqlx_migrations VALUES (8, 'roles', '2026-11-23 12:40:47.866417+00', true, '\x7f57872249b4e30da225057a22ac0f8f4d3ff59b38a3adaa7df8e297168ac01ba88c48fde50e6bbcf263a215d0693908', 35303880);
INSERT INTO public._sqlx_migrations VALUES (9, 'delivery', '2026-11-23 12:40:47.902049+00', true, '\x0f894a2f195b585e53c6a2a0dc32b07837cc73967c63c9bed92e83d43da0bb6274913f1cfaf8f27ff73a1989d187c1e9', 91767648);
INSERT INTO public._sqlx_migrations VALUES (10, 'users in order', '2026-11-23 12:40:47.994109+00', true, '\x40300825bbb076b1b8b4c18c9de0067a097eceb909d7a085c13c7ba670047e2712388be29834e76796fc9718853153b9', 16518822);
INSERT INTO public._sqlx_migrations VALUES (11, 'user settings', '2026-11-23 12:40:48.010722+00', true, '\x3aeb9e01951d0734229ba01a07b0a9d90331f1940a12e35eebce0dc36a89cc7f5337cab3a99d452ad07ad56fe378b640', 479624);
INSERT INTO public._sqlx_migrations VALUES (12, 'authorization changes', '2026-11-23 12:40:48.011239+00', true, '\x0a8275a7abefa21751b5e5f753f21bdf690704ef2e325ed0c9e990994bf29757f7823777360b6c5b853ad6499575ddf2', 14571550);
INSERT INTO public._sqlx_migrations VALUES (13, 'sign in', '2026-11-23 12:40:48.025969+00', true, '\x62bc66ce609c846b6e2df30dc9730b23d4d8d57fa54d5f7dfb7bfa9242d26c5110c56b5aade71a438ce7882080c6cd7f', 32466283);
INSERT INTO public._sqlx_migrations VALUES (14, 'sessions', '2026-11-23 12:40:48.058533+00', true, '\xfeb1bf07decb2be7b9e9a7bf7a8d0824c24c506d5e0f0a0c3f89502e1952f1e6e020fe17b94eb1e576c0b8a7406f7631', 129273751);
INSERT INTO public._sqlx_migrations VALUES (15, 'attempts', '2026-11-23 12:40:48.188092+00', true, '\xea399475917c3269543142674e4f438e22bb9c4d26de2b1d955f326febbf8589faf7d9e331e5ccf23a72be30fb26801c', 15813631);
INSERT INTO public.application_roles VALUES ('kjn1kusbnhfte8vvoygdn', '6nck4eguerel9ysik43vl');
INSERT INTO public.application_secrets VALUES ('kjn1kusbnhfte8vvoygdn', 'Default secret', 'c9eecf2f25738c539233cebf883c3f63a9d125ea9b8788e11145beee004a8000', 1795437648208, NULL);
INSERT INTO public.application_secrets VALUES ('oz0d2etjhbr1a51o9hk7t', 'Default secret', '72641576f204a6c5863ba8768b6b8db188117c52675c50a9717ea94ca7ccb5bf', 1795437648208, NULL);
INSERT INTO public.applications VALUES ('kjn1kusbnhfte8vvoygdn', 'Management API client', NULL, 'MachineToMachine', '{"redirectUris": [], "postLogoutRedirectUris": []}', '{}', '{}', false, 1795437648208, 'management api client', NULL);
INSERT INTO public.applications VALUES ('oz0d2etjhbr1a51o9hk7t', 'Demo web application', NULL, 'Traditional', '{"redirectUris": [], "postLogoutRedirectUris": []}', '{"allowTokenExchange": true}', '{}', false, 1795437648208, 'demo web application', NULL);
INSERT INTO public.applications VALUES ('knbwk4fbnywc5u6t9bs6s', 'Demo single-page application', NULL, 'SPA', '{"redirectUris": ["http://127.0.0.1:3001/demo/callback"], "postLogoutRedirectUris": ["http://127.0.0.1:3001/demo"]}', '{"allowTokenExchange": true}', '{}', false, 1795437648208, 'demo single-page application', NULL);
INSERT INTO public.applications VALUES ('edj2m9qewtduwhfpsbj5w', 'Shop', NULL, 'SPA', '{"redirectUris": ["https://shop.example.com/callback"], "postLogoutRedirectUris": []}', '{"alwaysIssueRefreshToken": true}', '{}', false, 1795437650223, 'shop', NULL);
INSERT INTO public.attempts VALUES ('m5sl3yktcr0x5n83awujw', 'msg_qpbgdo7f2lok8wfboglg2', 't7segbv010jylq95skcb7', 1, 1795437649942, 19, NULL, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO public.attempts VALUES ('nf6bjuwoj5okqncgflke7', 'msg_lip2w3bv0shl7fril8sud', 't7segbv010jylq95skcb7', 1, 1795437650026, 0, NULL, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO public.attempts VALUES ('u0pb74gkgvf02hbywkjvo', 'msg_qpbgdo7f2lok8wfboglg2', 't7segbv010jylq95skcb7', 2, 1795437653772, 0, NULL, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO public.attempts VALUES ('yezoyubx9p80j5edaiarb', 'msg_lip2w3bv0shl7fril8sud', 't7segbv010jylq95skcb7', 2, 1795437654422, 0, NULL, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO public.authorization_changes VALUES (2, 'all', '');
INSERT INTO public.authorization_changes VALUES (2, 'application', 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.authorization_changes VALUES (2, 'application', 'knbwk4fbnywc5u6t9bs6s');
INSERT INTO public.authorization_changes VALUES (2, 'application', 'oz0d2etjhbr1a51o9hk7t');
INSERT INTO public.authorization_changes VALUES (2, 'keys', '');
INSERT INTO public.authorization_changes VALUES (3, 'all', '');
INSERT INTO public.authorization_changes VALUES (4, 'all', '');
INSERT INTO public.authorization_changes VALUES (5, 'all', '');
INSERT INTO public.authorization_changes VALUES (6, 'application', 'edj2m9qewtduwhfpsbj5w');
INSERT INTO public.authorization_codes VALUES ('e59fe98343b2dcae590b757cfb50653777e5308e2821f9b564d2c075ab9a491d', '8a4840wtf9f58a89neag7', '1lx09bd0qzqw', 'edj2m9qewtduwhfpsbj5w', '{"amr": ["pwd"], "nonce": null, "scope": ["openid", "offline_access"], "authTime": 1795437655, "consented": null, "resources": [], "sessionId": "uuamrk61egwo9a2aiol1y", "redirectUri": "https://shop.example.com/callback", "codeChallenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "resourceScope": []}', 'bj0z3khot5a0oh864204o', 1795437655635, 1795437715635, 1795437655659);
INSERT INTO public.custom_phrases VALUES ('en', '{"sign_in": {"title": "Ahoy!"}}');
INSERT INTO public.deliveries VALUES (1, 'msg_qpbgdo7f2lok8wfboglg2', 'mwt97x0mtmjzc53rq4rc9', 't7segbv010jylq95skcb7', NULL, 'pending', 1795437681478, NULL, 2, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)', 1795437649894, NULL);
INSERT INTO public.deliveries VALUES (2, 'msg_lip2w3bv0shl7fril8sud', 'mwt97x3x1s8p6nwcobddm', 't7segbv010jylq95skcb7', NULL, 'pending', 1795437686128, NULL, 2, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)', 1795437650013, NULL);
INSERT INTO public.events VALUES ('mwt97x0mtmjzc53rq4rc9', 'User.Data.Updated', '{"event":"User.Data.Updated","createdAt":"2026-11-23T12:40:49.894Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users/vpjmty8v6kb3/password","method":"PATCH","status":200,"params":{"userId":"vpjmty8v6kb3"},"matchedRoute":"/users/:userId/password","data":{"id":"vpjmty8v6kb3","username":"customer","primaryEmail":"customer@example.com","primaryPhone":null,"name":"Casey Customer","avatar":null,"customData":{},"identities":{},"lastSignInAt":null,"createdAt":1795437648208,"updatedAt":1795437649894,"profile":{},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}', 1795437649894);
INSERT INTO public.events VALUES ('mwt97x3x1s8p6nwcobddm', 'User.Created', '{"event":"User.Created","createdAt":"2026-11-23T12:40:50.013Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users","method":"POST","status":200,"params":{},"matchedRoute":"/users","data":{"id":"1lx09bd0qzqw","username":"keeper","primaryEmail":"keeper@example.com","primaryPhone":null,"name":"Ada Lövelace","avatar":null,"customData":{"tier":"gold"},"identities":{},"lastSignInAt":null,"createdAt":1795437650013,"updatedAt":1795437650013,"profile":{"nickname":"Ada"},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}', 1795437650013);
INSERT INTO public.grants VALUES ('8a4840wtf9f58a89neag7', '1lx09bd0qzqw', 'edj2m9qewtduwhfpsbj5w', 'uuamrk61egwo9a2aiol1y', '{"oidc": ["openid", "offline_access"], "resources": {}, "organizations": []}', 1795437655635, 1810989655635);
INSERT INTO public.hook_statistics VALUES ('t7segbv010jylq95skcb7', 29923960, 4, 0);
INSERT INTO public.hooks VALUES ('t7segbv010jylq95skcb7', 'before', '["User.Created", "User.Data.Updated"]', '{"url": "http://127.0.0.1:9/nobody", "retries": 3}', 'QBcjAktZRq7DSjye3A/DoCH8nr3nfBV8JeUV7PXe86SaqUFmXML9s+FVCW4JqSsLvSSRubpUvZqR+VzlYFABrPT+uxUMetVDz66EgaA+OIAXLZ7tj3c07ZGyUxVPp6Ii', true, 1795437649546, '[]', false, false, 10, NULL, 0, 0, 0, 1795437649961, 4, NULL);
INSERT INTO public.issuances VALUES ('mwt97wqbq0j7eu5mmtn6k', NULL, 'kjn1kusbnhfte8vvoygdn', NULL, NULL, 'http://127.0.0.1:3001/api', 'all', false, NULL, NULL, NULL, 1795437649523, 1795441249000, NULL, NULL, NULL, NULL);
INSERT INTO public.issuances VALUES ('mwt980w24mqv7m7wnpxg5', 'vpjmty8v6kb3', 'oz0d2etjhbr1a51o9hk7t', NULL, NULL, 'https://api.example.com', 'resource:read resource:write', true, 'mwt980umhxjrp95hzmf9x', NULL, NULL, 1795437654914, 1795441254000, NULL, '{"reason": "a stuck order", "ticketId": "TECH-1234"}', NULL, NULL);
INSERT INTO public.issuances VALUES ('mwt9811bjb6vp831r036g', 'vpjmty8v6kb3', 'oz0d2etjhbr1a51o9hk7t', NULL, NULL, NULL, 'openid', false, NULL, 'f4116670b92f7695036b5fea1273ae17ae715d49a8f6592a40fb3a39d225f966', '{"exp": 1795441255, "iat": 1795437655, "iss": "http://127.0.0.1:3001/oidc", "jti": "mwt9811bjb6vp831r036g", "sub": "vpjmty8v6kb3", "scope": "openid", "region": "eu", "ticket": null, "client_id": "oz0d2etjhbr1a51o9hk7t"}', 1795437655103, 1795441255000, NULL, NULL, NULL, NULL);
INSERT INTO public.issuances VALUES ('mwt981gp03gygffrght6q', '1lx09bd0qzqw', 'edj2m9qewtduwhfpsbj5w', NULL, NULL, NULL, 'openid offline_access', false, NULL, 'c9bf6913e8c33de731b0703c04dd256d49d7a42abcd240d07db36b3a140777bb', '{"exp": 1795441255, "iat": 1795437655, "iss": "http://127.0.0.1:3001/oidc", "jti": "mwt981gp03gygffrght6q", "sub": "1lx09bd0qzqw", "scope": "openid offline_access", "region": "eu", "ticket": null, "client_id": "edj2m9qewtduwhfpsbj5w"}', 1795437655657, 1795441255000, NULL, NULL, '8a4840wtf9f58a89neag7', 'bj0z3khot5a0oh864204o');
INSERT INTO public.logs VALUES ('mwt97vpsg97jek0vrbc0e', 'Bootstrap', '{"key": "Bootstrap", "demo": true, "result": "Success", "scopes": [], "signingKeys": ["_OtZjJVF6yQzvqSdDYUVpeQWBFpyj0m9ZxdFiUV9M8I", "KPK75I6mr15NhUGY-55QnnH2cGKeFkGc-ht_RcLWNDc"], "demoApplication": true}', 1795437648208, NULL, NULL);
INSERT INTO public.logs VALUES ('mwt97wqbtluk8d22h9i8x', 'ExchangeTokenBy.ClientCredentials', '{"ip": "127.0.0.1", "jti": "mwt97wqbq0j7eu5mmtn6k", "key": "ExchangeTokenBy.ClientCredentials", "result": "Success", "requestId": "8x1e06g67207zfry", "userAgent": "Python-urllib/3.11", "applicationId": "kjn1kusbnhfte8vvoygdn", "applicationSecret": {"name": "Default secret"}}', 1795437649523, NULL, 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt97wqy7v24pp4kfyka5', 'Management.Hook.Create', '{"ip": "127.0.0.1", "key": "Management.Hook.Create", "hookId": "t7segbv010jylq95skcb7", "result": "Success", "requestId": "si4iwgn0q45vmq64", "userAgent": "Python-urllib/3.11", "applicationId": "kjn1kusbnhfte8vvoygdn"}', 1795437649546, NULL, 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt97x0mbyu96tfc858eq', 'Management.User.SetPassword', '{"ip": "127.0.0.1", "key": "Management.User.SetPassword", "result": "Success", "userId": "vpjmty8v6kb3", "requestId": "98w83tc52optbqvp", "userAgent": "Python-urllib/3.11", "applicationId": "kjn1kusbnhfte8vvoygdn"}', 1795437649894, 'vpjmty8v6kb3', 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt97x3xersxxmrv3x1zh', 'Management.User.Create', '{"ip": "127.0.0.1", "key": "Management.User.Create", "result": "Success", "userId": "1lx09bd0qzqw", "requestId": "n1bc502qv616cdl8", "userAgent": "Python-urllib/3.11", "applicationId": "kjn1kusbnhfte8vvoygdn"}', 1795437650013, '1lx09bd0qzqw', 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt97x4cgskt2m7dqt0yn', 'Management.Resource.Create', '{"ip": "127.0.0.1", "key": "Management.Resource.Create", "result": "Success", "requestId": "jpi99uvpy3pc7a7s", "userAgent": "Python-urllib/3.11", "resourceId": "runja0wuewj3sk49y73jl", "applicationId": "kjn1kusbnhfte8vvoygdn"}', 1795437650028, NULL, 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt97x557aw64oso6el81', 'Management.Scope.Create', '{"ip": "127.0.0.1", "key": "Management.Scope.Create", "result": "Success", "scopeId": "hiyj2sd70moqyg3li29e5", "requestId": "ifjbbxm7lmpaelhi", "userAgent": "Python-urllib/3.11", "resourceId": "runja0wuewj3sk49y73jl", "applicationId": "kjn1kusbnhfte8vvoygdn"}', 1795437650057, NULL, 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt97x6bfxs91ooupfmhz', 'Management.Role.Create', '{"ip": "127.0.0.1", "key": "Management.Role.Create", "result": "Success", "roleId": "nr77gxt3bw9lol87yorhp", "scopeIds": ["hiyj2sd70moqyg3li29e5"], "requestId": "67jetia2vbumm346", "userAgent": "Python-urllib/3.11", "applicationId": "kjn1kusbnhfte8vvoygdn"}', 1795437650099, NULL, 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt97x7fu6ypl0peqg4k6', 'Management.User.AssignRoles', '{"ip": "127.0.0.1", "key": "Management.User.AssignRoles", "result": "Success", "userId": "1lx09bd0qzqw", "requestId": "nd9wrihpy5kt29vm", "userAgent": "Python-urllib/3.11", "addedRoleIds": ["nr77gxt3bw9lol87yorhp"], "applicationId": "kjn1kusbnhfte8vvoygdn"}', 1795437650139, '1lx09bd0qzqw', 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt97x7pact895c9tuxkp', 'Management.Organization.Create', '{"ip": "127.0.0.1", "key": "Management.Organization.Create", "result": "Success", "requestId": "bmpszjqik73xobaw", "userAgent": "Python-urllib/3.11", "applicationId": "kjn1kusbnhfte8vvoygdn", "organizationId": "7mou1g499tju"}', 1795437650149, NULL, 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt97x8arx2lsimv3jafb', 'Management.Organization.ChangeUsers', '{"ip": "127.0.0.1", "key": "Management.Organization.ChangeUsers", "result": "Success", "requestId": "x9pq0maxz8dr5ge1", "userAgent": "Python-urllib/3.11", "addedUserIds": ["1lx09bd0qzqw"], "applicationId": "kjn1kusbnhfte8vvoygdn", "organizationId": "7mou1g499tju", "removedUserIds": []}', 1795437650170, NULL, 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt97x9lt49mhk07me9o7', 'Management.OrganizationInvitation.Create', '{"ip": "127.0.0.1", "key": "Management.OrganizationInvitation.Create", "result": "Success", "requestId": "hvlbfh6ma92sg5h0", "userAgent": "Python-urllib/3.11", "applicationId": "kjn1kusbnhfte8vvoygdn", "organizationId": "7mou1g499tju", "organizationRoleIds": [], "organizationInvitationId": "a8uyc7zln2ifohtjq7b3a"}', 1795437650217, NULL, 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt97x9r8v95vbggdj2ce', 'Management.Application.Create', '{"ip": "127.0.0.1", "key": "Management.Application.Create", "type": "SPA", "result": "Success", "requestId": "d57ldw5uetacd3i6", "userAgent": "Python-urllib/3.11", "applicationId": "kjn1kusbnhfte8vvoygdn", "createdApplicationId": "edj2m9qewtduwhfpsbj5w"}', 1795437650223, NULL, 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt97xadb0qpugce9fx5n', 'Management.SignInExperience.Update', '{"ip": "127.0.0.1", "key": "Management.SignInExperience.Update", "result": "Success", "requestId": "in14vaa4tf0u4m0k", "userAgent": "Python-urllib/3.11", "applicationId": "kjn1kusbnhfte8vvoygdn", "changedSettings": ["color"]}', 1795437650245, NULL, 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt97xb4f01eox4exxl35', 'Management.CustomPhrases.Update', '{"ip": "127.0.0.1", "key": "Management.CustomPhrases.Update", "result": "Success", "requestId": "9ve28dt3saxdi0pt", "userAgent": "Python-urllib/3.11", "languageTag": "en", "applicationId": "kjn1kusbnhfte8vvoygdn"}', 1795437650272, NULL, 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt980h02phc4e9vl8jj2', 'Management.Plugin.Upload', '{"ip": "127.0.0.1", "key": "Management.Plugin.Upload", "digest": "sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496", "plugin": "jwt-access-token", "result": "Success", "version": "1", "requestId": "5otwnqjrsks1k9ji", "userAgent": "Python-urllib/3.11", "applicationId": "kjn1kusbnhfte8vvoygdn"}', 1795437654372, NULL, 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt980sguvqhoncsidd0o', 'Management.Plugin.Upload', '{"ip": "127.0.0.1", "key": "Management.Plugin.Upload", "digest": "sha256:6b2c493ed46cc46c354b46b3052b11a409983160b5b40e4f91b6ddb1785fe342", "plugin": "ticket", "result": "Success", "version": "1", "activated": false, "requestId": "9vwb47aeqkhlw0du", "userAgent": "Python-urllib/3.11", "applicationId": "kjn1kusbnhfte8vvoygdn"}', 1795437654784, NULL, 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt980tu3wckbjhynt2pi', 'Management.PersonalAccessToken.Create', '{"ip": "127.0.0.1", "key": "Management.PersonalAccessToken.Create", "result": "Success", "userId": "1lx09bd0qzqw", "requestId": "pol29bunpj1zg1em", "tokenName": "laptop", "userAgent": "Python-urllib/3.11", "applicationId": "kjn1kusbnhfte8vvoygdn"}', 1795437654834, '1lx09bd0qzqw', 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt980umgzwrtx2iv8r9f', 'Management.SubjectToken.Create', '{"ip": "127.0.0.1", "key": "Management.SubjectToken.Create", "result": "Success", "userId": "vpjmty8v6kb3", "context": {"reason": "a stuck order", "ticketId": "TECH-1234"}, "requestId": "con9tnax6jaxx9k4", "userAgent": "Python-urllib/3.11", "applicationId": "kjn1kusbnhfte8vvoygdn", "subjectTokenId": "mwt980umhxjrp95hzmf9x"}', 1795437654862, 'vpjmty8v6kb3', 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt980v9f2fiyhze1dg29', 'Management.SubjectToken.Create', '{"ip": "127.0.0.1", "key": "Management.SubjectToken.Create", "result": "Success", "userId": "vpjmty8v6kb3", "context": {"reason": "a stuck order", "ticketId": "TECH-1234"}, "requestId": "iljkou3940xc7c64", "userAgent": "Python-urllib/3.11", "applicationId": "kjn1kusbnhfte8vvoygdn", "subjectTokenId": "mwt980v9mt384mk5pdwlb"}', 1795437654885, 'vpjmty8v6kb3', 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.logs VALUES ('mwt980w2xh24zjutjw3s3', 'ExchangeTokenBy.TokenExchange', '{"ip": "127.0.0.1", "jti": "mwt980w24mqv7m7wnpxg5", "key": "ExchangeTokenBy.TokenExchange", "result": "Success", "userId": "vpjmty8v6kb3", "context": {"reason": "a stuck order", "ticketId": "TECH-1234"}, "plugins": [{"digest": "sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496", "plugin": "jwt-access-token", "outcome": "ok", "generation": 2}], "resource": "https://api.example.com", "requestId": "dvs4ryliqdyqw7fc", "userAgent": "Python-urllib/3.11", "applicationId": "oz0d2etjhbr1a51o9hk7t", "subjectTokenId": "mwt980umhxjrp95hzmf9x", "applicationSecret": {"name": "Default secret"}}', 1795437654914, 'vpjmty8v6kb3', 'oz0d2etjhbr1a51o9hk7t');
INSERT INTO public.logs VALUES ('mwt9811b1x5zqq91iewkg', 'ExchangeTokenBy.Operator', '{"by": "operator", "jti": "mwt9811bjb6vp831r036g", "key": "ExchangeTokenBy.Operator", "result": "Success", "userId": "vpjmty8v6kb3", "plugins": [{"digest": "sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496", "plugin": "jwt-access-token", "outcome": "ok", "generation": 1}], "applicationId": "oz0d2etjhbr1a51o9hk7t"}', 1795437655103, 'vpjmty8v6kb3', 'oz0d2etjhbr1a51o9hk7t');
INSERT INTO public.logs VALUES ('mwt981b1q9nja3h5ojelk', 'Interaction.SignIn.Update', '{"ip": "127.0.0.1", "key": "Interaction.SignIn.Update", "result": "Success", "requestId": "9tkvscq6it6j5jx7", "userAgent": "Python-urllib/3.11", "applicationId": "edj2m9qewtduwhfpsbj5w", "interactionId": "qy57pi6ouhh9o5jj4dkf9"}', 1795437655453, NULL, 'edj2m9qewtduwhfpsbj5w');
INSERT INTO public.logs VALUES ('mwt981d81tr44kr4m45na', 'Interaction.SignIn.Verification.Password.Submit', '{"ip": "127.0.0.1", "key": "Interaction.SignIn.Verification.Password.Submit", "result": "Success", "userId": "1lx09bd0qzqw", "requestId": "9tkvscq6it6j5jx7", "userAgent": "Python-urllib/3.11", "applicationId": "edj2m9qewtduwhfpsbj5w", "interactionId": "qy57pi6ouhh9o5jj4dkf9", "verificationId": "969vk7jlb67zzk8kjvpu9"}', 1795437655532, '1lx09bd0qzqw', 'edj2m9qewtduwhfpsbj5w');
INSERT INTO public.logs VALUES ('mwt981ehjyemfieg3lsz0', 'Interaction.SignIn.Identifier.Submit', '{"ip": "127.0.0.1", "key": "Interaction.SignIn.Identifier.Submit", "result": "Success", "userId": "1lx09bd0qzqw", "requestId": "9tkvscq6it6j5jx7", "userAgent": "Python-urllib/3.11", "applicationId": "edj2m9qewtduwhfpsbj5w", "interactionId": "qy57pi6ouhh9o5jj4dkf9"}', 1795437655577, '1lx09bd0qzqw', 'edj2m9qewtduwhfpsbj5w');
INSERT INTO public.logs VALUES ('mwt981eqgzx2w553z4dvy', 'Interaction.SignIn.Submit', '{"ip": "127.0.0.1", "key": "Interaction.SignIn.Submit", "result": "Success", "userId": "1lx09bd0qzqw", "requestId": "9tkvscq6it6j5jx7", "sessionId": "uuamrk61egwo9a2aiol1y", "userAgent": "Python-urllib/3.11", "applicationId": "edj2m9qewtduwhfpsbj5w", "interactionId": "qy57pi6ouhh9o5jj4dkf9"}', 1795437655586, '1lx09bd0qzqw', 'edj2m9qewtduwhfpsbj5w');
INSERT INTO public.logs VALUES ('mwt981gp5hc5qzais6wnj', 'ExchangeTokenBy.AuthorizationCode', '{"ip": "127.0.0.1", "jti": "mwt981gp03gygffrght6q", "key": "ExchangeTokenBy.AuthorizationCode", "result": "Success", "userId": "1lx09bd0qzqw", "grantId": "8a4840wtf9f58a89neag7", "plugins": [{"digest": "sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496", "plugin": "jwt-access-token", "outcome": "ok", "generation": 2}], "requestId": "yy6t7ashjo2dzlc3", "sessionId": "uuamrk61egwo9a2aiol1y", "userAgent": "Python-urllib/3.11", "applicationId": "edj2m9qewtduwhfpsbj5w"}', 1795437655657, '1lx09bd0qzqw', 'edj2m9qewtduwhfpsbj5w');
INSERT INTO public.logs VALUES ('mwt981g3thy4c7olbxfxv', 'Interaction.End', '{"ip": "127.0.0.1", "key": "Interaction.End", "result": "Success", "userId": "1lx09bd0qzqw", "requestId": "96ftykvhszr1y3vs", "userAgent": "Python-urllib/3.11", "applicationId": "edj2m9qewtduwhfpsbj5w", "interactionId": "qy57pi6ouhh9o5jj4dkf9"}', 1795437655635, '1lx09bd0qzqw', 'edj2m9qewtduwhfpsbj5w');
INSERT INTO public.organization_invitations VALUES ('a8uyc7zln2ifohtjq7b3a', '7mou1g499tju', NULL, 'guest@example.com', NULL, 'Pending', 1795437650217, 1795437650217, 1795524050202);
INSERT INTO public.organization_users VALUES ('7mou1g499tju', '1lx09bd0qzqw');
INSERT INTO public.organizations VALUES ('7mou1g499tju', 'Keepers', NULL, '{"plan": "team"}', false, 1795437650149, '{}', '{}', NULL, '7mou1g499tju keepers');
INSERT INTO public.personal_access_tokens VALUES ('1lx09bd0qzqw', 'laptop', 'f3ed86103544e45c5f0ab46e63f8927cae2ba69ff5663ad1327bc2839e87159b', 1795437654834, NULL);
INSERT INTO public.plugin_versions VALUES ('jwt-access-token', 1, 'sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496', 'javascript', '\x636f6e737420676574437573746f6d4a7774436c61696d73203d206173796e6320287b20636f6e746578742c20656e7669726f6e6d656e745661726961626c6573207d29203d3e20287b0a20207469636b65743a20636f6e746578742e6772616e743f2e7375626a656374546f6b656e436f6e746578743f2e7469636b65744964203f3f206e756c6c2c20726567696f6e3a20656e7669726f6e6d656e745661726961626c65732e524547494f4e2c0a7d293b', 179, '{"kind": "claims", "world": "claimsmith:plugin/claims", "imports": ["wasi:io/poll", "wasi:clocks/monotonic-clock", "wasi:clocks/wall-clock", "wasi:io/error", "wasi:io/streams", "wasi:cli/stdout", "wasi:cli/stderr", "wasi:cli/stdin", "wasi:cli/environment", "wasi:cli/exit", "wasi:cli/terminal-input", "wasi:cli/terminal-output", "wasi:cli/terminal-stdin", "wasi:cli/terminal-stdout", "wasi:cli/terminal-stderr", "wasi:filesystem/types", "wasi:filesystem/preopens", "wasi:random/insecure-seed", "claimsmith:plugin/log", "claimsmith:plugin/http", "claimsmith:plugin/random", "claimsmith:plugin/types"]}', NULL, NULL, 'kjn1kusbnhfte8vvoygdn', 1795437654381);
INSERT INTO public.plugin_versions VALUES ('ticket', 1, 'sha256:6b2c493ed46cc46c354b46b3052b11a409983160b5b40e4f91b6ddb1785fe342', 'wasm', '\x0061736d0d0001000746014204016d0405646562756704696e666f047761726e056572726f720400056c6576656c030000014002056c6576656c01076d657373616765730100040005777269746501020a2001001b636c61696d736d6974683a706c7567696e2f6c6f6740312e302e30050007ef0101420e01730400046a736f6e030000016b01017202047479706573157375626a6563742d746f6b656e2d636f6e74657874020400056772616e74030003016b04017205056772616e74050475736572020b6170706c69636174696f6e020c6f7267616e697a6174696f6e020b696e746572616374696f6e02040007636f6e74657874030006016f02737301700801720305746f6b656e0107636f6e746578740715656e7669726f6e6d656e742d7661726961626c65730904000e636c61696d732d7265717565737403000a0171020664656e696564017300066661696c65640173000400076661696c75726503000c0a2201001d636c61696d736d6974683a706c7567696e2f747970657340312e302e3005010613010300010e636c61696d732d726571756573740a1401000e636c61696d732d72657175657374030002060c01030001076661696c7572650a0d0100076661696c757265030004060901030001046a736f6e0a0a0100046a736f6e03000601901c0061736d01000000012d0860037f7f7f0060000060017f017f60027f7f017f60017f0060037f7f7f017f60047f7f7f7f017f60027f7f000225011b636c61696d736d6974683a706c7567696e2f6c6f6740312e302e30057772697465000003121101010203000204030301010504060702010405017001010105030100050608017f01418080100b076105066d656d6f727902000b5f696e697469616c697a6500021f636162695f706f73745f6765742d637573746f6d2d6a77742d636c61696d73000d0c636162695f7265616c6c6f63000e156765742d637573746f6d2d6a77742d636c61696d7300100ac9191102000b2300024041002802a080908000450d00000b410041013602a0809080001081808080000b3a01017f0240200041106a41041084808080002201450d0020012000ad420586420484370308200141106a0f0b410041303602a48090800041000be80101037f410021020240417f200041046a220320032000491b220041012001742201200020014b1b2201417f6a672200450d0002400240412020006b220041ffff0371417d6a2203410d4f0d0042012000ad42ffff038386a72104200341027422002802dc809080002201450d01200041dc809080006a200420016a417c6a28020036020020010f0b2001418380046a41107610868080800021020c010b200041a8809080006a2101024020002802a880908000220041ffff03710d0041011086808080002200450d012001200020046a36020020000f0b2001200020046a36020020000f0b20020ba60101017f02404120200141046a220141012002742202200120024b1b2202417f6a676b220141ffff0371417d6a2203410d4f0d00200042012001ac86a76a417c6a200341027422022802dc80908000360200200220003602dc809080000f0b2000420141202002418380046a411076417f6a676b2202ad42ffff038386a74110746a417c6a200241ffff037141027422022802908190800036020020022000360290819080000b6401027f420141202000417f6a676b2200ad42ffff038386a721010240200041ffff03714102742202280290819080002200450d0020024190819080006a200141107420006a417c6a28020036020020000f0b41002001400022004110742000417f461b0b3402017e027f02402000450d0020004101200041786a2903002201a722027422036b20032001420588a76a20021085808080000b0b800302017e087f024020010d00200010878080800041000f0b024020000d0020011083808080000f0b417f4101200041786a2903002202a7220374220420016a220541046a220620062005491b22062004200620044b1b2106200020046b2107024002400240024020042002420588a722086a220941046a220a2004200a20044b1b220a418080024b0d002006417f6a672206450d0142014120200a417f6a676bad42ffff038386a74201412020066bad42ffff038386a7470d010c020b42014120200a418380046a411076417f6a676bad42ffff038386a7420141202006418380046a411076417f6a676bad42ffff038386a7460d010b0240200520031084808080002205450d00200520046a210502402001200820012008491b2206450d00410021040340200520046a200020046a2d00003a0000200441016a22042006490d000b0b2007200920031085808080000c020b410041303602a48090800041000f0b200720046a21050b200541786a2002421f832001ad4205868437030020050b6402017e017f0240024002402000ad2001ad7e2202422088a70d002002a7220310838080800022000d01410021000c020b410041303602a48090800041000f0b41002101034020032001460d01200020016a41003a0000200141016a21010c000b0b20000b0300000b02000bb00a010b7f23808080800041106b2203248080808000410021044100210541002106024002400240024020002d00084101470d0041002104410021054100210620002d00144101470d0020002802182205450d01200028021c2206450d0120052d000041fb00470d0120064102490d01200520066a2204417f6a2107200541016a21082004417e6a21090340024020082d000022054122460d00200541fd00460d03200841016a22082004490d010c030b024002400240200841016a220a20044f0d00200a210503400240024020082d0001220641dc00460d002005210520064122470d012008200a6b41016a210b200841026a220c20044f0d05200920086b2105034002400240200c2d0000220841776a220641174b0d0041012006744193808004710d010b2008413a470d070b200c41016a210c2005417f6a22050d000c050b0b200841026a21050b20052108200541016a22052004490d000b0b2007200a6b210b0b2004210c0b4100210d200c21080340024002400240200822062004490d00200421080c010b024020062d000022054122470d00200421080240200641016a220520044f0d0003400240024020062d0001220841dc00460d002005210520084122470d01200641026a21080c030b200641026a21050b20052106200541016a22052004490d000b200421080b200d0d030c010b02400240024002400240200d0d00410021080240200541a57f6a0e03020504000b200541857f6a0e03010403020b200541207241fb00460d00200d21080c030b200d41016a21080c020b2005412c470d010b200621080c010b0240200541207241fd00460d002008210d0c020b2008417f6a220d0d01200641016a21080b02400240200b4108470d00200a29000042f4d28ddbd68cdda4e400510d010b200820044f0d050c030b200c450d0420032008200c6b220236020c2003200c3602084101200341086a108f808080004100210d419d80908000210a024020002802542206450d002000280250210502400340024020052802002204450d00200541046a2802004106470d00200428000041d0a495b20473200441046a2f000041c9b0017372450d020b200541106a21052006417f6a22060d000c020b0b2005410c6a280200210d200541086a280200210a0b41c4001083808080002206450d05200641fbc4003b0000024002400240200d41026a220541c500490d002006200541017441c0006a220410888080800022060d010c080b41c4002104200d450d010b200d450d00200641026a200a200dfc0a00000b0240200d410b6a220020044d0d002006200041017441c0006a22041088808080002206450d060b200620056a220541002d008b809080003a000820054100290083809080003700000240200d410d6a220d20044d0d002006200d41017441c0006a22041088808080002206450d060b200620006a41a2f4003b00000240200d20026a220520044d0d002006200541017441c0006a22041088808080002206450d060b2008200c460d032002450d032006200d6a200c2002fc0a00000c030b200641016a21080c000b0b0b02404101410220051b220d20056a220820044d0d002006200841017441c0006a1088808080002206450d020b0240200d450d00200620056a41818090800041808090800020051b200dfc0a00000b2001200836020420012006360200410121050c020b41002105200241003a0000410141111089808080002206450d00200241103602082002200636020420064100290095809080003700082006410029008d809080003700000c010b108a80808000000b200341106a24808080800020050b5e01017f024002400240024020002d00000e020001030b2000280208450d02410421010c010b02400240024020002d00040e020001040b200028020c0d010c030b200028020c450d020b410821010b200020016a2802001087808080000b0b210002402003450d002000200310888080800022020d00108a80808000000b20020b14002000200128020020012802041080808080000bf90401137f23808080800041f0006b2201248080808000410021020240024020002d00084101460d00410021030c010b0240024020002d00144101460d00410021040c010b200028021c210520002802182106410121040b20002802102107200028020c2108410121030b0240024020002d00204101460d000c010b200028022821092000280224210a410121020b4100210b0240024020002d002c4101460d004100210c0c010b2000280234210d2000280230210e4101210c0b0240024020002d00384101460d000c010b2000280240210f200028023c21104101210b0b410121110240024020002d00444101460d00410021110c010b200028024c2112200028024821130b2001201236026420012013360260200120113a005c2001200f360258200120103602542001200b3a00502001200d36024c2001200e3602482001200c3a0044200120093602402001200a36023c200120023a00382001200536023420012006360230200120043a002c2001200736022820012008360224200120033a00202001200029020037021820012000290250370268200141186a200141106a200141046a108c8080800021022001280214210b20012802102111200128020c2108200128020821072001280204210320001087808080000240024020020d00410041013a00d48190800002400240200341ff01710e020001030b410020083602e081908000410020073602dc81908000410041003a00d8819080000c020b410020083602e081908000410041013a00d881908000410020073602dc819080000c010b4100200b3602dc81908000410020113602d881908000410041003a00d4819080000b200141f0006a24808080800041d4819080000b0800108b808080000b0b260100418080100b1e7b7d007469636b65745f6964004e616d6520746865207469636b65742e00002f0970726f647563657273010c70726f6365737365642d6279010d7769742d636f6d706f6e656e7407302e3235382e3301700061736d0100000001070160037f7f7f000302010004050170010101071002013000000824696d706f72747301000a0f010d0020002001200241001100000b002f0970726f647563657273010c70726f6365737365642d6279010d7769742d636f6d706f6e656e7407302e3235382e33020401000100060701000001000130022c02010105777269746500000000011b636c61696d736d6974683a706c7567696e2f6c6f6740312e302e301201060c0100020102066d656d6f72790185010061736d01000000010a0260037f7f7f006000000232030661637475616c01300000046d61696e0b5f696e697469616c697a650001047368696d0824696d706f72747301700101010801010907010041000b0100002f0970726f647563657273010c70726f6365737365642d6279010d7769742d636f6d706f6e656e7407302e3235382e33060a01010000057772697465080801010000020300000221020101013000010002030661637475616c1203046d61696e1202047368696d12000713026a010701054001077265717565737403000806500300000102156765742d637573746f6d2d6a77742d636c61696d73000001020c636162695f7265616c6c6f63000001021f636162695f706f73745f6765742d637573746f6d2d6a77742d636c61696d73080d010000020403000403000504090b1b0100156765742d637573746f6d2d6a77742d636c61696d73010100008d050e636f6d706f6e656e742d6e616d6501a101000005002a696e6469726563742d636c61696d736d6974683a706c7567696e2f6c6f6740312e302e302d7772697465012a696e6469726563742d636c61696d736d6974683a706c7567696e2f6c6f6740312e302e302d777269746502156765742d637573746f6d2d6a77742d636c61696d73030c636162695f7265616c6c6f63041f636162695f706f73745f6765742d637573746f6d2d6a77742d636c61696d73010b00020100066d656d6f7279013900110300046d61696e01197769742d636f6d706f6e656e742d7368696d2d6d6f64756c6502137769742d636f6d706f6e656e742d66697875700152001205001b7769742d636f6d706f6e656e742d7368696d2d696e7374616e6365011b636c61696d736d6974683a706c7567696e2f6c6f6740312e302e3002046d61696e030661637475616c04056669787570013e0502001b636c61696d736d6974683a706c7567696e2f6c6f6740312e302e30011d636c61696d736d6974683a706c7567696e2f747970657340312e302e30013701030005777269746501156765742d637573746f6d2d6a77742d636c61696d7302156765742d637573746f6d2d6a77742d636c61696d730182010308001e74792d636c61696d736d6974683a706c7567696e2f6c6f6740312e302e30012074792d636c61696d736d6974683a706c7567696e2f747970657340312e302e30020e636c61696d732d72657175657374030e636c61696d732d7265717565737404076661696c75726505076661696c75726506046a736f6e07046a736f6e013e0502001b636c61696d736d6974683a706c7567696e2f6c6f6740312e302e30011d636c61696d736d6974683a706c7567696e2f747970657340312e302e30002f0970726f647563657273010c70726f6365737365642d6279010d7769742d636f6d706f6e656e7407302e3235382e33', 5324, '{"kind": "claims", "world": "claimsmith:plugin/claims", "imports": ["claimsmith:plugin/log", "claimsmith:plugin/types"]}', NULL, NULL, 'kjn1kusbnhfte8vvoygdn', 1795437654786);
INSERT INTO public.plugins VALUES ('jwt-access-token', '{"order": 0, "limits": {"memory_mib": null, "output_kib": null, "deadline_ms": null}, "enabled": true, "secrets": {}, "on_error": "skip", "resources": null, "environment": {"REGION": "eu"}, "grant_types": null, "token_kinds": ["access-token"], "applications": null, "capabilities": {}}', NULL, 1, 1, 1, '{"script": "const getCustomJwtClaims = async ({ context, environmentVariables }) => ({\n  ticket: context.grant?.subjectTokenContext?.ticketId ?? null, region: environmentVariables.REGION,\n});", "environmentVariables": {"REGION": "eu"}}', 1795437654381, 1795437654381);
INSERT INTO public.plugins VALUES ('ticket', '{}', NULL, NULL, 1, 1, NULL, 1795437654786, 1795437654786);
INSERT INTO public.refresh_tokens VALUES ('0baa854e4046531bb9a099a56f329bd49b2bbf522d1ebdb3779763a0b2e36a6f', '8a4840wtf9f58a89neag7', '1lx09bd0qzqw', 'edj2m9qewtduwhfpsbj5w', '{"amr": ["pwd"], "nonce": null, "scope": ["openid", "offline_access"], "authTime": 1795437655, "consented": null, "resources": [], "sessionId": "uuamrk61egwo9a2aiol1y", "redirectUri": "https://shop.example.com/callback", "codeChallenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "resourceScope": []}', 'bj0z3khot5a0oh864204o', true, NULL, 1795437655657, 1796647255648, NULL, NULL);
INSERT INTO public.resources VALUES ('cjdmid6zepiqjbb560zr6', 'Claimsmith Management API', 'http://127.0.0.1:3001/api', false, 3600, 1795437648208);
INSERT INTO public.resources VALUES ('h05mspua37u89l3oyr5mx', 'Example API', 'https://api.example.com', false, 3600, 1795437648208);
INSERT INTO public.resources VALUES ('runja0wuewj3sk49y73jl', 'Shop', 'https://shop.example.com/api', false, 3600, 1795437650028);
INSERT INTO public.revisions VALUES ('plugin_logs', 0);
INSERT INTO public.revisions VALUES ('authorization', 6);
INSERT INTO public.revisions VALUES ('plugins', 2);
INSERT INTO public.role_scopes VALUES ('6nck4eguerel9ysik43vl', '4pw93y8s6ckvcvusxxc3u');
INSERT INTO public.role_scopes VALUES ('i1shyktw68f7j0f7vx3xh', '4ke1na4c3uv1heiiu1s0s');
INSERT INTO public.role_scopes VALUES ('i1shyktw68f7j0f7vx3xh', 'nn7zo6gkjgaoy2o3z2u3g');
INSERT INTO public.role_scopes VALUES ('mmtx7fnjgdh71dgvjwgue', '4ke1na4c3uv1heiiu1s0s');
INSERT INTO public.role_scopes VALUES ('nr77gxt3bw9lol87yorhp', 'hiyj2sd70moqyg3li29e5');
INSERT INTO public.roles VALUES ('6nck4eguerel9ysik43vl', 'Management API access', 'Management API access', 'MachineToMachine', false, 1795437648208, 'management api access', 'management api access');
INSERT INTO public.roles VALUES ('i1shyktw68f7j0f7vx3xh', 'customer', 'customer', 'User', false, 1795437648208, 'customer', 'customer');
INSERT INTO public.roles VALUES ('mmtx7fnjgdh71dgvjwgue', 'support-engineer', 'support-engineer', 'User', false, 1795437648208, 'support-engineer', 'support-engineer');
INSERT INTO public.roles VALUES ('nr77gxt3bw9lol87yorhp', 'shopper', 'Shops', 'User', false, 1795437650099, 'shopper', 'shops');
INSERT INTO public.scopes VALUES ('4pw93y8s6ckvcvusxxc3u', 'cjdmid6zepiqjbb560zr6', 'all', 'Everything the Management API offers.', 1795437648208, 'all', 'everything the management api offers.');
INSERT INTO public.scopes VALUES ('ascrtffm613roeyobgkgw', 'cjdmid6zepiqjbb560zr6', 'users:read', 'Read users and their roles.', 1795437648208, 'users:read', 'read users and their roles.');
INSERT INTO public.scopes VALUES ('ia5ofxpki177g0evov1ud', 'cjdmid6zepiqjbb560zr6', 'users:write', 'Create, change and delete users.', 1795437648208, 'users:write', 'create, change and delete users.');
INSERT INTO public.scopes VALUES ('m7xgmfds05kb2wllvpahh', 'cjdmid6zepiqjbb560zr6', 'roles:read', 'Read roles.', 1795437648208, 'roles:read', 'read roles.');
INSERT INTO public.scopes VALUES ('67x7go2duf0qyt23q51gb', 'cjdmid6zepiqjbb560zr6', 'roles:write', 'Create, change and delete roles, and assign them.', 1795437648208, 'roles:write', 'create, change and delete roles, and assign them.');
INSERT INTO public.scopes VALUES ('z3sek24alpq1sb0pn4hlc', 'cjdmid6zepiqjbb560zr6', 'resources:read', 'Read API resources and their scopes.', 1795437648208, 'resources:read', 'read api resources and their scopes.');
INSERT INTO public.scopes VALUES ('n0xulji6c6cp9bf9zq4sc', 'cjdmid6zepiqjbb560zr6', 'resources:write', 'Create, change and delete API resources and their scopes.', 1795437648208, 'resources:write', 'create, change and delete api resources and their scopes.');
INSERT INTO public.scopes VALUES ('ve2mb3zv7rpmtft7mqfvs', 'cjdmid6zepiqjbb560zr6', 'applications:read', 'Read applications.', 1795437648208, 'applications:read', 'read applications.');
INSERT INTO public.scopes VALUES ('juw7m9v6v1c4jn5byqq25', 'cjdmid6zepiqjbb560zr6', 'applications:write', 'Create, change and delete applications and their secrets.', 1795437648208, 'applications:write', 'create, change and delete applications and their secrets.');
INSERT INTO public.scopes VALUES ('eir3z0h0b5dph7xjpcjbr', 'cjdmid6zepiqjbb560zr6', 'organizations:read', 'Read organizations, their members, roles, scopes and invitations.', 1795437648208, 'organizations:read', 'read organizations, their members, roles, scopes and invitations.');
INSERT INTO public.scopes VALUES ('m4po8low7q91mgjlus2rb', 'cjdmid6zepiqjbb560zr6', 'organizations:write', 'Create, change and delete organizations, their members, roles, scopes and invitations.', 1795437648208, 'organizations:write', 'create, change and delete organizations, their members, roles, scopes and invitations.');
INSERT INTO public.scopes VALUES ('yz71y0azjkrn9wstdfa6y', 'cjdmid6zepiqjbb560zr6', 'hooks:read', 'Read webhooks and their deliveries.', 1795437648208, 'hooks:read', 'read webhooks and their deliveries.');
INSERT INTO public.scopes VALUES ('qkb8v8a3lebqp5z6s40s5', 'cjdmid6zepiqjbb560zr6', 'hooks:write', 'Create, change and delete webhooks.', 1795437648208, 'hooks:write', 'create, change and delete webhooks.');
INSERT INTO public.scopes VALUES ('5296ozlsgsjabksf2i354', 'cjdmid6zepiqjbb560zr6', 'configs:read', 'Read the configuration kept in the database, such as signing keys.', 1795437648208, 'configs:read', 'read the configuration kept in the database, such as signing keys.');
INSERT INTO public.scopes VALUES ('uqvow9yinc0o8wrfo9st0', 'cjdmid6zepiqjbb560zr6', 'configs:write', 'Change the configuration kept in the database, such as signing keys.', 1795437648208, 'configs:write', 'change the configuration kept in the database, such as signing keys.');
INSERT INTO public.scopes VALUES ('dpq7fqpkncr8idc4a3fhi', 'cjdmid6zepiqjbb560zr6', 'logs:read', 'Read the audit log and the dashboard.', 1795437648208, 'logs:read', 'read the audit log and the dashboard.');
INSERT INTO public.scopes VALUES ('20k7dg9r3setbntfhq0p1', 'cjdmid6zepiqjbb560zr6', 'subject-tokens:read', 'Read which subject tokens are live, and who acted for whom.', 1795437648208, 'subject-tokens:read', 'read which subject tokens are live, and who acted for whom.');
INSERT INTO public.scopes VALUES ('86vn37903f62shzh75dbg', 'cjdmid6zepiqjbb560zr6', 'subject-tokens:write', 'Ask for subject tokens, revoke them, and end impersonations.', 1795437648208, 'subject-tokens:write', 'ask for subject tokens, revoke them, and end impersonations.');
INSERT INTO public.scopes VALUES ('0d7hykql3jzabd9guhnff', 'cjdmid6zepiqjbb560zr6', 'plugins:read', 'Read the state of plugins.', 1795437648208, 'plugins:read', 'read the state of plugins.');
INSERT INTO public.scopes VALUES ('o4s3qdgl8joo3cmojqg2j', 'cjdmid6zepiqjbb560zr6', 'plugins:write', 'Upload, change and delete plugins.', 1795437648208, 'plugins:write', 'upload, change and delete plugins.');
INSERT INTO public.scopes VALUES ('r8eu4n41oe9rh5kkks6y4', 'cjdmid6zepiqjbb560zr6', 'plugins:secrets', 'Run tests of plugins with their secrets.', 1795437648208, 'plugins:secrets', 'run tests of plugins with their secrets.');
INSERT INTO public.scopes VALUES ('amjpi89o0xmc95l685q79', 'cjdmid6zepiqjbb560zr6', 'plugins:grant', 'Grant plugins what they ask to reach.', 1795437648208, 'plugins:grant', 'grant plugins what they ask to reach.');
INSERT INTO public.scopes VALUES ('4ke1na4c3uv1heiiu1s0s', 'h05mspua37u89l3oyr5mx', 'resource:read', 'Read what belongs to the user.', 1795437648208, 'resource:read', 'read what belongs to the user.');
INSERT INTO public.scopes VALUES ('nn7zo6gkjgaoy2o3z2u3g', 'h05mspua37u89l3oyr5mx', 'resource:write', 'Change what belongs to the user.', 1795437648208, 'resource:write', 'change what belongs to the user.');
INSERT INTO public.scopes VALUES ('hiyj2sd70moqyg3li29e5', 'runja0wuewj3sk49y73jl', 'read:carts', 'Read carts', 1795437650057, 'read:carts', 'read carts');
INSERT INTO public.sessions VALUES ('uuamrk61egwo9a2aiol1y', 'c13a8e927934c970a090a94e75bd3ff25b4f7971e4f3250f2daff5fecbc5429a', '1lx09bd0qzqw', '{"ip": "127.0.0.1", "amr": ["pwd"], "userAgent": "Python-urllib/3.11"}', 1795437655586, 1795437655635, 1796647255586);
INSERT INTO public.settings VALUES ('bootstrap', '1');
INSERT INTO public.settings VALUES ('demo', '1');
INSERT INTO public.settings VALUES ('demo.client', 'knbwk4fbnywc5u6t9bs6s');
INSERT INTO public.settings VALUES ('demo.backend', 'kjn1kusbnhfte8vvoygdn');
INSERT INTO public.settings VALUES ('demo.customer', 'vpjmty8v6kb3');
INSERT INTO public.settings VALUES ('demo.resource', 'https://api.example.com');
INSERT INTO public.sign_in_attempts VALUES ('5cb01652e9d4c3a822628b8cb5cad545ebe438dfbcb8533942aea3079556bb53', 0, 1795441255471);
INSERT INTO public.sign_in_experiences VALUES ('default', '{"mfa": {"policy": "UserControlled", "factors": []}, "color": {"primaryColor": "#0f766e", "darkPrimaryColor": "#818cf8", "isDarkModeEnabled": true}, "signIn": {"methods": [{"password": true, "identifier": "username", "verificationCode": false, "isPasswordPrimary": true}]}, "signUp": {"verify": false, "password": true, "identifiers": ["username"]}, "branding": {}, "customCss": null, "signInMode": "SignInAndRegister", "adaptiveMfa": {}, "languageInfo": {"autoDetect": true, "fallbackLanguage": "en"}, "socialSignIn": {}, "supportEmail": null, "captchaPolicy": {}, "passkeySignIn": {}, "termsOfUseUrl": null, "passwordPolicy": {}, "sentinelPolicy": {}, "usernamePolicy": {"maxLength": 128, "minLength": 1, "allowedChars": {"numbers": true, "lowercase": true, "uppercase": true, "underscore": true}, "caseSensitive": false}, "privacyPolicyUrl": null, "supportWebsiteUrl": null, "agreeToTermsPolicy": "Automatic", "passwordExpiration": {}, "signUpProfileFields": null, "singleSignOnEnabled": false, "emailBlocklistPolicy": {}, "forgotPasswordMethods": null, "verificationCodePolicy": {}, "unknownSessionRedirectUrl": null, "socialSignInConnectorTargets": []}');
INSERT INTO public.signing_keys VALUES ('_OtZjJVF6yQzvqSdDYUVpeQWBFpyj0m9ZxdFiUV9M8I', 'ES256', '{"x": "KnbhLvpTHDyr_Ple6vth-QRFEJ8Y-EhbRATfD8Ul2cE", "y": "ck1wswKz659TFiVLdlrzY0ihztyn903b1wyRlCVDQUw", "alg": "ES256", "crv": "P-256", "kid": "_OtZjJVF6yQzvqSdDYUVpeQWBFpyj0m9ZxdFiUV9M8I", "kty": "EC", "use": "sig"}', 'QBcjAupaTdQcA2trYcFteZLd7n6LP0EJjq+ArNtG1XpHMEGHsNcZqJciO4SlvdBNA48HM1RhafwOkBkQQPTYHf+ePK8TTQeCpIjztcnR32QiwbX+VfR7MhLiB754JGzSZuxdhj10IQ5pnBgboC+Ks/ttx66ClPc5vZ4zk9RFB6/FD1BXK7dM8d4YSlHOYdAOW2PgegCtEf/5mzniOyfApcCuvdT3Er/DjQk=', 1795437648208, 1795437648208, NULL);
INSERT INTO public.signing_keys VALUES ('KPK75I6mr15NhUGY-55QnnH2cGKeFkGc-ht_RcLWNDc', 'RS256', '{"e": "AQAB", "n": "8QpxeSFJL-HzBtjQaUUMhXIh4lZ5i2AIdLbEw96a4ToieIpG5ABdbtU4pPsJHLDHHATlJuGBFIrTL9DMJXXRoyi2uA16uRK6FuvrM70Kl-TLQhXXH6j_4vkm_V3BDlAgEzXOAcF1Y-fy5Ta4NKbe4GCAw8izjRuXyqOtPRglghKcahuey6JK0m8ef-OL6tG3GrFII1xCZZFCQ_mz0bygY1GKG4VtmwJZa-X5hcFpCdXrK6hy48LUhfIYreJtSHZk1OLiKf7zFy2X6xv_MsOZpUEKNSBiXaiGv1ek0y5Wx3z9kMwf5AhMrL-9DTcNY7FUJVTbfgwZDY6kHqi00Mx-Xw", "alg": "RS256", "kid": "KPK75I6mr15NhUGY-55QnnH2cGKeFkGc-ht_RcLWNDc", "kty": "RSA", "use": "sig"}', 'QBcjAqG5JrQ55ILg8habOGn9roq4pkouGxGUZ7VMybZz/6MqWuXBy0Ikcu44cXhnyHPilG0kZtaOz4N6larj+skTGINz2o86zaIjJEyYg1ojPqlUDmI1Bn0IxRmuAjPXDce+HW5dLd6dE6YZE5/KjF2WAyUqFtD9MppmYfyqlN5lmDazGfUgEoQQJv6vxe4pj6YTWvglRIuWItvvsZ3cEKiNpixvT1yWMov3Nl13X6r5HR9VfhK/SiS9GsGRvAvFFKZJlAKP3K7y5oNwZo+qIKmAdmImANUAP3UGKestmRTfa8we0EdN6p9e1XeDNekxQMI3UxRI3dGMSfa10kAqIDDAawm3Q2szsnlIp2QaNDyFQagha4fVGi/jDdrl5IdxfOQf4dv+MQFoQhXoZz94OEnQbLzsNyrDAVjXbGWzlvID5FZagVDpd0a9AFKLCBd5WcaToJpeci4dYnvVtR1j+JUyNOVlkeHCTio0rArxYa1AJ7OQr1L7NUJlxNTd+SaidNq+kFfNLqTSZlr8s8PtzV1E22+agVobrGtTN4ZqhfZMlXpW235/sE67VXnHOxRAE/JSZRHX5rtzQUXfbFaHrvtC3BgCG/SFlRhcGTb7JfuzZRjDHLX6IHgACSqgi+GxfTFUIPbPtAgiEZewWHvQu4oG3S/FKGx/pEpx1OrcxHtlif2TOHcslyWea4Qn0JXQ0n7X/XJpzBD5UQGwlw4rFNwInPOfdlqLU0KS72Ld+FPnK6Wb1VeplzRR/aMSYlz/0fvNU24aVcen5chbWVI/g+G74WExFpt4HiJ5XRbGlhi8GZJrNc/UyKipWkUW9UbVDQhhGpxg0ot5I3EFIUI1vNHRShvORQBejy2E+EUC78Wxvie7SVR8CKvrN87FVK5yFKFyKhLfIjXz12ff2pxDe1ZC2wKzC6nusi2L0OcBKcdzo/t7mOPw3UNXoxSgkZ/bafPaTjWCqZgercO7DC8Azb/spBboXHGGXE/ncjHgjSuIowjk1/9lKiZokwXPpwLrNbyf+92WsMheWINROh+iYuOqYZmn6bF9Yo8I5oh/WW1YT1UPdEftPHPp6JtYJYF4YBjdkjjztpXSObsqrR8VNF/m0JlIMzMoOrHxWAr/FmGaa7A7dNwWgXK43CCqxF1Xp/V+tpWW6ef63jzAl3Z0BAMn74SrlZQGp34NY8f1xFq5K1RxAZxjOJ+nNKAcqPdu6LRslyNOvse7kqZYkRy+bR+QKkc5dAFvbzuc99o8iqN8CiR7X0584+DBrHkYh7kfoC+j1isy247K6ZFR4jnYJapsv4PMXP0XIXmH6V9pJXDmfvQ4fGh/uHLiq7H8qsnzxESF4arFHJ9iz/PPW/7ev65y4R3Bn/Q0UWjc7EIJCNyDeBIbr8EIa0dg+InzGsictzMCIgPOXNIsEMdIEa5uZwF2YQT7JzygZABMD1FylBldgq8cAniJiCKIcSzxT7AgkGEUtiRAY4lzq40AU4lj9kMY6wsjugSeK9IqUWRv8ZmKlVL3r2+5QkM5kT4xz/LY4fWZ4DI7zFOPqclyS0j/Rq6Z6Js2T+McMafUU1PfcQAg9LF5oZE84LFV1X0VPLKb7MJPYknDqTgHSYezKqaz0c82ZqqtieC9M2+Kb7Yyg0Vv7RcyS99jB4xZKkEDxC5KCIU=', 1795437648208, 1795437648208, NULL);
INSERT INTO public.subject_tokens VALUES ('mwt980v9mt384mk5pdwlb', '67f1991d702fd1531dadbc23db031fa9bb860a7ac0c23e7066e456f7dae16064', 'vpjmty8v6kb3', '{"reason": "a stuck order", "ticketId": "TECH-1234"}', 'kjn1kusbnhfte8vvoygdn', 1795437654885, 1795438254885, NULL);
INSERT INTO public.subject_tokens VALUES ('mwt980umhxjrp95hzmf9x', '27447bf3434ce919503de18f22ef0a76fb049f0213d601586029a76b38f36ec0', 'vpjmty8v6kb3', '{"reason": "a stuck order", "ticketId": "TECH-1234"}', 'kjn1kusbnhfte8vvoygdn', 1795437654862, 1795438254862, 1795437654919);
INSERT INTO public.totals VALUES ('users', 1, 0);
INSERT INTO public.totals VALUES ('users', 2, 0);
INSERT INTO public.totals VALUES ('users', 3, 0);
INSERT INTO public.totals VALUES ('users', 4, 0);
INSERT INTO public.totals VALUES ('users', 6, 0);
INSERT INTO public.totals VALUES ('users', 7, 0);
INSERT INTO public.totals VALUES ('users', 8, 0);
INSERT INTO public.totals VALUES ('users', 9, 0);
INSERT INTO public.totals VALUES ('users', 10, 0);
INSERT INTO public.totals VALUES ('users', 11, 0);
INSERT INTO public.totals VALUES ('users', 12, 0);
INSERT INTO public.totals VALUES ('users', 13, 0);
INSERT INTO public.totals VALUES ('users', 14, 0);
INSERT INTO public.totals VALUES ('users', 15, 0);
INSERT INTO public.totals VALUES ('users', 0, 0);
INSERT INTO public.totals VALUES ('users', 5, 3);
INSERT INTO public.user_blocks VALUES (0, 5, 3);
INSERT INTO public.user_roles VALUES ('vpjmty8v6kb3', 'i1shyktw68f7j0f7vx3xh');
INSERT INTO public.user_roles VALUES ('8z48rggoae8z', 'mmtx7fnjgdh71dgvjwgue');
INSERT INTO public.user_roles VALUES ('1lx09bd0qzqw', 'nr77gxt3bw9lol87yorhp');
INSERT INTO public.users VALUES ('8z48rggoae8z', 'engineer', 'engineer@example.com', NULL, '$argon2id$v=19$m=19456,t=2,p=1$waujxpuT5k/5G5eM5vpd/w$rIhcX4QP8WDAYzq8tKjRdnX4PZo623Nspad6gG+mvMM', 'Argon2id', 'Erin Engineer', NULL, '{}', '{}', '{}', NULL, false, NULL, 1795437648208, 1795437648208, 2, 'engineer', 'engineer@example.com', 'erin engineer', 2, '{}');
INSERT INTO public.users VALUES ('vpjmty8v6kb3', 'customer', 'customer@example.com', NULL, '$argon2id$v=19$m=19456,t=2,p=1$QmHnUFfQEmMkMvI9e1IftA$kPqg4zLtSuGunfvWf7+yW5DSbS4FTUtDuNuQB8dh910', 'Argon2id', 'Casey Customer', NULL, '{}', '{}', '{}', NULL, false, NULL, 1795437648208, 1795437649894, 3, 'customer', 'customer@example.com', 'casey customer', 1, '{}');
INSERT INTO public.users VALUES ('1lx09bd0qzqw', 'keeper', 'keeper@example.com', NULL, '$argon2id$v=19$m=19456,t=2,p=1$g310VjZ4cduqQ/r7/hbztg$9cn1l8/ecu0p22s3ZF/P93rtB1vSPJii6KXRpZd9jg0', 'Argon2id', 'Ada Lövelace', NULL, '{"tier": "gold"}', '{}', '{"nickname": "Ada"}', NULL, false, 1795437655586, 1795437650013, 1795437650013, 4, 'keeper', 'keeper@example.com', 'ada lövelace', 3, '{}');
SELECT pg_catalog.setval('public.ordered_deliveries_seq_seq', 2, true);
SELECT pg_catalog.setval('public.plugin_logs_id_seq', 1, false);
SELECT pg_catalog.setval('public.user_places', 3, true);
ALTER TABLE ONLY public._sqlx_migrations
    ADD CONSTRAINT _sqlx_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.active_days
    ADD CONSTRAINT active_days_pkey PRIMARY KEY (day, user_id);
ALTER TABLE ONLY public.application_roles
    ADD CONSTRAINT application_roles_pkey PRIMARY KEY (application_id, role_id);
ALTER TABLE ONLY public.application_secrets
    ADD CONSTRAINT application_secrets_pkey PRIMARY KEY (application_id, name);
ALTER TABLE ONLY public.application_sign_in_experiences
    ADD CONSTRAINT application_sign_in_experiences_pkey PRIMARY KEY (application_id);
ALTER TABLE ONLY public.applications
    ADD CONSTRAINT applications_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.authorization_changes
    ADD CONSTRAINT authorization_changes_pkey PRIMARY KEY (revision, kind, id);
ALTER TABLE ONLY public.authorization_codes
    ADD CONSTRAINT authorization_codes_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.custom_phrases
    ADD CONSTRAINT custom_phrases_pkey PRIMARY KEY (language_tag);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.hook_statistics
    ADD CONSTRAINT hook_statistics_pkey PRIMARY KEY (hook_id, minute);
ALTER TABLE ONLY public.hooks
    ADD CONSTRAINT hooks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.interactions
    ADD CONSTRAINT interactions_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.interactions
    ADD CONSTRAINT interactions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.issuances
    ADD CONSTRAINT issuances_opaque_hash_key UNIQUE (opaque_hash);
ALTER TABLE ONLY public.issuances
    ADD CONSTRAINT issuances_pkey PRIMARY KEY (jti);
ALTER TABLE ONLY public.logs
    ADD CONSTRAINT logs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mfa_factors
    ADD CONSTRAINT mfa_factors_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mfa_factors
    ADD CONSTRAINT mfa_factors_user_id_type_key UNIQUE (user_id, type);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT ordered_deliveries_id_key UNIQUE (id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT ordered_deliveries_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.organization_application_roles
    ADD CONSTRAINT organization_application_roles_pkey PRIMARY KEY (organization_id, application_id, organization_role_id);
ALTER TABLE ONLY public.organization_applications
    ADD CONSTRAINT organization_applications_pkey PRIMARY KEY (organization_id, application_id);
ALTER TABLE ONLY public.organization_invitation_roles
    ADD CONSTRAINT organization_invitation_roles_pkey PRIMARY KEY (invitation_id, organization_role_id);
ALTER TABLE ONLY public.organization_invitations
    ADD CONSTRAINT organization_invitations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.organization_jit_email_domains
    ADD CONSTRAINT organization_jit_email_domains_pkey PRIMARY KEY (organization_id, email_domain);
ALTER TABLE ONLY public.organization_jit_roles
    ADD CONSTRAINT organization_jit_roles_pkey PRIMARY KEY (organization_id, organization_role_id);
ALTER TABLE ONLY public.organization_role_resource_scopes
    ADD CONSTRAINT organization_role_resource_scopes_pkey PRIMARY KEY (organization_role_id, scope_id);
ALTER TABLE ONLY public.organization_role_scopes
    ADD CONSTRAINT organization_role_scopes_pkey PRIMARY KEY (organization_role_id, organization_scope_id);
ALTER TABLE ONLY public.organization_roles
    ADD CONSTRAINT organization_roles_name_key UNIQUE (name);
ALTER TABLE ONLY public.organization_roles
    ADD CONSTRAINT organization_roles_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.organization_scopes
    ADD CONSTRAINT organization_scopes_name_key UNIQUE (name);
ALTER TABLE ONLY public.organization_scopes
    ADD CONSTRAINT organization_scopes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.organization_user_roles
    ADD CONSTRAINT organization_user_roles_pkey PRIMARY KEY (organization_id, user_id, organization_role_id);
ALTER TABLE ONLY public.organization_users
    ADD CONSTRAINT organization_users_pkey PRIMARY KEY (organization_id, user_id);
ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.personal_access_tokens
    ADD CONSTRAINT personal_access_tokens_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.personal_access_tokens
    ADD CONSTRAINT personal_access_tokens_pkey PRIMARY KEY (user_id, name);
ALTER TABLE ONLY public.plugin_logs
    ADD CONSTRAINT plugin_logs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.plugin_secrets
    ADD CONSTRAINT plugin_secrets_pkey PRIMARY KEY (plugin_name, name);
ALTER TABLE ONLY public.plugin_versions
    ADD CONSTRAINT plugin_versions_pkey PRIMARY KEY (plugin_name, id);
ALTER TABLE ONLY public.plugins
    ADD CONSTRAINT plugins_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.pushed_requests
    ADD CONSTRAINT pushed_requests_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.resources
    ADD CONSTRAINT resources_indicator_key UNIQUE (indicator);
ALTER TABLE ONLY public.resources
    ADD CONSTRAINT resources_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.revisions
    ADD CONSTRAINT revisions_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.role_scopes
    ADD CONSTRAINT role_scopes_pkey PRIMARY KEY (role_id, scope_id);
ALTER TABLE ONLY public.roles
    ADD CONSTRAINT roles_name_key UNIQUE (name);
ALTER TABLE ONLY public.roles
    ADD CONSTRAINT roles_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.scopes
    ADD CONSTRAINT scopes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.scopes
    ADD CONSTRAINT scopes_resource_id_name_key UNIQUE (resource_id, name);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.sign_in_experiences
    ADD CONSTRAINT sign_in_experiences_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);
ALTER TABLE ONLY public.subject_tokens
    ADD CONSTRAINT subject_tokens_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.subject_tokens
    ADD CONSTRAINT subject_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.totals
    ADD CONSTRAINT totals_pkey PRIMARY KEY (name, slot);
ALTER TABLE ONLY public.user_blocks
    ADD CONSTRAINT user_blocks_pkey PRIMARY KEY (block, slot);
ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT user_identities_pkey PRIMARY KEY (target, external_id);
ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT user_identities_user_id_target_key UNIQUE (user_id, target);
ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_pkey PRIMARY KEY (user_id, role_id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_primary_email_key UNIQUE (primary_email);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_primary_phone_key UNIQUE (primary_phone);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_username_key UNIQUE (username);
CREATE INDEX application_roles_by_role ON public.application_roles USING btree (role_id);
CREATE INDEX applications_by_creation ON public.applications USING btree (created_at DESC, id);
CREATE INDEX applications_by_name_key ON public.applications USING btree (name_key text_pattern_ops);
CREATE INDEX attempts_by_delivery ON public.attempts USING btree (delivery_id, started_at);
CREATE INDEX attempts_by_hook ON public.attempts USING btree (hook_id, started_at DESC, id DESC);
CREATE INDEX authorization_codes_by_expiry ON public.authorization_codes USING btree (expires_at);
CREATE INDEX authorization_codes_by_grant ON public.authorization_codes USING btree (grant_id);
CREATE INDEX authorization_codes_by_user ON public.authorization_codes USING btree (user_id);
CREATE INDEX deliveries_by_event ON public.deliveries USING btree (event_id);
CREATE INDEX deliveries_by_hook ON public.deliveries USING btree (hook_id, seq);
CREATE INDEX deliveries_by_state ON public.deliveries USING btree (hook_id, state, seq);
CREATE INDEX deliveries_claimed ON public.deliveries USING btree (hook_id, claim) WHERE (claim IS NOT NULL);
CREATE INDEX deliveries_due ON public.deliveries USING btree (hook_id, due_at, seq) WHERE (due_at IS NOT NULL);
CREATE INDEX deliveries_finished ON public.deliveries USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX deliveries_in_order ON public.deliveries USING btree (hook_id, entity, seq) WHERE ((due_at IS NOT NULL) AND (entity IS NOT NULL));
CREATE INDEX events_by_creation ON public.events USING btree (created_at);
CREATE INDEX grants_by_application ON public.grants USING btree (application_id);
CREATE INDEX grants_by_expiry ON public.grants USING btree (expires_at);
CREATE INDEX grants_by_session ON public.grants USING btree (session_id);
CREATE INDEX grants_by_user ON public.grants USING btree (user_id, application_id);
CREATE INDEX hooks_by_creation ON public.hooks USING btree (created_at DESC, id);
CREATE INDEX impersonations_by_actor ON public.issuances USING btree (actor_id, created_at) WHERE (actor_id IS NOT NULL);
CREATE INDEX impersonations_by_creation ON public.issuances USING btree (created_at, application_id) WHERE (exchanged = true);
CREATE INDEX interactions_by_expiry ON public.interactions USING btree (expires_at);
CREATE INDEX issuances_by_expiry ON public.issuances USING btree (expires_at);
CREATE INDEX issuances_by_grant ON public.issuances USING btree (grant_id);
CREATE INDEX issuances_by_use ON public.issuances USING btree (created_at, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX issuances_by_user ON public.issuances USING btree (user_id);
CREATE INDEX logs_by_application ON public.logs USING btree (application_id, created_at) WHERE ((application_id IS NOT NULL) AND (substr(key, 1, 12) <> 'TriggerHook.'::text));
CREATE INDEX logs_by_creation ON public.logs USING btree (created_at) WHERE (substr(key, 1, 12) <> 'TriggerHook.'::text);
CREATE INDEX logs_by_key ON public.logs USING btree (key, created_at);
CREATE INDEX logs_by_user ON public.logs USING btree (user_id, created_at) WHERE ((user_id IS NOT NULL) AND (substr(key, 1, 12) <> 'TriggerHook.'::text));
CREATE INDEX organization_application_roles_by_role ON public.organization_application_roles USING btree (organization_role_id);
CREATE INDEX organization_applications_by_application ON public.organization_applications USING btree (application_id);
CREATE INDEX organization_invitation_roles_by_role ON public.organization_invitation_roles USING btree (organization_role_id);
CREATE INDEX organization_invitations_by_accepted_user ON public.organization_invitations USING btree (accepted_user_id);
CREATE INDEX organization_invitations_by_invitee ON public.organization_invitations USING btree (invitee);
CREATE INDEX organization_invitations_by_inviter ON public.organization_invitations USING btree (inviter_id);
CREATE INDEX organization_invitations_by_organization ON public.organization_invitations USING btree (organization_id);
CREATE UNIQUE INDEX organization_invitations_pending ON public.organization_invitations USING btree (organization_id, invitee) WHERE (status = 'Pending'::text);
CREATE INDEX organization_jit_email_domains_by_domain ON public.organization_jit_email_domains USING btree (email_domain);
CREATE INDEX organization_jit_roles_by_role ON public.organization_jit_roles USING btree (organization_role_id);
CREATE INDEX organization_role_resource_scopes_by_scope ON public.organization_role_resource_scopes USING btree (scope_id);
CREATE INDEX organization_role_scopes_by_scope ON public.organization_role_scopes USING btree (organization_scope_id);
CREATE INDEX organization_user_roles_by_role ON public.organization_user_roles USING btree (organization_role_id);
CREATE INDEX organization_user_roles_by_user ON public.organization_user_roles USING btree (user_id);
CREATE INDEX organization_users_by_user ON public.organization_users USING btree (user_id);
CREATE INDEX organizations_by_creation ON public.organizations USING btree (created_at DESC, id);
CREATE INDEX plugin_logs_by_creation ON public.plugin_logs USING btree (created_at);
CREATE INDEX plugin_logs_by_plugin ON public.plugin_logs USING btree (plugin_name, id);
CREATE INDEX pushed_requests_by_application ON public.pushed_requests USING btree (application_id);
CREATE INDEX pushed_requests_by_expiry ON public.pushed_requests USING btree (expires_at);
CREATE INDEX refresh_tokens_by_expiry ON public.refresh_tokens USING btree (expires_at);
CREATE INDEX refresh_tokens_by_family ON public.refresh_tokens USING btree (family_id);
CREATE INDEX refresh_tokens_by_grant ON public.refresh_tokens USING btree (grant_id);
CREATE INDEX refresh_tokens_by_parent ON public.refresh_tokens USING btree (parent_hash);
CREATE INDEX refresh_tokens_by_user ON public.refresh_tokens USING btree (user_id);
CREATE UNIQUE INDEX resources_default ON public.resources USING btree (is_default) WHERE is_default;
CREATE INDEX role_scopes_by_scope ON public.role_scopes USING btree (scope_id);
CREATE INDEX roles_by_name_key ON public.roles USING btree (name_key text_pattern_ops);
CREATE INDEX scopes_by_name_key ON public.scopes USING btree (name_key text_pattern_ops);
CREATE INDEX sessions_by_browser ON public.sessions USING btree (browser_hash);
CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);
CREATE INDEX sign_in_attempts_by_expiry ON public.sign_in_attempts USING btree (expires_at);
CREATE INDEX subject_tokens_by_creation ON public.subject_tokens USING btree (created_at);
CREATE INDEX subject_tokens_by_expiry ON public.subject_tokens USING btree (expires_at);
CREATE INDEX subject_tokens_by_user ON public.subject_tokens USING btree (user_id);
CREATE INDEX user_roles_by_role ON public.user_roles USING btree (role_id, user_id);
CREATE INDEX users_by_creation ON public.users USING btree (created_at DESC, id);
CREATE UNIQUE INDEX users_by_email_key ON public.users USING btree (email_key text_pattern_ops);
CREATE INDEX users_by_id_pattern ON public.users USING btree (id text_pattern_ops);
CREATE INDEX users_by_name_key ON public.users USING btree (name_key text_pattern_ops);
CREATE INDEX users_by_phone_pattern ON public.users USING btree (primary_phone text_pattern_ops);
CREATE UNIQUE INDEX users_by_place ON public.users USING btree (place);
CREATE UNIQUE INDEX users_by_username_key ON public.users USING btree (username_key text_pattern_ops);
CREATE TRIGGER users_added AFTER INSERT ON public.users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_users();
CREATE TRIGGER users_removed AFTER DELETE ON public.users REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_users();
ALTER TABLE ONLY public.application_roles
    ADD CONSTRAINT application_roles_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_roles
    ADD CONSTRAINT application_roles_role_id_fkey FOREIGN KEY (role_id) REFERENCES public.roles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_secrets
    ADD CONSTRAINT application_secrets_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_sign_in_experiences
    ADD CONSTRAINT application_sign_in_experiences_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES public.deliveries(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.authorization_codes
    ADD CONSTRAINT authorization_codes_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.grants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.authorization_codes
    ADD CONSTRAINT authorization_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.hook_statistics
    ADD CONSTRAINT hook_statistics_hook_id_fkey FOREIGN KEY (hook_id) REFERENCES public.hooks(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mfa_factors
    ADD CONSTRAINT mfa_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT ordered_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.events(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT ordered_deliveries_hook_id_fkey FOREIGN KEY (hook_id) REFERENCES public.hooks(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_application_roles
    ADD CONSTRAINT organization_application_role_organization_id_application__fkey FOREIGN KEY (organization_id, application_id) REFERENCES public.organization_applications(organization_id, application_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_application_roles
    ADD CONSTRAINT organization_application_roles_organization_role_id_fkey FOREIGN KEY (organization_role_id) REFERENCES public.organization_roles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_applications
    ADD CONSTRAINT organization_applications_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_applications
    ADD CONSTRAINT organization_applications_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_invitation_roles
    ADD CONSTRAINT organization_invitation_roles_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES public.organization_invitations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_invitation_roles
    ADD CONSTRAINT organization_invitation_roles_organization_role_id_fkey FOREIGN KEY (organization_role_id) REFERENCES public.organization_roles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_invitations
    ADD CONSTRAINT organization_invitations_accepted_user_id_fkey FOREIGN KEY (accepted_user_id) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.organization_invitations
    ADD CONSTRAINT organization_invitations_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.organization_invitations
    ADD CONSTRAINT organization_invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_jit_email_domains
    ADD CONSTRAINT organization_jit_email_domains_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_jit_roles
    ADD CONSTRAINT organization_jit_roles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_jit_roles
    ADD CONSTRAINT organization_jit_roles_organization_role_id_fkey FOREIGN KEY (organization_role_id) REFERENCES public.organization_roles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_role_resource_scopes
    ADD CONSTRAINT organization_role_resource_scopes_organization_role_id_fkey FOREIGN KEY (organization_role_id) REFERENCES public.organization_roles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_role_resource_scopes
    ADD CONSTRAINT organization_role_resource_scopes_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES public.scopes(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_role_scopes
    ADD CONSTRAINT organization_role_scopes_organization_role_id_fkey FOREIGN KEY (organization_role_id) REFERENCES public.organization_roles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_role_scopes
    ADD CONSTRAINT organization_role_scopes_organization_scope_id_fkey FOREIGN KEY (organization_scope_id) REFERENCES public.organization_scopes(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_user_roles
    ADD CONSTRAINT organization_user_roles_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.organization_users(organization_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_user_roles
    ADD CONSTRAINT organization_user_roles_organization_role_id_fkey FOREIGN KEY (organization_role_id) REFERENCES public.organization_roles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_users
    ADD CONSTRAINT organization_users_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_users
    ADD CONSTRAINT organization_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.personal_access_tokens
    ADD CONSTRAINT personal_access_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.plugin_secrets
    ADD CONSTRAINT plugin_secrets_plugin_name_fkey FOREIGN KEY (plugin_name) REFERENCES public.plugins(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.plugin_versions
    ADD CONSTRAINT plugin_versions_plugin_name_fkey FOREIGN KEY (plugin_name) REFERENCES public.plugins(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.pushed_requests
    ADD CONSTRAINT pushed_requests_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.grants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.role_scopes
    ADD CONSTRAINT role_scopes_role_id_fkey FOREIGN KEY (role_id) REFERENCES public.roles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.role_scopes
    ADD CONSTRAINT role_scopes_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES public.scopes(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.scopes
    ADD CONSTRAINT scopes_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES public.resources(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.subject_tokens
    ADD CONSTRAINT subject_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_role_id_fkey FOREIGN KEY (role_id) REFERENCES public.roles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
