import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** OCS section 3, table "Human intervention on a live call": one group per row, named after it. Every test has its own live call. */
let rig: DispatchRig;
let supervisor: string;
let other: string;
beforeAll(async () => {
  rig = await startDispatchRig({ world: everybody('answer', { talkMs: { minMs: 600_000, maxMs: 900_000 } }) });
  supervisor = await rig.server.loginAs('supervisor');
  other = rig.token;
});
afterAll(() => rig.close());

let requestId: string;
let nextNumber = 17_000_000_000;
beforeEach(async () => {
  const { id } = await rig.campaign({ contacts: numbers(1, (nextNumber += 1_000_000)) });
  await rig.start(id);
  // The row follows after the call itself has become live.
  const answered = await waitUntil('an answered call', async () => (await rig.attempts(id)).find(({ status }) => status === 'answered'));
  requestId = answered.requestId;
});

const claim = (token = supervisor) => rig.server.api('POST', `/api/live-calls/request:${requestId}/intervene`, {}, token);
const cancel = (token = supervisor) => rig.server.api('POST', `/api/live-calls/request:${requestId}/intervention/cancel`, {}, token);
const report = (id: string, status: string) =>
  rig.server.internal('POST', '/api/call-progress', { requestId, kind: 'intervention', intervention: { id, status, isOwnLeg: true } });

test('no request | POST intervene | first claim (atomic) | requested', async () => {
  const answers = await Promise.all([claim(), claim(other), claim(), claim(other)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  const won = answers.find(({ status }) => status === 200);
  expect(won?.data.intervention).toMatchObject({ id: expect.any(String), status: 'requested' });
});

test('requested | POST intervene again | unchanged, 409', async () => {
  const first = (await claim()).data.intervention;
  const again = await claim();
  expect([again.status, again.data, again.msg]).toEqual([409, null, '该通话已被申请人工介入']);
  expect((await cancel()).data.intervention).toMatchObject({ id: first.id, status: 'cancelled' });
});

describe('requested | POST intervention cancel | caller is the initiator | request withdrawn', () => {
  test('the call may be claimed again', async () => {
    await claim();
    expect((await cancel()).data.intervention.status).toBe('cancelled');
    expect((await claim(other)).data.intervention.status).toBe('requested');
  });

  test('another caller: 403, unchanged [D9.3]', async () => {
    await claim();
    expect((await cancel(other)).status).toBe(403);
    expect((await claim()).status).toBe(409);
  });
});

test('consumed (transfer started) | POST intervention cancel | unchanged, 409', async () => {
  const { id } = (await claim()).data.intervention;
  expect((await report(id, 'transferring')).status).toBe(200);
  const answer = await cancel();
  expect([answer.status, answer.msg]).toEqual([409, '人工介入已开始转接，不能取消']);
});

test('requested | node boundary reached | consumed, transfer begins', async () => {
  const { id } = (await claim()).data.intervention;
  await report(id, 'transferring');
  const told = await waitUntil('the runtime event', async () => {
    const { recentEvents } = (await rig.server.api('GET', '/api/overview', undefined, other)).data;
    return (recentEvents as RuntimeEvent[]).find(({ type, detail }) => type.startsWith('intervention.t') && detail?.interventionId === id);
  });
  expect(told.type).toBe('intervention.transferring');
  expect((await claim(other)).status).toBe(409);
});

interface RuntimeEvent {
  type: string;
  detail: { interventionId?: string } | null;
}
