import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { addressOf, digitOf, isHoldOffer } from '#tools/switch/sip/dialog.ts';
import {
  branchOf,
  formatSip,
  headerOf,
  headersNamed,
  MAX_MESSAGE_BYTES,
  parseSip,
  partsOfUri,
  respondTo,
  sequenceOf,
  type SipRequest,
  tagOf,
  uriOf,
} from '#tools/switch/sip/message.ts';

const HEAD = ['REGISTER sip:127.0.0.1 SIP/2.0', 'Via: SIP/2.0/WS x.invalid;branch=z9hG4bK1', 'To: <sip:1001@127.0.0.1>'];
const TAIL = ['From: "李雷" <sip:1001@127.0.0.1>;tag=abc', 'Call-ID: 1@x', 'CSeq: 7 REGISTER'];

const text = (...more: string[]) => `${[...HEAD, ...TAIL, ...more].join('\r\n')}\r\n\r\n`;

function parsed(message: string): SipRequest {
  const found = parseSip(message);
  if (found?.kind !== 'request') throw new Error('no request');
  return found;
}

describe('a message of a phone', () => {
  test('is read with its headers, whatever their case and form', () => {
    const request = parsed(text('m: <sip:a@b.invalid;transport=ws>;expires=600', 'SUPPORTED: path', 'Subject: one\r\n  two'));
    expect(request).toMatchObject({ method: 'REGISTER', uri: 'sip:127.0.0.1' });
    expect(headerOf(request, 'contact')).toContain('a@b.invalid');
    expect(headerOf(request, 'supported')).toBe('path');
    expect(headerOf(request, 'subject')).toBe('one two');
    expect(sequenceOf(request)).toEqual({ number: 7, method: 'REGISTER' });
    expect([branchOf(request), tagOf(headerOf(request, 'from')), tagOf(headerOf(request, 'to'))]).toEqual(['z9hG4bK1', 'abc', null]);
  });

  test.each([
    ['no end of its head', text().slice(0, -2)],
    ['no request line', text().replace('REGISTER sip:127.0.0.1 SIP/2.0', 'HELLO')],
    ['another version', text().replace('SIP/2.0\r\n', 'SIP/3.0\r\n')],
    ['no Call-ID', text().replace('Call-ID: 1@x\r\n', '')],
    ['an empty Via', text().replace(/Via: .*\r\n/, 'Via:\r\n')],
    ['a control character in a header', text('Subject: a\u0000b')],
    ['a lone line feed in a header', text('Subject: a\nEvil: b')],
    ['a header without a colon', text('nonsense')],
    ['a length that contradicts its body', text('Content-Length: 5')],
    ['too many headers', text(...Array.from({ length: 80 }, (_, index) => `X-${index}: 1`))],
    ['a line that is too long', text(`Subject: ${'a'.repeat(5_000)}`)],
    ['more bytes than the bound', `${text()}${'a'.repeat(MAX_MESSAGE_BYTES)}`],
  ])('with %s is dropped', (_what, message) => {
    expect(parseSip(message)).toBeNull();
  });

  test('of any text never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (head, value) => void [parseSip(head), parseSip(text(`X: ${value}`))]),
    );
  });
});

describe('a message of the switch', () => {
  test('never lets a value begin a header of its own', () => {
    const request = parsed(text());
    const response = respondTo(request, 200, { tag: 't', headers: [['x-name', 'a\r\nEvil: 1\r\n\r\nbody']] });
    const again = parseSip(formatSip(response));
    expect(again).toMatchObject({ kind: 'response', status: 200, body: '' });
    expect(again?.headers.map(([name]) => name)).not.toContain('evil');
  });

  test('whatever a caller is called, its address has that name and no more', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), name => {
        const address = addressOf(name, '1001', '127.0.0.1');
        expect([uriOf(address), tagOf(address)]).toEqual(['sip:1001@127.0.0.1', null]);
      }),
    );
  });

  test('repeats what the transaction needs, and adds its tag once', () => {
    const request = parsed(text('Via: SIP/2.0/WS second.invalid;branch=z9hG4bK2', 'Record-Route: <sip:p>'));
    const response = respondTo(request, 486, { tag: 'mine' });
    expect(response.reason).toBe('Busy Here');
    expect(headersNamed(response, 'via')).toHaveLength(2);
    expect(tagOf(headerOf(response, 'to'))).toBe('mine');
    expect(headerOf(response, 'record-route')).toBe('');
  });
});

test.each([
  ['sip:1001@Example.COM:5066;transport=ws', { user: '1001', host: 'example.com' }],
  ['sip:a%20b@c', { user: 'a b', host: 'c' }],
  ['sip:%zz@c', { user: '%zz', host: 'c' }],
  ['sip:only-host', { user: '', host: 'only-host' }],
  ['tel:+86', { user: '', host: '' }],
])('%s has these parts', (uri, parts) => {
  expect(partsOfUri(uri)).toEqual(parts);
});

test('an offer without receiving is a hold, and a key is read from both forms of INFO', () => {
  expect([isHoldOffer('a=sendonly\r\n'), isHoldOffer('a=inactive\r\n'), isHoldOffer('a=sendrecv\r\n')]).toEqual([true, true, false]);
  expect([digitOf('Signal=5\r\nDuration=100\r\n'), digitOf('#'), digitOf('Signal=55'), digitOf('hello')]).toEqual(['5', '#', null, null]);
});
