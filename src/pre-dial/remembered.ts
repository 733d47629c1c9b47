import type { Clock } from '#kernel/clock.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { findSealedHook, type SealedHook } from './hook-store.ts';
import type { PreDialCampaign, PreDialVerdict } from './pre-dial.ts';

/** Answers and hooks that are remembered; the oldest are forgotten first. */
const MAX_ANSWERS = 20_000;
const MAX_HOOKS = 2_000;

/** The hook of a campaign as of one version of its settings. */
export interface KnownHook {
  updatedAt: number;
  hook: SealedHook | null;
  /** Consecutive rounds without an answer; the hook gets no request before `awayUntil` (monotonic ms). */
  failures: number;
  awayUntil: number;
}

/** The hooks of campaigns. One that was changed since is read again, because that changes the version of its campaign too. */
export function knownHooks(db: Pick<Sql, 'first'>) {
  const hooks = new Map<number, KnownHook>();
  return async ({ id, updatedAt }: PreDialCampaign): Promise<KnownHook> => {
    const known = hooks.get(id);
    if (known?.updatedAt === updatedAt) return known;
    const read = { updatedAt, hook: await findSealedHook(db, id), failures: 0, awayUntil: -Infinity };
    // Another turn may have read the same meanwhile, and counted failures since.
    const met = hooks.get(id);
    if (met?.updatedAt === updatedAt) return met;
    remember(hooks, id, read, MAX_HOOKS);
    return read;
  };
}

export type Answers = ReturnType<typeof rememberedAnswers>;

/** Cache of verdicts by contact; each expires after the `cacheSeconds` of its hook. */
export function rememberedAnswers(clock: Pick<Clock, 'now' | 'monotonic'>) {
  const answers = new Map<string, { verdict: PreDialVerdict; until: number }>();
  const keyOf = ({ updatedAt }: KnownHook, { campaignId }: SealedHook, contactId: number) => `${campaignId}:${updatedAt}:${contactId}`;
  return {
    find(known: KnownHook, hook: SealedHook, contactId: number): PreDialVerdict | null {
      const answer = answers.get(keyOf(known, hook, contactId));
      return answer === undefined || answer.until <= clock.monotonic() || hasEnded(answer.verdict, clock.now()) ? null : answer.verdict;
    },
    keep(known: KnownHook, hook: SealedHook, contactId: number, verdict: PreDialVerdict): void {
      const until = clock.monotonic() + hook.cacheSeconds * 1_000;
      remember(answers, keyOf(known, hook, contactId), { verdict, until }, MAX_ANSWERS);
    },
  };
}

/** A deferral that has ended is no answer any more. */
function hasEnded(verdict: PreDialVerdict, now: number): boolean {
  return verdict.kind === 'hold' && verdict.until !== null && verdict.until <= now;
}

/** Forgets the oldest entry beyond the bound. */
function remember<Key, Value>(entries: Map<Key, Value>, key: Key, value: Value, most: number): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
