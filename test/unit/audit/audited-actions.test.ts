import { expect, test } from '@jest/globals';
import { AUDITED_ACTIONS } from '#audit/audit.ts';

/** Participles that do not end in `ed`. */
const IRREGULAR = ['handed_back', 'held', 'hung_up', 'read', 'sent', 'spoken'];

test('every action has the form noun.verbed [D3.7]', () => {
  const strange = AUDITED_ACTIONS.filter(action => {
    const [noun = '', verb = '', ...rest] = action.split('.');
    const isVerbed = /(^|_)[a-z]+ed(_in|_out)?$/.test(verb) || IRREGULAR.some(word => verb === word || verb.endsWith(`_${word}`));
    return rest.length > 0 || !/^[a-z]+(_[a-z]+)*$/.test(noun) || !isVerbed;
  });
  expect(strange).toEqual([]);
});
