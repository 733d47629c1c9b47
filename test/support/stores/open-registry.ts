import type { SlotRegistry } from '#ports/slot-registry.ts';

/** Ends COLD without holders: an empty registry is complete. */
export async function openRegistry(registry: SlotRegistry): Promise<void> {
  await registry.startRebuild('empty');
  await registry.open('empty');
}
