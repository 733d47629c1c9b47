import type { SlotRegistry } from '#slots/slot-registry.ts';

/** Opens a COLD registry without restoring any holders: an empty registry is already complete. */
export async function openRegistry(registry: SlotRegistry): Promise<void> {
  await registry.startRebuild('empty');
  await registry.open('empty');
}
