import { type RawBuilder, sql } from 'kysely';
import { texts } from '#platform/postgres/values.ts';

/*
 * SQL conditions about the ledger of consents, each defined only here; `consentAt` of decisions/ says the same of rows that were read.
 */

/**
 * Whether the latest entry of the ledger for the subject and purpose is a consent that has not ended.
 *
 * Why: one look-up in the index consent_subject, whatever the length of the ledger: claim and mark ask it of every contact
 */
export function hasConsent(subject: RawBuilder<unknown>, purpose: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce((
    select l.kind = 'given' and (l.until is null or l.until > now()) from consent l
    where l.subject = ${subject} and l.purpose in (${purpose}, '')
    order by l.at desc, l.kind desc, l.id desc limit 1), false)`;
}

/** Those of the purposes for which the subject's consent holds now, as JSON; without purposes nothing is looked up. */
export function consentsOf(subject: RawBuilder<unknown>, purposes: readonly string[]): RawBuilder<string[]> {
  if (purposes.length === 0) return sql<string[]>`'[]'::jsonb`;
  return sql<string[]>`(
    select coalesce(jsonb_agg(asked.purpose), '[]') from unnest(${texts(purposes)}) as asked(purpose)
    where ${hasConsent(subject, sql`asked.purpose`)})`;
}

/** All purposes for which the subject's consent holds now. */
export function consentedPurposes(subject: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`(
    select coalesce(jsonb_agg(given.purpose), '[]') from (select distinct purpose from consent where subject = ${subject}) as given
    where given.purpose <> '' and ${hasConsent(subject, sql`given.purpose`)})`;
}

/** Whether a policy of the campaign, or of all, asks for a consent that the number has not. Source: D8.10 */
export function lacksConsent(of: { campaignId: RawBuilder<unknown>; dialKey: RawBuilder<unknown> }): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from policy p where p.type = 'consent_required' and p.is_enabled and (p.campaign_id is null or p.campaign_id = ${of.campaignId})
      and not ${hasConsent(of.dialKey, sql`btrim(p.config ->> 'purpose')`)})`;
}
