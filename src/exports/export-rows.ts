import { type AttemptFilter, attemptList, requireNarrow } from '#attempts/attempt-store.ts';
import { type ContactField, readContactFields } from '#attempts/contact-fields.ts';
import { readDispositions } from '#attempts/call-dispositions.ts';
import type { CallDisposition } from '#attempts/decisions/call-disposition.ts';
import type { Attempt } from '#attempts/attempt.ts';
import { readUserHangups } from '#attempts/timelines.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';
import { CONTACT_TABLE } from '#contacts/contact-store.ts';
import type { Contact, ContactsPart } from '#contacts/contact.ts';
import { type ContactQuery, countAllContacts, countContacts, sliceAllContacts, sliceContacts } from '#contacts/list-contacts.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/json.ts';
import { LINE_TABLE } from '#lines/line-store.ts';
import { countRows, readSlice, requireRow, rowsById, type Slice, type SliceRequest } from '#platform/postgres/listing.ts';
import type { Platform } from '#platform/platform.ts';

/** Most rows of one file; larger exports take several files. */
const MAX_EXPORT_ROWS = 100_000;
/** Rows per query; they stay in memory while the reader consumes them. */
const SLICE_ROWS = 1_000;

/** Rows of an export, in batches. */
export type ExportRows<Row> = AsyncGenerator<readonly Row[]>;

/** Errors: INVALID_ARGUMENT when there are more rows than one file holds */
function requireExportable(rows: number): void {
  if (rows > MAX_EXPORT_ROWS) throw invalidArgument('filter', 'tooManyRowsToExport', { rows, max: MAX_EXPORT_ROWS });
}

/** Reads a list from its first row to its end or to the bound, so that rows added meanwhile cannot prolong it without limit. */
async function* walk<Row extends { id: number }>(
  isAscending: boolean,
  read: (request: SliceRequest) => Promise<Slice<Row>>,
): ExportRows<Row> {
  let beyond: number | null = null;
  for (let left = MAX_EXPORT_ROWS; left > 0; left -= SLICE_ROWS) {
    const { rows, hasMore }: Slice<Row> = await read({ limit: Math.min(SLICE_ROWS, left), beyond, isAscending });
    yield rows;
    beyond = rows.at(-1)?.id ?? null;
    if (!hasMore || beyond === null) return;
  }
}

/** A call with the names of its references; a name is empty when the row was deleted. */
export interface ExportedCall extends Attempt {
  campaignName: string;
  customerName: string;
  lineName: string;
  /** Name of the user who ended the call; empty when no user did. */
  userName: string;
  /** The dispositions of the call, the latest last. */
  dispositions: readonly CallDisposition[];
}

type CallExportApp = AuditPart & Pick<Platform, 'db'>;

/**
 * Exports the calls that match a filter; the audit row is written before the first row is returned.
 *
 * Errors: INVALID_ARGUMENT when there are too many, or when the filter would scan every call
 */
export async function exportCalls(
  app: CallExportApp,
  caller: Caller,
  { filter, isAscending }: { filter: AttemptFilter; isAscending: boolean },
): Promise<ExportRows<ExportedCall>> {
  requireNarrow(filter);
  const rows = await countRows(app, attemptList, filter);
  requireExportable(rows);
  await audit(app, caller, {
    action: 'attempt.exported',
    targetType: 'attempt',
    targetId: null,
    summary: `导出 ${rows} 条通话记录`,
    detail: { rows, filter: { ...filter } as JsonObject },
  });
  return callsWithNames(
    app,
    walk(isAscending, request => readSlice(app, attemptList, { ...filter, ...request })),
  );
}

async function* callsWithNames(app: Pick<Platform, 'db'>, slices: ExportRows<Attempt>): ExportRows<ExportedCall> {
  for await (const calls of slices) {
    const callIds = calls.map(({ id }) => id);
    const [campaigns, contacts, lines, hangups, dispositions] = await Promise.all([
      rowsById(app, CAMPAIGN_TABLE, [...new Set(calls.map(({ campaignId }) => campaignId))]),
      rowsById(app, CONTACT_TABLE, [...new Set(calls.map(({ contactId }) => contactId))]),
      rowsById(app, LINE_TABLE, [...new Set(calls.flatMap(({ lineId }) => lineId ?? []))]),
      readUserHangups(app, callIds),
      readDispositions(app, callIds),
    ]);
    const campaignNames = new Map(campaigns.map(({ id, name }) => [id, name]));
    const customerNames = new Map(contacts.map(({ id, customerName }) => [id, customerName]));
    const lineNames = new Map(lines.map(({ id, name }) => [id, name]));
    const userNames = new Map(hangups.map(({ attemptId, by }) => [attemptId, by]));
    const disposed = Map.groupBy(dispositions, ({ attemptId }) => attemptId);
    yield calls.map(call => ({
      ...call,
      campaignName: campaignNames.get(call.campaignId) ?? '',
      customerName: customerNames.get(call.contactId) ?? '',
      lineName: call.lineId === null ? '' : (lineNames.get(call.lineId) ?? ''),
      userName: userNames.get(call.id) ?? '',
      dispositions: disposed.get(call.id) ?? [],
    }));
  }
}

/** `campaignName` is empty when the campaign was deleted. */
export interface ExportedContact extends Contact {
  campaignName: string;
  /** The latest values that its calls found out. */
  found: readonly ContactField[];
}

interface ContactExport {
  /** Null for all campaigns. */
  campaignId: number | null;
  query: ContactQuery;
  isAscending: boolean;
}

/**
 * Exports contacts, in the same way as `exportCalls`.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT when there are too many
 */
export async function exportContacts(
  app: ContactsPart & AuditPart & Pick<Platform, 'db'>,
  caller: Caller,
  { campaignId, query, isAscending }: ContactExport,
): Promise<ExportRows<ExportedContact>> {
  if (campaignId !== null) await requireRow(app, CAMPAIGN_TABLE, campaignId, '活动');
  const [rows = 0] = campaignId === null ? [await countAllContacts(app, query)] : await countContacts(app, [campaignId], query);
  requireExportable(rows);
  await audit(app, caller, {
    action: 'contact.exported',
    targetType: campaignId === null ? 'contact' : 'campaign',
    targetId: campaignId,
    summary: `导出 ${rows} 个联系人`,
    detail: { rows, ...(query as unknown as JsonObject) },
  });
  return contactsWithNames(
    app,
    walk(isAscending, async request => {
      if (campaignId === null) return sliceAllContacts(app, { ...query, ...request });
      const [slice] = await sliceContacts(app, [campaignId], { ...query, ...request });
      return slice ?? { rows: [], hasMore: false };
    }),
  );
}

async function* contactsWithNames(app: ContactsPart & Pick<Platform, 'db'>, slices: ExportRows<Contact>): ExportRows<ExportedContact> {
  for await (const contacts of slices) {
    const [campaigns, found] = await Promise.all([
      rowsById(app, CAMPAIGN_TABLE, [...new Set(contacts.map(({ campaignId }) => campaignId))]),
      readContactFields(
        app,
        contacts.map(({ id }) => id),
      ),
    ]);
    const names = new Map(campaigns.map(({ id, name }) => [id, name]));
    const foundOf = Map.groupBy(found, ({ contactId }) => contactId);
    yield contacts.map(contact => ({
      ...contact,
      campaignName: names.get(contact.campaignId) ?? '',
      found: foundOf.get(contact.id) ?? [],
    }));
  }
}
