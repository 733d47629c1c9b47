import { conflict, invalidArgument, notFound } from '#kernel/errors.ts';
import type { AgentAvailability } from '#agents/agent-directory.ts';
import type { ConferenceLeg, ConferenceSession } from './conference.ts';
import { isSupervising, type LegRequester, type ParticipantMode, speaksIn } from '#legs/leg.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { type ConferenceApp, reviewConference, sendToConference } from './conference-actor.ts';
import { callPhone, dialExternal, type ExternalApp } from './call-in.ts';
import { getConference } from './find-conferences.ts';
import {
  agentMissing,
  agentNotFree,
  alreadyThere,
  type Requester,
  requesterOf,
  asLegRequester,
  requireEntry,
  requireMode,
} from './participants.ts';
import { bareSpelling, dialKey, type Region } from '#phone-numbers/dial-key.ts';
import { nationalNumber } from '#phone-numbers/dialled-number.ts';
import { destinationNumber } from '#phone-numbers/phone-number.ts';

export interface NewParticipant {
  mode: ParticipantMode;
  agentId?: number | null | undefined;
  /** Any free agent of this group, the one who has been idle longest. */
  groupId?: number | null | undefined;
  targetNumber?: string | null | undefined;
}

export type ParticipantApp = ConferenceApp & ExternalApp & AuditPart;

/** A number of at most this many digits is an extension, never an outside number. */
const MAX_EXTENSION_DIGITS = 6;

/**
 * Adds a participant to a live conference: an agent's transfer (blind, consult), or a supervisor who listens, whispers or barges in.
 *
 * Errors: NOT_FOUND for the conference, the agent or the extension; FORBIDDEN; CONFLICT when the conference has ended or the target is not free;
 *         INVALID_ARGUMENT; POLICY_FORBIDS for a number that must not be called
 * Source: OCS 4.15, D12.6
 */
export async function addParticipant(
  app: ParticipantApp,
  caller: Caller,
  conferenceId: number,
  request: NewParticipant,
): Promise<ConferenceLeg> {
  const session = await getConference(app, conferenceId);
  const requester = await requesterOf(app, caller, session);
  requireEntry(session, requester, request.mode);
  const target = await targetOf(app, request, requester);
  const present = session.legs.find(leg => leg.status !== 'ended' && isTarget(leg, target, app.region));
  requireMode(request.mode, requester, present);
  const leg = present
    ? await changeMode(app, session, present, { mode: request.mode, by: asLegRequester(requester) })
    : await callIn(app, { caller, session, requester, request, target });
  await audit(app, caller, {
    action: 'conference.participant_added',
    targetType: 'conference',
    targetId: conferenceId,
    summary: `会议加入成员（${MODE_NAMES[request.mode]}）`,
    detail: { mode: request.mode, agentId: leg.agentId, softphoneCallId: leg.softphoneCallId },
  });
  return leg;
}

const MODE_NAMES = { blind: '盲转', consult: '咨询转', listen: '监听', whisper: '耳语', barge: '强插' } as const;

interface Target {
  /** Undefined for an outside number. */
  agent: AgentAvailability | undefined;
  number: string;
  /** Normalised key of an outside number; '' for an extension. */
  dialKey: string;
}

/** Whether the leg belongs to the target, which is then in the conference or on its way. */
function isTarget({ agentId, role, targetNumber }: ConferenceLeg, target: Target, region: Region): boolean {
  const { agent } = target;
  return agent === undefined ? role === 'external' && dialKey(targetNumber, region) === target.dialKey : agentId === agent.agentId;
}

/** Supervisors join by their own phone unless the request names another target. */
async function targetOf(
  { agentDirectory, region }: ParticipantApp,
  { mode, agentId, groupId, targetNumber }: NewParticipant,
  requester: Requester,
): Promise<Target> {
  requireOneTarget({ agentId, groupId, targetNumber });
  if (agentId != null) {
    const agent = await agentDirectory.find(agentId);
    if (agent === undefined) throw notFound('坐席');
    return phoneOf(agent);
  }
  if (groupId != null) return groupTarget(await agentDirectory.list(), groupId);
  if (targetNumber != null) return numberTarget(await agentDirectory.list(), targetNumber, region);
  if (!isSupervising(mode)) throw invalidArgument('agentId', 'emptyTogether', { other: 'targetNumber' });
  if (requester.agent === undefined) throw agentMissing();
  return phoneOf(requester.agent);
}

type GivenTarget = Pick<NewParticipant, 'agentId' | 'groupId' | 'targetNumber'>;

