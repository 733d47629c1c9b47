import type { JsonObject } from '#kernel/json.ts';
import type { Contact } from '#contacts/contact.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import {
  type ContactQuery,
  countAllContacts,
  countContacts,
  type ListContactsDeps,
  sliceAllContacts,
  sliceContacts,
} from '#contacts/list-contacts.ts';
import { requireRow, rowsById } from '#platform/postgres/listing.ts';
import { type ExportRows, requireExportable, walk } from './export-rows.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';

export type ExportContactsDeps = AuditDeps & ListContactsDeps;

/** `campaignName` is empty when the campaign was deleted. */
export interface ExportedContact extends Contact {
  campaignName: string;
}

interface ContactExport {
  /** Null for all campaigns. */
  campaignId: number | null;
  query: ContactQuery;
  isAscending: boolean;
}

/**
 * Exports contacts, in the same way as `exportCalls`.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT when there are too many
 */
export async function exportContacts(
  deps: ExportContactsDeps,
  caller: Caller,
  { campaignId, query, isAscending }: ContactExport,
): Promise<ExportRows<ExportedContact>> {
  if (campaignId !== null) await requireRow(deps, CAMPAIGN_TABLE, campaignId, '活动');
  const [rows = 0] = campaignId === null ? [await countAllContacts(deps, query)] : await countContacts(deps, [campaignId], query);
  requireExportable(rows);
  await audit(deps, caller, {
    action: 'contact.exported',
    targetType: campaignId === null ? 'contact' : 'campaign',
    targetId: campaignId,
    summary: `导出 ${rows} 个联系人`,
    detail: { rows, ...(query as unknown as JsonObject) },
  });
  return contactsWithNames(
    deps,
    walk(isAscending, async request => {
      if (campaignId === null) return sliceAllContacts(deps, { ...query, ...request });
      const [slice] = await sliceContacts(deps, [campaignId], { ...query, ...request });
      return slice ?? { rows: [], hasMore: false };
    }),
  );
}

async function* contactsWithNames(deps: ListContactsDeps, slices: ExportRows<Contact>): ExportRows<ExportedContact> {
  for await (const contacts of slices) {
    const campaigns = await rowsById(deps, CAMPAIGN_TABLE, [...new Set(contacts.map(({ campaignId }) => campaignId))]);
    const names = new Map(campaigns.map(({ id, name }) => [id, name]));
    yield contacts.map(contact => ({ ...contact, campaignName: names.get(contact.campaignId) ?? '' }));
  }
}
