/**
 * Who may hold a channel: sets of request ids per campaign, line, number and cell, all changed in one atomic step.
 *
 * Why:    limits are never exceeded (I1) and releasing twice is harmless (A1.4); time is the store's own, never the host's
 * Errors: CACHE_UNAVAILABLE from every method
 * Source: A5, A6 steps 2, 4, 7, 10
 */
export interface SlotBook {
  /** Grants up to `requestIds.length` slots; the rest comes back refused with the limit that stopped it. */
  reserve(request: ReserveRequest): Promise<ReserveResult>;
  /** Turns reservations into held slots; also the pacing fence of the campaign's call interval. */
  confirm(requestIds: readonly string[]): Promise<ConfirmResult[]>;
  /** Gives slots back; unknown ids are ignored. Returns how many were held. */
  release(requestIds: readonly string[]): Promise<number>;
  /** Drops reservations whose lease ended. Bounded by `limit`; returns the ids. */
  purgeExpired(limit: number): Promise<string[]>;
  /** Confirmed holders, for reconciliation; `cursor` starts and ends at '0'. */
  listHeld(cursor: string, limit: number): Promise<{ cursor: string; held: HeldSlot[] }>;
  /** Whether the book has lost its content (the epoch key is absent). COLD refuses reserve and confirm. */
  isCold(): Promise<boolean>;
  /** Writes holders while COLD; repeated ids are harmless. */
  restore(entries: readonly HeldSlot[]): Promise<void>;
  /** Ends COLD. */
  open(): Promise<void>;
  /** Slots in use per limited thing. */
  usage(keys: readonly UsageKey[]): Promise<number[]>;
}

export interface ReserveRequest {
  campaignId: number;
  /** Smallest of campaign and policies. */
  campaignMax: number;
  /** Largest of campaign and policies, ms; 0 = none. */
  callIntervalMs: number;
  /** Enabled lines in the campaign's order. */
  lines: readonly SlotLine[];
  /** Cells that may be used: reachable and enabled. */
  cells: readonly SlotCell[];
  /** Candidate ids, one per wanted dial. */
  requestIds: readonly string[];
}

export interface SlotLine {
  lineId: number;
  max: number;
  mode: 'single_shared' | 'number_pool' | 'bound_numbers';
  /** Enabled numbers; for `single_shared` empty. */
  numbers: readonly { number: string; weight: number; max: number }[];
  /** Caller number of `single_shared`. */
  sharedNumber: string | null;
}

export interface SlotCell {
  cellId: string;
  /** 0 = unlimited. */
  max: number;
  /** Originates in any one second, ≥ 1. */
  maxPerSecond: number;
}

export interface SlotGrant {
  requestId: string;
  lineId: number;
  number: string | null;
  cellId: string;
  /** When this dial may start, ms from the grant (call interval and cell rate); 0 = now. */
  startsInMs: number;
}

export type SlotRefusal = 'campaign_full' | 'line_full' | 'number_full' | 'cell_full' | 'interval' | 'cold' | 'switch_unreachable';

export interface ReserveResult {
  grants: SlotGrant[];
  /** Why fewer were granted than asked; null when all were. */
  refusal: SlotRefusal | null;
  /** For `interval` and cell rate: when asking again can help, ms. */
  retryInMs: number | null;
}

export interface ConfirmResult {
  requestId: string;
  /** `gone`: purged, released or COLD — the dial must not happen. `early`: ask again after `waitMs`. */
  outcome: 'confirmed' | 'gone' | 'early';
  waitMs: number;
}

export interface HeldSlot {
  requestId: string;
  campaignId: number;
  lineId: number | null;
  number: string | null;
  cellId: string | null;
}

export type UsageKey =
  | { kind: 'campaign'; campaignId: number }
  | { kind: 'line'; lineId: number }
  | { kind: 'number'; lineId: number; number: string }
  | { kind: 'cell'; cellId: string };
