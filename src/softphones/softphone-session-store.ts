import type { JsonObject } from '#kernel/json.ts';
import { z } from 'zod';

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
  listLeftBehind(createdBefore: number, limit: number): Promise<{ softphoneCallId: number; fence: string }[]>;
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
