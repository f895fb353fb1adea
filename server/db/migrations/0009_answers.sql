ALTER TABLE "queries" ADD COLUMN "unsupported" jsonb;
--> statement-breakpoint
ALTER TABLE "queries" ADD COLUMN "notice" text;
--> statement-breakpoint
ALTER TABLE "queries" ADD COLUMN "model" text;
--> statement-breakpoint
ALTER TABLE "queries" ADD COLUMN "read_documents" uuid[];
--> statement-breakpoint
ALTER TABLE "queries" ADD COLUMN "input_tokens" integer;
--> statement-breakpoint
ALTER TABLE "queries" ADD COLUMN "output_tokens" integer;
--> statement-breakpoint
ALTER TABLE "queries" ADD COLUMN "rating" text;
--> statement-breakpoint
ALTER TABLE "queries" ADD COLUMN "rating_reason" text;
--> statement-breakpoint
ALTER TABLE "queries" ADD COLUMN "rated_at" timestamp with time zone;
--> statement-breakpoint
CREATE INDEX "queries_read_documents" ON "queries" USING gin ("read_documents") WHERE read_documents is not null;
