import { createHash } from 'node:crypto';
import { CAMPAIGN_FIELD_DEFAULTS, type CampaignFields } from './campaign.ts';

const MEMBERS = ['name', 'businessCode', 'lineIds', ...Object.keys(CAMPAIGN_FIELD_DEFAULTS)] as (keyof CampaignFields)[];

/** Fingerprint of a campaign's settings: differs when any setting differs. Moves and dials do not change it. */
export function settingsVersion(fields: CampaignFields): string {
  const text = JSON.stringify(MEMBERS.map(name => inOrder(fields[name])));
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Sorts the members of objects by name, because the database does not preserve their order. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, inOrder(member)]);
}
