import type { HeldSlot, UsageKey } from '#slots/slot-registry.ts';

/** Names of the sets that hold a slot. */
export function keysOf({ campaignId, lineId, number, cellId }: Omit<HeldSlot, 'requestId'>): string[] {
  const keys = [`camp:${campaignId}`];
  if (lineId !== null) keys.push(`line:${lineId}`);
  if (cellId !== null) keys.push(`cell:${cellId}`);
  if (lineId !== null && number !== null) keys.push(numberKey(lineId, number));
  return keys;
}

export function numberKey(lineId: number, number: string): string {
  return `num:${lineId}:${number}`;
}

export function usageKey(key: UsageKey): string {
  switch (key.kind) {
    case 'campaign':
      return `camp:${key.campaignId}`;
    case 'line':
      return `line:${key.lineId}`;
    case 'number':
      return numberKey(key.lineId, key.number);
    case 'cell':
      return `cell:${key.cellId}`;
    default:
      return key satisfies never;
  }
}
