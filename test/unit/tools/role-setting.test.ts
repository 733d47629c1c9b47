import { expect, test } from '@jest/globals';
import { choiceOf, integerOf, numberOf, settingOf } from '#tools/role-setting.ts';

const source = (value: string | undefined, env: NodeJS.ProcessEnv) =>
  settingOf({ flag: 'port', value, variable: 'CALLOUT_SWITCH_PORT', env, fallback: '8021' });

test('a flag overrides its variable and the variable the default; an empty variable counts as unset [D1.1]', () => {
  expect(source('1', { CALLOUT_SWITCH_PORT: '2' }).text).toBe('1');
  expect(source(undefined, { CALLOUT_SWITCH_PORT: '2' }).text).toBe('2');
  expect(source(undefined, { CALLOUT_SWITCH_PORT: '' }).text).toBe('8021');
  expect(source(undefined, {}).text).toBe('8021');
});

test('an invalid value is reported at its source: exit code 64 for a flag, 78 for a variable [D1.1]', () => {
  expect(() => integerOf(source('x', {}), 0, 65_535)).toThrow(
    expect.objectContaining({ message: '--port must be an integer from 0 to 65535, found "x"', exitCode: 64 }),
  );
  expect(() => integerOf(source(undefined, { CALLOUT_SWITCH_PORT: '65536' }), 0, 65_535)).toThrow(
    expect.objectContaining({ message: 'CALLOUT_SWITCH_PORT must be an integer from 0 to 65535, found "65536"', exitCode: 78 }),
  );
  for (const text of ['', '.', '1.5.2', '-0.1', '1e3', '1.1'])
    expect(() => numberOf({ text, place: '--rate' }, 0, 1)).toThrow('--rate must be');
  expect(numberOf({ text: '.25', place: '--rate' }, 0, 1)).toBe(0.25);
  expect(() => choiceOf({ text: 'loud', place: 'LEVEL' }, ['info', 'debug'])).toThrow('LEVEL must be one of info, debug, found "loud"');
});
