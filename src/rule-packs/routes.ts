import { z } from 'zod';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { route } from '#platform/http/route.ts';
import { packConflict, packPreview, packSwitching, packUse, rulePack } from './rule-pack.ts';
import { listPacks, previewRulePack, switchRulePack } from './switch-packs.ts';
import type { App } from '#app/app.ts';

const MAX_PACK_ID_LENGTH = 32;

const packParam = z.object({ packId: z.string().min(1).max(MAX_PACK_ID_LENGTH) });

/** Source: D8.11 */
export const listRulePacksRoute = route('GET /api/rule-packs', 'session', '各国外呼规则包，及其对哪些活动打开', {
  data: z.object({ packs: z.array(rulePack) }),
});

/** Source: D8.11 */
export const previewRulePackRoute = route(
  'POST /api/rule-packs/:packId/preview',
  'policy:write',
  '规则包在最近一周会阻止哪些呼叫，与哪些策略矛盾；不作任何改变',
  {
    params: packParam,
    body: packUse,
    data: z.object({ preview: packPreview }),
  },
);

/** Source: D8.11 */
export const switchRulePackRoute = route('POST /api/rule-packs/:packId/switch', 'admin', '对全部活动或一个活动打开、关闭规则包', {
  params: packParam,
  body: packSwitching,
  data: z.object({ pack: rulePack, conflicts: z.array(packConflict) }),
});

/** Source: D8.11 */
export function rulePackHandlers(app: App): RestHandler[] {
  return [
    handler(listRulePacksRoute, async () => ({ packs: await listPacks(app) })),
    handler(previewRulePackRoute, async ({ params, body }) => ({ preview: await previewRulePack(app, params.packId, body) })),
    handler(switchRulePackRoute, ({ params, body, caller }) => switchRulePack(app, caller, params.packId, body)),
  ];
}
