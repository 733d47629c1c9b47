import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  addCampaign,
  addContacts,
  attemptRow,
  contactRow,
  dial,
  type Dialling,
  openDialling,
  phoneNumbers,
  settled,
} from '#test/support/dialling.ts';

let d: Dialling;

beforeAll(async () => {
  d = await openDialling();
});

afterAll(() => d.close());

const endedAt = Date.now() - 1_800_000;

test('an answered call that no runtime accepted is repeated twice after the retry interval at no cost, then it costs an attempt', async () => {
  const campaign = await addCampaign(d.db, { maxRetries: 0, retryIntervalSeconds: 600 });
  const [contact = 0] = await addContacts(d.db, campaign, phoneNumbers(1));
  const ended = [];
  for (let times = 0; times < 3; times += 1) {
    const requestId = (await dial(d, campaign)).dials[0]?.requestId ?? '';
    await d.dials.recordProgress([{ requestId, answeredAt: endedAt - 4_000 }]);
    await d.dials.settle([settled(requestId, { callStatus: 'failed', hangupCause: 'RUNTIME_UNAVAILABLE', isOurFault: true, endedAt })]);
    expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'failed', answeredAt: endedAt - 4_000, durationSeconds: 4 });
    ended.push(await contactRow(d.db, contact));
  }
  const free = { status: 'failed', attemptCount: 0, retryAt: endedAt + 600_000 };
  expect(ended).toMatchObject([free, free, { status: 'failed', attemptCount: 1, retryAt: null }]);
});
