import { sleep, systemClock } from '#kernel/clock.ts';
import type { Database } from '#platform/postgres/database.ts';
import { insertCampaign } from '#test/support/rows.ts';
import { type KnownFile, knownFile } from './import-file.ts';
import type { RestCaller } from './rest-caller.ts';

/** An import that was started, or may have been: its answer was lost. */
export interface StartedImport {
  campaignId: number;
  expected: Omit<KnownFile, 'text'>;
  isConfirmed: boolean;
}

/** Jobs that a run has started. */
export interface StartedJobs {
  imports: StartedImport[];
  /** Ids of exports whose start was confirmed. */
  exports: number[];
  /** Why turns failed, which some do while services are away. */
  refusals: string[];
}

/** Rows of each imported file: several steps of a job, so that a kill finds it under way. */
const IMPORT_ROWS = 20_000;
const PAUSE_MS = 3_000;
/** Age of the youngest call of an export, ms: whatever was claimed before has been committed. */
const SETTLED_MS = 15_000;
const FORMATS = ['ndjson', 'csv'] as const;

interface Load {
  rest: RestCaller;
  database: Database;
}

/** Imports one file after the other, each into a campaign of its own, until the signal aborts. */
export function keepImporting({ rest, database }: Load, done: StartedJobs, signal: AbortSignal): Promise<void> {
  return keep(done, signal, async sequence => {
    const { text, ...expected } = knownFile(sequence, IMPORT_ROWS);
    const campaignId = await insertCampaign(database, { name: `名单 ${sequence}` });
    const form = new FormData();
    form.set('file', new File([text], `list-${sequence}.csv`));
    const uploaded = await rest.open('/api/list-files', { method: 'POST', body: form });
    const { data: received } = (await uploaded.json()) as { data: { file: { id: string } } };
    const started: StartedImport = { campaignId, expected, isConfirmed: false };
    done.imports.push(started);
    const body = { fileId: received.file.id, campaignId };
    const { data: answer } = await rest.call('POST', '/api/imports', body);
    started.isConfirmed = true;
    await untilOver(rest, answer.job.id, signal);
  });
}

/** Exports the calls so far, one export after the other, until the signal aborts. */
export function keepExporting({ rest }: Load, done: StartedJobs, signal: AbortSignal): Promise<void> {
  return keep(done, signal, async sequence => {
    const to = new Date(systemClock.now() - SETTLED_MS).toISOString();
    const body = {
      kind: 'attempts',
      format: FORMATS[sequence % FORMATS.length],
      columns: ['id', 'requestId', 'status', 'phoneNumber'],
      calls: { to },
    };
    const { data } = await rest.call('POST', '/api/exports', body);
    done.exports.push(Number(data.job.id));
    await untilOver(rest, data.job.id, signal);
  });
}

/** Begins with 1; a turn that fails is left as it is, and the next one begins. */
async function keep({ refusals }: StartedJobs, signal: AbortSignal, turn: (sequence: number) => Promise<void>): Promise<void> {
  for (let sequence = 1; !signal.aborted; sequence++) {
    // A request may have been refused while a service was away: what it has started is found in the database.
    await turn(sequence).catch((error: unknown) => refusals.push(String(error)));
    await sleep(systemClock, PAUSE_MS, signal);
  }
}

async function untilOver(rest: RestCaller, jobId: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { data } = await rest.call('GET', `/api/jobs/${jobId}`);
    if (data.job.state !== 'queued' && data.job.state !== 'running') return;
    await sleep(systemClock, PAUSE_MS, signal);
  }
}
