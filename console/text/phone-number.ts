/** Country of the installation, ISO 3166-1 alpha-2; empty until the console knows it. */
let region = '';

export function setRegion(code: string): void {
  region = code;
}

/** What people and lists write between digits. */
const BETWEEN = /[\s().-]/g;
/** What may be a number within a text. */
const NUMBERS = /\+?\d[\d ().-]{5,}\d/g;
const WITH_COUNTRY = /^\+\d{7,15}$/;
/** Country code of China, as it stands before a number. */
const CHINA = /^(?:\+|00)86(?=\d)/;
const MOBILE = /^1[3-9]\d{9}$/;
/** Area code and number, without the 0 before it. */
const FIXED = /^(?:10|2\d|[3-9]\d\d)\d{7,8}$/;
/** Numbers of companies, which have no area code. */
const SHARED = /^[48]00\d{7}$/;

/**
 * A phone number as every page shows it: without separators; in China as people dial it there, numbers of other countries with `+` and their
 * country code. What is none of these, such as an extension, a prefix or a masked number, stays as it was written.
 *
 * Why: lists and people spell one number in many ways, and two spellings beside each other look like two numbers. What is typed and sent
 *      stays as it is: the server compares numbers by a key of its own
 */
export function formatPhone(number: string): string {
  const bare = number.normalize('NFKC').replace(BETWEEN, '');
  const national = region === 'CN' ? nationalOfChina(bare) : null;
  return national ?? (WITH_COUNTRY.test(bare) ? bare : number);
}

/** A text with its numbers as `formatPhone` writes them, such as a name that the server made of a person and a number. */
export function formatPhonesIn(text: string): string {
  return text.replace(NUMBERS, number => formatPhone(number));
}

function nationalOfChina(bare: string): string | null {
  const abroad = bare.replace(CHINA, '');
  const number = abroad.replace(/^0/, '');
  if (MOBILE.test(number) || SHARED.test(abroad)) return number;
  // An area code is known by the 0 or the country code before it: without them it may be the beginning of a local number.
  return FIXED.test(number) && number !== bare ? `0${number}` : null;
}
