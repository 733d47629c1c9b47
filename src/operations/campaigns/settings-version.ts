import { createHash } from 'node:crypto';
import { CAMPAIGN_FIELD_DEFAULTS, type CampaignFields } from '#model/campaign.ts';

const MEMBERS = ['name', 'businessCode', 'lineIds', ...Object.keys(CAMPAIGN_FIELD_DEFAULTS)] as (keyof CampaignFields)[];

/** Which settings a campaign has: another text when any of them is another. A move and what its dials do change nothing of it. */
export function settingsVersion(fields: CampaignFields): string {
  const text = JSON.stringify(MEMBERS.map(name => inOrder(fields[name])));
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Members of objects by their names: the database keeps no order of theirs. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, inOrder(member)]);
}
