import { createCampaignRoute, updateCampaignRoute } from './campaigns.ts';
import { invalidArgument } from '#kernel/errors.ts';
import type { NewCampaign } from './create-campaign.ts';
import type { CampaignChanges } from './update-campaign.ts';
import { parseAsBody } from '#platform/graphql/from-route.ts';
import { rowIdsOf } from '#platform/graphql/row-id.ts';
import type { BusinessConfigInput, CreateCampaignInput, UpdateCampaignInput } from '#graph/schema-types.generated.ts';

/** Errors: INVALID_ARGUMENT naming the member, as the REST body would */
export function newCampaignOf(input: CreateCampaignInput): NewCampaign {
  const { variables: _v, intentKeywords: _i, ...fields } = parseAsBody(createCampaignRoute, bodyOf(input));
  return { ...fields, ...instantsOf(input) };
}

/** Like `newCampaignOf`; absent members stay absent. */
export function campaignChangesOf(input: UpdateCampaignInput): CampaignChanges {
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
    if (names.has(name)) throw invalidArgument(`businessConfig.variables[${index}].name`, '与前面的变量重名');
    names.add(name);
  }
  return { ...rest, variables: Object.fromEntries(variables.map(({ name, value }) => [name, value])) };
}
