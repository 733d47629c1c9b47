import type { CampaignHeadFragment } from './campaign.generated.ts';

/** What decides where a check is mended. */
type Mended = Pick<CampaignHeadFragment, 'scheduledStartAt' | 'scheduledEndAt'> & {
  id: string;
  lines: readonly { lineId: string }[];
};

/** Where each check is mended, to the very field; one that is not here is mended outside the console. */
export const MENDS: Readonly<Record<string, (campaign: Mended, now: number) => string>> = {
  CONTACTS: ({ id }) => `/campaigns/${id}/import`,
  // A line that is off, or full, is mended where it stands; a campaign without one takes another.
  LINES: ({ id, lines: [line] }) => (line ? `/lines?open=${line.lineId}` : `/campaigns/${id}/edit?field=lineIds`),
  BUSINESS: ({ id }) => `/campaigns/${id}/edit?field=businessCode`,
  SCRIPT: ({ id }) => `/campaigns/${id}/edit?field=businessCode`,
  RUNTIME: () => '/cells',
  WINDOW: (campaign, now) => `/campaigns/${campaign.id}/edit?field=${closedBy(campaign, now)}`,
  POLICIES: () => '/rules',
  CELL: ({ id }) => `/campaigns/${id}/edit?field=cellId`,
  MONITORING: () => '/live',
  SKIPS: ({ id }) => `/campaigns/${id}?tab=contacts`,
  CALLER_ID: () => '/lines',
};

/** Which of its settings keeps a campaign from dialling now: its plan before the hours of its days. */
function closedBy({ scheduledStartAt, scheduledEndAt }: Mended, now: number): 'scheduledStartAt' | 'scheduledEndAt' | 'workdayStart' {
  if (scheduledEndAt && Date.parse(scheduledEndAt) <= now) return 'scheduledEndAt';
  return scheduledStartAt && Date.parse(scheduledStartAt) > now ? 'scheduledStartAt' : 'workdayStart';
}
