import type { OriginateCommand, OriginateReply } from '#ports/switch.ts';
import { sendForPerson } from '#dialling/send-for-person.ts';
import { phoneTemplate } from '../agents/phone-address.ts';
import type { AgentCallDeps } from './deps.ts';
import type { AgentCallMeta } from './agent-call-actor.ts';

/** Null: nobody knows where the agent's phone is. */
export function agentCommand(meta: AgentCallMeta): Omit<OriginateCommand, 'sendBefore'> | null {
  const dialStringTemplate = phoneTemplate(meta.realm);
  if (dialStringTemplate === null) return null;
  return {
    cellId: meta.cellId,
    requestId: meta.fence,
    dialStringTemplate,
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
 * Sends one leg of the call, once for ever, when its turn has come; null when somebody has sent it already, it may not leave, or the call is over.
 *
 * Why:    the executor may run again after a crash, an originate may not: the mark in PostgreSQL comes first, and nothing is sent without winning it
 * Source: A6 steps 5–6
 */
export function sendLeg(
  deps: AgentCallDeps,
  meta: AgentCallMeta,
  command: Omit<OriginateCommand, 'sendBefore'>,
  mayLeave: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<OriginateReply | null> {
  return sendForPerson(deps, {
    turn: { requestId: meta.requestId, leg: command.requestId },
    sendDeadlineMs: deps.sendDeadlineMs,
    mark: async () => (await mayLeave()) && deps.softphoneCalls.markDialing(command.requestId),
    originate: sendBefore => deps.switchPort.originate({ ...command, sendBefore }),
  });
}
