CREATE TABLE "kept_replies" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"query_id" uuid NOT NULL,
	"asked" text NOT NULL,
	"reply" jsonb,
	"document_ids" uuid[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "kept_replies_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "kept_replies" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "kept_replies" ADD CONSTRAINT "kept_replies_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kept_replies" ADD CONSTRAINT "kept_replies_query_fk" FOREIGN KEY ("company_id","query_id") REFERENCES "public"."queries"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kept_replies_query" ON "kept_replies" USING btree ("company_id","query_id");--> statement-breakpoint
CREATE INDEX "kept_replies_documents" ON "kept_replies" USING gin ("document_ids");--> statement-breakpoint
CREATE INDEX "kept_replies_age" ON "kept_replies" USING btree ("created_at");--> statement-breakpoint
CREATE POLICY "of_company" ON "kept_replies" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_answer" ON "kept_replies" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or answer_is_visible(query_id, document_ids)) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or answer_is_visible(query_id, document_ids));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "kept_replies" TO footnote_app;
