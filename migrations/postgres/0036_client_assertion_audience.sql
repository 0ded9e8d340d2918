-- Client assertions are for the issuer alone from now on. Applications that had keys before may still name the endpoint
-- that is called, until their settings say otherwise. A document that cannot be read stays as it is.
UPDATE applications
    SET custom_client_metadata = jsonb_set(custom_client_metadata, '{clientAssertionAudience}', '"legacy"')
    WHERE jsonb_typeof(custom_client_metadata) = 'object'
        AND (jsonb_typeof(oidc_client_metadata -> 'jwks') = 'object'
            OR jsonb_typeof(oidc_client_metadata -> 'jwksUri') = 'string');
