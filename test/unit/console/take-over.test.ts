import { expect, test } from '@jest/globals';
import { takeOverOf } from '../../../console/pages/scripts/take-over.ts';

const spring = { databaseId: '4', name: '春季回访', version: 3 };
const campaign = (name: string, status: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'ARCHIVED') => ({ databaseId: name, name, status });
const campaigns = [campaign('草稿', 'DRAFT'), campaign('旧', 'ARCHIVED'), campaign('春季', 'RUNNING'), campaign('停', 'PAUSED')];

test('a newer script takes over the campaigns of the business, running ones first, and names the version that goes out of use', () => {
  const { takers, ...others } = takeOverOf({ databaseId: '9' }, spring, campaigns);
  expect(takers.map(({ name }) => name)).toEqual(['春季', '停', '草稿']);
  expect(others).toEqual({ isRunning: true, replaced: spring, instead: null });
});

test('an older script takes nothing over while a newer one is enabled', () => {
  expect(takeOverOf({ databaseId: '3' }, spring, campaigns)).toEqual({ takers: [], isRunning: false, replaced: null, instead: spring });
});

test('without a script before it and without a running campaign nothing is replaced', () => {
  expect(takeOverOf({ databaseId: '3' }, null, [campaign('草稿', 'DRAFT')])).toMatchObject({ isRunning: false, replaced: null });
  expect(takeOverOf(spring, spring, [])).toMatchObject({ takers: [], replaced: spring });
});
