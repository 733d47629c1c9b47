import type { DialCounts } from '#ports/dial-store.ts';
import type { CampaignWork } from '#rules/campaign-status.ts';

/** What the dialler's counts say about starting: a held contact waits and counts as pending. Source: OCS §3, D5.2 */
export function campaignWork(counts: DialCounts): CampaignWork {
  return { pendingCount: counts.pending + counts.held, retryableCount: counts.retryable, activeCalls: counts.active };
}
