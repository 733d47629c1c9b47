import { fromRoute } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import { readPreDialHook, removePreDialHook, setPreDialHook } from './hook-store.ts';
import { readPreDialHookRoute, removePreDialHookRoute, setPreDialHookRoute } from './routes.ts';

export const preDialResolvers: Resolvers = {
  Query: {
    preDialHook: fromRoute(readPreDialHookRoute, (app, _caller, campaignId) => readPreDialHook(app, campaignId), { of: 'Campaign' }),
  },
  Mutation: {
    setPreDialHook: fromRoute(setPreDialHookRoute, setPreDialHook, { of: 'Campaign' }),
    removePreDialHook: fromRoute(removePreDialHookRoute, removePreDialHook, { of: 'Campaign' }),
  },
};
