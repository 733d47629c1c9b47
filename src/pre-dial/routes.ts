import { z } from 'zod';
import type { App } from '#app/app.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, route } from '#platform/http/route.ts';
import { readPreDialHook, removePreDialHook, setPreDialHook } from './hook-store.ts';
import { preDialHook, preDialHookInput } from './pre-dial.ts';

export const readPreDialHookRoute = route('GET /api/campaigns/:id/pre-dial-hook', 'session', '拨前询问：呼叫之前询问的系统；空：不询问', {
  params: idParam,
  data: z.object({ hook: preDialHook.nullable() }),
});

export const setPreDialHookRoute = route(
  'PUT /api/campaigns/:id/pre-dial-hook',
  'campaign:write',
  '设置呼叫之前询问的系统；密钥只在生成时给出一次',
  {
    params: idParam,
    body: preDialHookInput,
    data: z.object({ hook: preDialHook, secret: z.string().nullable() }),
  },
);

export const removePreDialHookRoute = route('DELETE /api/campaigns/:id/pre-dial-hook', 'campaign:write', '不再询问', {
  params: idParam,
  data: z.object({ hook: preDialHook }),
});

/** Source: D15.7 */
export function preDialHandlers(app: App): RestHandler[] {
  return [
    handler(readPreDialHookRoute, async ({ params }) => ({ hook: await readPreDialHook(app, params.id) })),
    handler(setPreDialHookRoute, ({ params, body, caller }) => setPreDialHook(app, caller, params.id, body)),
    handler(removePreDialHookRoute, async ({ params, caller }) => ({ hook: await removePreDialHook(app, caller, params.id) })),
  ];
}
