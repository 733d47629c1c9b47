import type { AllocationMode } from '#lines/line.ts';
import type { Platform } from '#platform/platform.ts';

/**
 * Holders of channels: sets of request ids per campaign, line, number and cell, all changed in one atomic step.
 *
 * Why:    limits are never exceeded (I1) and releasing twice is harmless (A1.4); the store's clock decides, never the host's
 * Errors: CACHE_UNAVAILABLE from every method
 * Source: A5, A6 steps 2, 4, 7, 10
 */
export interface SlotRegistry {
  /** Grants up to `requestIds.length` slots; `refusal` names the limit that stopped the rest. */
  reserve(request: ReserveRequest): Promise<ReserveResult>;
  /**
   * Confirms reservations. Enforces the campaign's call interval roughly, so that no dial is marked long before it may leave.
   *
   * Why:   a slot is freed when its channel is gone; a contact whose last call (`previous`: request id → request id) still holds one is `early`
   */
  confirm(requestIds: readonly string[], previous?: Readonly<Record<string, string>>): Promise<ConfirmResult[]>;
  /**
   * Books the instant at which each confirmed dial may be sent to its cell: the final check of call intervals and cell rates, across instances.
   *
   * Why:   an instance that is delayed loses the booked instant and must request another, so that it never sends a burst after a pause
   * Shape: one result per request, in the same order
   */
  permit(asks: readonly PermitAsk[]): Promise<PermitResult[]>;
  /** Releases slots; unknown ids are ignored. Returns how many were held. */
  release(requestIds: readonly string[]): Promise<number>;
  /** Drops up to `limit` reservations whose lease has ended; returns their ids. */
  purgeExpired(limit: number): Promise<string[]>;
  /** Confirmed holders, for reconciliation; `cursor` begins and ends at '0'. */
  listHeld(cursor: string, limit: number): Promise<{ cursor: string; held: HeldSlot[] }>;
  /** Whether the registry has lost its content (the epoch key is absent). While COLD, reserve and confirm are refused. */
  isCold(): Promise<boolean>;
  /**
   * Starts to refill a COLD registry under the name `rebuild`; an earlier rebuild that has not opened the registry is cancelled.
   *
   * Why: the data read for a rebuild is valid only if nothing has been lost since; a further loss deletes the name
   */
  startRebuild(rebuild: string): Promise<void>;
  /** Writes holders while the registry is COLD and the rebuild is current; repeated ids are harmless. */
  restore(rebuild: string, entries: readonly RestoredSlot[]): Promise<void>;
  /** Ends COLD; false when the rebuild is no longer current, after a further loss or another rebuild. */
  open(rebuild: string): Promise<boolean>;
  /**
   * Tells the dials of caller numbers that the registry has not counted; from then on it counts each of them. Repeating it is harmless.
   *
   * Why: a lost cache, or a bound that is new, must not let a number start from zero
   * Shape: `dials` were read after `reserve` had refused; `lines`: where slots of these numbers may be held
   */
  countDials(numbers: readonly string[], dials: readonly NumberDial[], lines: readonly SlotLine[]): Promise<void>;
  /** Number of slots in use per limit. */
  usage(keys: readonly UsageKey[]): Promise<number[]>;
  /** Further calls of a strict campaign that monitors could watch now, counted as in `reserve`; null while COLD. Source: OCS 4.12 rule 4 */
  watchable(campaignId: number): Promise<number | null>;
}

export interface ReserveRequest {
  campaignId: number;
  /** Weight in the rotation on shared lines and cells, 1..101 (campaigns/monitoring.ts `weightOf`). */
  weight: number;
  /** The lower limit of campaign and policies. */
  campaignMax: number;
  /** Each call requires an available monitor (OCS 4.12 rule 4); after a loss none is known until the monitors' next heartbeats. */
  needsMonitor?: boolean;
  /** Each call requires a place at a runtime; absent: runtimes pick up calls themselves. */
  runtime?: {
    businessCode: string;
    /** Unregistered runtimes accept calls, too, in any number. */
    isOpenEnded: boolean;
  };
  /** The longer interval of campaign and policies, ms; 0 = none. */
  callIntervalMs: number;
  /** Enabled lines, in the campaign's order. */
  lines: readonly SlotLine[];
  /** Usable cells: reachable and enabled. */
  cells: readonly SlotCell[];
  /** A user is waiting: the dial does not queue behind planned starts; only `permit` enforces the cell's rate. */
  startsNow?: boolean;
  /** Caller number to avoid for each dial, in the order of `requestIds`: the one of the contact's last attempt. Source: D4.3 */
  avoid?: readonly (string | null)[];
  /** Caller numbers to prefer for each dial, in the order of `requestIds`. Source: D4.8 */
  wishes?: readonly (NumberWish | null)[];
  /**
   * Beginnings of business days, UTC ms: a past one, that of today, the next. Present: these dials count towards the bounds of numbers.
   *
   * Why: the store's clock decides which day it is
   */
  days?: readonly number[];
  /** Candidate ids, one per dial; empty when the campaign needs no more slots and only wants to learn which campaigns wait. */
  requestIds: readonly string[];
}

