CREATE TABLE "analytics_days" (
	"company_id" uuid NOT NULL,
	"day" date NOT NULL,
	"asked" integer NOT NULL,
	"unanswered" integer NOT NULL,
	"helpful" integer NOT NULL,
	"not_helpful" integer NOT NULL,
	CONSTRAINT "analytics_days_company_id_day_pk" PRIMARY KEY("company_id","day")
);
--> statement-breakpoint
ALTER TABLE "analytics_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "analytics_documents" (
	"company_id" uuid NOT NULL,
	"day" date NOT NULL,
	"document_id" uuid NOT NULL,
	"citations" integer NOT NULL,
	"last_cited_at" timestamp with time zone NOT NULL,
	CONSTRAINT "analytics_documents_company_id_day_document_id_pk" PRIMARY KEY("company_id","day","document_id")
);
--> statement-breakpoint
ALTER TABLE "analytics_documents" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "analytics_hours" (
	"company_id" uuid NOT NULL,
	"day" date NOT NULL,
	"hour" integer NOT NULL,
	"asked" integer NOT NULL,
	CONSTRAINT "analytics_hours_company_id_day_hour_pk" PRIMARY KEY("company_id","day","hour")
);
--> statement-breakpoint
ALTER TABLE "analytics_hours" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "analytics_people" (
	"company_id" uuid NOT NULL,
	"day" date NOT NULL,
	"user_id" uuid NOT NULL,
	"asked" integer NOT NULL,
	"unanswered" integer NOT NULL,
	"rated" integer NOT NULL,
	"last_asked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "analytics_people_company_id_day_user_id_pk" PRIMARY KEY("company_id","day","user_id")
);
--> statement-breakpoint
ALTER TABLE "analytics_people" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "analytics_questions" (
	"company_id" uuid NOT NULL,
	"day" date NOT NULL,
	"asked_question_id" uuid NOT NULL,
	"asked" integer NOT NULL,
	"unanswered" integer NOT NULL,
	"last_asked_at" timestamp with time zone NOT NULL,
	"last_unanswered_at" timestamp with time zone,
	CONSTRAINT "analytics_questions_company_id_day_asked_question_id_pk" PRIMARY KEY("company_id","day","asked_question_id")
);
--> statement-breakpoint
ALTER TABLE "analytics_questions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "analytics_speeds" (
	"company_id" uuid NOT NULL,
	"day" date NOT NULL,
	"step" integer NOT NULL,
	"asked" integer NOT NULL,
	CONSTRAINT "analytics_speeds_company_id_day_step_pk" PRIMARY KEY("company_id","day","step")
);
--> statement-breakpoint
ALTER TABLE "analytics_speeds" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "analytics_states" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"time_zone" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "analytics_states" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "asked_questions" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"text" text NOT NULL,
	"terms" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"solved_at" timestamp with time zone,
	CONSTRAINT "asked_questions_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "asked_questions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "question_terms" (
	"company_id" uuid NOT NULL,
	"term" text NOT NULL,
	"asked_question_id" uuid NOT NULL,
	CONSTRAINT "question_terms_company_id_term_asked_question_id_pk" PRIMARY KEY("company_id","term","asked_question_id")
);
--> statement-breakpoint
ALTER TABLE "question_terms" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "question_wordings" (
	"company_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"asked_question_id" uuid NOT NULL,
	CONSTRAINT "question_wordings_company_id_hash_pk" PRIMARY KEY("company_id","hash")
);
--> statement-breakpoint
ALTER TABLE "question_wordings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "show_names" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "question_retention_days" integer DEFAULT 400 NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "monthly_report" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "reported_month" date;--> statement-breakpoint
ALTER TABLE "queries" ADD COLUMN "said_before" text;--> statement-breakpoint
ALTER TABLE "queries" ADD COLUMN "is_trial" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "queries" ADD COLUMN "asked_question_id" uuid;--> statement-breakpoint
ALTER TABLE "queries" ADD COLUMN "counted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_days" ADD CONSTRAINT "analytics_days_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_documents" ADD CONSTRAINT "analytics_documents_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_hours" ADD CONSTRAINT "analytics_hours_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_people" ADD CONSTRAINT "analytics_people_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_questions" ADD CONSTRAINT "analytics_questions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_speeds" ADD CONSTRAINT "analytics_speeds_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_states" ADD CONSTRAINT "analytics_states_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asked_questions" ADD CONSTRAINT "asked_questions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_terms" ADD CONSTRAINT "question_terms_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_terms" ADD CONSTRAINT "question_terms_question_fk" FOREIGN KEY ("company_id","asked_question_id") REFERENCES "public"."asked_questions"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_wordings" ADD CONSTRAINT "question_wordings_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_wordings" ADD CONSTRAINT "question_wordings_question_fk" FOREIGN KEY ("company_id","asked_question_id") REFERENCES "public"."asked_questions"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "analytics_documents_document" ON "analytics_documents" USING btree ("company_id","document_id","last_cited_at");--> statement-breakpoint
CREATE INDEX "question_terms_question" ON "question_terms" USING btree ("company_id","asked_question_id");--> statement-breakpoint
CREATE INDEX "question_wordings_question" ON "question_wordings" USING btree ("company_id","asked_question_id");--> statement-breakpoint
CREATE INDEX "queries_person" ON "queries" USING btree ("company_id","user_id","created_at");--> statement-breakpoint
CREATE INDEX "queries_asked_question" ON "queries" USING btree ("company_id","asked_question_id","created_at") WHERE asked_question_id is not null;--> statement-breakpoint
CREATE INDEX "queries_rated" ON "queries" USING btree ("company_id","created_at") WHERE rating is not null;--> statement-breakpoint
CREATE INDEX "queries_uncounted" ON "queries" USING btree ("company_id","created_at") WHERE not counted and not is_trial;--> statement-breakpoint
CREATE POLICY "of_company" ON "analytics_days" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "analytics_documents" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "analytics_hours" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "analytics_people" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "analytics_questions" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "analytics_speeds" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "analytics_states" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "asked_questions" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "question_terms" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "of_company" ON "question_wordings" AS PERMISSIVE FOR ALL TO "footnote_app" USING (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid)) WITH CHECK (company_id = (select nullif(current_setting('app.company_id', true), '')::uuid));--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "analytics_days", "analytics_documents", "analytics_hours", "analytics_people", "analytics_questions", "analytics_speeds", "analytics_states", "asked_questions", "question_terms", "question_wordings" TO footnote_app;
