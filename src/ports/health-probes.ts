import type { CellState } from './switch.ts';

/** Signs of life of what the server needs; each rejects when there is none. */
export interface HealthProbes {
  database(): Promise<void>;
  cache(): Promise<void>;
  bus(): Promise<void>;
  cells(): readonly CellState[];
}
