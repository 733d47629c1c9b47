import { z } from 'zod';
import { CUSTOMER_STATES, LEG_MODES, LEG_ROLES, LEG_STATUSES, type LegMode, type LegRole } from '#rules/leg.ts';
import { bigRowId, instant, rowId, stamps } from './fields.ts';

export const CONFERENCE_STATUSES = ['routing', 'live', 'ended'] as const;
export const CONFERENCE_KINDS = ['transfer', 'session'] as const;

/** Whispering is no mode of the older rows. */
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

/** One person's channel, known before it is dialled. Instants UTC ms */
export interface Leg extends Omit<z.output<typeof conferenceLeg>, 'callUuid' | 'role' | 'mode'> {
  role: LegRole;
  /** Its part in a conference; null, as `conferenceId`: it is of a call that its agent makes alone. */
  mode: LegMode | null;
  conferenceId: number | null;
  /** Of the channel at the switch; an agent's is the fence of its reservation, unless its browser dialled in. */
  legUuid: string;
  /** Of the agent's reservation. */
  fence: string;
  /** The call of whoever asked for this one. */
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
  /** `routing`: nobody has answered yet and the customer is where it was. */
  status: z.enum(CONFERENCE_STATUSES),
  requestId: z.string().nullable(),
  attemptId: bigRowId.nullable(),
  campaignId: rowId.nullable(),
  customerUuid: z.string().nullable(),
  customerState: z.enum(CUSTOMER_STATES),
  cellId: z.string().nullable(),
  memberCount: z.int().nonnegative(),
  /** Of whoever stepped in and asked for it; null: the script's own. */
  interventionId: z.string().nullable(),
  reason: z.string(),
  recordingUrl: z.string().nullable(),
  answeredAt: instant.nullable(),
  endedAt: instant.nullable(),
  endCause: z.string().nullable(),
  ...stamps,
});

/** A customer's meeting with a person, from the request to the last leg's end. Instants UTC ms. Source: D12.5 */
export interface ConferenceSession extends Omit<z.output<typeof conference>, 'conferenceId'> {
  preferredAgentId: number | null;
  /** Nobody else will do. */
  onlyPreferred: boolean;
  groupId: number | null;
  /** Agents who were asked, whoever of them answered. */
  triedAgentIds: number[];
  /** The switch could not write it: it is not asked for again. */
  recordingFailed: boolean;
  /** Open ones first; of the others the newest last. */
  legs: ConferenceLeg[];
}
