import { CalloutError, conflict, invalidArgument, notFound } from '#kernel/errors.ts';
import type { Line } from '#model/line.ts';
import type { CallTargets } from '#ports/softphone-store.ts';
import { destinationNumber } from '#rules/phone-number.ts';
import { type PersonLineDeps, personLines } from '../legs/reserve-line.ts';

export interface AgentCallInput {
  phoneNumber?: string | null | undefined;
  contactId?: number | null | undefined;
  campaignId?: number | null | undefined;
  note?: string | undefined;
}

export interface TargetDeps extends PersonLineDeps {
  callTargets: CallTargets;
}

/** Whom an agent calls, and over which lines. */
export interface CallTarget {
  phoneNumber: string;
  /** As it is dialled. */
  destination: string;
  contactId: number | null;
  campaignId: number | null;
  /** Cell of the campaign; null: any. */
  cellId: string | null;
  /** Enabled ones, in the campaign's order. */
  lines: Line[];
}

/**
 * `contactId` alone is enough: number and campaign then come from the contact.
 *
 * Errors: INVALID_ARGUMENT naming the field; NOT_FOUND; CAMPAIGN_ARCHIVED; CONFLICT without an enabled line
 * Source: OCS 4.13 "manual-calls", D12.3
 */
export async function findTarget(deps: TargetDeps, input: AgentCallInput): Promise<CallTarget> {
  const contact = await findContact(deps, input);
  const phoneNumber = input.phoneNumber || contact?.phoneNumber;
  if (!phoneNumber) throw invalidArgument('phoneNumber', '不能为空：phoneNumber 与 contactId 至少填写一个');
  const destination = destinationNumber(phoneNumber);
  if (destination === null) throw invalidArgument('phoneNumber', '不是可以拨打的号码');
  const campaignId = input.campaignId ?? contact?.campaignId ?? null;
  const { lines, cellId } = await findLines(deps, campaignId);
  if (lines.length === 0) throw conflict('LINE_MISSING', '没有可用的外呼线路');
  return { phoneNumber, destination, contactId: contact?.id ?? null, campaignId, cellId, lines };
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
