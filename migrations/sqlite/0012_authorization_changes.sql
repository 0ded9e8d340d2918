-- What each revision of the authorization data changed, so that caches drop that and nothing else.

CREATE TABLE authorization_changes (
    revision INTEGER NOT NULL,
    -- 'all', 'keys', 'application' or 'organization'.
    kind TEXT NOT NULL,
    -- Of the application or organization, else empty.
    id TEXT NOT NULL,
    PRIMARY KEY (revision, kind, id)
);
