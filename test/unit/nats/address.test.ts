import { expect, test } from '@jest/globals';
import { natsAddress, runtimeAddress } from '#contract/nats/address.ts';

test.each([
  ['nats://n1:4222', { servers: ['n1:4222'] }],
  ['nats://n1:4222, nats://n2:4222', { servers: ['n1:4222', 'n2:4222'] }],
  ['n1', { servers: ['n1'] }],
  ['nats://callout:p%40ss@n1,nats://n2', { servers: ['n1', 'n2'], user: 'callout', pass: 'p@ss' }],
  // The client took the token for a user name, and was refused.
  ['nats://t0ken@n1', { servers: ['n1'], token: 't0ken' }],
  // Without the demand the client goes on in the clear when the server offers nothing else.
  ['tls://callout:pass@n1', { servers: ['n1'], user: 'callout', pass: 'pass', tls: {} }],
])('%s is understood [D1.2]', (text, address) => {
  expect(natsAddress(text)).toEqual(address);
});

test.each([
  ['nats://callout-runtime:secret@n1', '_INBOX_RUNTIME.callout-runtime'],
  // Without a user nobody can say which branch is this runtime's.
  ['nats://t0ken@n1', undefined],
  ['n1', undefined],
])('a runtime at %s hears answers under %s [D3.9]', (text, inboxPrefix) => {
  expect(runtimeAddress(text)).toEqual({ ...natsAddress(text), ...(inboxPrefix === undefined ? {} : { inboxPrefix }) });
});
