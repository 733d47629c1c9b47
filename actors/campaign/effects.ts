import type { BreakerOpening } from '#campaigns/decisions/breaker.ts';
import type { LeftContacts } from './events.ts';
import type { ScriptlessCalls } from '#campaigns/decisions/campaign-states.ts';

/** Executors are in campaigns/effects.ts and are idempotent. */
export type CampaignEffects = {
  /** On a start by a user: clears the record of calls ended for lack of a script. */
  forgetScriptless: undefined;
  /** Notifies every instance to look at the campaign now. */
  wakeDispatch: undefined;
  /** Reverts claims that have not been dialled (D5.2); the reason is Chinese. */
  cancelClaims: { reason: string };
  /** `left`: contacts that remain undialled at the planned end. */
  recordEvent: { type: 'campaign.started' | 'campaign.paused' | 'campaign.completed'; by: string | null; left?: LeftContacts };
  raiseAlert: CampaignAlert;
};

/** Source: D14.3 campaign.blocked, campaign.abandonment_limit, line.silent, runtime.down, runtime.full */
export type CampaignAlert =
  | ({ kind: 'breaker' } & BreakerOpening)
  | { kind: 'silentLines'; lineIds: readonly number[]; at: number }
  | ({ kind: 'scriptless'; reason: string } & ScriptlessCalls)
  | { kind: 'noScript'; at: number }
  /** `until`: the campaign waits at least until then, UTC ms; null when no waiting ends it. */
  | { kind: 'abandonment'; reason: string; until: number | null; at: number }
  | { kind: 'runtime'; reason: 'no_runtime' | 'runtime_full'; businessCode: string; at: number };
