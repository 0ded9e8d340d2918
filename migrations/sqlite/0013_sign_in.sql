-- The settings of sign-in: those of everybody, those of one application, and texts in the operator's own words.

CREATE TABLE sign_in_experiences (
    id       TEXT PRIMARY KEY,
    settings TEXT NOT NULL
);
-- The only row; what it does not say is by default.
INSERT INTO sign_in_experiences (id, settings) VALUES ('default', '{}');

CREATE TABLE application_sign_in_experiences (
    application_id TEXT PRIMARY KEY REFERENCES applications (id) ON DELETE CASCADE,
    settings       TEXT NOT NULL
);

CREATE TABLE custom_phrases (
    language_tag TEXT PRIMARY KEY,
    -- A part of the tree of texts.
    translation  TEXT NOT NULL
);
