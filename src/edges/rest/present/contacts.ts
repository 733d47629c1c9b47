import type { ContactRow } from '#contract/rest/contacts.ts';
import type { Contact } from '#ports/records.ts';
import { presentInstant } from './instant.ts';

/** Source: OCS 2.7, D7.10 */
export function presentContact(contact: Contact): ContactRow {
  return {
    id: contact.id,
    campaignId: contact.campaignId,
    phoneNumber: contact.phoneNumber,
    customerName: contact.customerName,
    remark: contact.remark,
    metadata: contact.metadata,
    priority: contact.priority,
    status: contact.status,
    attemptCount: contact.attemptCount,
    retryAt: presentInstant(contact.retryAt),
    lastAttemptId: contact.lastAttemptId,
    holdReason: contact.holdReason,
    holdUntil: presentInstant(contact.holdUntil),
    createdAt: presentInstant(contact.createdAt),
    updatedAt: presentInstant(contact.updatedAt),
  };
}
