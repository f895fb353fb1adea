-- Only tables with row-level security: service_keys and rate_limits are the server's own. A migration that adds a table
-- of a company grants it here in the same way; a test lists those that were forgotten.
DO $$
DECLARE each record;
BEGIN
	FOR each IN SELECT oid::regclass AS name FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relrowsecurity
	LOOP
		EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO footnote_app', each.name);
	END LOOP;
END $$;
