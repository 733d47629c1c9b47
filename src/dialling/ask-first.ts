import { MAX_PRE_DIAL_CONTACTS, type PreDialPart, type PreDialResult, type PreDialVerdict } from '#pre-dial/pre-dial.ts';
import type { AdmitDial, DialPlan } from './dial-store.ts';

/** Hold on a contact for which the hook has given no verdict yet, ms. */
const NO_VERDICT_MS = 1_000;

/** The hook's verdicts, as a claim applies them. */
export interface HeardHook {
  /** Contacts that may be claimed: no more than were asked about. */
  limit: number;
  verdicts: ReadonlyMap<number, PreDialVerdict>;
}

/**
 * Asks the campaign's hook about the contacts that come next; null where it has none.
 *
 * Why:    nothing is claimed or reserved yet, so that a slow hook holds up its own campaign and nothing else
 * Source: D15.7
 */
export async function askFirst(
  { preDial }: PreDialPart,
  { campaign, takers }: DialPlan,
  limit: number,
): Promise<HeardHook | Extract<PreDialResult, { kind: 'away' }> | null> {
  const contactIds = takers.slice(0, Math.min(limit, MAX_PRE_DIAL_CONTACTS)).map(({ contactId }) => contactId);
  const asked = await preDial.ask(campaign, contactIds);
  if (asked === null || asked.kind === 'away') return asked;
  return { limit: contactIds.length, verdicts: asked.verdicts };
}

/** The rules decide first; a contact that they admit is dialled only with the consent of the hook. */
export function heeding(admit: AdmitDial, verdicts: ReadonlyMap<number, PreDialVerdict>): AdmitDial {
  return (candidate, at) => {
    const own = admit(candidate, at);
    if (own.kind !== 'admit') return own;
    const verdict = verdicts.get(candidate.contactId) ?? { kind: 'hold', until: at + NO_VERDICT_MS };
    return verdict.kind === 'allow' ? own : { kind: 'hold', reason: 'pre_dial_hook', until: verdict.until };
  };
}
