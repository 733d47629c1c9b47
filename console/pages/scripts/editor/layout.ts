import type { Edge } from './graph.ts';

export interface Place {
  x: number;
  y: number;
}

export interface LayoutSize {
  /** Of a node, px. */
  width: number;
  height: number;
  /** Between neighbours and between layers, px. */
  gapX: number;
  gapY: number;
}

/** How often the order of the layers is bettered; more changes nothing for scripts of a usual size. */
const SWEEPS = 4;

/**
 * Places of nodes in layers from top to bottom: each below all that lead to it, near those that it is connected with.
 *
 * Why:    a circle in a script is cut at the edge that leads back; the order of branches is the order from left to right
 * Shape:  by id; nodes that nothing leads to stand in a layer below all others
 */
export function layOut(ids: readonly string[], edges: readonly Edge[], entry: string, size: LayoutSize): Map<string, Place> {
  const forward = forwardEdges(entry, edges);
  const layers = ordered(layersOf(ids, forward, entry), forward);
  return new Map(placed(layers, forward, size));
}

type Followers = ReadonlyMap<string, readonly string[]>;

/** Edges reachable from the entry, without those that lead back to where the call has been. */
function forwardEdges(entry: string, edges: readonly Edge[]): Edge[] {
  const leaving = Map.groupBy(edges, ({ from }) => from);
  const state = new Map<string, 'open' | 'done'>();
  const kept: Edge[] = [];
  const visit = (id: string): void => {
    state.set(id, 'open');
    for (const edge of leaving.get(id) ?? []) {
      const met = state.get(edge.to);
      if (met === 'open') continue;
      kept.push(edge);
      if (met === undefined) visit(edge.to);
    }
    state.set(id, 'done');
  };
  visit(entry);
  return kept;
}

/** The longest way from the entry decides the layer. */
function layersOf(ids: readonly string[], forward: readonly Edge[], entry: string): string[][] {
  const rank = new Map<string, number>([[entry, 0]]);
  // Each pass settles at least one more layer.
  for (let pass = 0; pass < ids.length; pass++) {
    let isSettled = true;
    for (const { from, to } of forward) {
      const below = (rank.get(from) ?? 0) + 1;
      if (below <= (rank.get(to) ?? -1)) continue;
      rank.set(to, below);
      isSettled = false;
    }
    if (isSettled) break;
  }
  const last = Math.max(...rank.values()) + 1;
  const layers: string[][] = Array.from({ length: last + 1 }, () => []);
  for (const id of [...rank.keys(), ...ids.filter(id => !rank.has(id))]) if (ids.includes(id)) layers[rank.get(id) ?? last]?.push(id);
  return layers.filter(layer => layer.length > 0);
}

/** Orders each layer by the middle of its neighbours above, then below, several times. */
function ordered(layers: readonly (readonly string[])[], forward: readonly Edge[]): string[][] {
  const above = neighbours(forward, 'to');
  const below = neighbours(forward, 'from');
  let current = layers.map(layer => [...layer]);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const from = sweep % 2 === 0 ? above : below;
    const position = new Map(current.flatMap(layer => layer.map((id, index) => [id, index - (layer.length - 1) / 2] as const)));
    current = current.map(layer => {
      const wish = new Map(layer.map(id => [id, middle(from.get(id) ?? [], position) ?? position.get(id) ?? 0]));
      return layer.toSorted((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0));
    });
  }
  return current;
}

function neighbours(edges: readonly Edge[], of: 'from' | 'to'): Followers {
  const grouped = Map.groupBy(edges, edge => edge[of]);
  return new Map([...grouped].map(([id, found]) => [id, found.map(edge => (of === 'from' ? edge.to : edge.from))]));
}

function middle(ids: readonly string[], position: ReadonlyMap<string, number>): number | null {
  const known = ids.flatMap(id => position.get(id) ?? []);
  return known.length === 0 ? null : known.reduce((sum, x) => sum + x, 0) / known.length;
}

/** Each node wishes to stand in the middle of its neighbours above; those of a layer keep their order and their distance. */
function placed(layers: readonly (readonly string[])[], forward: readonly Edge[], size: LayoutSize): [string, Place][] {
  const above = neighbours(forward, 'to');
  const step = size.width + size.gapX;
  const xs = new Map<string, number>();
  for (const layer of layers) {
    const wishes = layer.map((id, index) => middle(above.get(id) ?? [], xs) ?? (index - (layer.length - 1) / 2) * step);
    const apart = spread(wishes, step);
    layer.forEach((id, index) => xs.set(id, apart[index] ?? 0));
  }
  return layers.flatMap((layer, row) =>
    layer.map((id): [string, Place] => [id, { x: xs.get(id) ?? 0, y: row * (size.height + size.gapY) }]),
  );
}

/** Moves neighbours apart to the distance, and the whole layer back to the middle of its wishes. */
function spread(wishes: readonly number[], step: number): number[] {
  const apart: number[] = [];
  for (const wish of wishes) apart.push(Math.max(wish, (apart.at(-1) ?? -Infinity) + step));
  const shift = (sum(wishes) - sum(apart)) / Math.max(1, wishes.length);
  return apart.map(x => x + shift);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
