import { z } from 'zod';
import type { Campaign } from '#campaigns/campaign.ts';
import { bigRowId, boundedJson, instant, requiredText, rowId, stamps } from '#kernel/fields.ts';
import { isTimeZone } from '#kernel/calendar.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { Zones } from '#policies/decisions/week-schedule.ts';
import { issue, problem, type Problem } from '#kernel/problem.ts';
import { dialKey, type Region } from '#phone-numbers/dial-key.ts';
import { zonesOfNumber } from '#phone-numbers/zones.ts';
import type { Sql } from '#platform/postgres/database.ts';
import type { Withdrawn } from '#slots/slot-registry.ts';
import { keysOf, tableOf } from '#kernel/typed.ts';
import {
  contactNumber,
  type GivenNumber,
  type KeyedNumber,
  MAX_PHONE_NUMBER_LENGTH,
  newContactNumbers,
  numbersOf,
  refineNumbers,
  storedNumbers,
  type StoredNumber,
} from './decisions/numbers.ts';

export const CONTACT_STATUSES = ['pending', 'submitted', 'completed', 'failed', 'paused'] as const;
/** Limit of a contact's metadata, in characters of JSON. */
export const MAX_METADATA_LENGTH = 16_384;
/** Bound of the dialling priority, far inside its 32-bit column. */
const MAX_PRIORITY = 1_000_000;

/** Prefixes of a heading that name the person to be called as its owner. */
const WHOSE = '(?:客户|顾客|用户|会员|学员|家长|业主|本人|联系人?|联络人?|收件人|收货人|参会人)*';
const WHOSE_ENGLISH = '(?:customer|client|contact|member|lead|student|guest|recipient)?s?';
const PHONE = '(?:手机|手提电话|移动电话|行动电话|流动电话|电话)+(?:号码?)?1?';

/** How a column of a file is recognised by its heading, which is compared in lower case and without blanks, `_` and `-`. */
export interface Headings {
  /** Documented headings. Source: D6.3 */
  documented: readonly string[];
  /** Other headings. */
  alias: RegExp;
}

/** Headings of the column of numbers. 会员号码 and `customer number` are not phone numbers. */
export const NUMBER_HEADINGS: Headings = {
  documented: ['手机号', '电话', '号码', 'phone', 'phonenumber', 'mobile'],
  alias: new RegExp(
    `^(?:${WHOSE}${PHONE}|(?:客户|用户|联系人?|联络人?)号码|(?:联系人?|联络人?)方式|(?:contact)?numbers?|${WHOSE_ENGLISH}(?:mobile|cell|phone|tel|telephone)+(?:numbers?|nos?|num)?1?)$`,
  ),
};

const COUNTED = '(?:[2-9]|10|二|三|四|五|六|七|八|九|十|两)';

/** Headings of columns with further numbers of a person: 备用电话, 电话2, 第二联系电话, `alternate phone`, `phone 2`. */
export const OTHER_NUMBER_HEADINGS: Headings = {
  documented: ['备用电话', '备用号码', 'alternatephone'],
  alias: new RegExp(
    `^(?:(?:备用|备选|其他|其它)(?:${WHOSE}${PHONE}|联系?方式|号码)${COUNTED}?|${WHOSE}(?:手机|电话|号码|联系方式)+(?:号码?)?${COUNTED}|第${COUNTED}(?:个)?${WHOSE}(?:手机|电话|号码|联系方式)+(?:号码?)?` +
      '|(?:alternat(?:e|ive)|alt|secondary|second|2nd|backup|other|additional)(?:mobile|cell|phone|tel|telephone|contact)+(?:numbers?|nos?|num)?(?:[2-9]|10)?' +
      '|(?:mobile|cell|phone|tel|telephone)+(?:numbers?|nos?|num)?(?:[2-9]|10))$',
  ),
};

/** A text that a contact has beside its number; empty when unknown. */
interface TextMember extends Headings {
  /** Name of its column, which REST has as the member's name in camel case. */
  column: string;
  /** In characters. */
  maxLength: number;
  /** Column title in an export; the Chinese one names it in messages, too. */
  title: Words;
  /** Condition for a text that is not empty. Absent: any text is valid. */
  mustBe?: { holds: (text: string) => boolean; problem: Problem };
}

