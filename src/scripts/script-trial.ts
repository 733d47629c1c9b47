import type { Log } from '#kernel/log.ts';
import type { Platform } from '#platform/platform.ts';
import type { Branch } from '#protocol/nlu.ts';
import { runtimeScript, type RuntimeScript } from '#protocol/runtime-script.ts';
import { compileRuntime } from './decisions/compile.ts';
import { routeByKeywords } from './decisions/flow/keyword-router.ts';
import { runTrial, type Trial, type TrialInput, type TrialUnderstanding } from './decisions/trial.ts';
import type { NluPart, NluService } from './nlu-client.ts';
import { draftOf } from './script-drafts.ts';
import { getRuntimeScript } from './script-store.ts';

export type TrialApp = NluPart & Pick<Platform, 'db' | 'log'>;

export interface TrialRequest extends Omit<TrialInput, 'script'> {
  scriptId: number;
  /** Null: the draft, or the version in force when there is none. */
  version: number | null;
}

/**
 * Walks a script, or its draft, with what a customer has said so far. Nothing is kept and nobody is called.
 *
 * Errors: NOT_FOUND
 * Source: D11 "trials"
 */
export async function tryScript(app: TrialApp, { scriptId, version, ...input }: TrialRequest): Promise<Trial> {
  const script = await scriptToTry(app, scriptId, version);
  return runTrial({ ...input, script }, understandingOf(app));
}

/** A draft may be faulty: it is walked as far as it leads. Errors: NOT_FOUND */
export async function scriptToTry({ db }: Pick<TrialApp, 'db'>, scriptId: number, version: number | null): Promise<RuntimeScript> {
  const draft = version === null ? await draftOf(db, scriptId) : null;
  if (draft !== null) return runtimeScript.parse(compileRuntime({ ...draft.body, id: scriptId, version: Math.max(1, draft.basedOn) }));
  return runtimeScript.parse((await getRuntimeScript({ db }, scriptId, version)).runtime);
}

/** Asks the NLU service while it responds, else keywords, as a runtime does. */
export function understandingOf({ nlu, log }: { nlu: NluService; log: Log }): TrialUnderstanding {
  return {
    async decide(request) {
      const found = await answered(log, () => nlu.decide(request));
      return found !== null && isOffered(request.branches, found.key)
        ? { kind: 'decided', key: found.key, confidence: found.confidence, reason: found.reason, byKeywords: false }
        : { kind: 'decided', key: routeByKeywords(request.text, request.branches), confidence: 0, reason: '', byKeywords: true };
    },
    async extract(request) {
      const found = await answered(log, () => nlu.extract(request));
      return found === null
        ? { kind: 'extracted', fields: {}, confidence: 0, reason: '', byKeywords: true }
        : { kind: 'extracted', ...found, byKeywords: false };
    },
  };
}

async function answered<Answer>(log: Log, ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (error) {
    log.warn({ err: error }, 'the NLU service did not answer a trial; keywords decide');
    return null;
  }
}

function isOffered(branches: readonly Branch[], key: string): boolean {
  return branches.some(branch => branch.key === key);
}
