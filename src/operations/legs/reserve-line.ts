import { slotCells, slotLines } from '#dialling/decisions/slot-offer.ts';
import type { DialPlan, DialStore } from '#ports/dial-store.ts';
import type { Line } from '#model/line.ts';
import type { SlotRegistry, SlotGrant, SlotRefusal } from '#ports/slot-registry.ts';
import type { SwitchPort } from '#ports/switch.ts';

export interface PersonLineDeps {
  dials: Pick<DialStore, 'loadPlan'>;
  /** Lines of the installation, when no campaign names its own. */
  enabledLines: () => Promise<Line[]>;
}

/** Over which lines a person is called. */
export interface PersonLines {
  /** Null: no campaign names its own, every line of the installation will do. */
  plan: DialPlan | null;
  /** Enabled ones, in the campaign's order. */
  lines: Line[];
}

/** Null: no such campaign. */
export async function personLines(deps: PersonLineDeps, campaignId: number | null): Promise<PersonLines | null> {
  const plan = campaignId === null ? null : await deps.dials.loadPlan(campaignId);
  if (campaignId !== null && plan === null) return null;
  return { plan, lines: plan === null ? await deps.enabledLines() : plan.lines.filter(line => line.isEnabled) };
}

/** Under what a person's call counts beside line, number and cell. */
export interface SlotAccount {
  campaignId: number;
  /** Who comes first where a line is shared. */
  weight: number;
  campaignMax: number;
}

/** Slots of people's own calls stand under no campaign, without its limit. */
export const NO_CAMPAIGN = { campaignId: 0, campaignMax: 1_000_000 };

/** Reserves line, number and cell for one call that a person waits for. */
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
