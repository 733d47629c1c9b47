import type { Campaign } from '#campaigns/campaign.ts';
import { silentLinesAt } from '#campaigns/decisions/breaker.ts';
import type { NumberRules } from '#lines/decisions/number-rules.ts';
import type { Line } from '#lines/line.ts';
import type { CellState } from '#platform/freeswitch/switch.ts';
import type { NumberBounds, NumberPlace, NumberWish, SlotCell, SlotGrant, SlotLine } from '#slots/slot-registry.ts';
import type { DialGrant, DialPlan, DialTaker } from '../dial-store.ts';

/** The properties of a contact that matching needs. */
type GrantTaker = Pick<DialTaker, 'lastCallerNumber'> & { contactId?: number };

/**
 * Assigns a grant to each taker: its own, else the next one; a retry gets a caller number different from its last one if swapping grants makes
 * that possible. Null: the grant was chosen for a contact that is not dialled now, and would repeat the taker's last number.
 *
 * Why:    a contact that is dialled alone has nobody to swap with: it takes the number that the next turn chooses for it
 * Shape:  one result per taker; `takers` must not outnumber `grants`
 * Source: D4.3
 */
export function matchGrants(takers: readonly GrantTaker[], grants: readonly DialGrant[]): (DialGrant | null)[] {
  const order = ownFirst(takers, grants);
  takers.forEach((taker, index) => {
    if (!repeats(taker, order[index])) return;
    const other = order.findIndex((grant, at) => at !== index && canSwap(taker, grant) && !repeats(takers[at], order[index]));
    if (other >= 0) exchange(order, index, other);
  });
  return takers.map((taker, index) => {
    const grant = order[index];
    return grant === undefined || (repeats(taker, grant) && isForOther(taker, grant)) ? null : grant;
  });
}

/** The grants in the order of their takers; the spare ones follow. */
function ownFirst(takers: readonly GrantTaker[], grants: readonly DialGrant[]): DialGrant[] {
  const own = takers.map(({ contactId }) => grants.find(grant => contactId !== undefined && grant.contactId === contactId));
  const rest = grants.filter(grant => !own.includes(grant));
  return [...own.map(grant => grant ?? rest.shift()), ...rest].filter(grant => grant !== undefined);
}

function isForOther({ contactId }: GrantTaker, grant: DialGrant): boolean {
  return grant.contactId !== undefined && grant.contactId !== contactId;
}

function repeats(taker: GrantTaker | undefined, grant: DialGrant | undefined): boolean {
  if (taker === undefined || grant === undefined || grant.mayRepeat === true) return false;
  return taker.lastCallerNumber !== null && taker.lastCallerNumber === grant.number;
}

/** A number that was chosen for its place or its person stays with its contact. */
function canSwap(taker: GrantTaker, grant: DialGrant): boolean {
  return grant.mayRepeat !== true && !repeats(taker, grant);
}

function exchange(order: DialGrant[], a: number, b: number): void {
  const [first, second] = [order[a], order[b]];
  if (first === undefined || second === undefined) return;
  order[a] = second;
  order[b] = first;
}

/**
 * Lines that a campaign offers now. A line whose far end never responds rests while another line works, and is then tried with as many calls as
 * a probe of the breaker has.
 *
 * Source: D7.1
 */
export function offeredLines({ lines, breaker, at }: Pick<DialPlan, 'lines' | 'breaker' | 'at'>, probeDials: number): Line[] {
  const { silent, resting } = silentLinesAt(breaker, at);
  const enabled = lines.filter(line => line.isEnabled);
  if (enabled.every(line => silent.has(line.id))) return enabled;
  return enabled
    .filter(line => !resting.has(line.id))
    .map(line => (silent.has(line.id) ? { ...line, maxConcurrency: Math.min(line.maxConcurrency, probeDials) } : line));
}

/** Lines that a dial may use, with their numbers. */
export function slotLines({ lines }: { lines: readonly Line[] }): SlotLine[] {
  return lines
    .filter(line => line.isEnabled)
    .map(line => ({
      lineId: line.id,
      max: line.maxConcurrency,
      mode: line.allocationMode,
      numbers: line.allocationMode === 'single_shared' ? [] : ownNumbers(line),
      sharedNumber: line.callerIdNumber,
    }));
}

function ownNumbers({ numbers }: Line): SlotLine['numbers'] {
  return numbers.filter(number => number.isEnabled).map(({ number, weight, maxConcurrency }) => ({ number, weight, max: maxConcurrency }));
}

