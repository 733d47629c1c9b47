import type { Withdrawn } from '#ports/contact-store.ts';
import type { SlotRegistry } from '#ports/slot-registry.ts';
import type { Ports } from '#ports/ports.ts';

export interface GiveBackDeps extends Pick<Ports, 'wake'> {
  slots: Pick<SlotRegistry, 'release'>;
}

/** Frees what the claims held that an edit of contacts took back, and lets the campaign use it. */
export async function giveBackSlots(deps: GiveBackDeps, campaignId: number, { withdrawn }: Withdrawn): Promise<void> {
  if (withdrawn.length === 0) return;
  // A cache that is away now loses nothing: the leases of these slots end by themselves.
  await deps.slots.release(withdrawn).catch(() => 0);
  deps.wake.campaign(campaignId);
}
