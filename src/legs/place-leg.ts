import type { AgentReservation, ReservationRequest, AgentReservationsPart } from '#agents/agent-directory.ts';
import { slotCells, slotLines } from '#dialling/decisions/slot-offer.ts';
import type { DialPlan, DialsPart } from '#dialling/dial-store.ts';
import { meetingRefusal, type NumberFacts, type NumberFactsPart } from '#dialling/evaluate.ts';
import { confirmSlot } from '#dialling/send.ts';
import { CalloutError, conflict } from '#kernel/errors.ts';
import type { Line } from '#lines/line.ts';
import type { Platform } from '#platform/platform.ts';
import type { SlotGrant, SlotRefusal, SlotsPart } from '#slots/slot-registry.ts';
import type { DialOutcome } from './originate-leg.ts';
import type { Place } from '#dialling/decisions/assess.ts';
import { enabledLines } from '#lines/line-store.ts';

/** Resources that a leg holds from its reservation on. */
export interface LegHold {
  agent: AgentReservation | null;
  /** Line, number and cell of a call to an outside number. */
  slot: SlotGrant | null;
}

/** Campaign and weight under which a slot is counted, besides line, number and cell. */
export interface SlotAccount {
  campaignId: number;
  /** Precedence on a shared line. */
  weight: number;
  campaignMax: number;
}

/** Account of calls that belong to no campaign and are not bound by a campaign's limit. */
export const NO_CAMPAIGN = { campaignId: 0, campaignMax: 1_000_000 };

/** Why no slot was granted, or why a granted one could not be confirmed: its lease has ended (`gone`), or its turn at the cell is too far away. */
export type CapacityRefusal = SlotRefusal | 'gone' | 'late' | null;

/** How a leg ends that is certain not to ring. */
export interface LegEnding {
  cause: string;
  /** Error of the slot's confirmation or of the last step before the dial; null when the dial was refused. */
  error: unknown;
  hold: LegHold;
}

/** One person to be put on a line, and what each step needs. `Row` is the record that holds agent and slot once it is written. */
export interface LegPlan<Row> {
  agent?: {
    /** Requests in order of preference; the first one that finds a free agent counts. */
    choices: readonly ReservationRequest[];
    /** Error when no agent is free; absent: the plan goes on without one. */
    refusal?: () => CalloutError | Promise<CalloutError>;
  };
  slot?: {
    requestId: string;
    cellId: string | null;
    lines: readonly Line[];
    account: SlotAccount;
    refusal: (reason: CapacityRefusal) => CalloutError;
  };
  /** Writes the row, in a transaction that refuses a person who is in a call or on the do-not-call list; null when it is refused without an error. */
  record(hold: LegHold): Promise<Row | null>;
  /** Whether a row holds the agent all the same, although `record` returned null or threw `error`: its end then releases the agent. */
  isHeld?(hold: LegHold, error: unknown): boolean | Promise<boolean>;
  /** Last step before the dial, or the start of the actor that dials. */
  begin?(row: Row, hold: LegHold): Promise<void>;
  /** The one originate; absent when an actor or the person's own device dials. */
  dial?(row: Row, hold: LegHold): Promise<DialOutcome>;
  /** Ends the row of a leg that is certain not to ring, which releases what it holds. */
  end(row: Row, ending: LegEnding): Promise<unknown>;
}

type HoldApp = AgentReservationsPart & SlotsPart & Pick<Platform, 'switchPort' | 'log'>;
export type PlaceLegApp = HoldApp & Pick<Platform, 'clock'>;

/**
 * Puts one person on a line: reserve the agent, reserve the slot, write the row, confirm the slot, dial. If a step fails, the steps before it
 * are undone. Null when `record` returned null; `isSent` is false when the leg does not ring, or when another instance has sent it.
 *
 * Why:    agent and slot are held under leases until the row is written, so a crash leaves nothing behind; after that, whoever ends the row
 *         releases them. A leg that may have been sent is never undone here: events and probes settle it
 * Errors: those of the plan's refusals and steps; CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: A6 steps 2–6, D12.7
 */
export async function placeLeg<Row>(app: PlaceLegApp, plan: LegPlan<Row>): Promise<{ row: Row; isSent: boolean } | null> {
  const recorded = await recordHeld(app, plan);
  if (recorded === null) return null;
  const { row, hold } = recorded;
  try {
    if (plan.slot) await confirm(app, plan.slot);
    await plan.begin?.(row, hold);
  } catch (error) {
    await end(app, plan, row, { cause: 'NOT_SENT', error, hold });
    throw error;
  }
  const dialed: DialOutcome = (await plan.dial?.(row, hold)) ?? { kind: 'sent' };
  const cause = unsentCause(dialed);
  if (cause !== null) await end(app, plan, row, { cause, error: null, hold });
  return { row, isSent: dialed.kind === 'sent' };
}

/**
 * The first half of `placeLeg`, for a person who is called later: reserve the agent, reserve the slot, write the row. Null when `record` returned
 * null.
 *
 * Errors: those of the plan's refusals and of `record`; CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 */
