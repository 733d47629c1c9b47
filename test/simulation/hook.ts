import { sleep, type Clock } from '#kernel/clock.ts';
import type { ClaimOutcome } from '#dialling/dial-store.ts';
import type { PreDial, PreDialVerdict } from '#pre-dial/pre-dial.ts';
import { dice } from './dice.ts';

/** Share of the seeds whose campaigns ask a hook. */
const HOOK_SHARE = 0.2;
const AWAY_SHARE = 0.1;
const HOLD_SHARE = 0.25;
/** Longest answer: the time-out of the product. */
const LONGEST_MS = 1_000;
const LONGEST_HOLD_MS = 60_000;

interface HookOptions {
  seed: number;
  now: () => number;
  /** Ends the run. */
  found: (fault: string, detail: string) => void;
}

/** Somebody's system that decides who may be dialled; it is slow, away, or changes its mind. */
export function simulatedHook({ seed, now, found }: HookOptions) {
  const draw = dice(seed, 'pre-dial hook');
  const isAsked = draw.chance(HOOK_SHARE);
  const allowed = new Set<number>();
  const heldUntil = new Map<number, number>();
  const decide = (): PreDialVerdict =>
    draw.chance(HOLD_SHARE) ? { kind: 'hold', until: now() + draw.between(1_000, LONGEST_HOLD_MS), reason: '稍后再打' } : { kind: 'allow' };
  return {
    /** The hook as one instance calls it, delayed by that instance's clock. */
    through: (clock: Clock): PreDial => ({
      async ask(_campaign, contactIds) {
        if (!isAsked) return null;
        await sleep(clock, draw.between(1, LONGEST_MS));
        if (draw.chance(AWAY_SHARE)) return { kind: 'away', retryInMs: draw.between(500, 5_000) };
        const verdicts = new Map(contactIds.map(id => [id, decide()] as const));
        for (const [id, verdict] of verdicts) {
          if (verdict.kind === 'allow') allowed.add(id);
          else heldUntil.set(id, Math.max(heldUntil.get(id) ?? 0, verdict.until ?? Infinity));
        }
        return { kind: 'answered', verdicts };
      },
    }),
    /** Whether some answer about the contact keeps it back: a paused instance acts on an older one. */
    keepsBack: (contactId: number): boolean => (heldUntil.get(contactId) ?? 0) > now(),
    /** Every claimed contact was allowed at some time. The latest verdict proves nothing: a paused instance acts on an older one. */
    requireAllowed(outcome: ClaimOutcome): ClaimOutcome {
      const dials = isAsked && outcome.kind === 'claimed' ? outcome.dials : [];
      for (const { contactId } of dials) {
        if (!allowed.has(contactId)) found('I14 claimed against the hook', `contact ${contactId}`);
      }
      return outcome;
    },
  };
}
