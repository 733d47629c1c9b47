import type { AgentCallEffects } from '#actors/agent-call/effects.ts';
import type { LegEvent } from '#actors/leg/events.ts';
import type { AgentCallEvent } from '#actors/agent-call/events.ts';
import { messageSender } from '#platform/actor-host/actor-router.ts';
import { unlessUnreachable } from '#kernel/errors.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { callStatusOf } from '#protocol/call-status.ts';
import { probeEnd } from '#platform/freeswitch/probe-end.ts';
import type { Platform } from '#platform/platform.ts';
import { type Callee, originateLeg, type DialOutcome, phoneCallee } from '#legs/originate-leg.ts';
import { decideLeg } from '#legs/leg-actor.ts';
import { numberRefusal } from '#dialling/evaluate.ts';
import { type AgentCallApp, type AgentCallHost, type AgentCallMeta, type AgentCallState, parseAgentCall } from './agent-call-actor.ts';
import type { EffectContext, Executors } from '#platform/actor-host/aggregate.ts';

interface AgentCallEffectOptions extends AgentCallApp, Pick<Platform, 'actors'> {
  /** The host that runs these executors; a function, because host and executors need each other. */
  host(): AgentCallHost;
}

interface Scope {
  meta: AgentCallMeta;
  send: (event: AgentCallEvent, name: string) => Promise<void>;
}

type Work<Name extends keyof AgentCallEffects> = (
  app: AgentCallEffectOptions,
  scope: Scope,
  params: AgentCallEffects[Name],
) => Promise<void>;

/** Executors of a call's effects; each is idempotent, because it may run again after a crash. */
export function agentCallEffects(app: AgentCallEffectOptions): Executors<AgentCallEffects, AgentCallState> {
  const run =
    <Name extends keyof AgentCallEffects>(work: Work<Name>) =>
    async (params: AgentCallEffects[Name], context: EffectContext<AgentCallState>) => {
      const meta = parseAgentCall(context.meta);
      if (!meta) return;
      const send = async (event: AgentCallEvent, name: string) =>
        void (await app.host().send(context.id, event, `${context.effectId}:${name}`));
      await work(app, { meta, send }, params);
    };
  return {
    ringAgent: run(ringAgent),
    dialCustomer: run(dialCustomer),
    bridgeLegs: run(bridgeLegs),
    recordProgress: run<'recordProgress'>(async (_, { meta }, { status, at }) => {
      const happenedAt = at ?? app.clock.now();
      await app.softphoneCalls.advance(meta.softphoneCallId, status, status === 'answered' ? { answeredAt: happenedAt } : {});
      if (status === 'ringing') await sendToLeg(app, meta.fence, { type: 'legRang' });
      if (status === 'dialing') await sendToLeg(app, meta.fence, { type: 'legJoined', at: happenedAt });
    }),
    recordCustomer: run<'recordCustomer'>((_, { meta }, { status, at }) =>
      sendToLeg(app, meta.requestId, status === 'ringing' ? { type: 'legRang' } : { type: 'legJoined', at }),
    ),
    recordEnd: run(recordEnd),
    closeCall: run(closeCall),
    endAgentLeg: run(endAgentLeg),
    sendTo: messageSender(app),
    endCustomerLeg: run<'endCustomerLeg'>(async (_, { meta }) => {
      await unlessUnreachable(() => app.switchPort.hangup(meta.cellId, meta.requestId, 'NORMAL_CLEARING'));
    }),
    probeAgent: run(probeAgent),
    probeCustomer: run(probeCustomer),
    releaseSlot: run<'releaseSlot'>(async (_, { meta }) => void (await app.slots.release([meta.requestId]))),
    forgetCall: run<'forgetCall'>((_, { meta }) => app.host().remove(meta.requestId)),
  };
}

const ringAgent: Work<'ringAgent'> = async (app, { meta, send }) => {
  // The agent's phone shows the number of the customer that it is about to be connected with.
  const callee = phoneCallee(meta.realm, meta.phoneExtension, meta.destination);
  const dialed = callee ? await dialLeg(app, meta, meta.fence, callee) : PHONE_UNKNOWN;
  const end = unsentEnd(dialed, '交换机拒绝呼叫坐席话机');
  if (end) await send({ type: 'agentGone', ...end, at: app.clock.now() }, 'refused');
};

const PHONE_UNKNOWN: DialOutcome = { kind: 'not_sent', reason: '坐席话机未注册，也没有配置 SIP 域' };

const dialCustomer: Work<'dialCustomer'> = async (app, { meta, send }) => {
  const { dialStringTemplate, callerIdName, callerIdHeaderMode } = meta.line;
  const number = { destinationNumber: meta.destination, digitsAfterAnswer: meta.extension ?? '' };
  const callee = { dialStringTemplate, callerIdName, callerIdHeaderMode, ...number };
  const key = meta.dialKey ?? dialKey(meta.destination, app.region);
  const refusal = () => numberRefusal(app, key, meta.campaignId);
  const dialed = await dialLeg(app, meta, meta.requestId, { ...callee, callerIdNumber: meta.callerNumber }, refusal);
  if (dialed.kind === 'sent') return send({ type: 'customerSent' }, 'sent');
  const end = unsentEnd(dialed, '交换机拒绝呼叫') ?? (await listedEnd(app, meta));
  if (end) await send({ type: 'customerRefused', ...end, at: app.clock.now() }, 'refused');
};