export interface SlotLine {
  lineId: number;
  max: number;
  mode: AllocationMode;
  /** Enabled numbers; empty for `single_shared`. */
  numbers: readonly SlotNumber[];
  /** Caller number of `single_shared`. */
  sharedNumber: string | null;
  /** Absent: no bounds. */
  sharedBounds?: NumberBounds;
}

export interface SlotNumber extends NumberPlace {
  number: string;
  weight: number;
  /** Calls at once. */
  max: number;
  /** Absent: none besides `max`. */
  bounds?: NumberBounds;
}

/** The place where a number was issued; absent when unknown or not requested. */
export interface NumberPlace {
  city?: string;
  province?: string;
}

/** The caller numbers that a dial prefers: `keep`, else one of the city, else one of the province. */
export interface NumberWish extends NumberPlace {
  keep?: string;
}

/** Limits of a caller number beyond its calls at once; an absent one does not apply. Source: D4.7 */
export interface NumberBounds {
  /** Dials in any 60 minutes. */
  hour?: number;
  /** Dials in a business day. */
  day?: number;
  /** After this many dials without a pause of `restMs` the number rests as long. */
  restAfter?: number;
  restMs?: number;
  /** It rests for this long yet, whatever it has dialled. */
  restingMs?: number;
}

/** A dial of a caller number, as the attempts know it. */
export interface NumberDial {
  requestId: string;
  number: string;
  /** When it left, UTC ms; null: claimed, and may leave yet. */
  at: number | null;
}

export interface SlotCell {
  cellId: string;
  /** 0 = unlimited. */
  max: number;
  /** Limit of originates in any one second, ≥ 1. */
  maxPerSecond: number;
}

export interface SlotGrant {
  requestId: string;
  lineId: number;
  number: string | null;
  cellId: string;
  /** Earliest start of this dial, ms from the grant (call interval and cell rate); 0 = now. */
  startsInMs: number;
}

export type SlotRefusal =
  | 'campaign_full'
  | 'line_full'
  | 'number_full'
  | 'number_cap'
  | 'cell_full'
  | 'interval'
  | 'no_monitor'
  | 'no_runtime'
  | 'runtime_full'
  | 'cold'
  | 'switch_unreachable';

export interface ReserveResult {
  grants: SlotGrant[];
  /** Why fewer slots were granted than requested; null when all were. */
  refusal: SlotRefusal | null;
  /** When a new request may succeed, ms; a campaign that waits for a line or a cell keeps its turn by retrying then. */
  retryInMs: number | null;
  /** Campaigns waiting for slots that are free now and must be woken; at most a few, the next in turn first. */
  yieldTo: number[];
  /** Bounded numbers whose dials the registry does not know: none is granted until `countDials` has counted them. Absent: none. */
  uncounted?: string[];
}

export interface ConfirmResult {
  requestId: string;
  /** `gone`: purged, released or COLD; the dial must not happen. `early`: confirm again after `waitMs`. */
  outcome: 'confirmed' | 'gone' | 'early';
  waitMs: number;
}

export interface PermitAsk {
  requestId: string;
  /** Time within which the dial must be sent, ms from now. */
  withinMs: number;
  /** Number of booked instants missed so far; each doubles the permitted delay. */
  missed: number;
  /** Distinguishes channels that share a slot: a call of an agent has two. */
  leg?: string;
  /** Cell of a channel without a slot (an extension), which counts towards the cell's rate. */
  cell?: Pick<SlotCell, 'cellId' | 'maxPerSecond'>;
}

export type PermitResult =
  /** May be sent from `waitMs` after the reply until `waitMs + lateMs` after the request, not later. */
  | { requestId: string; outcome: 'booked'; waitMs: number; lateMs: number }
  /** No instant is free within the time, or the campaign's interval has not passed: nothing is booked; retry after `waitMs`. */
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

/** A slot holder as found by a rebuild. */
export interface RestoredSlot extends HeldSlot {
  /** The campaign requires a monitor for each call: the holder counts against all such campaigns (`ReserveRequest.needsMonitor`). */
  needsMonitor: boolean;
}

export type UsageKey =
  | { kind: 'campaign'; campaignId: number }
  | { kind: 'line'; lineId: number }
  | { kind: 'number'; lineId: number; number: string }
  | { kind: 'cell'; cellId: string };

export interface SlotsPart {
  slots: SlotRegistry;
}

/** Request ids of claims that an edit withdrew. */
export interface Withdrawn {
  withdrawn: string[];
}

/** Releases the slots of claims that an edit of contacts withdrew, and wakes the campaign to use them. */
export async function giveBackSlots(app: SlotsPart & Pick<Platform, 'wake'>, campaignId: number, { withdrawn }: Withdrawn): Promise<void> {
  if (withdrawn.length === 0) return;
  // An unavailable cache loses nothing: the leases of these slots expire.
  await app.slots.release(withdrawn).catch(() => 0);
  app.wake.campaign(campaignId);
}
