import { findPresence } from '#agents/agent-actor.ts';
import type { AgentReservation, AgentsPart } from '#agents/agent-directory.ts';
import { type Agent, agentCallHolder } from '#agents/agent.ts';
import { phoneRealm, type SipPart } from '#agents/sip-config.ts';
import { requireActingFor, requireEnabled } from '#agents/status.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import { numberRefusal } from '#dialling/evaluate.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, conflict, invalidArgument, notFound } from '#kernel/errors.ts';
import { lineCallee } from '#legs/originate-leg.ts';
import {
  type CapacityRefusal,
  type LegHold,
  type LegPlan,
  NO_CAMPAIGN,
  numberBusy,
  personLines,
  placeLeg,
  releaseHold,
} from '#legs/place-leg.ts';
import type { Line } from '#lines/line.ts';
import { dialKey, extensionOf, type Region } from '#phone-numbers/dial-key.ts';
import { destinationNumber } from '#phone-numbers/phone-number.ts';
import { customerLegUuid } from '#platform/freeswitch/channel-uuid.ts';
import type { SlotGrant } from '#slots/slot-registry.ts';
import { type AgentCallApp, openAgentCall, type AgentCallsPart } from './agent-call-actor.ts';
import type { SoftphoneCall, TargetContact, CallTargetsPart } from './agent-call.ts';
import type { DialsPart } from '#dialling/dial-store.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';
import type { Platform } from '#platform/platform.ts';

interface AgentCallInput {
  phoneNumber?: string | null | undefined;
  contactId?: number | null | undefined;
  campaignId?: number | null | undefined;
  note?: string | undefined;
}

type TargetApp = CallTargetsPart & DialsPart & Pick<DiallingPlace, 'region'> & Pick<Platform, 'db'>;

/** The number that an agent calls, and the lines that may carry the call. */
interface CallTarget {
  phoneNumber: string;
  /** Normalised number for comparisons, from which the line forms the number that it dials. */
  dialKey: string;
  /** Digits to send once the customer has answered; empty without an extension. */
  extension: string;
  contactId: number | null;
  campaignId: number | null;
  /** Cell of the campaign; null for any cell. */
  cellId: string | null;
  /** Enabled lines, in the campaign's order. */
  lines: Line[];
}

/**
 * Resolves the target of a call. `contactId` alone is enough: number and campaign then come from the contact.
 *
 * Errors: INVALID_ARGUMENT naming the field; NOT_FOUND; CAMPAIGN_ARCHIVED; CONFLICT without an enabled line
 * Source: OCS 4.13 "manual-calls", D12.3
 */
async function findTarget(app: TargetApp, input: AgentCallInput): Promise<CallTarget> {
  const contact = await findContact(app, input);
  const number = numberOf(input, contact, app.region);
  if (number === null) throw invalidArgument('phoneNumber', 'emptyWithoutTarget');
  if (destinationNumber(number.dialKey) === null) throw invalidArgument('phoneNumber', 'undiallable');
  const campaignId = input.campaignId ?? contact?.campaignId ?? null;
  const { lines, cellId } = await findLines(app, campaignId);
  if (lines.length === 0) throw conflict('LINE_MISSING', '没有可用的外呼线路');
  const extension = extensionFor(number, contact, app.region);
  return { ...number, extension, contactId: contact?.id ?? null, campaignId, cellId, lines };
}

/** The extension written behind the number, else the one of the contact's number. */
function extensionFor(number: Pick<CallTarget, 'phoneNumber' | 'dialKey'>, contact: TargetContact | null, region: Region): string {
  const written = extensionOf(number.phoneNumber, region);
  return written || (contact?.numbers.find(each => each.dialKey === number.dialKey)?.extension ?? '');
}

/** A contact keeps its stored key, because its import file may have named another region. */
export function numberOf(
  { phoneNumber }: Pick<AgentCallInput, 'phoneNumber'>,
  contact: Pick<TargetContact, 'phoneNumber' | 'dialKey'> | null,
  region: Region,
): { phoneNumber: string; dialKey: string } | null {
  if (phoneNumber && phoneNumber !== contact?.phoneNumber) return { phoneNumber, dialKey: dialKey(phoneNumber, region) };
  return contact && { phoneNumber: contact.phoneNumber, dialKey: contact.dialKey };
}

async function findContact({ callTargets }: TargetApp, { contactId, campaignId }: AgentCallInput) {
  if (contactId == null) return null;
  const contact = await callTargets.findContact(contactId);
  if (!contact) throw notFound('联系人');
  if (campaignId != null && contact.campaignId !== campaignId) throw invalidArgument('contactId', 'otherCampaign');
  return contact;
}