type Words = readonly [zh: string, en: string];

/**
 * The texts of a contact. Record, input, insert, edit, import and export are made from these rows; a new one also needs a migration and its
 * fields in the SDL.
 */
export const CONTACT_TEXTS = {
  customerName: {
    column: 'customer_name',
    maxLength: 128,
    title: ['姓名', 'Name'],
    documented: ['姓名', 'name', 'customername'],
    alias: new RegExp(`^(?:${WHOSE}(?:姓名|名称|名字|称呼|全名)|联系人|联络人|${WHOSE_ENGLISH}(?:full)?names?)$`),
  },
  remark: {
    column: 'remark',
    maxLength: 2_000,
    title: ['备注', 'Remark'],
    documented: ['备注', 'remark'],
    alias: /^(?:备注(?:信息|说明)?|说明|remarks?|notes?|comments?)$/,
  },
  /** IANA name of the person's own time zone. Source: D8.8 */
  timeZone: {
    column: 'time_zone',
    maxLength: 64,
    title: ['时区', 'Time zone'],
    documented: ['时区', 'timezone'],
    alias: new RegExp(`^(?:${WHOSE}(?:所在)?时区|${WHOSE_ENGLISH}(?:time)?zone|tz)$`),
    mustBe: { holds: isTimeZone, problem: problem('timeZone') },
  },
  /** Id in the customer's own system, unique in the campaign. Source: D6.8 */
  externalId: {
    column: 'external_id',
    maxLength: 128,
    title: ['外部编号', 'External id'],
    documented: ['外部编号', 'externalid'],
    alias: /^(?:外部(?:客户|系统|数据)?(?:编号|id|号|标识)|crm(?:客户)?(?:编号|id)|external(?:customer|contact)?(?:ids?|nos?|key))$/,
  },
} as const satisfies Record<string, TextMember>;

export type ContactText = keyof typeof CONTACT_TEXTS;
export const CONTACT_TEXT_NAMES = keysOf(CONTACT_TEXTS);

/** The problem of a contact's text, apart from its length; null when it is valid. */
export function textProblem(name: ContactText, given: string): Problem | null {
  const { mustBe }: TextMember = CONTACT_TEXTS[name];
  return mustBe === undefined || given === '' || mustBe.holds(given) ? null : mustBe.problem;
}

/** One value for each text of a contact. */
export function eachText<Value>(make: (name: ContactText, text: TextMember) => Value): Record<ContactText, Value> {
  return tableOf(CONTACT_TEXT_NAMES, name => make(name, CONTACT_TEXTS[name]));
}

const metadata = boundedJson(z.record(z.string(), z.json()), MAX_METADATA_LENGTH);

/** Whether variables are as short as they must be. */
export function fitsMetadata(given: JsonObject): boolean {
  return metadata.safeParse(given).success;
}

const phoneNumber = requiredText(MAX_PHONE_NUMBER_LENGTH);
const text = ({ maxLength, mustBe }: TextMember) => {
  const bounded = z.string().trim().max(maxLength);
  return mustBe ? bounded.refine(given => given === '' || mustBe.holds(given), issue(mustBe.problem.code as 'timeZone')) : bounded;
};

/** Null resets the field to its empty value, on creation and on update. */
const orNull = <Value>(schema: z.ZodType<Value, Value>, empty: Value) => schema.nullable().transform(value => value ?? empty);
const optional = <Value>(schema: z.ZodType<Value, Value>, empty: Value) => schema.nullish().transform(value => value ?? empty);

/** Source: OCS 2.7, D6.7 */
export const newContact = z
  .object({
    phoneNumber,
    ...eachText((_name, member) => optional(text(member), '')),
    metadata: optional(metadata, {}),
    numbers: newContactNumbers
      .nullish()
      .transform(numbers => numbers ?? [])
      .meta({ description: '全部号码，按呼叫顺序，最多 10 个；其中没有 phoneNumber 时，phoneNumber 排在最前' }),
  })
  .superRefine(refineNumbers);

/** Sources of a contact's zones, in order of precedence. Source: D8.8 */
export const ZONE_SOURCES = ['own', 'number', 'campaign', 'server'] as const;

