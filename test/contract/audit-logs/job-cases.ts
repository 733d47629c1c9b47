import { sql } from 'kysely';
import type { AuditedAction } from '#audit/audit.ts';
import { administrator, type AuditCases } from './audit-case.ts';
import { database } from './new-rows.ts';

/** Actions on long work and the files that it makes. */
export const JOB_CASES: AuditCases<Extract<AuditedAction, `job.${string}`>> = {
  'job.cancelled': async rig => {
    // Of a kind that no server runs, so that it is still open.
    const row = await database(rig).first(sql<{ id: number }>`
      insert into job (kind, title, input, owner_name, owner) values ('held', '保留的任务', '{}', 'admin', '{}') returning id`);
    const id = row?.id ?? 0;
    return { answer: await administrator(rig).ask('DELETE', `/api/jobs/${id}`), targetType: 'job', targetId: id };
  },
};
