-- Whoever lists documents asks of those whose newest version answers only whether the document's own row was written
-- again (`read-files.ts`): what is written of such a version afterwards writes that row, too.
CREATE FUNCTION write_document_of_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE documents SET newest_version = newest_version
    WHERE company_id = NEW.company_id AND id = NEW.document_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER write_document AFTER UPDATE ON "versions" FOR EACH ROW
  WHEN (OLD.state IN ('ready', 'partial'))
  EXECUTE FUNCTION write_document_of_version();
