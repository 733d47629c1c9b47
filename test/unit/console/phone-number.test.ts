import { beforeEach, describe, expect, test } from '@jest/globals';
import { formatPhone, formatPhonesIn, setRegion } from '../../../console/text/phone-number.ts';

beforeEach(() => setRegion('CN'));

describe('a phone number is shown in one spelling', () => {
  test.each([
    ['13800138000', '13800138000'],
    ['+8613800138000', '13800138000'],
    ['0086 138-0013-8000', '13800138000'],
    ['013800138000', '13800138000'],
    ['138 0013 8000', '13800138000'],
    ['１３８００１３８０００', '13800138000'],
    ['+862150501234', '02150501234'],
    ['(021) 5050-1234', '02150501234'],
    ['0571-87654321', '057187654321'],
    ['+864001234567', '4001234567'],
    ['+44 20 7183 8750', '+442071838750'],
  ])('%s is %s in China', (written, shown) => {
    expect(formatPhone(written)).toBe(shown);
  });

  test.each(['010-65529988-101', '***8000', '1001', '138', '87654321', '95555', '2150501234', '无号码', ''])(
    '%s stays as it was written',
    written => {
      expect(formatPhone(written)).toBe(written);
    },
  );

  test('outside China a number with a country code loses its separators alone, and others stay as they are', () => {
    setRegion('GB');
    expect(formatPhone('+86 138 0013 8000')).toBe('+8613800138000');
    expect(formatPhone('020 7183 8750')).toBe('020 7183 8750');
  });

  test('within a name that the server made', () => {
    expect(formatPhonesIn('郑怡 133-0000-0049')).toBe('郑怡 13300000049');
    expect(formatPhonesIn('批次 12 2026-11-30')).toBe('批次 12 2026-11-30');
  });
});
