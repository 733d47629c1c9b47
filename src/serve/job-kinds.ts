import type { App } from '#app/app.ts';
import { exportJob } from '#exports/export-job.ts';
import type { JobKind } from '#jobs/job-kind.ts';

/** Every kind of job that this server runs; a kind stands with its noun. */
export function jobKinds(app: App): readonly JobKind[] {
  return [exportJob(app)];
}
