import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { codedList, listCode, MAX_LABEL_LENGTH } from '#kernel/coded-list.ts';
import { flag, instant, MAX_INT4, optionalText, requiredText, rowId, stamps } from '#kernel/fields.ts';

const MAX_GROUP_NAME_LENGTH = 128;
const MAX_DESCRIPTION_LENGTH = 2_000;

/** Agents who can take each other's calls. Source: OCS 2.13 */
export const agentGroup = z.object({ id: rowId, name: z.string(), description: z.string(), ...stamps }).meta({ id: 'AgentGroup' });

export type AgentGroup = z.output<typeof agentGroup>;

export const newAgentGroup = z.object({ name: requiredText(MAX_GROUP_NAME_LENGTH), description: optionalText(MAX_DESCRIPTION_LENGTH) });
export const agentGroupChanges = z
  .object({ name: requiredText(MAX_GROUP_NAME_LENGTH), description: z.string().trim().max(MAX_DESCRIPTION_LENGTH) })
  .partial();

export type AgentGroupFields = z.output<typeof newAgentGroup>;
export type AgentGroupChanges = z.output<typeof agentGroupChanges>;

const INTERVENTION = 'intervention:';
const AGENT_CALL = 'agent-call:';
const LISTENER = 'listener:';

/** Holder name for an agent reserved by an intervention (`ReservationRequest.holder`). Source: D9.3 */
export function interventionHolder(interventionId: string): string {
  return INTERVENTION + interventionId;
}

/** Holder name for an agent who listens to a call that only the bot has. */
export function listenerHolder(requestId: string): string {
  return LISTENER + requestId;
}

/** Whether a reservation's holder has the agent listen to a call. */
export function isListener(holder: string): boolean {
  return holder.startsWith(LISTENER);
}

/** Holder name for an agent reserved by a call between agent and customer. */
export function agentCallHolder(requestId: string): string {
  return AGENT_CALL + requestId;
}

/** Request id of the agent call that holds the reservation; null when the holder is something else. */
export function agentCallOf(holder: string): string | null {
  return holder.startsWith(AGENT_CALL) ? holder.slice(AGENT_CALL.length) : null;
}

/** Source: OCS 2.13 */
export const AGENT_STATUSES = ['idle', 'busy', 'offline'] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** The states of an agent's history. */
export const AGENT_ACTIVITIES = ['offline', 'idle', 'busy', 'ringing', 'talking', 'wrap_up'] as const;
export type AgentActivity = (typeof AGENT_ACTIVITIES)[number];

export const REGISTRATION_STATUSES = ['registered', 'unregistered', 'unconfigured', 'unknown'] as const;

const MAX_NAME_LENGTH = 128;
const MAX_CELL_ID_LENGTH = 64;
const MAX_PASSWORD_LENGTH = 200;

export const registrationStatus = z.enum(REGISTRATION_STATUSES);
export type RegistrationStatus = z.output<typeof registrationStatus>;

const MAX_BREAK_REASONS = 50;

/** A reason for which an agent may be busy. */
const breakReason = z.object({ code: listCode, label: requiredText(MAX_LABEL_LENGTH), isEnabled: flag }).meta({ id: 'BreakReason' });

const breakReasonRows = codedList(breakReason, MAX_BREAK_REASONS);

/** Source: D12.9 */
export const breakReasonList = z.object({ reasons: breakReasonRows, version: z.int().nonnegative() }).meta({ id: 'BreakReasonList' });
export type BreakReasonList = z.output<typeof breakReasonList>;

export const breakReasonsChange = z.object({
  reasons: breakReasonRows,
  version: z.int().nonnegative().max(MAX_INT4).optional().meta({ description: '修改所依据的版本；已被他人修改时拒绝' }),
});
export type BreakReasonsChange = z.output<typeof breakReasonsChange>;

/** The actions on a wrap-up. */
export const WRAP_UP_STEPS = ['extend', 'end'] as const;
export type WrapUpStep = (typeof WRAP_UP_STEPS)[number];

const wrapUp = z
  .object({
    callKey: z.string().meta({ description: '刚结束的通话：attempt:<attemptId> 或 request:<requestId>' }),
    campaignId: rowId.nullable(),
    endsAt: instant.meta({ description: '整理时间的结束；必须选定结果时，此后仍等待' }),
    limitAt: instant.meta({ description: '最迟恢复接听的时间' }),
    isRequired: flag,
    canExtend: flag,
  })
  .meta({ id: 'WrapUp' });

