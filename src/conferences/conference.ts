import { z } from 'zod';
import { CUSTOMER_STATES, type LegMode, type LegRole } from '#legs/leg.ts';
import { bigRowId, instant, rowId, stamps } from '#kernel/fields.ts';
import type { Leg } from '#legs/leg-record.ts';

export const CONFERENCE_STATUSES = ['routing', 'live', 'ended'] as const;
export const CONFERENCE_KINDS = ['transfer', 'session'] as const;

export interface ConferenceLeg extends Leg {
  conferenceId: number;
  role: Exclude<LegRole, 'customer'>;
  mode: LegMode;
}

export const conference = z.object({
  id: rowId,
  conferenceId: rowId,
  conferenceName: z.string(),
  kind: z.enum(CONFERENCE_KINDS),
  /** `routing`: no agent has answered yet and the customer stays where it was. */
  status: z.enum(CONFERENCE_STATUSES),
  requestId: z.string().nullable(),
  attemptId: bigRowId.nullable(),
  campaignId: rowId.nullable(),
  customerUuid: z.string().nullable(),
  customerState: z.enum(CUSTOMER_STATES),
  cellId: z.string().nullable(),
  memberCount: z.int().nonnegative(),
  /** Intervention that requested the conference; null when the script did. */
  interventionId: z.string().nullable(),
  reason: z.string(),
  recordingUrl: z.string().nullable(),
  answeredAt: instant.nullable(),
  endedAt: instant.nullable(),
  endCause: z.string().nullable(),
  ...stamps,
});

/** A customer's conversation with agents, from the request until the last leg ends. Instants UTC ms. Source: D12.5 */
export interface ConferenceSession extends Omit<z.output<typeof conference>, 'conferenceId'> {
  preferredAgentId: number | null;
  /** Only the preferred agent may take it. */
  onlyPreferred: boolean;
  groupId: number | null;
  /** Agents that have been offered the call, answered or not. */
  triedAgentIds: number[];
  /** The switch failed to record: recording is not attempted again. */
  recordingFailed: boolean;
  /** Open legs first, then ended ones, the newest last. */
  legs: ConferenceLeg[];
}

export const PARTICIPANT_MODES = ['blind', 'consult', 'listen', 'barge'] as const;

/** Most active conferences in one response: exceeds the number of agents of any installation. */
export const MAX_LISTED_CONFERENCES = 1_000;
