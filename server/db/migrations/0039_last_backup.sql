CREATE TABLE "last_backup" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	"folder" text NOT NULL,
	CONSTRAINT "last_backup_alone" CHECK ("last_backup"."id" = 1)
);
