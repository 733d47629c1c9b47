import { join } from 'node:path';
import { EslUnavailableError, openEsl } from '#platform/freeswitch/esl-connection.ts';
import type { ChannelRecord, OriginateRecord, SwitchRecord } from '#tools/switch/record.ts';
import { findFreePort } from '#tools/services/free-port.ts';
import { systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { roleProcess } from './child-process.ts';

/** A switch simulator process with its control connection. */
export interface CellProcess {
  id: string;
  name: string;
  port: number;
  /** Injects a fault over the control connection. */
  order(order: { fault: string; count?: number; durationMs?: number; kind?: string }): Promise<void>;
  /** Adds what the switch recorded since the last read; throws while the switch does not respond. */
  read(): Promise<void>;
  /** Everything read so far. */
  seen: CellRecord;
  pid(): number | undefined;
  unexpectedEnds: string[];
  close(): Promise<void>;
}

export interface CellRecord {
  id: string;
  channels: Map<string, ChannelRecord>;
  originates: Map<string, OriginateRecord>;
  /** UUIDs that arrived with more than one originate. */
  repeated: string[];
  totals: SwitchRecord['totals'];
  /** Highest number of simultaneous channels. */
  maxAtOnce: number;
}

const PASSWORD = 'ClueCon';
const CONTROL_TIMEOUT_MS = 10_000;
/** Entries per read; more than a cell creates between two reads, even after a freeze. */
const READ_LIMIT = 6_000;

export const CELL_PASSWORD = PASSWORD;

/** Faults that cut the control connection before it gets a reply. */
const CUTS_US_OFF: readonly string[] = ['drop', 'kill'];

export async function startCell(id: string, options: { folder: string; seed: number; args: readonly string[] }): Promise<CellProcess> {
  const port = await findFreePort();
  const role = roleProcess({
    program: ['tools/main.ts', 'switch', '--port', String(port), '--seed', String(options.seed), ...options.args],
    env: { CALLOUT_SWITCH_PASSWORD: PASSWORD },
    logFile: join(options.folder, `${id}.log`),
  });
  role.start();
  await waitUntil(`${id} to answer`, () => control(port, 'status'));
  const seen: CellRecord = {
    id,
    channels: new Map(),
    originates: new Map(),
    repeated: [],
    totals: { originates: 0, channels: 0, answered: 0 },
    maxAtOnce: 0,
  };
  return {
    id,
    name: id,
    port,
    seen,
    async order(order) {
      try {
        const answer = await control(port, `callout_fault ${JSON.stringify(order)}`);
        if (answer !== '+OK') throw new Error(`${id}: ${answer}`);
      } catch (error) {
        const isCutOff = CUTS_US_OFF.includes(order.fault) && error instanceof EslUnavailableError && error.wasWritten;
        if (!isCutOff) throw error;
      }
    },
    async read() {
      merge(seen, JSON.parse(await control(port, `callout_record ${READ_LIMIT}`)) as SwitchRecord);
    },
    pid: () => role.pid(),
    unexpectedEnds: role.unexpectedEnds,
    close: () => role.stop(),
  };
}

/** Sends one command over a new connection, because faults drop existing ones. */
async function control(port: number, line: string): Promise<string> {
  const closing = new AbortController();
  const connection = await openEsl({
    target: { host: '127.0.0.1', port, password: PASSWORD },
    clock: systemClock,
    connectTimeoutMs: CONTROL_TIMEOUT_MS,
    silenceLimitMs: null,
    signal: closing.signal,
    onEvent: () => undefined,
    onClose: () => undefined,
  });
  try {
    return await connection.api(line, CONTROL_TIMEOUT_MS);
  } finally {
    closing.abort();
  }
}

/** Merges a read into the record. An entry is sent again until it is final, so the latest version counts. */
function merge(seen: CellRecord, record: SwitchRecord): void {
  for (const channel of record.channels) seen.channels.set(channel.uuid, channel);
  for (const originate of record.originates) {
    const uuid = originate.uuid ?? `without-uuid-${originate.at}`;
    const known = seen.originates.get(uuid);
    if (known && known.at !== originate.at && !seen.repeated.includes(uuid)) seen.repeated.push(uuid);
    seen.originates.set(uuid, originate);
  }
  seen.totals = record.totals;
  seen.maxAtOnce = record.concurrency.all.max;
}
