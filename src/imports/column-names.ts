import { withoutInvisible } from './clean-number.ts';

/** Contact fields that a column can be recognised as. */
export type NamedField = 'phoneNumber' | 'customerName' | 'remark';

/** Documented column names, in the form in which names are compared. Source: D6.3 */
const DOCUMENTED: Readonly<Record<NamedField, readonly string[]>> = {
  phoneNumber: ['手机号', '电话', '号码', 'phone', 'phonenumber', 'mobile'],
  customerName: ['姓名', 'name', 'customername'],
  remark: ['备注', 'remark'],
};

/** Owner prefixes that mean the person to be called. */
const WHOSE = '(?:客户|顾客|用户|会员|学员|家长|业主|本人|联系人?|联络人?|收件人|收货人|参会人)*';
const WHOSE_ENGLISH = '(?:customer|client|contact|member|lead|student|guest|recipient)?s?';
const PHONE = '(?:手机|手提电话|移动电话|行动电话|流动电话|电话)+(?:号码?)?1?';
/** Patterns of other column names. 会员号码 and `customer number` are not phone numbers. */
const ALIASES: Readonly<Record<NamedField, RegExp>> = {
  phoneNumber: new RegExp(
    `^(?:${WHOSE}${PHONE}|(?:客户|用户|联系人?|联络人?)号码|(?:联系人?|联络人?)方式|(?:contact)?numbers?|${WHOSE_ENGLISH}(?:mobile|cell|phone|tel|telephone)+(?:numbers?|nos?|num)?1?)$`,
  ),
  customerName: new RegExp(`^(?:${WHOSE}(?:姓名|名称|名字|称呼|全名)|联系人|联络人|${WHOSE_ENGLISH}(?:full)?names?)$`),
  remark: /^(?:备注(?:信息|说明)?|说明|remarks?|notes?|comments?)$/,
};

/** Traditional forms, as used in Hong Kong and Taiwan, of the characters in the words above. */
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
/** Longer text is a sentence rather than a column name; the patterns above are never applied to it. */
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
  const find = (field: NamedField) => {
    const isDocumented = (name: string) => DOCUMENTED[field].includes(name);
    const found = [plain.findIndex(isDocumented), bare.findIndex(isDocumented), bare.findIndex(name => ALIASES[field].test(name))];
    return found.find(index => index >= 0) ?? -1;
  };
  return { phoneNumber: find('phoneNumber'), customerName: find('customerName'), remark: find('remark') };
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
