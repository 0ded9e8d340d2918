-- A machine's own token has no user, and the token of an exchange has no grant: such records need no entry in the index
-- of the other kind, which is a page to write for every token.
DROP INDEX issuances_by_user;
CREATE INDEX issuances_by_user ON issuances (user_id) WHERE user_id IS NOT NULL;
DROP INDEX issuances_by_grant;
CREATE INDEX issuances_by_grant ON issuances (grant_id) WHERE grant_id IS NOT NULL;
