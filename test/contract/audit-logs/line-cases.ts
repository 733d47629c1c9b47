import type { AuditedAction } from '#audit/audit.ts';
import { administrator, type AuditCases } from './audit-case.ts';
import { lineBody, newLine, newPool } from './new-rows.ts';

/** Actions on lines, their numbers and their prices. */
export const LINE_CASES: AuditCases<Extract<AuditedAction, `line.${string}`>> = {
  'line.created': async rig => {
    const answer = await administrator(rig).ask('POST', '/api/lines', lineBody());
    return { answer, targetType: 'line', targetId: answer.data.line.id };
  },
  'line.updated': async rig => {
    const id = await newLine(rig);
    return { answer: await administrator(rig).ask('PATCH', `/api/lines/${id}`, { name: '改名' }), targetType: 'line', targetId: id };
  },
  'line.deleted': async rig => {
    const id = await newLine(rig);
    return { answer: await administrator(rig).ask('DELETE', `/api/lines/${id}`), targetType: 'line', targetId: id };
  },
  'line.number_rested': async rig => {
    const { id, numberId } = await newPool(rig);
    const answer = await administrator(rig).ask('POST', `/api/lines/${id}/numbers/${numberId}/rest`, { hours: 2 });
    return { answer, targetType: 'line', targetId: id };
  },
  'line.number_resumed': async rig => {
    const { id, numberId } = await newPool(rig);
    return {
      answer: await administrator(rig).ask('POST', `/api/lines/${id}/numbers/${numberId}/resume`),
      targetType: 'line',
      targetId: id,
    };
  },
  'line.priced': async rig => {
    const id = await newLine(rig);
    const answer = await administrator(rig).ask('POST', `/api/lines/${id}/prices`, { currency: 'CNY', perMinute: 0.12 });
    return { answer, targetType: 'line', targetId: id };
  },
  'line.price_removed': async rig => {
    const id = await newLine(rig);
    const { price } = await administrator(rig).prepare('POST', `/api/lines/${id}/prices`, { currency: 'CNY', perMinute: 0.12 });
    const answer = await administrator(rig).ask('DELETE', `/api/lines/${id}/prices/${price.id}`);
    return { answer, targetType: 'line', targetId: id };
  },
};
