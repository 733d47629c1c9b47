import { sql } from 'kysely';
import type { AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument, notFound } from '#kernel/errors.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { ids } from '#platform/postgres/values.ts';
import type { RuntimeNode, RuntimeScript } from '#protocol/runtime-script.ts';
import { branchesFor } from './decisions/flow/nodes/router.ts';
import { branchTaken } from './decisions/flow/walk.ts';
import type { TrialUnderstanding } from './decisions/trial.ts';
import { scriptToTry, type TrialApp, understandingOf } from './script-trial.ts';

/** Most utterances of one script. */
export const MAX_UTTERANCES = 500;
/** Questions that are put to the NLU service at once. */
const AT_ONCE = 8;

/** A possible utterance at a node, and the branch that the call should take. */
export interface ScriptUtterance {
  id: number;
  scriptId: number;
  nodeId: string;
  text: string;
  expected: string;
  createdBy: number | null;
  /** UTC ms. */
  createdAt: number;
}

export type NewUtterance = Pick<ScriptUtterance, 'nodeId' | 'text' | 'expected'>;

const COLUMNS = sql`u.id, u.script_id, u.node_id, u.text, u.expected, u.created_by, u.created_at`;

/** Returns the utterances of each script, oldest first. */
export function readUtterances({ db }: { db: Sql }, scriptIds: readonly number[]): Promise<ScriptUtterance[]> {
  return db.rows(sql<ScriptUtterance>`
    select ${COLUMNS} from script_utterance u where u.script_id = any(${ids(scriptIds)}) order by u.script_id, u.id
    limit ${MAX_UTTERANCES * scriptIds.length}`);
}

type UtterancesApp = AuditPart & TrialApp;

/**
 * Keeps an utterance by which the script is tested; the same text at the same node gets the new branch.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT when the script has 500
 */
export async function keepUtterance(
  { db }: UtterancesApp,
  caller: Caller,
  scriptId: number,
  given: NewUtterance,
): Promise<ScriptUtterance> {
  const { nodeId, text, expected } = given;
  return db.transaction(async tx => {
    const script = await tx.first(sql`select 1 from script where id = ${scriptId} and deleted_at is null for update`);
    if (!script) throw notFound('话术脚本');
    const kept = await tx.first(sql<ScriptUtterance>`
      insert into script_utterance as u (script_id, node_id, text, expected, created_by)
      select ${scriptId}, ${nodeId}, ${text}, ${expected}, ${caller.userId}
      where (select count(*) from script_utterance where script_id = ${scriptId}) < ${MAX_UTTERANCES}
      on conflict (script_id, node_id, text) do update set expected = excluded.expected returning ${COLUMNS}`);
    if (!kept) throw invalidArgument('text', 'itemsAtMost', { max: MAX_UTTERANCES });
    return kept;
  });
}

/** Errors: NOT_FOUND */
export async function dropUtterance({ db }: UtterancesApp, scriptId: number, utteranceId: number): Promise<void> {
  const gone = await db.run(sql`delete from script_utterance where script_id = ${scriptId} and id = ${utteranceId}`);
  if (gone === 0) throw notFound('测试语句');
}

/** The result for one utterance. */
export interface UtteranceCheck {
  utterance: ScriptUtterance;
  /** Branch that the call would take; null when the script has no such node, or it decides nothing. */
  branch: string | null;
  confidence: number;
  reason: string;
  byKeywords: boolean;
  isAsExpected: boolean;
}

/**
 * Asks of every utterance by which branch the script, or its draft, goes on.
 *
 * Errors: NOT_FOUND
 */
export async function checkUtterances(app: UtterancesApp, scriptId: number, version: number | null): Promise<UtteranceCheck[]> {
  const [script, utterances] = await Promise.all([scriptToTry(app, scriptId, version), readUtterances(app, [scriptId])]);
  const understanding = understandingOf(app);
  const left = utterances.entries();
  const checks: UtteranceCheck[] = [];
  const work = async () => {
    for (const [index, utterance] of left) checks[index] = await checkOne(script, utterance, understanding);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return checks;
}

async function checkOne(script: RuntimeScript, utterance: ScriptUtterance, ask: TrialUnderstanding): Promise<UtteranceCheck> {
  const node: RuntimeNode | undefined = Object.hasOwn(script.nodes, utterance.nodeId) ? script.nodes[utterance.nodeId] : undefined;
  if (node?.type !== 'router') return { utterance, branch: null, confidence: 0, reason: '', byKeywords: false, isAsExpected: false };
  const branches = branchesFor(node, script);
  const { key, confidence, reason, byKeywords } = await ask.decide({ profile: script.nlu.profile ?? null, text: utterance.text, branches });
  const branch = branchTaken(node, key);
  return { utterance, branch, confidence, reason, byKeywords, isAsExpected: branch === utterance.expected };
}
