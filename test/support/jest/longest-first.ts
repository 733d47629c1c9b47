import { statSync } from 'node:fs';

/**
 * Files that take far longer than their size tells, longest first: begun last, one of them alone would hold up the end of its stage.
 */
export const LONG: readonly string[] = [
  'integration/platform/postgres/plans',
  'integration/lists/import-killed',
  'integration/webhooks/delivery',
  'integration/conferences/participants',
  'integration/dialling/faults',
  'integration/dialling/campaign-run',
  'integration/tools/runtime/runtime',
  'integration/webhooks/killed',
  'integration/serve/serve',
  'integration/serve/killed',
  'integration/agent-calls/faults',
  'integration/calls/messages-of-a-call',
  'integration/softphones/softphone',
  'contract/fuzz/fuzz',
  'integration/conferences/faults',
  'integration/tools/runtime/no-script',
  'contract/audit-logs/audited-actions',
  'contract/graphql/subscriptions',
  'integration/dialling/manual-dispatch',
  'contract/exports/export-jobs',
  'integration/conferences/missed-answers',
  'integration/agent-calls/missed-answers',
  'integration/tools/services/start-services',
  'simulation/guards',
  'simulation/seeds',
  'unit/agents/nobody-stuck',
];

interface TestFile {
  path: string;
}

/** Orders the files of a run: those that take long, then the others by size. */
export function longestFirst<File extends TestFile>(files: readonly File[]): File[] {
  return files
    .map(file => ({ file, rank: rankOf(file.path), bytes: statSync(file.path).size }))
    .sort((a, b) => a.rank - b.rank || b.bytes - a.bytes)
    .map(({ file }) => file);
}

function rankOf(path: string): number {
  const rank = LONG.findIndex(name => path.endsWith(`/test/${name}.test.ts`));
  return rank === -1 ? LONG.length : rank;
}