/** The state of an agent and its start. Source: D12.9 */
const activity = z
  .object({
    state: z.enum(AGENT_ACTIVITIES),
    chosen: z.enum(AGENT_STATUSES).meta({ description: '坐席自己选择的状态，通话结束后恢复' }),
    since: instant.nullable(),
    reason: z.string().nullable().meta({ description: '忙碌的原因，见 GET /api/break-reasons' }),
    wrapUp: wrapUp.nullable(),
  })
  .meta({ id: 'AgentActivity' });

export type ActivityView = z.output<typeof activity>;

/** How many of these agents are in each state. */
export function countStates(agents: readonly { activity: Pick<ActivityView, 'state'> }[]): Record<AgentActivity, number> {
  const counts = { offline: 0, idle: 0, busy: 0, ringing: 0, talking: 0, wrap_up: 0 };
  for (const { activity } of agents) counts[activity.state] += 1;
  return counts;
}

/** Seconds that an agent spent in one state on one business day. */
export const agentStateSeconds = z
  .object({
    date: z.string(),
    agentId: rowId,
    state: z.enum(AGENT_ACTIVITIES),
    reason: z.string().nullable(),
    seconds: z.int().nonnegative(),
  })
  .meta({ id: 'AgentStateSeconds' });

export type AgentStateSeconds = z.output<typeof agentStateSeconds>;

/** An agent's current state. */
const presence = {
  status: z.enum(AGENT_STATUSES),
  registrationStatus,
  /** `callKey` of the agent's current call. */
  currentCall: z.string().nullable(),
  activity,
};

/**
 * An agent with its current state. `phoneExtension` is its only terminal identifier: `sipUsername` is accepted, never returned.
 *
 * Source: OCS 2.13, D12.1
 */
export const agent = z
  .object({
    id: rowId,
    name: z.string(),
    /** Empty: no phone is configured. */
    phoneExtension: z.string(),
    groupId: rowId.nullable(),
    userId: rowId.nullable(),
    cellId: z.string().nullable(),
    isEnabled: flag,
    ...presence,
    ...stamps,
  })
  .meta({ id: 'Agent' });

export type AgentView = z.output<typeof agent>;

/** An agent without its current state. */
export type Agent = Omit<AgentView, keyof typeof presence> & {
  /** Empty: same as the extension. */
  authUsername: string;
  /** Whether a password for the browser phone is stored. */
  hasPassword: boolean;
};

/** Characters that are safe in a SIP address and in a switch command. */
const EXTENSION = /^(?:[0-9A-Za-z_.*#-]{1,32})?$/;
const extension = z
  .string()
  .trim()
  .regex(EXTENSION, issue('extension', { max: 32 }));

const optionalCell = z
  .string()
  .trim()
  .max(MAX_CELL_ID_LENGTH)
  .transform(text => (text === '' ? null : text))
  .nullable();

export const newAgent = z.object({
  name: requiredText(MAX_NAME_LENGTH),
  phoneExtension: extension.nullish(),
  /** Former name of `phoneExtension`, still sent by older clients (OCS 4.13 "Compatibility"). */
  sipUsername: extension.nullish(),
  groupId: rowId.nullish(),
  userId: rowId.nullish(),
  /** Null or empty: any cell. */
  cellId: optionalCell.optional(),
  isEnabled: flag.optional(),
  /** User name of the phone's SIP registration when it differs from the extension. */
  authUsername: extension.nullish(),
  /** Stored encrypted, returned only to the agent it belongs to; null or empty removes it. */
  sipPassword: z.string().max(MAX_PASSWORD_LENGTH).nullish(),
});
export const agentChanges = newAgent.partial();

export type NewAgent = z.output<typeof newAgent>;
export type AgentChanges = z.output<typeof agentChanges>;

/** Fields that creating or changing an agent writes. */
export interface AgentFields extends Omit<Agent, 'id' | 'hasPassword' | 'createdAt' | 'updatedAt'> {
  /** Undefined keeps the stored password; null removes it. */
  sealedPassword?: string | null;
}
