import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { outsideHttp } from '#platform/outside/outside-http.ts';
import { resolveAllowed } from '#platform/outside/guarded-lookup.ts';
import { startReceiver, type WebhookReceiver } from '#test/support/webhook-receiver.ts';

let receiver: WebhookReceiver;
const guarded = outsideHttp({ allowPrivate: false });
const free = outsideHttp({ allowPrivate: true });
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  guarded.close();
  free.close();
  await receiver.close();
});

const request = { body: '{}', timeoutMs: 500, maxAnswerBytes: 100, longer: 'refuse' } as const;
const port = () => new URL(receiver.url).port;

describe('requests to addresses that people type [D15.4]', () => {
  test('a private address is refused, by its number and by its name', async () => {
    await expect(guarded.post({ ...request, url: receiver.url })).rejects.toMatchObject({ fault: 'address_private' });
    // The name is resolved and checked by the socket itself.
    await expect(guarded.post({ ...request, url: `https://localhost:${port()}` })).rejects.toMatchObject({ fault: 'address_private' });
    await expect(resolveAllowed('localhost', { allowPrivate: false })).rejects.toMatchObject({ fault: 'address_private' });
    await expect(resolveAllowed('nobody.invalid', { allowPrivate: false })).rejects.toMatchObject({ fault: 'unresolved' });
    expect(receiver.received).toEqual([]);
  });

  test('one that says nothing is a time-out, one that says too much is refused, one that is away unreachable', async () => {
    receiver.answerWith(() => undefined);
    await expect(free.post({ ...request, url: receiver.url })).rejects.toMatchObject({ fault: 'timeout' });
    receiver.answerWith((_message, response) => void response.writeHead(200).end('x'.repeat(101)));
    await expect(free.post({ ...request, url: receiver.url })).rejects.toMatchObject({ fault: 'answer_too_long' });
    expect(await free.post({ ...request, url: receiver.url, longer: 'cut' })).toEqual({ status: 200, text: 'x'.repeat(100) });
    receiver.answerWith((_message, response) => response.destroy());
    await expect(free.post({ ...request, url: receiver.url })).rejects.toMatchObject({ fault: 'unreachable' });
    await expect(free.post({ ...request, url: 'file:///etc/passwd' })).rejects.toMatchObject({ fault: 'address_invalid' });
  });

  test('the time-out covers an answer that trickles', async () => {
    receiver.answerWith((_message, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    await expect(free.post({ ...request, url: receiver.url, maxAnswerBytes: 1_000_000 })).rejects.toMatchObject({ fault: 'timeout' });
  });
});
