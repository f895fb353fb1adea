CREATE INDEX "citations_query" ON "citations" USING btree ("company_id","query_id","n");--> statement-breakpoint
CREATE INDEX "documents_deleted" ON "documents" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "refresh_tokens_user" ON "refresh_tokens" USING btree ("company_id","user_id");--> statement-breakpoint
CREATE INDEX "versions_unfinished" ON "versions" USING btree ("uploaded_at") WHERE state in ('queued', 'processing');