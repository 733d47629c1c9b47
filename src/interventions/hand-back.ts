import { ENDS } from '#actors/intervention/take-over.ts';
import type { Guidance } from '#actors/call/guidance.ts';
import { mayHandBack } from '#actors/conference/context.ts';
import type { AgentAvailability } from '#agents/agent-directory.ts';
import { parseMeta } from '#calls/call-actor.ts';
import { getCall, requestIdOf, sendToCall } from '#calls/find-call.ts';
import { callChange } from '#calls/publish-call.ts';
import { type ConferenceApp, sendToConference } from '#conferences/conference-actor.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import { requesterIn, requirePlace } from '#conferences/participants.ts';
import { type Caller, personName } from '#kernel/caller.ts';
import { conflict } from '#kernel/errors.ts';
import { commandsOf, type GuideApp, recordGuidance, requireCommand } from './guide-call.ts';

/** The facts that decide whether the customer can be given back to the bot. */
interface PersonAtHand {
  caller: Caller;
  agent: AgentAvailability | undefined;
  conference: ConferenceSession | null;
  /** Optional commands that the call's runtime carries out. */
  commands: readonly string[];
}

/** Errors: FORBIDDEN for who is not in the conference; CONFLICT when no agent has the customer, or the runtime cannot take them back. Source: D9.9 */
export function requireHandBack({ caller, agent, conference, commands }: PersonAtHand): ConferenceSession {
  if (conference?.status !== 'live') throw conflict('PARTICIPANT_ABSENT', '尚无坐席接听该通话，客户在机器人那里');
  requirePlace(requesterIn(conference, caller, agent));
  if (!mayHandBack(conference)) throw conflict('CUSTOMER_ABSENT', '客户不在与坐席的会议中，不能交还');
  requireCommand({ commands }, 'hand_back');
  return conference;
}

type HandBackApp = GuideApp & ConferenceApp;

interface HandBackRequest {
  /** The agreement of agent and customer. */
  text: string;
  nodeId?: string | undefined;
  /** Chosen by the client: a repeated request is carried out once. */
  guidanceId?: string | undefined;
}

/**
 * Gives a customer back to the bot after a take-over or a transfer: the agents leave, the runtime goes on with what was agreed, and the
 * intervention ends.
 *
 * Why:    the runtime is pinged first, because a customer whom no runtime takes hears the apology: until it answers, the agent keeps the customer
 * Errors: NOT_FOUND; GONE; FORBIDDEN; CONFLICT when no agent has the customer, or the runtime cannot take them back; SWITCH_UNAVAILABLE
 * Source: A4 `callout.v1.command.<requestId>.hand_back`, D9.9
 */
export async function handBackCall(
  app: HandBackApp,
  caller: Caller,
  callKey: string,
  { text, nodeId, guidanceId = app.ids() }: HandBackRequest,
): Promise<{ requestId: string; guidance: Guidance }> {
  const requestId = await requestIdOf(app, callKey);
  const { state, meta } = await getCall(app, requestId);
  const known = callChange(state).guidance.find(one => one.guidanceId === guidanceId);
  if (known) return { requestId, guidance: known };
  const conference = requireHandBack(await atHand(app, caller, { requestId, call: callChange(state) }));
  if ((await app.runtime.holder(requestId)) === null) throw conflict('RUNTIME_SILENT', '该通话的话术引擎没有应答，客户仍由坐席接听');
  const at = app.clock.now();
  const order = { guidanceId, text, nodeId: nodeId ?? null, by: personName(caller) };
  if ((await sendToConference(app, conference.id, { type: 'handedBack', order, at }, `hand-back:${guidanceId}`)) === null)
    throw conflict('CHANGED_MEANWHILE', '客户已不在与坐席的会议中，请刷新后重试');
  const guidance = { guidanceId, kind: 'hand_back', text, userId: caller.userId, by: personName(caller), at } as const;
  await endIntervention(app, requestId, { conference, guidance });
  await recordGuidance(app, caller, { requestId, call: parseMeta(meta), guidance });
  return { requestId, guidance };
}

async function atHand(
  app: HandBackApp,
  caller: Caller,
  { requestId, call }: { requestId: string; call: ReturnType<typeof callChange> },
): Promise<PersonAtHand> {
  const [agent, conference, commands] = await Promise.all([
    caller.userId === null ? undefined : app.agentDirectory.findByUser(caller.userId),
    app.conferences.findByCustomer(requestId),
    commandsOf(app, call),
  ]);
  return { caller, agent, conference, commands };
}

interface HandedBack {
  conference: ConferenceSession;
  guidance: Guidance;
}

/** Shows watchers that the bot has the customer again; the runtime's own report of the end comes later and changes nothing. */
async function endIntervention(app: HandBackApp, requestId: string, { conference, guidance }: HandedBack): Promise<void> {
  const { guidanceId, at } = guidance;
  await sendToCall(app, requestId, { event: { type: 'guided', guidance }, commandId: `guide:${guidanceId}` });
  if (conference.interventionId === null) return;
  const { outcome: status, reason } = ENDS.handedBack;
  const event = { type: 'interventionNoticed', id: conference.interventionId, status, agentId: null, reason, at } as const;
  await sendToCall(app, requestId, { event, commandId: `handed-back:${guidanceId}` });
}
