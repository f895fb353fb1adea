CREATE TABLE "api_key_collections" (
	"company_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"collection_id" uuid NOT NULL,
	CONSTRAINT "api_key_collections_company_id_key_id_collection_id_pk" PRIMARY KEY("company_id","key_id","collection_id")
);
--> statement-breakpoint
ALTER TABLE "api_key_collections" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "api_key_days" (
	"company_id" uuid NOT NULL,
	"day" date NOT NULL,
	"key_id" uuid NOT NULL,
	"asked" integer NOT NULL,
	"searched" integer NOT NULL,
	CONSTRAINT "api_key_days_company_id_day_key_id_pk" PRIMARY KEY("company_id","day","key_id")
);
--> statement-breakpoint
ALTER TABLE "api_key_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "api_keys" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"public_id" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid,
	"role" text,
	"scope" text NOT NULL,
	"name" text NOT NULL,
	"within_collections" boolean DEFAULT false NOT NULL,
	"created_by_email" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "api_keys_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "api_keys_whose" CHECK ((kind = 'personal') = (user_id is not null) and (kind = 'company') = (role is not null))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "api_key_collections" ADD CONSTRAINT "api_key_collections_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_collections" ADD CONSTRAINT "api_key_collections_key_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_collections" ADD CONSTRAINT "api_key_collections_collection_fk" FOREIGN KEY ("company_id","collection_id") REFERENCES "public"."collections"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_days" ADD CONSTRAINT "api_key_days_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_days" ADD CONSTRAINT "api_key_days_key_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_user_id_users_company_id_id_fk" FOREIGN KEY ("company_id","user_id") REFERENCES "public"."users"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_collections_collection" ON "api_key_collections" USING btree ("company_id","collection_id");--> statement-breakpoint
CREATE INDEX "api_key_days_key" ON "api_key_days" USING btree ("company_id","key_id");--> statement-breakpoint
CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("company_id","user_id");--> statement-breakpoint
CREATE POLICY "of_company" ON "api_key_collections" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_unrestricted" ON "api_key_collections" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null);--> statement-breakpoint
CREATE POLICY "of_company" ON "api_key_days" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "api_keys" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "api_keys", "api_key_collections", "api_key_days" TO footnote_app;
--> statement-breakpoint
-- As before, and for a company's key by its own id: a key sees what a member sees who is in no list, or, where it is kept
-- within some collections, these alone, also where others are open to everyone. What is in no collection it always sees.
CREATE OR REPLACE FUNCTION visible_collections(company uuid, person uuid) RETURNS uuid[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	seen uuid[];
	key_role text;
	key_is_kept boolean;
	key_ends timestamptz;
BEGIN
	SELECT k.role, k.within_collections, least(k.revoked_at, k.expires_at) INTO key_role, key_is_kept, key_ends
	FROM api_keys AS k WHERE k.company_id = company AND k.id = person AND k.kind = 'company';
	IF key_ends <= now() THEN
		RETURN '{}';
	END IF;
	IF key_role = 'admin' THEN
		RETURN NULL;
	END IF;
	IF NOT coalesce(key_is_kept, false) AND NOT EXISTS (
		SELECT FROM collections AS c WHERE c.company_id = company AND c.access = 'restricted'
	) THEN
		RETURN NULL;
	END IF;
	IF key_role IS NULL AND EXISTS (
		SELECT FROM users AS u WHERE u.company_id = company AND u.id = person AND u.role = 'admin' AND u.state = 'active'
	) THEN
		RETURN NULL;
	END IF;
	IF key_is_kept THEN
		SELECT coalesce(array_agg(k.collection_id ORDER BY k.collection_id), '{}') INTO seen
		FROM api_key_collections AS k WHERE k.company_id = company AND k.key_id = person;
	ELSE
		SELECT coalesce(array_agg(c.id ORDER BY c.id), '{}') INTO seen
		FROM collections AS c
		WHERE c.company_id = company AND (
			c.access = 'everyone'
			OR c.id IN (SELECT p.collection_id FROM collection_people AS p WHERE p.company_id = company AND p.user_id = person)
			OR c.id IN (
				SELECT g.collection_id FROM collection_groups AS g
				JOIN group_members AS m ON m.company_id = g.company_id AND m.group_id = g.group_id
				WHERE g.company_id = company AND m.user_id = person
			)
		);
	END IF;
	IF cardinality(seen) = (SELECT count(*) FROM collections AS c WHERE c.company_id = company) THEN
		RETURN NULL;
	END IF;
	RETURN seen;
END $$;
