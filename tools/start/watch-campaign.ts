import { sleep, systemClock } from '#kernel/clock.ts';
import { followCaptions, type LiveCaptions } from './live-captions.ts';
import type { SimulatedMonitors } from './monitors.ts';
import type { RestClient } from './rest-client.ts';
import { supplyContacts } from './supply.ts';
import { type Caption, type Snapshot, takeSnapshot } from './snapshot.ts';
import type { Access } from './table.ts';
import type { Terminal } from './terminal.ts';

const INTERVAL_MS = 1_000;
/** Consecutive snapshots that may fail, because the server may be busy for a moment, before the failure counts. */
const MAX_MISSED = 10;

export interface WatchRequest {
  client: RestClient;
  campaignId: number;
  access: Access;
  terminal: Terminal;
  /** Start of the run, in monotonic ms. */
  startedAt: number;
  signal: AbortSignal;
  onSnapshot: (snapshot: Snapshot) => void;
  monitors: Pick<SimulatedMonitors, 'counts'> | null;
}

/** Shows the campaign until `signal` aborts. */
export async function watchCampaign(request: WatchRequest): Promise<void> {
  const captions = followCaptions({ url: request.access.url, token: request.client.token }, request.campaignId);
  try {
    await showUntilEnd(request, captions);
  } finally {
    await captions.close();
  }
}

async function showUntilEnd(request: WatchRequest, captions: LiveCaptions): Promise<void> {
  const { client, campaignId, access, terminal, startedAt, signal, onSnapshot, monitors } = request;
  let missed = 0;
  while (!signal.aborted) {
    try {
      const seen = withLive(await takeSnapshot(client, campaignId), captions.latest());
      const snapshot = monitors ? { ...seen, monitors: monitors.counts() } : seen;
      missed = 0;
      if (signal.aborted) return;
      onSnapshot(snapshot);
      await supplyContacts(client, campaignId, snapshot.campaign);
      terminal.show(snapshot, access, systemClock.monotonic() - startedAt);
    } catch (error) {
      missed++;
      if (missed > MAX_MISSED) throw error;
    }
    await sleep(systemClock, INTERVAL_MS, signal);
  }
}

/** Replaces the captions of the snapshot by live ones as soon as there are any. */
function withLive(snapshot: Snapshot, live: Caption[]): Snapshot {
  return live.length === 0 ? snapshot : { ...snapshot, captions: live };
}
