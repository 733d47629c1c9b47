import { CalloutError, conflict, invalidArgument, notFound } from '#kernel/errors.ts';
import type { LineStore } from '#ports/line-store.ts';
import type { DialStore } from '#ports/dial-store.ts';
import type { Line } from '#ports/records.ts';
import type { CallTargets } from '#ports/softphone-store.ts';
import { destinationNumber } from '#rules/phone-number.ts';

export interface AgentCallInput {
  phoneNumber?: string | null | undefined;
  contactId?: number | null | undefined;
  campaignId?: number | null | undefined;
  note?: string | undefined;
}

export interface TargetDeps {
  callTargets: CallTargets;
  dials: Pick<DialStore, 'loadPlan'>;
  lines: Pick<LineStore, 'list'>;
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

/** Lines of the installation, when no campaign names its own. */
const MAX_LINES = 1_000;

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
  if (lines.length === 0) throw conflict('没有可用的外呼线路');
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
  if (campaignId === null) {
    const { rows } = await deps.lines.list(MAX_LINES);
    return { lines: rows.filter(line => line.isEnabled), cellId: null };
  }
  const plan = await deps.dials.loadPlan(campaignId);
  if (!plan) throw notFound('活动');
  if (plan.campaign.status === 'archived') throw new CalloutError('CAMPAIGN_ARCHIVED', '活动已归档，不能外呼');
  return { lines: plan.lines.filter(line => line.isEnabled), cellId: plan.campaign.cellId };
}
