import { z } from 'zod';

/** Ids of int columns: everything but contacts, attempts, batches and log rows. */
export const MAX_INT4 = 2_147_483_647;

export const rowId = z.int().positive().max(MAX_INT4);
/** Id of a contact, attempt, batch, audit row or runtime event. */
export const bigRowId = z.int().positive();

const wireFlag = z.toJSONSchema(z.union([z.literal(0), z.literal(1)]));
const wireInstant = z.toJSONSchema(z.iso.datetime({ precision: 3 }));

/** A boolean; 0 or 1 on the wire. Source: D2.5 */
export const flag = z
  .codec(
    z.custom<0 | 1>(value => value === 0 || value === 1, '必须是 0 或 1'),
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

/** UTC ms; ISO 8601 in UTC with milliseconds on the wire. Source: D2.5 */
export const instant = z
  .codec(z.string(), z.custom<number>(), { decode: text => Date.parse(text), encode: at => new Date(at).toISOString() })
  .meta({
    override: ({ jsonSchema }) => {
      const { description } = jsonSchema;
      delete jsonSchema.description;
      Object.assign(jsonSchema, wireInstant, description === undefined ? {} : { description });
    },
  });

/** What every row carries. Source: D2.6 */
export const stamps = { createdAt: instant, updatedAt: instant };

/** A text that must say something: surrounding blanks do not count. */
export function requiredText(maxLength: number) {
  return z.string().trim().min(1).max(maxLength);
}

/** A text that may be left out or empty. */
export function optionalText(maxLength: number) {
  return z.string().trim().max(maxLength).optional().default('');
}

/** How the published document says it; JSON Schema has no word for how long a value is as it is written. */
const JSON_LENGTH = 'x-maxJsonLength';

/** A free-form value of at most so many characters of JSON. */
export function boundedJson<Schema extends z.ZodType>(schema: Schema, maxLength: number): Schema {
  return schema
    .refine(value => value === undefined || JSON.stringify(value).length <= maxLength, `不能超过 ${maxLength} 个字符`)
    .meta({ ...schema.meta(), [JSON_LENGTH]: maxLength });
}

/** Fills in what an input leaves out; beside the schema, because a default inside it would enter the published document and every partial input. */
export function filledWith<Defaults extends object>(defaults: Defaults) {
  return <Input extends object>(input: Input) => {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    return { ...defaults, ...given } as Filled<Input, Defaults>;
  };
}

type Filled<Input, Defaults> = Omit<Input, keyof Defaults> & {
  [Key in keyof Defaults & keyof Input]-?: Exclude<Input[Key], undefined>;
};
