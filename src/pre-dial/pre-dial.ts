import { z } from 'zod';
import { flag, instant, rowId } from '#kernel/fields.ts';

/** Effect of a missing answer: the contact waits (`refuse`), or is dialled (`allow`). */
export const FAILURE_CHOICES = ['refuse', 'allow'] as const;

const MAX_URL_LENGTH = 2_000;
const MAX_CACHE_SECONDS = 3_600;

/** The hook of a campaign. Source: D15.7 */
export const preDialHook = z
  .object({
    campaignId: rowId,
    url: z.string(),
    onFailure: z.enum(FAILURE_CHOICES).meta({ description: '没有应答时：refuse 不呼叫、稍后再问，allow 照常呼叫' }),
    cacheSeconds: z.int().meta({ description: '同一联系人的答复保留的秒数' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'PreDialHook' });

export type PreDialHook = z.output<typeof preDialHook>;

export const preDialHookInput = z
  .object({
    url: z.string().trim().min(1).max(MAX_URL_LENGTH),
    onFailure: z.enum(FAILURE_CHOICES),
    cacheSeconds: z.int().min(0).max(MAX_CACHE_SECONDS).optional().default(60),
    renewSecret: flag.optional().default(false).meta({ description: '生成新的签名密钥' }),
  })
  .meta({ id: 'PreDialHookInput' });

export type PreDialHookInput = z.output<typeof preDialHookInput>;

/** Whether a contact may be dialled, as the hook says. `until` null: not until the hook of the campaign is changed. */
export type PreDialVerdict = { kind: 'allow' } | { kind: 'hold'; until: number | null; reason: string };

/** The campaign that asks, as its plan has read it. */
export interface PreDialCampaign {
  id: number;
  name: string;
  businessCode: string;
  /** Version of its settings: a hook that was changed since is read again. */
  updatedAt: number;
}

/** Result of a round of requests to the hook about the next contacts. */
export type PreDialResult =
  /** A contact without a verdict was not asked about. */
  | { kind: 'answered'; verdicts: ReadonlyMap<number, PreDialVerdict> }
  /** Nobody answers or can be asked, and nothing may be dialled without an answer. */
  | { kind: 'away'; retryInMs: number };

/**
 * Asks before dials; the simulation plays it.
 *
 * Why:    it is asked before the claim, so that neither a contact nor a slot is held while somebody else thinks
 * Errors: DATABASE_UNAVAILABLE
 * Source: D15.7
 */
export interface PreDial {
  /** Most contacts that one question round covers: a turn claims no more. Null: the campaign asks nobody. */
  ask(campaign: PreDialCampaign, contactIds: readonly number[]): Promise<PreDialResult | null>;
}

export interface PreDialPart {
  preDial: PreDial;
}

/** Contacts that are asked about together; a turn of a campaign with a hook claims no more. */
export const MAX_PRE_DIAL_CONTACTS = 32;
