import { z } from 'zod';
import { doNotCallEntry, newDoNotCallEntry } from './do-not-call.ts';
import { idParam, pageOf, pageSearchQuery, route } from '#platform/http/route.ts';

export const listDoNotCallRoute = route('GET /api/dnc', 'session', '勿扰名单', { query: pageSearchQuery, data: pageOf(doNotCallEntry) });

export const addDoNotCallRoute = route('POST /api/dnc', 'compliance:write', '加入勿扰名单；已在名单中的号码更新其条目', {
  body: newDoNotCallEntry,
  data: z.object({ entry: doNotCallEntry }),
});

export const removeDoNotCallRoute = route('DELETE /api/dnc/:id', 'compliance:write', '移出勿扰名单', {
  params: idParam,
  data: z.object({ entry: doNotCallEntry }),
});
