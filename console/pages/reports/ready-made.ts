import type { Question } from './question.ts';

interface ReadyMade {
  /** Key of its name below `reports.ready`. */
  key: string;
  question: Question;
  /** Required permission; absent: any signed-in user. */
  needs?: string;
}

const calls = (key: string, question: Pick<Question, 'measures' | 'groupBy'> & Partial<Question>): ReadyMade => ({
  key,
  question: { report: 'calls', chosen: {}, sort: null, ...question },
});
const most = (measure: string) => ({ measure, isAscending: false });

/** Questions that are one click away, by what people ask most. */
export const READY_MADE: readonly ReadyMade[] = [
  calls('days', { measures: ['dials', 'answered', 'answer_rate'], groupBy: ['DAY'] }),
  calls('hours', { measures: ['answer_rate', 'dials', 'answered'], groupBy: ['HOUR_OF_DAY'] }),
  calls('heat', { measures: ['answer_rate', 'dials', 'answered'], groupBy: ['WEEKDAY', 'HOUR_OF_DAY'] }),
  calls('outcomes', { measures: ['dials'], groupBy: ['OUTCOME'], sort: most('dials') }),
  calls('abandonment', { measures: ['abandonment_rate', 'abandoned', 'answered'], groupBy: ['DAY'] }),
  {
    key: 'agents',
    needs: 'agent:operate',
    question: { report: 'agents', measures: [], groupBy: [], chosen: {}, sort: most('answered') },
  },
  calls('lines', {
    measures: ['dials', 'answered', 'answer_rate', 'network_busy', 'talk_seconds_average'],
    groupBy: ['LINE', 'NUMBER'],
    sort: most('dials'),
  }),
  calls('campaigns', {
    measures: ['dials', 'answered', 'answer_rate', 'completed', 'transfers_active', 'opt_outs', 'talk_seconds_average'],
    groupBy: ['CAMPAIGN'],
    sort: most('dials'),
  }),
  calls('costs', { measures: ['cost', 'cost_average', 'talk_seconds'], groupBy: ['LINE', 'CURRENCY'], sort: most('cost') }),
  { key: 'nodes', question: { report: 'nodes', measures: [], groupBy: [], chosen: {}, sort: most('entered') } },
];
