import type { AgentCallContext, AgentCallInput } from '#actors/agent-call/context.ts';
import type { AgentCallEvent } from '#actors/agent-call/events.ts';
import { agentCallMachine } from '#actors/agent-call/machine.ts';
import type { ActorHost } from '#platform/actor-host/actor-host.ts';
import type { Aggregate } from '#platform/actor-host/aggregate.ts';
import { firstDecision, machineAggregate, type MachineState } from '#platform/actor-host/machine-aggregate.ts';
import type { Line } from '#lines/line.ts';

export type AgentCallState = MachineState<AgentCallContext>;
export type AgentCallHost = ActorHost<AgentCallState, AgentCallEvent>;

/** Written with each snapshot; raise it and add an `upgrade` when the shape of state or context changes. */
const SNAPSHOT_VERSION = 1;

/** Static facts of a call, stored beside its state. */
export interface AgentCallMeta {
  softphoneCallId: number;
  /** Uuid of the customer's channel. */
  requestId: string;
  /** Uuid of the agent's leg. */
  fence: string;
  agentId: number;
  phoneExtension: string;
  realm: string;
  cellId: string;
  campaignId: number | null;
  /** Normalised number for comparisons; absent from calls that an older version opened. */
  dialKey?: string;
  /** Number as the line dials it: only `+`, digits, `*`, `#`. */
  destination: string;
  callerNumber: string | null;
  line: Pick<Line, 'id' | 'dialStringTemplate' | 'callerIdName' | 'callerIdHeaderMode'>;
  timeoutSeconds: number;
}

export function agentCallAggregate(): Aggregate<AgentCallState, AgentCallEvent> {
  return machineAggregate<AgentCallContext, AgentCallEvent>({
    type: 'agentCall',
    machine: agentCallMachine,
    snapshotVersion: SNAPSHOT_VERSION,
    upgrade: snapshot => {
      throw new Error(`agent call snapshot of an unknown version ${snapshot.v}`);
    },
  });
}

/** Starts the call: the agent's phone rings once the actor is committed. */
export function openAgentCall(host: AgentCallHost, meta: AgentCallMeta, input: AgentCallInput): Promise<boolean> {
  const first = firstDecision<AgentCallContext>(agentCallMachine, input);
  return host.create(meta.requestId, first, JSON.stringify(meta), `open:${meta.requestId}`);
}

export function parseAgentCall(meta: string | null): AgentCallMeta | null {
  return meta === null ? null : (JSON.parse(meta) as AgentCallMeta);
}
