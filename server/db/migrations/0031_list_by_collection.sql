DROP INDEX "documents_collection";--> statement-breakpoint
CREATE INDEX "documents_collection" ON "documents" USING btree ("company_id","collection_id");