import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { AccessAuditPart } from '#audit/access-audit.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import { JOB_TABLE, getJob } from '#jobs/job-store.ts';
import type { Job } from '#jobs/job.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, notFound } from '#kernel/errors.ts';
import type { FileStorePart, StoredFile } from '#platform/files/file-store.ts';
import type { Platform } from '#platform/platform.ts';
import { rowsById } from '#platform/postgres/listing.ts';
import type { ServerKey } from '#platform/redis/server-key.ts';
import { type ExportedFile, exportedFile, type ExportLink } from './export.ts';
import { EXPORT_JOB } from './export-job.ts';

/** How long an address of a file is good, in ms. */
const LIFE_MS = 10 * 60_000;
const PURPOSE = 'export-file';

type LinkApp = { serverKey: ServerKey } & Pick<Platform, 'db' | 'clock'>;

/** The signed content of a download link: `until` in UTC ms, `by` the name of the user who made it. */
const claim = z.object({ job: z.int(), until: z.int(), userId: z.int().nullable(), by: z.string() });

/**
 * Makes an address of an export's file that is good for ten minutes and needs no session.
 *
 * Why:    a browser or another program fetches a large file without a token in its address
 * Errors: NOT_FOUND, also for another user's export; CONFLICT before it is done
 */
export async function linkExport(app: LinkApp & AuditPart, caller: Caller, jobId: number): Promise<ExportLink> {
  const job = await getJob(app, caller, jobId);
  const { fileName } = fileOf(job);
  const until = app.clock.now() + LIFE_MS;
  const payload = Buffer.from(JSON.stringify({ job: jobId, until, userId: caller.userId, by: caller.name })).toString('base64url');
  await audit(app, caller, {
    action: 'export.linked',
    targetType: 'job',
    targetId: jobId,
    summary: `取得导出文件「${fileName}」的下载地址`,
  });
  return { jobId, url: `/api/export-files/${payload}.${await signatureOf(app, payload)}`, expiresAt: until };
}

/** Errors: NOT_FOUND when the job is no export; CONFLICT before it is done */
function fileOf({ kind, state, result }: Job): ExportedFile {
  if (kind !== EXPORT_JOB) throw notFound('导出');
  const file = state === 'done' ? exportedFile.safeParse(result).data : undefined;
  if (file === undefined) throw new CalloutError('CONFLICT', '导出尚未完成', { reason: 'STATUS_FORBIDS' });
  return file;
}

async function signatureOf({ serverKey }: Pick<LinkApp, 'serverKey'>, payload: string): Promise<string> {
  return createHmac('sha256', await serverKey.read())
    .update(`${PURPOSE}:${payload}`)
    .digest('base64url');
}

/** An opened file of an export. */
export interface OpenExport extends ExportedFile {
  stored: StoredFile;
}

/**
 * Opens the file of a download link. The audit entry names the user who made the link, and the address from which it is used.
 *
 * Errors: NOT_FOUND for an address that is none or names a file that is gone; GONE when it has expired
 */
export async function openLink(app: LinkApp & AccessAuditPart & FileStorePart, origin: Caller, link: string): Promise<OpenExport> {
  const { job: jobId, until, userId, by } = await readLink(app, link);
  if (until < app.clock.now()) throw new CalloutError('GONE', '下载地址已过期，请重新获取');
  const [job] = await rowsById(app, JOB_TABLE, [jobId]);
  if (job === undefined) throw notFound('文件');
  const file = fileOf(job);
  const stored = await app.files.open(file.file);
  await app.accessAudit.note(
    { ...origin, userId, name: by },
    { action: 'export.downloaded', targetType: 'job', targetId: jobId, summary: `下载导出文件「${file.fileName}」` },
  );
  return { ...file, stored };
}

async function readLink(app: Pick<LinkApp, 'serverKey'>, link: string): Promise<z.output<typeof claim>> {
  const [payload = '', signature = ''] = link.split('.');
  if (!isSame(signature, await signatureOf(app, payload))) {
    // Another server may have made a new key after a loss of the cache.
    app.serverKey.forget();
    if (!isSame(signature, await signatureOf(app, payload))) throw notFound('文件');
  }
  return claim.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
}

function isSame(sent: string, right: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
