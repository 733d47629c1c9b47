import type { Source } from '#platform/feeds/feed.ts';
import { polledSource, wholeWhenOther } from '#platform/feeds/polled-source.ts';
import type { Platform } from '#platform/platform.ts';
import { rowsById } from '#platform/postgres/listing.ts';
import { isOpenJob, type Job } from './job.ts';
import { JOB_TABLE } from './job-store.ts';

/** Poll interval, in ms: people watch a bar. */
const POLL_MS = 1_000;

/** Progress of one job; the last change is its end. */
export function jobSource(app: Pick<Platform, 'db' | 'clock' | 'log'>, jobId: number): Source<Job, Job> {
  return polledSource(app, {
    what: 'a job',
    read: async () => (await rowsById(app, JOB_TABLE, [jobId]))[0] ?? null,
    changes: wholeWhenOther,
    isLast: job => !isOpenJob(job),
    pollMs: POLL_MS,
    spacingMs: POLL_MS,
  });
}
