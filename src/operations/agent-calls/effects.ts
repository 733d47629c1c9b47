import type { AgentCallEffects } from '#actors/agent-call/effects.ts';
import type { AgentCallEvent } from '#actors/agent-call/events.ts';
import type { EffectContext, EffectExecutor } from '#host/actor-host.ts';
import { isCalloutError } from '#kernel/errors.ts';
import { callStatusOf } from '#rules/hangup-cause.ts';
import { type AgentCallHost, type AgentCallMeta, type AgentCallState, parseAgentCall } from './agent-call-actor.ts';
import type { AgentCallDeps } from './deps.ts';
import { numberRefusal } from './number-refusal.ts';
import { agentCommand, customerCommand, sendLeg } from './send-leg.ts';

export interface AgentCallEffectDeps extends AgentCallDeps {
  /** The host that runs these executors; asked for late, because the two need each other. */
  host(): AgentCallHost;
}

interface Scope {
  meta: AgentCallMeta;
  tell: (event: AgentCallEvent, name: string) => Promise<void>;
}

type Work<Name extends keyof AgentCallEffects> = (deps: AgentCallEffectDeps, scope: Scope, params: AgentCallEffects[Name]) => Promise<void>;

/** Executors of a call's effects: each may run again after a crash and then changes nothing more. */
export function agentCallEffects(deps: AgentCallEffectDeps): Record<keyof AgentCallEffects, EffectExecutor<AgentCallState>> {
  const run =
    <Name extends keyof AgentCallEffects>(work: Work<Name>): EffectExecutor<AgentCallState> =>
    async (params, context: EffectContext<AgentCallState>) => {
      const meta = parseAgentCall(context.meta);
      if (!meta) return;
      const tell = async (event: AgentCallEvent, name: string) =>
        void (await deps.host().send(context.id, event, `${context.effectId}:${name}`));
      await work(deps, { meta, tell }, params);
    };
  return {
    ringAgent: run(ringAgent),
    dialCustomer: run(dialCustomer),
    bridgeLegs: run(bridgeLegs),
    recordProgress: run<'recordProgress'>(async (_, { meta }, { status, at }) => {
      const happenedAt = at ?? deps.clock.now();
      await deps.softphoneCalls.advance(meta.softphoneCallId, status, status === 'answered' ? { answeredAt: happenedAt } : {});
      if (status === 'ringing') await deps.softphoneCalls.legChanged(meta.fence, 'ringing', happenedAt);
      if (status === 'dialing') await deps.softphoneCalls.legChanged(meta.fence, 'answered', happenedAt);
    }),
    recordCustomer: run<'recordCustomer'>((_, { meta }, { status, at }) => deps.softphoneCalls.legChanged(meta.requestId, status, at)),
    recordEnd: run(recordEnd),
    closeCall: run(closeCall),
    endAgentLeg: run(endAgentLeg),
    endCustomerLeg: run<'endCustomerLeg'>(async (_, { meta }) => {
      await unlessUnreachable(deps, () => deps.switchPort.hangup(meta.cellId, meta.requestId, 'NORMAL_CLEARING'));
    }),
    probeAgent: run(probeAgent),
    probeCustomer: run(probeCustomer),
    releaseSlot: run<'releaseSlot'>(async (_, { meta }) => void (await deps.slots.release([meta.requestId]))),
    forgetCall: run<'forgetCall'>((_, { meta }) => deps.host().remove(meta.requestId)),
  };
}

const PHONE_UNKNOWN = { kind: 'not_sent', replyText: '坐席话机未注册，也没有配置 SIP 域' } as const;

const ringAgent: Work<'ringAgent'> = async (deps, { meta, tell }) => {
  const command = agentCommand(meta);
  const reply = command === null ? PHONE_UNKNOWN : await sendLeg(deps, meta, command);
  if (reply?.kind !== 'refused' && reply?.kind !== 'not_sent') return;
  const isRefused = reply.kind === 'refused';
  const reason = isRefused ? `交换机拒绝呼叫坐席话机：${reply.cause}` : reply.replyText;
  await tell({ type: 'agentGone', cause: isRefused ? reply.cause : 'NOT_SENT', reason, at: deps.clock.now() }, 'refused');
};

