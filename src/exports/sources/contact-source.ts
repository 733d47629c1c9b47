import { sql } from 'kysely';
import { contactIdsBetween, type ContactQuery, contactTotal } from '#contacts/list-contacts.ts';
import { CONTACT_TITLES, type ContactText, eachText } from '#contacts/contact.ts';
import { NUMBERS_COLUMN } from '#contacts/contact-number-statements.ts';
import type { JsonValue } from '#kernel/json.ts';
import { keysOf } from '#kernel/typed.ts';
import { CONTACT_RESULTS } from '../result-columns.ts';
import { spelledNumber, WORDS } from '../decisions/export-words.ts';
import { epoch, type ExportSource, type SourceColumn } from './export-source.ts';

export interface ContactExport extends ContactQuery {
  /** Null for all campaigns. */
  campaignId: number | null;
}

type Title = keyof typeof CONTACT_TITLES;
type Given = Omit<SourceColumn, 'key' | 'title'>;

/** The first number, and all of them where the contact has several. */
const NUMBERS = sql`jsonb_build_object('phoneNumber', k.phone_number, 'numbers', case when k.has_numbers then ${NUMBERS_COLUMN} else '[]'::jsonb end)`;

const GIVEN: Readonly<Record<Exclude<Title, ContactText>, Given>> = {
  id: { type: 'integer', value: sql`k.id` },
  campaign: { type: 'text', value: sql`m.name` },
  phoneNumber: { type: 'text', value: NUMBERS, finish: firstNumber, isNumber: true },
  status: { type: 'text', value: sql`k.status`, words: WORDS.contactStatus },
  attemptCount: { type: 'integer', value: sql`k.attempt_count` },
  priority: { type: 'integer', value: sql`k.priority` },
  retryAt: {
    type: 'instant',
    value: sql`epoch_ms(case when k.hold_reason = 'retry_wait' then k.hold_until else k.retry_at end)`,
  },
  holdReason: { type: 'text', value: sql`k.hold_reason` },
  otherNumbers: { type: 'text', value: NUMBERS, finish: otherNumbers, isNumber: true },
  metadata: { type: 'json', value: sql`nullif(k.metadata, '{}'::jsonb)` },
  createdAt: { type: 'instant', value: epoch(sql`k.created_at`) },
};

const TEXTS = eachText(
  (name): Given => ({ type: 'text', value: sql.ref(`k.${name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)}`) }),
);
const BY_TITLE: Readonly<Record<Title, Given>> = { ...GIVEN, ...TEXTS };

/** The columns by which an import recognises the file: it reads the variables of their one column, and leaves those of single variables out. */
const COLUMNS: readonly SourceColumn[] = keysOf(CONTACT_TITLES).map(key => ({ key, title: CONTACT_TITLES[key], ...BY_TITLE[key] }));

/** A row for each contact. */
export function contactSource(query: ContactExport): ExportSource {
  return {
    columns: COLUMNS,
    table: sql`contact`,
    chosen: range => contactIdsBetween(query, range),
    from: sql`chosen join contact k on k.id = chosen.id left join campaign m on m.id = k.campaign_id`,
    order: sql`k.id`,
    total: contactTotal(query),
    createdFrom: query.filter?.from,
    variables: sql`k.metadata`,
    results: CONTACT_RESULTS,
    campaignId: query.campaignId,
  };
}

interface Numbers {
  phoneNumber: string;
  numbers: readonly { phoneNumber: string; extension: string }[];
}

/** `NUMBERS` as the database writes it. */
function isNumbers(value: unknown): value is Numbers {
  return typeof value === 'object' && value !== null && 'phoneNumber' in value && 'numbers' in value && Array.isArray(value.numbers);
}

function firstNumber(value: JsonValue): JsonValue {
  if (!isNumbers(value)) return value;
  const { phoneNumber, numbers } = value;
  return spelledNumber(numbers.find(number => number.phoneNumber === phoneNumber) ?? { phoneNumber, extension: '' });
}

function otherNumbers(value: JsonValue): JsonValue {
  if (!isNumbers(value)) return value;
  return value.numbers
    .filter(({ phoneNumber }) => phoneNumber !== value.phoneNumber)
    .map(spelledNumber)
    .join('、');
}
