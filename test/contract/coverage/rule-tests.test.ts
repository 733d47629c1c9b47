import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { INTERFACE_ROWS, NOT_SERVED } from './interface-rows.ts';
import { RULE_TESTS, UNTESTED } from './rule-tests.ts';
import { RULES } from './rules.ts';

const PROJECT = join(import.meta.dirname, '../../..');

const entries = RULE_TESTS.trim()
  .split('\n')
  .map(line => {
    const [rule = '', file = '', title = ''] = line.split(' :: ');
    return { rule, file, title };
  });

const rows = INTERFACE_ROWS.map(({ name }) => name).filter(name => !NOT_SERVED.includes(name));

describe('every row and rule of OCS 2–9, D2–D8, D11 and D14 has its test', () => {
  test('none lacks a test', () => {
    const tested = new Set(entries.map(({ rule }) => rule));
    expect([...rows, ...RULES].filter(rule => !tested.has(rule))).toEqual(UNTESTED);
  });

  test('no listed rule is unknown', () => {
    const known = new Set([...INTERFACE_ROWS.map(({ name }) => name), ...RULES]);
    expect(entries.filter(({ rule }) => !known.has(rule))).toEqual([]);
  });

  test('each title occurs in its file', () => {
    const gone = entries.filter(({ file, title }) => {
      const path = join(PROJECT, file);
      return title === '' || !existsSync(path) || !readFileSync(path, 'utf8').includes(title);
    });
    expect(gone).toEqual([]);
  });
});
