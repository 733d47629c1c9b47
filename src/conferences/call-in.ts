import { phoneRealm } from '#agents/sip-config.ts';
import { weightOf } from '#campaigns/campaign.ts';
import { CAMPAIGN_DEFAULTS } from '#campaigns/decisions/campaign-states.ts';
import { assessPlan, type Place } from '#dialling/decisions/assess.ts';
import { meetingRefusal, type NumberFactsPart } from '#dialling/evaluate.ts';
import { type CalloutError, conflict, invalidArgument } from '#kernel/errors.ts';
import { type Callee, originateLeg, type DialOutcome, lineCallee, phoneCallee } from '#legs/originate-leg.ts';
import { customerLegOf } from '#legs/leg.ts';
import {
  type LegHold,
  type LegPlan,
  NO_CAMPAIGN,
  numberBusy,
  personLines,
  placeLeg,
  requireMeetingAllowed,
  type SlotAccount,
} from '#legs/place-leg.ts';
import type { Line } from '#lines/line.ts';
import { findExtension } from '#contacts/contact-number-statements.ts';
import { extensionOf } from '#phone-numbers/dial-key.ts';
import { destinationNumber } from '#phone-numbers/phone-number.ts';
import type { Platform } from '#platform/platform.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import { type ConferenceApp, decideConference, sendToConference, sendToLeg } from './conference-actor.ts';
import type { ConferenceLeg, ConferenceSession, ConferenceStore, NewConferenceLeg } from './conference.ts';
import type { DialsPart } from '#dialling/dial-store.ts';

type Placed = Awaited<ReturnType<typeof placeLeg<ConferenceLeg>>>;

/** An agent to call into a conference. */
interface PhoneRequest {
  agent: NonNullable<LegPlan<ConferenceLeg>['agent']>;
  /** `userId` is recorded for an agent without a user. */
  leg: Pick<NewConferenceLeg, 'role' | 'mode' | 'askedByCallId' | 'canSpeak' | 'userId'>;
}

/**
 * Calls an agent's phone into the conference. Null when no agent is free, the session has ended, or another agent is already being rung for it.
 *
 * Errors: those of `agent.refusal`; in a consultation, CONFLICT or SWITCH_UNAVAILABLE when the customer could not be deafened and muted
 * Source: D12.5–D12.7
 */
export function callPhone(app: ConferenceApp, session: ConferenceSession, { agent, leg }: PhoneRequest): Promise<Placed> {
  return placeLeg(app, {
    agent,
    async record({ agent: reservation }) {
      const reserved = reservation && (await app.agentDirectory.find(reservation.agentId));
      if (!reservation || !reserved) return null;
      const { agentId, userId, phoneExtension } = reserved;
      const phone = { agentId, userId: userId ?? leg.userId, targetNumber: phoneExtension, dialKey: '', slot: null };
      const added = await addLeg(app, { ...leg, ...phone, conferenceId: session.id, legUuid: reservation.fence });
      return added === 'number_busy' ? null : added;
    },
    // A concurrent review of the same session is given the same reservation: if it has added the leg, the reservation stays.
    isHeld: async ({ agent: reservation }) => reservation !== null && (await app.conferences.findByLeg(reservation.fence)) !== null,
    ...stepsOf(app, session, { calleeOf: ({ targetNumber }) => phoneCalleeIn(app, session, targetNumber) }),
  });
}

/**
 * Adds a leg before it is dialled; null when the session has ended, or another agent is already being rung for it. `number_busy`: another call
 * uses the outside number.
 */
function addLeg({ conferences }: ConferenceApp, leg: NewConferenceLeg): ReturnType<ConferenceStore['addLeg']> {
  const { mode, agentId } = leg;
  return conferences.addLeg(leg, session => decideConference(session, { type: 'participantEntered', mode, agentId }));
}

async function phoneCalleeIn(app: ConferenceApp, session: ConferenceSession, phoneExtension: string): Promise<Callee | null> {
  const { cellId } = session;
  if (cellId === null) return null;
  return phoneCallee(phoneRealm(app, phoneExtension, cellId), phoneExtension, await customerNumberOf(app, session));
}

/** Number that the agent's phone shows: the customer's. Null while the session has no customer. */
async function customerNumberOf({ conferences }: ConferenceApp, session: ConferenceSession): Promise<string | null> {
  const customer = customerLegOf(session)?.targetNumber;
  if (customer !== undefined || session.requestId === null) return customer ?? null;
  const call = await conferences.findCall({ requestId: session.requestId });
  return call?.phoneNumber ?? null;
}

/**
 * Steps of a leg whose row is written, up to its one originate.
 *
 * Why: a consulted party is called only once the customer can no longer listen
 */
function stepsOf(
  app: ConferenceApp,
  session: ConferenceSession,
  {
    calleeOf,
    refusal,
  }: { calleeOf: (leg: ConferenceLeg, hold: LegHold) => Promise<Callee | null>; refusal?: () => Promise<string | null> },
): Pick<LegPlan<ConferenceLeg>, 'begin' | 'dial' | 'end'> {
  let callee: Callee | null = null;
  return {
    async begin(leg, hold) {
      callee = await calleeOf(leg, hold);
      if (callee === null || leg.mode !== 'consult') return;
      if ((await sendToConference(app, session.id, { type: 'consultationBegun' })) === null)
        throw conflict('CONFERENCE_ENDED', '会议已结束');
    },
    dial: leg => dialInto(app, session, leg, { callee, refusal }),
    end: (leg, { cause }) => sendToLeg(app, leg, { type: 'legLeft', at: app.clock.now(), cause }),
  };
}

