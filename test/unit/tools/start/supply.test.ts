import { describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { CONTACTS_FILE } from '#tools/start/demo.ts';
import type { RestClient } from '#tools/start/rest-client.ts';
import { nextContacts, supplyContacts } from '#tools/start/supply.ts';

const EXAMPLE = await readFile(CONTACTS_FILE, 'utf8');
const numbersOf = (text: string) =>
  text
    .split('\n')
    .slice(1)
    .map(line => line.split(',')[0] ?? '');

describe('the people whom the demo adds', () => {
  test('have the columns of the example and mobile numbers that nobody had before', () => {
    const lists = [290, 490, 690].map(total => nextContacts(EXAMPLE, total));
    for (const list of lists) expect(list.split('\n')[0]).toBe(EXAMPLE.split(/\r?\n/)[0]);
    const all = [...numbersOf(EXAMPLE).filter(number => /^1\d{10}$/.test(number)), ...lists.flatMap(numbersOf)];
    expect(lists.flatMap(numbersOf).every(number => /^1\d{10}$/.test(number))).toBe(true);
    expect(new Set(lists.flatMap(numbersOf)).size).toBe(600);
    expect(all.filter((number, index) => all.indexOf(number) !== index && index >= all.length - 600)).toEqual([]);
  });

  test.each([
    [{ status: 'running', pending: 39, total: 290 }, 1],
    [{ status: 'running', pending: 40, total: 290 }, 0],
    [{ status: 'paused', pending: 0, total: 290 }, 0],
    [{ status: 'running', pending: 0, total: 20_000 }, 0],
  ])('come when %j: %d file', async (campaign, files) => {
    let calls = 0;
    const client = { call: async () => void (calls += 1) } as unknown as RestClient;
    await supplyContacts(client, 1, campaign);
    expect(calls).toBe(files);
  });
});
