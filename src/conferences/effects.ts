import { isConsulting, openLegs, unansweredNews } from '#actors/conference/context.ts';
import type { ConferenceEffects, TransferNews } from '#actors/conference/effects.ts';
import type { LegEffects } from '#actors/leg/effects.ts';
import { conflict } from '#kernel/errors.ts';
import type { ActorKind } from '#platform/actor-host/actor-host.ts';
import type { EffectContext, EffectExecutor } from '#platform/actor-host/aggregate.ts';
import type { Platform } from '#platform/platform.ts';
import { isLostPhone } from '#protocol/call-status.ts';
import type { RuntimePart } from '#runtimes/runtime-link.ts';
import {
  type ConferenceApp,
  conferenceAggregate,
  type EffectLeg,
  endSession,
  sendToConference,
  sendToLeg,
  type SessionEvent,
} from './conference-actor.ts';
import type { ConferenceSession } from './conference.ts';
import { reportLegs } from './report-legs.ts';
import {
  alertUnrecorded,
  applyVoice,
  applyVoices,
  changeCustomer,
  hasSameSupervisors,
  membersOf,
  recordConference,
  setVoice,
  startRecording,
  stopRecording,
} from './room.ts';
import { ringNext } from './transfer.ts';

/** The legs of a session belong to its actor: each of their effects names its leg. */
type LegParams = { [Name in keyof LegEffects]: { leg: EffectLeg } & (LegEffects[Name] extends object ? LegEffects[Name] : unknown) };
type Effects = ConferenceEffects & LegParams & { reportLegs: undefined };
type Context = Pick<EffectContext<ConferenceSession>, 'state' | 'effectId'>;
type Work<Params> = (app: ConferenceApp, context: Context, params: Params) => Promise<void>;

/**
 * Executors of the effects of a session and its legs; each is idempotent, because it may run again after a crash. Then `state` is the state of
 * that moment, and an effect that it no longer requires does nothing.
 */
const WORK: { [Name in keyof Effects]: Work<Effects[Name]> } = {
  async freeLeg({ agentReservations, slots }, _, { leg }) {
    if (leg.agentId !== null) await agentReservations.release(leg.fence);
    if (leg.holdsSlot) await slots.release([leg.legUuid]);
  },
  // This customer was called by a browser phone's agent, who was lost: no runtime is there to speak, so the switch plays the apology.
  endChannel: (app, { state: { cellId } }, { leg }) =>
    leg.role === 'external' && leg.joinedAt !== null && isLostPhone(leg.endCause)
      ? apologise(app, cellId, leg.legUuid)
      : hangUp(app, cellId, leg.legUuid),
  changeVoice,
  async changeVoices(app, { state: session }, { voices }) {
    for (const voice of voices) await setVoice(app, session, voice);
    // A participant may have changed mode meanwhile: the voices follow the current modes.
    const now = await app.conferences.find(session.id);
    if (now && !hasSameSupervisors(now, session)) await applyVoices(app, session.id);
  },
  async notifyRuntime(app, { state: session }, { endsCallIfRefused, ...news }) {
    if ((await notifyRuntime(app, session, news)) || !endsCallIfRefused) return;
    if (news.status === 'failed') await apologise(app, session.cellId, session.customerUuid);
    else await endCustomer(app, session);
  },
  endCustomer: (app, { state }) => endCustomer(app, state),
  returnCustomer: (app, { state }) => returnCustomer(app, state),
  handBack,
  async putCustomerAside(app, { state: session }) {
    if (session.customerState !== 'aside') return;
    if (!(await changeCustomer(app, session, ['deaf', 'mute']))) throw conflict('CUSTOMER_ABSENT', '客户不在会议中，不能咨询');
  },
  async startRecording(app, { state: session }) {
    if (session.status === 'live') await recordConference(app, session, startRecording);
  },
  stopRecording: (app, { state }) => stopRecording(app, state),
  failRecording: (app, { state }, params) => alertUnrecorded(app, state, params),
  async endChannels(app, { state: session }, { channelUuids }) {
    const members = await membersOf(app, session);
    for (const { channelUuid } of members) if (channelUuids.includes(channelUuid)) await hangUp(app, session.cellId, channelUuid);
  },
  ringNextAgent,
  reportLegs: (app, { state, effectId }) => reportLegs(app, state, effectId),
  bringCustomerIn,
  async bringCustomerBack(app, { state: session, effectId }) {
    if (session.customerState !== 'aside' || isConsulting(session)) return;
    // The result is ignored: a customer who is not in the conference needs no change.
    await changeCustomer(app, session, ['unmute', 'undeaf']);
    const returned = { type: 'reviewedAfter', event: { type: 'customerReturned' }, at: app.clock.now() } as const;
    await sendToConference(app, session.id, returned, `${effectId}:returned`);
  },
};

/** A room or a phone may be awaited for longer than the outbox waits: what was done before must not be repeated meanwhile. */
const UNAWAITED: ReadonlySet<keyof Effects> = new Set(['startRecording', 'ringNextAgent']);

/** The requester learns that these failed, and the next review sets the voices again: carried out later, they would surprise. */
const UNREPEATED: ReadonlySet<keyof Effects> = new Set(['putCustomerAside', 'changeVoice', 'changeVoices']);

/** The actor kind that the host runs for each session. `app`: a function, because the app has the host. */
export function conferenceKind(app: () => ConferenceApp): ActorKind<ConferenceSession, SessionEvent> {
  const bound = Object.entries(WORK).map(([name, work]): [string, EffectExecutor<ConferenceSession>] => [
    name,
    (params, context) => work(app(), context, params),
  ]);
  return { aggregate: conferenceAggregate(), executors: Object.fromEntries(bound), unawaited: UNAWAITED, unrepeated: UNREPEATED };
}

