import { expect, test } from '@jest/globals';
import { type Contact } from '#contacts/contact.ts';
import { dialState } from '#dials/dial.ts';

const HELD = 'not_after_passed';

test.each<[Contact['status'], number | null, string | null, string]>([
  ['pending', null, null, 'waiting'],
  ['pending', null, 'dnc', 'waiting'],
  ['submitted', null, null, 'in_call'],
  ['completed', null, null, 'completed'],
  ['failed', 1, null, 'waiting'],
  ['failed', null, null, 'failed'],
  ['failed', null, 'invalid_number', 'failed'],
  ['failed', null, HELD, 'expired'],
  ['paused', null, null, 'paused'],
])(
  'a contact that is %s, due for a retry at %s and held for %s is a dial in the state %s [D7.15]',
  (status, retryAt, holdReason, state) => {
    expect(dialState({ status, retryAt, holdReason })).toBe(state);
  },
);
