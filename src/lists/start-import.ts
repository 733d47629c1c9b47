import { requireNotArchived } from '#campaigns/actions.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import type { Job } from '#jobs/job.ts';
import { startJob } from '#jobs/job-store.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument, invalidInput } from '#kernel/errors.ts';
import type { JsonValue } from '#kernel/json.ts';
import { problem } from '#kernel/problem.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import type { Sql } from '#platform/postgres/database.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';
import { IMPORT_KIND, readingOf } from './import-job.ts';
import { type ImportInput, importOptions, type ImportTarget, type NewImport } from './import-input.ts';
import { type FilesApp, getFile, takeFile } from './list-file.ts';
import { getList, lockList, requireListAccess, reserveVersion } from './list-store.ts';
import { fileNameOf, type PullPart } from './pull-file.ts';
import { openFile } from './source-file.ts';

type StartApp = FilesApp & PullPart & AuditPart & Pick<DiallingPlace, 'region'>;

/**
 * Starts an import of an uploaded file, or of one at an address, into a campaign or a list.
 *
 * Errors: INVALID_ARGUMENT also when the file cannot be read with these options; NOT_FOUND; FORBIDDEN; CAMPAIGN_ARCHIVED; CONFLICT while
 *         another import of the list is under way; RATE_LIMITED
 * Source: D6.9
 */
export async function startImport(app: StartApp, caller: Caller, asked: NewImport): Promise<Job> {
  const options = asked.options ?? importOptions.parse({});
  const source = await sourceOf(app, caller, asked, options);
  const name = await requireTarget(app, caller, asked);
  const job = await app.db.transaction(async tx => {
    if (source.url === null) await takeFile(tx, source.fileId);
    const target = await targetOf(tx, asked);
    const title = `导入「${source.fileName}」到${name}`;
    const input = plain({ ...source, target, options });
    const started = await startJob(tx, caller, { kind: IMPORT_KIND, title, input, total: source.size || null });
    if ('listId' in target) await reserveVersion(tx, { id: target.listId, version: target.version - 1 }, started.id);
    return started;
  });
  await recordStart(app, caller, { asked, name, source });
  return job;
}

/** Without the members that are not given. */
function plain(input: ImportInput): JsonValue {
  return JSON.parse(JSON.stringify(input));
}

type Source = Omit<ImportInput, 'target' | 'options'>;

/** Errors: INVALID_ARGUMENT unless exactly one is given, or when the file does not fit the options; NOT_FOUND */
async function sourceOf(app: StartApp, caller: Caller, { fileId, url }: NewImport, options: ImportInput['options']): Promise<Source> {
  const reading = readingOf(options, app.region);
  if (typeof fileId === 'string' && !url) {
    const file = await getFile(app, caller, fileId);
    await openFile(app, file, reading);
    return { fileId, url: null, fileName: file.fileName, size: file.size };
  }
  if (fileId || !url) throw invalidInput([{ field: 'fileId', problem: problem('exactlyOne', { other: 'url' }) }]);
  app.requirePullable(url);
  return { fileId: app.ids(), url, fileName: fileNameOf(url), size: 0 };
}

/** Returns the name of the target as a person reads it. Errors: INVALID_ARGUMENT; NOT_FOUND; FORBIDDEN; CAMPAIGN_ARCHIVED */
async function requireTarget(app: StartApp, caller: Caller, { listId, campaignId, options }: NewImport): Promise<string> {
  if (Boolean(listId) === Boolean(campaignId)) throw invalidArgument('listId', 'exactlyOne', { other: 'campaignId' });
  if (campaignId) {
    const campaign = await requireRow(app, CAMPAIGN_TABLE, campaignId, '活动');
    requireNotArchived(campaign);
    return `活动「${campaign.name}」`;
  }
  for (const name of ['duplicates', 'contactedWithinDays'] as const)
    if (options?.[name]) throw invalidArgument(`options.${name}`, 'onlyTogether', { other: 'campaignId' });
  const list = await getList(app, listId ?? 0);
  requireListAccess(caller, list);
  return `名单「${list.name}」`;
}

async function targetOf(tx: Sql, { listId, campaignId }: NewImport): Promise<ImportTarget> {
  if (campaignId) return { campaignId };
  const list = await lockList(tx, listId ?? 0);
  return { listId: list.id, version: list.version + 1 };
}

interface Started {
  asked: NewImport;
  name: string;
  source: Source;
}

/** The address of a pull may hold a signature, so that only its host is recorded. */
async function recordStart(app: AuditPart, caller: Caller, { asked: { campaignId, listId }, name, source }: Started): Promise<void> {
  const { fileName, url, size } = source;
  await audit(app, caller, {
    action: 'import.started',
    targetType: campaignId ? 'campaign' : 'list',
    targetId: campaignId ?? listId ?? null,
    summary: `开始导入「${fileName}」到${name}`,
    detail: url === null ? { fileName, size } : { fileName, host: new URL(url).host },
  });
}
