import { searchText } from '#platform/http/route.ts';
import { parseInput } from '#platform/http/parse.ts';
import { type AttemptFilter as AttemptQuery, requireNarrow } from '#attempts/attempt-store.ts';
import type { Spelled } from '#phone-numbers/dial-key.ts';
import { bigRowIdOf, optionalRowId } from '#platform/graphql/row-id.ts';
import type { AttemptFilter } from './schema-types.generated.ts';

/** Null and absent members filter nothing; `isOfCampaign`: the list belongs to one campaign. Errors: INVALID_ARGUMENT naming the member */
export function attemptFilterOf(filter: AttemptFilter | null | undefined, isOfCampaign = false): Spelled<AttemptQuery> {
  const { campaignId, contactId, lineId, agentId, phoneNumber, classification, intent, text, ...rest } = filter ?? {};
  if (!isOfCampaign) requireNarrow(filter ?? {});
  const given = { phoneNumber, classification, intent, text };
  const texts = Object.entries(given).map(([name, value]) => [name, parseInput(searchText, value ?? '', `filter.${name}`) || undefined]);
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value ?? undefined])),
    ...(Object.fromEntries(texts) as Record<keyof typeof given, string | undefined>),
    campaignId: optionalRowId('filter.campaignId', campaignId) ?? undefined,
    contactId: contactId ? bigRowIdOf('filter.contactId', contactId) : undefined,
    lineId: optionalRowId('filter.lineId', lineId) ?? undefined,
    agentId: optionalRowId('filter.agentId', agentId) ?? undefined,
  };
}