/** Dials one leg of the call under the customer's slot. */
function dialLeg(
  app: AgentCallApp,
  meta: AgentCallMeta,
  legUuid: string,
  callee: Callee,
  refusal?: () => Promise<string | null>,
): Promise<DialOutcome> {
  const { requestId, campaignId, cellId, timeoutSeconds } = meta;
  const campaign = campaignId === null ? {} : { callout_campaign_id: String(campaignId) };
  const variables = { callout_request_id: requestId, ...campaign };
  return originateLeg(app, {
    command: { ...callee, cellId, requestId: legUuid, timeoutSeconds, variables },
    slotId: requestId,
    ...(refusal && { refusal }),
    mark: () => app.softphoneCalls.markDialing(legUuid),
  });
}

interface LegEnd {
  cause: string;
  /** Chinese text. */
  reason: string;
}

/** Returns the end of a leg that is certain not to ring; null otherwise. */
function unsentEnd(dialed: DialOutcome, refused: string): LegEnd | null {
  if (dialed.kind === 'refused') return { cause: dialed.cause, reason: `${refused}：${dialed.cause}` };
  if (dialed.kind === 'barred') return { cause: 'OUTGOING_CALL_BARRED', reason: dialed.reason };
  return dialed.kind === 'not_sent' ? { cause: 'NOT_SENT', reason: dialed.reason } : null;
}

/** The mark was refused: the leg was dialled before, or its number was listed after the call began. Only the second case is ended here. */
async function listedEnd({ softphoneCalls }: AgentCallApp, { requestId }: AgentCallMeta): Promise<LegEnd | null> {
  return (await softphoneCalls.isWithdrawn(requestId)) ? { cause: 'OUTGOING_CALL_BARRED', reason: '号码已列入勿扰名单' } : null;
}

const bridgeLegs: Work<'bridgeLegs'> = async (app, { meta, send }) => {
  const bridged = await unlessUnreachable(() => app.phones.bridge(meta.cellId, meta.fence, meta.requestId));
  if (bridged === 'bridged') await send({ type: 'legsBridged' }, 'bridged');
  if (bridged === 'absent') await send({ type: 'bridgeFailed', at: app.clock.now() }, 'absent');
};

/** Updates the row of a leg of this call; the call's actor decides what follows. */
async function sendToLeg({ conferences }: AgentCallApp, legUuid: string, event: LegEvent): Promise<void> {
  await conferences.changeLeg(legUuid, leg => decideLeg(leg, event));
}

/** A leg that a probe found gone stays open in its row until an event brings the cause. */
const recordEnd: Work<'recordEnd'> = async (app, { meta }, { leg, cause, at }) => {
  if (cause !== 'UNKNOWN') await sendToLeg(app, leg === 'agent' ? meta.fence : meta.requestId, { type: 'legLeft', at, cause });
};

const closeCall: Work<'closeCall'> = async (app, { meta }, { status, cause, by, reason, endedAt }) => {
  await app.softphoneCalls.close(meta.softphoneCallId, {
    status,
    endedAt: endedAt ?? app.clock.now(),
    callStatus: status === 'completed' ? 'completed' : callStatusOf(cause ?? 'UNKNOWN'),
    hangupCause: cause,
    hangupBy: by,
    failureReason: status === 'failed' ? reason : null,
  });
};

const endAgentLeg: Work<'endAgentLeg'> = async (app, { meta: { cellId, agentId, fence }, send }) => {
  const outcome = await unlessUnreachable(() => app.switchPort.hangup(cellId, fence, 'NORMAL_CLEARING'));
  if (outcome === 'absent') await send({ type: 'agentMissing', agentId, fence }, 'missing');
};

const probeAgent: Work<'probeAgent'> = async (app, { meta, send }) => {
  const channel = await unlessUnreachable(() => app.switchPort.probe(meta.cellId, meta.fence));
  if (channel === undefined) return;
  if (channel.kind === 'answered') return send({ type: 'agentAnswered', answeredAt: channel.answeredAt }, 'answered');
  return send({ type: 'agentGone', cause: 'NO_ANSWER', mayStand: true, at: app.clock.now() }, 'late');
};

const probeCustomer: Work<'probeCustomer'> = async (app, { meta, send }, { isSent }) => {
  const at = app.clock.now();
  const channel = await probeEnd(app, meta.cellId, meta.requestId);
  if (channel === undefined) return;
  if (channel.kind === 'answered') return send({ type: 'customerAnswered', at: channel.answeredAt }, 'answered');
  if (channel.kind === 'ringing') return send({ type: 'customerFound' }, 'found');
  if (isSent) return send({ type: 'customerMissing', at }, 'missing');
};
