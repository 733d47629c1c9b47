import type { SOFTPHONE_EVENT_KINDS } from '#contract/rest/softphone-sessions.ts';
import type { JsonObject } from '#kernel/json.ts';

export type SoftphoneEventKind = (typeof SOFTPHONE_EVENT_KINDS)[number];

export interface SoftphoneEvent {
  id: number;
  softphoneCallId: number;
  kind: SoftphoneEventKind;
  data: JsonObject;
  /** UTC ms. */
  createdAt: number;
}

/**
 * What belongs to sessions of browser phones beside their call record.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: OCS 4.14, D12.4
 */
export interface SoftphoneSessionStore {
  /** Id of the session's call record; null when unknown. */
  findCall(sessionId: string): Promise<number | null>;
  /** The call record of a session's conference. */
  findCallOfConference(conferenceId: number): Promise<number | null>;
  /**
   * Open sessions without a conference that runs, created before `createdBefore` (UTC ms): the instance that opened or ended them is gone.
   */
  listLeftBehind(createdBefore: number, limit: number): Promise<{ softphoneCallId: number; fence: string }[]>;
  attach(softphoneCallId: number, conferenceId: number): Promise<void>;
  setNote(softphoneCallId: number, note: string): Promise<void>;
  addEvent(softphoneCallId: number, kind: SoftphoneEventKind, data: JsonObject): Promise<SoftphoneEvent>;
  /** Oldest first. */
  eventsAfter(softphoneCallId: number, eventId: number, limit: number): Promise<SoftphoneEvent[]>;
}

/** Wakes the streams of every instance. */
export interface SoftphoneSignals {
  publish(softphoneCallId: number): void;
  subscribe(listener: (softphoneCallId: number) => void): () => void;
}

/**
 * The runtime's side of a browser phone.
 *
 * Errors: DOWNSTREAM_INVALID when nobody answers in time, or refuses
 * Source: D12.4
 */
export interface SoftphoneRuntime {
  open(request: JsonObject): Promise<{ serviceNumber: string; sipExtraHeaders: Record<string, string> }>;
  command(sessionId: string, name: 'say' | 'end', body: JsonObject): Promise<void>;
}
