import { expect, test } from '@jest/globals';
import { localPath } from '../../../console/pages/users/local-path.ts';

test.each([
  ['/campaigns/7?tab=calls#top', '/campaigns/7?tab=calls#top'],
  ['/', '/'],
  [null, '/'],
  ['', '/'],
  ['campaigns', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/\n/evil.example', '/'],
  ['/\r\n/evil.example', '/'],
  ['\t//evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/a/..//evil.example', '/'],
  ['/\u0000', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
])('after signing in, %j leads to %s', (asked, path) => {
  expect(localPath(asked)).toBe(path);
});
