import { readFile } from 'node:fs/promises';
import { pasteContactsRoute } from '#contacts/routes.ts';
import { CONTACTS_FILE } from './demo.ts';
import type { RestClient } from './rest-client.ts';
import type { CampaignSnapshot } from './snapshot.ts';

/** Fewer pending contacts than this bring more. */
const LEAST_PENDING = 40;
/** Contacts that are added at once. */
const ADDED = 200;
/** The demo's campaign does not grow beyond this; it then completes. */
const MOST_CONTACTS = 20_000;
/** Rows of the example that the import accepts. */
const MOBILE = /^1\d{10},/;

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
  const contacts = nextContacts(await readFile(CONTACTS_FILE, 'utf8'), total);
  await client.call(pasteContactsRoute, { params: { id: campaignId }, body: { contacts } });
}

interface DemoContact {
  phoneNumber: string;
  customerName: string;
  remark: string;
  metadata: Record<string, string>;
}

/** The people of the example, in a circle, each with a number of its own. */
export function nextContacts(example: string, total: number): DemoContact[] {
  const [head = '', ...lines] = example.split(/\r?\n/);
  const columns = head.split(',').slice(3);
  const people = lines.filter(line => MOBILE.test(line)).map(line => line.split(','));
  return Array.from({ length: ADDED }, (_, index) => {
    const [number = '', customerName = '', remark = '', ...rest] = people[(total + index) % people.length] ?? [];
    const metadata = Object.fromEntries(columns.map((column, at) => [column, rest[at] ?? '']));
    return { phoneNumber: `${number.slice(0, 3)}1${String(total + index).padStart(7, '0')}`, customerName, remark, metadata };
  });
}
