import { expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { conflict } from '#kernel/errors.ts';
import { silentLog } from '#kernel/log.ts';
import { OutsideError } from '#platform/outside/outside-error.ts';
import { type DeliverApp, sendToProgram } from '#webhooks/deliver.ts';

const endpoint = { secret: 'sealed', previousSecret: null, url: 'https://example.com/hook' } as Parameters<typeof sendToProgram>[1];
const message = { type: 'webhook.test', key: 'k', sequence: 1, messageId: 'm', createdAt: 0, data: {} } as unknown as Parameters<
  typeof sendToProgram
>[2];

const failing = (part: { open?: () => string; post?: () => Promise<never> }): DeliverApp => ({
  clock: systemClock,
  log: silentLog,
  timeZone: 'Asia/Shanghai',
  outside: { post: part.post ?? (() => Promise.reject(new OutsideError('timeout'))) },
  sendMail: () => Promise.reject(new OutsideError('unreachable')),
  webhookSeal: { close: text => text, open: part.open ?? (() => 'whsec_c2VjcmV0') },
});
const unreadable = () => {
  throw conflict('SECRET_KEY_CHANGED', '推送密钥由另一把密钥加密');
};

test.each([
  ['the fault of the receiver', failing({}), 'timeout'],
  ['an unreadable secret, which a person can set again', failing({ open: unreadable }), 'secret_unreadable'],
  ['a fault of ours, which no new secret mends', failing({ post: () => Promise.reject(new TypeError('bug')) }), 'internal_error'],
])('a delivery that fails names %s [D15.3]', async (_title, app, error) => {
  expect(await sendToProgram(app, endpoint, message)).toMatchObject({ isDelivered: false, error });
});
