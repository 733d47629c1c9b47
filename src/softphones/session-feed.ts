import type { SoftphoneCall } from '#agent-calls/agent-call.ts';
import { type AccessAuditPart, auditRecordingRead, auditTranscriptRead } from '#audit/access-audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { notFound } from '#kernel/errors.ts';
import { customerLegOf } from '#legs/leg.ts';
import type { Source } from '#platform/feeds/feed.ts';
import { isSame, polledSource } from '#platform/feeds/polled-source.ts';
import type { Platform } from '#platform/platform.ts';
import { isOpen, requireOwn, type SoftphoneEvent, type SoftphoneSession, type SoftphonesPart } from './session.ts';
import type { AgentCallsPart } from '#agent-calls/agent-call-actor.ts';
import type { ConferencesPart } from '#conferences/conference-actor.ts';

export interface SoftphoneCallDetail {
  call: SoftphoneCall;
  /** Oldest first. */
  events: SoftphoneEvent[];
}

/** Most events of one call in a response. */
const MAX_EVENTS = 5_000;

/** Spoken or typed text of a call. */
interface Utterance {
  speaker: 'agent' | 'customer';
  text: string;
  /** UTC ms. */
  at: number;
}

/** Errors: NOT_FOUND; FORBIDDEN for another agent's call. Source: OCS 4.14 */
export async function getSoftphoneCall(
  app: Pick<AgentCallsPart, 'softphoneCalls'> & Pick<SoftphonesPart, 'softphoneSessions'> & AccessAuditPart,
  caller: Caller,
  softphoneCallId: number,
): Promise<SoftphoneCallDetail> {
  const call = await app.softphoneCalls.find(softphoneCallId);
  if (call === null) throw notFound('软电话通话');
  requireOwn(caller, call);
  const events = await app.softphoneSessions.eventsAfter(softphoneCallId, 0, MAX_EVENTS);
  const target = { targetType: 'softphone_call', targetId: softphoneCallId } as const;
  await Promise.all([
    utterancesOf(events).length > 0 ? auditTranscriptRead(app, caller, target) : null,
    call.recordingUrl ? auditRecordingRead(app, caller, target) : null,
  ]);
  return { call, events };
}

/** Extracts the utterances of agent and customer. Source: OCS 4.14 */
export function utterancesOf(events: readonly SoftphoneEvent[]): Utterance[] {
  return events.flatMap(({ kind, data: { speaker, text }, createdAt }) =>
    kind === 'message' && typeof text === 'string' && (speaker === 'agent' || speaker === 'customer')
      ? [{ speaker, text, at: createdAt }]
      : [],
  );
}

/** Poll interval that covers a lost signal, in ms. */
const POLL_MS = 2_000;
const SPACING_MS = 100;
/** Most events in one read; the next read follows at once when there are more. */
const READ_LIMIT = 500;

export type SessionStateApp = Pick<AgentCallsPart, 'softphoneCalls'> &
  Pick<ConferencesPart, 'conferences'> &
  Pick<SoftphonesPart, 'softphoneSessions' | 'softphoneSignals'> &
  Pick<Platform, 'clock' | 'log'>;

/** A browser phone's session with all its events, oldest first. */
export interface SoftphoneSessionState {
  session: SoftphoneSession;
  events: readonly SoftphoneEvent[];
}

export type SoftphoneSessionChange = { kind: 'session'; session: SoftphoneSession } | { kind: 'event'; event: SoftphoneEvent };

/** One session of a browser phone; the last change is its end. Source: OCS 4.14, D12.4 */
export function softphoneSessionSource(
  app: SessionStateApp,
  softphoneCallId: number,
): Source<SoftphoneSessionState, SoftphoneSessionChange> {
  let events: readonly SoftphoneEvent[] = [];
  return polledSource<SoftphoneSessionState, SoftphoneSessionChange>(app, {
    what: 'a softphone session',
    async read() {
      // Reads the session before its events, so that the state of its end includes the last event.
      const session = await readSession(app, softphoneCallId);
      if (session === null) return null;
      events = [...events, ...(await eventsAfter(app, softphoneCallId, events.at(-1)?.id ?? 0))];
      return { session, events };
    },
    changes: (before, after) => [
      ...after.events.slice(before.events.length).map(event => ({ kind: 'event' as const, event })),
      ...(isSame(before.session, after.session) ? [] : [{ kind: 'session' as const, session: after.session }]),
    ],
    isLast: ({ session }) => !isOpen(session.call),
    listen: refresh => app.softphoneSignals.subscribe(id => (id === softphoneCallId ? refresh() : undefined)),
    pollMs: POLL_MS,
    spacingMs: SPACING_MS,
  });
}

async function readSession(app: SessionStateApp, softphoneCallId: number): Promise<SoftphoneSession | null> {
  const call = await app.softphoneCalls.find(softphoneCallId);
  const conference = call?.conferenceId == null ? null : await app.conferences.find(Number(call.conferenceId));
  return call === null || conference === null ? null : { call, conference, customer: customerLegOf(conference) };
}

async function eventsAfter({ softphoneSessions }: SessionStateApp, callId: number, eventId: number): Promise<SoftphoneEvent[]> {
  const events: SoftphoneEvent[] = [];
  for (;;) {
    const read = await softphoneSessions.eventsAfter(callId, events.at(-1)?.id ?? eventId, READ_LIMIT);
    events.push(...read);
    if (read.length < READ_LIMIT) return events;
  }
}

/** Like `auditWatch`, for a browser phone's session; null when users watch their own session. */
export function auditSessionWatch(
  { accessAudit }: AccessAuditPart,
  caller: Caller,
  { id, userId }: Pick<SoftphoneCall, 'id' | 'userId'>,
): (() => void) | null {
  if (userId !== null && userId === caller.userId) return null;
  return accessAudit.watch(caller, { action: 'call.watched', targetType: 'softphone_call', targetId: id, summary: '实时监看网页话机通话' });
}
