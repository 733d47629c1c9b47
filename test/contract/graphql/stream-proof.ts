import { expect } from '@jest/globals';
import type { TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { connectClient, follow } from './graphql-client.ts';

/** An event of a subscription. */
export interface Told {
  __typename: string;
  cursor: string;
  reason?: string;
  // Each subscription has its own members.
  // oxlint-disable-next-line typescript/no-explicit-any
  [field: string]: any;
}

/** A subscription with the selection of its events. */
export interface Question {
  field: string;
  /** Arguments beside `after`, as in the document. */
  args?: string;
  selection: string;
  token?: string;
}

/** The document; `after` is its variable. */
export const ask = ({ field, args = '', selection }: Question) =>
  `subscription($after: String) { ${field}(after: $after ${args}) { __typename ${selection} ... on Resync { cursor reason at } } }`;

/**
 * Checks a snapshot, a delta, the same events for a client that resumes with a cursor, and a resync for one whose cursor is not held [I8].
 */
export async function provesStream(
  server: TestServer,
  question: Question & { token: string },
  { change, isDelta }: { change: () => Promise<unknown>; isDelta: (told: Told) => unknown },
): Promise<{ first: Told; delta: Told }> {
  const { client } = connectClient(server, question.token);
  const open = (variables = {}) => follow<Told>(client, ask(question), question.field, variables);
  const watched = open();
  const first = await watched.until('the snapshot', () => true);
  await change();
  const delta = await watched.until('the delta', told => told !== first && isDelta(told));
  const until = watched.events.indexOf(delta);
  const again = open({ after: first.cursor });
  await waitUntil('what was missed', () => again.events.length >= until);
  expect(again.events.slice(0, until)).toEqual(watched.events.slice(1, until + 1));
  const lost = open({ after: 'another.1' });
  await waitUntil('the resync and the snapshot', () => lost.events.length >= 2);
  expect(lost.events[0]).toMatchObject({ __typename: 'Resync', reason: 'CURSOR_NOT_HELD' });
  expect(lost.events[1]).toMatchObject({ __typename: first.__typename });
  expect([...watched.failures, ...again.failures, ...lost.failures]).toEqual([]);
  await client.dispose();
  return { first, delta };
}