/** Reads where a number was issued: of a caller number as written, or of a dial key. */
export type PlaceOf = (number: string) => NumberPlace;

/**
 * The lines of a campaign with the bounds of their numbers, and their places where a rule asks for them.
 *
 * Why: bounds pace campaigns; a call that a person makes is not held back
 * Source: D4.7, D4.8
 */
export function campaignLines(lines: readonly Line[], { at, placeOf }: { at: number; placeOf: PlaceOf }): SlotLine[] {
  const byId = new Map(lines.map(line => [line.id, line]));
  return slotLines({ lines }).map(offered => {
    const line = byId.get(offered.lineId);
    return line ? { ...offered, ...ruledNumbers(line, offered, { at, placeOf }) } : offered;
  });
}

function ruledNumbers({ numberRules, numbers }: Line, { numbers: offered }: SlotLine, { at, placeOf }: { at: number; placeOf: PlaceOf }) {
  const byNumber = new Map(numbers.map(each => [each.number, each]));
  const shared = boundsOf(numberRules, undefined, at);
  return {
    numbers: offered.map(each => ({
      ...each,
      ...(numberRules.prefersPlace ? placeOf(each.number) : {}),
      ...withBounds(boundsOf(numberRules, byNumber.get(each.number), at)),
    })),
    ...(shared ? { sharedBounds: shared } : {}),
  };
}

const withBounds = (bounds: NumberBounds | null) => (bounds ? { bounds } : {});

/** Null when nothing bounds the number. */
export function boundsOf(rules: NumberRules, own: Line['numbers'][number] | undefined, at: number): NumberBounds | null {
  const hour = own?.hourlyCap ?? rules.hourlyCap;
  const day = own?.dailyCap ?? rules.dailyCap;
  const restingMs = (own?.restingUntil ?? 0) - at;
  const bounds: NumberBounds = {
    ...(hour === null ? {} : { hour }),
    ...(day === null ? {} : { day }),
    ...(rules.restAfterDials === null ? {} : { restAfter: rules.restAfterDials, restMs: rules.restMinutes * MS_PER_MINUTE }),
    ...(restingMs > 0 ? { restingMs } : {}),
  };
  return Object.keys(bounds).length === 0 ? null : bounds;
}

const MS_PER_MINUTE = 60_000;

/** The caller numbers that the contact is called from first; null when no rule of the lines asks. Source: D4.8 */
export function wishOf(
  { reachedBy, dialKey }: Pick<DialTaker, 'reachedBy' | 'dialKey'>,
  lines: readonly Line[],
  placeOf: PlaceOf,
): NumberWish | null {
  const keep = reachedBy !== null && lines.some(({ numberRules }) => numberRules.keepsNumber) ? { keep: reachedBy } : {};
  const wish = { ...keep, ...(lines.some(({ numberRules }) => numberRules.prefersPlace) ? placeOf(dialKey) : {}) };
  return Object.keys(wish).length === 0 ? null : wish;
}

/** The grants with the contacts that they were reserved for, in the order of `takers`. Source: D4.3, D4.8 */
export function grantsFor(
  grants: readonly SlotGrant[],
  requestIds: readonly string[],
  { takers, lines, wishes }: { takers: readonly DialTaker[]; lines: readonly Line[]; wishes: readonly (NumberWish | null)[] },
): DialGrant[] {
  const free = new Set(lines.filter(({ numberRules }) => !numberRules.changesOnRetry).map(({ id }) => id));
  return grants.map(grant => {
    const index = requestIds.indexOf(grant.requestId);
    const contactId = takers[index]?.contactId;
    const mayRepeat = free.has(grant.lineId) || (wishes[index] ?? null) !== null;
    return { ...grant, ...(contactId === undefined ? {} : { contactId }), ...(mayRepeat ? { mayRepeat } : {}) };
  });
}

/** Cells that the campaign may use now: its own or all, if enabled and reachable (OCS 2.6 `cellId`). */
export function slotCells(plan: { campaign: Pick<Campaign, 'cellId'> }, cells: readonly CellState[]): SlotCell[] {
  const { cellId } = plan.campaign;
  return cells
    .filter(cell => cell.isEnabled && cell.state === 'up' && (cellId === null || cell.cellId === cellId))
    .map(cell => ({ cellId: cell.cellId, max: cell.maxConcurrency, maxPerSecond: cell.maxOriginatesPerSecond }));
}
