import type { CampaignHeadFragment, CampaignPreflightQuery } from './campaign.generated.ts';

type Preflight = NonNullable<CampaignPreflightQuery['campaign']>['preflight'];
type Skips = Readonly<Record<keyof typeof WHY, number>>;

/** For each kind of skipped contact, the reason by which the contact list filters. */
const WHY = {
  dnc: 'DNC',
  blacklist: 'BLACKLIST',
  frequency: 'FREQUENCY_CAP',
  window: 'OUTSIDE_WINDOW',
  invalid: 'INVALID_NUMBER',
} as const satisfies Record<Exclude<keyof Preflight['skips'], '__typename'>, string>;

/** Input that determines where a check is fixed. */
type Mended = Pick<CampaignHeadFragment, 'status' | 'scheduledStartAt' | 'scheduledEndAt'> & {
  id: string;
  lines: readonly { lineId: string }[];
  skips: Skips;
};

/** URL on which each check is fixed, down to the field; a check without an entry is fixed outside the console. */
export const MENDS: Readonly<Record<string, (campaign: Mended, now: number) => string>> = {
  CONTACTS: ({ id }) => `/campaigns/${id}/import`,
  // A line that is off or full is fixed on its page; a campaign without a line selects one.
  LINES: ({ id, lines: [line] }) => (line ? `/lines?open=${line.lineId}` : `/campaigns/${id}/edit?field=lineIds`),
  BUSINESS: ({ id }) => `/campaigns/${id}/edit?field=businessCode`,
  SCRIPT: ({ id }) => `/campaigns/${id}/edit?field=businessCode`,
  RUNTIME: () => '/cells',
  WINDOW: (campaign, now) => `/campaigns/${campaign.id}/edit?field=${closedBy(campaign, now)}`,
  POLICIES: () => '/rules',
  CELL: ({ id }) => `/campaigns/${id}/edit?field=cellId`,
  MONITORING: () => '/live',
  SKIPS: ({ id, status, skips }) => `/campaigns/${id}?tab=contacts${status === 'DRAFT' ? '' : `&why=${WHY[mostOf(skips)]}`}`,
  CALLER_ID: () => '/lines',
  VARIABLES: ({ id }) => `/campaigns/${id}/edit?field=variables`,
  CONCURRENCY: ({ id }) => `/campaigns/${id}/edit?field=maxConcurrency`,
  HOURS: ({ id }) => `/campaigns/${id}/edit?field=workdayStart`,
  NUMBER_CAPS: ({ id, lines: [line] }) => (line ? `/lines?open=${line.lineId}` : `/campaigns/${id}/edit?field=lineIds`),
  CALLBACKS: ({ id }) => `/callbacks?campaign=${id}&view=list`,
  NUMBERS: ({ id, lines: [line] }) => (line ? `/lines?open=${line.lineId}` : `/campaigns/${id}/edit?field=lineIds`),
};

/** The most frequent kind of skip. A draft has skipped nobody yet, so no contact has a reason to filter by. */
function mostOf(skips: Skips): keyof typeof WHY {
  const kinds = Object.keys(WHY) as (keyof typeof WHY)[];
  return kinds.reduce((most, kind) => (skips[kind] > skips[most] ? kind : most));
}

/** The setting that keeps the campaign from dialling now: its planned start or end before its daily hours. */
function closedBy({ scheduledStartAt, scheduledEndAt }: Mended, now: number): 'scheduledStartAt' | 'scheduledEndAt' | 'workdayStart' {
  if (scheduledEndAt && Date.parse(scheduledEndAt) <= now) return 'scheduledEndAt';
  return scheduledStartAt && Date.parse(scheduledStartAt) > now ? 'scheduledStartAt' : 'workdayStart';
}
