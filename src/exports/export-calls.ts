import type { JsonObject } from '#kernel/json.ts';
import type { Attempt } from '#attempts/attempt.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { type AttemptFilter, attemptList, requireNarrow } from '#attempts/attempt-store.ts';
import { readUserHangups } from '#attempts/timelines.ts';
import { countRows, type ListDeps, readSlice, rowsById } from '#platform/postgres/listing.ts';
import { type ExportRows, requireExportable, walk } from './export-rows.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';
import { CONTACT_TABLE } from '#contacts/contact-store.ts';
import { LINE_TABLE } from '#lines/line-store.ts';

export type ExportCallsDeps = AuditDeps & ListDeps;

/** A call with the names of its references; a name is empty when the row was deleted. */
export interface ExportedCall extends Attempt {
  campaignName: string;
  customerName: string;
  lineName: string;
  /** Name of the user who ended the call; empty when no user did. */
  userName: string;
}

/**
 * Exports the calls that match a filter; the audit row is written before the first row is returned.
 *
 * Errors: INVALID_ARGUMENT when there are too many, or when the filter would scan every call
 */
export async function exportCalls(
  deps: ExportCallsDeps,
  caller: Caller,
  { filter, isAscending }: { filter: AttemptFilter; isAscending: boolean },
): Promise<ExportRows<ExportedCall>> {
  requireNarrow(filter);
  const rows = await countRows(deps, attemptList, filter);
  requireExportable(rows);
  await audit(deps, caller, {
    action: 'attempt.exported',
    targetType: 'attempt',
    targetId: null,
    summary: `导出 ${rows} 条通话记录`,
    detail: { rows, filter: { ...filter } as JsonObject },
  });
  return callsWithNames(
    deps,
    walk(isAscending, request => readSlice(deps, attemptList, { ...filter, ...request })),
  );
}

async function* callsWithNames(deps: ListDeps, slices: ExportRows<Attempt>): ExportRows<ExportedCall> {
  for await (const calls of slices) {
    const [campaigns, contacts, lines, hangups] = await Promise.all([
      rowsById(deps, CAMPAIGN_TABLE, [...new Set(calls.map(({ campaignId }) => campaignId))]),
      rowsById(deps, CONTACT_TABLE, [...new Set(calls.map(({ contactId }) => contactId))]),
      rowsById(deps, LINE_TABLE, [...new Set(calls.flatMap(({ lineId }) => lineId ?? []))]),
      readUserHangups(
        deps,
        calls.map(({ id }) => id),
      ),
    ]);
    const campaignNames = new Map(campaigns.map(({ id, name }) => [id, name]));
    const customerNames = new Map(contacts.map(({ id, customerName }) => [id, customerName]));
    const lineNames = new Map(lines.map(({ id, name }) => [id, name]));
    const userNames = new Map(hangups.map(({ attemptId, by }) => [attemptId, by]));
    yield calls.map(call => ({
      ...call,
      campaignName: campaignNames.get(call.campaignId) ?? '',
      customerName: customerNames.get(call.contactId) ?? '',
      lineName: call.lineId === null ? '' : (lineNames.get(call.lineId) ?? ''),
      userName: userNames.get(call.id) ?? '',
    }));
  }
}
