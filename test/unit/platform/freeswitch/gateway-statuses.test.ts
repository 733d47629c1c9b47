import { describe, expect, test } from '@jest/globals';
import { gatewayStatuses, parseGatewayStatus } from '#platform/freeswitch/status-commands.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const text = (state: string, status: string, uptime: string) =>
  `Name    \tcarrier\nProfile \texternal\nFrom    \t<sip:a@b;transport=udp>\nPingState\t0/0/0\nState   \t${state}\nStatus  \t${status}\nUptime  \t${uptime}\nCallsIN \t0\n`;

describe('the status of a gateway', () => {
  test.each([
    ['REGED', 'UP', '120s', { state: 'registered', detail: 'REGED', upSeconds: 120 }],
    ['NOREG', 'UP', '5s', { state: 'open', detail: 'NOREG', upSeconds: 5 }],
    ['NOREG', 'DOWN (ping)', '0s', { state: 'failed', detail: 'DOWN', upSeconds: null }],
    ['TRYING', 'DOWN', '0s', { state: 'trying', detail: 'TRYING', upSeconds: null }],
    ['FAIL_WAIT', 'DOWN', '0s', { state: 'failed', detail: 'FAIL_WAIT', upSeconds: null }],
    ['SOMETHING_NEW', 'UP', '9s', { state: 'unknown', detail: 'SOMETHING_NEW', upSeconds: null }],
  ])('%s, %s', (state, status, uptime, said) => {
    expect(parseGatewayStatus(text(state, status, uptime))).toEqual(said);
  });

  test('a missing gateway is reported as missing', () => {
    expect(parseGatewayStatus('Invalid Gateway!\n')).toEqual({ state: 'missing', detail: null, upSeconds: null });
  });
});

test('a status is cached for a while, and dates from when it was first seen unless the switch reports its age', async () => {
  const clock = manualClock(1_000_000);
  let answer: () => Promise<string> = async () => text('REGED', 'UP', '60s');
  let asked = 0;
  const statusOf = gatewayStatuses(line => {
    expect(line).toBe('sofia status gateway carrier');
    asked += 1;
    return answer();
  }, clock);
  expect(await statusOf('carrier')).toEqual({ state: 'registered', detail: 'REGED', since: 940_000 });
  await statusOf('carrier');
  expect(asked).toBe(1);
  answer = async () => text('FAIL_WAIT', 'DOWN', '0s');
  await clock.pass(6_000);
  expect(await statusOf('carrier')).toEqual({ state: 'failed', detail: 'FAIL_WAIT', since: 1_006_000 });
  await clock.pass(6_000);
  expect(await statusOf('carrier')).toMatchObject({ since: 1_006_000 });
  answer = () => Promise.reject(new Error('gone'));
  await clock.pass(6_000);
  expect(await statusOf('carrier')).toEqual({ state: 'unknown', detail: null, since: 1_018_000 });
});
