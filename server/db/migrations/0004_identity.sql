CREATE TABLE "identity_accounts" (
	"uid" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"claims" jsonb,
	"tokens_from" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"uid" text NOT NULL,
	"purpose" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "identity_leftovers" (
	"company_id" uuid NOT NULL,
	"uid" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "identity_leftovers_company_id_uid_pk" PRIMARY KEY("company_id","uid")
);
--> statement-breakpoint
CREATE TABLE "identity_refresh_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"uid" text NOT NULL,
	"family_id" uuid NOT NULL,
	"authenticated_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "provider_uid" text;
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "claims_due" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "invited_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "invitation_expires_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "identity_leftovers" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "identity_codes" ADD CONSTRAINT "identity_codes_uid_identity_accounts_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."identity_accounts"("uid") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "identity_refresh_tokens" ADD CONSTRAINT "identity_refresh_tokens_uid_identity_accounts_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."identity_accounts"("uid") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "identity_accounts_email" ON "identity_accounts" USING btree ("email");
--> statement-breakpoint
CREATE INDEX "identity_codes_uid" ON "identity_codes" USING btree ("uid");
--> statement-breakpoint
CREATE INDEX "identity_codes_expiry" ON "identity_codes" USING btree ("expires_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "identity_leftovers_uid" ON "identity_leftovers" USING btree ("uid");
--> statement-breakpoint
CREATE INDEX "identity_refresh_tokens_family" ON "identity_refresh_tokens" USING btree ("family_id");
--> statement-breakpoint
CREATE INDEX "identity_refresh_tokens_uid" ON "identity_refresh_tokens" USING btree ("uid");
--> statement-breakpoint
CREATE INDEX "identity_refresh_tokens_expiry" ON "identity_refresh_tokens" USING btree ("expires_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "users_provider_uid" ON "users" USING btree ("provider_uid");
--> statement-breakpoint
CREATE POLICY "of_company" ON "identity_leftovers" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));
--> statement-breakpoint
-- Everyone keeps password and sign-ins: the embedded provider knows them by the id that they have.
UPDATE "users" SET "provider_uid" = "id"::text
--> statement-breakpoint
INSERT INTO "identity_accounts" ("uid", "email", "password_hash", "claims", "tokens_from", "created_at")
SELECT u."id"::text, u."email", c."password_hash", jsonb_build_object('role', u."role", 'companyId', u."company_id"), u."tokens_valid_since", u."created_at"
FROM "users" u LEFT JOIN "credentials" c ON c."company_id" = u."company_id" AND c."user_id" = u."id"
--> statement-breakpoint
-- The oldest token of a family is the one of its sign-in, unless it is long expired and swept.
INSERT INTO "identity_refresh_tokens" ("token_hash", "uid", "family_id", "authenticated_at", "used_at", "revoked_at", "expires_at")
SELECT "token_hash", "user_id"::text, "family_id", min("created_at") OVER (PARTITION BY "family_id"), "used_at", "revoked_at", "expires_at"
FROM "refresh_tokens"
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "identity_leftovers" TO footnote_app
--> statement-breakpoint
ALTER TABLE "credentials" DISABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "refresh_tokens" DISABLE ROW LEVEL SECURITY;
--> statement-breakpoint
DROP POLICY "of_company" ON "credentials" CASCADE;
--> statement-breakpoint
DROP TABLE "credentials" CASCADE;
--> statement-breakpoint
DROP POLICY "of_company" ON "refresh_tokens" CASCADE;
--> statement-breakpoint
DROP TABLE "refresh_tokens" CASCADE;
