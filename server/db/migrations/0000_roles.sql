-- The role that `asCompany` takes on. It belongs to the whole cluster, so another database of it may have made it already.
DO $$ BEGIN
	CREATE ROLE footnote_app NOLOGIN NOBYPASSRLS;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
--> statement-breakpoint
-- Since PostgreSQL 16 its maker may not take it on without being told so; before, plain membership is all there is.
DO $$ BEGIN
	IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
		IF current_setting('server_version_num')::int >= 160000 THEN
			GRANT footnote_app TO CURRENT_USER WITH SET TRUE, INHERIT FALSE;
		ELSE
			GRANT footnote_app TO CURRENT_USER;
		END IF;
	END IF;
END $$;
--> statement-breakpoint
GRANT USAGE ON SCHEMA public TO footnote_app;
