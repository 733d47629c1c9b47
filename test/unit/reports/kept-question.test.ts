import { describe, expect, test } from '@jest/globals';
import { parseKeptQuestion } from '#reports/decisions/kept-question.ts';
import { addressOf, type Question, USUAL } from '../../../console/pages/reports/question.ts';

const kept = (question: Partial<Question>, query = '') =>
  parseKeptQuestion(addressOf({ ...USUAL, ...question }, new URLSearchParams(query)).toString());

describe('a question of the page of reports, as the server reads it [D14.7, D14.8]', () => {
  test('has its measures, groups, filters and order', () => {
    const chosen = { CAMPAIGN: ['3', '4'], NUMBER: ['021-5555', ''], OUTCOME: ['busy'], ATTEMPT_NUMBER: ['2'] } as const;
    expect(
      kept({
        measures: ['dials', 'talk_seconds_p90'],
        groupBy: ['LINE', 'HOUR_OF_DAY'],
        chosen,
        sort: { measure: 'dials', isAscending: false },
      }),
    ).toEqual({
      report: 'calls',
      asked: {
        measures: ['dials', 'talk_seconds_p90'],
        groupBy: ['line', 'hour_of_day'],
        groupFields: [],
        filter: { campaignIds: [3, 4], numbers: ['021-5555', ''], outcomes: ['busy'], attemptNumbers: [2] },
        orderBy: { measure: 'dials', direction: 'desc' },
        limit: 1_000,
      },
    });
  });

  test('reads texts with commas, tildes and percent signs as they were chosen', () => {
    const chosen = { CLASSIFICATION: ['a,b', '~', '50 %'] } as const;
    expect(kept({ chosen })).toMatchObject({ asked: { filter: { classifications: ['a,b', '~', '50 %'] } } });
  });

  test('without groups is one of all calls together; without anything it is the usual one', () => {
    expect(kept({ groupBy: [] })).toMatchObject({ asked: { groupBy: [] } });
    expect(parseKeptQuestion('span=yesterday')).toMatchObject({
      asked: { groupBy: ['day'], measures: ['dials', 'answered', 'answer_rate'] },
    });
  });

  test('is of agents, or of the nodes of a script', () => {
    expect(kept({ report: 'agents', chosen: { AGENT_GROUP: ['7'] } })).toMatchObject({ report: 'agents', groupId: 7 });
    expect(kept({ report: 'nodes', chosen: { SCRIPT: ['9'] }, sort: { measure: 'entered', isAscending: false } })).toEqual({
      report: 'nodes',
      scriptId: 9,
      order: { figure: 'entered', isAscending: false },
    });
  });

  test.each(['report=nodes', 'm=unheard_of', 'm=dials&campaign=x'])('%s can not be answered', text => {
    expect(parseKeptQuestion(text)).toBeNull();
  });
});
