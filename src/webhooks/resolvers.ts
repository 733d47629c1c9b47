import { fromRoute } from '#graph/from-route.ts';
import type { MutationReplayWebhookArgs, Resolvers } from '#graph/schema-types.generated.ts';
import { connectionFields, connectTo } from '#platform/graphql/connection.ts';
import { given, rowIdOf } from '#platform/graphql/row-id.ts';
import { createWebhook, deleteWebhook, rotateWebhookSecret, updateWebhook } from './change-webhooks.ts';
import { listEventKinds } from './decisions/event-catalogue.ts';
import { getWebhook, listWebhooks } from './endpoint-store.ts';
import { deliveryList } from './list-deliveries.ts';
import {
  createWebhookRoute,
  deleteWebhookRoute,
  replayWebhookRoute,
  rotateWebhookSecretRoute,
  testWebhookRoute,
  updateWebhookRoute,
} from './routes.ts';
import { replayWebhook, testWebhook } from './test-and-replay.ts';

/** Instants of REST are texts. */
function replayOf({ input: { from, to, ...others } }: MutationReplayWebhookArgs): object {
  return { ...given(others), from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

export const webhookResolvers: Resolvers = {
  Query: {
    webhookEvents: () => listEventKinds(),
    webhooks: (_root, _args, { app }) => listWebhooks(app),
    webhookDeliveries: async (_root, { webhookId, filter, ...args }, { app }) => {
      const { id: endpointId } = await getWebhook(app.db, rowIdOf('webhookId', webhookId));
      return connectTo(app, deliveryList, { ...given(filter), endpointId }, args);
    },
  },
  Mutation: {
    createWebhook: fromRoute(createWebhookRoute, createWebhook),
    updateWebhook: fromRoute(updateWebhookRoute, updateWebhook),
    deleteWebhook: fromRoute(deleteWebhookRoute, deleteWebhook),
    rotateWebhookSecret: fromRoute(rotateWebhookSecretRoute, rotateWebhookSecret, { of: 'Webhook' }),
    testWebhook: fromRoute(testWebhookRoute, testWebhook, { of: 'Webhook' }),
    replayWebhook: fromRoute(replayWebhookRoute, replayWebhook, { of: 'Webhook', bodyOf: replayOf }),
  },
  WebhookDelivery: { deliveryId: ({ id }) => id },
  WebhookDeliveryConnection: connectionFields(),
};
