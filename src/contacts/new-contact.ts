import type { NewContact } from './ports-contact-store.ts';
import type { JsonObject } from '#kernel/json.ts';
import { dialKey, type Region } from '#phone-numbers/dial-key.ts';

/** Source: OCS 2.7 "Contact input" */
export interface ContactInput {
  /** Not empty. */
  phoneNumber: string;
  customerName: string;
  remark: string;
  metadata: JsonObject;
}

/** `region` applies to a number without a country code. */
export function parseContact(input: ContactInput, region: Region): NewContact {
  return { ...input, dialKey: dialKey(input.phoneNumber, region) };
}
