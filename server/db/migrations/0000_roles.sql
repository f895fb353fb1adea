-- The role that `asCompany` takes on. It belongs to the whole cluster, so another database of it may have made it already,
-- at this very moment even; or a DBA, for an owner who may not make roles.
DO $$ BEGIN
	IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'footnote_app') THEN
		CREATE ROLE footnote_app NOLOGIN NOBYPASSRLS;
	END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
--> statement-breakpoint
-- Since PostgreSQL 16 its maker may not take it on without being told so; before, plain membership is all there is.
DO $$ BEGIN
	IF current_setting('server_version_num')::int >= 160000 THEN
		IF NOT pg_has_role(current_user, 'footnote_app', 'SET') THEN
			GRANT footnote_app TO CURRENT_USER WITH SET TRUE, INHERIT FALSE;
		END IF;
	ELSIF NOT pg_has_role(current_user, 'footnote_app', 'MEMBER') THEN
		GRANT footnote_app TO CURRENT_USER;
	END IF;
END $$;
--> statement-breakpoint
GRANT USAGE ON SCHEMA public TO footnote_app;
