-- Which collections somebody sees: null means all, and so all documents, those of people who are no admins where nothing
-- is kept from them included. It runs with the rights of the tables' owner, since those who ask may not read whom a
-- collection is for.
CREATE FUNCTION visible_collections(company uuid, person uuid) RETURNS uuid[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	seen uuid[];
BEGIN
	IF NOT EXISTS (SELECT FROM collections AS c WHERE c.company_id = company AND c.access = 'restricted') THEN
		RETURN NULL;
	END IF;
	IF EXISTS (
		SELECT FROM users AS u WHERE u.company_id = company AND u.id = person AND u.role = 'admin' AND u.state = 'active'
	) THEN
		RETURN NULL;
	END IF;
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
	IF cardinality(seen) = (SELECT count(*) FROM collections AS c WHERE c.company_id = company) THEN
		RETURN NULL;
	END IF;
	RETURN seen;
END $$;
--> statement-breakpoint
-- Whether the reader sees every document that an answer was made of.
CREATE FUNCTION answer_is_visible(answer uuid, read_documents uuid[]) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	seen uuid[] := nullif(current_setting('app.collections', true), '')::uuid[];
	company uuid := nullif(current_setting('app.company_id', true), '')::uuid;
BEGIN
	RETURN seen IS NULL OR NOT EXISTS (
		SELECT FROM documents AS d
		WHERE d.company_id = company AND d.collection_id IS NOT NULL AND d.collection_id <> ALL (seen)
			AND d.id = ANY (coalesce(read_documents, '{}') || ARRAY(
				SELECT c.document_id FROM citations AS c WHERE c.company_id = company AND c.query_id = answer
			))
	);
END $$;
--> statement-breakpoint
-- Whoever may name the person could ask about any company's.
REVOKE EXECUTE ON FUNCTION visible_collections(uuid, uuid) FROM PUBLIC;
--> statement-breakpoint
CREATE TABLE "collection_groups" (
	"company_id" uuid NOT NULL,
	"collection_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	CONSTRAINT "collection_groups_company_id_collection_id_group_id_pk" PRIMARY KEY("company_id","collection_id","group_id")
);
--> statement-breakpoint
ALTER TABLE "collection_groups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "collection_people" (
	"company_id" uuid NOT NULL,
	"collection_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "collection_people_company_id_collection_id_user_id_pk" PRIMARY KEY("company_id","collection_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "collection_people" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "collections" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"access" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "collections_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "collections" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "group_members" (
	"company_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "group_members_company_id_group_id_user_id_pk" PRIMARY KEY("company_id","group_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "group_members" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "groups" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "groups_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "groups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "collection_id" uuid;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "collection_id" uuid;--> statement-breakpoint
ALTER TABLE "collection_groups" ADD CONSTRAINT "collection_groups_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_groups" ADD CONSTRAINT "collection_groups_collection_fk" FOREIGN KEY ("company_id","collection_id") REFERENCES "public"."collections"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_groups" ADD CONSTRAINT "collection_groups_group_fk" FOREIGN KEY ("company_id","group_id") REFERENCES "public"."groups"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_people" ADD CONSTRAINT "collection_people_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_people" ADD CONSTRAINT "collection_people_collection_fk" FOREIGN KEY ("company_id","collection_id") REFERENCES "public"."collections"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_people" ADD CONSTRAINT "collection_people_user_fk" FOREIGN KEY ("company_id","user_id") REFERENCES "public"."users"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_group_fk" FOREIGN KEY ("company_id","group_id") REFERENCES "public"."groups"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_user_fk" FOREIGN KEY ("company_id","user_id") REFERENCES "public"."users"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "collection_groups_group" ON "collection_groups" USING btree ("company_id","group_id");--> statement-breakpoint
CREATE INDEX "collection_people_user" ON "collection_people" USING btree ("company_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "collections_name" ON "collections" USING btree ("company_id","name_key");--> statement-breakpoint
CREATE INDEX "group_members_user" ON "group_members" USING btree ("company_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "groups_name" ON "groups" USING btree ("company_id","name_key");--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_collection_fk" FOREIGN KEY ("company_id","collection_id") REFERENCES "public"."collections"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_collection_fk" FOREIGN KEY ("company_id","collection_id") REFERENCES "public"."collections"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "documents_collection" ON "documents" USING btree ("company_id","collection_id") WHERE collection_id is not null;--> statement-breakpoint
CREATE POLICY "of_document" ON "analytics_documents" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or exists (select from documents as seen where seen.company_id = analytics_documents.company_id and seen.id = analytics_documents.document_id)) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or exists (select from documents as seen where seen.company_id = analytics_documents.company_id and seen.id = analytics_documents.document_id));--> statement-breakpoint
CREATE POLICY "of_document" ON "analytics_month_documents" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or exists (select from documents as seen where seen.company_id = analytics_month_documents.company_id and seen.id = analytics_month_documents.document_id)) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or exists (select from documents as seen where seen.company_id = analytics_month_documents.company_id and seen.id = analytics_month_documents.document_id));--> statement-breakpoint
CREATE POLICY "of_document" ON "blocks" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or exists (select from documents as seen where seen.company_id = blocks.company_id and seen.id = blocks.document_id)) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or exists (select from documents as seen where seen.company_id = blocks.company_id and seen.id = blocks.document_id));--> statement-breakpoint
CREATE POLICY "of_document" ON "chunks" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or exists (select from documents as seen where seen.company_id = chunks.company_id and seen.id = chunks.document_id)) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or exists (select from documents as seen where seen.company_id = chunks.company_id and seen.id = chunks.document_id));--> statement-breakpoint
CREATE POLICY "of_document" ON "citations" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or exists (select from documents as seen where seen.company_id = citations.company_id and seen.id = citations.document_id)) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or exists (select from documents as seen where seen.company_id = citations.company_id and seen.id = citations.document_id));--> statement-breakpoint
CREATE POLICY "of_collection" ON "documents" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or collection_id is null or collection_id = any((select nullif(current_setting('app.collections', true), '')::uuid[])::uuid[])) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or collection_id is null or collection_id = any((select nullif(current_setting('app.collections', true), '')::uuid[])::uuid[]));--> statement-breakpoint
CREATE POLICY "of_answer" ON "queries" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or answer_is_visible(id, read_documents)) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or answer_is_visible(id, read_documents));--> statement-breakpoint
CREATE POLICY "of_document" ON "recognised_pages" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or exists (select from documents as seen where seen.company_id = recognised_pages.company_id and seen.id = recognised_pages.document_id)) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or exists (select from documents as seen where seen.company_id = recognised_pages.company_id and seen.id = recognised_pages.document_id));--> statement-breakpoint
CREATE POLICY "of_unrestricted" ON "uploads" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null);--> statement-breakpoint
CREATE POLICY "of_document" ON "versions" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or exists (select from documents as seen where seen.company_id = versions.company_id and seen.id = versions.document_id)) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or exists (select from documents as seen where seen.company_id = versions.company_id and seen.id = versions.document_id));--> statement-breakpoint
CREATE POLICY "of_company" ON "collection_groups" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_unrestricted" ON "collection_groups" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null);--> statement-breakpoint
CREATE POLICY "of_company" ON "collection_people" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_unrestricted" ON "collection_people" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null);--> statement-breakpoint
CREATE POLICY "of_company" ON "collections" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_collection" ON "collections" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or id = any((select nullif(current_setting('app.collections', true), '')::uuid[])::uuid[])) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or id = any((select nullif(current_setting('app.collections', true), '')::uuid[])::uuid[]));--> statement-breakpoint
CREATE POLICY "of_company" ON "group_members" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_unrestricted" ON "group_members" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null);--> statement-breakpoint
CREATE POLICY "of_company" ON "groups" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_unrestricted" ON "groups" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null);
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "collections", "groups", "group_members", "collection_people", "collection_groups" TO footnote_app;