async function changeVoice(
  app: ConferenceApp,
  { state: session, effectId }: Context,
  { leg, mode }: Effects['changeVoice'],
): Promise<void> {
  const { memberId, canSpeak } = await applyVoice(app, session, leg.legUuid, mode);
  const place = { conferenceId: session.id, legUuid: leg.legUuid };
  await sendToLeg(app, place, { type: 'voiceChanged', mode, memberId, canSpeak }, `${effectId}:changed`);
  await applyVoices(app, session.id);
}

async function ringNextAgent(app: ConferenceApp, { state: session, effectId }: Context): Promise<void> {
  if (session.status !== 'routing' || openLegs(session).length > 0) return;
  const leg = await ringNext(app, session);
  if (leg === null) {
    await sendToConference(app, session.id, { type: 'nobodyFound', at: app.clock.now() }, `${effectId}:nobody`);
    return;
  }
  // Reviews overlap; only the one that has added the next leg reports the agent before, so that the customer hears of it once.
  const unanswered = unansweredNews(session);
  if (unanswered !== null) await notifyRuntime(app, session, unanswered);
  await notifyRuntime(app, session, { status: 'ringing', agentId: leg.agentId, agentName: leg.agentName });
}

/**
 * Moves the customer from the script into the conference after the agent has answered; a customer who is gone ends the session. One who cannot be
 * moved now counts as outside, and the next review sends it in.
 */
async function bringCustomerIn(app: ConferenceApp, { state: session, effectId }: Context): Promise<void> {
  const { id, cellId, customerUuid, customerState } = session;
  if (customerState !== 'inside' || cellId === null || customerUuid === null) return;
  try {
    if (!(await isMovedIn(app, { ...session, cellId, customerUuid }))) return void (await endSession(app, id, 'customerLeft'));
  } catch (error) {
    app.log.warn({ err: error, conferenceId: id }, 'a customer could not be moved into the conference; the next review does it');
    return void (await sendToConference(app, id, { type: 'customerNotMoved' }, `${effectId}:notMoved`));
  }
  await sendToConference(app, id, { type: 'customerArrived' }, `${effectId}:arrived`);
}

/** Returns false when the customer's channel is gone. Errors: SWITCH_UNAVAILABLE */
async function isMovedIn(
  app: ConferenceApp,
  { id, cellId, customerUuid, conferenceName }: ConferenceSession & { cellId: string; customerUuid: string },
): Promise<boolean> {
  await applyVoices(app, id);
  const members = await app.rooms.members(cellId, conferenceName);
  if (members?.some(({ channelUuid }) => channelUuid === customerUuid)) return true;
  const place = { name: conferenceName, profile: app.conferenceSettings.profileOf(cellId) };
  return (await app.rooms.join(cellId, customerUuid, place)) === 'moved';
}

async function hangUp({ switchPort }: Pick<Platform, 'switchPort'>, cellId: string | null, uuid: string): Promise<void> {
  if (cellId !== null) await switchPort.hangup(cellId, uuid, 'NORMAL_CLEARING');
}

async function endCustomer(app: ConferenceApp, { cellId, customerUuid }: ConferenceSession): Promise<void> {
  if (customerUuid !== null) await hangUp(app, cellId, customerUuid);
}

/** Plays the apology to the customer and hangs up. */
async function apologise({ switchPort }: ConferenceApp, cellId: string | null, uuid: string | null): Promise<void> {
  if (cellId !== null && uuid !== null) await switchPort.dismiss(cellId, uuid);
}

/**
 * Parks the customer, as before the transfer; one who cannot be moved now is hung up with the room.
 *
 * Why: a command whose reply was lost may have been carried out, and a second one would interrupt the runtime that has the customer by then
 */
async function returnCustomer({ rooms, log }: ConferenceApp, { cellId, customerUuid }: ConferenceSession): Promise<void> {
  if (cellId === null || customerUuid === null) return;
  try {
    await rooms.park(cellId, customerUuid);
  } catch (error) {
    log.warn({ err: error, cellId }, 'a customer could not be parked; the room ends the call');
  }
}

/** The runtime continues with the customer; if no runtime takes the call, the customer hears the apology, as after a lost phone. */
async function handBack(app: ConferenceApp, { state: session }: Context, order: Effects['handBack']): Promise<void> {
  const { id, requestId, interventionId, cellId, customerUuid } = session;
  if (requestId === null) return;
  const answer = await app.runtime
    .order(requestId, 'hand_back', { ...order, conferenceId: id, interventionId })
    .catch((error: unknown) => app.log.warn({ err: error, requestId }, 'the runtime could not be given a customer back'));
  if (answer?.ok !== true) await apologise(app, cellId, customerUuid);
}

/** Notifies the runtime of the transfer's progress, which it announces to the customer. Returns false when no runtime accepted it. */
async function notifyRuntime(
  { runtime, log }: RuntimePart & Pick<Platform, 'log'>,
  { requestId, id, conferenceName, interventionId }: ConferenceSession,
  { status, agentId = null, agentName = null, cause = null }: TransferNews,
): Promise<boolean> {
  if (requestId === null) return false;
  const body = { conferenceId: id, conferenceName, interventionId, status, agentId, agentName, cause };
  try {
    await runtime.command(requestId, 'transfer', body);
    return true;
  } catch (error) {
    log.warn({ err: error, requestId, status }, 'the runtime could not be notified of a transfer');
    return false;
  }
}
