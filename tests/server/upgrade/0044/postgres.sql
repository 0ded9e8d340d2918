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
CREATE FUNCTION public.count_members() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    difference BIGINT := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
BEGIN
    INSERT INTO member_counts (organization_id, value)
        SELECT organization_id, difference * COUNT(*) FROM changed GROUP BY organization_id;
    RETURN NULL;
END
$$;
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
CREATE TABLE public.account_centers (
    id text NOT NULL,
    settings jsonb NOT NULL
);
CREATE TABLE public.active_days (
    day bigint NOT NULL,
    user_id text NOT NULL
);
CREATE TABLE public.activity (
    bucket bigint NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    node text NOT NULL,
    count bigint NOT NULL,
    failures bigint NOT NULL,
    microseconds bigint NOT NULL,
    slowest bigint NOT NULL
);
CREATE TABLE public.administrator_invitations (
    id text NOT NULL,
    hash text,
    role_id text NOT NULL,
    inviter_id text NOT NULL,
    note text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    user_id text,
    claimed_at bigint
);
CREATE TABLE public.application_access_organization_roles (
    application_id text NOT NULL,
    organization_id text NOT NULL,
    organization_role_id text NOT NULL
);
CREATE TABLE public.application_access_organizations (
    application_id text NOT NULL,
    organization_id text NOT NULL
);
CREATE TABLE public.application_access_roles (
    application_id text NOT NULL,
    role_id text NOT NULL
);
CREATE TABLE public.application_access_users (
    application_id text NOT NULL,
    user_id text NOT NULL
);
CREATE TABLE public.application_consent_limits (
    application_id text NOT NULL
);
CREATE TABLE public.application_consent_organization_resource_scopes (
    application_id text NOT NULL,
    scope_id text NOT NULL
);
CREATE TABLE public.application_consent_organization_scopes (
    application_id text NOT NULL,
    organization_scope_id text NOT NULL
);
CREATE TABLE public.application_consent_resource_scopes (
    application_id text NOT NULL,
    scope_id text NOT NULL
);
CREATE TABLE public.application_consent_user_scopes (
    application_id text NOT NULL,
    user_scope text NOT NULL
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
    description_key text,
    app_level_access_control_enabled boolean DEFAULT false NOT NULL
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
CREATE TABLE public.avatars (
    id text NOT NULL,
    user_id text,
    interaction_id text,
    media_type text NOT NULL,
    content bytea NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint
);
CREATE TABLE public.backchannel_logouts (
    seq bigint NOT NULL,
    application_id text NOT NULL,
    user_id text NOT NULL,
    session_id text NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    due_at bigint,
    claim text,
    attempts bigint DEFAULT 0 NOT NULL,
    note text,
    created_at bigint NOT NULL,
    finished_at bigint
);
ALTER TABLE public.backchannel_logouts ALTER COLUMN seq ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.backchannel_logouts_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.captcha_providers (
    id text NOT NULL,
    config text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.client_assertions (
    hash text NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.connectors (
    id text NOT NULL,
    connector_id text NOT NULL,
    type text NOT NULL,
    target text NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    config text NOT NULL,
    sync_profile boolean DEFAULT false NOT NULL,
    enable_token_storage boolean DEFAULT false NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.consent_organizations (
    application_id text NOT NULL,
    user_id text NOT NULL,
    organization_id text NOT NULL
);
CREATE TABLE public.console_confirmations (
    id text NOT NULL,
    session_id text NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.console_links (
    hash text NOT NULL,
    purpose text NOT NULL,
    user_id text,
    email text,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.console_sessions (
    hash text NOT NULL,
    session_id text NOT NULL,
    user_id text NOT NULL,
    authenticated_at bigint NOT NULL,
    created_at bigint NOT NULL,
    last_active_at bigint NOT NULL
);
CREATE TABLE public.custom_phrases (
    language_tag text NOT NULL,
    translation jsonb NOT NULL
);
CREATE TABLE public.custom_profile_fields (
    id text NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    label text NOT NULL,
    description text,
    required boolean NOT NULL,
    config jsonb NOT NULL,
    created_at bigint NOT NULL,
    sie_order bigint NOT NULL
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
CREATE TABLE public.device_authorizations (
    id text NOT NULL,
    hash text NOT NULL,
    user_code_hash text NOT NULL,
    application_id text NOT NULL,
    request jsonb NOT NULL,
    address text,
    poll_interval bigint NOT NULL,
    polled_at bigint,
    user_id text,
    grant_id text,
    authorization_details jsonb,
    denied_at bigint,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    consumed_at bigint
);
CREATE TABLE public.email_templates (
    id text NOT NULL,
    language_tag text NOT NULL,
    template_type text NOT NULL,
    details jsonb NOT NULL,
    created_at bigint NOT NULL
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
    expires_at bigint NOT NULL,
    has_tokens boolean DEFAULT false NOT NULL
);
CREATE TABLE public.hook_receiver_requests (
    id text NOT NULL,
    receiver_id text NOT NULL,
    received_at bigint NOT NULL,
    headers jsonb NOT NULL,
    body text NOT NULL,
    status bigint NOT NULL,
    hook_id text,
    is_signature_valid boolean
);
CREATE TABLE public.hook_receivers (
    id text NOT NULL,
    token text NOT NULL,
    status bigint NOT NULL,
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
    disabled_reason text,
    single_event text
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
CREATE TABLE public.known_browsers (
    hash text NOT NULL,
    user_id text NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.logs (
    id text NOT NULL,
    key text NOT NULL,
    payload jsonb NOT NULL,
    created_at bigint NOT NULL,
    user_id text,
    application_id text,
    actor_id text,
    ticket_id text
);
CREATE TABLE public.member_counts (
    seq bigint NOT NULL,
    organization_id text NOT NULL,
    value bigint NOT NULL,
    is_sum boolean DEFAULT false NOT NULL
);
ALTER TABLE public.member_counts ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.member_counts_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messages (
    seq bigint NOT NULL,
    id text NOT NULL,
    channel text NOT NULL,
    recipient text NOT NULL,
    template_type text NOT NULL,
    language_tag text NOT NULL,
    contents text,
    about text,
    expires_at bigint NOT NULL,
    in_mailbox boolean DEFAULT false NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    due_at bigint,
    claim text,
    attempts bigint DEFAULT 0 NOT NULL,
    note text,
    created_at bigint NOT NULL,
    finished_at bigint
);
ALTER TABLE public.messages ALTER COLUMN seq ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.messages_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mfa_factors (
    id text NOT NULL,
    user_id text NOT NULL,
    type text NOT NULL,
    sealed text NOT NULL,
    created_at bigint NOT NULL,
    used_step bigint,
    name text
);
CREATE TABLE public.nodes (
    id text NOT NULL,
    version text NOT NULL,
    started_at bigint NOT NULL,
    seen_at bigint NOT NULL
);
CREATE TABLE public.one_time_tokens (
    id text NOT NULL,
    email text NOT NULL,
    hash text NOT NULL,
    context jsonb NOT NULL,
    status text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
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
    expires_at bigint NOT NULL,
    sealed_token text
);
CREATE TABLE public.organization_jit_email_domains (
    organization_id text NOT NULL,
    email_domain text NOT NULL
);
CREATE TABLE public.organization_jit_roles (
    organization_id text NOT NULL,
    organization_role_id text NOT NULL
);
CREATE TABLE public.organization_jit_sso_connectors (
    organization_id text NOT NULL,
    sso_connector_id text NOT NULL
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
CREATE TABLE public.passkeys (
    id text NOT NULL,
    user_id text NOT NULL,
    credential_id text NOT NULL,
    credential jsonb NOT NULL,
    is_synced boolean NOT NULL,
    name text,
    agent text,
    created_at bigint NOT NULL,
    last_used_at bigint
);
CREATE TABLE public.personal_access_tokens (
    user_id text NOT NULL,
    name text NOT NULL,
    hash text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint
);
CREATE TABLE public.plugin_calls (
    bucket bigint NOT NULL,
    plugin text NOT NULL,
    digest text NOT NULL,
    node text NOT NULL,
    calls bigint NOT NULL,
    denied bigint NOT NULL,
    failed bigint NOT NULL,
    last_outcome text,
    last_error text,
    last_request_id text
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
    expires_at bigint NOT NULL,
    kept_until bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.refresh_families (
    id text NOT NULL,
    grant_id text NOT NULL,
    encrypted_key text NOT NULL,
    created_at bigint NOT NULL
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
    expires_at bigint NOT NULL,
    lockouts bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.sign_in_experiences (
    id text NOT NULL,
    settings jsonb NOT NULL
);
CREATE TABLE public.sign_in_places (
    user_id text NOT NULL,
    kind text NOT NULL,
    hash text NOT NULL,
    last_seen_at bigint NOT NULL
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
CREATE TABLE public.sso_connector_domains (
    sso_connector_id text NOT NULL,
    domain text NOT NULL
);
CREATE TABLE public.sso_connectors (
    id text NOT NULL,
    provider_name text NOT NULL,
    connector_name text NOT NULL,
    name_key text NOT NULL,
    config text NOT NULL,
    branding jsonb DEFAULT '{}'::jsonb NOT NULL,
    sync_profile boolean DEFAULT false NOT NULL,
    enable_token_storage boolean DEFAULT false NOT NULL,
    created_at bigint NOT NULL,
    signs_in_administrators boolean DEFAULT false NOT NULL
);
CREATE TABLE public.sso_identities (
    id text NOT NULL,
    user_id text NOT NULL,
    sso_connector_id text NOT NULL,
    issuer text NOT NULL,
    identity_id text NOT NULL,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    linked_by_owner boolean DEFAULT false NOT NULL
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
CREATE TABLE public.trusted_devices (
    id text NOT NULL,
    user_id text NOT NULL,
    hash text NOT NULL,
    user_agent text,
    ip text,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    expires_at bigint NOT NULL
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
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    password_work bigint DEFAULT 0 NOT NULL,
    password_updated_at bigint,
    is_password_expired boolean DEFAULT false NOT NULL
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
CREATE TABLE public.verification_codes (
    asker text NOT NULL,
    id text NOT NULL,
    digest text NOT NULL,
    attempts bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.verification_records (
    id text NOT NULL,
    user_id text NOT NULL,
    session_id text,
    type text NOT NULL,
    created_at bigint NOT NULL,
    verified_at bigint,
    expires_at bigint NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL
);
ALTER TABLE ONLY public.users ALTER COLUMN place SET DEFAULT nextval('public.user_places'::regclass);
INSERT INTO public._sqlx_migrations VALUES (1, 'identity', '2026-11-30 09:29:30.502636+00', true, '\x98575eb91b279380cafe73d784b6e9c562c8b35065b673d2c3c609840a7d8a4a3bae1a03aa606ebb9134aadca197fc88', 13194959);
INSERT INTO public._sqlx_migrations VALUES (2, 'tokens', '2026-11-30 09:29:30.52041+00', true, '\xb8007c8e7bbf54f155f2a5f0daed976b631c0a03fe7a37c879a200725079c81dc60b44dc2deffa125d4da80fdf5528af', 30909075);
INSERT INTO public._sqlx_migrations VALUES (3, 'plugins', '2026-11-30 09:29:30.547458+00', true, '\xfab9f7a66cf2d2f1e25b6774240b5eca4b4b569343bca7d697b601edb7c1567c302df452dcbb96fa50d06c76b1d922ed', 15849000);
INSERT INTO public._sqlx_migrations VALUES (4, 'webhooks', '2026-11-30 09:29:30.563589+00', true, '\x7212944c145f6afb3bfd9f80f640feba126d8a38967437e01338e89fe7e383ac04f4d8411c4edd9cab5890cd0a6fe579', 2906807);
INSERT INTO public._sqlx_migrations VALUES (5, 'users', '2026-11-30 09:29:30.56663+00', true, '\x255d5bff56799635cf462f667415085c1f0b01c6b2057f2a7b26c88ef6b1522b7ad436e48a133700542adfe3d2fb4962', 45750305);
INSERT INTO public._sqlx_migrations VALUES (6, 'organizations', '2026-11-30 09:29:30.612638+00', true, '\xb44f8e87457b54a22bdc6ba93090ce496187c6cc3d8880d8446be14e3d05ad2b9beadccf09d850b57aa5177afc507338', 52115769);
INSERT INTO public._sqlx_migrations VALUES (7, 'audit', '2026-11-30 09:29:30.665008+00', true, '\x4f84efc7d868be69839cb5888c47fa777aa11ebd1202fd311da59c7386ddf2360d1ba0da97dfd153981c7ccc8c43a7fb', 14730565);
INSERT INTO public._sqlx_migrations VALUES (8, 'roles', '2026-11-30 09:29:30.691905+00', true, '\x7f57872249b4e30da225057a22ac0f8f4d3ff59b38a3adaa7df8e297168ac01ba88c48fde50e6bbcf263a215d0693908', 12710228);
INSERT INTO public._sqlx_migrations VALUES (9, 'delivery', '2026-11-30 09:29:30.70475+00', true, '\x0f894a2f195b585e53c6a2a0dc32b07837cc73967c63c9bed92e83d43da0bb6274913f1cfaf8f27ff73a1989d187c1e9', 35365688);
INSERT INTO public._sqlx_migrations VALUES (10, 'users in order', '2026-11-30 09:29:30.740543+00', true, '\x40300825bbb076b1b8b4c18c9de0067a097eceb909d7a085c13c7ba670047e2712388be29834e76796fc9718853153b9', 13186817);
INSERT INTO public._sqlx_migrations VALUES (11, 'user settings', '2026-11-30 09:29:30.753879+00', true, '\x3aeb9e01951d0734229ba01a07b0a9d90331f1940a12e35eebce0dc36a89cc7f5337cab3a99d452ad07ad56fe378b640', 541266);
INSERT INTO public._sqlx_migrations VALUES (12, 'authorization changes', '2026-11-30 09:29:30.754491+00', true, '\x0a8275a7abefa21751b5e5f753f21bdf690704ef2e325ed0c9e990994bf29757f7823777360b6c5b853ad6499575ddf2', 1007690);
INSERT INTO public._sqlx_migrations VALUES (13, 'sign in', '2026-11-30 09:29:30.755583+00', true, '\x62bc66ce609c846b6e2df30dc9730b23d4d8d57fa54d5f7dfb7bfa9242d26c5110c56b5aade71a438ce7882080c6cd7f', 3199752);
INSERT INTO public._sqlx_migrations VALUES (14, 'sessions', '2026-11-30 09:29:30.758905+00', true, '\xfeb1bf07decb2be7b9e9a7bf7a8d0824c24c506d5e0f0a0c3f89502e1952f1e6e020fe17b94eb1e576c0b8a7406f7631', 81378694);
INSERT INTO public._sqlx_migrations VALUES (15, 'attempts', '2026-11-30 09:29:30.840501+00', true, '\xea399475917c3269543142674e4f438e22bb9c4d26de2b1d955f326febbf8589faf7d9e331e5ccf23a72be30fb26801c', 1171324);
INSERT INTO public._sqlx_migrations VALUES (16, 'backchannel logout', '2026-11-30 09:29:30.841752+00', true, '\x2ee8dc9bc075e0749b14bafe30f9aff8fe7634f75f8681131902792592725abbe74fdb7498bbae839ff9276ba808d5a9', 15527340);
INSERT INTO public._sqlx_migrations VALUES (17, 'devices', '2026-11-30 09:29:30.857395+00', true, '\x1cf57366b7403222712171c33379c9d466b02bfaf4903c271f8d8ef49116afef6c7426f2db0fbfce255860d75ba865ca', 6810526);
INSERT INTO public._sqlx_migrations VALUES (18, 'client assertions', '2026-11-30 09:29:30.864565+00', true, '\x95a23f5e22a64fdce8f052082a45a6d65d28db9b7d9698bb4485487ac2df1145959e2d0f690a471d13b52a4e76038c24', 1379994);
INSERT INTO public._sqlx_migrations VALUES (19, 'known browsers', '2026-11-30 09:29:30.869854+00', true, '\x00905b547d33d9f96ef7c1ab65bbb6e8d3b31c9686a2dbd0d37d3072bafe502523bb2c4ba8136781355d1a4dffb35a08', 9924732);
INSERT INTO public._sqlx_migrations VALUES (20, 'factor use', '2026-11-30 09:29:30.879693+00', true, '\xd1dfd9cf9bb7e1ac6ebde3861220a86b84d2970fc92685abeb2b11fb4bf13ab01c7015db7b9b8af8f1583c06a543c8ab', 387486);
INSERT INTO public._sqlx_migrations VALUES (21, 'messages', '2026-11-30 09:29:30.880135+00', true, '\xb821a23e5f188d2cd8e522d66839de07d772b4bd70e405045bfc90a68891c74ada7d3be6366f73c46644444278ca284d', 12458794);
INSERT INTO public._sqlx_migrations VALUES (22, 'codes', '2026-11-30 09:29:30.892826+00', true, '\x375dd845c3fd518b6e057be431d25e56e435a162b08b8c73ed6533a266f35153b4aedc6e2878059790c50138aeba4592', 8833137);
INSERT INTO public._sqlx_migrations VALUES (23, 'enterprise', '2026-11-30 09:29:30.90179+00', true, '\x2cceca6d2605bf027007740df7f880623c3d9059e6d91e881abfa4200d520dca81baa67fd65b37cb5f86fc18ccbe5bd3', 9971362);
INSERT INTO public._sqlx_migrations VALUES (24, 'own account', '2026-11-30 09:29:30.911902+00', true, '\x50fbfaee0efa8f22a67d25d9c0a5a4a973259fa6832ddd1c40dcbf18529213e917353a9d02776857410b9e7fe8186717', 8376568);
INSERT INTO public._sqlx_migrations VALUES (25, 'passkeys', '2026-11-30 09:29:30.920407+00', true, '\x38ef0413b9e6f77d9f9235a4cb68bee07a67a88b01b0036d1aea044bb5454b52b3cc5d34d9b10752d6618e1640940ac7', 1414085);
INSERT INTO public._sqlx_migrations VALUES (26, 'proofs', '2026-11-30 09:29:30.921911+00', true, '\x190b477004efd14cdf473e8910fbc4b06c642579ca98e541d1bfbc84468755669934157d8391ea9106721d2b0f6bb1a0', 1691758);
INSERT INTO public._sqlx_migrations VALUES (27, 'captcha', '2026-11-30 09:29:30.92861+00', true, '\x5bb999cb3fba89138610d477b740233bafb9797281148ac97dc09f93b37d6949b038168046e903e09048c30300716ea9', 2800909);
INSERT INTO public._sqlx_migrations VALUES (28, 'profiles', '2026-11-30 09:29:30.931627+00', true, '\x764f784c59a6f7e4b73c42912bcb5c054a0beac278a67f5c9bdef2e2497ba323b6867ede0714789d0c21c04500acd367', 7343490);
INSERT INTO public._sqlx_migrations VALUES (29, 'console', '2026-11-30 09:29:30.939196+00', true, '\x17357dd7437c28897e5319afd13458cdda02cd35777bff8e220f0bd79926ffe5d352f593fea77a9055385879c49383a8', 13835423);
INSERT INTO public._sqlx_migrations VALUES (30, 'operations', '2026-11-30 09:29:30.95313+00', true, '\xdf788a6240bcbf370c0bfb65633bd50bc840d95c9fde895e9a96bba4097922621e490a5d57089ce1bab3d3839fecae99', 16393090);
INSERT INTO public._sqlx_migrations VALUES (31, 'users by name', '2026-11-30 09:29:30.969747+00', true, '\x3d6672b15e2dd0ce6f58769a2d25e38b58d97957df1cf84ba68a98f411c5b7798e35f56fbace13ba23dbe349df21859b', 1829773);
INSERT INTO public._sqlx_migrations VALUES (32, 'member counts', '2026-11-30 09:29:30.9717+00', true, '\x62859fd855cc772240985fefae6ffb389c1b53864c9fd077535c166664236da42ca7ca220853087cbcd9a8b28bd7da9a', 8290960);
INSERT INTO public._sqlx_migrations VALUES (33, 'password work', '2026-11-30 09:29:30.980138+00', true, '\x8deae6fb690c8669d0ee45e2df3c7f28d835c190af0e0a49161c29854ffd9a75e6ad06267622a0a0b66c6b8c827599a0', 1709014);
INSERT INTO public._sqlx_migrations VALUES (34, 'administrators elsewhere', '2026-11-30 09:29:30.981919+00', true, '\x93e19ce5da5df7caa46116d83fc80288040005960b25951caf9d0f0567b6060e0bcedae10b5845c7827f7ff206509216', 2476175);
INSERT INTO public._sqlx_migrations VALUES (35, 'refresh families', '2026-11-30 09:29:30.985943+00', true, '\x3e333309c58f60c9ce29d0caab55103d2f534062fbbf7dd6663ceccdf87106a4be3904e36090bcefce3b370eca5b0089', 19289671);
INSERT INTO public._sqlx_migrations VALUES (36, 'client assertion audience', '2026-11-30 09:29:31.003911+00', true, '\x47961056d81250a5901967edd84eb55fbaea244991fbe8892cd7b5f6a23ffcfbd5ac7fbe25703302e8356777edb9151a', 514726);
INSERT INTO public._sqlx_migrations VALUES (37, 'kept settings', '2026-11-30 09:29:31.004489+00', true, '\x0bdcac26dcfa5e364722a9ee88fec8bff8823e511079d14bb83c72d2f8abb1ff13bbfd6f08ed4ad053f31b6a5ac8d6e5', 3200584);
INSERT INTO public._sqlx_migrations VALUES (38, 'imported password work', '2026-11-30 09:29:31.007784+00', true, '\x25a14e2ebc1ef4cd1373f7a3fb4c39509d69a7075078209f1e679c0c70d21923874aa0651f1ef4d312b5a9aed388b0bd', 11702628);
INSERT INTO public._sqlx_migrations VALUES (39, 'pushed requests', '2026-11-30 09:29:31.019607+00', true, '\x54704f425201a704e333ec1d8268bee5ade345b7b539a2e1898bf033255075b053de52a0082800f5f95f9a417af5431a', 440916);
INSERT INTO public._sqlx_migrations VALUES (40, 'third parties', '2026-11-30 09:29:31.020116+00', true, '\x15ed758a517564a124f41e5db386a01ce919b504a70de147bab6a337c56ace3e66756ee68add8fa4c7d53e54584c554c', 65373332);
INSERT INTO public._sqlx_migrations VALUES (41, 'password age', '2026-11-30 09:29:31.093324+00', true, '\x115c1ccfae67cca8a615e0a9c2b378bb4cc94e7a47ab54236b6f91cd96dfc274107bf53f9ae69bc2fe81d998ad15cf09', 5644401);
INSERT INTO public._sqlx_migrations VALUES (42, 'single event', '2026-11-30 09:29:31.097828+00', true, '\xaad3bd52565bbfdaee88a002526250892f2095191481f4e9a019872906ee6f585328d5e12c9b68871706dcb24a7aa366', 310202);
INSERT INTO public._sqlx_migrations VALUES (43, 'confirmations', '2026-11-30 09:29:31.098205+00', true, '\xb1cf6a282d7844936fe32fc20111b250de68734c02512a99bc895f5ecba2e9570b49810dbe558c2b9b2219dd820e5dbf', 3697864);
INSERT INTO public._sqlx_migrations VALUES (44, 'plugin calls and invitations', '2026-11-30 09:29:31.102184+00', true, '\x82e4e0447cda997756b5885ca023c32151319be76cd717382115667420da592fda65fef4efe37460780491998b33829f', 18575608);
INSERT INTO public.account_centers VALUES ('default', '{}');
INSERT INTO public.activity VALUES (1796030940000, 'signIns', '', 'a4s74x0syeadk75ypabpa', 1, 0, 0, 0);
INSERT INTO public.activity VALUES (1796030940000, 'deliveries', '', 'a4s74x0syeadk75ypabpa', 6, 6, 180000, 109000);
INSERT INTO public.activity VALUES (1796030940000, 'messages', '', 'a4s74x0syeadk75ypabpa', 1, 1, 13320, 13320);
INSERT INTO public.activity VALUES (1796030940000, 'tokens', 'authorization_code', 'a4s74x0syeadk75ypabpa', 1, 0, 7457, 7457);
INSERT INTO public.activity VALUES (1796030940000, 'tokens', 'client_credentials', 'a4s74x0syeadk75ypabpa', 1, 0, 44821, 44821);
INSERT INTO public.activity VALUES (1796030940000, 'tokens', 'token_exchange', 'a4s74x0syeadk75ypabpa', 1, 0, 14322, 14322);
INSERT INTO public.activity VALUES (1796030940000, 'plugins', 'jwt-access-token', 'a4s74x0syeadk75ypabpa', 2, 0, 2471, 1399);
INSERT INTO public.application_roles VALUES ('ul0uk01n1oqjdcjtvao8z', 'q5rljr156a3vghrcutv53');
INSERT INTO public.application_secrets VALUES ('ul0uk01n1oqjdcjtvao8z', 'Default secret', '68a0a3777cddc72d35dd5c594cc7ac882abe4f97e6dee9d38214984552abd780', 1796030971123, NULL);
INSERT INTO public.application_secrets VALUES ('u4vufebuc5xgoa5sengcs', 'Default secret', 'bfa217b2df3c02cfecd63a7c983d36d29735cfbe0abd39f6cbd5bac5e7bd92aa', 1796030971123, NULL);
INSERT INTO public.applications VALUES ('ul0uk01n1oqjdcjtvao8z', 'Management API client', NULL, 'MachineToMachine', '{"redirectUris": [], "postLogoutRedirectUris": []}', '{}', '{}', false, 1796030971123, 'management api client', NULL, false);
INSERT INTO public.applications VALUES ('u4vufebuc5xgoa5sengcs', 'Demo web application', NULL, 'Traditional', '{"redirectUris": [], "postLogoutRedirectUris": []}', '{"allowTokenExchange": true}', '{}', false, 1796030971123, 'demo web application', NULL, false);
INSERT INTO public.applications VALUES ('9f02qpmzrki06db0s1ris', 'Demo single-page application', NULL, 'SPA', '{"redirectUris": ["http://127.0.0.1:3001/demo/callback"], "postLogoutRedirectUris": ["http://127.0.0.1:3001/demo"]}', '{"impersonationUri": "http://127.0.0.1:3001/demo/impersonate", "allowTokenExchange": true}', '{}', false, 1796030971123, 'demo single-page application', NULL, false);
INSERT INTO public.applications VALUES ('claimsmith-console', 'Claimsmith console', NULL, 'SPA', '{"redirectUris": ["http://127.0.0.1:3001/console/callback"], "postLogoutRedirectUris": ["http://127.0.0.1:3001/console"]}', '{}', '{}', false, 1796030971123, 'claimsmith console', NULL, false);
INSERT INTO public.applications VALUES ('claimsmith-cli', 'Claimsmith command line', NULL, 'Native', '{"redirectUris": [], "postLogoutRedirectUris": []}', '{"isDeviceFlow": true}', '{}', false, 1796030971123, 'claimsmith command line', NULL, false);
INSERT INTO public.applications VALUES ('wcsswudnbvknkk355ez3a', 'Shop', NULL, 'SPA', '{"redirectUris": ["https://shop.example.com/callback"], "postLogoutRedirectUris": []}', '{"alwaysIssueRefreshToken": true}', '{}', false, 1796030975336, 'shop', NULL, false);
INSERT INTO public.attempts VALUES ('b4wukdn7e68euy9gh2ar2', 'msg_4a69d538psk85pidll5q5', 'ez2pfho9n1r5wj0wyqkpe', 1, 1796030975171, 109, NULL, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO public.attempts VALUES ('5teimpg02xfdq9iznwaa4', 'msg_iv7clf437ihilesng3wrm', 'ez2pfho9n1r5wj0wyqkpe', 1, 1796030975225, 71, NULL, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO public.attempts VALUES ('pi46ecp6vs6c9eb54gqb8', 'msg_4a69d538psk85pidll5q5', 'ez2pfho9n1r5wj0wyqkpe', 2, 1796030979072, 0, NULL, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO public.attempts VALUES ('ygoxezvb3ou9s1lmfwi3u', 'msg_iv7clf437ihilesng3wrm', 'ez2pfho9n1r5wj0wyqkpe', 2, 1796030979416, 0, NULL, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO public.attempts VALUES ('4vlhwjpa4nbws163t4jfv', 'msg_04lsc8dpga7p4do335vlb', 'ez2pfho9n1r5wj0wyqkpe', 1, 1796030982764, 0, NULL, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO public.attempts VALUES ('8cpw9ozggegkgvnjf248s', 'msg_ssx48hxazxxt3u1rxoxy6', 'ez2pfho9n1r5wj0wyqkpe', 1, 1796030982803, 0, NULL, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)');
INSERT INTO public.authorization_changes VALUES (2, 'nothing', '');
INSERT INTO public.authorization_changes VALUES (2, 'role', 'q5rljr156a3vghrcutv53');
INSERT INTO public.authorization_changes VALUES (2, 'application', 'ul0uk01n1oqjdcjtvao8z');
INSERT INTO public.authorization_changes VALUES (2, 'role', 'bfj6ny47gad80273bf3z8');
INSERT INTO public.authorization_changes VALUES (2, 'role', 'fjujjvl4dbedmmx989hc7');
INSERT INTO public.authorization_changes VALUES (2, 'application', '9f02qpmzrki06db0s1ris');
INSERT INTO public.authorization_changes VALUES (2, 'application', 'u4vufebuc5xgoa5sengcs');
INSERT INTO public.authorization_changes VALUES (2, 'keys', '');
INSERT INTO public.authorization_changes VALUES (2, 'role', 'claimsmith-console-role-read');
INSERT INTO public.authorization_changes VALUES (2, 'role', 'claimsmith-console-role-support');
INSERT INTO public.authorization_changes VALUES (2, 'role', 'claimsmith-console-role-developer');
INSERT INTO public.authorization_changes VALUES (2, 'role', 'claimsmith-console-role-admin');
INSERT INTO public.authorization_changes VALUES (2, 'application', 'claimsmith-console');
INSERT INTO public.authorization_changes VALUES (2, 'application', 'claimsmith-cli');
INSERT INTO public.authorization_changes VALUES (2, 'all', '');
INSERT INTO public.authorization_changes VALUES (3, 'nothing', '');
INSERT INTO public.authorization_changes VALUES (4, 'nothing', '');
INSERT INTO public.authorization_changes VALUES (5, 'nothing', '');
INSERT INTO public.authorization_changes VALUES (6, 'application', 'wcsswudnbvknkk355ez3a');
INSERT INTO public.authorization_codes VALUES ('03dac484dc94b673cf702e22625902445d2c7e3e4112b6f7f734aaf94bbb7770', 'eswzu0i6cj04zat4zxcsu', 'v5sv5mmr3qr4', 'wcsswudnbvknkk355ez3a', '{"amr": ["pwd"], "nonce": null, "scope": ["openid", "offline_access"], "authTime": 1796030983, "acrValues": [], "consented": null, "resources": [], "sessionId": "60j9v398rpyauij8f5sco", "interaction": {"userId": "v5sv5mmr3qr4", "interactionEvent": "SignIn", "verificationRecords": [{"id": "5he51uxweoo3vjizyctky", "type": "Password", "verified": true, "identifier": {"type": "username", "value": "keeper"}}]}, "redirectUri": "https://shop.example.com/callback", "codeChallenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "resourceScope": []}', 'bkubta4alypkofcs4rm9b', 1796030983156, 1796031043156, 1796030983165);
INSERT INTO public.connectors VALUES ('a82f81ziim34aeeozni32', 'http-email', 'Email', 'http-email', '{}', 'QBcjAsGMnAwAnXviwFIU6mDKVpGJG9aSGbJrL0v+7iLTOVaqIq1xhTfK8XQzMk5k39RrbJghj2NOf8vbFYJte4llEmWFB6G6Qbeq1yiyibAjN5p41ozjN9kmqL5VW8Bq1zMKPP+Gh6CzR7KIB8A=', false, false, 1796030982746);
INSERT INTO public.console_links VALUES ('b139d6ea8fe1119ad2b4fb8a84854143773caaff2081911ea267dccaf5172d8f', 'setup', NULL, NULL, 1796030973297, 1796034573297);
INSERT INTO public.custom_phrases VALUES ('en', '{"sign_in": {"title": "Ahoy!"}}');
INSERT INTO public.deliveries VALUES (1, 'msg_4a69d538psk85pidll5q5', 'mx32gxljru4r8xq823rfg', 'ez2pfho9n1r5wj0wyqkpe', NULL, 'pending', 1796031008825, NULL, 2, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)', 1796030974999, NULL);
INSERT INTO public.deliveries VALUES (2, 'msg_iv7clf437ihilesng3wrm', 'mx32gxqnzr2uudbdeddz8', 'ez2pfho9n1r5wj0wyqkpe', NULL, 'pending', 1796031010783, NULL, 2, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)', 1796030975183, NULL);
INSERT INTO public.deliveries VALUES (3, 'msg_04lsc8dpga7p4do335vlb', 'mx32h3l1prz2142pt7t3z', 'ez2pfho9n1r5wj0wyqkpe', NULL, 'pending', 1796030986594, NULL, 1, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)', 1796030982757, NULL);
INSERT INTO public.deliveries VALUES (4, 'msg_ssx48hxazxxt3u1rxoxy6', 'mx32h3m2wab3br374h5yo', 'ez2pfho9n1r5wj0wyqkpe', NULL, 'pending', 1796030986866, NULL, 1, NULL, 'no connection to 127.0.0.1: Connection refused (os error 111)', 1796030982794, NULL);
INSERT INTO public.events VALUES ('mx32gxljru4r8xq823rfg', 'User.Data.Updated', '{"event":"User.Data.Updated","createdAt":"2026-11-30T09:29:34.999Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users/tmwxarngdxac/password","method":"PATCH","status":200,"params":{"userId":"tmwxarngdxac"},"matchedRoute":"/users/:userId/password","data":{"id":"tmwxarngdxac","username":"customer","primaryEmail":"customer@example.com","primaryPhone":null,"name":"Casey Customer","avatar":null,"customData":{},"identities":{},"lastSignInAt":null,"createdAt":1796030971123,"updatedAt":1796030974999,"profile":{},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}', 1796030974999);
INSERT INTO public.events VALUES ('mx32gxqnzr2uudbdeddz8', 'User.Created', '{"event":"User.Created","createdAt":"2026-11-30T09:29:35.183Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users","method":"POST","status":200,"params":{},"matchedRoute":"/users","data":{"id":"v5sv5mmr3qr4","username":"keeper","primaryEmail":"keeper@example.com","primaryPhone":null,"name":"Ada Lövelace","avatar":null,"customData":{"tier":"gold"},"identities":{},"lastSignInAt":null,"createdAt":1796030975183,"updatedAt":1796030975183,"profile":{"nickname":"Ada"},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}', 1796030975183);
INSERT INTO public.events VALUES ('mx32h3l1prz2142pt7t3z', 'User.Data.Updated', '{"event":"User.Data.Updated","createdAt":"2026-11-30T09:29:42.757Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users/v5sv5mmr3qr4/identities/github","method":"PUT","status":201,"params":{"userId":"v5sv5mmr3qr4","target":"github"},"matchedRoute":"/users/:userId/identities/:target","data":{"id":"v5sv5mmr3qr4","username":"keeper","primaryEmail":"keeper@example.com","primaryPhone":null,"name":"Ada Lövelace","avatar":null,"customData":{"tier":"gold"},"identities":{"github":{"userId":"gh-1","details":{"name":"Ada"}}},"lastSignInAt":null,"createdAt":1796030975183,"updatedAt":1796030982757,"profile":{"nickname":"Ada"},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}', 1796030982757);
INSERT INTO public.events VALUES ('mx32h3m2wab3br374h5yo', 'User.Created', '{"event":"User.Created","createdAt":"2026-11-30T09:29:42.794Z","userAgent":"Python-urllib/3.11","ip":"127.0.0.1","path":"/users","method":"POST","status":200,"params":{},"matchedRoute":"/users","data":{"id":"rvyhhasx4hi2","username":"careful","primaryEmail":null,"primaryPhone":null,"name":null,"avatar":null,"customData":{},"identities":{},"lastSignInAt":null,"createdAt":1796030982794,"updatedAt":1796030982794,"profile":{},"applicationId":null,"cimdClientId":null,"isSuspended":false,"hasPassword":true}}', 1796030982794);
INSERT INTO public.grants VALUES ('eswzu0i6cj04zat4zxcsu', 'v5sv5mmr3qr4', 'wcsswudnbvknkk355ez3a', '60j9v398rpyauij8f5sco', '{"oidc": ["openid", "offline_access"], "resources": {}, "organizations": []}', 1796030983156, 1811582983156, true);
INSERT INTO public.hook_statistics VALUES ('ez2pfho9n1r5wj0wyqkpe', 29933849, 6, 0);
INSERT INTO public.hooks VALUES ('ez2pfho9n1r5wj0wyqkpe', 'before', '["User.Created", "User.Data.Updated"]', '{"url": "http://127.0.0.1:9/nobody", "retries": 3}', 'QBcjAqIrxBjJAdGmw/EfJdhvRuo5twdbS2KdfA6tRSgMIoYHHCM53dk44T/2aq4MNDnLvW9gJI1/k3at03xIOn6HdMSStuaWutKbs3Uq86C4K0HLF53RAn1oE9LxsNH+', true, 1796030973387, '[]', false, false, 10, NULL, 0, 0, 0, 1796030975284, 6, NULL, NULL);
INSERT INTO public.interactions VALUES ('4j8hy4j5um8bmz75ktuk6', 'c0675abe56aa51447c02e4cc5138478078152d8350c4275ceb49169923aae564', '{"nonce": null, "scope": ["openid", "offline_access"], "state": null, "device": null, "maxAge": null, "screen": null, "prompts": ["consent"], "clientId": "wcsswudnbvknkk355ez3a", "acrValues": [], "loginHint": null, "resources": [], "uiLocales": null, "hintedUser": null, "redirectUri": "https://shop.example.com/callback", "responseMode": "query", "codeChallenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "organizationId": null, "oneTimeTokenHash": null}', '{"mfa": {"totp": null, "codes": [], "choice": null, "passkeys": [], "backupCodes": null, "passkeySkipped": false, "suggestionSkipped": false}, "event": null, "userId": null, "profile": {"social": null, "username": null, "enterprise": null, "primaryEmail": null, "primaryPhone": null, "passwordDigest": null}, "consented": null, "sessionId": null, "credential": null, "registered": false, "authenticated": false, "organizations": [], "verifications": []}', 9, 1796030983094, 1796030683156);
INSERT INTO public.issuances VALUES ('mx32gwbla2adtxyagngah', NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL, 'http://127.0.0.1:3001/api', 'all', false, NULL, NULL, NULL, 1796030973345, 1796034573000, NULL, NULL, NULL, NULL);
INSERT INTO public.issuances VALUES ('mx32h3nkc7aafh7rr4eb7', 'tmwxarngdxac', 'u4vufebuc5xgoa5sengcs', NULL, NULL, 'https://api.example.com', 'resource:read resource:write', true, 'mx32h3n8pm8ft1ioj9sj3', NULL, NULL, 1796030982848, 1796034582000, NULL, '{"reason": "a stuck order", "ticketId": "TECH-1234"}', NULL, NULL);
INSERT INTO public.issuances VALUES ('mx32h3t34a32wqr6rgcne', 'tmwxarngdxac', 'u4vufebuc5xgoa5sengcs', NULL, NULL, NULL, 'openid', false, NULL, '9c2087dad7046e7cf1fb0630847b1d747741bd3c5836c1d3e03015ed05c337f7', '{"exp": 1796034583, "iat": 1796030983, "iss": "http://127.0.0.1:3001/oidc", "jti": "mx32h3t34a32wqr6rgcne", "sub": "tmwxarngdxac", "scope": "openid", "region": "eu", "ticket": null, "client_id": "u4vufebuc5xgoa5sengcs"}', 1796030983047, 1796034583000, NULL, NULL, NULL, NULL);
INSERT INTO public.issuances VALUES ('mx32h3was8bd45er89nwx', 'v5sv5mmr3qr4', 'wcsswudnbvknkk355ez3a', NULL, NULL, NULL, 'openid offline_access', false, NULL, '27711980770eade0438f089775cfdb0bbf72e47c8118fda82b1f714cae172fc0', '{"exp": 1796034583, "iat": 1796030983, "iss": "http://127.0.0.1:3001/oidc", "jti": "mx32h3was8bd45er89nwx", "sub": "v5sv5mmr3qr4", "scope": "openid offline_access", "region": "eu", "ticket": null, "client_id": "wcsswudnbvknkk355ez3a"}', 1796030983162, 1796034583000, NULL, NULL, 'eswzu0i6cj04zat4zxcsu', 'bkubta4alypkofcs4rm9b');
INSERT INTO public.known_browsers VALUES ('029d871362adcbd0a325b050cfcec02a152210049d995131e0ca002b1b954b12', 'v5sv5mmr3qr4', 1811582983142);
INSERT INTO public.logs VALUES ('mx32gulvna1nlyn9xqo3h', 'Bootstrap', '{"key": "Bootstrap", "demo": true, "result": "Success", "scopes": [], "console": ["claimsmith-console", "claimsmith-console-scope-read", "claimsmith-console-scope-support", "claimsmith-console-scope-developer", "claimsmith-console-scope-admin", "claimsmith-console-role-read", "claimsmith-console-role-support", "claimsmith-console-role-developer", "claimsmith-console-role-admin", "claimsmith-console", "claimsmith-cli"], "signingKeys": ["h6HHxBPLxb8YdmzqOMg5e7ua7yW7obE8bCWyZTfmJJg", "ElEgFkU_4IvwSn8Cw8r9niftl-ZdmbRycjRjeXaigms"], "demoApplication": true}', 1796030971123, NULL, NULL, NULL, NULL);
INSERT INTO public.logs VALUES ('mx32gwblf4q0rf8b04i5d', 'ExchangeTokenBy.ClientCredentials', '{"ip": "127.0.0.1", "jti": "mx32gwbla2adtxyagngah", "key": "ExchangeTokenBy.ClientCredentials", "result": "Success", "requestId": "5ug87zndoperg9ru", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z", "applicationSecret": {"name": "Default secret"}}', 1796030973345, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32gwep4mxay7wu2dpgs', 'Management.Hook.Create', '{"ip": "127.0.0.1", "key": "Management.Hook.Create", "hookId": "ez2pfho9n1r5wj0wyqkpe", "result": "Success", "requestId": "k5393l9kdfnzasvw", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030973457, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32gxljj8lmay4lj70rb', 'Management.User.SetPassword', '{"ip": "127.0.0.1", "key": "Management.User.SetPassword", "result": "Success", "userId": "tmwxarngdxac", "requestId": "kw3ow8wkenvnpwmv", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030974999, 'tmwxarngdxac', 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32gxqngpignvkxb61z7', 'Management.User.Create', '{"ip": "127.0.0.1", "key": "Management.User.Create", "result": "Success", "userId": "v5sv5mmr3qr4", "requestId": "nc8qlpdkr6wq89jx", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030975183, 'v5sv5mmr3qr4', 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32gxrnvjmcjadto20h9', 'Management.Resource.Create', '{"ip": "127.0.0.1", "key": "Management.Resource.Create", "result": "Success", "requestId": "d9ho6bycjyt7xyny", "userAgent": "Python-urllib/3.11", "resourceId": "uquy9wn41r1iic5vmyy03", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030975219, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32gxtm0rygkivjz5cq3', 'Management.Scope.Create', '{"ip": "127.0.0.1", "key": "Management.Scope.Create", "result": "Success", "scopeId": "royn9avdt8yphgoh3f7ae", "requestId": "5c6ay46b7viwq8d0", "userAgent": "Python-urllib/3.11", "resourceId": "uquy9wn41r1iic5vmyy03", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030975290, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32gxu6mwwwd2csj0rw0', 'Management.Role.Create', '{"ip": "127.0.0.1", "key": "Management.Role.Create", "result": "Success", "roleId": "xhy396405tqjp2mcgvazw", "scopeIds": ["royn9avdt8yphgoh3f7ae"], "requestId": "hogvope9fgy581n1", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030975310, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32gxucr2xfw73p9peic', 'Management.User.AssignRoles', '{"ip": "127.0.0.1", "key": "Management.User.AssignRoles", "result": "Success", "userId": "v5sv5mmr3qr4", "requestId": "ozzgfjgutnno5pqb", "userAgent": "Python-urllib/3.11", "addedRoleIds": ["xhy396405tqjp2mcgvazw"], "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030975316, 'v5sv5mmr3qr4', 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32gxug0f0sz0exp63uh', 'Management.Organization.Create', '{"ip": "127.0.0.1", "key": "Management.Organization.Create", "result": "Success", "requestId": "76kgfqfl5kot8nza", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z", "organizationId": "vkn67rqsxavz"}', 1796030975320, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32gxuj9d582qxqku2nz', 'Management.Organization.ChangeUsers', '{"ip": "127.0.0.1", "key": "Management.Organization.ChangeUsers", "result": "Success", "requestId": "rwwnbp7s6oxybtyi", "userAgent": "Python-urllib/3.11", "addedUserIds": ["v5sv5mmr3qr4"], "applicationId": "ul0uk01n1oqjdcjtvao8z", "organizationId": "vkn67rqsxavz", "removedUserIds": []}', 1796030975323, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32gxupbr7e6hlm93549', 'Management.OrganizationInvitation.Create', '{"ip": "127.0.0.1", "key": "Management.OrganizationInvitation.Create", "result": "Success", "requestId": "xp3zgkc8qbrpu7ti", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z", "organizationId": "vkn67rqsxavz", "organizationRoleIds": [], "organizationInvitationId": "wtubbolha7jskhps5otuv"}', 1796030975329, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32gxuyok2ofnha3w3eh', 'Management.Application.Create', '{"ip": "127.0.0.1", "key": "Management.Application.Create", "type": "SPA", "result": "Success", "requestId": "4epjp22h4lttux0v", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z", "createdApplicationId": "wcsswudnbvknkk355ez3a"}', 1796030975338, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32gxv6revtve4h1c3yi', 'Management.SignInExperience.Update', '{"ip": "127.0.0.1", "key": "Management.SignInExperience.Update", "result": "Success", "requestId": "4cehodi5z09vimcf", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z", "changedSettings": ["color"]}', 1796030975346, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32gxvu5d505puodzu34', 'Management.CustomPhrases.Update', '{"ip": "127.0.0.1", "key": "Management.CustomPhrases.Update", "result": "Success", "requestId": "oo0wwgstb3cn7414", "userAgent": "Python-urllib/3.11", "languageTag": "en", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030975370, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3iuw23sk6jn9j921', 'Management.Plugin.Upload', '{"ip": "127.0.0.1", "key": "Management.Plugin.Upload", "digest": "sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496", "plugin": "jwt-access-token", "result": "Success", "version": "1", "requestId": "cijplafprm03xjje", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030982678, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3kb6kbxwntwey0s1', 'Management.Plugin.Upload', '{"ip": "127.0.0.1", "key": "Management.Plugin.Upload", "digest": "sha256:6b2c493ed46cc46c354b46b3052b11a409983160b5b40e4f91b6ddb1785fe342", "plugin": "ticket", "result": "Success", "version": "1", "takeOver": false, "activated": false, "requestId": "ozy4qo439xrogtnn", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030982731, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3klqkuabie9agu2z', 'Management.PersonalAccessToken.Create', '{"ip": "127.0.0.1", "key": "Management.PersonalAccessToken.Create", "result": "Success", "userId": "v5sv5mmr3qr4", "requestId": "f8cqpyzsdflsa6s4", "tokenName": "laptop", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030982741, 'v5sv5mmr3qr4', 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3kqjicio8hw86zq8', 'Management.Connector.Create', '{"ip": "127.0.0.1", "key": "Management.Connector.Create", "result": "Success", "replaced": 0, "factoryId": "http-email", "requestId": "92qrv8cn85ux34o8", "userAgent": "Python-urllib/3.11", "connectorId": "a82f81ziim34aeeozni32", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030982746, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3kw9d7bukgdv8056', 'Management.SsoConnector.Create', '{"ip": "127.0.0.1", "key": "Management.SsoConnector.Create", "result": "Success", "domains": ["acme.example"], "requestId": "32qi0itbhy7pbbuo", "userAgent": "Python-urllib/3.11", "providerName": "OIDC", "applicationId": "ul0uk01n1oqjdcjtvao8z", "ssoConnectorId": "2o3fa5in8kdyk5q9ruxvz", "signsInAdministrators": false}', 1796030982752, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3l1a4429ppk2sw5g', 'Management.User.LinkIdentity', '{"ip": "127.0.0.1", "key": "Management.User.LinkIdentity", "result": "Success", "target": "github", "userId": "v5sv5mmr3qr4", "requestId": "3vhlsvby6g8eulvs", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030982757, 'v5sv5mmr3qr4', 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3mxcddfc94xlupqt', 'Management.OneTimeToken.Create', '{"ip": "127.0.0.1", "key": "Management.OneTimeToken.Create", "email": "keeper@example.com", "result": "Success", "requestId": "lcidiz04f3q5k0dk", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z", "oneTimeTokenId": "mx32h3mx0yhtgo6zjhwyh"}', 1796030982825, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3n4j7mkyjq8g2epw', 'Management.VerificationCode.Create', '{"ip": "127.0.0.1", "key": "Management.VerificationCode.Create", "type": "email", "result": "Success", "requestId": "yomdeacushc8asdk", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030982832, NULL, 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3w4soii66e0dd6h2', 'Interaction.End', '{"ip": "127.0.0.1", "key": "Interaction.End", "result": "Success", "userId": "v5sv5mmr3qr4", "requestId": "u4ru5n13fxx7vbgz", "userAgent": "Python-urllib/3.11", "applicationId": "wcsswudnbvknkk355ez3a", "interactionId": "4j8hy4j5um8bmz75ktuk6"}', 1796030983156, 'v5sv5mmr3qr4', 'wcsswudnbvknkk355ez3a', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3m2m10l5lt68x10f', 'Management.User.Create', '{"ip": "127.0.0.1", "key": "Management.User.Create", "result": "Success", "userId": "rvyhhasx4hi2", "requestId": "urfz28rbu3452lp9", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030982794, 'rvyhhasx4hi2', 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3vlv6jy9uuttrfdw', 'Interaction.SignIn.Verification.Password.Submit', '{"ip": "127.0.0.1", "key": "Interaction.SignIn.Verification.Password.Submit", "result": "Success", "userId": "v5sv5mmr3qr4", "requestId": "fu4ihudwn00pg3pd", "userAgent": "Python-urllib/3.11", "applicationId": "wcsswudnbvknkk355ez3a", "interactionId": "4j8hy4j5um8bmz75ktuk6", "verificationId": "5he51uxweoo3vjizyctky"}', 1796030983137, 'v5sv5mmr3qr4', 'wcsswudnbvknkk355ez3a', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3vq4ya68rvhp4psx', 'Interaction.SignIn.Submit', '{"ip": "127.0.0.1", "key": "Interaction.SignIn.Submit", "result": "Success", "userId": "v5sv5mmr3qr4", "requestId": "fu4ihudwn00pg3pd", "sessionId": "60j9v398rpyauij8f5sco", "userAgent": "Python-urllib/3.11", "applicationId": "wcsswudnbvknkk355ez3a", "interactionId": "4j8hy4j5um8bmz75ktuk6"}', 1796030983142, 'v5sv5mmr3qr4', 'wcsswudnbvknkk355ez3a', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3m8st216lbtofp4v', 'Management.User.AddMfaFactor', '{"ip": "127.0.0.1", "key": "Management.User.AddMfaFactor", "type": "Totp", "result": "Success", "userId": "rvyhhasx4hi2", "factorId": "wb6bxv8o4ny67lovsb0s5", "requestId": "okg65jl40x1ll5kl", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030982800, 'rvyhhasx4hi2', 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3n91sl8axil88tht', 'Management.SubjectToken.Create', '{"ip": "127.0.0.1", "key": "Management.SubjectToken.Create", "result": "Success", "userId": "tmwxarngdxac", "context": {"reason": "a stuck order", "ticketId": "TECH-1234"}, "requestId": "fzlc42beea6fd1oe", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z", "subjectTokenId": "mx32h3n8pm8ft1ioj9sj3"}', 1796030982837, 'tmwxarngdxac', 'ul0uk01n1oqjdcjtvao8z', NULL, 'TECH-1234');
INSERT INTO public.logs VALUES ('mx32h3ml8vsf9omq55mit', 'Management.User.AddMfaFactor', '{"ip": "127.0.0.1", "key": "Management.User.AddMfaFactor", "type": "BackupCode", "result": "Success", "userId": "rvyhhasx4hi2", "factorId": "b2mpdk3gntd605ql7shnz", "requestId": "cgr4a8ddouu7sx5y", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z"}', 1796030982813, 'rvyhhasx4hi2', 'ul0uk01n1oqjdcjtvao8z', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3nedpl74vll4g6hr', 'Management.SubjectToken.Create', '{"ip": "127.0.0.1", "key": "Management.SubjectToken.Create", "result": "Success", "userId": "tmwxarngdxac", "context": {"reason": "a stuck order", "ticketId": "TECH-1234"}, "requestId": "4f4005dm5i491bov", "userAgent": "Python-urllib/3.11", "applicationId": "ul0uk01n1oqjdcjtvao8z", "subjectTokenId": "mx32h3ne73w86noz7wb9p"}', 1796030982842, 'tmwxarngdxac', 'ul0uk01n1oqjdcjtvao8z', NULL, 'TECH-1234');
INSERT INTO public.logs VALUES ('mx32h3nk9fyb8gsqu8hbi', 'ExchangeTokenBy.TokenExchange', '{"ip": "127.0.0.1", "jti": "mx32h3nkc7aafh7rr4eb7", "key": "ExchangeTokenBy.TokenExchange", "result": "Success", "userId": "tmwxarngdxac", "context": {"reason": "a stuck order", "ticketId": "TECH-1234"}, "plugins": [{"digest": "sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496", "plugin": "jwt-access-token", "outcome": "ok", "generation": 2}], "resource": "https://api.example.com", "requestId": "k5mussv7h5iy0t9x", "userAgent": "Python-urllib/3.11", "applicationId": "u4vufebuc5xgoa5sengcs", "subjectTokenId": "mx32h3n8pm8ft1ioj9sj3", "applicationSecret": {"name": "Default secret"}}', 1796030982848, 'tmwxarngdxac', 'u4vufebuc5xgoa5sengcs', NULL, 'TECH-1234');
INSERT INTO public.logs VALUES ('mx32h3t38dfhwx68xm4ho', 'ExchangeTokenBy.Operator', '{"by": "operator", "jti": "mx32h3t34a32wqr6rgcne", "key": "ExchangeTokenBy.Operator", "result": "Success", "userId": "tmwxarngdxac", "plugins": [{"digest": "sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496", "plugin": "jwt-access-token", "outcome": "ok", "generation": 1}], "applicationId": "u4vufebuc5xgoa5sengcs"}', 1796030983047, 'tmwxarngdxac', 'u4vufebuc5xgoa5sengcs', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3uszrjlupinrx4ef', 'Interaction.SignIn.Update', '{"ip": "127.0.0.1", "key": "Interaction.SignIn.Update", "result": "Success", "requestId": "fu4ihudwn00pg3pd", "userAgent": "Python-urllib/3.11", "applicationId": "wcsswudnbvknkk355ez3a", "interactionId": "4j8hy4j5um8bmz75ktuk6"}', 1796030983108, NULL, 'wcsswudnbvknkk355ez3a', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3vpqvdez5nji6txw', 'Interaction.SignIn.Identifier.Submit', '{"ip": "127.0.0.1", "key": "Interaction.SignIn.Identifier.Submit", "result": "Success", "userId": "v5sv5mmr3qr4", "requestId": "fu4ihudwn00pg3pd", "userAgent": "Python-urllib/3.11", "applicationId": "wcsswudnbvknkk355ez3a", "interactionId": "4j8hy4j5um8bmz75ktuk6"}', 1796030983141, 'v5sv5mmr3qr4', 'wcsswudnbvknkk355ez3a', NULL, NULL);
INSERT INTO public.logs VALUES ('mx32h3waksmqlu3y6myjc', 'ExchangeTokenBy.AuthorizationCode', '{"ip": "127.0.0.1", "jti": "mx32h3was8bd45er89nwx", "key": "ExchangeTokenBy.AuthorizationCode", "result": "Success", "userId": "v5sv5mmr3qr4", "grantId": "eswzu0i6cj04zat4zxcsu", "plugins": [{"digest": "sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496", "plugin": "jwt-access-token", "outcome": "ok", "generation": 2}], "requestId": "f7mdteheg8bbm4vk", "sessionId": "60j9v398rpyauij8f5sco", "userAgent": "Python-urllib/3.11", "applicationId": "wcsswudnbvknkk355ez3a"}', 1796030983162, 'v5sv5mmr3qr4', 'wcsswudnbvknkk355ez3a', NULL, NULL);
INSERT INTO public.member_counts OVERRIDING SYSTEM VALUE VALUES (1, 'vkn67rqsxavz', 1, false);
INSERT INTO public.messages VALUES (1, 'msg_quk5h5ycjp2c0syipwpo7', 'Email', 'keeper@example.com', 'Generic', 'en', 'QBcjAsqG84gnJmHQaLHHSwUEiIbp29Zca0CcAaI5D6uulvHw/OE2xCJAzDel+U++Xw==', '64888be82cd750fef835edbd9ec3d3e586ef544c336673bf39884f3bb14a0e10', 1796031582832, false, 'pending', 1796030986775, NULL, 1, 'requests to 127.0.0.1 are not allowed: 127.0.0.1 is loopback, and not in egress.allowed_networks', 1796030982832, NULL);
INSERT INTO public.mfa_factors VALUES ('wb6bxv8o4ny67lovsb0s5', 'rvyhhasx4hi2', 'Totp', 'QBcjAitYJUY9GP07dnLsH49cD2Ee2+tNiFN89607v08WmQrpQhWXzvtGFu/7UepBM63kUHtrKKwkbIdNcXZXRQ==', 1796030982800, NULL, NULL);
INSERT INTO public.mfa_factors VALUES ('b2mpdk3gntd605ql7shnz', 'rvyhhasx4hi2', 'BackupCode', 'QBcjAgh34wtWEpW1oVlpN1CGPPIYi3hOlfvMInf5hojb+7DtoFGPiwExb0ZQfJGWnT/3vZb4DKNLkCnW2//b2ur/JM1IJexCziRaWIgkT8oawPyX5dgDcKJmibWGKdJZKqliO4hoyqv3sEtNupLmMGqy7j0XBCONFWonMzhCxOaH7WFpQCZp/ckWsWhWPBtLnSsIQ2p+eL+bKu+Krv32UR/zuts/9rUDyBVoJci8uXiIy8BsTsrEpLU2ds9HRqHtZkbVGgJvBrJbnVlFvvo8wL34DQ3BqYCa5q/HYqfQPFlcUEEeVA48uVqc0LaJ89mOG+PWrXpkyHPCgJ0zDF1zCF4lwZwywaR1E+0XgEDS+0NsaE+dzpEmfwMm+xul8z2Ku9LTx7wFEslFx+73vGqxfqF0uh9nlXg5Wl661EJAjTpT7wOcxBNJRNyyA34Lpn0u0uBm+umSMzDJbIgYejJG0oPs77Untic1Ph2gGfa14sYRZkQW6Vjl9aRVTdBH9wsY+z8Fl4S0NnkAV84cf2tyGC7G215DWBAJ0b+t6+hRk+zZIiC6canLet91MTu49tozL4akfpoPoetKqy8aZy7WV64YzKS5JCP3GKSv/YgpXAAHJ0JzFuYUHHwUxu6VyUOgfPXS75jzoCEkALltt6EVZipdYh+txRNMU0fVYa5VYJNRyWt06zdemb4Y/fmKRgA8N65mzpnWSJgpJ99ZChbhv2h9tD0FsYqVk1AfGE+mUI25ab3jMtpW5rkgN6It117DFAdtCh7zeR3/r+7AQTpJPPrRycZqM3DZmAMAzmu+dX546BjtWeBSGj6kk8BsQGHJrQeDUqYJnCkzlyY6+RH36Ug1g2CR5+BZ/EK7vml3Fxcex0KP1Bu50bOgZS6dj4Cnx5yYBYowqDfkOO1qPfRwVjzPPare4byzEx306iSSYycyx1+XTuZWr0MlEcNCPoioffnukavQEi49cBz16+14BcHtl9ABe5cEHXXI4mNr93mpVCV/icKX6UoJCxhdsvYa9OwhtNrPpTlHnH5HM6tOqQomqbmQiZpquo10NUCVLiIFMyBd2K6P9oi9vsab', 1796030982813, NULL, NULL);
INSERT INTO public.one_time_tokens VALUES ('mx32h3mx0yhtgo6zjhwyh', 'keeper@example.com', '482cd705d7426c9e50424e0c634ee12ae4e5c7dd3f6480d4e2743e69f756f311', '{}', 'active', 1796030982825, 1796117382825);
INSERT INTO public.organization_invitations VALUES ('wtubbolha7jskhps5otuv', 'vkn67rqsxavz', NULL, 'guest@example.com', NULL, 'Pending', 1796030975329, 1796030975329, 1796117375328, 'QBcjAm7wPmJ+mjENgCopJ/XFs7M20nYJw7c9YYAk+Vj0XufomaNmMQoRL93i55ef+H0rA9PNdrAAjcWOQy1in4r8iRmPzVo/8gfi');
INSERT INTO public.organization_users VALUES ('vkn67rqsxavz', 'v5sv5mmr3qr4');
INSERT INTO public.organizations VALUES ('vkn67rqsxavz', 'Keepers', NULL, '{"plan": "team"}', false, 1796030975320, '{}', '{}', NULL, 'vkn67rqsxavz keepers');
INSERT INTO public.personal_access_tokens VALUES ('v5sv5mmr3qr4', 'laptop', '5f0c6dfbeaaa936b68fd73b5837e9b8b3f6cbeb99e8ad02f95f58fba09505d74', 1796030982741, NULL);
INSERT INTO public.plugin_calls VALUES (1796030940000, 'jwt-access-token', 'sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496', 'a4s74x0syeadk75ypabpa', 2, 0, 0, NULL, NULL, NULL);
INSERT INTO public.plugin_versions VALUES ('jwt-access-token', 1, 'sha256:2ed2f7a33eb37d39bf1aa111d2000fe831cbb68432917c9cc23812393ac85496', 'javascript', '\x636f6e737420676574437573746f6d4a7774436c61696d73203d206173796e6320287b20636f6e746578742c20656e7669726f6e6d656e745661726961626c6573207d29203d3e20287b0a20207469636b65743a20636f6e746578742e6772616e743f2e7375626a656374546f6b656e436f6e746578743f2e7469636b65744964203f3f206e756c6c2c20726567696f6e3a20656e7669726f6e6d656e745661726961626c65732e524547494f4e2c0a7d293b', 179, '{"kind": "claims", "world": "claimsmith:plugin/claims", "imports": ["wasi:io/poll", "wasi:clocks/monotonic-clock", "wasi:clocks/wall-clock", "wasi:io/error", "wasi:io/streams", "wasi:cli/stdout", "wasi:cli/stderr", "wasi:cli/stdin", "wasi:cli/environment", "wasi:cli/exit", "wasi:cli/terminal-input", "wasi:cli/terminal-output", "wasi:cli/terminal-stdin", "wasi:cli/terminal-stdout", "wasi:cli/terminal-stderr", "wasi:filesystem/types", "wasi:filesystem/preopens", "wasi:random/insecure-seed", "claimsmith:plugin/log", "claimsmith:plugin/http", "claimsmith:plugin/random", "claimsmith:plugin/types"], "instructions": null}', NULL, NULL, 'ul0uk01n1oqjdcjtvao8z', 1796030982680);
INSERT INTO public.plugin_versions VALUES ('ticket', 1, 'sha256:6b2c493ed46cc46c354b46b3052b11a409983160b5b40e4f91b6ddb1785fe342', 'wasm', '\x0061736d0d0001000746014204016d0405646562756704696e666f047761726e056572726f720400056c6576656c030000014002056c6576656c01076d657373616765730100040005777269746501020a2001001b636c61696d736d6974683a706c7567696e2f6c6f6740312e302e30050007ef0101420e01730400046a736f6e030000016b01017202047479706573157375626a6563742d746f6b656e2d636f6e74657874020400056772616e74030003016b04017205056772616e74050475736572020b6170706c69636174696f6e020c6f7267616e697a6174696f6e020b696e746572616374696f6e02040007636f6e74657874030006016f02737301700801720305746f6b656e0107636f6e746578740715656e7669726f6e6d656e742d7661726961626c65730904000e636c61696d732d7265717565737403000a0171020664656e696564017300066661696c65640173000400076661696c75726503000c0a2201001d636c61696d736d6974683a706c7567696e2f747970657340312e302e3005010613010300010e636c61696d732d726571756573740a1401000e636c61696d732d72657175657374030002060c01030001076661696c7572650a0d0100076661696c757265030004060901030001046a736f6e0a0a0100046a736f6e03000601901c0061736d01000000012d0860037f7f7f0060000060017f017f60027f7f017f60017f0060037f7f7f017f60047f7f7f7f017f60027f7f000225011b636c61696d736d6974683a706c7567696e2f6c6f6740312e302e30057772697465000003121101010203000204030301010504060702010405017001010105030100050608017f01418080100b076105066d656d6f727902000b5f696e697469616c697a6500021f636162695f706f73745f6765742d637573746f6d2d6a77742d636c61696d73000d0c636162695f7265616c6c6f63000e156765742d637573746f6d2d6a77742d636c61696d7300100ac9191102000b2300024041002802a080908000450d00000b410041013602a0809080001081808080000b3a01017f0240200041106a41041084808080002201450d0020012000ad420586420484370308200141106a0f0b410041303602a48090800041000be80101037f410021020240417f200041046a220320032000491b220041012001742201200020014b1b2201417f6a672200450d0002400240412020006b220041ffff0371417d6a2203410d4f0d0042012000ad42ffff038386a72104200341027422002802dc809080002201450d01200041dc809080006a200420016a417c6a28020036020020010f0b2001418380046a41107610868080800021020c010b200041a8809080006a2101024020002802a880908000220041ffff03710d0041011086808080002200450d012001200020046a36020020000f0b2001200020046a36020020000f0b20020ba60101017f02404120200141046a220141012002742202200120024b1b2202417f6a676b220141ffff0371417d6a2203410d4f0d00200042012001ac86a76a417c6a200341027422022802dc80908000360200200220003602dc809080000f0b2000420141202002418380046a411076417f6a676b2202ad42ffff038386a74110746a417c6a200241ffff037141027422022802908190800036020020022000360290819080000b6401027f420141202000417f6a676b2200ad42ffff038386a721010240200041ffff03714102742202280290819080002200450d0020024190819080006a200141107420006a417c6a28020036020020000f0b41002001400022004110742000417f461b0b3402017e027f02402000450d0020004101200041786a2903002201a722027422036b20032001420588a76a20021085808080000b0b800302017e087f024020010d00200010878080800041000f0b024020000d0020011083808080000f0b417f4101200041786a2903002202a7220374220420016a220541046a220620062005491b22062004200620044b1b2106200020046b2107024002400240024020042002420588a722086a220941046a220a2004200a20044b1b220a418080024b0d002006417f6a672206450d0142014120200a417f6a676bad42ffff038386a74201412020066bad42ffff038386a7470d010c020b42014120200a418380046a411076417f6a676bad42ffff038386a7420141202006418380046a411076417f6a676bad42ffff038386a7460d010b0240200520031084808080002205450d00200520046a210502402001200820012008491b2206450d00410021040340200520046a200020046a2d00003a0000200441016a22042006490d000b0b2007200920031085808080000c020b410041303602a48090800041000f0b200720046a21050b200541786a2002421f832001ad4205868437030020050b6402017e017f0240024002402000ad2001ad7e2202422088a70d002002a7220310838080800022000d01410021000c020b410041303602a48090800041000f0b41002101034020032001460d01200020016a41003a0000200141016a21010c000b0b20000b0300000b02000bb00a010b7f23808080800041106b2203248080808000410021044100210541002106024002400240024020002d00084101470d0041002104410021054100210620002d00144101470d0020002802182205450d01200028021c2206450d0120052d000041fb00470d0120064102490d01200520066a2204417f6a2107200541016a21082004417e6a21090340024020082d000022054122460d00200541fd00460d03200841016a22082004490d010c030b024002400240200841016a220a20044f0d00200a210503400240024020082d0001220641dc00460d002005210520064122470d012008200a6b41016a210b200841026a220c20044f0d05200920086b2105034002400240200c2d0000220841776a220641174b0d0041012006744193808004710d010b2008413a470d070b200c41016a210c2005417f6a22050d000c050b0b200841026a21050b20052108200541016a22052004490d000b0b2007200a6b210b0b2004210c0b4100210d200c21080340024002400240200822062004490d00200421080c010b024020062d000022054122470d00200421080240200641016a220520044f0d0003400240024020062d0001220841dc00460d002005210520084122470d01200641026a21080c030b200641026a21050b20052106200541016a22052004490d000b200421080b200d0d030c010b02400240024002400240200d0d00410021080240200541a57f6a0e03020504000b200541857f6a0e03010403020b200541207241fb00460d00200d21080c030b200d41016a21080c020b2005412c470d010b200621080c010b0240200541207241fd00460d002008210d0c020b2008417f6a220d0d01200641016a21080b02400240200b4108470d00200a29000042f4d28ddbd68cdda4e400510d010b200820044f0d050c030b200c450d0420032008200c6b220236020c2003200c3602084101200341086a108f808080004100210d419d80908000210a024020002802542206450d002000280250210502400340024020052802002204450d00200541046a2802004106470d00200428000041d0a495b20473200441046a2f000041c9b0017372450d020b200541106a21052006417f6a22060d000c020b0b2005410c6a280200210d200541086a280200210a0b41c4001083808080002206450d05200641fbc4003b0000024002400240200d41026a220541c500490d002006200541017441c0006a220410888080800022060d010c080b41c4002104200d450d010b200d450d00200641026a200a200dfc0a00000b0240200d410b6a220020044d0d002006200041017441c0006a22041088808080002206450d060b200620056a220541002d008b809080003a000820054100290083809080003700000240200d410d6a220d20044d0d002006200d41017441c0006a22041088808080002206450d060b200620006a41a2f4003b00000240200d20026a220520044d0d002006200541017441c0006a22041088808080002206450d060b2008200c460d032002450d032006200d6a200c2002fc0a00000c030b200641016a21080c000b0b0b02404101410220051b220d20056a220820044d0d002006200841017441c0006a1088808080002206450d020b0240200d450d00200620056a41818090800041808090800020051b200dfc0a00000b2001200836020420012006360200410121050c020b41002105200241003a0000410141111089808080002206450d00200241103602082002200636020420064100290095809080003700082006410029008d809080003700000c010b108a80808000000b200341106a24808080800020050b5e01017f024002400240024020002d00000e020001030b2000280208450d02410421010c010b02400240024020002d00040e020001040b200028020c0d010c030b200028020c450d020b410821010b200020016a2802001087808080000b0b210002402003450d002000200310888080800022020d00108a80808000000b20020b14002000200128020020012802041080808080000bf90401137f23808080800041f0006b2201248080808000410021020240024020002d00084101460d00410021030c010b0240024020002d00144101460d00410021040c010b200028021c210520002802182106410121040b20002802102107200028020c2108410121030b0240024020002d00204101460d000c010b200028022821092000280224210a410121020b4100210b0240024020002d002c4101460d004100210c0c010b2000280234210d2000280230210e4101210c0b0240024020002d00384101460d000c010b2000280240210f200028023c21104101210b0b410121110240024020002d00444101460d00410021110c010b200028024c2112200028024821130b2001201236026420012013360260200120113a005c2001200f360258200120103602542001200b3a00502001200d36024c2001200e3602482001200c3a0044200120093602402001200a36023c200120023a00382001200536023420012006360230200120043a002c2001200736022820012008360224200120033a00202001200029020037021820012000290250370268200141186a200141106a200141046a108c8080800021022001280214210b20012802102111200128020c2108200128020821072001280204210320001087808080000240024020020d00410041013a00d48190800002400240200341ff01710e020001030b410020083602e081908000410020073602dc81908000410041003a00d8819080000c020b410020083602e081908000410041013a00d881908000410020073602dc819080000c010b4100200b3602dc81908000410020113602d881908000410041003a00d4819080000b200141f0006a24808080800041d4819080000b0800108b808080000b0b260100418080100b1e7b7d007469636b65745f6964004e616d6520746865207469636b65742e00002f0970726f647563657273010c70726f6365737365642d6279010d7769742d636f6d706f6e656e7407302e3235382e3301700061736d0100000001070160037f7f7f000302010004050170010101071002013000000824696d706f72747301000a0f010d0020002001200241001100000b002f0970726f647563657273010c70726f6365737365642d6279010d7769742d636f6d706f6e656e7407302e3235382e33020401000100060701000001000130022c02010105777269746500000000011b636c61696d736d6974683a706c7567696e2f6c6f6740312e302e301201060c0100020102066d656d6f72790185010061736d01000000010a0260037f7f7f006000000232030661637475616c01300000046d61696e0b5f696e697469616c697a650001047368696d0824696d706f72747301700101010801010907010041000b0100002f0970726f647563657273010c70726f6365737365642d6279010d7769742d636f6d706f6e656e7407302e3235382e33060a01010000057772697465080801010000020300000221020101013000010002030661637475616c1203046d61696e1202047368696d12000713026a010701054001077265717565737403000806500300000102156765742d637573746f6d2d6a77742d636c61696d73000001020c636162695f7265616c6c6f63000001021f636162695f706f73745f6765742d637573746f6d2d6a77742d636c61696d73080d010000020403000403000504090b1b0100156765742d637573746f6d2d6a77742d636c61696d73010100008d050e636f6d706f6e656e742d6e616d6501a101000005002a696e6469726563742d636c61696d736d6974683a706c7567696e2f6c6f6740312e302e302d7772697465012a696e6469726563742d636c61696d736d6974683a706c7567696e2f6c6f6740312e302e302d777269746502156765742d637573746f6d2d6a77742d636c61696d73030c636162695f7265616c6c6f63041f636162695f706f73745f6765742d637573746f6d2d6a77742d636c61696d73010b00020100066d656d6f7279013900110300046d61696e01197769742d636f6d706f6e656e742d7368696d2d6d6f64756c6502137769742d636f6d706f6e656e742d66697875700152001205001b7769742d636f6d706f6e656e742d7368696d2d696e7374616e6365011b636c61696d736d6974683a706c7567696e2f6c6f6740312e302e3002046d61696e030661637475616c04056669787570013e0502001b636c61696d736d6974683a706c7567696e2f6c6f6740312e302e30011d636c61696d736d6974683a706c7567696e2f747970657340312e302e30013701030005777269746501156765742d637573746f6d2d6a77742d636c61696d7302156765742d637573746f6d2d6a77742d636c61696d730182010308001e74792d636c61696d736d6974683a706c7567696e2f6c6f6740312e302e30012074792d636c61696d736d6974683a706c7567696e2f747970657340312e302e30020e636c61696d732d72657175657374030e636c61696d732d7265717565737404076661696c75726505076661696c75726506046a736f6e07046a736f6e013e0502001b636c61696d736d6974683a706c7567696e2f6c6f6740312e302e30011d636c61696d736d6974683a706c7567696e2f747970657340312e302e30002f0970726f647563657273010c70726f6365737365642d6279010d7769742d636f6d706f6e656e7407302e3235382e33', 5324, '{"kind": "claims", "world": "claimsmith:plugin/claims", "imports": ["claimsmith:plugin/log", "claimsmith:plugin/types"], "instructions": null}', NULL, NULL, 'ul0uk01n1oqjdcjtvao8z', 1796030982732);
INSERT INTO public.plugins VALUES ('jwt-access-token', '{"order": 0, "limits": {"memory_mib": null, "output_kib": null, "deadline_ms": null}, "enabled": true, "secrets": {}, "on_error": "skip", "resources": null, "environment": {"REGION": "eu"}, "grant_types": null, "token_kinds": ["access-token"], "applications": null, "capabilities": {}}', NULL, 1, 1, 1, '{"script": "const getCustomJwtClaims = async ({ context, environmentVariables }) => ({\n  ticket: context.grant?.subjectTokenContext?.ticketId ?? null, region: environmentVariables.REGION,\n});", "environmentVariables": {"REGION": "eu"}}', 1796030982680, 1796030982680);
INSERT INTO public.plugins VALUES ('ticket', '{}', NULL, NULL, 1, 1, NULL, 1796030982732, 1796030982732);
INSERT INTO public.refresh_tokens VALUES ('17dfe4d03f28364b2246f460367b0698aaee765e4664c5110cec709bfb8766f2', 'eswzu0i6cj04zat4zxcsu', 'v5sv5mmr3qr4', 'wcsswudnbvknkk355ez3a', '{"amr": ["pwd"], "nonce": null, "scope": ["openid", "offline_access"], "authTime": 1796030983, "acrValues": [], "consented": null, "resources": [], "sessionId": "60j9v398rpyauij8f5sco", "interaction": {"userId": "v5sv5mmr3qr4", "interactionEvent": "SignIn", "verificationRecords": [{"id": "5he51uxweoo3vjizyctky", "type": "Password", "verified": true, "identifier": {"type": "username", "value": "keeper"}}]}, "redirectUri": "https://shop.example.com/callback", "codeChallenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "resourceScope": []}', 'bkubta4alypkofcs4rm9b', true, NULL, 1796030983162, 1797240583161, NULL, NULL);
INSERT INTO public.resources VALUES ('a9f4kxoxcya67sp0wtvfu', 'Claimsmith Management API', 'http://127.0.0.1:3001/api', false, 3600, 1796030971123);
INSERT INTO public.resources VALUES ('dtrhyytuyz16gds9zf27t', 'Example API', 'https://api.example.com', false, 3600, 1796030971123);
INSERT INTO public.resources VALUES ('claimsmith-console', 'Claimsmith console', 'http://127.0.0.1:3001/console', false, 3600, 1796030971123);
INSERT INTO public.resources VALUES ('uquy9wn41r1iic5vmyy03', 'Shop', 'https://shop.example.com/api', false, 3600, 1796030975218);
INSERT INTO public.revisions VALUES ('plugin_logs', 0);
INSERT INTO public.revisions VALUES ('authorization', 6);
INSERT INTO public.revisions VALUES ('plugins', 2);
INSERT INTO public.role_scopes VALUES ('q5rljr156a3vghrcutv53', 's5pf526vw3j7gg75z9q35');
INSERT INTO public.role_scopes VALUES ('bfj6ny47gad80273bf3z8', 'i2fok4khy5e28l9moxzbj');
INSERT INTO public.role_scopes VALUES ('bfj6ny47gad80273bf3z8', 'uoaigufel0jcz72yb0166');
INSERT INTO public.role_scopes VALUES ('fjujjvl4dbedmmx989hc7', 'i2fok4khy5e28l9moxzbj');
INSERT INTO public.role_scopes VALUES ('claimsmith-console-role-read', 'claimsmith-console-scope-read');
INSERT INTO public.role_scopes VALUES ('claimsmith-console-role-support', 'claimsmith-console-scope-support');
INSERT INTO public.role_scopes VALUES ('claimsmith-console-role-developer', 'claimsmith-console-scope-developer');
INSERT INTO public.role_scopes VALUES ('claimsmith-console-role-admin', 'claimsmith-console-scope-admin');
INSERT INTO public.role_scopes VALUES ('xhy396405tqjp2mcgvazw', 'royn9avdt8yphgoh3f7ae');
INSERT INTO public.roles VALUES ('q5rljr156a3vghrcutv53', 'Management API access', 'Management API access', 'MachineToMachine', false, 1796030971123, 'management api access', 'management api access');
INSERT INTO public.roles VALUES ('bfj6ny47gad80273bf3z8', 'customer', 'customer', 'User', false, 1796030971123, 'customer', 'customer');
INSERT INTO public.roles VALUES ('fjujjvl4dbedmmx989hc7', 'support-engineer', 'support-engineer', 'User', false, 1796030971123, 'support-engineer', 'support-engineer');
INSERT INTO public.roles VALUES ('claimsmith-console-role-read', 'Console: reader', 'See everything in the console but configuration.', 'User', false, 1796030971123, 'console: reader', 'see everything in the console but configuration.');
INSERT INTO public.roles VALUES ('claimsmith-console-role-support', 'Console: support', 'Help users: unlock, suspend, end sessions, impersonate.', 'User', false, 1796030971123, 'console: support', 'help users: unlock, suspend, end sessions, impersonate.');
INSERT INTO public.roles VALUES ('claimsmith-console-role-developer', 'Console: developer', 'Change applications, resources, webhooks and plugins.', 'User', false, 1796030971123, 'console: developer', 'change applications, resources, webhooks and plugins.');
INSERT INTO public.roles VALUES ('claimsmith-console-role-admin', 'Console: administrator', 'Do everything in the console.', 'User', false, 1796030971123, 'console: administrator', 'do everything in the console.');
INSERT INTO public.roles VALUES ('xhy396405tqjp2mcgvazw', 'shopper', 'Shops', 'User', false, 1796030975310, 'shopper', 'shops');
INSERT INTO public.scopes VALUES ('s5pf526vw3j7gg75z9q35', 'a9f4kxoxcya67sp0wtvfu', 'all', 'Everything the Management API offers.', 1796030971123, 'all', 'everything the management api offers.');
INSERT INTO public.scopes VALUES ('xevor26sficvbjb18nhen', 'a9f4kxoxcya67sp0wtvfu', 'users:read', 'Read users and their roles.', 1796030971123, 'users:read', 'read users and their roles.');
INSERT INTO public.scopes VALUES ('140dt9uns6rdfiwun34kb', 'a9f4kxoxcya67sp0wtvfu', 'users:write', 'Create, change and delete users.', 1796030971123, 'users:write', 'create, change and delete users.');
INSERT INTO public.scopes VALUES ('6bz4aga3b384ry8e5aehi', 'a9f4kxoxcya67sp0wtvfu', 'roles:read', 'Read roles.', 1796030971123, 'roles:read', 'read roles.');
INSERT INTO public.scopes VALUES ('t6f18vzrf4uastui5x8t3', 'a9f4kxoxcya67sp0wtvfu', 'roles:write', 'Create, change and delete roles, and assign them.', 1796030971123, 'roles:write', 'create, change and delete roles, and assign them.');
INSERT INTO public.scopes VALUES ('hdmzfpksp6i9z4yelwlxf', 'a9f4kxoxcya67sp0wtvfu', 'resources:read', 'Read API resources and their scopes.', 1796030971123, 'resources:read', 'read api resources and their scopes.');
INSERT INTO public.scopes VALUES ('bcgpb8khtp7oq9jbb7nrj', 'a9f4kxoxcya67sp0wtvfu', 'resources:write', 'Create, change and delete API resources and their scopes.', 1796030971123, 'resources:write', 'create, change and delete api resources and their scopes.');
INSERT INTO public.scopes VALUES ('2cztvu8bsvjlbip3t5276', 'a9f4kxoxcya67sp0wtvfu', 'applications:read', 'Read applications.', 1796030971123, 'applications:read', 'read applications.');
INSERT INTO public.scopes VALUES ('zkbm2hqaykubf337q8em3', 'a9f4kxoxcya67sp0wtvfu', 'applications:write', 'Create, change and delete applications and their secrets.', 1796030971123, 'applications:write', 'create, change and delete applications and their secrets.');
INSERT INTO public.scopes VALUES ('w8v7g0qp1e5u77tm5h1pr', 'a9f4kxoxcya67sp0wtvfu', 'organizations:read', 'Read organizations, their members, roles, scopes and invitations.', 1796030971123, 'organizations:read', 'read organizations, their members, roles, scopes and invitations.');
INSERT INTO public.scopes VALUES ('w2duanepu81mvoofvt1du', 'a9f4kxoxcya67sp0wtvfu', 'organizations:write', 'Create, change and delete organizations, their members, roles, scopes and invitations.', 1796030971123, 'organizations:write', 'create, change and delete organizations, their members, roles, scopes and invitations.');
INSERT INTO public.scopes VALUES ('eaw26565ee2ld4987k679', 'a9f4kxoxcya67sp0wtvfu', 'hooks:read', 'Read webhooks and their deliveries.', 1796030971123, 'hooks:read', 'read webhooks and their deliveries.');
INSERT INTO public.scopes VALUES ('ub00m5e1kzavt3zf68gjs', 'a9f4kxoxcya67sp0wtvfu', 'hooks:write', 'Create, change and delete webhooks.', 1796030971123, 'hooks:write', 'create, change and delete webhooks.');
INSERT INTO public.scopes VALUES ('lsg66zp6ocf32zske67yd', 'a9f4kxoxcya67sp0wtvfu', 'configs:read', 'Read the configuration kept in the database, such as signing keys.', 1796030971123, 'configs:read', 'read the configuration kept in the database, such as signing keys.');
INSERT INTO public.scopes VALUES ('engqukv8rmnpq44s0nezt', 'a9f4kxoxcya67sp0wtvfu', 'configs:write', 'Change the configuration kept in the database, such as signing keys.', 1796030971123, 'configs:write', 'change the configuration kept in the database, such as signing keys.');
INSERT INTO public.scopes VALUES ('2oy29rlbxxk9wr4i5t49u', 'a9f4kxoxcya67sp0wtvfu', 'logs:read', 'Read the audit log and the dashboard.', 1796030971123, 'logs:read', 'read the audit log and the dashboard.');
INSERT INTO public.scopes VALUES ('b9v94iz7tey7oylaaqw46', 'a9f4kxoxcya67sp0wtvfu', 'subject-tokens:read', 'Read which subject tokens are live, and who acted for whom.', 1796030971123, 'subject-tokens:read', 'read which subject tokens are live, and who acted for whom.');
INSERT INTO public.scopes VALUES ('6j6nc7bfhlnv6q2htv7ml', 'a9f4kxoxcya67sp0wtvfu', 'subject-tokens:write', 'Ask for subject tokens, revoke them, and end impersonations.', 1796030971123, 'subject-tokens:write', 'ask for subject tokens, revoke them, and end impersonations.');
INSERT INTO public.scopes VALUES ('zjxutatwbpmvvfee4bhxa', 'a9f4kxoxcya67sp0wtvfu', 'plugins:read', 'Read the state of plugins.', 1796030971123, 'plugins:read', 'read the state of plugins.');
INSERT INTO public.scopes VALUES ('1jvbb6hm786n6fgd34dlq', 'a9f4kxoxcya67sp0wtvfu', 'plugins:write', 'Upload, change and delete plugins.', 1796030971123, 'plugins:write', 'upload, change and delete plugins.');
INSERT INTO public.scopes VALUES ('vr07d205h60sfg1as1gth', 'a9f4kxoxcya67sp0wtvfu', 'plugins:secrets', 'Run tests of plugins with their secrets.', 1796030971123, 'plugins:secrets', 'run tests of plugins with their secrets.');
INSERT INTO public.scopes VALUES ('emcfww2qonxkoe05chuyy', 'a9f4kxoxcya67sp0wtvfu', 'plugins:grant', 'Grant plugins what they ask to reach.', 1796030971123, 'plugins:grant', 'grant plugins what they ask to reach.');
INSERT INTO public.scopes VALUES ('i2fok4khy5e28l9moxzbj', 'dtrhyytuyz16gds9zf27t', 'resource:read', 'Read your data', 1796030971123, 'resource:read', 'read your data');
INSERT INTO public.scopes VALUES ('uoaigufel0jcz72yb0166', 'dtrhyytuyz16gds9zf27t', 'resource:write', 'Change your data', 1796030971123, 'resource:write', 'change your data');
INSERT INTO public.scopes VALUES ('claimsmith-console-scope-read', 'claimsmith-console', 'console:read', 'See everything in the console but configuration.', 1796030971123, 'console:read', 'see everything in the console but configuration.');
INSERT INTO public.scopes VALUES ('claimsmith-console-scope-support', 'claimsmith-console', 'console:support', 'Help users: unlock, suspend, end sessions, impersonate.', 1796030971123, 'console:support', 'help users: unlock, suspend, end sessions, impersonate.');
INSERT INTO public.scopes VALUES ('claimsmith-console-scope-developer', 'claimsmith-console', 'console:developer', 'Change applications, resources, webhooks and plugins.', 1796030971123, 'console:developer', 'change applications, resources, webhooks and plugins.');
INSERT INTO public.scopes VALUES ('claimsmith-console-scope-admin', 'claimsmith-console', 'console:admin', 'Do everything in the console.', 1796030971123, 'console:admin', 'do everything in the console.');
INSERT INTO public.scopes VALUES ('royn9avdt8yphgoh3f7ae', 'uquy9wn41r1iic5vmyy03', 'read:carts', 'Read carts', 1796030975290, 'read:carts', 'read carts');
INSERT INTO public.sessions VALUES ('60j9v398rpyauij8f5sco', '5496166e764c6473fb464e9accc690c5f326f2a745e7ae06e47c12f393c1ee99', 'v5sv5mmr3qr4', '{"ip": "127.0.0.1", "amr": ["pwd"], "clientId": "wcsswudnbvknkk355ez3a", "userAgent": "Python-urllib/3.11", "interaction": {"userId": "v5sv5mmr3qr4", "interactionEvent": "SignIn", "verificationRecords": [{"id": "5he51uxweoo3vjizyctky", "type": "Password", "verified": true, "identifier": {"type": "username", "value": "keeper"}}]}}', 1796030983142, 1796030983156, 1797240583142);
INSERT INTO public.settings VALUES ('server.base_url', 'http://127.0.0.1:3001');
INSERT INTO public.settings VALUES ('tokens.management_resource', 'http://127.0.0.1:3001/api');
INSERT INTO public.settings VALUES ('tokens.signing_algorithm', 'ES256');
INSERT INTO public.settings VALUES ('bootstrap', '1');
INSERT INTO public.settings VALUES ('demo', '1');
INSERT INTO public.settings VALUES ('demo.client', '9f02qpmzrki06db0s1ris');
INSERT INTO public.settings VALUES ('demo.backend', 'ul0uk01n1oqjdcjtvao8z');
INSERT INTO public.settings VALUES ('demo.customer', 'tmwxarngdxac');
INSERT INTO public.settings VALUES ('demo.resource', 'https://api.example.com');
INSERT INTO public.sign_in_attempts VALUES ('55e86fff236b032fbfa2f96dd4e1e8b7f868cc1d9f9b869c9b0deebdcbae386e', 1, 1796031582830, 0);
INSERT INTO public.sign_in_attempts VALUES ('5cb01652e9d4c3a822628b8cb5cad545ebe438dfbcb8533942aea3079556bb53', 0, 1796034583111, 0);
INSERT INTO public.sign_in_experiences VALUES ('default', '{"mfa": {"policy": "UserControlled", "factors": []}, "color": {"primaryColor": "#0f766e", "darkPrimaryColor": "#818cf8", "isDarkModeEnabled": true}, "signIn": {"methods": [{"password": true, "identifier": "username", "verificationCode": false, "isPasswordPrimary": true}, {"password": true, "identifier": "email", "verificationCode": false, "isPasswordPrimary": true}]}, "signUp": {"verify": false, "password": true, "identifiers": ["username"]}, "branding": {}, "customCss": null, "signInMode": "SignInAndRegister", "adaptiveMfa": {}, "languageInfo": {"autoDetect": true, "fallbackLanguage": "en"}, "socialSignIn": {}, "supportEmail": null, "captchaPolicy": {}, "passkeySignIn": {}, "termsOfUseUrl": null, "trustedDevice": {}, "passwordPolicy": {}, "sentinelPolicy": {}, "usernamePolicy": {"maxLength": 128, "minLength": 1, "allowedChars": {"at": false, "dot": false, "hyphen": false, "letters": false, "numbers": true, "lowercase": true, "uppercase": true, "underscore": true, "leadingDigit": false}, "caseSensitive": false}, "privacyPolicyUrl": null, "supportWebsiteUrl": null, "agreeToTermsPolicy": "Automatic", "passwordExpiration": {}, "signUpProfileFields": null, "singleSignOnEnabled": false, "emailBlocklistPolicy": {}, "forgotPasswordMethods": null, "verificationCodePolicy": {}, "unknownSessionRedirectUrl": null, "socialSignInConnectorTargets": []}');
INSERT INTO public.signing_keys VALUES ('h6HHxBPLxb8YdmzqOMg5e7ua7yW7obE8bCWyZTfmJJg', 'ES256', '{"x": "BzGBAapT3n-1ZOBw045TubseN6_-GZP0UlPpRMiJ1F8", "y": "5c-G86v09XH3TxI8kNaVonH92gQnGHaodNZQwExd_ro", "alg": "ES256", "crv": "P-256", "kid": "h6HHxBPLxb8YdmzqOMg5e7ua7yW7obE8bCWyZTfmJJg", "kty": "EC", "use": "sig"}', 'QBcjAla6l/KSseABH1OO+t0daU69B4szJzffOEwdh/Bel1H7FOg7ozP57wjjmQ5or4kDjUNnFowe10nHWdnr2omO8EzEfQcVVNRkoRtgtuLjbB7amRzM7+gcS2KgtNENtyAhFt4vQIt/S7JR/9LbBBJU0xNDDoBif0ImMTEZQFHPfUtzneZrm8Yz0MKGOK5oNm0Kejfg8tl4lWhIGoMXssGiIWgod6IvkYw=', 1796030971123, 1796030971123, NULL);
INSERT INTO public.signing_keys VALUES ('ElEgFkU_4IvwSn8Cw8r9niftl-ZdmbRycjRjeXaigms', 'RS256', '{"e": "AQAB", "n": "tgokpdlMumAyzWP-jnL9XCD3pAZpXDpUY5XAXcYuO5j8IYxpW-PHHKpQw2hzKUYEYpBuVxQ8-XrgxfRwxYrh3pgia7m36AJNtexPFp8w5pRjk4voQxibDUrr2ABIPdLqxef2AxOVr7i4BVhwS7F-_kerhj-HWn59D4xQME3JZ4LAr03eAZg8pow6TjEXg49s2aG4LACJB6pilFhGYtSRDUy9i0pOxjLq_ePe7zueAp1ml8dXrpOPJSHibSPbG5n-s1vfoG0jOmyVbogS-QcYyt13x5cqqJ8tmo5x9rNkjlY6Fb6q9y3z6svMtemugiESeUdK7F8af8HFK2wSUgzMGQ", "alg": "RS256", "kid": "ElEgFkU_4IvwSn8Cw8r9niftl-ZdmbRycjRjeXaigms", "kty": "RSA", "use": "sig"}', 'QBcjAipGOu1OSulyZerEc7iNw1WHDL2ONhc/grX+BJCrVgh3Frs1gCPcuvyb7uTE+5xBxcSgm4hWyD/FbUKSPj/q1GRoL6I3ovJBS1jDe7F8S0kJgYlpAlCYenDJs+mY5cIpy+7RQWzGMIdPuQoinS5tvZojgax8fk4Y0gG8pZUloO4tideixGRu0k0bZtEZO9SNbF14kEWdUDIGYmV63Cq+FPLRU+RVd8mtEwdT9gJp+dDNcaDp6JuC8rBnSSMVUnzT+WkHwEzBT6MaDOPlggg25sSZyKhZbmr3lx88+sqfkvL/M7SRRXC77H8oYAa7FmI+WBptA5kK7IkpGHLp9GAkM9HrFS5ASC8glwwM8Z3HK3r7awKlYwuGMUhQic1MDzbmfOVV5311QK4XVZHaRwAbzoMsiexwZ5QkzhZsn2ABTO3PLYJYtY5yvE2PhflyaKWBffeK/fM349pVYX61OGvvDb8DhGstnmmb6Q2jgrDiqBShMjMQ08arEX6NpjhhD+G0JQEcWerLYeuEs9w3F4RtYS873eBybXDZx8WLOWM99rUD2F1W4KCA+27td0VPRC80r2Ak9qz4JPOYx5iCNQN3kJCskOpYKwxjB5WY/P2tERSz/gpBcL/9Hj7iPLbL9MX9B8GBVrTvsCilYRB1JSnOziL3Vbgo6lma5Am7lPjOBS5ik7nYA2gr3aQA4MA5SX+3YPEP5v6ewAQ7iXIADRx4vS0ea1COmdSygytR8VFmFl8M9Ek6FKqPTpOoJe6BsnoIivu1iHExSSR3ylPrtUvEFIk0HBi3BGDnBjczAA3q1nl7Sr24U9r40OoQXRavU7hiJ7x2LhAH1ql3xYbc95UR1f3SVSfEunS+VmjNijvh3oGIziYCQ4DsZG1akBmxesXtWyK57IUlUR6WSb0a9uF7vtMUTXzq/V0FJ4roG3h9BMSI60Vye42kZEmIA+sWpyiCf49cjnJMSOw1iL1hNsMfUCjHjO6FjkPlYOfVSp3Gaqv+6oo+6UyD+QhoEG7WHlEQtvHBkjcbawV3NgDA8a8IH/JpVqVatrbyjve/g1+HSuj9LtO1HgffLjr0qPrnsI1CFMFk6d8aH+yJdlNnLaPDTGHD28gs3oYPb9bzN+YqbflJLcRAWs9BXH0jmrDyPeLiGa3pk64XV7/x+PPBgjP+/RT6Sngc9JrWk+dCLQCfzWpAxQVph7Yz8+MtOmCsINBEJSU1siQyZ0q0tA08iLbaLeLBI5SN16cVbiWwfXO2+iaLeM+Pgvu/QnlboGsdJRKsXCxgNW0+kTz3eZxPQjvqICYb60Rk65QMKE70MfVT54YVlbz5B/jODrCL78VcyWEQ8rKbvq5Clm+wqeB/1n42aKBS327J1sjY51ARAZWbF9GBzrGqP3oAvCk1fBQNtBSnaDt/3PgWMEPPqQGHlEvTKWUbX4Wr+51z5NahFW27hCpx5cLlWGyhXO95AMtZWPIlVvMbk2g7Xfcjiu+WNDcHcy89vr/ZkkFX8Koicey7SRsKxSGz9nudp9TlMZDpiDxIMSsQ5Pvkv7vY6HnheTftI12yQ6crcGITeRHKY8zHyGhT87Zf0vnVEPTK9ZM/TRlRrsFVqo1ybIPMuPmREmlZRMI4FWSUzSRQ0KdfCdRjukWbT1H9ZIVAjVMYnAfibg==', 1796030971123, 1796030971123, NULL);
INSERT INTO public.sso_connector_domains VALUES ('2o3fa5in8kdyk5q9ruxvz', 'acme.example');
INSERT INTO public.sso_connectors VALUES ('2o3fa5in8kdyk5q9ruxvz', 'OIDC', 'Acme', 'acme', 'QBcjAuMSepidZL1HsMZafXXoyvCQfHNMriSGPuEi05PVvQ==', '{}', false, false, 1796030982752, false);
INSERT INTO public.subject_tokens VALUES ('mx32h3ne73w86noz7wb9p', '0a72e7e503dde77a6d82c545cfdda252c2578cff8c9b5353ac854865fded3573', 'tmwxarngdxac', '{"reason": "a stuck order", "ticketId": "TECH-1234"}', 'ul0uk01n1oqjdcjtvao8z', 1796030982842, 1796031582842, NULL);
INSERT INTO public.subject_tokens VALUES ('mx32h3n8pm8ft1ioj9sj3', 'ac4011ef51cb1ec1318dc475742d295a43cc25475ad4c888f4c2cce51edc62c0', 'tmwxarngdxac', '{"reason": "a stuck order", "ticketId": "TECH-1234"}', 'ul0uk01n1oqjdcjtvao8z', 1796030982836, 1796031582836, 1796030982858);
INSERT INTO public.totals VALUES ('users', 1, 0);
INSERT INTO public.totals VALUES ('users', 2, 0);
INSERT INTO public.totals VALUES ('users', 3, 0);
INSERT INTO public.totals VALUES ('users', 4, 0);
INSERT INTO public.totals VALUES ('users', 5, 0);
INSERT INTO public.totals VALUES ('users', 6, 0);
INSERT INTO public.totals VALUES ('users', 8, 0);
INSERT INTO public.totals VALUES ('users', 10, 0);
INSERT INTO public.totals VALUES ('users', 11, 0);
INSERT INTO public.totals VALUES ('users', 12, 0);
INSERT INTO public.totals VALUES ('users', 13, 0);
INSERT INTO public.totals VALUES ('users', 14, 0);
INSERT INTO public.totals VALUES ('users', 15, 0);
INSERT INTO public.totals VALUES ('users', 0, 0);
INSERT INTO public.totals VALUES ('users', 9, 2);
INSERT INTO public.totals VALUES ('users', 7, 2);
INSERT INTO public.user_blocks VALUES (0, 9, 2);
INSERT INTO public.user_blocks VALUES (0, 7, 2);
INSERT INTO public.user_identities VALUES ('github', 'gh-1', 'v5sv5mmr3qr4');
INSERT INTO public.user_roles VALUES ('tmwxarngdxac', 'bfj6ny47gad80273bf3z8');
INSERT INTO public.user_roles VALUES ('0b1dfzs40lx2', 'fjujjvl4dbedmmx989hc7');
INSERT INTO public.user_roles VALUES ('v5sv5mmr3qr4', 'xhy396405tqjp2mcgvazw');
INSERT INTO public.users VALUES ('0b1dfzs40lx2', 'engineer', 'engineer@example.com', NULL, '$argon2id$v=19$m=19456,t=2,p=1$Sq6/csk4vOQtDTCkuvM+RA$e0Y3n6qsme+ZJzw/oxBuDCeIrhEU2a11HuBoYxc8XNI', 'Argon2id', 'Erin Engineer', NULL, '{}', '{}', '{}', NULL, false, NULL, 1796030971123, 1796030971123, 2, 'engineer', 'engineer@example.com', 'erin engineer', 2, '{}', 38912, 1796030971123, false);
INSERT INTO public.users VALUES ('tmwxarngdxac', 'customer', 'customer@example.com', NULL, '$argon2id$v=19$m=19456,t=3,p=1$Rhbgul16yLxJ6MZdwxrlgQ$N7aXvY2ag1PMYDJQapSCUaxMSkkTP9hwwt3bmMd+HI4', 'Argon2id', 'Casey Customer', NULL, '{}', '{}', '{}', NULL, false, NULL, 1796030971123, 1796030974999, 3, 'customer', 'customer@example.com', 'casey customer', 1, '{}', 58368, 1796030974999, false);
INSERT INTO public.users VALUES ('rvyhhasx4hi2', 'careful', NULL, NULL, '$argon2id$v=19$m=19456,t=3,p=1$539ilZIjfEcXo7CIlesiIA$sR4+7T4E6ZX3qtebjg74ZWTLMOIe4XaNjXHSZQRVgBY', 'Argon2id', NULL, NULL, '{}', '{}', '{}', NULL, false, NULL, 1796030982794, 1796030982794, 1, 'careful', NULL, NULL, 4, '{}', 58368, 1796030982794, false);
INSERT INTO public.users VALUES ('v5sv5mmr3qr4', 'keeper', 'keeper@example.com', NULL, '$argon2id$v=19$m=19456,t=3,p=1$lwSf/muXOknnLu7lE2ncJQ$bfehXUoHAWtBBcCbGNDXtQ/SfXIIm0gwnPOblAiugWg', 'Argon2id', 'Ada Lövelace', NULL, '{"tier": "gold"}', '{"github": {"userId": "gh-1", "details": {"name": "Ada"}}}', '{"nickname": "Ada"}', NULL, false, 1796030983142, 1796030975183, 1796030982757, 5, 'keeper', 'keeper@example.com', 'ada lövelace', 3, '{}', 58368, 1796030975183, false);
INSERT INTO public.verification_codes VALUES ('64888be82cd750fef835edbd9ec3d3e586ef544c336673bf39884f3bb14a0e10', 'vezdn4iieda5aqoxhnzrj', 'QBcjAlegIUWx+k/0acL6cRdKnAAVa4KAL/ZJmv2JXjhAoa/T', 0, 1796031582832);
SELECT pg_catalog.setval('public.backchannel_logouts_seq_seq', 1, false);
SELECT pg_catalog.setval('public.member_counts_seq_seq', 1, true);
SELECT pg_catalog.setval('public.messages_seq_seq', 1, true);
SELECT pg_catalog.setval('public.ordered_deliveries_seq_seq', 4, true);
SELECT pg_catalog.setval('public.plugin_logs_id_seq', 1, false);
SELECT pg_catalog.setval('public.user_places', 4, true);
ALTER TABLE ONLY public._sqlx_migrations
    ADD CONSTRAINT _sqlx_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.account_centers
    ADD CONSTRAINT account_centers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.active_days
    ADD CONSTRAINT active_days_pkey PRIMARY KEY (day, user_id);
ALTER TABLE ONLY public.activity
    ADD CONSTRAINT activity_pkey PRIMARY KEY (bucket, kind, name, node);
ALTER TABLE ONLY public.administrator_invitations
    ADD CONSTRAINT administrator_invitations_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.administrator_invitations
    ADD CONSTRAINT administrator_invitations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.application_access_organization_roles
    ADD CONSTRAINT application_access_organization_roles_pkey PRIMARY KEY (application_id, organization_id, organization_role_id);
ALTER TABLE ONLY public.application_access_organizations
    ADD CONSTRAINT application_access_organizations_pkey PRIMARY KEY (application_id, organization_id);
ALTER TABLE ONLY public.application_access_roles
    ADD CONSTRAINT application_access_roles_pkey PRIMARY KEY (application_id, role_id);
ALTER TABLE ONLY public.application_access_users
    ADD CONSTRAINT application_access_users_pkey PRIMARY KEY (application_id, user_id);
ALTER TABLE ONLY public.application_consent_limits
    ADD CONSTRAINT application_consent_limits_pkey PRIMARY KEY (application_id);
ALTER TABLE ONLY public.application_consent_organization_resource_scopes
    ADD CONSTRAINT application_consent_organization_resource_scopes_pkey PRIMARY KEY (application_id, scope_id);
ALTER TABLE ONLY public.application_consent_organization_scopes
    ADD CONSTRAINT application_consent_organization_scopes_pkey PRIMARY KEY (application_id, organization_scope_id);
ALTER TABLE ONLY public.application_consent_resource_scopes
    ADD CONSTRAINT application_consent_resource_scopes_pkey PRIMARY KEY (application_id, scope_id);
ALTER TABLE ONLY public.application_consent_user_scopes
    ADD CONSTRAINT application_consent_user_scopes_pkey PRIMARY KEY (application_id, user_scope);
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
ALTER TABLE ONLY public.avatars
    ADD CONSTRAINT avatars_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.backchannel_logouts
    ADD CONSTRAINT backchannel_logouts_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.captcha_providers
    ADD CONSTRAINT captcha_providers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.client_assertions
    ADD CONSTRAINT client_assertions_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.connectors
    ADD CONSTRAINT connectors_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.consent_organizations
    ADD CONSTRAINT consent_organizations_pkey PRIMARY KEY (application_id, user_id, organization_id);
ALTER TABLE ONLY public.console_confirmations
    ADD CONSTRAINT console_confirmations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.console_links
    ADD CONSTRAINT console_links_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.console_sessions
    ADD CONSTRAINT console_sessions_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.custom_phrases
    ADD CONSTRAINT custom_phrases_pkey PRIMARY KEY (language_tag);
ALTER TABLE ONLY public.custom_profile_fields
    ADD CONSTRAINT custom_profile_fields_name_key UNIQUE (name);
ALTER TABLE ONLY public.custom_profile_fields
    ADD CONSTRAINT custom_profile_fields_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_user_code_hash_key UNIQUE (user_code_hash);
ALTER TABLE ONLY public.email_templates
    ADD CONSTRAINT email_templates_language_tag_template_type_key UNIQUE (language_tag, template_type);
ALTER TABLE ONLY public.email_templates
    ADD CONSTRAINT email_templates_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.hook_receiver_requests
    ADD CONSTRAINT hook_receiver_requests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.hook_receivers
    ADD CONSTRAINT hook_receivers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.hook_receivers
    ADD CONSTRAINT hook_receivers_token_key UNIQUE (token);
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
ALTER TABLE ONLY public.known_browsers
    ADD CONSTRAINT known_browsers_pkey PRIMARY KEY (hash, user_id);
ALTER TABLE ONLY public.logs
    ADD CONSTRAINT logs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.member_counts
    ADD CONSTRAINT member_counts_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_id_key UNIQUE (id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.mfa_factors
    ADD CONSTRAINT mfa_factors_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mfa_factors
    ADD CONSTRAINT mfa_factors_user_id_type_key UNIQUE (user_id, type);
ALTER TABLE ONLY public.nodes
    ADD CONSTRAINT nodes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.one_time_tokens
    ADD CONSTRAINT one_time_tokens_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.one_time_tokens
    ADD CONSTRAINT one_time_tokens_pkey PRIMARY KEY (id);
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
ALTER TABLE ONLY public.organization_jit_sso_connectors
    ADD CONSTRAINT organization_jit_sso_connectors_pkey PRIMARY KEY (organization_id, sso_connector_id);
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
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.personal_access_tokens
    ADD CONSTRAINT personal_access_tokens_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.personal_access_tokens
    ADD CONSTRAINT personal_access_tokens_pkey PRIMARY KEY (user_id, name);
ALTER TABLE ONLY public.plugin_calls
    ADD CONSTRAINT plugin_calls_pkey PRIMARY KEY (bucket, plugin, digest, node);
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
ALTER TABLE ONLY public.refresh_families
    ADD CONSTRAINT refresh_families_pkey PRIMARY KEY (id);
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
ALTER TABLE ONLY public.sign_in_places
    ADD CONSTRAINT sign_in_places_pkey PRIMARY KEY (user_id, kind, hash);
ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);
ALTER TABLE ONLY public.sso_connector_domains
    ADD CONSTRAINT sso_connector_domains_pkey PRIMARY KEY (sso_connector_id, domain);
ALTER TABLE ONLY public.sso_connectors
    ADD CONSTRAINT sso_connectors_name_key_key UNIQUE (name_key);
ALTER TABLE ONLY public.sso_connectors
    ADD CONSTRAINT sso_connectors_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sso_identities
    ADD CONSTRAINT sso_identities_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sso_identities
    ADD CONSTRAINT sso_identities_sso_connector_id_issuer_identity_id_key UNIQUE (sso_connector_id, issuer, identity_id);
ALTER TABLE ONLY public.sso_identities
    ADD CONSTRAINT sso_identities_user_id_sso_connector_id_key UNIQUE (user_id, sso_connector_id);
ALTER TABLE ONLY public.subject_tokens
    ADD CONSTRAINT subject_tokens_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.subject_tokens
    ADD CONSTRAINT subject_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.totals
    ADD CONSTRAINT totals_pkey PRIMARY KEY (name, slot);
ALTER TABLE ONLY public.trusted_devices
    ADD CONSTRAINT trusted_devices_hash_user_id_key UNIQUE (hash, user_id);
ALTER TABLE ONLY public.trusted_devices
    ADD CONSTRAINT trusted_devices_pkey PRIMARY KEY (id);
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
ALTER TABLE ONLY public.verification_codes
    ADD CONSTRAINT verification_codes_pkey PRIMARY KEY (asker);
ALTER TABLE ONLY public.verification_records
    ADD CONSTRAINT verification_records_pkey PRIMARY KEY (id);
CREATE INDEX administrator_invitations_by_expiry ON public.administrator_invitations USING btree (expires_at);
CREATE INDEX administrator_invitations_by_inviter ON public.administrator_invitations USING btree (inviter_id);
CREATE INDEX administrator_invitations_by_user ON public.administrator_invitations USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX application_access_organization_roles_by_organization ON public.application_access_organization_roles USING btree (organization_id);
CREATE INDEX application_access_organization_roles_by_role ON public.application_access_organization_roles USING btree (organization_role_id);
CREATE INDEX application_access_organizations_by_organization ON public.application_access_organizations USING btree (organization_id);
CREATE INDEX application_access_roles_by_role ON public.application_access_roles USING btree (role_id);
CREATE INDEX application_access_users_by_user ON public.application_access_users USING btree (user_id);
CREATE INDEX application_consent_organization_resource_scopes_by_scope ON public.application_consent_organization_resource_scopes USING btree (scope_id);
CREATE INDEX application_consent_organization_scopes_by_scope ON public.application_consent_organization_scopes USING btree (organization_scope_id);
CREATE INDEX application_consent_resource_scopes_by_scope ON public.application_consent_resource_scopes USING btree (scope_id);
CREATE INDEX application_roles_by_role ON public.application_roles USING btree (role_id);
CREATE INDEX applications_by_creation ON public.applications USING btree (created_at DESC, id);
CREATE INDEX applications_by_name_key ON public.applications USING btree (name_key text_pattern_ops);
CREATE INDEX attempts_by_delivery ON public.attempts USING btree (delivery_id, started_at);
CREATE INDEX attempts_by_hook ON public.attempts USING btree (hook_id, started_at DESC, id DESC);
CREATE INDEX authorization_codes_by_expiry ON public.authorization_codes USING btree (expires_at);
CREATE INDEX authorization_codes_by_grant ON public.authorization_codes USING btree (grant_id);
CREATE INDEX authorization_codes_by_user ON public.authorization_codes USING btree (user_id);
CREATE INDEX avatars_by_expiry ON public.avatars USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX avatars_of_interaction ON public.avatars USING btree (interaction_id) WHERE (interaction_id IS NOT NULL);
CREATE INDEX avatars_of_user ON public.avatars USING btree (user_id);
CREATE INDEX backchannel_logouts_by_application ON public.backchannel_logouts USING btree (application_id, due_at, seq);
CREATE INDEX backchannel_logouts_claimed ON public.backchannel_logouts USING btree (application_id, claim) WHERE (claim IS NOT NULL);
CREATE INDEX backchannel_logouts_due ON public.backchannel_logouts USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX backchannel_logouts_finished ON public.backchannel_logouts USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX client_assertions_by_expiry ON public.client_assertions USING btree (expires_at);
CREATE INDEX connectors_by_target ON public.connectors USING btree (target);
CREATE INDEX connectors_by_type ON public.connectors USING btree (type, created_at, id);
CREATE UNIQUE INDEX connectors_of_messages ON public.connectors USING btree (type) WHERE (type <> 'Social'::text);
CREATE INDEX consent_organizations_by_member ON public.consent_organizations USING btree (organization_id, user_id);
CREATE INDEX consent_organizations_by_user ON public.consent_organizations USING btree (user_id);
CREATE INDEX console_confirmations_by_expiry ON public.console_confirmations USING btree (expires_at);
CREATE INDEX console_confirmations_by_session ON public.console_confirmations USING btree (session_id);
CREATE INDEX console_links_by_expiry ON public.console_links USING btree (expires_at);
CREATE INDEX console_links_by_user ON public.console_links USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX console_sessions_by_creation ON public.console_sessions USING btree (created_at);
CREATE INDEX console_sessions_by_session ON public.console_sessions USING btree (session_id);
CREATE INDEX console_sessions_by_user ON public.console_sessions USING btree (user_id);
CREATE INDEX deliveries_by_event ON public.deliveries USING btree (event_id);
CREATE INDEX deliveries_by_hook ON public.deliveries USING btree (hook_id, seq);
CREATE INDEX deliveries_by_state ON public.deliveries USING btree (hook_id, state, seq);
CREATE INDEX deliveries_claimed ON public.deliveries USING btree (hook_id, claim) WHERE (claim IS NOT NULL);
CREATE INDEX deliveries_due ON public.deliveries USING btree (hook_id, due_at, seq) WHERE (due_at IS NOT NULL);
CREATE INDEX deliveries_finished ON public.deliveries USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX deliveries_in_order ON public.deliveries USING btree (hook_id, entity, seq) WHERE ((due_at IS NOT NULL) AND (entity IS NOT NULL));
CREATE INDEX device_authorizations_by_application ON public.device_authorizations USING btree (application_id);
CREATE INDEX device_authorizations_by_expiry ON public.device_authorizations USING btree (expires_at);
CREATE INDEX device_authorizations_by_grant ON public.device_authorizations USING btree (grant_id);
CREATE INDEX device_authorizations_by_user ON public.device_authorizations USING btree (user_id);
CREATE INDEX events_by_creation ON public.events USING btree (created_at);
CREATE INDEX grants_by_application ON public.grants USING btree (application_id);
CREATE INDEX grants_by_expiry ON public.grants USING btree (expires_at);
CREATE INDEX grants_by_session ON public.grants USING btree (session_id);
CREATE INDEX grants_by_user ON public.grants USING btree (user_id, application_id);
CREATE INDEX hook_receiver_requests_in_order ON public.hook_receiver_requests USING btree (receiver_id, received_at, id);
CREATE INDEX hooks_by_creation ON public.hooks USING btree (created_at DESC, id);
CREATE INDEX impersonations_by_actor ON public.issuances USING btree (actor_id, created_at) WHERE (actor_id IS NOT NULL);
CREATE INDEX impersonations_by_creation ON public.issuances USING btree (created_at, application_id) WHERE (exchanged = true);
CREATE INDEX impersonations_by_expiry ON public.issuances USING btree (expires_at) WHERE (subject_token_id IS NOT NULL);
CREATE INDEX interactions_by_expiry ON public.interactions USING btree (expires_at);
CREATE INDEX issuances_by_expiry ON public.issuances USING btree (expires_at) WHERE (subject_token_id IS NULL);
CREATE INDEX issuances_by_grant ON public.issuances USING btree (grant_id);
CREATE INDEX issuances_by_use ON public.issuances USING btree (created_at, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX issuances_by_user ON public.issuances USING btree (user_id);
CREATE INDEX known_browsers_by_expiry ON public.known_browsers USING btree (expires_at);
CREATE INDEX known_browsers_by_user ON public.known_browsers USING btree (user_id);
CREATE INDEX logs_by_actor ON public.logs USING btree (actor_id, created_at) WHERE ((actor_id IS NOT NULL) AND (substr(key, 1, 12) <> 'TriggerHook.'::text));
CREATE INDEX logs_by_application ON public.logs USING btree (application_id, created_at) WHERE ((application_id IS NOT NULL) AND (substr(key, 1, 12) <> 'TriggerHook.'::text));
CREATE INDEX logs_by_creation ON public.logs USING btree (created_at) WHERE (substr(key, 1, 12) <> 'TriggerHook.'::text);
CREATE INDEX logs_by_key ON public.logs USING btree (key, created_at);
CREATE INDEX logs_by_ticket ON public.logs USING btree (ticket_id, created_at) WHERE ((ticket_id IS NOT NULL) AND (substr(key, 1, 12) <> 'TriggerHook.'::text));
CREATE INDEX logs_by_user ON public.logs USING btree (user_id, created_at) WHERE ((user_id IS NOT NULL) AND (substr(key, 1, 12) <> 'TriggerHook.'::text));
CREATE INDEX logs_failed ON public.logs USING btree (created_at) WHERE ((substr(key, 1, 12) <> 'TriggerHook.'::text) AND ((payload ->> 'result'::text) = 'Error'::text));
CREATE INDEX member_counts_by_organization ON public.member_counts USING btree (organization_id) INCLUDE (value);
CREATE INDEX member_counts_to_add_up ON public.member_counts USING btree (organization_id) WHERE (NOT is_sum);
CREATE INDEX messages_about ON public.messages USING btree (about) WHERE ((about IS NOT NULL) AND (state = 'pending'::text));
CREATE INDEX messages_by_channel ON public.messages USING btree (channel, due_at, seq);
CREATE INDEX messages_claimed ON public.messages USING btree (channel, claim) WHERE (claim IS NOT NULL);
CREATE INDEX messages_due ON public.messages USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX messages_finished ON public.messages USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX messages_of_mailbox ON public.messages USING btree (seq) WHERE in_mailbox;
CREATE INDEX one_time_tokens_by_creation ON public.one_time_tokens USING btree (created_at DESC, id);
CREATE INDEX one_time_tokens_by_email ON public.one_time_tokens USING btree (email);
CREATE INDEX one_time_tokens_by_expiry ON public.one_time_tokens USING btree (expires_at);
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
CREATE INDEX organization_jit_sso_connectors_by_connector ON public.organization_jit_sso_connectors USING btree (sso_connector_id);
CREATE INDEX organization_role_resource_scopes_by_scope ON public.organization_role_resource_scopes USING btree (scope_id);
CREATE INDEX organization_role_scopes_by_scope ON public.organization_role_scopes USING btree (organization_scope_id);
CREATE INDEX organization_user_roles_by_role ON public.organization_user_roles USING btree (organization_role_id, organization_id, user_id);
CREATE INDEX organization_user_roles_by_user ON public.organization_user_roles USING btree (user_id);
CREATE INDEX organization_users_by_user ON public.organization_users USING btree (user_id);
CREATE INDEX organizations_by_creation ON public.organizations USING btree (created_at DESC, id);
CREATE INDEX passkeys_of_user ON public.passkeys USING btree (user_id, created_at, id);
CREATE INDEX plugin_logs_by_creation ON public.plugin_logs USING btree (created_at);
CREATE INDEX plugin_logs_by_plugin ON public.plugin_logs USING btree (plugin_name, id);
CREATE INDEX pushed_requests_by_application ON public.pushed_requests USING btree (application_id);
CREATE INDEX pushed_requests_by_expiry ON public.pushed_requests USING btree (expires_at);
CREATE INDEX refresh_families_by_grant ON public.refresh_families USING btree (grant_id);
CREATE INDEX refresh_tokens_by_expiry ON public.refresh_tokens USING btree (expires_at);
CREATE INDEX refresh_tokens_by_family ON public.refresh_tokens USING btree (family_id);
CREATE INDEX refresh_tokens_by_grant ON public.refresh_tokens USING btree (grant_id);
CREATE INDEX refresh_tokens_by_parent ON public.refresh_tokens USING btree (parent_hash);
CREATE INDEX refresh_tokens_by_user ON public.refresh_tokens USING btree (user_id);
CREATE INDEX refresh_tokens_newest ON public.refresh_tokens USING btree (family_id) WHERE (consumed_at IS NULL);
CREATE UNIQUE INDEX resources_default ON public.resources USING btree (is_default) WHERE is_default;
CREATE INDEX role_scopes_by_scope ON public.role_scopes USING btree (scope_id);
CREATE INDEX roles_by_name_key ON public.roles USING btree (name_key text_pattern_ops);
CREATE INDEX scopes_by_name_key ON public.scopes USING btree (name_key text_pattern_ops);
CREATE INDEX sessions_by_browser ON public.sessions USING btree (browser_hash);
CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);
CREATE INDEX sign_in_attempts_by_expiry ON public.sign_in_attempts USING btree (expires_at);
CREATE INDEX sign_in_places_by_time ON public.sign_in_places USING btree (last_seen_at);
CREATE INDEX sso_connector_domains_by_domain ON public.sso_connector_domains USING btree (domain);
CREATE INDEX subject_tokens_by_creation ON public.subject_tokens USING btree (created_at);
CREATE INDEX subject_tokens_by_expiry ON public.subject_tokens USING btree (expires_at);
CREATE INDEX subject_tokens_by_user ON public.subject_tokens USING btree (user_id);
CREATE INDEX trusted_devices_by_expiry ON public.trusted_devices USING btree (expires_at);
CREATE INDEX trusted_devices_by_user ON public.trusted_devices USING btree (user_id, last_used_at);
CREATE INDEX user_roles_by_role ON public.user_roles USING btree (role_id, user_id);
CREATE INDEX users_by_creation ON public.users USING btree (created_at DESC, id);
CREATE UNIQUE INDEX users_by_email_key ON public.users USING btree (email_key text_pattern_ops);
CREATE INDEX users_by_id_pattern ON public.users USING btree (id text_pattern_ops);
CREATE INDEX users_by_name_key ON public.users USING btree (name_key text_pattern_ops, place);
CREATE INDEX users_by_password_work ON public.users USING btree (password_work);
CREATE INDEX users_by_phone_pattern ON public.users USING btree (primary_phone text_pattern_ops);
CREATE UNIQUE INDEX users_by_place ON public.users USING btree (place);
CREATE UNIQUE INDEX users_by_username_key ON public.users USING btree (username_key text_pattern_ops);
CREATE INDEX users_suspended ON public.users USING btree (place) WHERE is_suspended;
CREATE INDEX verification_codes_by_expiry ON public.verification_codes USING btree (expires_at);
CREATE INDEX verification_records_by_expiry ON public.verification_records USING btree (expires_at);
CREATE INDEX verification_records_by_session ON public.verification_records USING btree (session_id);
CREATE INDEX verification_records_by_user ON public.verification_records USING btree (user_id);
CREATE TRIGGER members_added AFTER INSERT ON public.organization_users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_members();
CREATE TRIGGER members_removed AFTER DELETE ON public.organization_users REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_members();
CREATE TRIGGER users_added AFTER INSERT ON public.users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_users();
CREATE TRIGGER users_removed AFTER DELETE ON public.users REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_users();
ALTER TABLE ONLY public.administrator_invitations
    ADD CONSTRAINT administrator_invitations_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.administrator_invitations
    ADD CONSTRAINT administrator_invitations_role_id_fkey FOREIGN KEY (role_id) REFERENCES public.roles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.administrator_invitations
    ADD CONSTRAINT administrator_invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_access_organization_roles
    ADD CONSTRAINT application_access_organization_roles_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_access_organization_roles
    ADD CONSTRAINT application_access_organization_roles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_access_organization_roles
    ADD CONSTRAINT application_access_organization_roles_organization_role_id_fkey FOREIGN KEY (organization_role_id) REFERENCES public.organization_roles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_access_organizations
    ADD CONSTRAINT application_access_organizations_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_access_organizations
    ADD CONSTRAINT application_access_organizations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_access_roles
    ADD CONSTRAINT application_access_roles_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_access_roles
    ADD CONSTRAINT application_access_roles_role_id_fkey FOREIGN KEY (role_id) REFERENCES public.roles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_access_users
    ADD CONSTRAINT application_access_users_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_access_users
    ADD CONSTRAINT application_access_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_consent_limits
    ADD CONSTRAINT application_consent_limits_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_consent_organization_resource_scopes
    ADD CONSTRAINT application_consent_organization_resource_s_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_consent_organization_resource_scopes
    ADD CONSTRAINT application_consent_organization_resource_scopes_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES public.scopes(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_consent_organization_scopes
    ADD CONSTRAINT application_consent_organization_sco_organization_scope_id_fkey FOREIGN KEY (organization_scope_id) REFERENCES public.organization_scopes(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_consent_organization_scopes
    ADD CONSTRAINT application_consent_organization_scopes_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_consent_resource_scopes
    ADD CONSTRAINT application_consent_resource_scopes_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_consent_resource_scopes
    ADD CONSTRAINT application_consent_resource_scopes_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES public.scopes(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.application_consent_user_scopes
    ADD CONSTRAINT application_consent_user_scopes_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
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
ALTER TABLE ONLY public.avatars
    ADD CONSTRAINT avatars_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.backchannel_logouts
    ADD CONSTRAINT backchannel_logouts_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.consent_organizations
    ADD CONSTRAINT consent_organizations_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.consent_organizations
    ADD CONSTRAINT consent_organizations_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.organization_users(organization_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.consent_organizations
    ADD CONSTRAINT consent_organizations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.console_confirmations
    ADD CONSTRAINT console_confirmations_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.console_links
    ADD CONSTRAINT console_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.console_sessions
    ADD CONSTRAINT console_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.console_sessions
    ADD CONSTRAINT console_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.grants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.device_authorizations
    ADD CONSTRAINT device_authorizations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.hook_receiver_requests
    ADD CONSTRAINT hook_receiver_requests_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES public.hook_receivers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.hook_statistics
    ADD CONSTRAINT hook_statistics_hook_id_fkey FOREIGN KEY (hook_id) REFERENCES public.hooks(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.known_browsers
    ADD CONSTRAINT known_browsers_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
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
ALTER TABLE ONLY public.organization_jit_sso_connectors
    ADD CONSTRAINT organization_jit_sso_connectors_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organization_jit_sso_connectors
    ADD CONSTRAINT organization_jit_sso_connectors_sso_connector_id_fkey FOREIGN KEY (sso_connector_id) REFERENCES public.sso_connectors(id) ON DELETE CASCADE;
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
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.personal_access_tokens
    ADD CONSTRAINT personal_access_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.plugin_secrets
    ADD CONSTRAINT plugin_secrets_plugin_name_fkey FOREIGN KEY (plugin_name) REFERENCES public.plugins(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.plugin_versions
    ADD CONSTRAINT plugin_versions_plugin_name_fkey FOREIGN KEY (plugin_name) REFERENCES public.plugins(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.pushed_requests
    ADD CONSTRAINT pushed_requests_application_id_fkey FOREIGN KEY (application_id) REFERENCES public.applications(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.refresh_families
    ADD CONSTRAINT refresh_families_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.grants(id) ON DELETE CASCADE;
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
ALTER TABLE ONLY public.sign_in_places
    ADD CONSTRAINT sign_in_places_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sso_connector_domains
    ADD CONSTRAINT sso_connector_domains_sso_connector_id_fkey FOREIGN KEY (sso_connector_id) REFERENCES public.sso_connectors(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sso_identities
    ADD CONSTRAINT sso_identities_sso_connector_id_fkey FOREIGN KEY (sso_connector_id) REFERENCES public.sso_connectors(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sso_identities
    ADD CONSTRAINT sso_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.subject_tokens
    ADD CONSTRAINT subject_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.trusted_devices
    ADD CONSTRAINT trusted_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_role_id_fkey FOREIGN KEY (role_id) REFERENCES public.roles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.verification_records
    ADD CONSTRAINT verification_records_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.verification_records
    ADD CONSTRAINT verification_records_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
