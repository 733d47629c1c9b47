import { createUserPlaces } from '#access/user-places.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import { promiseImported } from '#callbacks/callback-store.ts';
import { requireImportable } from '#campaigns/actions.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';
import type { Campaign } from '#campaigns/campaign.ts';
import type { AddedContacts, ContactsPart, NewContact } from '#contacts/contact.ts';
import type { DUPLICATE_SCOPES } from './file-import.ts';
import { distinctRows, type DistinctRows, type ImportResult, resultOfRows } from '#contacts/import-result.ts';
import { withoutKnownPersons } from './known-persons.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument, notFound } from '#kernel/errors.ts';
import { createTurns } from '#kernel/turns.ts';
import type { Carrier, NumberOptions } from '#phone-numbers/carriers.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import { type MappingInput, planColumns } from './column-mapping.ts';
import { type Reached, trackImport, type ImportProgressPart } from './progress.ts';
import { readContacts, type ReadContacts } from './read-contacts.ts';
import { readTable, type SentFile, type SheetsPart } from './read-table.ts';
import { requestedRegion } from './requested-region.ts';
import type { Platform } from '#platform/platform.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';

export interface ImportFileInput extends SentFile {
  /** ISO 3166-1 alpha-2 code; defaults to the installation's region. */
  region?: string | undefined;
  /** Empty means any carrier. */
  carrier: readonly Carrier[];
  landline: 'allow' | 'reject';
  mapping?: MappingInput | undefined;
  /** Row that names the columns, from 1; 0 without a header; when absent, the first rows decide. */
  headerRow?: number | undefined;
  duplicates?: (typeof DUPLICATE_SCOPES)[number] | undefined;
  /** Leaves out persons that any campaign has dialled in so many days. */
  contactedWithinDays?: number | undefined;
  dryRun: boolean;
  reached?: Reached;
}

type ImportApp = ContactsPart &
  SheetsPart &
  AuditPart & { timeZone: string } & Pick<DiallingPlace, 'region'> &
  Pick<Platform, 'db' | 'wake' | 'clock'>;

/**
 * Imports a CSV, TSV or XLSX file: reads and validates all of it, then writes it in one transaction, during which the campaign cannot start.
 *
 * Errors: NOT_FOUND; CAMPAIGN_RUNNING; INVALID_ARGUMENT when the file cannot be read
 * Source: OCS 4.7, D6.3–5
 */
export async function importFile(app: ImportApp, caller: Caller, campaignId: number, input: ImportFileInput): Promise<ImportResult> {
  const campaign = await requireRow(app, CAMPAIGN_TABLE, campaignId, '活动');
  requireImportable(campaign);
  input.reached?.('reading');
  const { valid, failed, hiddenRows } = await readFile(app, input, campaign);
  input.reached?.('writing', valid.length + failed.length);
  const rows = await withoutKnownPersons(app, campaignId, distinctRows(valid), input);
  const added = input.dryRun ? await app.contacts.foresee(campaignId, contactsOf(rows)) : await write(app, caller, campaignId, rows);
  const result = { ...resultOfRows(rows, failed, added), ...(hiddenRows > 0 ? { hiddenRows } : {}) };
  if (!input.dryRun) await record(app, caller, campaign, result);
  return result;
}

async function readFile(
  app: SheetsPart & { region: Region; timeZone: string } & Pick<Platform, 'clock'>,
  input: ImportFileInput,
  { timeZone, scheduledEndAt }: Campaign,
): Promise<ReadContacts & { hiddenRows: number }> {
  const bounds = { now: app.clock.now(), zone: timeZone ?? app.timeZone, endsAt: scheduledEndAt };
  const options = { ...numberOptions(input, app.region), ...bounds, home: app.region };
  const { headerRow, mapping = null } = input;
  const table = await readTable(app, input, { headerRow, mustHave: mapping?.phoneNumber, region: options.region });
  const { hiddenRows } = table;
  return { ...(await readContacts(app.clock, table, planColumns(table, mapping, options.region), options)), hiddenRows };
}

