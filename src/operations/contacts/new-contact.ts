import type { NewContact } from '#ports/contact-store.ts';
import type { JsonObject } from '#kernel/json.ts';
import { dialKey } from '#rules/phone-number.ts';

/** Source: OCS 2.7 "Contact input" */
export interface ContactInput {
  /** Not empty. */
  phoneNumber: string;
  customerName: string;
  remark: string;
  metadata: JsonObject;
}

/** A contact with the keys by which its number is compared: in its campaign, which old rows may answer differently, and everywhere. Source: D6.1, D8.7 */
export function newContact(input: ContactInput): NewContact {
  return { ...input, ...numberKeys(input.phoneNumber) };
}

export function numberKeys(phoneNumber: string): { numberKey: string; dialKey: string } {
  const key = dialKey(phoneNumber);
  return { numberKey: key, dialKey: key };
}
