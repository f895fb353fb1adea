CREATE TABLE "upload_bytes" (
	"company_id" uuid NOT NULL,
	"upload_id" text NOT NULL,
	"size" bigint NOT NULL,
	"mark" uuid NOT NULL,
	"offset" bigint DEFAULT 0 NOT NULL,
	"multipart_id" text,
	"parts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"tail" text,
	"head" "bytea",
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "upload_bytes_company_id_upload_id_pk" PRIMARY KEY("company_id","upload_id")
);
--> statement-breakpoint
ALTER TABLE "upload_bytes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "upload_bytes" ADD CONSTRAINT "upload_bytes_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "upload_bytes_touched" ON "upload_bytes" USING btree ("touched_at");--> statement-breakpoint
CREATE POLICY "of_company" ON "upload_bytes" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_unrestricted" ON "upload_bytes" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null);--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "upload_bytes" TO footnote_app;
