import { withoutInvisible } from './clean-number.ts';

/** What a column may hold of a contact. */
export type NamedField = 'phoneNumber' | 'customerName' | 'remark';

/** The names that clients were given, as they are compared. Source: D6.3 */
const DOCUMENTED: Readonly<Record<NamedField, readonly string[]>> = {
  phoneNumber: ['手机号', '电话', '号码', 'phone', 'phonenumber', 'mobile'],
  customerName: ['姓名', 'name', 'customername'],
  remark: ['备注', 'remark'],
};

/** Whose it is, where that is the person who is to be called. */
const WHOSE = '(?:客户|顾客|用户|会员|学员|家长|业主|本人|联系人?|联络人?|收件人|收货人|参会人)*';
const WHOSE_ENGLISH = '(?:customer|client|contact|member|lead|student|guest|recipient)?s?';
const PHONE = '(?:手机|手提电话|移动电话|行动电话|流动电话|电话)+(?:号码?)?1?';
/** How other names of columns are built. 会员号码 and `customer number` are no phone numbers. */
const ALIASES: Readonly<Record<NamedField, RegExp>> = {
  phoneNumber: new RegExp(
    `^(?:${WHOSE}${PHONE}|(?:客户|用户|联系人?|联络人?)号码|(?:联系人?|联络人?)方式|(?:contact)?numbers?|${WHOSE_ENGLISH}(?:mobile|cell|phone|tel|telephone)+(?:numbers?|nos?|num)?1?)$`,
  ),
  customerName: new RegExp(`^(?:${WHOSE}(?:姓名|名称|名字|称呼|全名)|联系人|联络人|${WHOSE_ENGLISH}(?:full)?names?)$`),
  remark: /^(?:备注(?:信息|说明)?|说明|remarks?|notes?|comments?)$/,
};

/** Characters of the words above as they are written in Hong Kong and Taiwan. */
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
/** Longer text is a sentence, no name of a column; the patterns above are tried on nothing longer. */
const MAX_NAME_LENGTH = 40;

/**
 * The column of each field by the names of a header, -1 where there is none.
 *
 * Why:    a name that clients were given wins over every other, for 联系电话 beside 手机号 may be somebody else's; and as it was given over a decorated one
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

/** Lower case, narrow letters, without blanks, `_`, `-` and what is invisible. */
function compared(name: string): string {
  return withoutInvisible(name.slice(0, MAX_NAME_LENGTH * 2).normalize('NFKC'))
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

/** `手机号（必填）`, `*手機號碼：` and `Mobile No.` as the bare name; empty when what is left is none. */
function undecorated(name: string): string {
  const whole = compared(name);
  const bare = (whole.replace(BRACKETED, '') || whole)
    .replace(/[\p{P}\p{S}]/gu, '')
    .replace(/(?:必填|选填|選填)项?$/, '')
    .replace(/./gu, letter => TRADITIONAL[letter] ?? letter);
  return bare.length > MAX_NAME_LENGTH ? '' : bare;
}
