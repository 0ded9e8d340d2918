-- Who signed the versions of uploaded plugins.
-- The signature as it was uploaded: every node verifies it again when it loads the version.
ALTER TABLE plugin_versions ADD COLUMN signature TEXT;
-- The name of the trusted key that it was verified with at the upload; NULL if none was known.
ALTER TABLE plugin_versions ADD COLUMN signer TEXT;
