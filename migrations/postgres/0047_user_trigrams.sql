-- Users are found by any three characters of what they are called, where the extension `pg_trgm` is there or this role may create
-- it. Else they are found as before. The index is made when the server starts, since the extension may come later.
DO $$
BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN OTHERS THEN
    RAISE NOTICE 'pg_trgm could not be created: %', SQLERRM;
END
$$;
