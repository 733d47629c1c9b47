import type { Guidance } from '#actors/call/guidance.ts';
import { findPresence } from '#agents/agent-actor.ts';
import type { AgentAvailability, AgentReservation, AgentsPart } from '#agents/agent-directory.ts';
import { listenerHolder } from '#agents/agent.ts';
import { phoneRealm } from '#agents/sip-config.ts';
import { type CallMeta, parseMeta } from '#calls/call-actor.ts';
import { getCall, requestIdOf, sendToCall } from '#calls/find-call.ts';
import { callChange, type CallChange } from '#calls/publish-call.ts';
import type { ConferenceApp } from '#conferences/conference-actor.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import { agentMissing, agentNotFree } from '#conferences/participants.ts';
import { type Caller, personName } from '#kernel/caller.ts';
import { conflict } from '#kernel/errors.ts';
import { type DialOutcome, originateLeg, phoneCallee } from '#legs/originate-leg.ts';
import { placeLeg } from '#legs/place-leg.ts';
import { isOver } from './claim.ts';
import { type GuideApp, recordGuidance, requireViewer } from './guide-call.ts';

/** How a person hears a call that only the bot has: unheard, heard by the customer too, or no longer. */
export const LISTEN_MODES = ['listen', 'barge', 'off'] as const;
export type ListenMode = (typeof LISTEN_MODES)[number];

/** The facts that decide whether a user may listen to a call that only the bot has. */
interface ListenerAtHand {
  call: Pick<CallChange, 'status' | 'monitor' | 'retainedBy'> & { requestId: string };
  caller: Caller;
  agent: AgentAvailability | undefined;
  conference: Pick<ConferenceSession, 'status'> | null;
}

/** Errors: FORBIDDEN; CONFLICT when no bot talks to the customer, or the caller's own phone cannot ring. Source: D9.10 */
export function requireListenable({ call, caller, agent, conference }: ListenerAtHand): AgentAvailability {
  requireViewer(call, caller);
  if (call.status !== 'live') throw conflict(isOver(call) ? 'CALL_ENDED' : 'NOT_ANSWERED', '通话未接通或已结束，不能旁听');
  if (conference?.status === 'live') throw conflict('ALREADY_ANSWERED', '客户正在与坐席通话，请加入其会议');
  if (agent === undefined) throw agentMissing();
  // The phone that listens already may change its mode.
  const isHere = agent.currentCall === currentCallOf(call.requestId);
  if (!isHere && (agent.status !== 'idle' || agent.registrationStatus !== 'registered')) throw agentNotFree();
  return agent;
}

function currentCallOf(requestId: string): string {
  return `request:${requestId}`;
}

export type ListenApp = GuideApp & ConferenceApp & AgentsPart;

/**
 * Has the caller's own phone listen to a call that only the bot has, changes whether the customer hears it, or ends it. Every watcher sees it.
 *
 * Why:    the leg is held by its agent's reservation alone, whose actor follows the channel to its end (D12.7); the switch ends it with the call
 * Errors: NOT_FOUND; GONE; FORBIDDEN; CONFLICT when no bot talks, or the caller's phone cannot be rung; SWITCH_UNAVAILABLE
 * Source: D9.10, D12.6
 */
export async function listenToCall(
  app: ListenApp,
  caller: Caller,
  callKey: string,
  { mode }: { mode: ListenMode },
): Promise<{ requestId: string; mode: ListenMode; agentId: number }> {
  const requestId = await requestIdOf(app, callKey);
  const { state, meta } = await getCall(app, requestId);
  const call = parseMeta(meta);
  const [own, conference] = await Promise.all([
    caller.userId === null ? undefined : app.agentDirectory.findByUser(caller.userId),
    app.conferences.findByCustomer(requestId),
  ]);
  const agent = requireListenable({ call: { ...callChange(state), requestId }, caller, agent: own, conference });
  if (call === null) throw conflict('CALL_ENDED', '通话已结束');
  const leg = await listeningLeg(app, requestId, agent);
  if (leg === null && mode === 'off') throw conflict('PARTICIPANT_ABSENT', '您没有在旁听该通话');
  await (leg === null ? ring(app, call, { agent, mode }) : change(app, call, { leg, mode }));
  const { agentId } = agent;
  await record(app, caller, { requestId, call, mode });
  return { requestId, mode, agentId };
}

