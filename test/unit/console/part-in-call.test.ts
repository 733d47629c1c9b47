import { expect, test } from '@jest/globals';
import { nodeChoices } from '../../../console/pages/live/node-choices.ts';
import { leavingOf, type OpenCall } from '../../../console/pages/live/open-call.ts';
import { isShown, partStageOf } from '../../../console/pages/live/part-in-call.ts';

const ME = '7';
const AT = '2026-03-02T02:00:00.000Z';
type Person = OpenCall['people'][number];
const person = (change: Partial<Person> = {}): Person => ({
  __typename: 'CallPerson',
  userId: ME,
  joinedAt: null,
  leftAt: null,
  hasHandedOver: false,
  ...change,
});
const FACTS = { userId: ME, phoneCall: null, conferenceId: 'conference', holdReason: 'PARTICIPANT_ABSENT' };

test('my part rings, then connects the customer, then talks; without a conference or a leg I have none', () => {
  expect(partStageOf({ people: [person()] }, FACTS)).toBe('RINGING');
  expect(partStageOf({ people: [person()] }, { ...FACTS, phoneCall: { phase: 'ringing' } })).toBe('RINGING');
  expect(partStageOf({ people: [person()] }, { ...FACTS, phoneCall: { phase: 'talking' } })).toBe('CONNECTING');
  expect(partStageOf({ people: [person({ joinedAt: AT })] }, { ...FACTS, holdReason: 'CUSTOMER_ABSENT' })).toBe('CONNECTING');
  expect(partStageOf({ people: [person({ joinedAt: AT })] }, { ...FACTS, holdReason: null })).toBe('TALKING');
  expect(partStageOf({ people: [person({ joinedAt: AT })] }, { ...FACTS, conferenceId: '' })).toBeNull();
  expect(partStageOf({ people: [person({ joinedAt: AT, leftAt: AT })] }, FACTS)).toBeNull();
});

test('the bar leaves out what the user can never do, what an agent in the call needs no more, and what the phone bar has', () => {
  const agent = { isPermitted: true, isSupervisor: false, stage: 'TALKING', isBrowserPhone: false } as const;
  expect(isShown('HANG_UP', { ...agent, isPermitted: false })).toBe(false);
  expect(isShown('CLAIM', agent)).toBe(false);
  expect(isShown('CLAIM', { ...agent, stage: null })).toBe(true);
  expect(isShown('LISTEN', { ...agent, isSupervisor: true })).toBe(true);
  expect(isShown('HOLD', agent)).toBe(true);
  expect(isShown('HOLD', { ...agent, isBrowserPhone: true })).toBe(false);
});

test('a call that is no longer mine says how it left me', () => {
  const handedBack = { kind: 'HAND_BACK' } as OpenCall['guidance'][number];
  expect(leavingOf({ people: [], guidance: [] }, ME)).toBe('RELEASED');
  expect(leavingOf({ people: [person()], guidance: [] }, ME)).toBe('MISSED');
  expect(leavingOf({ people: [person({ joinedAt: AT })], guidance: [] }, ME)).toBe('LEFT');
  expect(leavingOf({ people: [person({ joinedAt: AT })], guidance: [handedBack] }, ME)).toBe('HANDED_BACK');
});

test('nodes are chosen by name, and by id where they have none', () => {
  expect(nodeChoices({ hello: '开场', bye: '' })).toEqual([
    { value: 'hello', label: '开场' },
    { value: 'bye', label: 'bye' },
  ]);
  expect(nodeChoices(null)).toEqual([]);
});
