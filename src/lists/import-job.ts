import { type AuditPart, audit } from '#audit/audit.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';
import { type ContactsPart, NUMBER_HEADINGS } from '#contacts/contact.ts';
import { numberOptions } from '#imports/import-file.ts';
import { FILE_START } from '#imports/text-block.ts';
import { type JobInHand, type JobKind, jobKind, type StepTools, type StepWrite } from '#jobs/job-kind.ts';
import type { Platform } from '#platform/platform.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import type { Sql } from '#platform/postgres/database.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';
import { type ImportCounts, NO_ROWS, sumOf } from './import-counts.ts';
import { type ImportCursor, importCursor, type ImportInput, importInput, type ImportOptions, type ImportTarget } from './import-input.ts';
import { type ImportRun, importRun, type PreparedRows } from './import-run.ts';
import { fileKey } from './list-file.ts';
import { getList, publishVersion } from './list-store.ts';
import type { PullPart } from './pull-file.ts';
import { keepRefusals } from './refusals.ts';
import { type OpenFile, openFile, type SourceApp } from './source-file.ts';
import { freeReplaced, takeBackVersion } from './take-back.ts';
import { writeCampaignRows } from './write-campaign-rows.ts';
import { writeListRows } from './write-list-rows.ts';

export const IMPORT_KIND = 'import';

export type ImportJobApp = SourceApp &
  PullPart &
  ContactsPart &
  AuditPart & { timeZone: string } & Pick<DiallingPlace, 'region'> &
  Pick<Platform, 'db' | 'wake'>;

type Job = JobInHand<ImportInput, ImportCursor>;

/** State of an import that a server keeps in memory between two steps. */
interface Held {
  file: OpenFile;
  run: ImportRun;
  /** Writes rows where they go. */
  write: (tx: Sql, rows: PreparedRows['rows']) => Promise<ImportCounts>;
}

/**
 * Imports a file of any length into a campaign or a list: rows, refusals and the place in the file are committed together.
 *
 * Why:    after a kill another server goes on behind the last committed row; nothing is written twice and nothing is left out
 * Source: D6.9
 */
export function importJob(app: ImportJobApp): JobKind {
  const held = new Map<number, Held>();
  return jobKind<ImportInput, ImportCursor>({
    kind: IMPORT_KIND,
    input: importInput,
    cursor: importCursor,
    step: (job, tools) => takeStep(app, held, job, tools),
    discard: job => discard(app, held, job),
  });
}

async function takeStep(app: ImportJobApp, held: Map<number, Held>, job: Job, tools: StepTools): Promise<StepWrite<ImportCursor>> {
  const { cursor, input } = job;
  if (cursor === null) return fetchFile(app, job, tools);
  if ('campaignId' in input.target) app.wake.campaign(input.target.campaignId);
  if (cursor.place.offset >= cursor.size) return finish(app, held, job, cursor);
  const one = await hold(app, held, { ...job, cursor }, tools);
  const block = await one.run.take();
  const { region } = numberOptionsOf(input.options, app.region);
  return async tx => {
    const written = await one.write(tx, block.rows);
    await keepRefusals(tx, {
      jobId: job.id,
      failed: block.failed,
      before: cursor.counts.failedRows,
      region,
      above: one.file.above,
      titles: titlesOf(one.file),
    });
    const counts = sumOf(cursor.counts, sumOf(written, block.counts));
    return { cursor: { ...cursor, place: block.next, counts }, done: block.next.offset };
  };
}

/** Makes the file ready, and refuses one that cannot be read before anything is written. */
async function fetchFile(app: ImportJobApp, { input }: Job, tools: StepTools): Promise<StepWrite<ImportCursor>> {
  const key = fileKey(input.fileId);
  const { fileName } = input;
  const size = input.url === null ? input.size : await app.pullFile({ url: input.url, key, ...tools });
  await openFile(app, { key, fileName, size }, readingOf(input.options, app.region));
  return () => ({ cursor: { size, place: FILE_START, counts: NO_ROWS }, done: 0, total: size });
}

export function readingOf({ columns, headerRow, ...options }: ImportOptions, home: DiallingPlace['region']) {
  return { mapping: columns ?? null, headerRow: headerRow ?? undefined, region: numberOptionsOf(options, home).region };
}

export function numberOptionsOf({ region, carriers, landline }: ImportOptions, home: DiallingPlace['region']) {
  const named = carriers?.includes('any') ? [] : (carriers ?? []).filter(each => each !== 'any');
  return numberOptions({ region: region ?? undefined, carrier: named, landline: landline ?? 'allow' }, home);
}

type RunningJob = Job & { cursor: ImportCursor };