export async function recordHeld<Row>(
  app: HoldApp,
  plan: Pick<LegPlan<Row>, 'agent' | 'slot' | 'record' | 'isHeld'>,
): Promise<{ row: Row; hold: LegHold } | null> {
  const hold = await reserve(app, plan);
  const undoUnlessHeld = async (error: unknown) => {
    if ((await plan.isHeld?.(hold, error)) !== true) await releaseHold(app, hold);
  };
  let row: Row | null;
  try {
    row = await plan.record(hold);
  } catch (error) {
    await undoUnlessHeld(error);
    throw error;
  }
  if (row === null) await undoUnlessHeld(null);
  return row === null ? null : { row, hold };
}

async function reserve(app: HoldApp, { agent, slot }: Pick<LegPlan<unknown>, 'agent' | 'slot'>): Promise<LegHold> {
  const hold: LegHold = { agent: agent ? await reserveAgent(app, agent) : null, slot: null };
  if (!slot) return hold;
  try {
    return { ...hold, slot: await reserveSlot(app, slot) };
  } catch (error) {
    await releaseHold(app, hold);
    throw error;
  }
}

async function reserveAgent(
  { agentReservations }: HoldApp,
  { choices, refusal }: NonNullable<LegPlan<unknown>['agent']>,
): Promise<AgentReservation | null> {
  for (const choice of choices) {
    const reservation = await agentReservations.reserve(choice);
    if (reservation) return reservation;
  }
  if (refusal) throw await refusal();
  return null;
}

type SlotPlan = NonNullable<LegPlan<unknown>['slot']>;

async function reserveSlot({ slots, switchPort }: HoldApp, plan: SlotPlan): Promise<SlotGrant> {
  const { requestId, cellId, lines, account } = plan;
  const { grants, refusal } = await slots.reserve({
    ...account,
    callIntervalMs: 0,
    startsNow: true,
    lines: slotLines({ lines }),
    cells: cellId === null ? [] : slotCells({ campaign: { cellId } }, switchPort.cells()),
    requestIds: [requestId],
  });
  const [grant] = grants;
  if (!grant) throw plan.refusal(refusal);
  return grant;
}

async function confirm(app: PlaceLegApp, { requestId, refusal }: SlotPlan): Promise<void> {
  const outcome = await confirmSlot(app, requestId);
  if (outcome !== 'confirmed') throw refusal(outcome);
}

/** If it fails, the row stays open with what it holds, and its reconciler ends it. */
async function end<Row>({ log }: PlaceLegApp, plan: LegPlan<Row>, row: Row, ending: LegEnding): Promise<void> {
  try {
    await plan.end(row, ending);
  } catch (error) {
    log.warn({ err: error }, 'the row of a leg that was not dialled could not be ended');
  }
}

/** A resource that cannot be released now ends with its lease. */
export async function releaseHold({ agentReservations, slots, log }: HoldApp, { agent, slot }: LegHold): Promise<void> {
  const work = [...(agent ? [agentReservations.release(agent.fence)] : []), ...(slot ? [slots.release([slot.requestId])] : [])];
  for (const result of await Promise.allSettled<unknown>(work))
    if (result.status === 'rejected') log.warn({ err: result.reason }, 'what a leg held could not be released; its lease ends it');
}

/** End cause of a leg that is certain not to ring; null when it was sent, or when another instance has sent it. */
function unsentCause(dialed: DialOutcome): string | null {
  if (dialed.kind === 'refused') return dialed.cause;
  if (dialed.kind === 'barred') return 'OUTGOING_CALL_BARRED';
  return dialed.kind === 'not_sent' ? 'DESTINATION_OUT_OF_ORDER' : null;
}

/** Lines for a call to an outside number. */
interface PersonLines {
  /** Null without a campaign: every line of the installation may be used. */
  plan: DialPlan | null;
  /** Enabled lines, in the campaign's order. */
  lines: Line[];
}

/** Returns null when the campaign does not exist. */
export async function personLines(app: DialsPart & Pick<Platform, 'db'>, campaignId: number | null): Promise<PersonLines | null> {
  const plan = campaignId === null ? null : await app.dials.loadPlan(campaignId);
  if (campaignId !== null && plan === null) return null;
  return { plan, lines: plan === null ? await enabledLines(app.db) : plan.lines.filter(line => line.isEnabled) };
}

/** Errors: POLICY_FORBIDS when the number must not be called into a conference now. Source: D8.2, D12.3 */
export async function requireMeetingAllowed(
  app: NumberFactsPart & Place & Pick<Platform, 'db' | 'clock'>,
  campaignId: number | null,
  dialKey: string,
): Promise<void> {
  const refusal = await meetingRefusal(app, campaignId, dialKey);
  if (refusal !== null) throw new CalloutError('POLICY_FORBIDS', `当前外呼策略禁止调度：${refusal}`);
}

/** A number is rung by one call at a time; the message names whose call it is. Source: D7.10, D12.3 */
export async function numberBusy(callTargets: Pick<NumberFacts, 'holderOf'>, dialKey: string): Promise<CalloutError> {
  const holder = await callTargets.holderOf(dialKey);
  if (holder === null) return conflict('PERSON_IN_CALL', '该号码刚才还在另一通电话中，现已结束，请再拨一次');
  return conflict('PERSON_IN_CALL', `该号码正在另一通电话中（${holder}），请在通话结束后再拨`);
}
