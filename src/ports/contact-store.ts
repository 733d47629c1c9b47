import type { Campaign } from '#model/campaign.ts';
import type { Contact, ContactStatus } from '#model/contact.ts';
import type { JsonObject } from '#kernel/json.ts';

/**
 * Contacts of campaigns as people manage them; deleted ones do not exist here. A contact in a call is busy: nobody edits it. A claim that was not
 * dialled yet is no call: every edit takes it back first, and whoever edits gives its slot back (`withdrawn`).
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: OCS 4.6, 4.7, D6
 */
export interface ContactStore {
  /** How many contacts of each campaign match, in the order of the ids, which are distinct. */
  count(campaignIds: readonly number[], search: ContactSearch): Promise<number[]>;
  /**
   * Adds the contacts whose `dialKey` the campaign lacks, all or nothing; returns the keys that were added.
   *
   * Why:   the unique index decides, so two imports at once never make a duplicate
   * Shape: keys of `contacts` are distinct; null when the campaign does not exist
   */
  add(campaignId: number, contacts: readonly NewContact[], admission: ContactAdmission): Promise<ReadonlySet<string> | null>;
  /** Which of the keys the campaign has. */
  existingKeys(campaignId: number, dialKeys: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Locks the contact, asks `change` what it becomes and writes that; `change` may throw to leave it.
   *
   * Why:    another number, or coming back to `pending`, ends holds and waits, so the contact is judged anew
   * Errors: CONFLICT when the campaign has the number
   */
  update(campaignId: number, contactId: number, change: (current: LockedContact) => ContactFields): Promise<ContactUpdate>;
  /** Pauses the contacts that are neither busy nor paused. Null when the campaign does not exist. */
  pause(campaignId: number, contactIds: readonly number[], admit: AdmitCampaign): Promise<ContactsEdited | null>;
  /** Soft-deletes the contacts that are not busy. Null when the campaign does not exist. */
  remove(campaignId: number, contactIds: readonly number[], admit: AdmitCampaign): Promise<ContactsEdited | null>;
  /** Soft-deletes one contact. */
  removeOne(campaignId: number, contactId: number, admit: AdmitCampaign): Promise<ContactRemoval>;
}

/** Throws when the locked campaign does not take the change. */
export type AdmitCampaign = (campaign: Pick<Campaign, 'id' | 'status'>) => void;

export interface ContactAdmission {
  admit: AdmitCampaign;
  /** True keeps the campaign's status as it is until the commit; false lets it run on and only keeps it from being deleted. */
  holdsStatus: boolean;
}

export interface ContactSearch {
  /** Empty = no search. */
  q: string;
  status: ContactStatus | null;
}

export interface NewContact {
  phoneNumber: string;
  /** How the number is compared: in its campaign, where it is unique but for old rows, and with the do-not-call list. Source: D6.1, D8.7 */
  dialKey: string;
  customerName: string;
  remark: string;
  metadata: JsonObject;
}

export type ContactFields = NewContact & { priority: number; status: ContactStatus };

export interface LockedContact {
  contact: Contact;
  /** By which its number is compared. */
  dialKey: string;
  isBusy: boolean;
  campaign: Pick<Campaign, 'id' | 'status'>;
}

/** Request ids of claims that an edit took back. */
export interface Withdrawn {
  withdrawn: string[];
}

export interface ContactsEdited extends Withdrawn {
  affectedIds: number[];
}

export type ContactRemoval = ({ kind: 'removed'; contact: Contact } & Withdrawn) | { kind: 'not_found' } | { kind: 'busy' };

export type ContactUpdate = ({ kind: 'updated'; before: Contact; after: Contact } & Withdrawn) | { kind: 'not_found' };
