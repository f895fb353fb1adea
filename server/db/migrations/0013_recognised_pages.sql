CREATE TABLE "recognised_pages" (
	"company_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"attempt" integer NOT NULL,
	"page" integer NOT NULL,
	"content" jsonb NOT NULL,
	CONSTRAINT "recognised_pages_company_id_document_id_version_attempt_page_pk" PRIMARY KEY("company_id","document_id","version","attempt","page")
);
--> statement-breakpoint
ALTER TABLE "recognised_pages" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "recognised_pages" ADD CONSTRAINT "recognised_pages_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recognised_pages" ADD CONSTRAINT "recognised_pages_version_fk" FOREIGN KEY ("company_id","document_id","version") REFERENCES "public"."versions"("company_id","document_id","version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "of_company" ON "recognised_pages" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "recognised_pages" TO footnote_app;