ALTER TABLE "documents" ADD COLUMN "parent_id" uuid;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "tag_keys" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "if_exists" text DEFAULT 'replace' NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "document_id" uuid;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "version" integer;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_version_fk" FOREIGN KEY ("company_id","document_id","version") REFERENCES "public"."versions"("company_id","document_id","version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "documents_parent" ON "documents" USING btree ("company_id","parent_id") WHERE parent_id is not null;--> statement-breakpoint
CREATE INDEX "documents_tags" ON "documents" USING gin ("tag_keys");--> statement-breakpoint
CREATE INDEX "uploads_version" ON "uploads" USING btree ("company_id","document_id","version") WHERE document_id is not null;