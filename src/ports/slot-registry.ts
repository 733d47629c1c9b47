/**
 * Who may hold a channel: sets of request ids per campaign, line, number and cell, all changed in one atomic step.
 *
 * Why:    limits are never exceeded (I1) and releasing twice is harmless (A1.4); time is the store's own, never the host's
 * Errors: CACHE_UNAVAILABLE from every method
 * Source: A5, A6 steps 2, 4, 7, 10
 */
export interface SlotRegistry {
  /** Grants up to `requestIds.length` slots; the rest comes back refused with the limit that stopped it. */
  reserve(request: ReserveRequest): Promise<ReserveResult>;
  /**
   * Turns reservations into held slots; roughly keeps the campaign's call interval, so that nothing is marked long before it may leave.
   *
   * Why:   a slot is freed when its channel is gone, so a contact whose last call (`previous`: request id → request id) still holds its slot is `early`
   */
  confirm(requestIds: readonly string[], previous?: Readonly<Record<string, string>>): Promise<ConfirmResult[]>;
  /**
   * Books the instant at which each confirmed dial may be written to its cell: the last fence of call intervals and cell rates, across instances.
   *
   * Why:   whatever an instance holds back too long has lost its instant and must ask again, so a paused instance never sends a burst
   * Shape: one result per ask, in the asks' order
   */
  permit(asks: readonly PermitAsk[]): Promise<PermitResult[]>;
  /** Gives slots back; unknown ids are ignored. Returns how many were held. */
  release(requestIds: readonly string[]): Promise<number>;
  /** Drops reservations whose lease ended. Bounded by `limit`; returns the ids. */
  purgeExpired(limit: number): Promise<string[]>;
  /** Confirmed holders, for reconciliation; `cursor` starts and ends at '0'. */
  listHeld(cursor: string, limit: number): Promise<{ cursor: string; held: HeldSlot[] }>;
  /** Whether the registry has lost its content (the epoch key is absent). COLD refuses reserve and confirm. */
  isCold(): Promise<boolean>;
  /**
   * Begins to fill a COLD registry under a name of its own; an earlier rebuild that has not opened the registry is over.
   *
   * Why: what is read for a rebuild fits only a registry that has lost nothing since; a further loss takes the name away
   */
  startRebuild(rebuild: string): Promise<void>;
  /** Writes holders while COLD and the rebuild lasts; repeated ids are harmless. */
  restore(rebuild: string, entries: readonly RestoredSlot[]): Promise<void>;
  /** Ends COLD; false when the rebuild is over: a further loss or another rebuild came in between. */
  open(rebuild: string): Promise<boolean>;
  /** Slots in use per limited thing. */
  usage(keys: readonly UsageKey[]): Promise<number[]>;
  /** Further calls of a strict campaign that somebody could watch now, as `reserve` counts them; null while COLD. Source: OCS 4.12 rule 4 */
  watchable(campaignId: number): Promise<number | null>;
}

export interface ReserveRequest {
  campaignId: number;
  /** Of its turns on shared lines and cells, 1..101 (rules/fair-share.ts). */
  weight: number;
  /** Smallest of campaign and policies. */
  campaignMax: number;
  /** Each call needs a monitor who could watch it (OCS 4.12 rule 4); none is known after a loss until the monitors' next heartbeats. */
  needsMonitor?: boolean;
  /** Each call needs a place at a runtime; absent: runtimes find their calls by themselves. */
  runtime?: { businessCode: string /** Somebody takes calls without having registered, as many as come. */; isOpenEnded: boolean };
  /** Largest of campaign and policies, ms; 0 = none. */
  callIntervalMs: number;
  /** Enabled lines in the campaign's order. */
  lines: readonly SlotLine[];
  /** Cells that may be used: reachable and enabled. */
  cells: readonly SlotCell[];
  /** A person waits: the dial does not queue behind starts that are planned; `permit` alone keeps the cell's rate. */
  startsNow?: boolean;
  /** Caller number that each dial had better not get, in the order of `requestIds`: the one of its contact's last attempt. Source: D4.3 */
  avoid?: readonly (string | null)[];
  /** Candidate ids, one per wanted dial; none: the campaign wants nothing any more and hears who waits. */
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

export type SlotRefusal =
  | 'campaign_full'
  | 'line_full'
  | 'number_full'
  | 'cell_full'
  | 'interval'
  | 'no_monitor'
  | 'no_runtime'
  | 'runtime_full'
  | 'cold'
  | 'switch_unreachable';

export interface ReserveResult {
  grants: SlotGrant[];
  /** Why fewer were granted than asked; null when all were. */
  refusal: SlotRefusal | null;
  /** When asking again can help, ms; who waits for a line or a cell keeps its turn by asking then. */
  retryInMs: number | null;
  /** Campaigns that wait for slots which are free: wake them. At most a few, next in turn first. */
  yieldTo: number[];
}

export interface ConfirmResult {
  requestId: string;
  /** `gone`: purged, released or COLD — the dial must not happen. `early`: ask again after `waitMs`. */
  outcome: 'confirmed' | 'gone' | 'early';
  waitMs: number;
}

export interface PermitAsk {
  requestId: string;
  /** It must leave within this from now, ms. */
  withinMs: number;
  /** How often its instant has passed unused; each doubles how late it may be. */
  missed: number;
  /** Which of the channels that share this slot; a call of an agent has two. */
  leg?: string;
  /** Of a channel without a slot, an extension's: it takes its turn in this cell's second. */
  cell?: Pick<SlotCell, 'cellId' | 'maxPerSecond'>;
}

export type PermitResult =
  /** May be written from `waitMs` after the answer until `waitMs + lateMs` after the question; not later. */
  | { requestId: string; outcome: 'booked'; waitMs: number; lateMs: number }
  /** Nothing is free within its time, or its campaign's interval is not over: nothing is booked, asking helps after `waitMs`. */
  | { requestId: string; outcome: 'later'; waitMs: number }
  /** Not confirmed, released or COLD: the dial must not happen. */
  | { requestId: string; outcome: 'gone' };

export interface HeldSlot {
  requestId: string;
  campaignId: number;
  lineId: number | null;
  number: string | null;
  cellId: string | null;
}

/** A holder as a rebuild knows it. */
export interface RestoredSlot extends HeldSlot {
  /** Its campaign's calls each need a monitor: it takes room from those of all such campaigns (`ReserveRequest.needsMonitor`). */
  needsMonitor: boolean;
}

export type UsageKey =
  | { kind: 'campaign'; campaignId: number }
  | { kind: 'line'; lineId: number }
  | { kind: 'number'; lineId: number; number: string }
  | { kind: 'cell'; cellId: string };
