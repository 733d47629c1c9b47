import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { PROJECT } from '#tools/commands/project.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

/** Two requests for two widgets, none for the same again, and a change that appears in both; the client logs no warning. */
async function play(client: string): Promise<Record<string, unknown>> {
  const { id } = await api.campaign({ name: 'first' });
  await api.contacts(id, '13900000001', '13900000002');
  const file = join(PROJECT, 'examples/graphql-clients', client);
  const { stdout } = await promisify(execFile)(process.execPath, [file, api.server.url, api.admin, String(id)]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

test('Apollo Client renders two widgets of one campaign with two requests, without a warning', async () => {
  expect(await play('apollo.mjs')).toEqual({ first: 2, again: 2, contacts: 2, name: 'renamed', parts: [false, true], warnings: [] });
});

test('so does urql with graphcache', async () => {
  expect(await play('urql.mjs')).toEqual({ first: 2, again: 2, name: 'renamed', warnings: [] });
});

test('and Relay, whose compiler accepts the schema and whose store identifies objects by id', async () => {
  expect(await play('relay.mjs')).toEqual({
    first: 2,
    again: 2,
    found: expect.stringMatching(/^Campaign:\d+$/),
    name: 'renamed',
    warnings: [],
  });
});
