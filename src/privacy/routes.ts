import { z } from 'zod';
import { MAX_PHONE_NUMBER_LENGTH } from '#contacts/decisions/numbers.ts';
import { requiredText } from '#kernel/fields.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { route } from '#platform/http/route.ts';
import { erasePerson } from './erase-person.ts';
import type { App } from '#app/app.ts';

const count = (description: string) => z.int().nonnegative().meta({ description });

const erasure = z
  .object({
    erased: z.object({
      contacts: count('删除的联系人，含此前已删除的'),
      attempts: count('删除的通话记录'),
      transcripts: count('删除的转写分段'),
      recordings: count('清除的录音文件名；录音文件由保存它的服务器删除'),
      agentCalls: count('删除的坐席通话'),
      conferences: count('删除的会议'),
      events: count('删除的运行事件'),
      auditRows: count('遮盖了号码或个人资料的审计记录，记录本身保留'),
    }),
    remaining: z.boolean().meta({ description: '时间用尽，尚有数据未清除；再次请求会继续' }),
  })
  .meta({ id: 'PersonErasure' });

/** Matches the number as the do-not-call list does (D8.7). */
export const erasePersonRoute = route('DELETE /api/contacts/by-number/:number', 'admin', '按号码清除个人数据，勿扰名单除外', {
  params: z.object({ number: requiredText(MAX_PHONE_NUMBER_LENGTH) }),
  data: erasure,
});

export function peopleHandlers(app: App): RestHandler[] {
  return [handler(erasePersonRoute, ({ params, caller }) => erasePerson(app, caller, params.number))];
}
