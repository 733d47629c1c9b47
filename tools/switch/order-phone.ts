import { type Phone, PHONE_MANNERS, type PhoneManner } from './phone.ts';
import type { Phones } from './phones.ts';

const EXTENSION = /^[0-9A-Za-z._-]{1,32}$/;

/**
 * Executes `callout_phone {"extension":"1001","isRegistered":true,"manner":"answers","ringMs":100,"talkMs":null}`; members are optional.
 */
export function orderPhone(phones: Phones, order: Readonly<Record<string, unknown>>): string {
  const { extension, isRegistered, manner, ringMs, talkMs } = order;
  if (typeof extension !== 'string' || !EXTENSION.test(extension)) return '-ERR extension\n';
  const change: Partial<Phone> = {};
  if (typeof isRegistered === 'boolean') change.isRegistered = isRegistered;
  if (isManner(manner)) change.manner = manner;
  if (typeof ringMs === 'number' && ringMs >= 0) change.ringMs = ringMs;
  if (talkMs === null || (typeof talkMs === 'number' && talkMs >= 0)) change.talkMs = talkMs;
  phones.put(extension, change);
  return '+OK\n';
}

function isManner(value: unknown): value is PhoneManner {
  return PHONE_MANNERS.some(manner => manner === value);
}
