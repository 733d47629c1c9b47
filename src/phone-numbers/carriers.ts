import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Region } from './dial-key.ts';
import { destinationNumber } from './phone-number.ts';

/** Mobile carriers of mainland China. Source: D6.3 */
const CARRIERS = ['mobile', 'unicom', 'telecom', 'broadnet'] as const;

export type Carrier = (typeof CARRIERS)[number];

/**
 * First three or four digits of a mainland mobile number, by the carrier that owns the prefix; a virtual operator counts as its host
 * carrier. A longer prefix takes precedence.
 *
 * Why: number portability moves customers between carriers, so the result is approximate
 */
const PREFIXES: Readonly<Record<Carrier, string>> = {
  mobile: `134 135 136 137 138 139 144 147 148 150 151 152 157 158 159 165 172 178 182 183 184 187 188 195 197 198 1703 1705 1706`,
  unicom: `130 131 132 140 145 146 155 156 166 167 171 175 176 185 186 196 1704 1707 1708 1709`,
  telecom: `133 141 149 153 162 173 174 177 180 181 189 190 191 193 199 1349 1700 1701 1702`,
  broadnet: `192`,
};

const CARRIER_BY_PREFIX: ReadonlyMap<string, Carrier> = new Map(
  CARRIERS.flatMap(carrier => PREFIXES[carrier].split(' ').map(prefix => [prefix, carrier] as const)),
);

/**
 * Returns the carrier that a mainland mobile number most likely belongs to.
 *
 * Shape: `nationalNumber` without `+86`; null when no carrier owns the prefix
 */
export function carrierOf(nationalNumber: string): Carrier | null {
  return CARRIER_BY_PREFIX.get(nationalNumber.slice(0, 4)) ?? CARRIER_BY_PREFIX.get(nationalNumber.slice(0, 3)) ?? null;
}

/** Requirements on the numbers of a file. Source: D6.3 */
export interface NumberOptions {
  region: Region;
  /** Empty means any carrier. Applies to mobile numbers; `landline` governs fixed lines. */
  carriers: readonly Carrier[];
  landline: 'allow' | 'reject';
}

/** Number types that are, or may be, mobile. */
const MOBILE_TYPES: readonly NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE', 'PAGER', 'PERSONAL_NUMBER'];
const CARRIER_TEXTS: Readonly<Record<Carrier, string>> = {
  mobile: '中国移动',
  unicom: '中国联通',
  telecom: '中国电信',
  broadnet: '中国广电',
};

/** `1.39E+10`, `1.39e10`. */
const SCIENTIFIC = /^[+-]?\d+(?:\.\d+)?e[+-]?\d+$/i;
/** `13800138000.0` */
const DECIMAL = /^\+?\d+\.\d+$/;
const SPREADSHEET_ERROR = /^#(?:#+|N\/A|REF!|VALUE!|NAME\?|NUM!|DIV\/0!|NULL!)$/i;

/** Enough for a few numbers with separators; bounds the cost of the checks, which parse a text several times. */
const MAX_CELL_LENGTH = 200;
const TOO_ODD = '号码含有不能拨打的字符，或过长';

/**
 * Returns why a number of a file is not imported, in Chinese; null when it is valid.
 *
 * Shape:  `phoneNumber` is trimmed
 * Source: D6.3, D6.4, OCS 4.7 rule 1
 */
export function numberFault(phoneNumber: string, options: NumberOptions): string | null {
  if (phoneNumber === '') return '号码为空';
  if (phoneNumber.length > MAX_CELL_LENGTH) return TOO_ODD;
  return artefactFault(phoneNumber) ?? formatFault(phoneNumber, options);
}

function artefactFault(text: string): string | null {
  if (text.startsWith('=')) return '号码是表格软件的公式，请把该列设为文本格式后重新导出';
  if (SCIENTIFIC.test(text)) return `号码被表格软件改成了科学计数法（${text}），末尾数字已丢失，请把该列设为文本格式后重新导出`;
  if (DECIMAL.test(text)) return `号码被表格软件改成了小数（${text}），请把该列设为文本格式后重新导出`;
  if (SPREADSHEET_ERROR.test(text)) return `单元格是表格软件的错误值（${text}），不是号码`;
  return null;
}

function formatFault(text: string, options: NumberOptions): string | null {
  if (options.region === 'CN' && isMainlandMobile(text)) return carrierFault(text, options);
  const { region, landline } = options;
  if (destinationNumber(text) === null) return TOO_ODD;
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: region, extract: false });
  // A number without a type is invalid; the type is read once, because each lookup walks all patterns of the numbering plan.
  const type = parsed?.getType();
  if (!parsed || type === undefined) return `不是地区 ${region} 的有效号码`;
  if (parsed.country !== region) return `号码不属于地区 ${region}`;
  if (!MOBILE_TYPES.includes(type)) return landline === 'reject' ? '不接受固定电话号码' : null;
  return carrierFault(parsed.nationalNumber, options);
}

const MOBILE_SHAPE = /^1[3-9]\d{9}$/;
/** Leading digits by which the numbering plan identifies mobile numbers. */
const DECIDING_DIGITS = 5;
/** At most 7,000 entries. */
const isMobilePrefix = new Map<string, boolean>();

/** Fast path for nearly every row: decides by the first digits instead of walking the numbering plan. */
function isMainlandMobile(text: string): boolean {
  if (!MOBILE_SHAPE.test(text)) return false;
  const prefix = text.slice(0, DECIDING_DIGITS);
  const known = isMobilePrefix.get(prefix) ?? parsePhoneNumberFromString(text, 'CN')?.getType() === 'MOBILE';
  isMobilePrefix.set(prefix, known);
  return known;
}

function carrierFault(nationalNumber: string, { carriers }: NumberOptions): string | null {
  if (carriers.length === 0) return null;
  const carrier = carrierOf(nationalNumber);
  if (carrier === null) return '无法判断号码所属运营商';
  return carriers.includes(carrier) ? null : `号码属于${CARRIER_TEXTS[carrier]}，不在所选运营商内`;
}
