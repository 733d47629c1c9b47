import { z } from 'zod';
import type { App } from '#app/app.ts';
import { importResult } from '#contacts/contact.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, route } from '#platform/http/route.ts';
import { createFollowUp, deleteFollowUp, updateFollowUp } from './change-follow-ups.ts';
import { feedCampaign } from './feed-campaign.ts';
import { feeding, followUpChanges, followUpList, newFollowUpList } from './follow-up.ts';
import { getFollowUp, listFollowUps } from './follow-up-store.ts';
import { countOfList } from './people-of-list.ts';

const one = z.object({ list: followUpList });

export const listFollowUpsRoute = route('GET /api/follow-up-lists', 'session', '跟进名单：共享的与自己的', {
  data: z.object({ rows: z.array(followUpList) }),
});

export const getFollowUpRoute = route('GET /api/follow-up-lists/:id', 'session', '跟进名单与其当前行数', {
  params: idParam,
  data: z.object({ list: followUpList, count: z.int().nonnegative() }),
});

export const createFollowUpRoute = route('POST /api/follow-up-lists', 'session', '将筛选保存为跟进名单；共享需要权限 contact:write', {
  body: newFollowUpList,
  data: one,
});

export const updateFollowUpRoute = route('PATCH /api/follow-up-lists/:id', 'session', '修改自己的跟进名单', {
  params: idParam,
  body: followUpChanges,
  data: one,
});

export const deleteFollowUpRoute = route('DELETE /api/follow-up-lists/:id', 'session', '删除自己的跟进名单', {
  params: idParam,
  data: one,
});

export const feedCampaignRoute = route(
  'POST /api/follow-up-lists/:id/feed',
  'contact:write',
  '将跟进名单中的人转入另一个活动，最多 10000 人；规则与粘贴联系人相同',
  { params: idParam, body: feeding, data: importResult },
);

/** Source: D7.18 */
export function followUpHandlers(app: App): RestHandler[] {
  return [
    handler(listFollowUpsRoute, async ({ caller }) => ({ rows: await listFollowUps(app, caller) })),
    handler(getFollowUpRoute, async ({ params, caller }) => {
      const list = await getFollowUp(app, caller, params.id);
      return { list, count: await countOfList(app, list) };
    }),
    handler(createFollowUpRoute, async ({ body, caller }) => ({ list: await createFollowUp(app, caller, body) })),
    handler(updateFollowUpRoute, async ({ params, body, caller }) => ({ list: await updateFollowUp(app, caller, params.id, body) })),
    handler(deleteFollowUpRoute, async ({ params, caller }) => ({ list: await deleteFollowUp(app, caller, params.id) })),
    handler(feedCampaignRoute, ({ params, body, caller }) => feedCampaign(app, caller, params.id, body)),
  ];
}
