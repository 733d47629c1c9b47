import { searchText } from '#contract/rest/fields.ts';
import { parseInput } from '#contract/rest/parse.ts';
import { invalidArgument } from '#kernel/errors.ts';
import type { AttemptFilter as AttemptQuery } from '#operations/attempts/attempt-filter.ts';
import { bigRowIdOf, optionalRowId } from './row-id.ts';
import type { AttemptFilter } from './schema-types.generated.ts';

/** What no index finds: asked for only among few rows. */
const SCANNED = ['classification', 'intent', 'text', 'minDurationSeconds', 'maxDurationSeconds'] as const;
const NARROWING = ['campaignId', 'from', 'phoneNumber', 'contactId', 'agentId'] as const;

/** Null and absent members filter nothing; `isOfCampaign`: the list is that of one. Errors: INVALID_ARGUMENT naming the member */
export function attemptFilterOf(filter: AttemptFilter | null | undefined, isOfCampaign = false): AttemptQuery {
  const { campaignId, contactId, lineId, agentId, phoneNumber, classification, intent, text, ...rest } = filter ?? {};
  const scanned = SCANNED.find(name => isGiven(filter?.[name]));
  const isNarrow = isOfCampaign || NARROWING.some(name => filter?.[name]);
  if (scanned && !isNarrow) throw invalidArgument(`filter.${scanned}`, `必须同时给出 ${NARROWING.join('、')} 之一`);
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

function isGiven(value: string | number | null | undefined): boolean {
  return value !== null && value !== undefined && value !== '';
}
