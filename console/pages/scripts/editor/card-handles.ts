import { type NodeHandle, Position } from '@xyflow/react';
import { DEFAULT_BRANCH } from './graph.ts';

/** Size of a card, px; its styles have the same. */
export const CARD = { width: 220, height: 104 };

/** Side of a handle, px. */
const HANDLE = 6;

/** The exits of a card from left to right; a node that leads nowhere has one to begin with. */
export function exitsOf(order: readonly string[]): readonly string[] {
  return order.length === 0 ? [DEFAULT_BRANCH] : order;
}

/** Where an exit is on the lower edge of its card, as a part of the width. */
export function exitAt(index: number, count: number): number {
  return (index + 1) / (count + 1);
}

/**
 * The places where edges begin and end. The graph makes its cards anew with each change, and only what they say of themselves survives
 * that: an edge to a handle that must be measured first would be left out.
 */
export function handlesOf(order: readonly string[], { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): NodeHandle[] {
  const exits = isLast ? [] : exitsOf(order);
  const sources = exits.map((id, index) => ({
    ...square(exitAt(index, exits.length), CARD.height),
    id,
    type: 'source' as const,
    position: Position.Bottom,
  }));
  return isFirst ? sources : [{ ...square(1 / 2, 0), type: 'target', position: Position.Top }, ...sources];
}

function square(part: number, y: number) {
  return { x: part * CARD.width - HANDLE / 2, y: y - HANDLE / 2, width: HANDLE, height: HANDLE };
}
