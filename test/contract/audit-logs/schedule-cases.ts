import type { AuditedAction } from '#audit/audit.ts';
import type { ConferenceRig } from '#test/support/conference-rig.ts';
import type { ApiAnswer } from '#test/support/server.ts';
import { administrator, type AuditCases } from './audit-case.ts';
import { newWebhook } from './new-rows.ts';

const PATH = '/api/report-schedules';

async function scheduled(rig: ConferenceRig): Promise<ApiAnswer> {
  const report = await administrator(rig).prepare('POST', '/api/reports/saved', { name: '每天的外呼', question: 'm=dials&by=day' });
  const channelId = await newWebhook(rig);
  const body = { name: '早报', reportId: report.report.id, cron: '0 8 * * *', span: 'yesterday', channelId, isEnabled: 0 };
  return administrator(rig).ask('POST', PATH, body);
}

/** Actions on schedules of reports. */
export const SCHEDULE_CASES: AuditCases<Extract<AuditedAction, `report_schedule.${string}`>> = {
  'report_schedule.created': async rig => {
    const answer = await scheduled(rig);
    return { answer, targetType: 'report_schedule', targetId: answer.data.schedule.id };
  },
  'report_schedule.updated': async rig => {
    const { id } = (await scheduled(rig)).data.schedule;
    const answer = await administrator(rig).ask('PATCH', `${PATH}/${id}`, { name: '晨报' });
    return { answer, targetType: 'report_schedule', targetId: id };
  },
  'report_schedule.triggered': async rig => {
    const { id } = (await scheduled(rig)).data.schedule;
    return { answer: await administrator(rig).ask('POST', `${PATH}/${id}/run`), targetType: 'report_schedule', targetId: id };
  },
  'report_schedule.deleted': async rig => {
    const { id } = (await scheduled(rig)).data.schedule;
    return { answer: await administrator(rig).ask('DELETE', `${PATH}/${id}`), targetType: 'report_schedule', targetId: id };
  },
};
