import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { z } from 'zod';
import { ENTITIES } from '#app/connect.ts';
import { auditRepository } from '#audit/audit-store.ts';
import { contactRepository } from '#contacts/contact-store.ts';
import type { JobState } from '#jobs/job.ts';
import { runJobs } from '#jobs/run-jobs.ts';
import { systemCaller } from '#kernel/caller.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import type { ImportCounts } from '#lists/import-counts.ts';
import { importJob } from '#lists/import-job.ts';
import { newImport } from '#lists/import-input.ts';
import { receiveFile } from '#lists/list-file.ts';
import { getImport } from '#lists/list-imports.ts';
import { createList } from '#lists/list-store.ts';
import { filePuller } from '#lists/pull-file.ts';
import { refusalsFile } from '#lists/refusals-file.ts';
import { removeListJob } from '#lists/remove-list.ts';
import { startImport } from '#lists/start-import.ts';
import { useListJob } from '#lists/use-list.ts';
import { folderStore } from '#platform/files/folder-store.ts';
import { readWorkbook } from '#platform/files/read-workbook.ts';
import { connectDatabase } from '#platform/postgres/database.ts';
import { freshDatabase } from '#test/support/database.ts';
import { waitUntil } from '#test/support/wait-until.ts';

export const IMPORTER = systemCaller('import-test');
const MAX_BYTES = 64 * 1024 * 1024;

export type ImportRig = Awaited<ReturnType<typeof startImportRig>>;
type Asked = Partial<z.input<typeof newImport>>;

/** A database, a file store and a server that works jobs off, as far as imports need them. */
export async function startImportRig() {
  const fresh = await freshDatabase();
  const db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 8, statementTimeoutMs: 20_000 });
  const folder = await mkdtemp(join(tmpdir(), 'callout-lists-'));
  const woken: (number | null)[] = [];
  const base = {
    db,
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    files: folderStore(folder),
    readWorkbook,
    contacts: contactRepository(db),
    audit: auditRepository(db),
    wake: { campaign: (id: number | null) => void woken.push(id) },
    region: 'CN' as const,
    timeZone: 'Asia/Shanghai',
    maxImportBytes: MAX_BYTES,
    agentsSeeNumbers: true,
  };
  const app = { ...base, ...filePuller(base, { allowPrivate: true, buckets: [], signObject: null }) };
  const stopping = new AbortController();
  const jobs = { concurrency: 2, keptDays: 7, isDialingBehind: () => false };
  const running = runJobs({ ...app, jobs }, [importJob(app), useListJob(app), removeListJob(app)], stopping.signal);
  const untilOver = (id: number, state: JobState = 'done') =>
    waitUntil(`import ${id} to be ${state}`, async () => {
      const now = await getImport(app, id);
      if (now.state === 'failed' && state !== 'failed') throw new Error(now.error?.message ?? 'failed');
      return now.state === state ? now : null;
    });
  const upload = (bytes: Uint8Array, fileName = 'list.csv') => receiveFile(app, IMPORTER, { fileName, bytes: chunksOf(bytes) });
  const start = async (bytes: Uint8Array, asked: Asked) =>
    startImport(app, IMPORTER, newImport.parse({ ...asked, fileId: (await upload(bytes)).id }));
  return {
    app,
    db,
    folder,
    woken,
    upload,
    start,
    untilOver,
    /** Imports a file and returns what has become of its rows. */
    async import(bytes: Uint8Array, asked: Asked): Promise<ImportCounts> {
      return (await untilOver((await start(bytes, asked)).id)).counts;
    },
    newList: (kind: 'contacts' | 'do_not_call' = 'contacts') => createList(app, IMPORTER, { name: '春季名单', kind, description: '' }),
    async refusals(id: number): Promise<string> {
      let text = '';
      for await (const line of (await refusalsFile(app, id)).lines) text += line;
      return text;
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
    rows: <Row>(statement: ReturnType<typeof sql<Row>>) => db.rows(statement),
    async close(): Promise<void> {
      stopping.abort();
      await running;
      await db.close();
      await fresh.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_000) {
    await Promise.resolve();
    yield bytes.subarray(at, at + 10_000);
  }
}
