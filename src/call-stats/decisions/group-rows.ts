import type { Codes, Column } from './column.ts';
import type { GroupColumn } from './columns.ts';

/** The calls of one UTC hour by column. */
export interface HourBlock {
  /** Beginning of the hour, UTC ms. */
  hour: number;
  rows: number;
  column(name: GroupColumn): Column;
}

/** Keeps calls whose value of a column passes. */
export interface RowFilter {
  column: GroupColumn;
  accepts: (value: string) => boolean;
}

/** Groups calls by a key, which is made of the value of a column in an hour; without a column, all calls of an hour have the key of ''. */
export interface RowGrouping {
  column: GroupColumn | null;
  keyOf: (value: string, hour: number) => string;
}

/** Most different keys of one grouping, so that the places of three of them fit into one exact number. */
const MAX_KEYS = 2 ** 17;
/** Combinations of codes in one hour that are looked up by place; more are looked up in a map. */
const MAX_PLACES = 2 ** 16;

/** Thrown when a question has more groups than can be held. */
export class TooManyGroups extends Error {}

/** The groups that have been found, in the order of their first call. */
export class Groups {
  readonly keys: (readonly string[])[] = [];
  readonly #limit: number;
  readonly #ids = new Map<number, number>();
  readonly #places: Map<string, number>[];
  readonly #names: string[][];

  constructor(groupings: number, limit: number) {
    this.#limit = limit;
    this.#places = Array.from({ length: groupings }, () => new Map<string, number>());
    this.#names = Array.from({ length: groupings }, () => []);
  }

  /** Whether all calls are one group. */
  get isSingle(): boolean {
    return this.#places.length === 0;
  }

  /** The place of a key among those of a grouping. */
  place(grouping: number, key: string): number {
    const [places, names] = [this.#places[grouping], this.#names[grouping]];
    if (places === undefined || names === undefined) throw new RangeError('no such grouping');
    const known = places.get(key);
    if (known !== undefined) return known;
    if (names.length >= MAX_KEYS) throw new TooManyGroups();
    names.push(key);
    places.set(key, names.length - 1);
    return names.length - 1;
  }

  /** The group of the keys at these places. */
  idOf(places: readonly number[]): number {
    const number = places.reduce((sum, place) => sum * MAX_KEYS + place, 0);
    const known = this.#ids.get(number);
    if (known !== undefined) return known;
    if (this.keys.length >= this.#limit) throw new TooManyGroups();
    this.#ids.set(number, this.keys.length);
    this.keys.push(places.map((place, grouping) => this.#names[grouping]?.[place] ?? ''));
    return this.keys.length - 1;
  }
}

/** One grouping in one block: codes of the rows, and the place of the key of each code. */
interface Axis {
  codes: Codes | null;
  places: readonly number[];
}

/**
 * Writes the group of each row of a block into `into`, -1 for a row that a filter leaves out.
 *
 * Shape: false when no row is left; `into` has as many members as the block has rows at least
 */
export function groupRows(
  block: HourBlock,
  { filters, groupings }: { filters: readonly RowFilter[]; groupings: readonly RowGrouping[] },
  groups: Groups,
  into: Int32Array,
): boolean {
  into.fill(0, 0, block.rows);
  for (const filter of filters) if (!leaveOut(block, filter, into)) return false;
  const axes = groupings.map((grouping, index) => axisOf(block, grouping, key => groups.place(index, key)));
  const varying = axes.filter(({ places }) => new Set(places).size > 1);
  if (varying.length === 0) assignOne(block.rows, groups.idOf(axes.map(({ places }) => places[0] ?? 0)), into);
  else assignEach(block.rows, axes, groups, into);
  return true;
}

function textsOf({ dictionary }: Column): readonly string[] {
  return dictionary ?? [''];
}

function leaveOut(block: HourBlock, { column, accepts }: RowFilter, into: Int32Array): boolean {
  const { codes, dictionary } = block.column(column);
  const passes = Uint8Array.from(textsOf({ codes, dictionary }), text => (accepts(text) ? 1 : 0));
  if (!passes.includes(1)) return false;
  if (codes !== null && passes.includes(0)) dropRows(block.rows, codes, passes, into);
  return true;
}

function dropRows(rows: number, codes: Codes, passes: Uint8Array, into: Int32Array): void {
  for (let row = 0; row < rows; row++) if (passes[codes[row] ?? 0] === 0) into[row] = -1;
}

function axisOf(block: HourBlock, { column, keyOf }: RowGrouping, placeOf: (key: string) => number): Axis {
  const found = column === null ? { codes: null, dictionary: null } : block.column(column);
  return { codes: found.codes, places: textsOf(found).map(text => placeOf(keyOf(text, block.hour))) };
}

function assignOne(rows: number, id: number, into: Int32Array): void {
  if (id === 0) return;
  for (let row = 0; row < rows; row++) if (into[row] === 0) into[row] = id;
}

/** Looks the group of a combination of codes up once in a block. */
function assignEach(rows: number, axes: readonly Axis[], groups: Groups, into: Int32Array): void {
  const sizes = axes.map(({ places }) => places.length);
  const lookUp = (combination: number) => groups.idOf(placesAt(combination, axes, sizes));
  const idOf = remembered(
    sizes.reduce((product, size) => product * size, 1),
    lookUp,
  );
  const combined = combinationsOf(rows, axes, sizes);
  for (let row = 0; row < rows; row++) if (into[row] === 0) into[row] = idOf(combined[row] ?? 0);
}

function combinationsOf(rows: number, axes: readonly Axis[], sizes: readonly number[]): Float64Array | Uint32Array {
  const combined = sizes.reduce((product, size) => product * size, 1) < 2 ** 32 ? new Uint32Array(rows) : new Float64Array(rows);
  for (const [index, { codes }] of axes.entries()) {
    const size = sizes[index] ?? 1;
    for (let row = 0; row < rows; row++) combined[row] = (combined[row] ?? 0) * size + (codes?.[row] ?? 0);
  }
  return combined;
}

function placesAt(combination: number, axes: readonly Axis[], sizes: readonly number[]): number[] {
  let rest = combination;
  const codes = sizes
    .toReversed()
    .map(size => {
      const code = rest % size;
      rest = Math.floor(rest / size);
      return code;
    })
    .toReversed();
  return axes.map(({ places }, index) => places[codes[index] ?? 0] ?? 0);
}

function remembered(combinations: number, lookUp: (combination: number) => number): (combination: number) => number {
  if (combinations > MAX_PLACES) return rememberedInMap(lookUp);
  const ids = new Int32Array(combinations).fill(-1);
  return combination => {
    const known = ids[combination] ?? -1;
    if (known >= 0) return known;
    const id = lookUp(combination);
    ids[combination] = id;
    return id;
  };
}

function rememberedInMap(lookUp: (combination: number) => number): (combination: number) => number {
  const ids = new Map<number, number>();
  return combination => {
    const known = ids.get(combination);
    if (known !== undefined) return known;
    const id = lookUp(combination);
    ids.set(combination, id);
    return id;
  };
}
