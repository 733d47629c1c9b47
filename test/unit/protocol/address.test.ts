import { expect, test } from '@jest/globals';
import { natsAddress, runtimeAddress } from '#protocol/address.ts';

test.each([
  ['nats://n1:4222', { servers: ['n1:4222'] }],
  ['nats://n1:4222, nats://n2:4222', { servers: ['n1:4222', 'n2:4222'] }],
  ['n1', { servers: ['n1'] }],
  ['nats://callout:p%40ss@n1,nats://n2', { servers: ['n1', 'n2'], user: 'callout', pass: 'p@ss' }],
  // Regression: the client took the token for a user name, and the server refused it.
  ['nats://t0ken@n1', { servers: ['n1'], token: 't0ken' }],
  // Without this option the client falls back to plain text if the server offers no TLS.
  ['tls://callout:pass@n1', { servers: ['n1'], user: 'callout', pass: 'pass', tls: {} }],
])('%s is parsed [D1.2]', (text, address) => {
  expect(natsAddress(text)).toEqual(address);
});

test.each([
  ['nats://callout-runtime:secret@n1', '_INBOX_RUNTIME.callout-runtime'],
  // Without a user the runtime's own branch of inbox subjects is unknown.
  ['nats://t0ken@n1', undefined],
  ['n1', undefined],
])('a runtime at %s receives replies under %s [D3.9]', (text, inboxPrefix) => {
  expect(runtimeAddress(text)).toEqual({ ...natsAddress(text), ...(inboxPrefix === undefined ? {} : { inboxPrefix }) });
});
