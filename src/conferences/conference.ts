import { z } from 'zod';
import { CUSTOMER_STATES, LEG_MODES, LEG_ROLES, LEG_STATUSES, type LegMode, type LegRole } from '#legs/leg.ts';
import { bigRowId, instant, rowId, stamps } from '#kernel/fields.ts';

export const CONFERENCE_STATUSES = ['routing', 'live', 'ended'] as const;
export const CONFERENCE_KINDS = ['transfer', 'session'] as const;

/** Modes of the rows that the contract describes; it has no whispering. */
const WIRE_MODES = LEG_MODES.filter(mode => mode !== 'whisper');

export const conferenceLeg = z.object({
  softphoneCallId: bigRowId,
  role: z.enum(LEG_ROLES),
  mode: z.enum(WIRE_MODES),
  agentId: rowId.nullable(),
  agentName: z.string().nullable(),
  targetNumber: z.string(),
  callUuid: z.string(),
  status: z.enum(LEG_STATUSES),
  canSpeak: z.boolean(),
  joinedAt: instant.nullable(),
  endedAt: instant.nullable(),
  endCause: z.string().nullable(),
});

/** The channel of one participant, recorded before it is dialled. Instants UTC ms */
export interface Leg extends Omit<z.output<typeof conferenceLeg>, 'callUuid' | 'role' | 'mode'> {
  role: LegRole;
  /** Mode within a conference; null, like `conferenceId`, for a call that an agent makes outside any conference. */
  mode: LegMode | null;
  conferenceId: number | null;
  /** Channel uuid at the switch. Equals the fence of the agent's reservation unless the agent's browser dialled in. */
  legUuid: string;
  /** Fence of the agent's reservation. */
  fence: string;
  /** Call of the agent who requested this leg. */
  askedByCallId: number | null;
  holdsSlot: boolean;
  memberId: number | null;
  createdAt: number;
}

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
