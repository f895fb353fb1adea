CREATE TABLE "webhook_attempts" (
	"company_id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"status" integer,
	"error" text,
	"duration_ms" integer NOT NULL,
	CONSTRAINT "webhook_attempts_company_id_delivery_id_number_pk" PRIMARY KEY("company_id","delivery_id","number")
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_collections" (
	"company_id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"collection_id" uuid NOT NULL,
	CONSTRAINT "webhook_collections_company_id_webhook_id_collection_id_pk" PRIMARY KEY("company_id","webhook_id","collection_id")
);
--> statement-breakpoint
ALTER TABLE "webhook_collections" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"sequence" bigserial NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"document_id" uuid,
	"query_id" uuid,
	"data" jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"by_hand" boolean DEFAULT false NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"body" text,
	CONSTRAINT "webhook_deliveries_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhooks" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"within_collections" boolean DEFAULT false NOT NULL,
	"sealed_secret" text NOT NULL,
	"sealed_secret_before" text,
	"secret_before_until" timestamp with time zone,
	"created_by_email" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"off_reason" text,
	"off_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp with time zone,
	"paused_until" timestamp with time zone,
	"run_id" uuid,
	"run_until" timestamp with time zone,
	CONSTRAINT "webhooks_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "webhooks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_fk" FOREIGN KEY ("company_id","delivery_id") REFERENCES "public"."webhook_deliveries"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_collections" ADD CONSTRAINT "webhook_collections_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_collections" ADD CONSTRAINT "webhook_collections_webhook_fk" FOREIGN KEY ("company_id","webhook_id") REFERENCES "public"."webhooks"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_collections" ADD CONSTRAINT "webhook_collections_collection_fk" FOREIGN KEY ("company_id","collection_id") REFERENCES "public"."collections"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_fk" FOREIGN KEY ("company_id","webhook_id") REFERENCES "public"."webhooks"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_collections_collection" ON "webhook_collections" USING btree ("company_id","collection_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_log" ON "webhook_deliveries" USING btree ("company_id","webhook_id","sequence");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("company_id","webhook_id","sequence") WHERE state = 'waiting' and not by_hand;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_subject" ON "webhook_deliveries" USING btree ("company_id","webhook_id","subject","sequence") WHERE state = 'waiting' and not by_hand;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_bodies" ON "webhook_deliveries" USING btree ("company_id","webhook_id","sequence") WHERE body is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting_age" ON "webhook_deliveries" USING btree ("at") WHERE state = 'waiting';--> statement-breakpoint
CREATE POLICY "of_company" ON "webhook_attempts" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "webhook_collections" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_unrestricted" ON "webhook_collections" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null);--> statement-breakpoint
CREATE POLICY "of_company" ON "webhook_deliveries" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_document" ON "webhook_deliveries" AS RESTRICTIVE FOR ALL TO "footnote_app" USING ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or document_id is null) WITH CHECK ((select nullif(current_setting('app.collections', true), '')::uuid[]) is null or document_id is null);--> statement-breakpoint
CREATE POLICY "of_company" ON "webhooks" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "webhooks", "webhook_collections", "webhook_deliveries", "webhook_attempts" TO footnote_app;
--> statement-breakpoint
GRANT USAGE ON SEQUENCE "webhook_deliveries_sequence_seq" TO footnote_app;