/** Errors: INVALID_ARGUMENT when more than one target is given */
function requireOneTarget(given: GivenTarget): void {
  const [first, second] = (['agentId', 'groupId', 'targetNumber'] as const).filter(name => given[name] != null);
  if (first !== undefined && second !== undefined) throw invalidArgument(second, 'atMostOneOf', { other: first });
}

/** Errors: CONFLICT when no agent of the group is free */
function groupTarget(agents: readonly AgentAvailability[], groupId: number): Target {
  const free = agents.filter(agent => agent.groupId === groupId && agent.status === 'idle' && agent.registrationStatus === 'registered');
  const [longest] = free.toSorted((a, b) => (a.activity.since ?? 0) - (b.activity.since ?? 0));
  if (longest === undefined) throw conflict('NO_AGENT_FREE', '该坐席组没有空闲坐席');
  return phoneOf(longest);
}

function phoneOf(agent: AgentAvailability): Target {
  return { agent, number: agent.phoneExtension, dialKey: '' };
}

function numberTarget(agents: readonly AgentAvailability[], targetNumber: string, region: Region): Target {
  const bare = bareSpelling(targetNumber);
  const agent = agents.find(each => each.phoneExtension === bare);
  if (agent) return phoneOf(agent);
  const key = dialKey(targetNumber, region);
  if (destinationNumber(key) === null) throw invalidArgument('targetNumber', 'wrongForm');
  if (bare.length <= MAX_EXTENSION_DIGITS) throw notFound('分机');
  return { agent: undefined, number: nationalNumber(key, region), dialKey: key };
}

interface CallIn {
  caller: Caller;
  session: ConferenceSession;
  requester: Requester;
  request: NewParticipant;
  target: Target;
}

async function callIn(app: ParticipantApp, { caller, session, requester, request, target }: CallIn): Promise<ConferenceLeg> {
  if (session.cellId === null) throw conflict('CONFERENCE_ENDED', '会议不在任何交换机单元上');
  const askedBy = requester.leg ?? session.legs.find(leg => leg.role === 'agent' && leg.status === 'joined');
  const common = {
    mode: request.mode,
    userId: caller.userId,
    askedByCallId: isSupervising(request.mode) ? null : (askedBy?.softphoneCallId ?? null),
    canSpeak: speaksIn(request.mode),
  } as const;
  const outside = { conferenceId: session.id, role: 'external', targetNumber: target.number, dialKey: target.dialKey } as const;
  const role = isSupervising(request.mode) ? ('supervisor' as const) : ('agent' as const);
  try {
    return target.agent === undefined
      ? await dialExternal(app, session, { ...common, ...outside })
      : await callAgent(app, session, target.agent, { ...common, role });
  } finally {
    // The consulted party may have refused meanwhile, or could not be called: the review then returns the customer.
    if (request.mode === 'consult') await reviewSoon(app, session.id);
  }
}

/** A failure is left to the reconciler. */
async function reviewSoon(app: ConferenceApp, conferenceId: number): Promise<void> {
  await reviewConference(app, conferenceId).catch((error: unknown) =>
    app.log.warn({ err: error, conferenceId }, 'a conference could not be reviewed now; the reconciler does it'),
  );
}

async function callAgent(
  app: ConferenceApp,
  session: ConferenceSession,
  { agentId }: AgentAvailability,
  leg: Parameters<typeof callPhone>[2]['leg'],
): Promise<ConferenceLeg> {
  const request = {
    holder: `conference:${session.id}:${app.ids()}`,
    agentId,
    ...(isSupervising(leg.mode) ? {} : { campaignId: session.campaignId }),
    ...(session.cellId === null ? {} : { cellId: session.cellId }),
    ...(session.attemptId === null ? {} : { currentCall: `attempt:${session.attemptId}` }),
  };
  const placed = await callPhone(app, session, { agent: { choices: [request], refusal: agentNotFree }, leg });
  if (placed === null) throw conflict('CONFERENCE_ENDED', '会议已结束');
  if (!placed.isSent) throw conflict('UNREACHED', '坐席话机无法接通');
  return placed.row;
}

/** Moves a participant to another mode. Errors: CONFLICT when the leg cannot change to it, or is not in the room; SWITCH_UNAVAILABLE */
async function changeMode(
  app: ConferenceApp,
  session: ConferenceSession,
  leg: ConferenceLeg,
  request: { mode: ParticipantMode; by: LegRequester },
): Promise<ConferenceLeg> {
  const moved = await sendToConference(app, session.id, {
    type: 'legChanged',
    legUuid: leg.legUuid,
    event: { type: 'modeRequested', ...request },
  });
  if (moved === null) throw alreadyThere(leg);
  await reviewConference(app, session.id);
  const { legs } = await getConference(app, session.id);
  return legs.find(({ legUuid }) => legUuid === leg.legUuid) ?? leg;
}
