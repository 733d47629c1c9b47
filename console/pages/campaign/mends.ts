import type { CampaignHeadFragment, CampaignPreflightQuery } from './campaign.generated.ts';

type Preflight = NonNullable<CampaignPreflightQuery['campaign']>['preflight'];
type Skips = Readonly<Record<keyof typeof WHY, number>>;

/** By kind of contacts that are passed over: the reason by which they are found. */
const WHY = {
  dnc: 'DNC',
  blacklist: 'BLACKLIST',
  frequency: 'FREQUENCY_CAP',
  window: 'OUTSIDE_WINDOW',
  invalid: 'INVALID_NUMBER',
} as const satisfies Record<Exclude<keyof Preflight['skips'], '__typename'>, string>;

/** What decides where a check is mended. */
type Mended = Pick<CampaignHeadFragment, 'status' | 'scheduledStartAt' | 'scheduledEndAt'> & {
  id: string;
  lines: readonly { lineId: string }[];
  skips: Skips;
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
  SKIPS: ({ id, status, skips }) => `/campaigns/${id}?tab=contacts${status === 'DRAFT' ? '' : `&why=${WHY[mostOf(skips)]}`}`,
  CALLER_ID: () => '/lines',
  VARIABLES: ({ id }) => `/campaigns/${id}/edit?field=variables`,
  CONCURRENCY: ({ id }) => `/campaigns/${id}/edit?field=maxConcurrency`,
  HOURS: ({ id }) => `/campaigns/${id}/edit?field=workdayStart`,
  NUMBERS: ({ id, lines: [line] }) => (line ? `/lines?open=${line.lineId}` : `/campaigns/${id}/edit?field=lineIds`),
};

/** The most frequent kind. A draft has passed over nobody yet, so nobody is found by a reason. */
function mostOf(skips: Skips): keyof typeof WHY {
  const kinds = Object.keys(WHY) as (keyof typeof WHY)[];
  return kinds.reduce((most, kind) => (skips[kind] > skips[most] ? kind : most));
}

/** Which of its settings keeps a campaign from dialling now: its plan before the hours of its days. */
function closedBy({ scheduledStartAt, scheduledEndAt }: Mended, now: number): 'scheduledStartAt' | 'scheduledEndAt' | 'workdayStart' {
  if (scheduledEndAt && Date.parse(scheduledEndAt) <= now) return 'scheduledEndAt';
  return scheduledStartAt && Date.parse(scheduledStartAt) > now ? 'scheduledStartAt' : 'workdayStart';
}
