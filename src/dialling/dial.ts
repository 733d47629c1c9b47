import { assert } from '#kernel/assert.ts';
import { sleep } from '#kernel/clock.ts';
import { callStatusOf } from '#protocol/call-status.ts';
import { dialledNumber } from '#phone-numbers/dialled-number.ts';
import type { CallEvent } from '#actors/call/events.ts';
import { callInput, type CallMeta, openCall, type CallsPart } from '#calls/call-actor.ts';
import type { Line } from '#lines/line.ts';
import type { OriginateReply } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import { callVariables } from './call-variables.ts';
import { type PacedSend, requireDialAllowed, sendForPerson, sendPaced, type PacingPart } from './send.ts';
import type { ClaimedDial, DialPlan, DialsPart } from './dial-store.ts';
import type { WithdrawalsPart } from './claim.ts';
import type { AttemptWriterPart } from '#outcomes/progress.ts';
import type { DispatchPart } from './settings.ts';

export interface DialApp
  extends DialsPart,
    SlotsPart,
    PacingPart,
    WithdrawalsPart,
    AttemptWriterPart,
    DispatchPart,
    Pick<CallsPart, 'calls'>,
    Pick<Platform, 'switchPort' | 'clock' | 'log'> {
  /** A user is waiting: each dial waits up to this time for its turn at its cell. Absent: a dial without an immediate turn is withdrawn. ms */
  waitMs?: number;
}

export type DialReply = OriginateReply | { kind: 'withdrawn'; replyText: string };

export interface DialResult {
  dial: ClaimedDial;
  reply: DialReply;
}

/** Dials that start within this time of each other are confirmed and marked together, ms. */
const GROUP_MS = 25;
/** The switch's cause for a command that it does not accept. */
const UNFIT_CAUSE = 'INVALID_MSG_UNSPECIFIED';
const WITHDRAWN = '未拨出：号码、策略、活动或批次在拨出前已变更';

/**
 * Steps 4 to 7 of a dispatch for each claimed contact: confirms the slot, marks `dialing`, creates the call's actor, originates once when due.
 *
 * Why:    a dial that was certainly not sent is withdrawn; one that may have been sent is never sent again
 * Shape:  one result per dial, in the same order
 * Source: A6 steps 4–7
 */
export async function dialAll(app: DialApp, plan: DialPlan, dials: readonly ClaimedDial[]): Promise<DialResult[]> {
  const began = app.clock.monotonic();
  const results = new Map<string, DialReply>();
  const groups = groupByStart(dials);
  await Promise.all(
    groups.map(async group => {
      await sleep(app.clock, Math.max(0, group.startsInMs - (app.clock.monotonic() - began)), app.dialGate.stopping);
      for (const { dial, reply } of await dialGroup(app, plan, group.dials)) results.set(dial.requestId, reply);
    }),
  );
  return dials.map(dial => ({ dial, reply: results.get(dial.requestId) ?? { kind: 'withdrawn', replyText: WITHDRAWN } }));
}

function groupByStart(dials: readonly ClaimedDial[]): { startsInMs: number; dials: ClaimedDial[] }[] {
  const groups = new Map<number, { startsInMs: number; dials: ClaimedDial[] }>();
  for (const dial of dials) {
    // The end of the time slice, so that no dial starts early. A start less than 1 ms away has come by now; otherwise the confirmation tells.
    const startsInMs = Math.ceil(Math.max(0, dial.startsInMs - 1) / GROUP_MS) * GROUP_MS;
    const group = groups.get(startsInMs) ?? { startsInMs, dials: [] };
    group.dials.push(dial);
    groups.set(startsInMs, group);
  }
  return [...groups.values()];
}

async function dialGroup(app: DialApp, plan: DialPlan, group: readonly ClaimedDial[]): Promise<DialResult[]> {
  const fenced = await confirm(app, group).catch(async (error: unknown) => {
    app.log.warn({ err: error }, 'slots could not be confirmed; their contacts were not dialled');
    return { confirmed: [], gone: group, early: [] };
  });
  const { confirmed, gone, early } = fenced;
  await withdraw(app, gone, { alsoDialing: false });
  const later = early.length > 0 ? dialLater(app, plan, early) : Promise.resolve([]);
  const now = confirmed.length > 0 ? await dialConfirmed(app, plan, confirmed) : [];
  return [...now, ...(await later)];
}

async function confirm(app: DialApp, group: readonly ClaimedDial[]) {
  requireDialAllowed(app.dialGate);
  const answers = await app.slots.confirm(
    group.map(dial => dial.requestId),
    lastCalls(group),
  );
  const byId = new Map(answers.map(answer => [answer.requestId, answer]));
  const outcome = (dial: ClaimedDial) => byId.get(dial.requestId)?.outcome ?? 'gone';
  return {
    confirmed: group.filter(dial => outcome(dial) === 'confirmed'),
    gone: group.filter(dial => outcome(dial) === 'gone'),
    early: group.filter(dial => outcome(dial) === 'early').map(dial => ({ ...dial, startsInMs: byId.get(dial.requestId)?.waitMs ?? 0 })),
  };
}

