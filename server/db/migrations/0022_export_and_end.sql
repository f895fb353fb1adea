CREATE TABLE "export_entries" (
	"company_id" uuid NOT NULL,
	"export_id" uuid NOT NULL,
	"index" integer NOT NULL,
	"path" text NOT NULL,
	"document_id" uuid,
	"version" integer,
	"object_key" text NOT NULL,
	"size" bigint NOT NULL,
	"stored_size" bigint NOT NULL,
	"is_deflated" boolean DEFAULT false NOT NULL,
	"modified_at" timestamp with time zone NOT NULL,
	"crc32" bigint,
	"offset" bigint,
	CONSTRAINT "export_entries_company_id_export_id_index_pk" PRIMARY KEY("company_id","export_id","index")
);
--> statement-breakpoint
ALTER TABLE "export_entries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "exports" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"person_id" uuid,
	"started_by" uuid NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"generation" integer DEFAULT 1 NOT NULL,
	"is_planned" boolean DEFAULT false NOT NULL,
	"documents" integer DEFAULT 0 NOT NULL,
	"documents_done" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"bytes_done" bigint DEFAULT 0 NOT NULL,
	"directory_offset" bigint,
	"size" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ready_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"is_mailed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "exports_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "exports_one_each" UNIQUE NULLS NOT DISTINCT("company_id","person_id")
);
--> statement-breakpoint
ALTER TABLE "exports" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "erasing_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "charging_stopped" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "of_company" uuid;--> statement-breakpoint
ALTER TABLE "export_entries" ADD CONSTRAINT "export_entries_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_entries" ADD CONSTRAINT "export_entries_export_fk" FOREIGN KEY ("company_id","export_id") REFERENCES "public"."exports"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "export_entries_offset" ON "export_entries" USING btree ("company_id","export_id","offset");--> statement-breakpoint
CREATE INDEX "export_entries_document" ON "export_entries" USING btree ("company_id","document_id") WHERE document_id is not null;--> statement-breakpoint
CREATE INDEX "companies_end" ON "companies" USING btree ("ends_at") WHERE ends_at is not null;--> statement-breakpoint
CREATE INDEX "mails_company" ON "mails" USING btree ("of_company") WHERE of_company is not null;--> statement-breakpoint
CREATE POLICY "of_company" ON "export_entries" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "exports" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "exports", "export_entries" TO footnote_app;
