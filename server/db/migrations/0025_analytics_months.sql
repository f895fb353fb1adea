CREATE TABLE "analytics_month_documents" (
	"company_id" uuid NOT NULL,
	"month" date NOT NULL,
	"document_id" uuid NOT NULL,
	"citations" integer NOT NULL,
	"last_cited_at" timestamp with time zone NOT NULL,
	CONSTRAINT "analytics_month_documents_company_id_month_document_id_pk" PRIMARY KEY("company_id","month","document_id")
);
--> statement-breakpoint
ALTER TABLE "analytics_month_documents" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "analytics_month_people" (
	"company_id" uuid NOT NULL,
	"month" date NOT NULL,
	"user_id" uuid NOT NULL,
	"asked" integer NOT NULL,
	"unanswered" integer NOT NULL,
	"rated" integer NOT NULL,
	"last_asked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "analytics_month_people_company_id_month_user_id_pk" PRIMARY KEY("company_id","month","user_id")
);
--> statement-breakpoint
ALTER TABLE "analytics_month_people" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "analytics_month_questions" (
	"company_id" uuid NOT NULL,
	"month" date NOT NULL,
	"asked_question_id" uuid NOT NULL,
	"asked" integer NOT NULL,
	"unanswered" integer NOT NULL,
	"last_asked_at" timestamp with time zone NOT NULL,
	"last_unanswered_at" timestamp with time zone,
	CONSTRAINT "analytics_month_questions_company_id_month_asked_question_id_pk" PRIMARY KEY("company_id","month","asked_question_id")
);
--> statement-breakpoint
ALTER TABLE "analytics_month_questions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "analytics_open_months" (
	"company_id" uuid NOT NULL,
	"month" date NOT NULL,
	CONSTRAINT "analytics_open_months_company_id_month_pk" PRIMARY KEY("company_id","month")
);
--> statement-breakpoint
ALTER TABLE "analytics_open_months" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "analytics_month_documents" ADD CONSTRAINT "analytics_month_documents_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_month_people" ADD CONSTRAINT "analytics_month_people_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_month_questions" ADD CONSTRAINT "analytics_month_questions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_open_months" ADD CONSTRAINT "analytics_open_months_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "of_company" ON "analytics_month_documents" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "analytics_month_people" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "analytics_month_questions" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "analytics_open_months" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "analytics_open_months", "analytics_month_people", "analytics_month_questions", "analytics_month_documents" TO footnote_app;--> statement-breakpoint
-- Nothing is summed up yet: the job does it, and until then days are read.
INSERT INTO "analytics_open_months" ("company_id", "month") SELECT DISTINCT "company_id", date_trunc('month', "day")::date FROM "analytics_days";
