CREATE TABLE "oauth_clients" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_records" (
	"kind" text NOT NULL,
	"id_hash" text NOT NULL,
	"grant_id" text,
	"payload" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"consumed_at" timestamp with time zone,
	CONSTRAINT "oauth_records_kind_id_hash_pk" PRIMARY KEY("kind","id_hash")
);
--> statement-breakpoint
ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_whose";--> statement-breakpoint
ALTER TABLE "api_keys" ALTER COLUMN "hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "client_id" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "client_address" text;--> statement-breakpoint
CREATE INDEX "oauth_records_grant" ON "oauth_records" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "oauth_records_expiry" ON "oauth_records" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_app" CHECK ((kind = 'app') = (hash is null) and (kind = 'app') = (client_id is not null) and (kind = 'app') = (client_address is not null));--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_whose" CHECK ((kind = 'company') = (user_id is null) and (kind = 'company') = (role is not null));