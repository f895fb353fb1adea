ALTER TABLE "users" ADD COLUMN "claims_told_at" timestamp with time zone;
