/** One call of a person, a machine's or an agent's. */
export interface CallOfPerson {
  id: number;
  requestId: string;
}

/** The next calls of a person, a bounded number of each. */
export interface CallsOfPerson {
  attempts: CallOfPerson[];
  agentCalls: CallOfPerson[];
}

/** Rows that went; `recordings` are names, `auditRows` were masked and stay. */
export interface ErasedCounts {
  contacts: number;
  attempts: number;
  transcripts: number;
  recordings: number;
  agentCalls: number;
  conferences: number;
  events: number;
  auditRows: number;
}

/**
 * Everything that is kept of the person with a number but the do-not-call list. Numbers are compared by their dial key (D8.7).
 *
 * Errors: DATABASE_UNAVAILABLE
 */
export interface PersonStore {
  /** Null while a call with the number is under way or claimed. */
  findCalls(dialKey: string): Promise<CallsOfPerson | null>;
  /**
   * Deletes these calls with what belongs to them, and contacts of which no call is left; null when a call is under way by now.
   *
   * Why: audit rows about what is deleted lose its values in the same transaction: later nothing would lead to them
   */
  erase(dialKey: string, calls: CallsOfPerson): Promise<ErasedCounts | null>;
  /** Masks the number in the next audit rows after `after` (0 to begin with); `next` null: there are no more. */
  maskAuditRows(dialKey: string, after: number): Promise<{ masked: number; next: number | null }>;
}
