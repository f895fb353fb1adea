ALTER TABLE "blocks" ADD COLUMN "parents" jsonb;--> statement-breakpoint
ALTER TABLE "blocks" ADD COLUMN "table_start" integer;--> statement-breakpoint
ALTER TABLE "blocks" ADD COLUMN "table_head" jsonb;--> statement-breakpoint
ALTER TABLE "blocks" ADD COLUMN "running" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "chunks" ADD COLUMN "last_page" integer;
