import type { CellState } from './switch.ts';

/** Signs of life of what the server needs; each rejects when there is none. */
export interface HealthProbes {
  database(): Promise<void>;
  cache(): Promise<void>;
  bus(): Promise<void>;
  cells(): readonly CellState[];
  live(): LiveState;
}

/** How the live calls that are watched at this instance are kept up to date. */
export interface LiveState {
  /** `bus`: told by the instances; `poll`: compared with the cache every second, for want of the bus; `idle`: nobody watches. */
  source: 'bus' | 'poll' | 'unavailable' | 'idle';
  calls: number;
}