/** Returns the state in memory; rebuilds it when another server ran the job before, or when a step has failed. */
async function hold(app: ImportJobApp, held: Map<number, Held>, job: RunningJob, { signal }: StepTools): Promise<Held> {
  const known = held.get(job.id);
  if (known?.run.isAt(job.cursor.place)) return known;
  held.delete(job.id);
  const made = await open(app, job);
  await made.run.catchUp(job.cursor.place, signal);
  signal.throwIfAborted();
  void made.run.begin(job.cursor.place);
  held.set(job.id, made);
  signal.addEventListener('abort', () => held.delete(job.id), { once: true });
  return made;
}

async function open(app: ImportJobApp, { input, cursor, owner }: RunningJob): Promise<Held> {
  const { target, options } = input;
  const source = { key: fileKey(input.fileId), fileName: input.fileName, size: cursor.size };
  const found = await openFile(app, source, readingOf(options, app.region));
  const { campaign, write } = await destination(app, target, owner.userId);
  const file = campaign === null ? withoutPromises(found) : found;
  const rowOptions = {
    ...numberOptionsOf(options, app.region),
    now: app.clock.now(),
    zone: campaign?.timeZone ?? app.timeZone,
    endsAt: campaign?.scheduledEndAt ?? null,
    home: app.region,
  };
  return { file, run: importRun(app, { file, campaignId: campaign?.id ?? null, options, rowOptions }), write };
}

/** Resolves the target of an import to a function that writes rows to it. Errors: NOT_FOUND */
async function destination(app: ImportJobApp, target: ImportTarget, createdBy: number | null) {
  if ('campaignId' in target) {
    const campaign = await requireRow(app, CAMPAIGN_TABLE, target.campaignId, '活动');
    const write: Held['write'] = (tx, rows) => writeCampaignRows(tx, campaign.id, { rows, createdBy });
    return { campaign, write };
  }
  const list = await getList(app, target.listId);
  const write: Held['write'] = (tx, rows) => writeListRows(tx, { ...list, version: target.version }, { rows, createdBy });
  return { campaign: null, write };
}

/** Titles by which an import of the refused rows recognises the columns, also when their file had none. */
function titlesOf({ table: { header, names }, plan }: OpenFile): string[] {
  return names.map((name, index) => header[index] || (index === plan.phoneNumber ? NUMBER_HEADINGS.documented[0] : undefined) || name);
}

/** A list promises nobody a call: what such columns say stays with the row as a variable. */
function withoutPromises(file: OpenFile): OpenFile {
  const { callbackAt, callbackNote, metadata } = file.plan;
  const kept = [callbackAt, callbackNote].filter(index => index >= 0).map(index => ({ name: file.table.names[index] ?? '', index }));
  return { ...file, plan: { ...file.plan, callbackAt: -1, callbackNote: -1, metadata: [...metadata, ...kept] } };
}

/** Removes the file, and shows what has become of it. */
async function finish(app: ImportJobApp, held: Map<number, Held>, job: Job, cursor: ImportCursor): Promise<StepWrite<ImportCursor>> {
  held.delete(job.id);
  const { counts } = cursor;
  const { target, fileName, fileId } = job.input;
  await app.files.remove(fileKey(fileId));
  await recordImport(app, job, counts);
  return async tx => {
    if ('listId' in target) await showVersion(tx, target, { ...counts, fileName, createdBy: job.owner.userId });
    return { result: { ...target, fileName, counts }, done: cursor.size };
  };
}

type Shown = Pick<Parameters<typeof publishVersion>[1], 'fileName' | 'createdBy' | 'createdRows' | 'updatedRows'>;

/** Rows that a version has replaced keep nobody from being called any more: of a list of contacts none did. */
async function showVersion(tx: Sql, target: { listId: number; version: number }, written: Shown): Promise<void> {
  await publishVersion(tx, { ...target, ...written });
  if (written.updatedRows > 0) await freeReplaced(tx, target.listId, target.version);
}

async function recordImport(app: AuditPart, { input: { target, fileName }, owner }: Job, counts: ImportCounts): Promise<void> {
  const { createdRows, updatedRows, unchangedRows, failedRows } = counts;
  const isList = 'listId' in target;
  await audit(app, owner, {
    action: isList ? 'list.imported' : 'contact.imported',
    targetType: isList ? 'list' : 'campaign',
    targetId: isList ? target.listId : target.campaignId,
    summary: `从「${fileName}」导入：新增 ${createdRows} 行，更新 ${updatedRows}，未变 ${unchangedRows}，失败 ${failedRows}`,
    detail: { ...counts, duplicateRows: Object.values(counts.leftOut).reduce((sum, rows) => sum + rows, 0) },
  });
}

/** Takes back what a version of a list that is not complete holds, and removes the file. */
async function discard(app: ImportJobApp, held: Map<number, Held>, { id, input }: Job): Promise<void> {
  held.delete(id);
  await app.files.remove(fileKey(input.fileId));
  if ('listId' in input.target) await takeBackVersion(app, { ...input.target, jobId: id });
}
