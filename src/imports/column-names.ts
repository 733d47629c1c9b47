import { type ContactText, eachText, type Headings, NUMBER_HEADINGS, OTHER_NUMBER_HEADINGS } from '#contacts/contact.ts';
import { CALLBACK_HEADINGS, type CALLBACK_COLUMNS } from './callback-columns.ts';
import { withoutInvisible } from './clean-number.ts';

/** Contact fields that a column can be recognised as. */
type NamedField = 'phoneNumber' | ContactText | (typeof CALLBACK_COLUMNS)[number];

/** Traditional forms, as used in Hong Kong and Taiwan, of the characters in documented headings and aliases. */
const TRADITIONAL: Readonly<Record<string, string>> = {
  機: '机',
  號: '号',
  碼: '码',
  電: '电',
  話: '话',
  聯: '联',
  繫: '系',
  絡: '络',
  動: '动',
  備: '备',
  註: '注',
  說: '说',
  稱: '称',
  戶: '户',
  顧: '顾',
  會: '会',
  員: '员',
  長: '长',
  業: '业',
  參: '参',
  貨: '货',
};
const BRACKETED = /\([^()]*\)|\[[^[\]]*\]|【[^【】]*】|〔[^〔〕]*〕|\{[^{}]*\}|<[^<>]*>|《[^《》]*》/g;
/** Longer text is a sentence rather than a column name; aliases are never applied to it. */
const MAX_NAME_LENGTH = 40;

/**
 * Returns the column of each field by the names of a header; -1 where there is none.
 *
 * Why:    a documented name takes precedence over every alias, because 联系电话 beside 手机号 may be another person's number; an undecorated
 *         documented name takes precedence over a decorated one
 * Source: D6.3
 */
export function namedColumns(header: readonly string[]): Record<NamedField, number> {
  const plain = header.map(compared);
  const bare = header.map(undecorated);
  const find = ({ documented, alias }: Headings) => {
    const isDocumented = (name: string) => documented.includes(name);
    const found = [plain.findIndex(isDocumented), bare.findIndex(isDocumented), bare.findIndex(name => alias.test(name))];
    return found.find(index => index >= 0) ?? -1;
  };
  const { callbackAt, callbackNote } = CALLBACK_HEADINGS;
  return {
    phoneNumber: find(NUMBER_HEADINGS),
    ...eachText((_name, text) => find(text)),
    callbackAt: find(callbackAt),
    callbackNote: find(callbackNote),
  };
}

/** The columns whose headings name further numbers of a person, in order. Source: D6.7 */
export function otherNumberColumns(header: readonly string[]): number[] {
  const { documented, alias } = OTHER_NUMBER_HEADINGS;
  return header.flatMap((name, index) => {
    const bare = undecorated(name);
    return documented.includes(compared(name)) || documented.includes(bare) || alias.test(bare) ? [index] : [];
  });
}

/** Lower case, half width, without blanks, `_`, `-` and invisible characters. */
function compared(name: string): string {
  return withoutInvisible(name.slice(0, MAX_NAME_LENGTH * 2).normalize('NFKC'))
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

/** Reduces `手机号（必填）`, `*手機號碼：` and `Mobile No.` to the bare name; empty when the rest is too long for a name. */
function undecorated(name: string): string {
  const whole = compared(name);
  const bare = (whole.replace(BRACKETED, '') || whole)
    .replace(/[\p{P}\p{S}]/gu, '')
    .replace(/(?:必填|选填|選填)项?$/, '')
    .replace(/./gu, letter => TRADITIONAL[letter] ?? letter);
  return bare.length > MAX_NAME_LENGTH ? '' : bare;
}
