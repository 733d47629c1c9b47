import { describe, expect, test } from '@jest/globals';
import { aspectsAsked, speaksOf } from '#nlu/local/extract/aspects.ts';
import { dateTimeCandidates } from '#nlu/local/extract/day-candidates.ts';
import { candidateValues, extractAtOnce } from '#nlu/local/extract/extract-fields.ts';
import { foldedText } from '#nlu/local/extract/spoken-text.ts';
import { groundedValue } from '#nlu/llm/grounded-value.ts';
import { readKnowledge } from '#nlu/read-knowledge.ts';

const { choices: model } = await readKnowledge();
/** A Wednesday. */
const CALL = { now: Date.parse('2026-03-11T10:00:00+08:00'), timeZone: 'Asia/Shanghai' };

function answerOf(text: string, label: string, type: string) {
  const { fields, confidence } = extractAtOnce({ text, fields: [{ key: 'value', label, type }] }, { call: CALL, model });
  return { value: fields['value'], confidence };
}

describe('the aspects that a label asks for, in any wording [issue 21]', () => {
  test.each([
    ['原定送货日期', '旧电话', '上次修的'],
    ['新地址', '更改后日期', '现在改到周五'],
    ['最晚到店时间', '最高预算（元）', '最多三千'],
    ['配偶电话', '爱人工作单位', '我媳妇在厂里'],
    ['到期日期', '离店日期', '六号退房'],
  ])('%s and %s share an aspect, which `%s` mentions', (one, other, said) => {
    const shared = aspectsAsked(one).filter(aspect => aspectsAsked(other).includes(aspect));
    expect(shared.some(aspect => speaksOf(said, aspect))).toBe(true);
  });

  test('a label without any of them has no aspect', () => {
    expect(aspectsAsked('楼层')).toEqual([]);
  });
});

describe('utterances are normalised to half-width lower case [issue 21]', () => {
  test.each([
    ['两吨　三', '两吨 三'],
    ['１２ＡＢ，Cd', '12ab,cd'],
    ['沪a12 三 okay', '沪a12 三 okay'],
    ['坏字\uD800', '坏字\uFFFD'],
  ])('%j becomes %j', (said, folded) => {
    expect(foldedText(said)).toBe(folded);
  });
});

