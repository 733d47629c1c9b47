import { sleep } from '#kernel/clock.ts';
import { isCalloutError } from '#kernel/errors.ts';
import type { ConferenceLeg, ConferenceSession } from '#ports/conference-store.ts';
import type { ConferenceDeps } from './deps.ts';
import { CUSTOMER_GONE, dropLeg, endSession, freeLeg } from './end-session.ts';
import { settleSession } from './settle.ts';

/** Sessions looked at in one round: more than any installation has agents. */
const MAX_SESSIONS = 1_000;
/** A leg younger than this may not have reached the switch yet, ms. */
const LEG_GRACE_MS = 10_000;
/** Rooms of sessions that ended this recently are looked for, ms. */
const AFTERMATH_MS = 600_000;
/** The runtime says goodbye to a customer whose agent has left, ms. */
const FAREWELL_MS = 15_000;
/** Until an agent has been found or given up: rings of all agents and what lies between, ms. */
const ROUTING_MARGIN_MS = 30_000;

/**
 * Compares every running session with the switch, again and again: what events have not told is found here.
 *
 * Why:    the channel's own state decides, and a cell that does not answer decides nothing
 * Source: A10, D12.7
 */
export async function runConferenceReconciler(deps: ConferenceDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await reconcileConferences(deps).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'conferences could not be compared with the switch'),
    );
    await sleep(deps.clock, deps.conferenceSettings.reconcileIntervalMs, signal);
  }
}

export async function reconcileConferences(deps: ConferenceDeps): Promise<void> {
  for (const session of await deps.conferences.listRunning(MAX_SESSIONS)) await guarded(deps, session, () => reconcile(deps, session));
  const since = deps.clock.now() - AFTERMATH_MS;
  for (const session of await deps.conferences.listEndedSince(since, MAX_SESSIONS))
    await guarded(deps, session, () => clearRoom(deps, session));
}

/** One session that cannot be looked at keeps no other from it. */
async function guarded({ log }: ConferenceDeps, { id }: ConferenceSession, look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!isCalloutError(error, 'SWITCH_UNAVAILABLE')) log.warn({ err: error, conferenceId: id }, 'a conference could not be compared');
  }
}

async function reconcile(deps: ConferenceDeps, session: ConferenceSession): Promise<void> {
  const { id, cellId, customerUuid } = session;
  // The end of a browser phone's session is its own affair.
  if (session.kind === 'transfer' && isTooOld(deps, session))
    return void (await endSession(deps, id, { cause: 'ALLOTTED_TIMEOUT', tell: 'ended', endsCustomer: session.status === 'live' }));
  if (cellId === null) return;
  if (customerUuid !== null && (await deps.switchPort.probe(cellId, customerUuid)).kind === 'absent') {
    return void (await endSession(deps, id, { cause: CUSTOMER_GONE }));
  }
  for (const leg of session.legs) await reconcileLeg(deps, session, leg);
  await countMembers(deps, session);
  // The request that opened it is still looking for its first agent.
  if (session.status === 'routing' && deps.clock.now() - session.createdAt < LEG_GRACE_MS) return;
  await settleSession(deps, id);
}

function isTooOld({ clock, conferenceSettings: settings }: ConferenceDeps, { status, createdAt }: ConferenceSession): boolean {
  const routingMs = settings.ringTimeoutSeconds * 1_000 * settings.maxAgentsAsked + ROUTING_MARGIN_MS;
  const age = clock.now() - createdAt;
  return age > settings.maxSessionMs || (status === 'routing' && age > routingMs);
}

async function reconcileLeg(deps: ConferenceDeps, session: ConferenceSession, leg: ConferenceLeg): Promise<void> {
  if (leg.status === 'ended' || session.cellId === null) return;
  const age = deps.clock.now() - leg.createdAt;
  if ((await deps.switchPort.probe(session.cellId, leg.legUuid)).kind !== 'absent') return;
  if (leg.status !== 'joined' && age < LEG_GRACE_MS) return;
  if (await deps.conferences.legEnded(leg.legUuid, { at: deps.clock.now(), cause: 'LOST' })) await freeLeg(deps, leg);
}

/** The room as the switch lists it: an answer that was not heard shows here, and so does a leg that should be gone. */
async function countMembers(deps: ConferenceDeps, session: ConferenceSession): Promise<void> {
  if (session.cellId === null) return;
  const members = (await deps.rooms.members(session.cellId, session.conferenceName)) ?? [];
  const at = deps.clock.now();
  await deps.conferences.setMemberCount(session.conferenceName, members.length, at);
  for (const { channelUuid, memberId, canSpeak } of members) {
    const leg = session.legs.find(each => each.legUuid === channelUuid);
    if (leg?.status === 'ended') await dropLeg(deps, session, leg);
    else if (leg && leg.status !== 'joined') await deps.conferences.legJoined(channelUuid, { at, member: { memberId, canSpeak } });
    else if (leg) await deps.conferences.setMember(channelUuid, memberId, canSpeak);
    if (leg && leg.status !== 'ended') await holdAgent(deps, leg);
  }
}

/** Whose answer was not heard either would be given up, and the call cut, when its reservation ends (D12.7). */
async function holdAgent({ reservations }: ConferenceDeps, { agentId, fence, legUuid }: ConferenceLeg): Promise<void> {
  if (agentId !== null) await reservations.answered(fence, legUuid);
}

/** Nobody stays in the room of a session that is over; the customer hears a goodbye first. */
async function clearRoom(deps: ConferenceDeps, session: ConferenceSession): Promise<void> {
  const { cellId, conferenceName, customerUuid, endedAt } = session;
  if (cellId === null) return;
  const isFarewell = deps.clock.now() - (endedAt ?? 0) < FAREWELL_MS;
  for (const { channelUuid } of (await deps.rooms.members(cellId, conferenceName)) ?? []) {
    if (!isFarewell || channelUuid !== customerUuid) await deps.switchPort.hangup(cellId, channelUuid, 'NORMAL_CLEARING');
  }
}