const dialCustomer: Work<'dialCustomer'> = async (deps, { meta, tell }) => {
  const barred: { by: string | null } = { by: null };
  const reply = await sendLeg(deps, meta, customerCommand(meta), async () => {
    barred.by = await numberRefusal(deps, meta.destination, meta.campaignId);
    return barred.by === null;
  });
  const at = deps.clock.now();
  if (barred.by !== null) return tell({ type: 'customerRefused', cause: 'OUTGOING_CALL_BARRED', reason: barred.by, at }, 'blocked');
  if (reply?.kind === 'refused') {
    return tell({ type: 'customerRefused', cause: reply.cause, reason: `交换机拒绝呼叫：${reply.cause}`, at }, 'refused');
  }
  if (reply?.kind === 'not_sent') return tell({ type: 'customerRefused', cause: 'NOT_SENT', reason: reply.replyText, at }, 'not-sent');
  if (reply?.kind === 'accepted' || reply?.kind === 'unknown') return tell({ type: 'customerSent' }, 'sent');
  // Not ours to send: dialled before, or listed since the call began. In the second case nobody else will ever tell.
  if (reply === null && (await deps.softphoneCalls.isWithdrawn(meta.requestId))) {
    return tell({ type: 'customerRefused', cause: 'OUTGOING_CALL_BARRED', reason: '号码已列入免打扰名单', at }, 'listed');
  }
};

const bridgeLegs: Work<'bridgeLegs'> = async (deps, { meta, tell }) => {
  const bridged = await unlessUnreachable(deps, () => deps.phones.bridge(meta.cellId, meta.fence, meta.requestId));
  if (bridged === 'bridged') await tell({ type: 'legsBridged' }, 'bridged');
  if (bridged === 'absent') await tell({ type: 'bridgeFailed', at: deps.clock.now() }, 'absent');
};

/** A leg that was found gone leaves its cause to whoever is told of it. */
const recordEnd: Work<'recordEnd'> = async (deps, { meta }, { leg, cause, at }) => {
  if (cause !== 'UNKNOWN') await deps.softphoneCalls.legEnded(leg === 'agent' ? meta.fence : meta.requestId, { at, cause });
};

const closeCall: Work<'closeCall'> = async (deps, { meta }, { status, cause, by, reason, endedAt }) => {
  await deps.softphoneCalls.close(meta.softphoneCallId, {
    status,
    endedAt: endedAt ?? deps.clock.now(),
    callStatus: status === 'completed' ? 'completed' : callStatusOf(cause ?? 'UNKNOWN'),
    hangupCause: cause,
    hangupBy: by,
    failureReason: status === 'failed' ? reason : null,
  });
};

const endAgentLeg: Work<'endAgentLeg'> = async (deps, { meta, tell }) => {
  const outcome = await unlessUnreachable(deps, () => deps.switchPort.hangup(meta.cellId, meta.fence, 'NORMAL_CLEARING'));
  if (outcome !== 'absent') return;
  await deps.agentReservations.release(meta.fence);
  await tell({ type: 'agentMissing' }, 'missing');
};

const probeAgent: Work<'probeAgent'> = async (deps, { meta, tell }) => {
  const channel = await unlessUnreachable(deps, () => deps.switchPort.probe(meta.cellId, meta.fence));
  if (channel === undefined) return;
  if (channel.kind === 'answered') return tell({ type: 'agentAnswered', answeredAt: channel.answeredAt }, 'answered');
  return tell({ type: 'agentGone', cause: 'NO_ANSWER', mayStand: true, at: deps.clock.now() }, 'late');
};

const probeCustomer: Work<'probeCustomer'> = async (deps, { meta, tell }, { isSent }) => {
  const channel = await unlessUnreachable(deps, () => deps.switchPort.probe(meta.cellId, meta.requestId));
  if (channel === undefined) return;
  if (channel.kind === 'answered') return tell({ type: 'customerAnswered', at: channel.answeredAt }, 'answered');
  if (channel.kind === 'ringing') return tell({ type: 'customerFound' }, 'found');
  if (isSent) return tell({ type: 'customerMissing', at: deps.clock.now() }, 'missing');
};

/** A cell that is away says nothing: the machine's timers ask again. */
async function unlessUnreachable<T>(deps: AgentCallEffectDeps, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!isCalloutError(error, 'SWITCH_UNAVAILABLE')) throw error;
    deps.log.debug({}, 'the switch did not answer for a call of an agent');
    return undefined;
  }
}
