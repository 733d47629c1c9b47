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
type Mended = Pick<CampaignHeadFragment, 'status' | 'scheduledStartAt' | 'scheduledEndAt' | 'businessCode'> & {
  id: string;
  lines: readonly CheckedLine[];
  policies: Pick<Preflight['policies'], 'matchedPolicies'>;
  skips: Skips;
};

type CheckedLine = Pick<Preflight['lines'][number], 'lineId' | 'isEnabled' | 'active' | 'maxConcurrency'> & {
  line: { numbers: readonly { isEnabled: boolean }[] } | null;
};

/** URL on which each check is fixed, down to the field; a check without an entry is fixed outside the console. */
export const MENDS: Readonly<Record<string, (campaign: Mended, now: number) => string>> = {
  CONTACTS: ({ id }) => `/campaigns/${id}/import`,
  LINES: mendOfLines,
  BUSINESS: ({ id }) => `/campaigns/${id}/edit?field=businessCode`,
  // The scripts of the business, of which one is put in force, and the button that makes one.
  SCRIPT: ({ businessCode }) => `/scripts?business=${encodeURIComponent(businessCode)}`,
  RUNTIME: () => '/cells',
  WINDOW: (campaign, now) => `/campaigns/${campaign.id}/edit?field=${closedBy(campaign, now)}`,
  POLICIES: ({
    policies: {
      matchedPolicies: [policy],
    },
  }) => (policy ? `/rules?policy=${policy.databaseId}` : '/rules'),
  CELL: ({ id }) => `/campaigns/${id}/edit?field=cellId`,
  MONITORING: () => '/live',
  SKIPS: ({ id, status, skips }) => `/campaigns/${id}?tab=contacts${status === 'DRAFT' ? '' : `&why=${WHY[mostOf(skips)]}`}`,
  CALLER_ID: () => '/lines',
  VARIABLES: ({ id }) => `/campaigns/${id}/edit?field=variables`,
  CONCURRENCY: ({ id }) => `/campaigns/${id}/edit?field=maxConcurrency`,
  HOURS: ({ id }) => `/campaigns/${id}/edit?field=workdayStart`,
  NIGHT: ({ id }) => `/campaigns/${id}/edit?field=workdayStart`,
  NUMBER_CAPS: campaign => lineOf(campaign, () => true),
  CALLBACKS: ({ id }) => `/callbacks?campaign=${id}&view=list`,
  NUMBERS: campaign => lineOf(campaign, line => line.isEnabled && rests(line)),
};

/** The page of the first line that is at fault; a campaign without a line selects one. */
function lineOf({ id, lines }: Pick<Mended, 'id' | 'lines'>, isAtFault: (line: CheckedLine) => boolean): string {
  const line = lines.find(isAtFault) ?? lines[0];
  return line ? `/lines?open=${line.lineId}` : `/campaigns/${id}/edit?field=lineIds`;
}

/** A line that is off is opened to be enabled; where all are on, the first full one is opened at its limit. */
function mendOfLines(campaign: Pick<Mended, 'id' | 'lines'>): string {
  const isOff = (line: CheckedLine) => !line.isEnabled || rests(line);
  const isFull = ({ active, maxConcurrency }: CheckedLine) => active >= maxConcurrency;
  if (campaign.lines.some(isOff) || !campaign.lines.some(isFull)) return lineOf(campaign, isOff);
  return `${lineOf(campaign, isFull)}&field=maxConcurrency`;
}

function rests({ line }: CheckedLine): boolean {
  return line?.numbers.some(({ isEnabled }) => !isEnabled) === true;
}

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
