import { useSearchParams } from 'react-router';
import { CALL_STATUSES } from './call-outcomes.ts';
import type { CallsQueryVariables } from './calls.generated.ts';

type Filter = CallsQueryVariables['filter'];

/** Number of days shown before today; `all` is unlimited. */
export const SPANS = { today: 0, week: 6, month: 29, all: null } as const;
export type Span = keyof typeof SPANS;
export const USUAL_SPAN: Span = 'week';

/** Bounds of the talk time, in s, both inclusive. */
export const TALKS = {
  short: { minDurationSeconds: 0, maxDurationSeconds: 10 },
  medium: { minDurationSeconds: 11, maxDurationSeconds: 60 },
  long: { minDurationSeconds: 61, maxDurationSeconds: 300 },
  longest: { minDurationSeconds: 301 },
} as const;

export interface CallFilter {
  filter: Filter;
  span: Span;
  isOldestFirst: boolean;
  /**
   * Whether the filter leaves few calls (a time span, a campaign, a number or an agent): only then may it use conditions without an index.
   */
  isNarrow: boolean;
  /** Whether the filter has more than the default time span. */
  isFiltered: boolean;
}

/** Filter of the calls in the URL; invalid values are ignored. */
export function useCallFilter(today: number): CallFilter {
  const [query] = useSearchParams();
  const asked = (name: string) => query.get(name)?.trim() || null;
  const span = keyIn(SPANS, asked('span')) ?? USUAL_SPAN;
  const from = startOf(span, today);
  const narrow = { from, campaignId: asked('campaign'), phoneNumber: asked('number'), agentId: asked('agent') };
  const isNarrow = Object.values(narrow).some(value => value !== null);
  const talk = keyIn(TALKS, asked('talk'));
  const scanned = isNarrow ? { classification: asked('class'), ...(talk ? TALKS[talk] : {}) } : {};
  const callStatus = CALL_STATUSES.find(status => status === asked('outcome')) ?? null;
  return {
    // A claim that was taken back never called anyone.
    filter: { ...narrow, ...scanned, callStatus, lineId: asked('line'), withdrawn: false },
    span,
    isOldestFirst: asked('order') === 'oldest',
    isNarrow,
    isFiltered: [...query.keys()].some(name => name !== 'order'),
  };
}

function keyIn<Table extends object>(table: Table, key: string | null): (keyof Table & string) | null {
  return key !== null && Object.hasOwn(table, key) ? (key as keyof Table & string) : null;
}

function startOf(span: Span, today: number): string | null {
  const daysBefore = SPANS[span];
  if (daysBefore === null) return null;
  const day = new Date(today);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBefore).toISOString();
}