/** Source: OCS 2.7 */
export const contact = z
  .object({
    id: bigRowId,
    campaignId: rowId,
    phoneNumber: z.string(),
    numbers: z.array(contactNumber).meta({ description: '全部号码，按呼叫顺序；phoneNumber 是下一次呼叫的号码' }),
    ...eachText(() => z.string()),
    metadata: z.record(z.string(), z.json()),
    priority: z.int(),
    status: z.enum(CONTACT_STATUSES),
    attemptCount: z.int(),
    retryAt: instant.nullable(),
    lastAttemptId: bigRowId.nullable(),
    holdReason: z.string().nullable(),
    holdUntil: instant.nullable(),
    callbackAt: instant.nullable().meta({ description: '约定的回访时间；没有约定时为空' }),
    zones: z.array(z.string()).meta({ description: '联系人可能所在的 IANA 时区：全部在可呼时段内时才呼叫' }),
    zoneSource: z.enum(ZONE_SOURCES).meta({ description: '时区的来源：own 联系人自己的，number 号码归属，campaign 活动的，server 系统的' }),
    ...stamps,
  })
  .meta({ id: 'Contact' });

export type Contact = z.output<typeof contact>;
export type ContactStatus = Contact['status'];

/** Source: OCS 4.6 */
export const contactChanges = z
  .object({
    phoneNumber,
    ...eachText((_name, member) => orNull(text(member), '')),
    metadata: orNull(metadata, {}),
    priority: z.int().min(-MAX_PRIORITY).max(MAX_PRIORITY),
    status: z.enum(['pending', 'paused']),
    numbers: newContactNumbers
      .nullable()
      .transform(numbers => numbers ?? [])
      .meta({ description: '替换全部号码；为 null 时只留 phoneNumber' }),
  })
  .partial()
  .superRefine(refineNumbers);

const { customerName, ...otherTitles } = eachText((_name, { title }) => title);

/**
 * Column titles of exported contacts in Chinese and English, in their order; an import recognises an export when all titles of one language
 * are present.
 */
export const CONTACT_TITLES = {
  id: ['编号', 'Id'],
  campaign: ['活动', 'Campaign'],
  phoneNumber: ['号码', 'Number'],
  customerName,
  status: ['状态', 'Status'],
  attemptCount: ['已呼次数', 'Attempts'],
  priority: ['优先级', 'Priority'],
  retryAt: ['下次呼叫', 'Next attempt'],
  holdReason: ['未呼原因', 'Held because'],
  ...otherTitles,
  otherNumbers: ['备用号码', 'Other numbers'],
  metadata: ['变量', 'Variables'],
  createdAt: ['创建时间', 'Made at'],
} as const satisfies Record<string, Words>;

/**
 * Why a row of an import is left out: an earlier row of the import, a contact of the campaign, of another campaign of its business, or a dial
 * to the person not long ago. Source: D6.5, D6.8
 */
