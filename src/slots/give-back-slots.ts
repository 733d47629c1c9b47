import type { SlotRegistry, Withdrawn } from './slot-registry.ts';
import type { Platform } from '#platform/platform.ts';

export interface GiveBackDeps extends Pick<Platform, 'wake'> {
  slots: Pick<SlotRegistry, 'release'>;
}

/** Releases the slots of claims that an edit of contacts withdrew, and wakes the campaign to use them. */
export async function giveBackSlots(deps: GiveBackDeps, campaignId: number, { withdrawn }: Withdrawn): Promise<void> {
  if (withdrawn.length === 0) return;
  // An unavailable cache loses nothing: the leases of these slots expire.
  await deps.slots.release(withdrawn).catch(() => 0);
  deps.wake.campaign(campaignId);
}
