import type { Edge } from './graph.ts';

export interface Place {
  x: number;
  y: number;
}

export interface LayoutSize {
  /** Size of a node, px. */
  width: number;
  height: number;
  /** Between neighbours and between layers, px. */
  gapX: number;
  gapY: number;
}

export interface Layout {
  /** Upper left corners by node. */
  places: ReadonlyMap<string, Place>;
  /** Points that an edge over several layers passes between its ends, by `wayKey`. */
  ways: ReadonlyMap<string, readonly Place[]>;
}

/** How often the order of the layers is bettered; more changes nothing for scripts of a usual size. */
const SWEEPS = 4;
/** Width of the gap that a passing edge takes among the nodes of a layer, px. */
const PASSAGE_WIDTH = 24;

export function wayKey({ from, to }: Pick<Edge, 'from' | 'to'>): string {
  return JSON.stringify([from, to]);
}

/**
 * Places of nodes in layers from top to bottom: each below all that lead to it, near those that it is connected with.
 *
 * Why:    a circle in a script is cut at the edge that leads back; an edge over several layers has a passage in each, so that it never
 *         runs behind a node
 * Shape:  nodes that nothing leads to stand in a layer below all others
 */
export function layOut(ids: readonly string[], edges: readonly Edge[], entry: string, size: LayoutSize): Layout {
  const forward = forwardEdges(entry, edges);
  const layers = layersOf(ids, forward, entry);
  const { links, passages } = withPassages(layers, forward);
  const xs = middles(ordered(layers, links), links, { size, isPassage: id => passages.has(id) });
  const rows = new Map(layers.flatMap((layer, row) => layer.map(id => [id, row] as const)));
  const topOf = (id: string) => (rows.get(id) ?? 0) * (size.height + size.gapY);
  return {
    places: new Map(ids.map(id => [id, { x: (xs.get(id) ?? 0) - size.width / 2, y: topOf(id) }])),
    ways: waysOf(passages, id => [
      { x: xs.get(id) ?? 0, y: topOf(id) },
      { x: xs.get(id) ?? 0, y: topOf(id) + size.height },
    ]),
  };
}

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
  const rank = ranksOf(ids.length, forward, entry);
  const last = Math.max(...rank.values()) + 1;
  const layers: string[][] = Array.from({ length: last + 1 }, () => []);
  for (const id of [...rank.keys(), ...ids.filter(id => !rank.has(id))]) if (ids.includes(id)) layers[rank.get(id) ?? last]?.push(id);
  return layers.filter(layer => layer.length > 0);
}

function ranksOf(count: number, forward: readonly Edge[], entry: string): Map<string, number> {
  const rank = new Map<string, number>([[entry, 0]]);
  // Each pass settles at least one more layer.
  for (let pass = 0; pass < count; pass++) {
    let isSettled = true;
    for (const { from, to } of forward) {
      const below = (rank.get(from) ?? 0) + 1;
      if (below <= (rank.get(to) ?? -1)) continue;
      rank.set(to, below);
      isSettled = false;
    }
    if (isSettled) break;
  }
  return rank;
}

/** A connection of neighbouring layers, between nodes or passages. */
interface Link {
  from: string;
  to: string;
}

interface Passage {
  edge: Edge;
  step: number;
}

/** Adds a passage to every layer that an edge leaps over; links connect neighbouring layers alone. */
function withPassages(layers: string[][], forward: readonly Edge[]) {
  const rows = new Map(layers.flatMap((layer, row) => layer.map(id => [id, row] as const)));
  const passages = new Map<string, Passage>();
  const links: Link[] = [];
  const distinct = new Map(forward.map(edge => [wayKey(edge), edge]));
  for (const [key, edge] of distinct) {
    let from = edge.from;
    for (let row = (rows.get(edge.from) ?? 0) + 1; row < (rows.get(edge.to) ?? 0); row++) {
      const id = `${key} ${row}`;
      passages.set(id, { edge, step: row });
      layers[row]?.push(id);
      links.push({ from, to: id });
      from = id;
    }
    links.push({ from, to: edge.to });
  }
  return { links, passages };
}

function waysOf(passages: ReadonlyMap<string, Passage>, pointsOf: (id: string) => readonly Place[]): Map<string, Place[]> {
  const ways = new Map<string, Place[]>();
  const sorted = [...passages].toSorted(([, a], [, b]) => a.step - b.step);
  for (const [id, { edge }] of sorted) ways.set(wayKey(edge), [...(ways.get(wayKey(edge)) ?? []), ...pointsOf(id)]);
  return ways;
}

/** Orders each layer by the middle of its neighbours above, then below, several times. */
function ordered(layers: readonly (readonly string[])[], links: readonly Link[]): string[][] {
  const above = neighbours(links, 'to');
  const below = neighbours(links, 'from');
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

function neighbours(links: readonly Link[], of: 'from' | 'to'): ReadonlyMap<string, readonly string[]> {
  const grouped = Map.groupBy(links, link => link[of]);
  return new Map([...grouped].map(([id, found]) => [id, found.map(link => (of === 'from' ? link.to : link.from))]));
}

function middle(ids: readonly string[], position: ReadonlyMap<string, number>): number | null {
  const known = ids.flatMap(id => position.get(id) ?? []);
  return known.length === 0 ? null : sum(known) / known.length;
}

interface Widths {
  size: LayoutSize;
  isPassage: (id: string) => boolean;
}

/** Horizontal middles: each wishes to stand in the middle of its neighbours above; those of a layer keep their order and distance. */
function middles(layers: readonly (readonly string[])[], links: readonly Link[], { size, isPassage }: Widths): Map<string, number> {
  const above = neighbours(links, 'to');
  const half = (id: string) => (isPassage(id) ? PASSAGE_WIDTH : size.width) / 2;
  const xs = new Map<string, number>();
  for (const layer of layers) {
    const wishes = layer.map((id, index) => middle(above.get(id) ?? [], xs) ?? (index - (layer.length - 1) / 2) * (size.width + size.gapX));
    const apart = spread(wishes, (left, right) => half(layer[left] ?? '') + size.gapX + half(layer[right] ?? ''));
    layer.forEach((id, index) => xs.set(id, apart[index] ?? 0));
  }
  return xs;
}

/** Moves neighbours apart to their distance, and the whole layer back to the middle of its wishes. */
function spread(wishes: readonly number[], distance: (left: number, right: number) => number): number[] {
  const apart: number[] = [];
  for (const [index, wish] of wishes.entries())
    apart.push(Math.max(wish, index === 0 ? wish : (apart[index - 1] ?? 0) + distance(index - 1, index)));
  const shift = (sum(wishes) - sum(apart)) / Math.max(1, wishes.length);
  return apart.map(x => x + shift);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
