import { sleep } from '#kernel/clock.ts';
import { isCalloutError } from '#kernel/errors.ts';
import type { ConferenceLeg, ConferenceSession } from './conference.ts';
import { HANGUP_GRACE_MS } from '#platform/freeswitch/probe-end.ts';
import type { ConferenceMember } from '#platform/freeswitch/switch.ts';
import { type ConferenceApp, decideConference, endSession, reviewConference, sendToConference, sendToLeg } from './conference-actor.ts';
import { decideLeg } from '#legs/leg-actor.ts';
import { reportLegs } from './report-legs.ts';
import { longestSearchMs } from './transfer.ts';
import { isSupervised, keepRecording, membersOf, recordConference } from './room.ts';
import type { Platform } from '#platform/platform.ts';

/** Most sessions compared in one round: more than any installation has agents. */
const MAX_SESSIONS = 1_000;
/** Rooms of sessions that ended this recently are checked for remaining members, in ms. */
const AFTERMATH_MS = 600_000;

/** Sessions compared concurrently. */
const AT_ONCE = 20;

/** State kept from one round to the next. */
export interface ReconcileMemory {
  /** By session, since when a customer who was sent into the room has been missing from it; UTC ms. */
  missingSince: Map<number, number>;
}

/** Context of one round: memory of earlier rounds, and the channels listed at the switch. */
interface ReconcileRound {
  memory: ReconcileMemory;
  /** Whether `show channels` lists the channel; a channel that is not listed is probed. */
  isListed(cellId: string, uuid: string): Promise<boolean>;
}

/**
 * Compares every running session with the switch at an interval, and those of a cell as soon as it is reachable again, to find missed events.
 *
 * Why:    the state of a channel decides, and a cell that does not answer decides nothing
 * Source: A10, D12.7, I9
 */
export async function runConferenceReconciler(app: ConferenceApp, signal: AbortSignal): Promise<void> {
  const memory: ReconcileMemory = { missingSince: new Map() };
  const underWay = new Set<Promise<void>>();
  const runRound = (cellId?: string) =>
    reconcileConferences(app, memory, cellId).catch((error: unknown) =>
      app.log.warn({ err: error }, 'conferences could not be compared with the switch'),
    );
  const stop = app.switchPort.subscribe(event => {
    if (event.kind !== 'cell_up') return;
    const work = runRound(event.cellId);
    underWay.add(work);
    void work.then(() => underWay.delete(work));
  });
  while (!signal.aborted) {
    await runRound();
    await sleep(app.clock, app.conferenceSettings.reconcileIntervalMs, signal);
  }
  stop();
  await Promise.all(underWay);
}

/** Runs one round; with `cellId`, only for the sessions at that cell. */
export async function reconcileConferences(app: ConferenceApp, memory: ReconcileMemory, cellId?: string): Promise<void> {
  const isThere = (session: ConferenceSession) => cellId === undefined || session.cellId === cellId;
  const running = await app.conferences.listRunning(MAX_SESSIONS);
  for (const id of memory.missingSince.keys()) if (!running.some(session => session.id === id)) memory.missingSince.delete(id);
  const round: ReconcileRound = { memory, isListed: listing(app.switchPort) };
  await each(running.filter(isThere), session => guarded(app, session, () => reconcile(app, round, session)));
  const ended = await app.conferences.listEndedSince(app.clock.now() - AFTERMATH_MS, MAX_SESSIONS);
  await each(ended.filter(isThere), session => guarded(app, session, () => clearRoom(app, session)));
}

async function each(sessions: readonly ConferenceSession[], work: (session: ConferenceSession) => Promise<void>): Promise<void> {
  for (let first = 0; first < sessions.length; first += AT_ONCE) await Promise.all(sessions.slice(first, first + AT_ONCE).map(work));
}

/** Queries each cell once. */
function listing({ channels }: Pick<Platform['switchPort'], 'channels'>): ReconcileRound['isListed'] {
  const cells = new Map<string, Promise<ReadonlySet<string>>>();
  return async (cellId, uuid) => {
    const listed = cells.get(cellId) ?? channels(cellId).then(rows => new Set(rows.map(row => row.uuid)));
    cells.set(cellId, listed);
    return (await listed).has(uuid);
  };
}

/** Isolates a failure to the session that it concerns. */
async function guarded({ log }: ConferenceApp, { id }: ConferenceSession, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isCalloutError(error, 'SWITCH_UNAVAILABLE')) log.warn({ err: error, conferenceId: id }, 'a conference could not be compared');
  }
}

