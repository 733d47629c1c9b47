import type { AgentsPart } from '#agents/agent-directory.ts';
import { phoneRealm, phoneTemplate, type SipPart } from '#agents/sip-config.ts';
import { findOwnAgent } from '#agents/status.ts';
import type { DialPlan } from '#dialling/dial-store.ts';
import type { Caller } from '#kernel/caller.ts';
import { conflict } from '#kernel/errors.ts';
import { NUMBER_RULE_DEFAULTS } from '#lines/decisions/number-rules.ts';
import type { Line } from '#lines/line.ts';

/** A phone to ring, and the plan whose lines and cell reach it. */
export interface TestTarget {
  phoneNumber: string;
  dialKey: string;
  plan: DialPlan;
}

export type OwnPhoneApp = AgentsPart & SipPart;

/** Stands for no line: a phone of ours is reached by the switch itself. */
export const NO_LINE = 0;

/**
 * The softphone of the caller's agent.
 *
 * Errors: CONFLICT without an agent, an extension or a registered phone
 */
export async function ownPhone(app: OwnPhoneApp, caller: Caller, plan: DialPlan): Promise<TestTarget> {
  const agent = await findOwnAgent(app, caller);
  if (agent === null) throw conflict('AGENT_MISSING', '您没有坐席，请填写号码');
  const { phoneExtension } = agent;
  if (phoneExtension === '') throw conflict('EXTENSION_MISSING', `坐席「${agent.name}」没有配置分机`);
  const place = app.phoneRegistry.locate(phoneExtension, plan.campaign.cellId ?? agent.cellId);
  const template = place && phoneTemplate(phoneRealm(app, phoneExtension, place.cellId));
  if (!place || template === null) throw conflict('PHONE_UNREGISTERED', `坐席「${agent.name}」的话机 ${phoneExtension} 未注册`);
  const campaign = { ...plan.campaign, cellId: place.cellId };
  return { phoneNumber: phoneExtension, dialKey: phoneExtension, plan: { ...plan, campaign, lines: [lineTo(template, plan)] } };
}

/** Shows the number that customers of the campaign's first line see. */
function lineTo(dialStringTemplate: string, { lines }: DialPlan): Line {
  return {
    id: NO_LINE,
    name: '',
    code: '',
    dialStringTemplate,
    callerIdNumber: lines[0]?.callerIdNumber ?? null,
    callerIdName: null,
    maxConcurrency: 1_000,
    allocationMode: 'single_shared',
    callerIdHeaderMode: 'caller_id_only',
    numberFormat: 'e164',
    localPrefixes: '',
    isEnabled: true,
    description: '',
    numbers: [],
    numberRules: NUMBER_RULE_DEFAULTS,
    createdAt: 0,
    updatedAt: 0,
  };
}
