import type { BreakerOpening } from '#rules/breaker.ts';
import type { LeftContacts } from './events.ts';
import type { ScriptlessCalls } from '#rules/scriptless-calls.ts';

/** Executors live in operations/campaigns/effects.ts and are idempotent. */
export type CampaignEffects = {
  /** Somebody starts it: what stopped it for want of a script is forgotten. */
  forgetScriptless: undefined;
  /** Let every instance look at the campaign now. */
  wakeDispatch: undefined;
  /** Claims that have not been dialled go back (D5.2); the reason is Chinese. */
  cancelClaims: { reason: string };
  /** `left`: whom the end of the plan leaves undialled. */
  recordEvent: { type: 'campaign.started' | 'campaign.paused' | 'campaign.completed'; by: string | null; left?: LeftContacts };
  raiseAlert: CampaignAlert;
};

/** Source: D14.3 campaign.blocked, line.silent, runtime.down, runtime.full */
export type CampaignAlert =
  | ({ kind: 'breaker' } & BreakerOpening)
  | { kind: 'silentLines'; lineIds: readonly number[]; at: number }
  | ({ kind: 'scriptless'; reason: string } & ScriptlessCalls)
  | { kind: 'noScript'; at: number }
  | { kind: 'runtime'; reason: 'no_runtime' | 'runtime_full'; businessCode: string; at: number };
