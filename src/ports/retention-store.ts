/** What has a limit of its own in the configuration. */
export const RETENTION_KINDS = ['transcripts', 'recordings', 'attempts', 'audit', 'events'] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** One table, or one column of it, from which something is taken away. */
export type RetentionTarget =
  | 'transcript_segment'
  | 'recognized_text'
  | 'attempt_recording'
  | 'agent_call_recording'
  | 'conference_recording'
  | 'attempt'
  | 'agent_call'
  | 'conference'
  | 'audit_row'
  | 'runtime_event'
  | 'phone_session_event';

/**
 * Takes away what has been kept long enough, a bounded slice at a time.
 *
 * Why:    the age is judged by the database's clock, which wrote the rows; what is open, or still needed to decide about a dial, stays
 * Errors: DATABASE_UNAVAILABLE
 */
export interface RetentionStore {
  /** Looks at the next rows after `after` (0 to begin with); those older than `days` × 24 h go. */
  removeSlice(target: RetentionTarget, days: number, after: number): Promise<RemovedSlice>;
}

export interface RemovedSlice {
  removed: number;
  /** From where the next slice goes on; null when there is nothing older. */
  next: number | null;
}
