import { phaseCauseOf } from './decisions/phase-cause.ts';
import type { GraphQLResolveInfo } from 'graphql';
import { type InputFault, isCalloutError, notFound } from '#kernel/errors.ts';
import { createCampaign } from './create-campaign.ts';
import { campaignActions } from './campaign-actions.ts';
import { checkCampaignChanges, checkNewCampaign } from './check-campaign.ts';
import { settingsVersion } from './settings-version.ts';
import { campaignList } from './list-campaigns.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { type CampaignChanges, updateCampaign } from './update-campaign.ts';
import { CONTACT_ORDERS } from '#contacts/list-contacts.ts';
import { type CampaignStatus, EDIT_BINDS_WITHIN_MS } from './decisions/campaign-bounds.ts';
import { given, nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { presentActions } from '#graph/actions.ts';
import { keyed } from '#phone-numbers/dial-key.ts';
import { attemptFilterOf } from '#graph/attempt-filter.ts';
import { campaignChangesOf, newCampaignOf } from './graphql-campaign-input.ts';
import { connect, connectionFields, connectTo, searchOf, sliceRequest } from '#platform/graphql/connection.ts';
import { campaignContactQueryOf } from '#graph/contact-filter.ts';
import { englishOf } from '#platform/graphql/language.ts';
import { callerOf, type GraphContext } from '#graph/context.ts';
import type { Campaign } from './campaign.ts';
import type { CreateCampaignInput, Resolvers, UpdateCampaignInput } from '#graph/schema-types.generated.ts';

export const campaignResolvers: Resolvers = {
  Query: {
    campaign: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.campaigns.load(rowIdOf('id', id, { of: 'Campaign' }))),
    campaignFaults: (_root, { id, input }, context, { schema }) =>
      faultsOf({ language: context.language, schema }, () => check(context, id, input)),
    campaigns: (_root, { search, filter, ...args }, { deps }) =>
      connectTo(deps, campaignList, { q: searchOf(search), ...given(filter) }, args),
  },
  Mutation: {
    createCampaign: (_root, { input }, context, info) => createCampaign(context.deps, callerOf(context, info), newCampaignOf(input)),
    updateCampaign: (_root, { id, input, madeFrom }, context, info) =>
      change(context, info, id, { ...campaignChangesOf(input), madeFrom: madeFrom ?? undefined }),
    startCampaign: (_root, { id }, context, info) => move(context, info, id, 'running'),
    pauseCampaign: (_root, { id }, context, info) => move(context, info, id, 'paused'),
    archiveCampaign: (_root, { id }, context, info) => move(context, info, id, 'archived'),
    deleteCampaign: (_root, { id }, context, info) =>
      deleteCampaign(context.deps, callerOf(context, info), rowIdOf('id', id, { of: 'Campaign' })),
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
    phaseCause: async ({ id }, _args, { loaders }) => phaseCauseOf(present(await loaders.progress.load(id))),
    phaseSince: async ({ id }, _args, { loaders }) => present(await loaders.progress.load(id)).phaseSince,
    progress: async ({ id }, _args, { loaders }) => present(await loaders.progress.load(id)),
    notDialedReasons: async ({ id }, _args, { loaders }) => present(await loaders.notDialedReasons.load(id)),
    preflight: async ({ id }, _args, { loaders }) => present(await loaders.preflights.load(id)),
    contacts: async ({ id }, { search, status, filter, ...args }, { deps, loaders }) => {
      const query = await campaignContactQueryOf(deps, id, { search, status, filter });
      return connect(
        sliceRequest(args, CONTACT_ORDERS),
        slice => loaders.contactSlices.load(id, { ...slice, ...query }),
        () => loaders.contactCounts.load(id, query),
      );
    },
    attempts: ({ id }, { filter, ...args }, { deps, loaders }) => {
      const query = keyed(attemptFilterOf(filter, true), deps.region);
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
    phaseCause: phaseCauseOf,
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
async function check({ deps }: GraphContext, id: string | null | undefined, input: UpdateCampaignInput): Promise<void> {
  if (!id) return checkNewCampaign(deps, newCampaignOf(input as CreateCampaignInput));
  return checkCampaignChanges(deps, rowIdOf('id', id, { of: 'Campaign' }), campaignChangesOf(input));
}

/** Faults that a check finds in an input. Errors: any failure that is not a fault of the input */
async function faultsOf(
  { language, schema }: Pick<GraphContext, 'language'> & Pick<GraphQLResolveInfo, 'schema'>,
  work: () => Promise<void>,
): Promise<InputFault[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (!isCalloutError(error, 'INVALID_ARGUMENT')) throw error;
    const { field = '', message, faults } = error;
    if (faults.length > 0) return [...faults];
    return [{ field, problem: language === 'en' ? englishOf(schema, error) : message.replace(`参数错误：${field} `, '') }];
  }
}

function change(context: GraphContext, info: GraphQLResolveInfo, id: string, changes: CampaignChanges): Promise<Campaign> {
  return updateCampaign(context.deps, callerOf(context, info), rowIdOf('id', id, { of: 'Campaign' }), changes);
}

function move(context: GraphContext, info: GraphQLResolveInfo, id: string, status: CampaignStatus): Promise<Campaign> {
  return change(context, info, id, { status });
}
