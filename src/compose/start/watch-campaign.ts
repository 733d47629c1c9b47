import { sleep, systemClock } from '#kernel/clock.ts';
import type { RestClient } from './rest-client.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import type { Access } from './table.ts';
import type { Terminal } from './terminal.ts';

const INTERVAL_MS = 1_000;
/** The server may be busy for a moment; this many snapshots in a row may fail before the failure counts. */
const MAX_MISSED = 10;

export interface WatchRequest {
  client: RestClient;
  campaignId: number;
  access: Access;
  terminal: Terminal;
  /** Monotonic instant of the start, ms. */
  startedAt: number;
  signal: AbortSignal;
  onSnapshot: (snapshot: Snapshot) => void;
}

/** Shows the campaign until `signal`. */
export async function watchCampaign(request: WatchRequest): Promise<void> {
  const { client, campaignId, access, terminal, startedAt, signal } = request;
  let missed = 0;
  while (!signal.aborted) {
    try {
      const snapshot = await takeSnapshot(client, campaignId);
      missed = 0;
      if (signal.aborted) return;
      request.onSnapshot(snapshot);
      terminal.show(snapshot, access, systemClock.monotonic() - startedAt);
    } catch (error) {
      missed++;
      if (missed > MAX_MISSED) throw error;
    }
    await sleep(systemClock, INTERVAL_MS, signal);
  }
}
