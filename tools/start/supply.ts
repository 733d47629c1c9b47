import { readFile } from 'node:fs/promises';
import { importFileRoute } from '#imports/routes.ts';
import { CONTACTS_FILE } from './demo.ts';
import type { RestClient } from './rest-client.ts';
import type { CampaignSnapshot } from './snapshot.ts';

/** Fewer pending contacts than this bring more. */
const LEAST_PENDING = 40;
/** Contacts that are added at once. */
const ADDED = 200;
/** The demo's campaign does not grow beyond this; it then completes. */
const MOST_CONTACTS = 20_000;
const MOBILE = /^(1\d{2})\d{8},/;

/**
 * Adds people to the demo's campaign before it runs out of them, so that there are live calls for as long as somebody tries the product. A
 * campaign that a user has paused or ended stays as it is.
 *
 * Why: their numbers continue from the count of the campaign's contacts, so that a later start repeats none
 */
export async function supplyContacts(
  client: RestClient,
  campaignId: number,
  { status, pending, total }: Pick<CampaignSnapshot, 'status' | 'pending' | 'total'>,
): Promise<void> {
  if (status !== 'running' || pending >= LEAST_PENDING || total >= MOST_CONTACTS) return;
  const form = new FormData();
  form.append('file', new Blob([nextContacts(await readFile(CONTACTS_FILE, 'utf8'), total)], { type: 'text/csv' }), 'more-contacts.csv');
  await client.call(importFileRoute, { params: { id: campaignId }, form });
}

/** The rows of the example that follow, in a circle, each with a number of its own. */
export function nextContacts(example: string, total: number): string {
  const [head = '', ...lines] = example.split(/\r?\n/);
  const people = lines.filter(line => MOBILE.test(line));
  const added = Array.from({ length: ADDED }, (_, index) => {
    const person = people[(total + index) % people.length] ?? '';
    return person.replace(MOBILE, (_number, prefix: string) => `${prefix}1${String(total + index).padStart(7, '0')},`);
  });
  return [head, ...added].join('\n');
}
