import { useRef } from 'react';
import type { BoardLine } from './board-lines.ts';

/** The rows in their order; while the list is held, those that it shows keep their places, and new ones come last. */
export function useHeldOrder(lines: BoardLine[], isHeld: boolean): BoardLine[] {
  const order = useRef<readonly string[]>([]);
  if (!isHeld) {
    order.current = lines.map(({ key }) => key);
    return lines;
  }
  const places = new Map(order.current.map((key, index) => [key, index]));
  const placeOf = ({ key }: BoardLine) => places.get(key) ?? places.size;
  return lines.toSorted((a, b) => placeOf(a) - placeOf(b));
}