async function findLines(app: TargetApp, campaignId: number | null): Promise<{ lines: Line[]; cellId: string | null }> {
  const found = await personLines(app, campaignId);
  if (!found) throw notFound('活动');
  const campaign = found.plan?.campaign;
  if (campaign?.status === 'archived') throw new CalloutError('CAMPAIGN_ARCHIVED', '活动已归档，不能外呼');
  return { lines: found.lines, cellId: campaign?.cellId ?? null };
}

export type AgentCallDirection = 'manual_call' | 'callback' | 'transfer';

export type PlaceCallApp = AgentCallApp & AgentCallsPart & AgentsPart & SipPart & AuditPart & TargetApp;

/** Weight above every campaign's: on a shared line an agent who waits comes before the dispatcher. */
const HIGHEST_WEIGHT = 101;
/** Delay after the longest ringing time before the switch is probed, in ms. */
const DIAL_MARGIN_MS = 5_000;

interface Placing {
  agent: Agent;
  target: CallTarget;
  place: { cellId: string; realm: string };
  requestId: string;
}

/**
 * Calls a customer for an agent: the agent's phone rings first, then the customer is called and the two legs are bridged.
 *
 * Errors: FORBIDDEN for another user's agent; NOT_FOUND; INVALID_ARGUMENT; POLICY_FORBIDS by a block policy; CONFLICT for a do-not-call
 *         number, an unregistered phone, an agent or contact that is on a call, a full line; SWITCH_UNAVAILABLE
 * Source: OCS 4.13, D12.3
 */
export async function placeCall(
  app: PlaceCallApp,
  caller: Caller,
  request: { agentId: number; direction: AgentCallDirection; input: AgentCallInput },
): Promise<SoftphoneCall> {
  const agent = await requireActingFor(app, caller, request.agentId);
  requireEnabled(agent);
  const target = await findTarget(app, request.input);
  const refusal = await numberRefusal(app, target.dialKey, target.campaignId);
  if (refusal !== null) throw new CalloutError('POLICY_FORBIDS', `当前外呼策略禁止拨打：${refusal}`);
  if (await app.callTargets.isListed(target.dialKey)) throw listed();
  const place = requirePhone(app, agent, target);
  const placing = { agent, target, place, requestId: customerLegUuid(app.ids()) };
  const placed = await placeLeg(app, planOf(app, caller, placing, request));
  if (placed === null) throw new Error('the record of a call is written or refused with an error');
  const call = placed.row;
  await audit(app, caller, {
    action: 'agent.call_placed',
    targetType: 'softphone_call',
    targetId: call.id,
    summary: `坐席「${agent.name}」发起外呼`,
    detail: { direction: request.direction, agentId: agent.id, campaignId: target.campaignId, contactId: target.contactId },
  });
  return call;
}

interface Held {
  reservation: AgentReservation;
  grant: SlotGrant;
}

/** The plan asks for both. */
function heldBy({ agent, slot }: LegHold): Held {
  if (!agent || !slot) throw new Error('a call was recorded without its agent or its slot');
  return { reservation: agent, grant: slot };
}

/** The call's actor dials both legs once it is committed. */
function planOf(
  app: PlaceCallApp,
  caller: Caller,
  placing: Placing,
  { direction, input }: { direction: AgentCallDirection; input: AgentCallInput },
): LegPlan<SoftphoneCall> {
  const { agent, target, place, requestId } = placing;
  const currentCall = `request:${requestId}`;
  // A callback that the server rings waits until the agent is free, as any other call does.
  const ofCall = { campaignId: target.campaignId, isOwnCall: caller.role !== 'system' };
  return {
    agent: {
      choices: [{ holder: agentCallHolder(requestId), agentId: agent.id, cellId: place.cellId, currentCall, ...ofCall }],
      refusal: () => agentRefusal(app, agent),
    },
    slot: {
      requestId,
      cellId: place.cellId,
      lines: target.lines,
      account: { ...NO_CAMPAIGN, weight: HIGHEST_WEIGHT },
      refusal: slotRefusal,
    },
    record: hold => record(app, caller, placing, { direction, input, ...heldBy(hold) }),
    begin: (call, hold) => open(app, placing, { call, ...heldBy(hold) }),
    async end(call, { hold }) {
      await app.softphoneCalls.close(call.id, { status: 'failed', endedAt: app.clock.now(), failureReason: '未能开始呼叫' });
      await releaseHold(app, hold);
    },
  };
}

