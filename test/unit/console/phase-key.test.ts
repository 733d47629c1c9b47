import { expect, test } from '@jest/globals';
import { isHindered, isInTheWay } from '../../../console/pages/campaigns/phase-key.ts';

test('a campaign whose contacts wait for their own time is not hindered, whatever a dial would need', () => {
  for (const phaseCause of [null, 'CALLBACK']) {
    const waiting = { phase: 'WAITING_RETRY', phaseCause };
    expect(isHindered(waiting.phase, phaseCause)).toBe(false);
    expect(['CONTACTS', 'LINES', 'CELL'].filter(code => isInTheWay(waiting, code))).toEqual(['CELL']);
  }
});

test('a campaign that has a contact to dial names the full lines', () => {
  expect(isHindered('WAITING_SLOT', 'LINE_FULL')).toBe(true);
  expect(isInTheWay({ phase: 'WAITING_SLOT', phaseCause: 'LINE_FULL' }, 'LINES')).toBe(true);
  expect(isInTheWay({ phase: 'WAITING_RETRY', phaseCause: 'DO_NOT_CALL' }, 'CONTACTS')).toBe(true);
});
