import { describe, expect, test } from '@jest/globals';
import { type Answer, bestOf, sortedRows } from '../../../console/pages/reports/answer.ts';
import { callsPath } from '../../../console/pages/reports/calls-path.ts';
import { chartOf, timesBetween } from '../../../console/pages/reports/chart-shape.ts';
import { heatOf } from '../../../console/pages/reports/heat-shape.ts';
import { addressOf, filterOf, isSameQuestion, type Question, questionOf, USUAL } from '../../../console/pages/reports/question.ts';
import { READY_MADE } from '../../../console/pages/reports/ready-made.ts';

const ofAddress = (text: string) => questionOf(new URLSearchParams(text));
const RATE = { name: 'answer_rate', title: 'Answer rate', definition: null, unit: 'SHARE' } as const;
const DIALS = { name: 'dials', title: 'Dials', definition: null, unit: 'CALLS' } as const;

/** An answer by hour of the day: hour, dials, answer rate. */
function byHour(rows: readonly (readonly [string, number, number | null])[]): Answer {
  return {
    heads: [{ dimension: 'HOUR_OF_DAY', title: 'Hour' }],
    figures: [RATE, DIALS],
    rows: rows.map(([hour, dials, rate]) => ({
      keys: [{ value: hour, label: `${hour}:00` }],
      values: [rate, dials],
      weight: dials,
      detail: null,
    })),
    detailTitle: null,
    total: [0.5, 100],
    groupCount: rows.length,
    asOf: null,
  };
}

describe('the address of a question', () => {
  test.each(READY_MADE.map(({ key, question }) => [key, question] as const))('holds the ready-made question %s whole', (_key, question) => {
    const asked = ofAddress(addressOf(question, new URLSearchParams()).toString());
    expect(asked).toEqual(question);
  });

  test('keeps values with commas, in other scripts, and the one that stands for none', () => {
    const question: Question = { ...USUAL, chosen: { CLASSIFICATION: ['A,B', '有意向', '', '~'], LINE: ['7'] } };
    expect(ofAddress(addressOf(question, new URLSearchParams()).toString()).chosen).toEqual(question.chosen);
  });

  test('keeps the range, and drops what another page had left', () => {
    const after = addressOf(USUAL, new URLSearchParams('span=yesterday&tab=x'));
    expect([after.get('span'), after.get('tab')]).toEqual(['yesterday', null]);
  });

  test('without parameters asks the usual question; without groups it says so', () => {
    expect(ofAddress('')).toEqual(USUAL);
    expect(ofAddress('by=none').groupBy).toEqual([]);
  });

  test.each(['m=a;b,%00&by=nothing,day&sort=%3C', 'classification=%25E4%25', 'm=,,&by=,'])('passes over what is none: %s', text => {
    expect(() => filterOf(ofAddress(text).chosen)).not.toThrow();
    expect(ofAddress(text).measures.every(name => /^[a-z]\w*$/.test(name))).toBe(true);
  });
});

test('filters are asked as the server spells them', () => {
  expect(filterOf({ OUTCOME: ['busy'], LINE: ['3'], ATTEMPT_NUMBER: ['2'], CAMPAIGN: [] })).toEqual({
    outcomes: ['BUSY'],
    lineIds: ['3'],
    attemptNumbers: [2],
  });
});

test('the address of a report about agents or nodes has their filters alone, and is known again', () => {
  const agents: Question = { report: 'agents', measures: [], groupBy: [], chosen: { LINE: ['1'], AGENT_GROUP: ['2'] }, sort: null };
  const address = addressOf(agents, new URLSearchParams('span=today'));
  expect(address.toString()).toBe('span=today&report=agents&agent_group=2');
  expect(isSameQuestion(questionOf(address), agents)).toBe(true);
});

describe('the row that stands out', () => {
  test('is the highest of those with enough calls', () => {
    const best = bestOf(
      byHour([
        ['09', 3, 1],
        ['10', 40, 0.5],
        ['11', 57, 0.4],
      ]),
      null,
    );
    expect([best?.rows[0]?.keys[0]?.value, best?.value, best?.hasPassed]).toEqual(['10', 0.5, true]);
  });

  test('is the highest of all where every group is small, and none where there is one group', () => {
    expect(
      bestOf(
        byHour([
          ['09', 3, 0.2],
          ['10', 4, 0.5],
        ]),
        null,
      )?.rows[0]?.keys[0]?.value,
    ).toBe('10');
    expect(bestOf(byHour([['09', 3, 0.2]]), null)).toBeNull();
  });

  test('is several in a tie, and none where everybody is as high', () => {
    const hours = (...rates: number[]) => byHour(rates.map((rate, at): [string, number, number] => [`0${at}`, 40, rate]));
    expect(bestOf(hours(0.5, 0.5, 0.4), null)?.rows.map(({ keys }) => keys[0]?.value)).toEqual(['00', '01']);
    expect(bestOf(hours(0.5, 0.5), null)).toBeNull();
    expect(bestOf(hours(0.5, 0.5, 0.5, 0.5, 0.4), null)).toBeNull();
  });

  test('follows the figure that the table is sorted by', () => {
    const best = bestOf(
      byHour([
        ['09', 90, 0.2],
        ['10', 40, 0.5],
      ]),
      { measure: 'dials', isAscending: false },
    );
    expect([best?.figure.name, best?.value]).toEqual(['dials', 90]);
  });
});

