CREATE TABLE "identity_remote_sessions" (
	"family_id" uuid PRIMARY KEY NOT NULL,
	"uid" text NOT NULL,
	"sealed_token" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "identity_remote_sessions" ADD CONSTRAINT "identity_remote_sessions_uid_identity_accounts_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."identity_accounts"("uid") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "identity_remote_sessions_uid" ON "identity_remote_sessions" USING btree ("uid");