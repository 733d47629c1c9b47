import { describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { CONTACTS_FILE } from '#tools/start/demo.ts';
import type { RestClient } from '#tools/start/rest-client.ts';
import { nextContacts, supplyContacts } from '#tools/start/supply.ts';

const EXAMPLE = await readFile(CONTACTS_FILE, 'utf8');

describe('the people whom the demo adds', () => {
  test('are those of the example, with mobile numbers that nobody had before', () => {
    const known = EXAMPLE.split(/\r?\n/).map(line => line.split(',')[0] ?? '');
    const added = [290, 490, 690].flatMap(total => nextContacts(EXAMPLE, total));
    const numbers = added.map(({ phoneNumber }) => phoneNumber);
    expect(numbers.filter(number => !/^1\d{10}$/.test(number) || known.includes(number))).toEqual([]);
    expect(new Set(numbers).size).toBe(600);
    expect(added[0]?.customerName).not.toBe('');
    expect(Object.keys(added[0]?.metadata ?? {})).toEqual(['城市', '产品', '会员等级', '合约到期日']);
  });

  test.each([
    [{ status: 'running', pending: 39, total: 290 }, 1],
    [{ status: 'running', pending: 40, total: 290 }, 0],
    [{ status: 'paused', pending: 0, total: 290 }, 0],
    [{ status: 'running', pending: 0, total: 20_000 }, 0],
  ])('come when %j: %d request', async (campaign, requests) => {
    let calls = 0;
    const client = { call: async () => void (calls += 1) } as unknown as RestClient;
    await supplyContacts(client, 1, campaign);
    expect(calls).toBe(requests);
  });
});
