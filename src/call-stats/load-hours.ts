import type { Sql } from '#platform/postgres/database.ts';
import { type HourState, readBlocks } from './block-store.ts';
import type { BlockCache } from './decisions/block-cache.ts';
import type { Column } from './decisions/column.ts';
import type { ColumnName } from './decisions/columns.ts';
import { MS_PER_HOUR } from './decisions/plan-hours.ts';
import { type CallColumns, readCalls } from './read-calls.ts';

/** Columns of an hour in memory. */
export interface LoadedHour {
  /** UTC ms. */
  hour: number;
  rows: number;
  columns: ReadonlyMap<ColumnName, Column>;
}

interface Loading {
  db: Sql;
  cache: BlockCache;
  names: readonly ColumnName[];
}

interface Kept {
  state: HourState;
  rows: number;
  columns: ReadonlyMap<ColumnName, Column>;
  /** All columns that are asked for are there. */
  isWhole: boolean;
}

/** Takes the cached columns before any read: the cache may evict them while the missing ones are loaded. */
function keptOf({ cache, names }: Loading, hours: readonly HourState[]): Kept[] {
  return hours.map(state => {
    const known = cache.find(state.hour, stampOf(state));
    const columns = known?.columns ?? new Map<ColumnName, Column>();
    const isWhole = known !== null && (known.rows === 0 || names.every(name => columns.has(name)));
    return { state, rows: known?.rows ?? 0, columns, isWhole };
  });
}

function stampOf({ version, change }: HourState): string {
  return `${version}/${change}`;
}

/** Loads sealed hours, from memory where they have been read before. */
export async function loadSealed(loading: Loading, hours: readonly HourState[]): Promise<LoadedHour[]> {
  const kept = keptOf(loading, hours);
  const missing = kept.flatMap(({ state, isWhole }) => (isWhole ? [] : [state.hour]));
  const found = await readBlocks(loading.db, missing, loading.names);
  return kept.map(({ state, columns }) => {
    const { hour, rows } = state;
    const read = found.get(hour);
    if (read === undefined) return { hour, rows, columns };
    loading.cache.add(hour, { stamp: stampOf(state), rows, columns: read });
    return { hour, rows, columns: new Map([...columns, ...read]) };
  });
}

/** Loads hours whose seal is broken; null when they have more calls than are read at once. */
export async function loadChanged(loading: Loading, hours: readonly HourState[], maxCalls: number): Promise<LoadedHour[] | null> {
  const kept = keptOf(loading, hours);
  const spans = kept.flatMap(({ state: { hour }, isWhole }) => (isWhole ? [] : [{ from: hour, to: hour + MS_PER_HOUR }]));
  const found = await readCalls(loading.db, spans, loading.names, maxCalls);
  return (
    found &&
    kept.map(({ state, isWhole, rows, columns }) =>
      isWhole ? { hour: state.hour, rows, columns } : remember(loading.cache, state, found.get(state.hour)),
    )
  );
}

/** An hour that was read again; without calls it has no columns. */
function remember(cache: BlockCache, state: HourState, { rows, columns }: CallColumns = { rows: 0, columns: new Map() }): LoadedHour {
  cache.add(state.hour, { stamp: stampOf(state), rows, columns });
  return { hour: state.hour, rows, columns };
}
