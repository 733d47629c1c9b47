import { z } from 'zod';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { bigIdParam, pageOf, pageQuery, route, textFilter } from '#platform/http/route.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { JOB_STATES, job, MAX_KIND_LENGTH } from './job.ts';
import { cancelJob, getJob, jobList, visibleTo } from './job-store.ts';
import type { App } from '#app/app.ts';

/** Filters of the list; a job must match all of them. */
export const jobFilter = {
  kind: textFilter(MAX_KIND_LENGTH).meta({ description: '种类' }),
  state: z.enum(JOB_STATES).optional().meta({ description: '状态' }),
};

export const listJobsRoute = route('GET /api/jobs', 'session', '后台任务，新的在前：自己的，管理员可见所有人的', {
  query: pageQuery.extend(jobFilter),
  data: pageOf(job),
});

const oneJob = z.object({ job });

export const getJobRoute = route('GET /api/jobs/:id', 'session', '一个后台任务的进度与结果', { params: bigIdParam, data: oneJob });

export const cancelJobRoute = route('DELETE /api/jobs/:id', 'session', '取消后台任务；已写入的保留', { params: bigIdParam, data: oneJob });

/** Source: D2.10 */
export function jobHandlers(app: App): RestHandler[] {
  return [
    handler(listJobsRoute, ({ query, caller }) => readPage(app, jobList, { ...query, owner: visibleTo(caller) })),
    handler(getJobRoute, async ({ params, caller }) => ({ job: await getJob(app, caller, params.id) })),
    handler(cancelJobRoute, async ({ params, caller }) => ({ job: await cancelJob(app, caller, params.id) })),
  ];
}
