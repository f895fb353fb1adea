CREATE TABLE "email_codes" (
	"company_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "email_codes_company_id_code_hash_pk" PRIMARY KEY("company_id","code_hash")
);
--> statement-breakpoint
ALTER TABLE "email_codes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP INDEX "users_email";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "paid_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "email_codes" ADD CONSTRAINT "email_codes_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_codes" ADD CONSTRAINT "email_codes_company_id_user_id_users_company_id_id_fk" FOREIGN KEY ("company_id","user_id") REFERENCES "public"."users"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "email_codes_hash" ON "email_codes" USING btree ("code_hash");--> statement-breakpoint
CREATE INDEX "email_codes_user" ON "email_codes" USING btree ("company_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_active" ON "users" USING btree ("email") WHERE state = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_invited" ON "users" USING btree ("email") WHERE state = 'invited';--> statement-breakpoint
CREATE INDEX "users_unconfirmed" ON "users" USING btree ("created_at") WHERE email_confirmed_at is null and state = 'active';--> statement-breakpoint
CREATE POLICY "of_company" ON "email_codes" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "email_codes" TO footnote_app;--> statement-breakpoint
-- Whoever was there before is taken as confirmed, and whoever has had a subscription as having paid: nobody is held up, or ended, by an update.
UPDATE "users" SET "email_confirmed_at" = "created_at" WHERE "state" = 'active';--> statement-breakpoint
UPDATE "subscriptions" SET "paid_at" = "updated_at" WHERE "granted_plan" IS NOT NULL OR "state" IN ('active', 'past_due', 'unpaid', 'paused', 'canceled');
