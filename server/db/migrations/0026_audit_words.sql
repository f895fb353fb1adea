-- What a search looks into of an event: everywhere the same, or an event would be found by one way and not by the other.
CREATE FUNCTION audit_words(actor_email text, ip text, target text, details jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN lower(coalesce(actor_email || ' ', '') || coalesce(ip || ' ', '') || coalesce(target || ' ', '') || details::text);
--> statement-breakpoint
-- Each three letters in a row, hashed with the company, so that another company's events are none of an index scan's. Not
-- pg_trgm, which an external PostgreSQL need not have, and which knows no letters but the Latin ones in our own database.
CREATE FUNCTION audit_grams(company_id uuid, words text) RETURNS integer[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT coalesce(array_agg(hashtext(company_id::text || substr(words, i, 3))), '{}')
  FROM generate_series(1, length(words) - 2) AS i
);
--> statement-breakpoint
CREATE INDEX "audit_events_grams" ON "audit_events" USING gin (audit_grams(company_id, audit_words(actor_email, ip, target, details))) WHERE "audit_events"."sequence" is not null;--> statement-breakpoint
-- Which letters are frequent says nothing that a search needs, and would be counted anew with each analysis of the table.
ALTER INDEX audit_events_grams ALTER COLUMN 1 SET STATISTICS 0;
--> statement-breakpoint
-- The ids of the company's events that hold the words, sealed or not; null where that can't be told from the index, or not
-- in a bounded time: fewer than three letters, more than `max_looked` events that may hold them or are not sealed yet.
--
-- As the owner, since below row-level security an index on an array is not used: its operators are none that PostgreSQL
-- would let see another company's rows. The company is that of the transaction, which no caller can choose.
CREATE FUNCTION audit_events_with(wanted text, max_looked integer) RETURNS uuid[]
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan
SET enable_seqscan = off
SET enable_indexscan = off
AS $$
DECLARE
  company uuid := nullif(current_setting('app.company_id', true), '')::uuid;
  words text := lower(wanted);
  sealed uuid[];
  unsealed uuid[];
  looked integer;
BEGIN
  IF company IS NULL OR length(words) < 3 THEN RETURN NULL; END IF;
  SELECT count(*), array_agg(id) FILTER (WHERE strpos(public.audit_words(actor_email, ip, target, details), words) > 0)
  INTO looked, unsealed
  FROM (
    SELECT * FROM public.audit_events WHERE company_id = company AND sequence IS NULL LIMIT max_looked + 1
  ) AS events;
  IF looked > max_looked THEN RETURN NULL; END IF;
  SELECT count(*), array_agg(id) FILTER (WHERE strpos(public.audit_words(actor_email, ip, target, details), words) > 0)
  INTO looked, sealed
  FROM (
    SELECT * FROM public.audit_events
    WHERE company_id = company AND sequence IS NOT NULL
      AND public.audit_grams(company_id, public.audit_words(actor_email, ip, target, details))
        @> public.audit_grams(company, words)
    LIMIT max_looked + 1
  ) AS events;
  IF looked > max_looked THEN RETURN NULL; END IF;
  RETURN coalesce(unsealed, '{}') || coalesce(sealed, '{}');
END
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION audit_events_with(text, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION audit_events_with(text, integer) TO footnote_app;
