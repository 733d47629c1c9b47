import { z } from 'zod';
import { requiredText } from '#kernel/fields.ts';
import { issue } from '#kernel/problem.ts';
import { dialKey, extensionOf, type Region } from '#phone-numbers/dial-key.ts';

/** Length of a number as entered; its format is not validated here (OCS 4.6). */
export const MAX_PHONE_NUMBER_LENGTH = 64;
/** Most numbers of one contact. */
export const MAX_NUMBERS = 10;
export const MAX_NUMBER_LABEL_LENGTH = 32;
const MAX_EXTENSION_LENGTH = 16;
const EXTENSION = /^[0-9*#]*$/;

/** Verdicts that end a number for good. */
export const NUMBER_VERDICTS = ['invalid_number'] as const;
export type NumberVerdict = (typeof NUMBER_VERDICTS)[number];

/** Source: D6.7 */
export const contactNumber = z
  .object({
    phoneNumber: z.string(),
    label: z.string(),
    extension: z.string().meta({ description: '接通后按出的分机号；没有时为空' }),
    verdict: z.enum(NUMBER_VERDICTS).nullable().meta({ description: '号码已不再呼叫的原因；仍可呼叫时为空' }),
  })
  .meta({ id: 'ContactNumber' });

export type ContactNumber = z.output<typeof contactNumber>;

const newContactNumber = z.object({
  phoneNumber: requiredText(MAX_PHONE_NUMBER_LENGTH),
  label: z
    .string()
    .trim()
    .max(MAX_NUMBER_LABEL_LENGTH)
    .nullish()
    .transform(label => label ?? ''),
  extension: z
    .string()
    .trim()
    .max(MAX_EXTENSION_LENGTH, { abort: true })
    .regex(EXTENSION, issue('extensionDigits'))
    .nullish()
    .transform(extension => extension ?? ''),
});

/** All numbers of a person in the order of their use; `phoneNumber` stands first when it is not among them. */
export const newContactNumbers = z.array(newContactNumber).min(1).max(MAX_NUMBERS);

/** A number as it was given. */
export type GivenNumber = z.output<typeof newContactNumber>;

/** A number with the key by which it is compared. */
export interface KeyedNumber extends GivenNumber {
  dialKey: string;
}

/** A stored number. */
export interface StoredNumber extends KeyedNumber {
  verdict: NumberVerdict | null;
}

/** Refuses an eleventh number, which `phoneNumber` is when the full list lacks it. */
export function refineNumbers(
  { phoneNumber, numbers }: { phoneNumber?: string | undefined; numbers?: readonly GivenNumber[] | null | undefined },
  context: z.RefinementCtx,
): void {
  if (!numbers || phoneNumber === undefined || numbers.length < MAX_NUMBERS) return;
  if (numbers.some(number => number.phoneNumber === phoneNumber)) return;
  context.addIssue({ code: 'custom', path: ['numbers'], message: issue('tooManyItems', { max: MAX_NUMBERS }) });
}

/** Keys of numbers that are stored already, by their texts: an import may have named another region for them. */
type KnownKeys = ReadonlyMap<string, string>;

const NONE_KNOWN: KnownKeys = new Map();

/**
 * The numbers of a person in order, each once, with the number to dial first among them. An extension written behind a number is taken
 * from its text.
 */
export function numbersOf(phoneNumber: string, given: readonly GivenNumber[], region: Region, known = NONE_KNOWN): KeyedNumber[] {
  const first = keyedNumber({ phoneNumber, label: '', extension: '' }, region, known);
  const listed = given.map(number => keyedNumber(number, region, known));
  const all = listed.some(number => number.dialKey === first.dialKey) ? listed : [first, ...listed];
  return all.filter((number, index) => all.findIndex(({ dialKey: key }) => key === number.dialKey) === index);
}

function keyedNumber({ phoneNumber, label, extension }: GivenNumber, region: Region, known: KnownKeys): KeyedNumber {
  const key = known.get(phoneNumber) ?? dialKey(phoneNumber, region);
  return { phoneNumber, label, extension: extension || extensionOf(phoneNumber, region), dialKey: key };
}

/** The rows to store: none for a single number without an extension. */
export function storedNumbers<Number extends KeyedNumber>(numbers: readonly Number[]): readonly Number[] {
  return numbers.length > 1 || numbers.some(({ extension }) => extension !== '') ? numbers : [];
}

/** The number of a contact to dial now, and all of them as stored. */
export interface NumbersOfContact {
  phoneNumber: string;
  dialKey: string;
  numbers: readonly StoredNumber[];
}

/** The change that an edit makes; `numbers` replaces the list. */
export interface NumberChanges {
  phoneNumber?: string | undefined;
  numbers?: readonly GivenNumber[] | undefined;
}

/**
 * The numbers of a contact after an edit. Numbers that stay keep their key and their verdict.
 *
 * Shape: without `phoneNumber` the number to dial now stays if the new list has it and nothing ended it; else the first that may be dialled
 *        takes its place. Without `numbers` a new `phoneNumber` takes the place of the one to dial now
 */
export function editedNumbers(before: NumbersOfContact, changes: NumberChanges, region: Region): NumbersOfContact {
  const known = knownKeys(before);
  const wanted = changes.phoneNumber ?? before.phoneNumber;
  const key = known.get(wanted) ?? dialKey(wanted, region);
  const keyed = changes.numbers
    ? replacedList(changes.numbers, { changes, before, known, region })
    : withNumber(before, wanted, key, region);
  const numbers = withVerdicts(keyed, before.numbers);
  const chosen = changes.phoneNumber === undefined ? numberToDial(numbers, key) : numbers.find(number => number.dialKey === key);
  const { phoneNumber, dialKey: chosenKey } = chosen ?? { phoneNumber: wanted, dialKey: key };
  return { phoneNumber, dialKey: chosenKey, numbers: storedNumbers(numbers) };
}

function knownKeys({ phoneNumber, dialKey: key, numbers }: NumbersOfContact): KnownKeys {
  return new Map([...numbers.map(number => [number.phoneNumber, number.dialKey] as const), [phoneNumber, key]]);
}

interface Replacing {
  changes: NumberChanges;
  before: NumbersOfContact;
  known: KnownKeys;
  region: Region;
}

function replacedList(given: readonly GivenNumber[], { changes, before, known, region }: Replacing): KeyedNumber[] {
  const first = changes.phoneNumber ?? given[0]?.phoneNumber ?? before.phoneNumber;
  return numbersOf(first, given, region, known);
}

function withNumber({ dialKey: current, numbers }: NumbersOfContact, phoneNumber: string, key: string, region: Region): KeyedNumber[] {
  const plain = { phoneNumber, label: '', extension: extensionOf(phoneNumber, region), dialKey: key };
  if (numbers.length === 0) return [plain];
  if (numbers.some(number => number.dialKey === key)) return [...numbers];
  return numbers.map(number => (number.dialKey === current ? { ...plain, label: number.label } : number));
}

function numberToDial(numbers: readonly StoredNumber[], current: string): StoredNumber | undefined {
  const open = numbers.filter(({ verdict }) => verdict === null);
  return open.find(number => number.dialKey === current) ?? open[0] ?? numbers.find(number => number.dialKey === current) ?? numbers[0];
}

function withVerdicts(numbers: readonly KeyedNumber[], before: readonly StoredNumber[]): StoredNumber[] {
  const verdicts = new Map(before.map(({ dialKey: key, verdict }) => [key, verdict]));
  return numbers.map(number => ({ ...number, verdict: verdicts.get(number.dialKey) ?? null }));
}
