import type { InputFault } from '#kernel/errors.ts';
import { problem } from '#kernel/problem.ts';
import { ANY_REGION, type Region } from '#phone-numbers/dial-key.ts';
import { DATE_KINDS } from './date-kinds.ts';
import { LIMIT_KINDS } from './limit-kinds.ts';
import { NUMBER_KINDS } from './number-kinds.ts';
import { PERSON_KINDS } from './person-kinds.ts';
import { type ConfigMembers, fault, type PolicyEffect, type PolicyKind, type Read } from './policy-kind.ts';
import { keysOf } from '#kernel/typed.ts';

const KINDS = { ...DATE_KINDS, ...NUMBER_KINDS, ...LIMIT_KINDS, ...PERSON_KINDS };

export type PolicyType = keyof typeof KINDS;

/** Every policy type, in the order of the documents. Source: OCS 2.9, 4.9, D8.2 */
export const POLICY_KINDS: Readonly<Record<PolicyType, PolicyKind & { settings: (typeof KINDS)[PolicyType]['settings'] }>> = KINDS;

export const POLICY_TYPES = keysOf(KINDS);

export function isPolicyType(type: string): type is PolicyType {
  return Object.hasOwn(POLICY_KINDS, type);
}

/** Parses the config of a policy type; a fault names the member relative to the config. */
export function readPolicyConfig(type: string, config: unknown, region: Region): Read<PolicyEffect> {
  if (!isPolicyType(type)) return fault('', problem('strangePolicyType'));
  return isMembers(config) ? POLICY_KINDS[type].read(config, region) : fault('', problem('object'));
}

interface PolicyInput {
  type: string;
  action: string;
  scope: string;
  campaignId: number | null;
  config: unknown;
}

/**
 * Validates a policy as submitted; null when it is valid.
 *
 * Shape:  `field` is the path in the request body: `type`, `action`, `campaignId`, `config.dates[3]`
 * Source: OCS 2.9, D8.2
 */
export function policyFault(input: PolicyInput): InputFault | null {
  if (input.scope !== 'global' && input.scope !== 'campaign') return { field: 'scope', problem: problem('globalOrCampaign') };
  if (input.scope === 'campaign' && input.campaignId === null) return { field: 'campaignId', problem: problem('policyCampaign') };
  if (!isPolicyType(input.type)) return { field: 'type', problem: problem('unknownPolicyType') };
  const { action } = POLICY_KINDS[input.type];
  if (input.action !== action) return { field: 'action', problem: problem('policyAction', { type: input.type, action }) };
  const read = readPolicyConfig(input.type, input.config, ANY_REGION);
  return read.ok ? null : inConfig(read.fault);
}

/**
 * Validates a config that a user submits now; null when it is valid. Stricter than the reading of stored configs.
 *
 * Shape:  `field` as in `policyFault`; the input must have passed `policyFault`
 * Source: D8.7
 */
export function writtenFault({ type, config }: Pick<PolicyInput, 'type' | 'config'>, region: Region): InputFault | null {
  const found = isPolicyType(type) && isMembers(config) ? POLICY_KINDS[type].refuse?.(config, region) : null;
  return found ? inConfig(found) : null;
}

function inConfig({ field, problem }: InputFault): InputFault {
  return { field: field ? `config.${field}` : 'config', problem };
}

function isMembers(config: unknown): config is ConfigMembers {
  return typeof config === 'object' && config !== null && !Array.isArray(config);
}