/** Errors: INVALID_ARGUMENT for an unknown region, or carriers outside China */
export function numberOptions(
  { region: requested, carrier: carriers, landline }: Pick<ImportFileInput, 'region' | 'carrier' | 'landline'>,
  home: Region,
): NumberOptions {
  const region = requestedRegion(requested, home);
  if (carriers.length > 0 && region !== 'CN') throw invalidArgument('carrier', 'onlyChina');
  return { region, carriers, landline };
}

async function write(app: ContactsPart, { userId }: Caller, campaignId: number, rows: DistinctRows): Promise<AddedContacts> {
  const added = await app.contacts.add(campaignId, contactsOf(rows), {
    admit: requireImportable,
    holdsStatus: true,
    andThen: (tx, keys) => promiseImported(tx, { campaignId, createdBy: userId, promises: promisesOf(rows, keys) }),
  });
  if (added === null) throw notFound('活动');
  return added;
}

/** A row whose number the campaign has already promises nothing: it is reported as a duplicate. */
function promisesOf({ distinct }: DistinctRows, created: ReadonlySet<string>) {
  return distinct.flatMap(({ contact: { dialKey }, promise }) => (promise && created.has(dialKey) ? [{ dialKey, ...promise }] : []));
}

function contactsOf({ distinct }: DistinctRows): NewContact[] {
  return distinct.map(({ contact }) => contact);
}

async function record(app: ImportApp, caller: Caller, campaign: Campaign, result: ImportResult): Promise<void> {
  const { errors: _errors, leftOut: _leftOut, hiddenRows = 0, updatedRows = 0, keptRows = 0, ...counts } = result;
  const { createdRows } = counts;
  if (createdRows + updatedRows === 0) return;
  await audit(app, caller, {
    action: 'contact.imported',
    targetType: 'campaign',
    targetId: campaign.id,
    summary: `向活动「${campaign.name}」导入联系人 ${createdRows} 个${updatedRows > 0 ? `，更新 ${updatedRows} 个` : ''}，重复 ${result.duplicateRows} 个，失败 ${result.failedRows} 个`,
    detail: { ...counts, ...(updatedRows > 0 && { updatedRows, keptRows }), ...(hiddenRows > 0 && { hiddenRows }) },
  });
  app.wake.campaign(campaign.id);
}

/** Files processed at once by one instance, each held in memory a few times over; the others queue, one queue per user. */
const FILE_TURNS = { running: 4, waiting: 60, waitingOfKey: 20, refusal: '排队的导入过多，请稍后重试' };
/** Files being received: a slow upload blocks no turn, and takes no place from other users. */
const UPLOADS = { all: 60, ofUser: 20, refusal: '正在上传的文件过多，请稍后重试', retryAfterSeconds: 2 };

type User = Pick<Caller, 'userId'>;

export type ImportQueue = ReturnType<typeof createImportQueue>;

export interface ImportQueuePart {
  importQueue: ImportQueue;
}

/** Queue of imports from all edges. Errors: RATE_LIMITED when too many are waiting */
export function createImportQueue() {
  const turns = createTurns(FILE_TURNS);
  const uploads = createUserPlaces(UPLOADS);
  return {
    receive: <T>(user: User, read: () => Promise<T>): Promise<T> => uploads(user, read),
    inTurn: <T>({ userId }: User, work: () => Promise<T>): Promise<T> => turns(String(userId), work),
  };
}

/**
 * Receives a file and imports it in its turn; clients can follow the import by the id that the uploader chose.
 *
 * Errors: those of `receive`, `trackImport` and `importFile`; RATE_LIMITED
 */
export function runImport(
  app: ImportApp & ImportQueuePart & ImportProgressPart & Pick<Platform, 'log'>,
  caller: Caller,
  { campaignId, importId }: { campaignId: number; importId: string | undefined },
  receive: () => Promise<Omit<ImportFileInput, 'reached'>>,
): Promise<ImportResult> {
  return trackImport(app, { campaignId, importId }, async reached => {
    const file = await receive();
    reached('queued');
    return app.importQueue.inTurn(caller, () => importFile(app, caller, campaignId, { ...file, reached }));
  });
}
