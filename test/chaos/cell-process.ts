import { join } from 'node:path';
import { EslUnavailableError, openEsl } from '#adapters/freeswitch/esl-connection.ts';
import type { ChannelRecord, OriginateRecord, SwitchRecord } from '#tools/switch/record.ts';
import { findFreePort } from '#tools/services/free-port.ts';
import { systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { roleProcess } from './child-process.ts';

/** A switch simulator process with its control line. */
export interface CellProcess {
  id: string;
  name: string;
  port: number;
  /** Orders a fault over the control line. */
  order(order: { fault: string; count?: number; durationMs?: number; kind?: string }): Promise<void>;
  /** Adds what the switch saw since the last reading; throws while it does not answer. */
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
  /** Originates with one uuid that came more than once. */
  repeated: string[];
  totals: SwitchRecord['totals'];
  /** Channels at once, most. */
  maxAtOnce: number;
}

const PASSWORD = 'ClueCon';
const CONTROL_TIMEOUT_MS = 10_000;
/** Read at once: more than a cell starts between two readings, a freeze included. */
const READ_LIMIT = 6_000;

export const CELL_PASSWORD = PASSWORD;

/** Faults that end the connection on which they are ordered before it is answered. */
const CUTS_US_OFF: readonly string[] = ['drop', 'kill'];

export async function startCell(id: string, options: { folder: string; seed: number; args: readonly string[] }): Promise<CellProcess> {
  const port = await findFreePort();
  const args = ['--port', String(port), '--seed', String(options.seed), ...options.args];
  const role = roleProcess({
    role: 'switch',
    args,
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

/** One question on a connection of its own: faults drop the others. */
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

/** Entries are told again until they are final: the latest telling of each counts. */
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
