import { describe, expect, test } from '@jest/globals';
import { isPrivateAddress } from '#platform/outside/private-address.ts';
import { isOutsideUrl } from '#platform/outside/outside-http.ts';

describe('addresses that nobody outside has [D15.4]', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '2001:db8::1',
    'no address',
  ])('%s is private', address => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  test.each(['8.8.8.8', '172.32.0.1', '1.1.1.1', '2400:3200::1', '2606:4700::1111'])('%s is public', address => {
    expect(isPrivateAddress(address)).toBe(false);
  });

  test.each([
    ['https://hooks.example.com/a', true, true],
    ['https://8.8.8.8/a', true, true],
    ['http://hooks.example.com/a', false, true],
    ['https://10.0.0.1/a', false, true],
    ['https://[::1]/a', false, true],
    // Other spellings of 127.0.0.1, which the parser of addresses reads as it.
    ['https://2130706433/', false, true],
    ['https://0x7f.1/', false, true],
    ['https://user:word@hooks.example.com/', false, false],
    ['ftp://hooks.example.com/', false, false],
    ['hooks.example.com', false, false],
  ])('%s may be written down: %s, with private addresses allowed: %s', (url, strictly, freely) => {
    expect(isOutsideUrl(url, { allowPrivate: false })).toBe(strictly);
    expect(isOutsideUrl(url, { allowPrivate: true })).toBe(freely);
  });
});
