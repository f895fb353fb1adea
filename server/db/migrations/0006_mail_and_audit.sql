CREATE TABLE "audit_events" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_id" uuid,
	"actor_email" text,
	"action" text NOT NULL,
	"target" text,
	"details" jsonb NOT NULL,
	"ip" text,
	CONSTRAINT "audit_events_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "audit_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"to_hash" text NOT NULL,
	"subject" text NOT NULL,
	"to_address" text,
	"text" text,
	"html" text,
	"state" text NOT NULL,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "outbox_mails" (
	"message_id" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"to_address" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"number" bigserial NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_events_time" ON "audit_events" USING btree ("company_id","at");--> statement-breakpoint
CREATE INDEX "audit_events_age" ON "audit_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "mails_time" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "outbox_mails_id" ON "outbox_mails" USING btree ("id");--> statement-breakpoint
CREATE INDEX "outbox_mails_number" ON "outbox_mails" USING btree ("number");--> statement-breakpoint
CREATE POLICY "of_company" ON "audit_events" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
-- What was done can't be made undone, not even by a hole in our own code: nothing but adding and reading.
GRANT SELECT, INSERT ON "audit_events" TO footnote_app;
