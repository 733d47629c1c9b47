import { issue } from './problem.ts';
import { z } from 'zod';

/** Extended and basic form, `2026-12-01T09:00Z` and `20261201T0900Z`; whether the date exists is checked afterwards. */
const ZONED =
  /^(?:\d{4}-\d{2}-\d{2}[Tt ]\d{2}(?::\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?|\d{8}[Tt]\d{2}(?:\d{2}(?:\d{2}(?:[.,]\d{1,9})?)?)?)(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;
const LOCAL = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})?$/;

/** Supported range, UTC ms: years of four digits, which every edge can display. */
const FIRST = Temporal.Instant.from('0001-01-01T00:00:00Z').epochMilliseconds;
const LAST = Temporal.Instant.from('9999-12-31T23:59:59.999Z').epochMilliseconds;

/** A local time that is valid in both zones is valid in every zone between them. */
const ZONES_FARTHEST_APART = ['+16:00', '-16:00'];

/** Accepted input for an instant; parse it with `toInstant` (UTC ms). */
export const instantText = z
  .string()
  .max(40)
  .refine(
    text => ZONES_FARTHEST_APART.every(zone => readInstant(text, zone) !== null),
    issue('zonedOrLocalTime', { form: 'YYYY-MM-DD HH:mm[:ss]' }),
  )
  .meta({ description: 'ISO 8601 with zone, or YYYY-MM-DD HH:mm[:ss] in the business time zone', example: '2026-10-01T09:00:00.000Z' });

/**
 * A validated `instantText` as UTC ms.
 *
 * Units:  UTC ms; `zone` is an IANA name, the business time zone
 * Source: D2.5
 */
export function toInstant(text: string, zone: string): number {
  const at = readInstant(text, zone);
  if (at === null) throw new RangeError('toInstant needs a validated text');
  return at;
}

/** Like `toInstant`, but null, absent and empty text mean "no time" (OCS 2.10 "null or empty"). */
export function toInstantOrNull(text: string | null | undefined, zone: string): number | null {
  return text === null || text === undefined || text === '' ? null : toInstant(text, zone);
}

function readInstant(text: string, zone: string): number | null {
  const at = parseInstant(text, zone);
  return at !== null && at >= FIRST && at <= LAST ? at : null;
}

function parseInstant(text: string, zone: string): number | null {
  try {
    if (ZONED.test(text)) return Temporal.Instant.from(text).epochMilliseconds;
    if (LOCAL.test(text)) return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
    return null;
  } catch {
    // Well formed, but no date of the calendar, such as 2026-02-30.
    return null;
  }
}

/** Upper limit of int4 ids: all tables except contacts, attempts, batches and logs. */
export const MAX_INT4 = 2_147_483_647;

export const rowId = z.int().positive().max(MAX_INT4);
/** Id of a contact, attempt, batch, audit row or runtime event. */
export const bigRowId = z.int().positive();

const wireFlag = z.toJSONSchema(z.union([z.literal(0), z.literal(1)]));
const wireInstant = z.toJSONSchema(z.iso.datetime({ precision: 3 }));

/** A boolean, written as 0 or 1 on the wire. Source: D2.5 */
export const flag = z
  .codec(
    z.custom<0 | 1>(value => value === 0 || value === 1, issue('zeroOrOne')),
    z.custom<boolean>(),
    {
      decode: value => value === 1,
      encode: value => (value ? 1 : 0),
    },
  )
  .meta({
    override: context =>
      void Object.assign(context.jsonSchema, 'io' in context && context.io === 'input' ? { type: 'integer', enum: [0, 1] } : wireFlag),
  });

/** UTC ms, written as ISO 8601 in UTC with milliseconds on the wire. Source: D2.5 */
export const instant = z
  .codec(z.string(), z.custom<number>(), { decode: text => Date.parse(text), encode: at => new Date(at).toISOString() })
  .meta({
    override: ({ jsonSchema }) => {
      const { description } = jsonSchema;
      delete jsonSchema.description;
      Object.assign(jsonSchema, wireInstant, description === undefined ? {} : { description });
    },
  });

/** Timestamps that every row carries. Source: D2.6 */
export const stamps = { createdAt: instant, updatedAt: instant };

/** Text that is not blank; surrounding blanks are trimmed. */
export function requiredText(maxLength: number) {
  return z.string().trim().min(1).max(maxLength);
}

/** Text that may be absent or empty. */
export function optionalText(maxLength: number) {
  return z.string().trim().max(maxLength).optional().default('');
}

/** Extension keyword of the published document: JSON Schema cannot limit the serialised length of a value. */
const JSON_LENGTH = 'x-maxJsonLength';

/** A free-form value, limited in characters of JSON. */
export function boundedJson<Schema extends z.ZodType>(schema: Schema, maxLength: number): Schema {
  return schema
    .refine(value => value === undefined || JSON.stringify(value).length <= maxLength, issue('tooManyCharacters', { max: maxLength }))
    .meta({ ...schema.meta(), [JSON_LENGTH]: maxLength });
}

/** Fills in absent members. Defaults inside the schema would appear in the published document and in every partial input. */
export function filledWith<Defaults extends object>(defaults: Defaults) {
  return <Input extends object>(input: Input) => {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    return { ...defaults, ...given } as Filled<Input, Defaults>;
  };
}

type Filled<Input, Defaults> = Omit<Input, keyof Defaults> & {
  [Key in keyof Defaults & keyof Input]-?: Exclude<Input[Key], undefined>;
};

/** Result of a bulk change. Shape: `requested` = `affected` + `skipped` */
export const bulkCounts = z.object({ requested: z.int(), affected: z.int(), skipped: z.int() });
