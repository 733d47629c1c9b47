import { describe, expect, test } from '@jest/globals';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { carrierOf, numberFault, type NumberOptions } from '#phone-numbers/carriers.ts';

const CHINA: NumberOptions = { region: 'CN', carriers: [], landline: 'allow' };

describe('numbers of a file', () => {
  test.each(['13800138000', '138-0013-8000', '+86 138 0013 8000', '008613800138000', '010-65551234', '(0571)88888888', '4008001234'])(
    'accepts %s in region CN [D6.3]',
    number => expect(numberFault(number, CHINA)).toBeNull(),
  );

  test.each([
    ['', '号码为空'],
    ['1.39E+10', '科学计数法'],
    ['1.39e10', '科学计数法'],
    ['13800138000.0', '小数'],
    ['#N/A', '错误值'],
    ['########', '错误值'],
    ['=13800138000', '表格软件的公式'],
    ['@13800138000', '不能拨打的字符'],
    ['电话13800138000', '不能拨打的字符'],
    ['☎13800138000', '不能拨打的字符'],
    ['12345', '不是地区 CN 的有效号码'],
    ['1380013800', '不是地区 CN 的有效号码'],
    ['+1 212 555 0100', '不属于地区 CN'],
    ['+852 5123 4567', '不属于地区 CN'],
  ])('refuses %j with the reason: %s [D6.3, D6.4]', (number, reason) => {
    expect(numberFault(number, CHINA)).toContain(reason);
  });

  test.each(['138 0013 8000', '+86 (138) 0013-8000', '0571 8888 8888', '4008-001-234'])('accepts %j as one number [D6.3]', number =>
    expect(numberFault(number, CHINA)).toBeNull(),
  );

  test('checks a region other than CN by its own numbering plan [D6.3]', () => {
    expect(numberFault('212-456-7890', { ...CHINA, region: 'US' })).toBeNull();
    expect(numberFault('13800138000', { ...CHINA, region: 'US' })).toContain('不是地区 US');
  });

  test.each(['010-65551234', '4008001234', '8008201234'])('landline=reject refuses %s [D6.3]', number => {
    expect(numberFault(number, { ...CHINA, landline: 'reject' })).toBe('不接受固定电话号码');
  });

  test('landline=reject accepts mobile numbers, and numbers that may be mobile [D6.3]', () => {
    expect(numberFault('13800138000', { ...CHINA, landline: 'reject' })).toBeNull();
    expect(numberFault('212-456-7890', { region: 'US', carriers: [], landline: 'reject' })).toBeNull();
  });

  test.each([
    ['13800138000', 'mobile'],
    ['13012345678', 'unicom'],
    ['13312345678', 'telecom'],
    ['19212345678', 'broadnet'],
    ['17001234567', 'telecom'],
    ['17031234567', 'mobile'],
    ['17041234567', 'unicom'],
    ['+8617112345678', 'unicom'],
  ] as const)('carrier of %s is %s [D6.3]', (number, carrier) => {
    expect(numberFault(number, { ...CHINA, carriers: [carrier] })).toBeNull();
    const others = (['mobile', 'unicom', 'telecom', 'broadnet'] as const).filter(other => other !== carrier);
    expect(numberFault(number, { ...CHINA, carriers: others })).toContain('不在所选运营商内');
  });

  test('every mainland mobile prefix gets the verdict of the numbering plan [D6.3]', () => {
    for (let prefix = 13_000; prefix < 20_000; prefix++) {
      for (const rest of ['000000', '591827']) {
        const number = `${prefix}${rest}`;
        const isMobile = parsePhoneNumberFromString(number, 'CN')?.getType() === 'MOBILE';
        if ((numberFault(number, { ...CHINA, landline: 'reject' }) === null) !== isMobile) throw new Error(`${number} is judged otherwise`);
      }
    }
  });

  test('the carrier option does not apply to fixed lines [D6.3]', () => {
    expect(numberFault('010-65551234', { ...CHINA, carriers: ['unicom'] })).toBeNull();
  });

  test('the longest prefix decides: 1349 is a telecom satellite number, 134 mobile', () => {
    expect(carrierOf('13491234567')).toBe('telecom');
    expect(carrierOf('13481234567')).toBe('mobile');
    expect(carrierOf('12012345678')).toBeNull();
  });
});