/** A result may arrive before its channel is gone: the contact's next call waits for the slot of the previous one. */
function lastCalls(group: readonly ClaimedDial[]): Record<string, string> {
  const again = group.flatMap(({ requestId, previousRequestId }) => (previousRequestId === null ? [] : [[requestId, previousRequestId]]));
  return Object.fromEntries(again);
}

/** The call interval moved on while these dials waited; the lease of their reservations bounds the repetition. */
async function dialLater(app: DialApp, plan: DialPlan, early: readonly ClaimedDial[]): Promise<DialResult[]> {
  const waitMs = Math.min(...early.map(dial => dial.startsInMs));
  await sleep(app.clock, Math.max(1, waitMs), app.dialGate.stopping);
  return dialGroup(app, plan, early);
}

async function dialConfirmed(app: DialApp, plan: DialPlan, confirmed: readonly ClaimedDial[]): Promise<DialResult[]> {
  const { waitMs } = app;
  if (waitMs === undefined) return dialTogether(app, plan, confirmed);
  return (await Promise.all(confirmed.map(dial => dialInTurn(app, plan, { dial, waitMs })))).flat();
}

/** Marks and opens the call only when its turn has come, so that both are up to date. */
async function dialInTurn(app: DialApp, plan: DialPlan, { dial, waitMs }: { dial: ClaimedDial; waitMs: number }): Promise<DialResult[]> {
  let permittedUntil: number | undefined;
  const reply = await sendForPerson(app, {
    turn: { requestId: dial.requestId },
    sendDeadlineMs: app.settings.sendDeadlineMs,
    maxWaitMs: waitMs,
    async mark() {
      permittedUntil = (await mark(app, [dial])).get(dial.requestId);
      return permittedUntil !== undefined && open(app, plan, dial);
    },
    originate: before => originate(app, plan, dial, Math.min(before, permittedUntil ?? -Infinity)),
  });
  return reply === null ? [] : [{ dial, reply: await recorded(app, dial, reply) }];
}

async function dialTogether(app: DialApp, plan: DialPlan, confirmed: readonly ClaimedDial[]): Promise<DialResult[]> {
  // Measured from before the mark: a slow database reply shortens the time to send, never extends it.
  const sendBefore = app.clock.monotonic() + app.settings.sendDeadlineMs;
  const sends = new Map(confirmed.map(dial => [dial, pendingSend(app, plan, dial)]));
  const marked = await mark(app, confirmed);
  const opened = await Promise.all(confirmed.map(async dial => marked.has(dial.requestId) && open(app, plan, dial)));
  for (const [index, { leave }] of [...sends.values()].entries()) if (!opened[index]) leave();
  const ready = [...sends].filter((_, index) => opened[index]);
  const replies = sendPaced(
    app,
    ready.map(([dial, send]) => ({ ...send, sendBefore: marked.get(dial.requestId) ?? -Infinity })),
    sendBefore,
  );
  return Promise.all(
    ready.map(async ([dial, { leave }], index) => {
      const reply = await replies[index];
      leave();
      return { dial, reply: await recorded(app, dial, reply) };
    }),
  );
}

/** The dial counts as waiting from now until it is sent or given up. */
function pendingSend(app: DialApp, plan: DialPlan, dial: ClaimedDial): PacedSend & { leave: () => void } {
  const leave = app.backlog.enter();
  return {
    requestId: dial.requestId,
    leave,
    send(before) {
      leave();
      return originate(app, plan, dial, before);
    },
  };
}

/**
 * Returns until when each marked dial may be sent (monotonic), by its id; withdraws the others.
 *
 * Why: a permission that ends between mark and send is measured from before the mark, so that a slow reply never extends it
 */
async function mark(app: DialApp, confirmed: readonly ClaimedDial[]): Promise<ReadonlyMap<string, number>> {
  const requestedAt = app.clock.monotonic();
  try {
    const rows = await app.dials.markDialing(confirmed.map(dial => dial.requestId));
    const marked = new Map(rows.map(({ requestId, validForMs }) => [requestId, requestedAt + (validForMs ?? Infinity)]));
    await withdraw(
      app,
      confirmed.filter(dial => !marked.has(dial.requestId)),
      { alsoDialing: false },
    );
    return marked;
  } catch (error) {
    // The mark may have been committed although the reply was lost; nothing was sent, so it can be undone.
    app.log.warn({ err: error }, 'dials could not be marked; their contacts were not dialled');
    await withdraw(app, confirmed, { alsoDialing: true });
    return new Map();
  }
}

