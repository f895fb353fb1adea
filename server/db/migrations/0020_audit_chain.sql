CREATE TABLE "audit_chains" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"removed_through" bigint DEFAULT 0 NOT NULL,
	"removed_hash" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_chains" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP INDEX "audit_events_age";--> statement-breakpoint
ALTER TABLE "audit_events" ADD COLUMN "via" text;--> statement-breakpoint
ALTER TABLE "audit_events" ADD COLUMN "sequence" bigint;--> statement-breakpoint
ALTER TABLE "audit_events" ADD COLUMN "previous_hash" "bytea";--> statement-breakpoint
ALTER TABLE "audit_chains" ADD CONSTRAINT "audit_chains_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_events_action" ON "audit_events" USING btree ("company_id","action","at");--> statement-breakpoint
CREATE INDEX "audit_events_person" ON "audit_events" USING btree ("company_id","actor_id","at");--> statement-breakpoint
CREATE INDEX "audit_events_unsealed" ON "audit_events" USING btree ("company_id","at") WHERE "audit_events"."sequence" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_events_sequence" ON "audit_events" USING btree ("company_id","sequence") WHERE "audit_events"."sequence" is not null;--> statement-breakpoint
CREATE POLICY "of_company" ON "audit_chains" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
-- Both ends of the chain, and each event's place in it, are for the owner to write: the role of companies adds events and
-- reads. Events that are there already get their place by the next run of the job, in the order of their times.
GRANT SELECT ON "audit_chains" TO footnote_app;--> statement-breakpoint
REVOKE INSERT ON "audit_events" FROM footnote_app;--> statement-breakpoint
GRANT INSERT ("company_id", "id", "at", "actor_id", "actor_email", "action", "target", "details", "ip", "via") ON "audit_events" TO footnote_app;
