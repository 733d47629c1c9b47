/**
 * What people and the dispatcher ask of a campaign. Facts that decide a move travel in the event: the machine reads nothing.
 *
 * Source: OCS §3 "Campaign status", D5.2
 */
export type CampaignEvent =
  | { type: 'startRequested'; hasWork: boolean; by: string }
  | { type: 'pauseRequested'; by: string }
  | { type: 'archiveRequested'; activeCalls: number; by: string }
  /** Nothing is pending, retryable or active; the commit checks it once more. */
  | { type: 'campaignDrained' };
