import { z } from 'zod';
import { ATTEMPT_STATUSES, EMOTION_STATUSES } from '#attempts/attempt.ts';
import { CONTACT_STATUSES, MAX_PHONE_NUMBER_LENGTH } from '#contacts/contact.ts';
import { instantText } from '#kernel/fields.ts';
import { CALL_STATUSES } from '#protocol/call-status.ts';
import { SKIP_REASONS } from '#campaigns/decisions/skip-reason.ts';
import { flagFilter, idText4, idText8, integerText, MAX_SEARCH_LENGTH, route, searchText, textFilter } from '#platform/http/route.ts';

/** Query members that both exports share. */
const asked = {
  order: z.enum(['asc', 'desc']).optional().default('desc').meta({ description: '按时间的顺序，默认最新在前' }),
  language: z.enum(['zh', 'en']).optional().default('zh').meta({ description: '表头与状态的语言' }),
  callStatus: z.enum(CALL_STATUSES).optional(),
  phoneNumber: textFilter(MAX_PHONE_NUMBER_LENGTH),
  agentId: idText4.optional(),
  classification: textFilter(MAX_SEARCH_LENGTH),
  intent: textFilter(MAX_SEARCH_LENGTH),
  from: instantText.optional().meta({ description: '不早于' }),
  to: instantText.optional().meta({ description: '早于' }),
};

const seconds = integerText({ min: 0 }).optional();

/** Requires the permission to listen to recordings, because the file takes the phone numbers of many customers out of the system. */
export const exportCallsRoute = route('GET /api/exports/calls', 'campaign:dispatch', '导出通话记录为 CSV，最多 100000 行', {
  query: z.object({
    ...asked,
    campaignId: idText4.optional(),
    status: z.enum(ATTEMPT_STATUSES).optional(),
    emotionStatus: z.enum(EMOTION_STATUSES).optional(),
    resultMissing: flagFilter,
    contactId: idText8.optional(),
    lineId: idText4.optional(),
    minDurationSeconds: seconds,
    maxDurationSeconds: seconds,
    text: textFilter(MAX_SEARCH_LENGTH),
  }),
  data: z.never(),
  media: 'text/csv',
});

export const exportContactsRoute = route('GET /api/exports/contacts', 'campaign:dispatch', '导出联系人为 CSV，最多 100000 行', {
  query: z.object({
    ...asked,
    campaignId: idText4.optional(),
    q: searchText,
    status: z.enum(CONTACT_STATUSES).optional(),
    minAttempts: seconds,
    maxAttempts: seconds,
    isHeld: flagFilter,
    notDialedReason: z.enum(SKIP_REASONS).optional().meta({ description: '必须同时给出 campaignId' }),
    batchId: idText8.optional(),
  }),
  data: z.never(),
  media: 'text/csv',
});
