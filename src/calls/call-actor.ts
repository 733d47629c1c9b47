import { callMachine } from '#actors/call/machine.ts';
import type { CallContext, CallInput } from '#actors/call/context.ts';
import type { CallDetails } from '#outcomes/outcome-store.ts';
import type { ActorHost } from '#platform/actor-host/actor-host.ts';
import { firstDecision } from '#platform/actor-host/machine-aggregate.ts';
import { isMonitored } from '#campaigns/campaign.ts';
import type { CallActorEvent, CallState } from './call-aggregate.ts';

export type CallHost = ActorHost<CallState, CallActorEvent>;

/** Static facts of a call, stored beside its state. */
export interface CallMeta extends CallDetails {
  lineId: number | null;
  callerNumber: string | null;
  /** UTC ms. */
  startedAt: number;
}

/** Creates the actor of a call that is about to be dialled; false when it exists. */
export function openCall(host: CallHost, meta: CallMeta, input: CallInput): Promise<boolean> {
  const { campaignId, businessConfig } = meta;
  const watched = isMonitored(businessConfig) ? { isMonitored: true } : {};
  const first = firstDecision<CallContext>(callMachine, { ...input, campaignId, ...watched });
  return host.create(meta.requestId, first, JSON.stringify(meta), `open:${meta.requestId}`);
}

export function parseMeta(meta: string | null): CallMeta | null {
  return meta === null ? null : (JSON.parse(meta) as CallMeta);
}
