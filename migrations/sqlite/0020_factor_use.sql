-- The last time step of which a one-time password was used (RFC 6238): neither it nor one before it works again.
ALTER TABLE mfa_factors ADD COLUMN used_step BIGINT;