export const LEFT_OUT_REASONS = ['repeated', 'campaign', 'business', 'contacted'] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** Source: OCS 2.7, D6.5 */
export const importResult = z
  .object({
    totalRows: z.int(),
    createdRows: z.int(),
    skippedRows: z.int(),
    duplicateRows: z.int(),
    failedRows: z.int(),
    updatedRows: z.int().optional().meta({ description: '按外部编号更新的联系人数；没有外部编号时不返回' }),
    keptRows: z.int().optional().meta({ description: '其中正在通话或已有结果、状态保持不变的联系人数' }),
    leftOut: z
      .array(z.object({ reason: z.enum(LEFT_OUT_REASONS), rows: z.int() }))
      .optional()
      .meta({ description: '重复行按原因的行数；没有重复行时不返回' }),
    errors: z.array(z.object({ rowNumber: z.int(), phoneNumber: z.string(), reason: z.string() })),
  })
  .meta({ id: 'ImportResult' });

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
   * Adds the contacts whose number the campaign lacks, and updates those whose `externalId` it has, all or nothing.
   *
   * Why:   the unique indexes decide, so concurrent imports never create duplicates
   * Shape: keys and external ids of `contacts` must be distinct; null when the campaign does not exist
   */
  add(campaignId: number, contacts: readonly NewContact[], admission: ContactAdmission): Promise<AddedContacts | null>;
  /** Previews `add` without writing anything. */
  foresee(campaignId: number, contacts: readonly NewContact[]): Promise<AddedContacts>;
  /** Those of the keys that a contact in a campaign of the same business has. */
  keysInBusiness(campaignId: number, dialKeys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those of the keys that any campaign has dialled in the last `days` × 24 h. */
  keysDialled(dialKeys: readonly string[], days: number): Promise<ReadonlySet<string>>;
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

/** The result of `add` for each contact. */
export interface AddedContacts {
  /** Dial keys of new contacts. */
  created: ReadonlySet<string>;
  /** External ids of updated contacts; `kept`: in a call or final, so that its state stays. */
  updated: ReadonlyMap<string, 'changed' | 'kept'>;
}

export interface ContactsPart {
  contacts: ContactStore;
}

/** Throws when the locked campaign does not allow the change. */
export type AdmitCampaign = (campaign: Pick<Campaign, 'id' | 'status'>) => void;

export interface ContactAdmission {
  admit: AdmitCampaign;
  /** True locks the campaign's status until the commit; false only prevents its deletion. */
  holdsStatus: boolean;
  /** Called with the keys added, in the same transaction. */
  andThen?: (tx: Sql, created: ReadonlySet<string>) => Promise<void>;
}

export interface ContactSearch {
  /** Empty: no search. */
  q: string;
  status: ContactStatus | null;
}

type ContactTexts = Record<ContactText, string>;

export interface NewContact extends ContactTexts {
  phoneNumber: string;
  /** Canonical number: unique within the campaign (except in old rows) and compared with the do-not-call list. Source: D6.1, D8.7 */
  dialKey: string;
  /** IANA time zones in which the person may be, joined by spaces; null when neither the contact nor its numbers tell. Source: D8.8 */
  zones: string | null;
  metadata: JsonObject;
  /** All numbers in order; empty for a single one without an extension. Source: D6.7 */
  numbers: readonly KeyedNumber[];
}

export type ContactFields = Omit<NewContact, 'numbers'> & {
  priority: number;
  status: ContactStatus;
  numbers: readonly StoredNumber[];
};

export interface LockedContact {
  contact: Contact;
  /** Canonical number for comparison. */
  dialKey: string;
  /** The same as in `ContactFields`. */
  numbers: readonly StoredNumber[];
  isBusy: boolean;
  campaign: Pick<Campaign, 'id' | 'status'>;
}

export interface ContactsEdited extends Withdrawn {
  affectedIds: number[];
}

export type ContactRemoval = ({ kind: 'removed'; contact: Contact } & Withdrawn) | { kind: 'not_found' } | { kind: 'busy' };

export type ContactUpdate = ({ kind: 'updated'; before: Contact; after: Contact } & Withdrawn) | { kind: 'not_found' };

/** Source: OCS 2.7 "Contact input" */
export interface ContactInput extends ContactTexts {
  /** Not empty. */
  phoneNumber: string;
  metadata: JsonObject;
  /** Further numbers, or all of them. */
  numbers: readonly GivenNumber[];
}

/** `region` applies to a number without a country code. */
export function parseContact(input: ContactInput, region: Region): NewContact {
  const key = dialKey(input.phoneNumber, region);
  const numbers = numbersOf(input.phoneNumber, input.numbers, region);
  return { ...input, dialKey: key, zones: knownZones(input.timeZone, dialKeysOf(numbers)), numbers: storedNumbers(numbers) };
}

/** Zones of a contact as stored: names joined by spaces, null when unknown. Source: D8.8 */
export function zonesOfContact(stored: string | null, fallback: string): Zones {
  return stored === null ? [fallback] : stored.split(' ');
}

/** The contact's own zone takes precedence over those of its numbers. Source: D8.8 */
export function knownZones(timeZone: string, dialKeys: readonly string[]): string | null {
  return timeZone || [...new Set(dialKeys.flatMap(zonesOfNumber))].join(' ') || null;
}

function dialKeysOf(numbers: readonly KeyedNumber[]): string[] {
  return numbers.map(({ dialKey: key }) => key);
}