async function reconcile(app: ConferenceApp, round: ReconcileRound, session: ConferenceSession): Promise<void> {
  const { id, cellId, customerUuid } = session;
  const aged = { type: 'aged', at: app.clock.now(), ...agesOf(app) } as const;
  if (session.kind === 'transfer' && decideConference(session, aged) !== null) return void (await sendToConference(app, id, aged));
  if (cellId === null) return;
  if (customerUuid !== null && (await isGone(app, round, { cellId, uuid: customerUuid })))
    return void (await endSession(app, id, 'customerLeft'));
  for (const leg of session.legs) await reconcileLeg(app, round, { leg, cellId });
  await compareRoom(app, round, { ...session, cellId });
  await reviewConference(app, id, true);
  // A call that was restored after a loss of its live state knows nobody, and a leg that a later one replaced has reported no end.
  await reportLegs(app, session, app.ids());
}

async function isGone(
  { switchPort }: ConferenceApp,
  round: ReconcileRound,
  { cellId, uuid }: { cellId: string; uuid: string },
): Promise<boolean> {
  return !(await round.isListed(cellId, uuid)) && (await switchPort.probe(cellId, uuid)).kind === 'absent';
}

function agesOf({ conferenceSettings: settings }: ConferenceApp): { routingMs: number; sessionMs: number } {
  return { routingMs: longestSearchMs(settings), sessionMs: settings.maxSessionMs };
}

/** A leg recorded as joined is probed only when it is not listed; the state of any other leg is always taken from its channel. */
async function reconcileLeg(
  app: ConferenceApp,
  round: ReconcileRound,
  { leg, cellId }: { leg: ConferenceLeg; cellId: string },
): Promise<void> {
  const { legUuid, status } = leg;
  if (status === 'ended' || (status === 'joined' && (await round.isListed(cellId, legUuid)))) return;
  const channel = await app.switchPort.probe(cellId, legUuid);
  if (channel.kind === 'ringing') return void (await sendToLeg(app, leg, { type: 'legRang' }));
  if (channel.kind !== 'answered') return reportMissing(app, leg);
  await sendToLeg(app, leg, { type: 'legJoined', at: channel.answeredAt });
  await holdAgent(app, leg, channel.answeredAt);
}

/**
 * Reports a leg whose channel is gone.
 *
 * Why: a channel ends shortly before its hang-up event arrives, and only that event distinguishes a person who hung up from a lost phone
 */
async function reportMissing(app: ConferenceApp, leg: ConferenceLeg): Promise<void> {
  const at = app.clock.now();
  if (leg.status === 'joined') await sleep(app.clock, HANGUP_GRACE_MS);
  await sendToLeg(app, leg, { type: 'legMissing', at });
}

type Room = ConferenceSession & { cellId: string };

/** Compares the room at the switch with the legs: updates changed legs, starts a missing recording, and reports missing customers. */
async function compareRoom(app: ConferenceApp, round: ReconcileRound, session: Room): Promise<void> {
  const at = app.clock.now();
  const members = await membersOf(app, session);
  await app.conferences.setMemberCount(session.conferenceName, members.length, { at, eventId: null });
  for (const member of members) await compareMember(app, session, member);
  if (members.length > 0) await recordConference(app, session, keepRecording);
  if (isSupervised(session)) await sendToConference(app, session.id, { type: 'roomSeen', at, members });
  await reportMissingCustomer(app, round.memory, session, members);
}

async function compareMember(app: ConferenceApp, session: Room, { channelUuid, memberId, canSpeak }: ConferenceMember): Promise<void> {
  const leg = session.legs.find(each => each.legUuid === channelUuid);
  if (!leg) return;
  const seen = { type: 'memberSeen', memberId, canSpeak } as const;
  if (decideLeg(leg, seen) !== null) await sendToLeg(app, leg, seen);
  if (leg.status === 'joined') await holdAgent(app, leg, leg.joinedAt ?? app.clock.now());
}

/** Reports a customer who is missing while others are in the room; the start of that absence is the only memory between rounds. */
async function reportMissingCustomer(
  app: ConferenceApp,
  { missingSince }: ReconcileMemory,
  session: Room,
  members: readonly ConferenceMember[],
): Promise<void> {
  const { id, customerUuid } = session;
  const at = app.clock.now();
  const isMissed = session.customerState === 'inside' && members.length > 0 && !members.some(each => each.channelUuid === customerUuid);
  const since = isMissed ? (missingSince.get(id) ?? at) : at;
  const missed = { type: 'customerMissed', since, at } as const;
  const isOver = !isMissed || (decideConference(session, missed) !== null && (await sendToConference(app, id, missed)) !== null);
  if (isOver) missingSince.delete(id);
  else missingSince.set(id, since);
}

/** Confirms the answer to the agent's actor: if the actor missed it, it would cut the call when the reservation ends (D12.7). */
async function holdAgent({ agentReservations }: ConferenceApp, { agentId, fence, legUuid }: ConferenceLeg, at: number): Promise<void> {
  if (agentId !== null) await agentReservations.answered(fence, legUuid, at);
}

/** Reports members who remain in the room of an ended session. */
async function clearRoom(app: ConferenceApp, session: ConferenceSession): Promise<void> {
  const members = await membersOf(app, session);
  if (members.length > 0) await sendToConference(app, session.id, { type: 'roomSeen', at: app.clock.now(), members });
}
