import type { GraphQLResolveInfo } from 'graphql';
import { CONTACT_ORDERS } from '#contacts/list-contacts.ts';
import { attemptFilterOf, campaignContactQueryOf, presentActions } from '#graph/inputs.ts';
import { callerOf, type GraphContext } from '#graph/context.ts';
import type { BusinessConfigInput, CreateCampaignInput, Resolvers, UpdateCampaignInput } from '#graph/schema-types.generated.ts';
import { invalidArgument, isCalloutError, notFound } from '#kernel/errors.ts';
import { keyed } from '#phone-numbers/dial-key.ts';
import { connect, connectionFields, connectTo, searchOf, sliceRequest } from '#platform/graphql/connection.ts';
import { fromRoute, parseAsBody } from '#graph/from-route.ts';
import { type PresentedFault, presentFaults } from '#platform/graphql/language.ts';
import { given, nullWhenAbsent, rowIdOf, rowIdsOf } from '#platform/graphql/row-id.ts';
import { campaignActions } from './actions.ts';
import { settingsVersion } from './campaign-input.ts';
import { campaignList } from './campaign-store.ts';
import type { Campaign } from './campaign.ts';
import {
  type CampaignChanges,
  checkCampaignChanges,
  checkNewCampaign,
  createCampaign,
  deleteCampaign,
  type NewCampaign,
  updateCampaign,
} from './change-campaigns.ts';
import { type CampaignStatus, EDIT_BINDS_WITHIN_MS } from './decisions/campaign-states.ts';
import { createCampaignRoute, deleteCampaignRoute, updateCampaignRoute } from './routes.ts';

/** Errors: INVALID_ARGUMENT naming the member, as the REST body would */
function newCampaignOf(input: CreateCampaignInput): NewCampaign {
  const { variables: _v, intentKeywords: _i, ...fields } = parseAsBody(createCampaignRoute, bodyOf(input));
  return { ...fields, ...instantsOf(input) };
}

/** Like `newCampaignOf`; absent members stay absent. */
function campaignChangesOf(input: UpdateCampaignInput): CampaignChanges {
  const { variables: _v, intentKeywords: _i, ...fields } = parseAsBody(updateCampaignRoute, bodyOf(input));
  return { ...fields, ...instantsOf(input) };
}

function instantsOf({ scheduledStartAt, scheduledEndAt }: UpdateCampaignInput) {
  return { scheduledStartAt, scheduledEndAt };
}

/** Converts the input to the REST body; instants are already parsed and bypass it. */
function bodyOf({ scheduledStartAt: _start, scheduledEndAt: _end, lineIds, businessConfig, ...rest }: UpdateCampaignInput): object {
  return {
    ...rest,
    ...(lineIds === undefined ? {} : { lineIds: lineIds && rowIdsOf('lineIds', lineIds) }),
    ...(businessConfig === undefined ? {} : { businessConfig: businessConfig && businessConfigOf(businessConfig) }),
  };
}

function businessConfigOf({ variables, ...rest }: BusinessConfigInput): object {
  if (!variables) return variables === null ? { ...rest, variables } : rest;
  const names = new Set<string>();
  for (const [index, { name }] of variables.entries()) {
    if (names.has(name)) throw invalidArgument(`businessConfig.variables[${index}].name`, 'repeatedVariable');
    names.add(name);
  }
  return { ...rest, variables: Object.fromEntries(variables.map(({ name, value }) => [name, value])) };
}

