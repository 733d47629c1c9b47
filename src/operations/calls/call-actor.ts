import { callMachine } from '#actors/call/machine.ts';
import type { CallContext, CallInput } from '#actors/call/context.ts';
import type { CallEvent } from '#actors/call/events.ts';
import type { CallBrief } from '#ports/dial-store.ts';
import type { ActorHost } from '#host/actor-host.ts';
import type { Aggregate } from '#host/aggregate.ts';
import { firstDecision, machineAggregate, type MachineState } from '#host/machine-aggregate.ts';

export type CallState = MachineState<CallContext>;
export type CallHost = ActorHost<CallState, CallEvent>;

/** Written with each snapshot; raise it with an `upgrade` when the shape of state or context changes. */
const SNAPSHOT_VERSION = 1;

/** Static facts of a call beside its state. */
export interface CallMeta extends CallBrief {
  lineId: number | null;
  callerNumber: string | null;
  /** UTC ms. */
  startedAt: number;
}

/** The call aggregate; the intervention machine joins it under the same version (A3). */
export function callAggregate(): Aggregate<CallState, CallEvent> {
  return machineAggregate<CallContext, CallEvent>({
    type: 'call',
    machine: callMachine,
    snapshotVersion: SNAPSHOT_VERSION,
    upgrade: snapshot => {
      throw new Error(`call snapshot of an unknown version ${snapshot.v}`);
    },
  });
}

/** Creates the actor of a dial that is about to leave; false when it exists. */
export function openCall(host: CallHost, meta: CallMeta, input: CallInput): Promise<boolean> {
  return host.create(meta.requestId, firstDecision<CallContext>(callMachine, input), JSON.stringify(meta), `open:${meta.requestId}`);
}

export function parseMeta(meta: string | null): CallMeta | null {
  return meta === null ? null : (JSON.parse(meta) as CallMeta);
}
