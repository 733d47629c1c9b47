import { stateSpan } from '#agents/sum-states.ts';
import { newCallback } from '#callbacks/callback.ts';
import { callerOf } from '#graph/context.ts';
import { fromRoute, parseAsBody, parseAsParams } from '#graph/from-route.ts';
import { optionalRowId } from '#platform/graphql/row-id.ts';
import { parseInput } from '#platform/http/parse.ts';
import { countDispositions } from './count-dispositions.ts';
import { readForm } from './disposition-form.ts';
import { listNumberOfCall } from './list-number-of-call.ts';
import { saveDisposition } from './save-disposition.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import {
  getBusinessDispositionsRoute,
  getCampaignDispositionsRoute,
  givenOf,
  listNumberOfCallRoute,
  readFormRoute,
  saveDispositionRoute,
  setBusinessDispositionsRoute,
  setCampaignDispositionsRoute,
} from './routes.ts';
import { readSettings, setSettings } from './settings-store.ts';

export const dispositionResolvers: Resolvers = {
  Query: {
    campaignDispositions: fromRoute(getCampaignDispositionsRoute, (app, _caller, campaignId) => readSettings(app, { campaignId })),
    businessDispositions: fromRoute(getBusinessDispositionsRoute, (app, _caller, businessCode) => readSettings(app, { businessCode })),
    callDisposition: fromRoute(readFormRoute, readForm),
    dispositionCounts: (_root, { from, to, campaignId, agentId }, { app }) =>
      countDispositions(app, {
        ...parseInput(stateSpan, { from: from ?? undefined, to: to ?? undefined }, '参数'),
        campaignId: optionalRowId('campaignId', campaignId) ?? undefined,
        agentId: optionalRowId('agentId', agentId) ?? undefined,
      }),
  },
  Attempt: {
    agents: async ({ id }, _args, { loaders }) => {
      const speakers = await loaders.speakers.load(id);
      return (await Promise.all(speakers.map(({ agentId }) => loaders.agents.load(agentId)))).filter(agent => agent !== null);
    },
    mayDispose: async ({ id }, _args, { caller, loaders }) => {
      if (!caller?.permissions.has('agent:operate')) return false;
      if (caller.permissions.has('contact:write')) return true;
      const agent = caller.userId === null ? undefined : await loaders.agentsOfUsers.load(caller.userId);
      return agent !== undefined && (await loaders.speakers.load(id)).some(({ agentId }) => agentId === agent.agentId);
    },
  },
  Mutation: {
    saveDisposition: (_root, { callKey, input: { callback, ...input } }, context, info) => {
      const params = parseAsParams(saveDispositionRoute, { callKey });
      const given = givenOf(parseAsBody(saveDispositionRoute, { ...input }));
      const promised = callback && { dueAt: callback.dueAt, until: callback.until ?? null, note: noteOf(callback.note) };
      return saveDisposition(context.app, callerOf(context, info), params.callKey, { ...given, callback: promised ?? null });
    },
    addCallToDoNotCall: fromRoute(listNumberOfCallRoute, listNumberOfCall),
    setCampaignDispositions: fromRoute(setCampaignDispositionsRoute, (app, caller, campaignId, change) =>
      setSettings(app, caller, { campaignId }, change),
    ),
    setBusinessDispositions: fromRoute(setBusinessDispositionsRoute, (app, caller, businessCode, change) =>
      setSettings(app, caller, { businessCode }, change),
    ),
  },
};

/** The row of REST bounds the note, as an instant does not. */
function noteOf(note: string | null | undefined): string {
  return parseInput(promisedNote, { note: (note ?? '').trim() }, '参数').note ?? '';
}

const promisedNote = newCallback.pick({ note: true });
