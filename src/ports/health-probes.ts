import type { CellState } from './switch.ts';

/** Signs of life of what the server needs; each rejects when there is none. */
export interface HealthProbes {
  database(): Promise<void>;
  cache(): Promise<void>;
  bus(): Promise<void>;
  cells(): readonly CellState[];
  live(): LiveState;
  runtimes(): Promise<RuntimeState>;
}

/** Whether an answered call would find a call-flow runtime. */
export interface RuntimeState {
  ok: boolean;
  /** Registered ones of which something was heard lately. */
  registered: number;
  /** New calls that those would take now. */
  freePlaces: number;
  /** Somebody takes calls without having registered, as many as come. */
  hasUnregistered: boolean;
}

/** How the live calls that are watched at this instance are kept up to date. */
export interface LiveState {
  /** `bus`: told by the instances; `poll`: compared with the cache every second, for want of the bus; `idle`: nobody watches. */
  source: 'bus' | 'poll' | 'unavailable' | 'idle';
  calls: number;
}
