import { z } from 'zod';
import { OPEN_SOFTPHONE_STATUSES, type SoftphoneCall, type CallTargetsPart } from '#agent-calls/agent-call.ts';
import type { AccessAuditPart } from '#audit/access-audit.ts';
import type { ParticipantApp } from '#conferences/add-participant.ts';
import type { ConferenceLeg, ConferenceSession } from '#conferences/conference.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, conflict, notFound } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/json.ts';
import { customerLegOf } from '#legs/leg.ts';
import type { AgentCallsPart } from '#agent-calls/agent-call-actor.ts';
import type { AgentReservationsPart } from '#agents/agent-directory.ts';
import type { Platform } from '#platform/platform.ts';
import { isOneOf } from '#kernel/typed.ts';

type SoftphoneEventKind = (typeof SOFTPHONE_EVENT_KINDS)[number];

export interface SoftphoneEvent {
  id: number;
  softphoneCallId: number;
  kind: SoftphoneEventKind;
  data: JsonObject;
  /** UTC ms. */
  createdAt: number;
}

/**
 * Data of browser phone sessions, in addition to their call record.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: OCS 4.14, D12.4
 */
export interface SoftphoneSessionStore {
  /** Id of the session's call record; null when unknown. */
  findCall(sessionId: string): Promise<number | null>;
  /** Call record of the session that a conference belongs to. */
  findCallOfConference(conferenceId: number): Promise<number | null>;
  /**
   * Open sessions without a running conference, created before `createdBefore` (UTC ms): the instance that handled them has failed.
   */
  listUnfinished(createdBefore: number, limit: number): Promise<{ softphoneCallId: number; fence: string }[]>;
  attach(softphoneCallId: number, conferenceId: number): Promise<void>;
  setNote(softphoneCallId: number, note: string): Promise<void>;
  addEvent(softphoneCallId: number, kind: SoftphoneEventKind, data: JsonObject): Promise<SoftphoneEvent>;
  /** Oldest first. */
  eventsAfter(softphoneCallId: number, eventId: number, limit: number): Promise<SoftphoneEvent[]>;
}

/** Notifies the streams of every instance. */
export interface SoftphoneSignals {
  publish(softphoneCallId: number): void;
  subscribe(listener: (softphoneCallId: number) => void): () => void;
}

/**
 * Requests to the runtime on behalf of a browser phone.
 *
 * Errors: DOWNSTREAM_INVALID when no runtime answers in time, or it refuses
 * Source: D12.4
 */
export interface SoftphoneRuntime {
  open(request: JsonObject): Promise<{ serviceNumber: string; sipExtraHeaders: Record<string, string> }>;
  command(sessionId: string, name: 'say' | 'end', body: JsonObject): Promise<void>;
}

export const SOFTPHONE_EVENT_KINDS = ['session', 'message', 'tts', 'error'] as const;

export const sessionParam = z.object({ sessionId: z.uuid() });

/** Holder prefix of agents reserved by sessions: `session:<sessionId>`. */
export const HOLDER_KIND = 'session';

export interface SoftphonesPart {
  softphoneSessions: SoftphoneSessionStore;
  softphoneRuntime: SoftphoneRuntime;
  softphoneSignals: SoftphoneSignals;
}

export type SoftphoneApp = ParticipantApp & CallTargetsPart & Pick<AgentCallsPart, 'softphoneCalls'> & SoftphonesPart & AccessAuditPart;

/** Releases a session's agent; after a failure, its lease or its own probe of the channel releases it. */
export async function releaseAgent(
  { agentReservations, log }: AgentReservationsPart & Pick<Platform, 'log'>,
  fence: string,
): Promise<void> {
  await agentReservations
    .release(fence)
    .catch((error: unknown) => log.warn({ err: error }, 'the agent of a session could not be released'));
}

/** Writes an event of a session and wakes its streams. */
export async function notifySession(
  { softphoneSessions, softphoneSignals }: Pick<SoftphonesPart, 'softphoneSessions' | 'softphoneSignals'>,
  softphoneCallId: number,
  kind: SoftphoneEventKind,
  data: JsonObject,
): Promise<void> {
  await softphoneSessions.addEvent(softphoneCallId, kind, data);
  softphoneSignals.publish(softphoneCallId);
}

/** A session of a browser phone with its conference. */
export interface SoftphoneSession {
  call: SoftphoneCall;
  conference: ConferenceSession;
  /** The customer's leg once it has been dialled. */
  customer: ConferenceLeg | undefined;
}

export function isOpen({ status }: SoftphoneCall): boolean {
  return isOneOf(OPEN_SOFTPHONE_STATUSES, status);
}

/**
 * Requires that the caller may see the call: agents only their own, users who may dispatch any.
 *
 * Errors: FORBIDDEN
 */
export function requireOwn(caller: Caller, call: SoftphoneCall): void {
  if (caller.permissions.has('campaign:dispatch')) return;
  if (call.userId === null || call.userId !== caller.userId) throw new CalloutError('FORBIDDEN', '只能操作自己的通话');
}

/** Errors: NOT_FOUND; FORBIDDEN */
export async function findSession(app: SoftphoneApp, caller: Caller, sessionId: string): Promise<SoftphoneSession> {
  const callId = await app.softphoneSessions.findCall(sessionId);
  const call = callId === null ? null : await app.softphoneCalls.find(callId);
  const conference = call?.conferenceId == null ? null : await app.conferences.find(Number(call.conferenceId));
  if (call === null || conference === null) throw notFound('网页话机会话');
  requireOwn(caller, call);
  return { call, conference, customer: customerLegOf(conference) };
}

/** Errors: those of `findSession`; CONFLICT when the session has ended */
export async function findOpenSession(app: SoftphoneApp, caller: Caller, sessionId: string): Promise<SoftphoneSession> {
  const session = await findSession(app, caller, sessionId);
  if (!isOpen(session.call)) throw conflict('SESSION_ENDED', '会话已结束');
  return session;
}

/** Errors: CONFLICT while the customer is not on the line */
export function requireCustomer({ customer, conference }: SoftphoneSession): { leg: ConferenceLeg; cellId: string } {
  if (customer?.status !== 'joined' || conference.cellId === null) throw conflict('CUSTOMER_ABSENT', '客户尚未接通');
  return { leg: customer, cellId: conference.cellId };
}
