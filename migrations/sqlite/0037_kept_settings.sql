-- The token of the link of an invitation, encrypted, base64, so that the link survives a rotation of the encryption key.
-- NULL where an earlier version made the token of a keyed digest.
ALTER TABLE organization_invitations ADD COLUMN sealed_token TEXT;

-- Earlier versions kept the retries of a hook and did not obey them. What they kept is forgotten, so that the deliveries of
-- such a hook are retried as before.
UPDATE hooks SET config = CASE WHEN json_valid(config) THEN json_remove(config, '$.retries') ELSE config END;
