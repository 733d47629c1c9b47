import { expect, test } from '@jest/globals';
import { CalloutError, conflict } from '#kernel/errors.ts';
import { silentLog } from '#kernel/log.ts';
import type { DialOutcome } from '#legs/originate-leg.ts';
import { type LegPlan, NO_CAMPAIGN, placeLeg, type PlaceLegApp } from '#legs/place-leg.ts';
import { manualClock } from '#test/support/manual-clock.ts';

interface Faults {
  agent?: boolean;
  slot?: boolean;
  record?: 'refused' | 'null';
  confirm?: boolean;
  begin?: boolean;
  dial?: DialOutcome;
  isHeld?: boolean;
}

/** Runs the plan with each step noted; a fault makes its step fail. */
async function placing(faults: Faults) {
  const done: string[] = [];
  const step = <T>(what: string, answer: T): T => {
    done.push(what);
    return answer;
  };
  const deps = {
    clock: manualClock(),
    log: silentLog,
    agentReservations: {
      reserve: async () => step('reserve agent', faults.agent ? undefined : { agentId: 3, fence: 'fence' }),
      release: async () => step('release agent', true),
    },
    slots: {
      reserve: async () =>
        step('reserve slot', { grants: faults.slot ? [] : [{ requestId: 'leg', lineId: 1, number: null }], refusal: 'line_full' }),
      confirm: async () => step('confirm slot', [{ outcome: faults.confirm ? 'gone' : 'confirmed' }]),
      release: async () => step('release slot', 1),
    },
    switchPort: { cells: () => [] },
  };
  const plan: LegPlan<string> = {
    agent: { choices: [{ holder: 'x:1', agentId: 3 }], refusal: () => conflict('AGENT_BUSY', 'busy') },
    slot: {
      requestId: 'leg',
      cellId: null,
      lines: [],
      account: { ...NO_CAMPAIGN, weight: 1 },
      refusal: reason => new CalloutError('CONFLICT', `no capacity: ${reason}`),
    },
    async record() {
      step('record', null);
      if (faults.record === 'refused') throw new CalloutError('CONFLICT', 'in a call');
      return faults.record === 'null' ? null : 'row';
    },
    isHeld: () => faults.isHeld === true,
    async begin() {
      step('begin', null);
      if (faults.begin) throw new CalloutError('SWITCH_UNAVAILABLE', 'away');
    },
    dial: async () => step('dial', faults.dial ?? { kind: 'sent' }),
    end: async (_row, { cause }) => step(`end ${cause}`, null),
  };
  const placed = await placeLeg(deps as unknown as PlaceLegApp, plan).catch((error: unknown) => String(error));
  return { done, placed };
}

const RESERVED = ['reserve agent', 'reserve slot', 'record'];
const RELEASED = ['release agent', 'release slot'];
const BEGUN = [...RESERVED, 'confirm slot', 'begin'];

test('a person is reserved, recorded and confirmed before the one dial [A6]', async () => {
  const { done, placed } = await placing({});
  expect([done, placed]).toEqual([[...BEGUN, 'dial'], { row: 'row', isSent: true }]);
});

test.each<[string, Faults, string[]]>([
  ['no agent is free', { agent: true }, ['reserve agent']],
  ['no slot is free', { slot: true }, ['reserve agent', 'reserve slot', 'release agent']],
  ['the person is in a call', { record: 'refused' }, [...RESERVED, ...RELEASED]],
  ['the session has ended', { record: 'null' }, [...RESERVED, ...RELEASED]],
  ['the row may be written all the same', { record: 'refused', isHeld: true }, RESERVED],
  ['the lease of the slot has ended', { confirm: true }, [...RESERVED, 'confirm slot', 'end NOT_SENT']],
  ['the last step before the dial fails', { begin: true }, [...BEGUN, 'end NOT_SENT']],
])('if %s, the steps before are undone and nothing is dialled', async (_why, faults, steps) => {
  expect((await placing(faults)).done).toEqual(steps);
});

test.each<[DialOutcome, string[]]>([
  [{ kind: 'refused', cause: 'USER_BUSY' }, ['end USER_BUSY']],
  [{ kind: 'barred', reason: 'listed' }, ['end OUTGOING_CALL_BARRED']],
  [{ kind: 'not_sent', reason: 'busy' }, ['end DESTINATION_OUT_OF_ORDER']],
  // Another instance has sent it: its leg must not be ended.
  [{ kind: 'not_ours' }, []],
])('after %j the leg counts as not sent', async (dial, steps) => {
  const { done, placed } = await placing({ dial });
  expect([done, placed]).toEqual([[...BEGUN, 'dial', ...steps], { row: 'row', isSent: false }]);
});
