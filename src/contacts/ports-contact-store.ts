import type { Campaign } from '#campaigns/campaign.ts';
import type { Contact, ContactStatus } from './contact.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { Withdrawn } from '#slots/slot-registry.ts';

/**
 * Contacts of campaigns as users manage them; deleted ones are invisible. A contact in a call is busy and cannot be edited. A claim that is
 * not dialled yet is no call: every edit withdraws it, and the caller then releases its slot (`withdrawn`).
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: OCS 4.6, 4.7, D6
 */
export interface ContactStore {
  /** Number of matching contacts per campaign, in the order of the ids, which must be distinct. */
  count(campaignIds: readonly number[], search: ContactSearch): Promise<number[]>;
  /**
   * Adds the contacts whose `dialKey` the campaign lacks, all or nothing; returns the keys added.
   *
   * Why:   the unique index decides, so concurrent imports never create duplicates
   * Shape: keys of `contacts` must be distinct; null when the campaign does not exist
   */
  add(campaignId: number, contacts: readonly NewContact[], admission: ContactAdmission): Promise<ReadonlySet<string> | null>;
  /** The keys that the campaign already has. */
  existingKeys(campaignId: number, dialKeys: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Locks the contact, calls `change` for its new fields and writes them; `change` may throw to abort.
   *
   * Why:    a new number, or a return to `pending`, ends holds and waits, so that the contact is evaluated again
   * Errors: CONFLICT when the campaign has the number
   */
  update(campaignId: number, contactId: number, change: (current: LockedContact) => ContactFields): Promise<ContactUpdate>;
  /** Pauses contacts that are neither busy nor paused. Null when the campaign does not exist. */
  pause(campaignId: number, contactIds: readonly number[], admit: AdmitCampaign): Promise<ContactsEdited | null>;
  /** Soft-deletes contacts that are not busy. Null when the campaign does not exist. */
  remove(campaignId: number, contactIds: readonly number[], admit: AdmitCampaign): Promise<ContactsEdited | null>;
  /** Soft-deletes one contact. */
  removeOne(campaignId: number, contactId: number, admit: AdmitCampaign): Promise<ContactRemoval>;
}

/** Throws when the locked campaign does not allow the change. */
export type AdmitCampaign = (campaign: Pick<Campaign, 'id' | 'status'>) => void;

export interface ContactAdmission {
  admit: AdmitCampaign;
  /** True locks the campaign's status until the commit; false only prevents its deletion. */
  holdsStatus: boolean;
}

export interface ContactSearch {
  /** Empty: no search. */
  q: string;
  status: ContactStatus | null;
}

export interface NewContact {
  phoneNumber: string;
  /** Canonical number: unique within the campaign (except in old rows) and compared with the do-not-call list. Source: D6.1, D8.7 */
  dialKey: string;
  customerName: string;
  remark: string;
  metadata: JsonObject;
}

export type ContactFields = NewContact & { priority: number; status: ContactStatus };

export interface LockedContact {
  contact: Contact;
  /** Canonical number for comparison. */
  dialKey: string;
  isBusy: boolean;
  campaign: Pick<Campaign, 'id' | 'status'>;
}

export interface ContactsEdited extends Withdrawn {
  affectedIds: number[];
}

export type ContactRemoval = ({ kind: 'removed'; contact: Contact } & Withdrawn) | { kind: 'not_found' } | { kind: 'busy' };

export type ContactUpdate = ({ kind: 'updated'; before: Contact; after: Contact } & Withdrawn) | { kind: 'not_found' };