async function dialInto(
  app: ConferenceApp,
  { id, cellId, conferenceName }: ConferenceSession,
  leg: ConferenceLeg,
  { callee, refusal }: { callee: Callee | null; refusal: (() => Promise<string | null>) | undefined },
): Promise<DialOutcome> {
  const { conferenceSettings: settings } = app;
  if (cellId === null || callee === null) return { kind: 'refused', cause: 'USER_NOT_REGISTERED' };
  return originateLeg(app, {
    ...(refusal && { refusal }),
    command: {
      ...callee,
      cellId,
      requestId: leg.legUuid,
      timeoutSeconds: settings.ringTimeoutSeconds,
      variables: { callout_conference_id: String(id), callout_softphone_call_id: String(leg.softphoneCallId) },
      conference: { name: conferenceName, profile: settings.profileOf(cellId), muted: !leg.canSpeak },
    },
    slotId: leg.holdsSlot ? leg.legUuid : null,
    mark: () => sendToLeg(app, leg, { type: 'legDialled', at: app.clock.now() }),
  });
}

export type ExternalApp = NumberFactsPart & DialsPart & SlotsPart & Place & Pick<Platform, 'db' | 'switchPort' | 'clock'>;

type ExternalRequest = Omit<NewConferenceLeg, 'agentId' | 'legUuid' | 'slot'>;

/**
 * Calls an outside number into the conference, over a line of its campaign or, without a campaign, over any enabled line.
 *
 * Why:    every dial to a line follows the same rules: do-not-call, policies, window, and slots of line, number and cell
 * Errors: INVALID_ARGUMENT for an invalid number; POLICY_FORBIDS; CONFLICT without a line or a free slot, or while the number is in a call
 * Source: D12.3, D12.6, A6 steps 2–6
 */
export async function dialExternal(
  app: ConferenceApp & ExternalApp,
  session: ConferenceSession,
  request: ExternalRequest,
): Promise<ConferenceLeg> {
  const { dialKey } = request;
  if (destinationNumber(dialKey) === null) throw invalidArgument('targetNumber', 'wrongForm');
  const { lines, account } = await routeOf(app, session.campaignId);
  await requireMeetingAllowed(app, session.campaignId, dialKey);
  const legUuid = app.ids();
  const placed = await placeLeg(app, {
    slot: { requestId: legUuid, cellId: session.cellId, lines, account, refusal: noCapacity },
    async record({ slot }) {
      if (slot === null) throw new Error('an outside number was called without a slot');
      const added = await addLeg(app, { ...request, agentId: null, legUuid, slot: { lineId: slot.lineId, number: slot.number } });
      if (added === 'number_busy') throw await numberBusy(app.callTargets, dialKey);
      return added;
    },
    ...stepsOf(app, session, {
      calleeOf: async (_leg, { slot }) =>
        slot && lineCallee(lines, slot, { dialKey, region: app.region, extension: await extensionFor(app, session, request) }),
      refusal: () => meetingRefusal(app, session.campaignId, dialKey),
    }),
  });
  if (placed === null) throw conflict('CONFERENCE_ENDED', '会议已结束');
  if (!placed.isSent) throw conflict('UNREACHED', '号码无法呼出');
  return placed.row;
}

/** The extension written behind the number, else the one of the campaign's contact with the number. */
async function extensionFor(
  app: ExternalApp,
  { campaignId }: ConferenceSession,
  { targetNumber, dialKey }: ExternalRequest,
): Promise<string> {
  return extensionOf(targetNumber, app.region) || (await findExtension(app.db, campaignId, dialKey));
}

function noCapacity(): CalloutError {
  return conflict('NO_CAPACITY', '线路、号码或交换机单元没有空闲名额');
}

/** The lines and slot limits for a call from a conference to an outside number. */
interface ExternalRoute {
  lines: Line[];
  account: SlotAccount;
}

/** Returns the campaign's lines and limits; without a campaign, every enabled line. */
async function routeOf(app: ExternalApp, campaignId: number | null): Promise<ExternalRoute> {
  const found = await personLines(app, campaignId);
  if (found === null) throw conflict('CAMPAIGN_MISSING', '会议所属的活动不存在，无法外呼号码');
  const { plan, lines } = found;
  if (plan === null && lines.length === 0) throw conflict('LINE_MISSING', '没有可用的外呼线路');
  const weight = weightOf(plan?.campaign.businessConfig.monitoringPriority ?? CAMPAIGN_DEFAULTS.monitoringPriority);
  if (plan === null) return { lines, account: { ...NO_CAMPAIGN, weight } };
  const campaignMax = assessPlan(plan, app).limits.maxConcurrency;
  return { lines, account: { campaignId: plan.campaign.id, campaignMax, weight } };
}