describe('the candidates include every possible value of a field [issue 21]', () => {
  test.each([
    ['两个小时后给我回电话', '回电日期', 'date', '2026-03-11'],
    ['三点不行 过两个小时打给我', '回电时间', 'time', '12:00'],
    ['要三杯半糖的奶茶', '杯数', 'number', 3],
    ['两台半自动洗衣机', '数量（台）', 'number', 2],
    ['烤鸭来一只半', '烤鸭数量（只）', 'number', 1.5],
    ['早上跟你们约的三点', '预约时间', 'time', '15:00'],
    ['我姐夫陪我来的', '与患者关系', 'text', '姐夫'],
    ['三月五号买的', '购买日期', 'date', '2026-03-05'],
    ['三月十五号来', '预约日期', 'date', '2026-03-15'],
    ['三月二号晚上八点翻的车', '出险时间', 'datetime', '2026-03-02T20:00:00+08:00'],
    ['明天下午三点来', '预约时间', 'datetime', '2026-03-12T15:00:00+08:00'],
    ['九点 不 十点送来', '送货时间', 'time', '10:00'],
    ['夜里七点一刻开场', '开场时间', 'time', '19:15'],
    ['凌晨两点到的', '到达时间', 'time', '02:00'],
    ['手机 1 3 8 0 0 1 3 8 0 0 0 备用 1 3 9 0 0 1 3 9 0 0 0 我今年三十五岁', '年龄', 'number', 35],
  ])('in "%s", %s of type %s is %s', (text, label, type, value) => {
    expect(answerOf(text, label, type).value).toBe(value);
  });

  test.each([
    ['月底交的', ['2026-03-31', '2026-02-28']],
    ['过三天', ['2026-03-14']],
    ['tomorrow', ['2026-03-12']],
    ['听日', ['2026-03-12']],
  ])('"%s" has exactly the candidates %j', (text, days) => {
    expect(
      candidateValues(text, { key: 'value', label: '日期', type: 'date' }, CALL)
        .map(String)
        .toSorted((one, other) => one.localeCompare(other)),
    ).toEqual(days.toSorted((one, other) => one.localeCompare(other)));
  });

  test.each([
    ['四月三号到六号', '2026-04-06', 'a day alone belongs to the month named before it'],
    ['去年出过一回险 十一月二十号', '2025-11-20', 'a month without a year belongs to the year named before it'],
    ['元月十五离的职', '2026-01-15', 'the first month by its other name'],
    ['前儿个刷的', '2026-03-09', 'dialect'],
    ['昨个卖的', '2026-03-10', 'dialect'],
    ['夜个儿买的', '2026-03-10', 'dialect'],
    ['二七年六月三十到期', '2027-06-30', 'a future year by its last two digits'],
    ['五八年六月三十生的', '1958-06-30', 'a distant past year by its last two digits'],
  ])('"%s" has the candidate %s: %s', (text, day) => {
    expect(candidateValues(text, { key: 'value', label: '日期', type: 'date' }, CALL)).toContain(day);
  });

  test('every day is combined with every time of day', () => {
    const values = candidateValues('原来约的明天两点 改十七号早上九点一刻', { key: 'value', label: '安装时间', type: 'datetime' }, CALL);
    expect(values).toEqual(expect.arrayContaining(['2026-03-12T14:00:00+08:00', '2026-03-17T09:15:00+08:00']));
  });

  test('hundreds of days and times are not all combined', () => {
    const at = { start: 0, end: 2, side: 0, ruled: 0, traits: [] } as const;
    const times = Array.from({ length: 200 }, () => ({ start: 0, end: 2, hour: 1, minute: 0, nextDay: false, period: null }));
    const days = times.map(() => ({ ...at, value: '2026-03-11' }));
    const hours = times.map(() => ({ ...at, value: '01:00' }));
    expect(dateTimeCandidates(days, hours, { times, timeZone: 'Asia/Shanghai' })).toHaveLength(256);
  });

  test('a time has the offset of its own day, before and after a clock change, also on repetition', () => {
    const call = { now: Date.parse('2026-03-07T12:00:00-05:00'), timeZone: 'America/New_York' };
    const at = (text: string) => candidateValues(text, { key: 'value', label: '时间', type: 'datetime' }, call)[0];
    expect([at('今天下午三点'), at('明天下午三点'), at('今天下午三点'), at('明天凌晨一点')]).toEqual([
      '2026-03-07T15:00:00-05:00',
      '2026-03-08T15:00:00-04:00',
      '2026-03-07T15:00:00-05:00',
      '2026-03-08T01:00:00-05:00',
    ]);
  });

  test('a date claimed by a model is accepted if the utterance names the day without the year', () => {
    const field = { key: 'value', label: '购买日期', type: 'date' };
    const claim = { type: 'date', field, text: '三月五号买的', call: CALL } as const;
    expect(groundedValue('2026-03-05', claim)).toBe('2026-03-05');
    expect(groundedValue('2026-03-06', claim)).toBeNull();
  });
});

describe('the confidence of an answer [issue 21]', () => {
  test.each([
    ['明天 对 就明天', '上门日期', 'date'],
    ['一百二十平 对 一百二十平', '房屋面积（平方米）', 'number'],
  ])('a repeated value is one answer: %s', (text, label, type) => {
    expect(answerOf(text, label, type).confidence).toBeGreaterThanOrEqual(0.8);
  });

  test.each(['好', '嗯', '坏', '在', '1'])('%s repeated eight hundred times gives a confidence in 0..1 and well-formed text', said => {
    for (const [label, type] of [
      ['退货原因', 'text'],
      ['地址', 'text'],
      ['故障现象', 'text'],
      ['数量', 'number'],
    ] as const) {
      const { value, confidence } = answerOf(said.repeat(800), label, type);
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
      if (typeof value === 'string') expect(value.isWellFormed()).toBe(true);
    }
  });

  test('text truncated from a long utterance is well-formed', () => {
    const { value } = answerOf(`${'好'.repeat(799)}😀`, '退货原因', 'text');
    expect(value === null || (typeof value === 'string' && value.isWellFormed())).toBe(true);
  });
});

describe('fields are identified by their parts', () => {
  test('fields whose parts are equal only when joined are kept apart', () => {
    answerOf('三十岁', '年龄2', 'number\nx');
    const fields = [{ key: 'x\ny', label: '年龄2', type: 'number' }];
    extractAtOnce({ text: '三十岁', fields: [{ key: 'y', label: '年龄2', type: 'number\nx' }] }, { call: CALL, model });
    expect(extractAtOnce({ text: '三十岁', fields }, { call: CALL, model }).fields).toEqual({ 'x\ny': 30 });
  });

  test('a label of maximal length is read only up to its limit', () => {
    expect(answerOf('三十岁', `年龄${'（'.repeat(250_000)}`, 'number').value).toBe(30);
  });
});
