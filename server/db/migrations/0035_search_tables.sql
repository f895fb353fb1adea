CREATE TABLE "search_tables" (
	"company_id" uuid NOT NULL,
	"place" text NOT NULL,
	"name" text NOT NULL,
	"version" bigint NOT NULL,
	CONSTRAINT "search_tables_company_id_place_pk" PRIMARY KEY("company_id","place")
);
--> statement-breakpoint
ALTER TABLE "search_tables" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY "of_company" ON "search_tables" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_unrestricted" ON "search_tables" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null);
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "search_tables" TO footnote_app;
