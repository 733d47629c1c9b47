import type { GraphQLSchema } from 'graphql';
import { type AttemptFilter as AnyAttemptQuery, requireNarrow } from '#attempts/attempt-store.ts';
import { resultConditions } from '#attempts/decisions/result-condition.ts';
import type { ContactFilter as ContactQuery } from '#contacts/contact-filter.ts';
import type { ContactSearch } from '#contacts/contact.ts';
import { waitingFor } from '#dialling/explain.ts';
import type { Permission } from '#kernel/caller.ts';
import { type CalloutError, invalidArgument } from '#kernel/errors.ts';
import { keyed, type Region, type Spelled } from '#phone-numbers/dial-key.ts';
import { searchOf } from '#platform/graphql/connection.ts';
import type { Language } from '#kernel/problem.ts';
import { messageOf } from '#platform/graphql/language.ts';
import { bigRowIdOf, given, optionalRowId, rowIdOf } from '#platform/graphql/row-id.ts';
import { parseInput } from '#platform/http/parse.ts';
import { searchText } from '#platform/http/route.ts';
import type { AttemptFilter, ContactFilter, RefusalReason, StartExportInput } from './schema-types.generated.ts';

/** What clients may filter attempts by; the numbers of a person are the server's to find. */
type AttemptQuery = Omit<AnyAttemptQuery, 'dialKeys'>;

/** Presents actions, each refused one with the reason. */
export function presentActions<Name extends string>(
  actions: readonly { name: Name; needs: Permission; refusal: CalloutError | null }[],
  { schema, language }: { schema: GraphQLSchema; language: Language },
): { name: Name; allowed: boolean; needs: Permission; reason: RefusalReason | null; message: string | null }[] {
  return actions.map(({ name, needs, refusal }) => ({
    name,
    allowed: refusal === null,
    needs,
    // Without a more specific reason, the code itself is the reason.
    reason: refusal && ((refusal.reason ?? refusal.code) as RefusalReason),
    message: refusal && messageOf(refusal, language, schema),
  }));
}

/** Null and absent members filter nothing; `isOfCampaign`: the list belongs to one campaign. Errors: INVALID_ARGUMENT naming the member */
export function attemptFilterOf(filter: AttemptFilter | null | undefined, isOfCampaign = false): Spelled<AttemptQuery> {
  const { campaignId, contactId, lineId, agentId, phoneNumber, classification, intent, text, disposition, resultField, ...rest } =
    filter ?? {};
  if (!isOfCampaign) requireNarrow(filter ?? {});
  const given = { phoneNumber, classification, intent, text, disposition };
  const texts = Object.entries(given).map(([name, value]) => [name, parseInput(searchText, value ?? '', `filter.${name}`) || undefined]);
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value ?? undefined])),
    ...(Object.fromEntries(texts) as Record<keyof typeof given, string | undefined>),
    campaignId: optionalRowId('filter.campaignId', campaignId) ?? undefined,
    contactId: contactId ? bigRowIdOf('filter.contactId', contactId) : undefined,
    lineId: optionalRowId('filter.lineId', lineId) ?? undefined,
    agentId: optionalRowId('filter.agentId', agentId) ?? undefined,
    ...resultFieldOf(resultField),
  };
}

/** Conditions on result fields; an empty list narrows nothing. */
function resultFieldOf(conditions: AttemptFilter['resultField']): Pick<AttemptQuery, 'resultField'> {
  if (!conditions || conditions.length === 0) return {};
  return { resultField: parseInput(resultConditions, conditions, 'filter.resultField') };
}

/** Search, status and filter of a list of contacts. */
export interface Narrowing {
  search?: string | null | undefined;
  status?: ContactSearch['status'] | undefined;
  filter?: ContactFilter | null | undefined;
}

/** Null and absent members filter nothing. Errors: INVALID_ARGUMENT naming the member */
export function contactQueryOf({ search, status, filter }: Narrowing): ContactSearch & { filter: Spelled<ContactQuery> } {
  const {
    batchId,
    agentId,
    phoneNumber,
    classification,
    intent,
    resultField,
    status: ofFilter,
    notDialedReason: _reason,
    ...rest
  } = given(filter);
  if (status && ofFilter && status !== ofFilter) throw invalidArgument('filter.status', 'differs', { other: 'status' });
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
      ...resultFieldOf(resultField),
    },
  };
}

/** Replaces the phone number of a query by its key, by which lists are filtered. */
export function keyedQuery<Query extends { filter: Spelled<ContactQuery> }>(query: Query, region: Region) {
  return { ...query, filter: keyed(query.filter, region) };
}

/** Like `contactQueryOf`, for one campaign: only its contacts have a reason why they are not dialled. Errors: NOT_FOUND */
export async function campaignContactQueryOf(
  app: Parameters<typeof waitingFor>[0] & { region: Region },
  campaignId: number,
  narrowing: Narrowing,
): Promise<ContactSearch & { filter: ContactQuery }> {
  const query = keyedQuery(contactQueryOf(narrowing), app.region);
  const reason = narrowing.filter?.notDialedReason;
  return reason ? { ...query, filter: { ...query.filter, waiting: await waitingFor(app, campaignId, reason) } } : query;
}

/** Instants of filters, which the scalar has read and the row of REST takes as texts. */
const INSTANT_MEMBERS = ['from', 'to', 'expiresFrom', 'expiresTo'];

/** The input as the body of the row: search and campaign stand in the filter of the kind there. */
export function exportBodyOf(input: StartExportInput, language: Language): object {
  const { search, campaignId, calls, contacts, doNotCall, auditLogs, stats, ...rest } = given(input);
  const found = search ? { q: search } : {};
  const filters = {
    calls: calls && spelled(calls),
    contacts: rest.kind === 'contacts' || contacts ? { ...found, ...given({ campaignId }), ...spelled(contacts ?? {}) } : undefined,
    doNotCall: rest.kind === 'do_not_call' || doNotCall ? { ...found, ...spelled(doNotCall ?? {}) } : undefined,
    auditLogs: rest.kind === 'audit_log' || auditLogs ? { ...found, ...spelled(auditLogs ?? {}) } : undefined,
    stats: stats && spelled({ ...stats, filter: stats.filter && given(stats.filter) }),
  };
  return { language, ...rest, ...given(filters) };
}

/** Null members filter nothing. */
function spelled(filter: object): object {
  const members: [string, unknown][] = Object.entries(given(filter));
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      typeof value === 'number' && INSTANT_MEMBERS.includes(name) ? new Date(value).toISOString() : value,
    ]),
  );
}
