/** The primary monitor of a live call; a call has one at most. Source: D9.2 */
export interface CallMonitor {
  userId: number;
  agentId: number | null;
  displayName: string;
  assignedAt: number;
}

/** A call's assignment in the monitor registry. Source: D9.2, OCS 4.12 rules 1 and 3 */
export interface CallWatch {
  /** Increases with each change in the registry; an update with a lower fence is stale. */
  fence: number;
  monitor: CallMonitor | null;
  /** Users who keep read access. */
  retainedBy: readonly number[];
  waitingSince: number | null;
}

/** An intent keyword of the campaign found in the customer's speech. Source: OCS 4.12 rule 2 */
export interface IntentHit {
  keyword: string;
  segmentId: string;
  at: number;
}
