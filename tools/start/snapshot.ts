import { listAttemptsRoute, listTranscriptSegmentsRoute } from '#attempts/routes.ts';
import { runtimeOverviewRoute } from '#overview/routes.ts';
import type { RestClient } from './rest-client.ts';

export interface Caption {
  /** Identifies the call. */
  attemptId: number;
  speaker: string;
  text: string;
}

/** Counts of the simulated monitors. */
export interface MonitorCounts {
  online: number;
  /** Calls that a monitor watches now. */
  watching: number;
  /** Interventions so far, and active ones. */
  claimed: number;
  active: number;
}

/** A campaign with its progress. */
export interface CampaignSnapshot {
  name: string;
  status: string;
  phase: string;
  phaseReason: string | null;
  total: number;
  pending: number;
  submitted: number;
  completed: number;
  failed: number;
  /** Share, 0..1. */
  progress: number;
}

/** Data of one screen of the terminal. */
export interface Snapshot {
  /** The demo's campaign. */
  campaign: CampaignSnapshot;
  /** The user's own running campaigns. */
  others: readonly CampaignSnapshot[];
  activeCalls: number;
  /** Calls dialled in the last minute. */
  dialledLastMinute: number;
  /** Attempts so far, of all campaigns. */
  attempts: number;
  switchState: string;
  /** The newest captions, oldest first. */
  captions: Caption[];
  /** Only with simulated monitors. */
  monitors?: MonitorCounts;
}

const SHOWN_CAPTIONS = 8;
/** Calls whose transcripts are fetched at once. */
const CALLS_READ = 3;

/** Reads a snapshot through the server's public interface. */
export async function takeSnapshot(client: RestClient, campaignId: number): Promise<Snapshot> {
  const [overview, attempts, captions] = await Promise.all([
    client.call(runtimeOverviewRoute),
    client.call(listAttemptsRoute, { query: { pageSize: 1 } }),
    readCaptions(client, campaignId),
  ]);
  const progress = overview.campaignProgress.find(row => row.campaignId === campaignId);
  return {
    campaign: progress ?? { ...NO_PROGRESS },
    others: overview.campaignProgress.filter(row => row.campaignId !== campaignId && row.status === 'running'),
    activeCalls: overview.cellConcurrency.reduce((sum, cell) => sum + cell.active, 0),
    dialledLastMinute: overview.scheduler.submittedLastMinute,
    attempts: attempts.total,
    switchState: overview.cellConcurrency.map(cell => cell.state).join(' ') || 'none',
    captions,
  };
}

/** The overview contains only running campaigns. */
const NO_PROGRESS: CampaignSnapshot = {
  name: '',
  status: 'completed',
  phase: 'IDLE',
  phaseReason: null,
  total: 0,
  pending: 0,
  submitted: 0,
  completed: 0,
  failed: 0,
  progress: 1,
};

async function readCaptions(client: RestClient, campaignId: number): Promise<Caption[]> {
  const { rows } = await client.call(listAttemptsRoute, { query: { campaignId, status: 'completed', pageSize: CALLS_READ } });
  const spoken = await Promise.all(rows.map(({ id }) => client.call(listTranscriptSegmentsRoute, { params: { id } })));
  return spoken
    .toReversed()
    .flatMap(({ rows: segments }) => segments.map(({ attemptId, speaker, text }) => ({ attemptId, speaker, text })))
    .slice(-SHOWN_CAPTIONS);
}
