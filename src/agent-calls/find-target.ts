import { CalloutError, conflict, invalidArgument, notFound } from '#kernel/errors.ts';
import type { Line } from '#lines/line.ts';
import type { CallTargets, TargetContact } from './agent-call.ts';
import { dialKey, type Region } from '#phone-numbers/dial-key.ts';
import { destinationNumber } from '#phone-numbers/phone-number.ts';
import { type PersonLineDeps, personLines } from '#legs/dial-person.ts';

export interface AgentCallInput {
  phoneNumber?: string | null | undefined;
  contactId?: number | null | undefined;
  campaignId?: number | null | undefined;
  note?: string | undefined;
}

export interface TargetDeps extends PersonLineDeps {
  /** Region of numbers without a country code. */
  region: Region;
  callTargets: CallTargets;
}

/** The number that an agent calls, and the lines that may carry the call. */
export interface CallTarget {
  phoneNumber: string;
  /** Normalised number for comparisons, from which the line forms the number that it dials. */
  dialKey: string;
  contactId: number | null;
  campaignId: number | null;
  /** Cell of the campaign; null for any cell. */
  cellId: string | null;
  /** Enabled lines, in the campaign's order. */
  lines: Line[];
}

/**
 * Resolves the target of a call. `contactId` alone is enough: number and campaign then come from the contact.
 *
 * Errors: INVALID_ARGUMENT naming the field; NOT_FOUND; CAMPAIGN_ARCHIVED; CONFLICT without an enabled line
 * Source: OCS 4.13 "manual-calls", D12.3
 */
export async function findTarget(deps: TargetDeps, input: AgentCallInput): Promise<CallTarget> {
  const contact = await findContact(deps, input);
  const number = numberOf(input, contact, deps.region);
  if (number === null) throw invalidArgument('phoneNumber', '不能为空：phoneNumber 与 contactId 至少填写一个');
  if (destinationNumber(number.dialKey) === null) throw invalidArgument('phoneNumber', '不是可以拨打的号码');
  const campaignId = input.campaignId ?? contact?.campaignId ?? null;
  const { lines, cellId } = await findLines(deps, campaignId);
  if (lines.length === 0) throw conflict('LINE_MISSING', '没有可用的外呼线路');
  return { ...number, contactId: contact?.id ?? null, campaignId, cellId, lines };
}

/** A contact keeps its stored key, because its import file may have named another region. */
export function numberOf(
  { phoneNumber }: Pick<AgentCallInput, 'phoneNumber'>,
  contact: Pick<TargetContact, 'phoneNumber' | 'dialKey'> | null,
  region: Region,
): { phoneNumber: string; dialKey: string } | null {
  if (phoneNumber && phoneNumber !== contact?.phoneNumber) return { phoneNumber, dialKey: dialKey(phoneNumber, region) };
  return contact && { phoneNumber: contact.phoneNumber, dialKey: contact.dialKey };
}

async function findContact({ callTargets }: TargetDeps, { contactId, campaignId }: AgentCallInput) {
  if (contactId == null) return null;
  const contact = await callTargets.findContact(contactId);
  if (!contact) throw notFound('联系人');
  if (campaignId != null && contact.campaignId !== campaignId) throw invalidArgument('contactId', '不属于该活动');
  return contact;
}

async function findLines(deps: TargetDeps, campaignId: number | null): Promise<{ lines: Line[]; cellId: string | null }> {
  const found = await personLines(deps, campaignId);
  if (!found) throw notFound('活动');
  const campaign = found.plan?.campaign;
  if (campaign?.status === 'archived') throw new CalloutError('CAMPAIGN_ARCHIVED', '活动已归档，不能外呼');
  return { lines: found.lines, cellId: campaign?.cellId ?? null };
}
