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

export function newContact(input: ContactInput): NewContact {
  return { ...input, dialKey: dialKey(input.phoneNumber) };
}
