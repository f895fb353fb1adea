import type { JobHandlers } from '#server/jobs/registry.ts';
import { countAllQuestions } from './count.ts';
import { eraseOldQuestions } from './erase.ts';
import { mailReports, type ReportDeps } from './report.ts';

export function analyticsJobs(deps: ReportDeps) {
  return {
    'count-questions': (_, run) => countAllQuestions(deps.db, run),
    'erase-questions': (_, run) => eraseOldQuestions(deps.db, run),
    'mail-reports': (_, run) => mailReports(deps, run),
  } satisfies Partial<JobHandlers>;
}
