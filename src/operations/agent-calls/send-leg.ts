import type { OriginateCommand, OriginateReply } from '#ports/switch.ts';
import { sendPaced } from '../dispatch/send-paced.ts';
import type { AgentCallDeps } from './deps.ts';
import type { AgentCallMeta } from './agent-call-actor.ts';

/** An extension of the switch's directory; `buildOriginate` takes letters here. */
const extensionTemplate = (realm: string) => (realm === '' ? 'user/{{destinationNumber}}' : `user/{{destinationNumber}}@${realm}`);

export function agentCommand(meta: AgentCallMeta): Omit<OriginateCommand, 'sendBefore'> {
  return {
    cellId: meta.cellId,
    requestId: meta.fence,
    dialStringTemplate: extensionTemplate(meta.realm),
    destinationNumber: meta.phoneExtension,
    // The agent sees whom it is about to be connected with.
    callerIdNumber: meta.destination,
    callerIdName: null,
    callerIdHeaderMode: 'caller_id_only',
    timeoutSeconds: meta.timeoutSeconds,
    variables: variablesOf(meta),
  };
}

export function customerCommand(meta: AgentCallMeta): Omit<OriginateCommand, 'sendBefore'> {
  return {
    cellId: meta.cellId,
    requestId: meta.requestId,
    dialStringTemplate: meta.line.dialStringTemplate,
    destinationNumber: meta.destination,
    callerIdNumber: meta.callerNumber,
    callerIdName: meta.line.callerIdName,
    callerIdHeaderMode: meta.line.callerIdHeaderMode,
    timeoutSeconds: meta.timeoutSeconds,
    variables: variablesOf(meta),
  };
}

function variablesOf({ requestId, campaignId }: AgentCallMeta): Record<string, string> {
  return { callout_request_id: requestId, ...(campaignId === null ? {} : { callout_campaign_id: String(campaignId) }) };
}

/**
 * Sends one leg of the call, once for ever; null when somebody has sent it already, or the call is over.
 *
 * Why:    the executor may run again after a crash, an originate may not: the mark in PostgreSQL comes first, and nothing is sent without winning it
 * Source: A6 steps 5–6
 */
export async function sendLeg(
  deps: AgentCallDeps,
  meta: AgentCallMeta,
  command: Omit<OriginateCommand, 'sendBefore'>,
): Promise<OriginateReply | null> {
  // Counted from before the mark: a slow answer of the database eats the deadline, it never extends it.
  const sendBefore = deps.clock.monotonic() + deps.sendDeadlineMs;
  if (!(await deps.softphoneCalls.markDialing(command.requestId))) return null;
  const send = {
    requestId: meta.requestId,
    leg: command.requestId,
    send: (before: number) => deps.switchPort.originate({ ...command, sendBefore: before }),
  };
  const [sending] = sendPaced(deps, [send], sendBefore);
  return (await sending) ?? null;
}