/** Uuid of the agent's leg that listens to the call; null when none does. */
async function listeningLeg({ agentHost }: AgentsPart, requestId: string, { agentId }: AgentAvailability): Promise<string | null> {
  const reservation = (await findPresence(agentHost, agentId))?.context.reservation ?? null;
  return reservation?.holder === listenerHolder(requestId) ? reservation.fence : null;
}

async function change(app: ListenApp, { cellId, requestId }: CallMeta, { leg, mode }: { leg: string; mode: ListenMode }): Promise<void> {
  if (mode === 'off') return void (await app.switchPort.hangup(cellId, leg, 'NORMAL_CLEARING'));
  const target = { channelUuid: requestId, isHeard: mode === 'barge' };
  if ((await app.rooms.eavesdrop(cellId, leg, target)) === 'absent') throw conflict('PARTICIPANT_ABSENT', '您的话机尚未接通，请稍后重试');
}

interface Listening {
  agent: AgentAvailability;
  mode: ListenMode;
}

/** Rings the agent's phone, which then listens. */
async function ring(app: ListenApp, call: CallMeta, { agent, mode }: Listening): Promise<void> {
  const { requestId, cellId } = call;
  const choice = { holder: listenerHolder(requestId), agentId: agent.agentId, cellId, currentCall: currentCallOf(requestId) };
  const placed = await placeLeg<AgentReservation>(app, {
    agent: { choices: [choice], refusal: agentNotFree },
    // The reservation is the record of this leg.
    record: hold => Promise.resolve(hold.agent),
    dial: reservation => dial(app, call, { agent, mode, legUuid: reservation.fence }),
    end: ({ fence }) => app.agentReservations.release(fence),
  });
  if (placed?.isSent !== true) throw conflict('UNREACHED', '坐席话机无法接通');
}

function dial(app: ListenApp, call: CallMeta, { agent, mode, legUuid }: Listening & { legUuid: string }): Promise<DialOutcome> {
  const { cellId, requestId, phoneNumber } = call;
  const callee = phoneCallee(phoneRealm(app, agent.phoneExtension, cellId), agent.phoneExtension, phoneNumber);
  if (callee === null) return Promise.resolve({ kind: 'refused', cause: 'USER_NOT_REGISTERED' });
  return originateLeg(app, {
    command: {
      ...callee,
      cellId,
      requestId: legUuid,
      timeoutSeconds: app.conferenceSettings.ringTimeoutSeconds,
      variables: {},
      eavesdrop: { channelUuid: requestId, isHeard: mode === 'barge' },
    },
    slotId: null,
    // Nothing repeats this request: the leg is sent once.
    mark: () => Promise.resolve(true),
  });
}

/** Shows every watcher who listens, and keeps it. */
async function record(
  app: ListenApp,
  caller: Caller,
  { requestId, call, mode }: { requestId: string; call: CallMeta; mode: ListenMode },
): Promise<void> {
  const guidance: Guidance = {
    guidanceId: app.ids(),
    kind: KINDS[mode],
    text: '',
    userId: caller.userId,
    by: personName(caller),
    at: app.clock.now(),
  };
  await sendToCall(app, requestId, { event: { type: 'guided', guidance }, commandId: `guide:${guidance.guidanceId}` });
  await recordGuidance(app, caller, { requestId, call, guidance });
}

const KINDS = { listen: 'listen', barge: 'barge', off: 'listen_ended' } as const;
