/** The one primary monitor of a live call. Source: D9.2 */
export interface CallMonitor {
  userId: number;
  agentId: number | null;
  displayName: string;
  assignedAt: number;
}

/** Where the monitor registry has put a call. Source: D9.2, OCS 4.12 rules 1 and 3 */
export interface CallWatch {
  /** Grows with each change in the registry: what comes with an older one is out of date. */
  fence: number;
  monitor: CallMonitor | null;
  /** Users who may go on reading it. */
  retainedBy: readonly number[];
  waitingSince: number | null;
}

/** A keyword of the campaign in what the customer said. Source: OCS 4.12 rule 2 */
export interface IntentHit {
  keyword: string;
  segmentId: string;
  at: number;
}
