import { sql } from 'kysely';
import type { AuditedAction } from '#audit/audit.ts';
import { administrator, type AuditCases } from './audit-case.ts';
import type { ConferenceRig } from '#test/support/conference-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { database } from './new-rows.ts';

/** An export that is done. */
async function exported(rig: ConferenceRig): Promise<number> {
  const { job } = await administrator(rig).prepare('POST', '/api/exports', { kind: 'do_not_call' });
  await waitUntil('the export', async () => (await administrator(rig).prepare('GET', `/api/jobs/${job.id}`)).job.state === 'done');
  return job.id;
}

/** Actions on long work and the files that it makes. */
export const JOB_CASES: AuditCases<Exclude<Extract<AuditedAction, `${'job' | 'export'}.${string}`>, 'export.downloaded'>> = {
  'export.started': async rig => {
    const answer = await administrator(rig).ask('POST', '/api/exports', { kind: 'do_not_call' });
    return { answer, targetType: 'job', targetId: answer.data.job.id };
  },
  'export.linked': async rig => {
    const id = await exported(rig);
    return { answer: await administrator(rig).ask('POST', `/api/exports/${id}/link`, {}), targetType: 'job', targetId: id };
  },
  'job.cancelled': async rig => {
    // No server runs this kind of job, so that the job is still open when it is cancelled.
    const row = await database(rig).first(sql<{ id: number }>`
      insert into job (kind, title, input, owner_name, owner) values ('held', '保留的任务', '{}', 'admin', '{}') returning id`);
    const id = row?.id ?? 0;
    return { answer: await administrator(rig).ask('DELETE', `/api/jobs/${id}`), targetType: 'job', targetId: id };
  },
};
