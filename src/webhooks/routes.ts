import { z } from 'zod';
import type { App } from '#app/app.ts';
import { instantText, toInstant } from '#kernel/fields.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, pageOf, pageQuery, route, textFilter } from '#platform/http/route.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { createWebhook, deleteWebhook, rotateWebhookSecret, updateWebhook } from './change-webhooks.ts';
import { listEventKinds } from './decisions/event-catalogue.ts';
import { getWebhook, listWebhooks } from './endpoint-store.ts';
import { deliveryList } from './list-deliveries.ts';
import { replayWebhook, testWebhook } from './test-and-replay.ts';
import { DELIVERY_STATES, newWebhook, webhook, webhookChanges, webhookDelivery, webhookEvent, webhookReplay } from './webhook.ts';

const oneWebhook = z.object({ webhook });
const withSecret = z.object({
  webhook,
  secret: z.string().nullable().meta({ description: '签名密钥，只在此时给出；机器人与邮箱为空' }),
});

export const listWebhookEventsRoute = route('GET /api/webhook-events', 'session', '可以订阅的事件及其内容的 JSON Schema', {
  data: z.object({ events: z.array(webhookEvent) }),
});

export const listWebhooksRoute = route('GET /api/webhooks', 'admin', '推送端点：程序、群机器人与邮箱', {
  data: z.object({ rows: z.array(webhook) }),
});

export const createWebhookRoute = route('POST /api/webhooks', 'admin', '新建推送端点；程序的签名密钥只在应答中给出一次', {
  body: newWebhook,
  data: withSecret,
});

export const updateWebhookRoute = route('PATCH /api/webhooks/:id', 'admin', '修改、暂停或重新启用推送端点', {
  params: idParam,
  body: webhookChanges,
  data: oneWebhook,
});

export const deleteWebhookRoute = route('DELETE /api/webhooks/:id', 'admin', '删除推送端点及其投递记录', {
  params: idParam,
  data: oneWebhook,
});

export const rotateWebhookSecretRoute = route('POST /api/webhooks/:id/rotate-secret', 'admin', '更换签名密钥；24 小时内新旧密钥同时签名', {
  params: idParam,
  data: withSecret,
});

export const testWebhookRoute = route('POST /api/webhooks/:id/test', 'admin', '立即发送一条测试消息，只试一次', {
  params: idParam,
  data: z.object({ delivery: webhookDelivery }),
});

export const replayWebhookRoute = route('POST /api/webhooks/:id/replay', 'admin', '重放一段时间内的消息，编号与序号不变', {
  params: idParam,
  body: webhookReplay,
  data: z.object({ queued: z.int() }),
});

export const listWebhookDeliveriesRoute = route('GET /api/webhooks/:id/deliveries', 'admin', '投递队列与记录', {
  params: idParam,
  query: pageQuery.extend({
    state: z.enum(DELIVERY_STATES).optional(),
    type: textFilter(64),
    from: instantText.optional(),
    to: instantText.optional(),
  }),
  data: pageOf(webhookDelivery),
});

/** Source: D15 */
export function webhookHandlers(app: App): RestHandler[] {
  const at = (text: string | undefined) => (text === undefined ? undefined : toInstant(text, app.timeZone));
  return [
    handler(listWebhookEventsRoute, async () => ({ events: listEventKinds() })),
    handler(listWebhooksRoute, async () => ({ rows: await listWebhooks(app) })),
    handler(createWebhookRoute, ({ body, caller }) => createWebhook(app, caller, body)),
    handler(updateWebhookRoute, async ({ params, body, caller }) => ({ webhook: await updateWebhook(app, caller, params.id, body) })),
    handler(deleteWebhookRoute, async ({ params, caller }) => ({ webhook: await deleteWebhook(app, caller, params.id) })),
    handler(rotateWebhookSecretRoute, ({ params, caller }) => rotateWebhookSecret(app, caller, params.id)),
    handler(testWebhookRoute, async ({ params, caller }) => ({ delivery: await testWebhook(app, caller, params.id) })),
    handler(replayWebhookRoute, ({ params, body, caller }) => replayWebhook(app, caller, params.id, body)),
    handler(listWebhookDeliveriesRoute, async ({ params, query: { from, to, ...query } }) => {
      const { id: endpointId } = await getWebhook(app.db, params.id);
      return readPage(app, deliveryList, { ...query, endpointId, from: at(from), to: at(to) });
    }),
  ];
}
