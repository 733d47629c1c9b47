import { waitingFor } from '#dialling/explain.ts';
import { searchText } from '#platform/http/route.ts';
import { parseInput } from '#platform/http/parse.ts';
import { invalidArgument } from '#kernel/errors.ts';
import type { ContactFilter as ContactQuery } from '#contacts/contact-filter.ts';
import type { ContactSearch } from '#contacts/contact.ts';
import { keyed, type Region, type Spelled } from '#phone-numbers/dial-key.ts';
import { bigRowIdOf, given, rowIdOf } from '#platform/graphql/row-id.ts';
import { searchOf } from '#platform/graphql/connection.ts';
import type { ContactFilter } from './schema-types.generated.ts';

/** Search, status and filter of a list of contacts. */
export interface Narrowing {
  search?: string | null | undefined;
  status?: ContactSearch['status'] | undefined;
  filter?: ContactFilter | null | undefined;
}

/** Null and absent members filter nothing. Errors: INVALID_ARGUMENT naming the member */
export function contactQueryOf({ search, status, filter }: Narrowing): ContactSearch & { filter: Spelled<ContactQuery> } {
  const { batchId, agentId, phoneNumber, classification, intent, status: ofFilter, notDialedReason: _reason, ...rest } = given(filter);
  if (status && ofFilter && status !== ofFilter) throw invalidArgument('filter.status', '与 status 不同');
  const texts = Object.entries({ phoneNumber, classification, intent }).map(([name, value]) => [
    name,
    parseInput(searchText, value ?? '', `filter.${name}`) || undefined,
  ]);
  return {
    q: searchOf(search),
    status: status ?? ofFilter ?? null,
    filter: {
      ...rest,
      ...(Object.fromEntries(texts) as Pick<Spelled<ContactQuery>, 'phoneNumber' | 'classification' | 'intent'>),
      batchId: batchId === undefined ? undefined : bigRowIdOf('filter.batchId', batchId),
      agentId: agentId === undefined ? undefined : rowIdOf('filter.agentId', agentId),
    },
  };
}

/** Replaces the phone number of a query by its key, by which lists are filtered. */
export function keyedQuery<Query extends { filter: Spelled<ContactQuery> }>(query: Query, region: Region) {
  return { ...query, filter: keyed(query.filter, region) };
}

/** Like `contactQueryOf`, for one campaign: only its contacts have a reason why they are not dialled. Errors: NOT_FOUND */
export async function campaignContactQueryOf(
  deps: Parameters<typeof waitingFor>[0] & { region: Region },
  campaignId: number,
  narrowing: Narrowing,
): Promise<ContactSearch & { filter: ContactQuery }> {
  const query = keyedQuery(contactQueryOf(narrowing), deps.region);
  const reason = narrowing.filter?.notDialedReason;
  return reason ? { ...query, filter: { ...query.filter, waiting: await waitingFor(deps, campaignId, reason) } } : query;
}
