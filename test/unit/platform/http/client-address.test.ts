import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { clientAddressBehind } from '#platform/http/server.ts';

const PROXY = '10.0.0.1';
const addressOf = clientAddressBehind([PROXY, '192.168.7.0/24', 'loopback', '2001:db8:ffff::/48']);

function arrival(remoteAddress: string | undefined, headers: Record<string, string> = {}) {
  return { headers, socket: { remoteAddress } };
}
const behind = (headers: Record<string, string>, peer = PROXY) => addressOf(arrival(peer, headers));

describe('the client address', () => {
  test('is the peer of the connection, whatever headers an untrusted client sends', () => {
    expect(addressOf(arrival('203.0.113.9', { 'x-forwarded-for': '1.2.3.4', forwarded: 'for=1.2.3.4' }))).toBe('203.0.113.9');
    expect(clientAddressBehind([])(arrival('127.0.0.1', { 'x-forwarded-for': '1.2.3.4' }))).toBe('127.0.0.1');
    expect(addressOf(arrival(undefined))).toBeNull();
    expect(behind({})).toBe(PROXY);
  });

  test.each<[string, string]>([
    ['203.0.113.9', '203.0.113.9'],
    ['1.2.3.4, 203.0.113.9', '203.0.113.9'],
    ['1.2.3.4, 203.0.113.9, 192.168.7.200,10.0.0.1', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['2001:db8::1, 2001:db8:ffff::5', '2001:db8::1'],
    ['192.168.7.1, 10.0.0.1', '192.168.7.1'],
    ['unknown, 192.168.7.200', '192.168.7.200'],
    ['', PROXY],
    ["'; drop table", PROXY],
  ])('X-Forwarded-For: %s → %s', (header, expected) => {
    expect(behind({ 'x-forwarded-for': header })).toBe(expected);
  });

  test.each<[string, string]>([
    ['for=203.0.113.9', '203.0.113.9'],
    ['For="203.0.113.9:4711";proto=http;by=10.0.0.1', '203.0.113.9'],
    ['for=1.2.3.4, by=10.0.0.1; for=203.0.113.9', '203.0.113.9'],
    ['proto=http;by="x;y";for=203.0.113.9', '203.0.113.9'],
    ['for="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
    ['host="a,for=1.2.3.4;for=1.2.3.4";for=203.0.113.9', '203.0.113.9'],
    ['for=1.2.3.4, proto=https', PROXY],
    ['for=_hidden', PROXY],
    ['for="1.2.3.4, for=203.0.113.9', PROXY],
    ['for=1.2.3.4,,', PROXY],
  ])('Forwarded: %s → %s', (header, expected) => {
    expect(behind({ forwarded: header })).toBe(expected);
  });

  test('is the proxy if the two headers differ, because the proxy wrote only one of them', () => {
    expect(behind({ 'x-forwarded-for': '1.2.3.4', forwarded: 'for=203.0.113.9' })).toBe(PROXY);
    expect(behind({ 'x-forwarded-for': '203.0.113.9', forwarded: 'for="203.0.113.9:80"' })).toBe('203.0.113.9');
  });

  test('recognises an IPv4 proxy on a dual-stack socket', () => {
    expect(behind({ 'x-forwarded-for': '203.0.113.9' }, '::ffff:10.0.0.1')).toBe('203.0.113.9');
  });

  test('does not depend on anything left of the last untrusted address', () => {
    fc.assert(
      fc.property(fc.string(), written => {
        expect(behind({ 'x-forwarded-for': `${written}, 203.0.113.9` })).toBe('203.0.113.9');
        expect(['203.0.113.9', PROXY]).toContain(behind({ forwarded: `${written}, for=203.0.113.9` }));
      }),
    );
  });

  test('takes one pass over a long hostile header', () => {
    expect(behind({ forwarded: 'a;"'.repeat(5_000) })).toBe(PROXY);
  });
});
