import type { App } from '#app/app.ts';
import { exportJob } from '#exports/export-job.ts';
import type { JobKind } from '#jobs/job-kind.ts';
import { importJob } from '#lists/import-job.ts';
import { removeListJob } from '#lists/remove-list.ts';
import { useListJob } from '#lists/use-list.ts';
import { countStats } from '#reports/count-stats.ts';

/** Every kind of job that this server runs; a kind stands with its noun. */
export function jobKinds(app: App): readonly JobKind[] {
  return [exportJob(app, countStats(app)), importJob(app), useListJob(app), removeListJob(app)];
}