test('rows without a value come last in both directions', () => {
  const answer = byHour([
    ['09', 1, null],
    ['10', 1, 0.1],
    ['11', 1, 0.9],
  ]);
  const order = (isAscending: boolean) => sortedRows(answer, { measure: 'answer_rate', isAscending }).map(({ keys }) => keys[0]?.value);
  expect([order(true), order(false)]).toEqual([
    ['10', '11', '09'],
    ['11', '10', '09'],
  ]);
});

describe('the chart', () => {
  test('leaves a gap where an hour has no calls, whatever the order of the table', () => {
    const answer = byHour([
      ['12', 5, 0.4],
      ['09', 10, 0.5],
    ]);
    const shape = chartOf(answer, answer.rows, (_dimension, value) => value);
    expect([shape?.labels, shape?.units, shape?.series.map(({ values }) => values)]).toEqual([
      ['09', '10', '11', '12'],
      ['SHARE', 'CALLS'],
      [
        [10, null, null, 5],
        [0.5, null, null, 0.4],
      ],
    ]);
  });

  test('draws a line for each line of the phone where days are its other grouping', () => {
    const row = (day: string, line: string, dials: number) => ({
      keys: [
        { value: line, label: `line ${line}` },
        { value: day, label: day },
      ],
      values: [dials],
      weight: dials,
      detail: null,
    });
    const answer: Answer = {
      ...byHour([]),
      heads: [
        { dimension: 'LINE', title: 'Line' },
        { dimension: 'DAY', title: 'Day' },
      ],
      figures: [DIALS],
      rows: [row('2026-11-01', '1', 2), row('2026-11-03', '2', 9)],
    };
    const shape = chartOf(answer, answer.rows, (_dimension, value) => value);
    expect(shape?.labels).toEqual(['2026-11-01', '2026-11-02', '2026-11-03']);
    expect(shape?.series.map(({ label, values }) => [label, values])).toEqual([
      ['line 2', [null, null, 9]],
      ['line 1', [2, null, null]],
    ]);
  });

  test('has nothing to draw without groups', () => {
    expect(chartOf({ ...byHour([['09', 1, 1]]), heads: [] }, byHour([['09', 1, 1]]).rows, String)).toBeNull();
  });

  test.each([
    ['DAY', ['2026-02-27', '2026-03-02'], ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']],
    ['WEEK', ['2026-02-23', '2026-03-09'], ['2026-02-23', '2026-03-02', '2026-03-09']],
    ['HOUR_OF_DAY', ['22', '23'], ['22', '23']],
    ['MONTH', ['2026-03', '2026-01'], ['2026-01', '2026-03']],
  ] as const)('fills %s', (dimension, values, filled) => {
    expect(timesBetween(dimension, values)).toEqual(filled);
  });
});

test('the heat map colours cells between the least and the most, but not those of few calls', () => {
  const row = (weekday: string, hour: string, [rate, dials]: [number, number]) => ({
    keys: [
      { value: weekday, label: weekday },
      { value: hour, label: hour },
    ],
    values: [rate],
    weight: dials,
    detail: null,
  });
  const heat = heatOf({
    ...byHour([]),
    heads: [
      { dimension: 'WEEKDAY', title: 'Weekday' },
      { dimension: 'HOUR_OF_DAY', title: 'Hour' },
    ],
    figures: [RATE],
    rows: [row('1', '09', [0.2, 50]), row('1', '10', [0.6, 50]), row('2', '09', [1, 2]), row('2', '10', [0.4, 50])],
  });
  expect([...(heat?.cells.values() ?? [])].map(({ strength }) => strength)).toEqual([0, 1, null, expect.closeTo(0.5)]);
});

describe('the calls behind a row', () => {
  const query = new URLSearchParams('span=yesterday&m=dials&by=outcome');
  const question: Question = { ...USUAL, groupBy: ['OUTCOME'], chosen: { LINE: ['3'] } };

  test('are those of its outcome in the range and the filters of the question', () => {
    expect(callsPath(question, [{ value: 'busy' }], query)).toBe('/calls?span=yesterday&line=3&outcome=BUSY');
  });

  test('of a day are those of that day alone', () => {
    expect(callsPath(USUAL, [{ value: '2026-11-28' }], new URLSearchParams('span=week'))).toBe(
      '/calls?span=week&from=2026-11-28&to=2026-11-28',
    );
  });

  test.each([
    [{ ...question, chosen: { AGENT: ['1'] } }, 'busy'],
    [{ ...question, chosen: { LINE: ['1', '2'] } }, 'busy'],
    [question, 'abandoned'],
    [{ ...question, groupBy: ['HOUR_OF_DAY'] }, '09'],
  ] satisfies [Question, string][])('have no list where it could not show just these', (asked, value) => {
    expect(callsPath(asked, [{ value }], query)).toBeNull();
  });
});
