import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { extractAtOnce } from '#nlu/local/extract/extract-fields.ts';
import { readKnowledge } from '#nlu/read-knowledge.ts';

const { choices: model } = await readKnowledge();

/** A Wednesday. */
const NOW = Date.parse('2026-03-11T10:00:00+08:00');
const CALL = { now: NOW, timeZone: 'Asia/Shanghai' };
const DAY_MS = 86_400_000;

function read(text: string, type: string, label: string): unknown {
  return extractAtOnce({ text, fields: [{ key: 'value', label, type }] }, { call: CALL, model }).fields.value;
}

const DIGITS = '零一二三四五六七八九';

/** A number as it is spoken in full: 10005 → 一万零五. */
function spoken(value: number): string {
  if (value >= 100_000_000) return above(value, 100_000_000, '亿');
  if (value >= 10_000) return above(value, 10_000, '万');
  return belowTenThousand(value);
}

function above(value: number, unit: number, name: string): string {
  const rest = value % unit;
  const head = `${spoken(Math.floor(value / unit))}${name}`;
  if (rest === 0) return head;
  return `${head}${rest < unit / 10 ? '零' : ''}${spoken(rest)}`;
}

function belowTenThousand(value: number): string {
  const digits = String(value);
  let text = '';
  let gap = false;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[at]);
    if (digit === 0) gap = text !== '';
    else {
      text += `${gap ? '零' : ''}${DIGITS.charAt(digit)}${['', '十', '百', '千'][digits.length - 1 - at] ?? ''}`;
      gap = false;
    }
  }
  return text.startsWith('一十') ? text.slice(1) : text || '零';
}

describe('spoken values are extracted exactly [D13.3]', () => {
  test('whole numbers up to a trillion', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), value => {
        expect(read(`大概${spoken(value)}吧`, 'number', '数量')).toBe(value);
      }),
      { numRuns: 500 },
    );
    for (let value = 1; value <= 1_200; value += 1) expect(read(spoken(value), 'number', '数量')).toBe(value);
  });

  test('Arabic numbers with thousands separators and decimals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
        const value = Number(`${whole}.${String(cents).padStart(2, '0')}`);
        expect(read(`一共 ${whole.toLocaleString('en-US')}.${String(cents).padStart(2, '0')}`, 'number', '数值')).toBeCloseTo(value, 6);
      }),
      { numRuns: 300 },
    );
  });

  test('money in 块 and 毛', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 9 }), fc.boolean(), (yuan, dimes, short) => {
        const text = `${spoken(yuan)}块${DIGITS.charAt(dimes)}${short ? '' : '毛'}`;
        expect(read(`我就付了${text}`, 'number', '金额')).toBeCloseTo(yuan + dimes / 10, 6);
      }),
      { numRuns: 300 },
    );
  });

  test('every day of the next ten months by month and day', () => {
    for (let ahead = 0; ahead < 300; ahead += 1) {
      const iso = new Date(NOW + ahead * DAY_MS).toISOString().slice(0, 10);
      const [, month = '', day = ''] = iso.split('-').map(Number).map(spoken);
      expect(read(`${month}月${day}号吧`, 'date', '日期')).toBe(iso);
    }
  });

  test('every quarter of an hour of the day', () => {
    for (let minutes = 0; minutes < 24 * 60; minutes += 15) {
      const hour = Math.floor(minutes / 60);
      const part = hour < 6 ? '凌晨' : hour < 12 ? '上午' : hour === 12 ? '中午' : hour < 18 ? '下午' : '晚上';
      const clock = hour > 12 ? hour - 12 : hour;
      const past = ['', '一刻', '半', '三刻'][(minutes % 60) / 15] ?? '';
      const wanted = `${String(hour).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
      expect(read(`${part}${clock === 0 ? '零' : spoken(clock)}点${past}`, 'time', '时间')).toBe(wanted);
    }
  });

  test('mobile numbers spoken in groups, in Chinese or Arabic digits', () => {
    const piece = fc.constantFrom('', ' ', '，', '、');
    const digit = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.boolean(), piece);
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 9 }), fc.array(digit, { minLength: 9, maxLength: 9 }), (second, rest) => {
        const number = `1${second}${rest.map(([value]) => value).join('')}`;
        const text = `幺${DIGITS.charAt(second)}${rest.map(([value, arabic, gap]) => `${arabic ? value : DIGITS.charAt(value)}${gap}`).join('')}`;
        expect(read(`号码是${text}`, 'phone', '手机号')).toBe(number);
      }),
      { numRuns: 300 },
    );
  });
});

describe("whatever is said, the value has its type's format [D13.3]", () => {
  const SHAPES: Record<string, (value: unknown) => boolean> = {
    number: value => typeof value === 'number' && Number.isFinite(value),
    phone: value => typeof value === 'string' && /^\+?\d+$/.test(value),
    date: value => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
    time: value => typeof value === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value),
    datetime: value => typeof value === 'string' && /T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
    boolean: value => typeof value === 'boolean',
    text: value => typeof value === 'string',
  };
  const characters = '零一二两三四五六七八九十百千万亿半点时分刻号日月年周天个块毛元岁人米负到至不对是的了没下上明后今早晚前差过幺廿';
  const words = '不对,不是,星期,下下周,月底,大年初一, ,.,-,/,:,3,15,99,half, past ,dozen,point,noon,pm';
  const word = fc.constantFrom(...Array.from(characters), ...words.split(','));
  const speech = fc.array(word, { maxLength: 24 }).map(words => words.join(''));

  test.each(Object.keys(SHAPES))('%s: null or a well-formed value, whatever numerals are combined', type => {
    fc.assert(
      fc.property(
        fc.oneof(speech, fc.string({ unit: 'binary', maxLength: 60 })),
        fc.constantFrom('时间', '金额', '年龄', '手机号', '姓名'),
        (text, label) => {
          const value = read(text, type, label);
          if (value !== null) expect([text, value, SHAPES[type]?.(value)]).toEqual([text, value, true]);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
