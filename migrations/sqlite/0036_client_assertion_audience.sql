-- Client assertions are for the issuer alone from now on. Applications that had keys before may still name the endpoint
-- that is called, until their settings say otherwise. A document that cannot be read stays as it is.
UPDATE applications
    SET custom_client_metadata = json_set(custom_client_metadata, '$.clientAssertionAudience', 'legacy')
    WHERE CASE
        WHEN json_valid(oidc_client_metadata) AND json_valid(custom_client_metadata)
        THEN json_type(custom_client_metadata) = 'object'
            AND (json_type(oidc_client_metadata, '$.jwks') = 'object'
                OR json_type(oidc_client_metadata, '$.jwksUri') = 'text')
        ELSE FALSE
    END;
