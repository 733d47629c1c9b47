import type { Cancel, Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { type Connection, type SendQueues, nameOfConnection } from './ports-send-queues.ts';

const LOOK_MS = 10_000;
/** A client that reads nothing for this long is disconnected, in ms (D10). */
export const STALL_MS = 30_000;

export interface StallWatch {
  /** Calls `stalled` once when the client has read nothing for `STALL_MS` of what the operating system queues for it. */
  watch(connection: Connection, stalled: () => void): Cancel;
}

interface Watched {
  connection: Connection;
  stalled: () => void;
  /** Bytes that the client had read when it last made progress. */
  taken: number;
  since: number;
}

/**
 * Finds clients that read nothing although every write to them succeeds.
 *
 * Why: the operating system buffers megabytes per connection before a write has to wait, so the writes of a calm stream never reveal a
 *      client that does not read, and some hundreds of such clients hold gigabytes
 */
export function createStallWatch({ sendQueues, clock, log }: { sendQueues: SendQueues; clock: Clock; log: Log }): StallWatch {
  const all = new Set<Watched>();
  let cancelLook: Cancel | null = null;
  const lookLater = () => {
    cancelLook = all.size === 0 ? null : clock.schedule(LOOK_MS, () => void look());
  };
  const look = async () => {
    try {
      const held = await sendQueues.read();
      for (const watched of all) judge(watched, held.get(nameOfConnection(watched.connection)) ?? 0);
    } catch (error) {
      log.warn({ err: error }, 'the send queues of open streams could not be read');
    }
    lookLater();
  };
  const judge = (watched: Watched, heldBytes: number) => {
    const { connection } = watched;
    const taken = connection.bytesWritten - heldBytes;
    const now = clock.monotonic();
    // Data queued in the process has its own deadline, and how much of it the operating system has taken already is unknown.
    const isReading = heldBytes === 0 || connection.writableLength > 0 || taken > watched.taken;
    if (isReading) Object.assign(watched, { taken, since: now });
    else if (now - watched.since >= STALL_MS) {
      all.delete(watched);
      watched.stalled();
    }
  };
  return {
    watch(connection, stalled) {
      const watched = { connection, stalled, taken: -1, since: clock.monotonic() };
      all.add(watched);
      if (cancelLook === null) lookLater();
      return () => {
        all.delete(watched);
        if (all.size > 0) return;
        cancelLook?.();
        cancelLook = null;
      };
    },
  };
}