/** Creates the call's actor; false when that fails, and the dial is withdrawn. */
async function open(app: DialApp, plan: DialPlan, dial: ClaimedDial): Promise<boolean> {
  try {
    await openCall(app.calls, callMeta(app, plan, dial), callInput(app.settings, dial.cellId, null));
    return true;
  } catch (error) {
    app.log.warn({ err: error, requestId: dial.requestId }, 'the call actor could not be written; the contact was not dialled');
    // Certainly not sent; if the cache is down, the reconciler releases the slot.
    await withdraw(app, [dial], { alsoDialing: true });
    return false;
  }
}

async function recorded(app: DialApp, dial: ClaimedDial, answer: OriginateReply | undefined): Promise<DialReply> {
  assert(answer, 'every dial that was opened is answered');
  const reply = lasting(answer);
  await recordReply(app, dial.requestId, reply);
  return reply;
}

/**
 * A dial that its line or variables make impossible counts as refused by the switch (D7.1).
 *
 * Why: the contact of a withdrawn dial is the next to be claimed, so an impossible dial would repeat forever
 */
function lasting(reply: OriginateReply): OriginateReply {
  const isHopeless = reply.kind === 'not_sent' && reply.reason === 'unsafe';
  return isHopeless ? { kind: 'refused', replyText: reply.replyText, cause: UNFIT_CAUSE } : reply;
}

function originate(app: DialApp, plan: DialPlan, dial: ClaimedDial, sendBefore: number): Promise<OriginateReply> {
  const closed = app.dialGate.refusal();
  if (closed) return Promise.resolve({ kind: 'not_sent', reason: 'disabled', replyText: closed.message });
  const line = plan.lines.find(candidate => candidate.id === dial.lineId);
  const destination = line ? dialledNumber(dial.dialKey, app.settings.region, line) : null;
  if (!line || destination === null) return Promise.resolve({ kind: 'not_sent', reason: 'unsafe', replyText: '号码或线路无效' });
  return app.switchPort.originate({
    cellId: dial.cellId,
    requestId: dial.requestId,
    destinationNumber: destination,
    ...callerId(line, dial),
    timeoutSeconds: app.settings.originateTimeoutSeconds(dial.cellId),
    variables: callVariables(plan.campaign, dial).variables,
    digitsAfterAnswer: dial.extension,
    sendBefore,
  });
}

function callerId(line: Line, dial: ClaimedDial) {
  return {
    dialStringTemplate: line.dialStringTemplate,
    callerIdNumber: dial.callerNumber,
    callerIdName: line.callerIdName,
    callerIdHeaderMode: line.callerIdHeaderMode,
  };
}

/** The actor's effects settle, revert or release; the outbox repeats them after a crash. */
async function recordReply(app: DialApp, requestId: string, reply: OriginateReply): Promise<void> {
  try {
    await Promise.all([
      reply.kind === 'accepted' ? app.writer.accepted({ requestId, replyText: reply.replyText }) : undefined,
      app.calls.send(requestId, replyEvent(reply), `reply:${requestId}`),
    ]);
  } catch (error) {
    // The attempt remains `dialing`: channel events or the reconciler settle it.
    app.log.warn({ err: error, requestId }, 'the reply of the switch could not be written');
  }
}

function replyEvent(reply: OriginateReply): CallEvent {
  switch (reply.kind) {
    case 'accepted':
      return { type: 'dialAccepted' };
    case 'refused':
      return { type: 'dialRefused', ...refusal(reply.cause), replyText: reply.replyText };
    case 'not_sent':
      return { type: 'dialNotSent', reason: reply.reason };
    case 'unknown':
      return { type: 'dialUnknown' };
    default:
      return reply satisfies never;
  }
}

/** An invalid command is the fault of contact or line; any other refusal is no evidence about the called person. */
function refusal(cause: string) {
  const isOurFault = cause !== UNFIT_CAUSE;
  return { cause, isOurFault, callStatus: isOurFault ? ('failed' as const) : callStatusOf(cause) };
}

function withdraw(app: DialApp, dials: readonly ClaimedDial[], options: { alsoDialing: boolean }): Promise<void> {
  return app.withdrawals.withdraw({ requestIds: dials.map(dial => dial.requestId), ...options, reason: WITHDRAWN });
}

function callMeta(app: DialApp, plan: DialPlan, dial: ClaimedDial): CallMeta {
  const { campaign, script } = plan;
  return {
    requestId: dial.requestId,
    attemptId: dial.attemptId,
    batchId: dial.batchId,
    campaignId: campaign.id,
    campaignName: campaign.name,
    businessCode: campaign.businessCode,
    contactId: dial.contactId,
    phoneNumber: dial.phoneNumber,
    customerName: dial.customerName,
    cellId: dial.cellId,
    lineId: dial.lineId,
    callerNumber: dial.callerNumber,
    scriptId: script?.scriptId ?? null,
    scriptVersion: script?.version ?? null,
    businessConfig: campaign.businessConfig,
    metadata: dial.metadata,
    mailboxText: dial.mailboxText,
    callback: dial.callback,
    startedAt: app.clock.now(),
    ...(dial.isTest === true && { isTest: true }),
  };
}
