import { DEFAULT_BRANCH } from './graph.ts';

/** Size of a card, px; its styles have the same. */
export const CARD = { width: 220, height: 104 };

/** Side of a handle, px. */
const HANDLE = 6;

/** A place where edges begin or end. */
export interface HandlePlace {
  type: 'source' | 'target';
  /** Branch of an exit; null: what leads to the node. */
  id: string | null;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The exits of a card from left to right; a node that leads nowhere has one to begin with. */
export function exitsOf(order: readonly string[]): readonly string[] {
  return order.length === 0 ? [DEFAULT_BRANCH] : order;
}

/** Place of an exit on the lower edge of its card, as a part of the width. */
export function exitAt(index: number, count: number): number {
  return (index + 1) / (count + 1);
}

/**
 * The places where edges begin and end. The graph makes its cards anew with each change, and only what they say of themselves survives
 * that: an edge to a handle that must be measured first would be left out.
 */
export function handlesOf(order: readonly string[], { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): HandlePlace[] {
  const exits = isLast ? [] : exitsOf(order);
  const sources = exits.map((id, index) => handle(id, exitAt(index, exits.length), CARD.height));
  return isFirst ? sources : [handle(null, 1 / 2, 0), ...sources];
}

function handle(id: string | null, part: number, y: number): HandlePlace {
  const type = id === null ? 'target' : 'source';
  return { type, id, x: part * CARD.width - HANDLE / 2, y: y - HANDLE / 2, width: HANDLE, height: HANDLE };
}
