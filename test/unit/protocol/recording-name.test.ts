import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { recordingName } from '#protocol/result.ts';

test.each([
  ['/var/rec/a.wav', 'a.wav'],
  ['https://cell/rec/2026/a.wav?sig=x/y#z', 'a.wav'],
  ['C:\\rec\\a b.wav', 'a b.wav'],
  ['C:\\rec/mixed\\a.wav', 'a.wav'],
  ['a.wav', 'a.wav'],
  ['/var/rec/', null],
  ['..', null],
  ['/rec/../..', null],
  ['a\u0000.wav', null],
  ['a\u202Evaw.exe', null],
  ['录'.repeat(86), null],
  ['录'.repeat(85), '录'.repeat(85)],
  ['', null],
  ['javascript:alert(1)', null],
  ['/rec/JavaScript:alert(1).wav', null],
  ['data:audio;base64,AAAA', null],
  ['vbscript:x.wav', null],
  ['https://cell/rec/blob:a.wav', null],
  ['\u00a0javascript:alert(1)', null],
  ['2026-10-01T09:30:00.wav', '2026-10-01T09:30:00.wav'],
  ['通话：1.wav', '通话：1.wav'],
  [null, null],
])('the recording %j is stored as %j [OCS 4.16, D7.7]', (path, name) => {
  expect(recordingName(path)).toBe(name);
});

test('whatever is reported, the result contains no path, and a plain name is unchanged [OCS 4.16]', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '/', '\\', '?', '#', '.', ' ', '录') }), path => {
      const name = recordingName(path);
      expect(name ?? '').not.toMatch(/[/\\]/);
      expect(recordingName(name)).toBe(name);
    }),
  );
});