function requirePhone(app: PlaceCallApp, agent: Agent, target: CallTarget): { cellId: string; realm: string } {
  const { phoneExtension } = agent;
  if (phoneExtension === '') throw conflict('EXTENSION_MISSING', `坐席「${agent.name}」没有配置分机`);
  const wanted = target.cellId ?? agent.cellId;
  const place = app.phoneRegistry.locate(phoneExtension, wanted);
  if (place) return { cellId: place.cellId, realm: phoneRealm(app, phoneExtension, place.cellId) };
  if (app.phoneRegistry.registration(phoneExtension, wanted) === 'unknown') {
    throw new CalloutError('SWITCH_UNAVAILABLE', '交换机无应答，请稍后重试');
  }
  throw conflict('PHONE_UNREGISTERED', `坐席「${agent.name}」的话机 ${phoneExtension} 未注册`);
}

async function agentRefusal(app: PlaceCallApp, agent: Agent): Promise<CalloutError> {
  const presence = await findPresence(app.agentHost, agent.id);
  const isOnCall = presence?.context.reservation != null;
  if (isOnCall) return conflict('AGENT_BUSY', `坐席「${agent.name}」正在通话中`);
  return conflict('UNREACHED', `坐席「${agent.name}」的话机暂不可用`);
}

const TOO_OFTEN = '呼叫过于频繁，请稍后重试';

const CAPACITY_REFUSALS: Readonly<Partial<Record<NonNullable<CapacityRefusal>, string>>> = {
  line_full: '外呼线路已满，请稍后重试',
  number_full: '线路号码均已占用，请稍后重试',
  cell_full: '交换机并发已满，请稍后重试',
  interval: TOO_OFTEN,
  late: TOO_OFTEN,
};

function slotRefusal(reason: CapacityRefusal): CalloutError {
  if (reason === 'cold') return new CalloutError('CACHE_UNAVAILABLE', '呼叫资源正在恢复，请稍后重试');
  if (reason === 'gone') return new CalloutError('CACHE_UNAVAILABLE', '呼叫资源暂不可用，请稍后重试');
  if (reason === 'switch_unreachable' || reason === null) return new CalloutError('SWITCH_UNAVAILABLE', '交换机无应答，请稍后重试');
  return conflict('NO_CAPACITY', CAPACITY_REFUSALS[reason] ?? '外呼资源已满，请稍后重试');
}

async function record(
  app: PlaceCallApp,
  caller: Caller,
  { agent, target, place, requestId }: Placing,
  { direction, input, reservation, grant }: { direction: AgentCallDirection; input: AgentCallInput } & Held,
): Promise<SoftphoneCall> {
  const call = await app.softphoneCalls.create({
    requestId,
    direction,
    agentId: agent.id,
    userId: caller.userId,
    campaignId: target.campaignId,
    contactId: target.contactId,
    number: target,
    lineId: grant.lineId,
    callerNumber: grant.number,
    cellId: place.cellId,
    note: input.note ?? '',
    legs: [
      { role: 'agent', legUuid: reservation.fence, agentId: agent.id, cellId: place.cellId },
      { role: 'customer', legUuid: requestId, agentId: null, cellId: place.cellId },
    ],
    checkDoNotCall: true,
  });
  if (call === 'contact_busy') throw conflict('PERSON_IN_CALL', '该联系人正在通话中');
  if (call === 'number_busy') throw await numberBusy(app.callTargets, target.dialKey);
  if (call === 'listed') throw listed();
  return call;
}

async function open(app: PlaceCallApp, placing: Placing, { call, reservation, grant }: { call: SoftphoneCall } & Held): Promise<void> {
  const { agent, target, place, requestId } = placing;
  const line = lineOf(target, grant);
  const timeoutSeconds = app.originateTimeoutSeconds(place.cellId);
  await openAgentCall(
    app.agentCallHost,
    {
      softphoneCallId: call.id,
      requestId,
      fence: reservation.fence,
      agentId: agent.id,
      phoneExtension: agent.phoneExtension,
      realm: place.realm,
      cellId: place.cellId,
      campaignId: target.campaignId,
      dialKey: target.dialKey,
      destination: lineCallee(target.lines, grant, { ...target, region: app.region }).destinationNumber,
      extension: target.extension,
      callerNumber: grant.number,
      line: {
        id: line.id,
        dialStringTemplate: line.dialStringTemplate,
        callerIdName: line.callerIdName,
        callerIdHeaderMode: line.callerIdHeaderMode,
      },
      timeoutSeconds,
    },
    { dialTimeoutMs: timeoutSeconds * 1_000 + DIAL_MARGIN_MS },
  );
}

function lineOf(target: CallTarget, grant: SlotGrant): Line {
  const line = target.lines.find(candidate => candidate.id === grant.lineId);
  if (!line) throw new Error('a slot was granted on a line that was not offered');
  return line;
}

function listed(): CalloutError {
  return conflict('DO_NOT_CALL', '号码在勿扰名单中，不能拨打');
}
