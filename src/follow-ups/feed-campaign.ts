import { readContactFields } from '#attempts/contact-fields.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import { addContacts } from '#contacts/change-contacts.ts';
import { type Contact, type ContactInput, eachText, fitsMetadata } from '#contacts/contact.ts';
import type { ImportResult } from '#contacts/import-result.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { ResultValue } from '#scripts/decisions/result-field.ts';
import type { Feeding } from './follow-up.ts';
import { getFollowUp } from './follow-up-store.ts';
import { contactsOfList, type ListApp } from './people-of-list.ts';

/** Most people fed at once, as of one paste of contacts. */
const MAX_FED = 10_000;

type FeedApp = ListApp & AuditPart & Parameters<typeof addContacts>[0];

/**
 * Adds the people of a list to another campaign as contacts, with their texts, numbers, variables and what their calls found out. They are
 * added as pasted contacts are: a number or an external id that the campaign has is no new contact, and the do-not-call list and policies
 * bind every dial.
 *
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED; INVALID_ARGUMENT for a list of more than 10,000 people
 * Source: D7.18
 */
export async function feedCampaign(app: FeedApp, caller: Caller, id: number, { campaignId, withResults }: Feeding): Promise<ImportResult> {
  const list = await getFollowUp(app, caller, id);
  const people = await contactsOfList(app, list, MAX_FED);
  if (people.length > MAX_FED) throw invalidArgument('id', 'tooManyToFeed', { max: MAX_FED });
  // A contact of the campaign itself would be found by its own external id and count as updated.
  const others = people.filter(contact => contact.campaignId !== campaignId);
  const found = withResults === false ? new Map<number, JsonObject>() : await resultsOf(app, others);
  const result = await addContacts(
    app,
    caller,
    campaignId,
    others.map(contact => inputOf(contact, found.get(contact.id) ?? {})),
  );
  await audit(app, caller, {
    action: 'follow_up.fed',
    targetType: 'follow_up',
    targetId: id,
    summary: `将跟进名单「${list.name}」转入活动 ${campaignId}`,
    detail: { campaignId, people: people.length, createdRows: result.createdRows, duplicateRows: result.duplicateRows },
  });
  return result;
}

async function resultsOf(app: FeedApp, contacts: readonly Contact[]): Promise<Map<number, JsonObject>> {
  const fields = await readContactFields(
    app,
    contacts.map(({ id }) => id),
  );
  const byContact = Map.groupBy(fields, ({ contactId }) => contactId);
  return new Map(Array.from(byContact, ([contactId, found]) => [contactId, Object.fromEntries(found.map(entryOf))]));
}

function entryOf({ key, value }: { key: string; value: ResultValue }): [string, ResultValue] {
  return [key, value];
}

/** Results that would make the variables too long are left out: the person matters more. */
function inputOf(contact: Contact, results: JsonObject): ContactInput {
  const own = contact.metadata as JsonObject;
  const all = { ...own, ...results };
  const [first] = contact.numbers;
  return {
    ...eachText(name => contact[name]),
    phoneNumber: first?.phoneNumber ?? contact.phoneNumber,
    metadata: fitsMetadata(all) ? all : own,
    numbers: contact.numbers.map(({ phoneNumber, label, extension }) => ({ phoneNumber, label, extension })),
  };
}