export const campaignResolvers: Resolvers = {
  Query: {
    campaign: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.campaigns.load(rowIdOf('id', id, { of: 'Campaign' }))),
    campaignFaults: (_root, { id, input }, context) => faultsOf(context, () => check(context, id, input)),
    campaigns: (_root, { search, filter, ...args }, { app }) =>
      connectTo(app, campaignList, { q: searchOf(search), ...given(filter) }, args),
  },
  Mutation: {
    createCampaign: (_root, { input }, context, info) => createCampaign(context.app, callerOf(context, info), newCampaignOf(input)),
    updateCampaign: (_root, { id, input, madeFrom }, context, info) =>
      change(context, info, id, { ...campaignChangesOf(input), madeFrom: madeFrom ?? undefined }),
    startCampaign: (_root, { id }, context, info) => move(context, info, id, 'running'),
    pauseCampaign: (_root, { id }, context, info) => move(context, info, id, 'paused'),
    archiveCampaign: (_root, { id }, context, info) => move(context, info, id, 'archived'),
    deleteCampaign: fromRoute(deleteCampaignRoute, deleteCampaign),
  },
  Campaign: {
    business: ({ businessCode }, _args, { loaders }) => loaders.businesses.load(businessCode),
    lines: async ({ lineIds }, _args, { loaders }) => {
      const lines = await Promise.all(lineIds.map(lineId => loaders.lines.load(lineId)));
      return lines.filter(line => line !== null);
    },
    actions: async (campaign, _args, { caller, loaders, language }, { schema }) => {
      const { businessCode } = campaign;
      const [progress, script, business] = await Promise.all([
        loaders.progress.load(campaign.id),
        loaders.takenScripts.load(businessCode),
        loaders.businesses.load(businessCode),
      ]);
      const facts = { progress: present(progress), hasFlow: script !== null || business?.runtimeBringsFlow === true };
      return presentActions(campaignActions(campaign, facts, caller?.permissions ?? new Set()), { schema, language });
    },
    bindsAt: ({ updatedAt }) => updatedAt + EDIT_BINDS_WITHIN_MS,
    settingsVersion: campaign => settingsVersion(campaign),
    history: async ({ id }, _args, { loaders }) => (await loaders.histories.load(id)) ?? [],
    phaseCause: async ({ id }, _args, { loaders }) => present(await loaders.progress.load(id)).phaseCause,
    phaseSince: async ({ id }, _args, { loaders }) => present(await loaders.progress.load(id)).phaseSince,
    progress: async ({ id }, _args, { loaders }) => present(await loaders.progress.load(id)),
    notDialedReasons: async ({ id }, _args, { loaders }) => present(await loaders.notDialedReasons.load(id)),
    preflight: async ({ id }, _args, { loaders }) => present(await loaders.preflights.load(id)),
    contacts: async ({ id }, { search, status, filter, ...args }, { app, loaders }) => {
      const query = await campaignContactQueryOf(app, id, { search, status, filter });
      return connect(
        sliceRequest(args, CONTACT_ORDERS),
        slice => loaders.contactSlices.load(id, { ...slice, ...query }),
        () => loaders.contactCounts.load(id, query),
      );
    },
    attempts: ({ id }, { filter, ...args }, { app, loaders }) => {
      const query = keyed(attemptFilterOf(filter, true), app.region);
      return connect(
        sliceRequest(args),
        slice => loaders.attemptSlices.load(id, { ...slice, ...query }),
        () => loaders.attemptCounts.load(id, query),
      );
    },
    batches: ({ id }, args, { loaders }) =>
      connect(
        sliceRequest(args),
        slice => loaders.batchSlices.load(id, slice),
        () => loaders.batchCounts.load(id),
      ),
  },
  PreflightLine: { lineId: ({ id }) => id },
  PreflightCell: {
    cellId: ({ id }) => id,
  },
  BusinessConfig: {
    variables: ({ variables = {} }) => Object.entries(variables).map(([name, value]) => ({ name, value })),
    intentKeywords: ({ intentKeywords = [] }) => intentKeywords,
  },
  CampaignProgress: {
    fraction: ({ total, completed, failed, awaitingRetry }) => (total === 0 ? 0 : (completed + failed - awaitingRetry) / total),
  },
  CampaignConnection: connectionFields(),
};

/** For a value that every campaign has. Errors: NOT_FOUND when the campaign was deleted a moment ago */
function present<Found>(found: Found | null): Found {
  if (found === null) throw notFound('活动');
  return found;
}

/** Errors: INVALID_ARGUMENT; NOT_FOUND */
async function check({ app }: GraphContext, id: string | null | undefined, input: UpdateCampaignInput): Promise<void> {
  if (!id) return checkNewCampaign(app, newCampaignOf(input as CreateCampaignInput));
  return checkCampaignChanges(app, rowIdOf('id', id, { of: 'Campaign' }), campaignChangesOf(input));
}

/** Faults that a check finds in an input. Errors: any failure that is not a fault of the input */
async function faultsOf({ language }: GraphContext, work: () => Promise<void>): Promise<PresentedFault[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (!isCalloutError(error, 'INVALID_ARGUMENT')) throw error;
    return presentFaults(error.faults, language);
  }
}

function change(context: GraphContext, info: GraphQLResolveInfo, id: string, changes: CampaignChanges): Promise<Campaign> {
  return updateCampaign(context.app, callerOf(context, info), rowIdOf('id', id, { of: 'Campaign' }), changes);
}

function move(context: GraphContext, info: GraphQLResolveInfo, id: string, status: CampaignStatus): Promise<Campaign> {
  return change(context, info, id, { status });
}
