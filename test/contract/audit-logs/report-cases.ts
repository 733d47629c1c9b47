import type { AuditedAction } from '#audit/audit.ts';
import type { ConferenceRig } from '#test/support/conference-rig.ts';
import type { ApiAnswer } from '#test/support/server.ts';
import { administrator, type AuditCases } from './audit-case.ts';

const PATH = '/api/reports/saved';

function saved(rig: ConferenceRig): Promise<ApiAnswer> {
  return administrator(rig).ask('POST', PATH, { name: '每天的外呼', question: 'm=dials&by=day' });
}

/** Actions on saved reports. */
export const REPORT_CASES: AuditCases<Extract<AuditedAction, `report.${string}`>> = {
  'report.created': async rig => {
    const answer = await saved(rig);
    return { answer, targetType: 'report', targetId: answer.data.report.id };
  },
  'report.updated': async rig => {
    const { id } = (await saved(rig)).data.report;
    return { answer: await administrator(rig).ask('PATCH', `${PATH}/${id}`, { name: '每天' }), targetType: 'report', targetId: id };
  },
  'report.deleted': async rig => {
    const { id } = (await saved(rig)).data.report;
    return { answer: await administrator(rig).ask('DELETE', `${PATH}/${id}`), targetType: 'report', targetId: id };
  },
};
