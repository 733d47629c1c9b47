import { slotCells, slotLines } from '#dialling/decisions/slot-offer.ts';
import type { Line } from '#lines/line.ts';
import type { SlotRegistry, SlotGrant, SlotRefusal } from '#slots/slot-registry.ts';
import type { SwitchPort } from '#platform/freeswitch/switch.ts';
import type { DialPlan, DialStore } from '#dialling/dial-store.ts';

export interface PersonLineDeps {
  dials: Pick<DialStore, 'loadPlan'>;
  /** Enabled lines of the installation, for calls that belong to no campaign. */
  enabledLines: () => Promise<Line[]>;
}

/** Lines for a call to an outside number. */
export interface PersonLines {
  /** Null without a campaign: every line of the installation may be used. */
  plan: DialPlan | null;
  /** Enabled lines, in the campaign's order. */
  lines: Line[];
}

/** Returns null when the campaign does not exist. */
export async function personLines(deps: PersonLineDeps, campaignId: number | null): Promise<PersonLines | null> {
  const plan = campaignId === null ? null : await deps.dials.loadPlan(campaignId);
  if (campaignId !== null && plan === null) return null;
  return { plan, lines: plan === null ? await deps.enabledLines() : plan.lines.filter(line => line.isEnabled) };
}

/** Campaign and weight under which a slot is counted, besides line, number and cell. */
export interface SlotAccount {
  campaignId: number;
  /** Precedence on a shared line. */
  weight: number;
  campaignMax: number;
}

/** Account of calls that belong to no campaign and are not bound by a campaign's limit. */
export const NO_CAMPAIGN = { campaignId: 0, campaignMax: 1_000_000 };

/** Reserves line, number and cell for a single call that an agent or user is waiting for. */
export async function reserveLine(
  { slots, switchPort }: { slots: Pick<SlotRegistry, 'reserve'>; switchPort: Pick<SwitchPort, 'cells'> },
  request: { requestId: string; cellId: string | null; lines: readonly Line[]; account: SlotAccount },
): Promise<{ grant: SlotGrant | undefined; refusal: SlotRefusal | null }> {
  const { requestId, cellId, lines, account } = request;
  const { grants, refusal } = await slots.reserve({
    ...account,
    callIntervalMs: 0,
    startsNow: true,
    lines: slotLines({ lines }),
    cells: cellId === null ? [] : slotCells({ campaign: { cellId } }, switchPort.cells()),
    requestIds: [requestId],
  });
  return { grant: grants[0], refusal };
}
