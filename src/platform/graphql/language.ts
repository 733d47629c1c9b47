import { type GraphQLSchema, isEnumType } from 'graphql';
import { type InputFault, invalidArgument } from '#kernel/errors.ts';

/**
 * Translates the problem of a member to English, from the Chinese text that all edges share.
 *
 * Shape:  follows the member's name, `must not be empty`; an unknown problem becomes `is not valid`
 * Source: D2.1
 */
export function problemInEnglish(problem: string): string {
  for (const [chinese, english] of PROBLEMS) if (chinese.test(problem)) return problem.replace(chinese, english).replaceAll('、', ', ');
  return 'is not valid';
}

/** Quoted values stay as they are; none of them is Chinese. */
const PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/^不能为空：phoneNumber 与 contactId 至少填写一个$/, 'must not be empty: give phoneNumber or contactId'],
  [/^与 (\w+) 不能同时(?:为空|缺少)$/, 'must not be empty together with $1'],
  [/^与 (\w+) 必须且只能给出一个$/, 'must be given, or $1, not both'],
  [/^不能(?:为空|缺少)$/, 'must not be empty'],
  [/^不能为空，收到的是「(.+)」$/, 'must not be empty; $1 was received'],
  [/^必须是字符串$/, 'must be a string'],
  [/^必须是数字$/, 'must be a number'],
  [/^必须是整数$/, 'must be an integer'],
  [/^必须是正整数$/, 'must be a positive integer'],
  [/^必须是布尔值$/, 'must be true or false'],
  [/^必须是(?:一个 JSON )?对象$/, 'must be an object'],
  [/^必须是数组$/, 'must be an array'],
  [/^必须是 null$/, 'must be null'],
  [/^必须是时间$/, 'must be an instant'],
  [/^必须是类型 (\w+)$/, 'must be of the type $1'],
  [/^必须是 YYYY-MM-DD 格式的有效日期$/, 'must be a date as YYYY-MM-DD'],
  [/^必须是 1 到 255 个可见的 ASCII 字符$/, 'must be 1 to 255 visible ASCII characters'],
  [/^必须是 1（周一）到 7（周日）的整数$/, 'must be an integer from 1 (Monday) to 7 (Sunday)'],
  [/^必须是 MM-DD 格式的有效月日$/, 'must be a day of the year as MM-DD'],
  [/^必须是 (\d+) 到 (\d+) 的整数$/, 'must be an integer from $1 to $2'],
  [/^必须是 (\d+) 的倍数$/, 'must be a multiple of $1'],
  [/^必须是 HH:mm 格式的时间$/, 'must be a time of day as HH:mm'],
  [/^必须是 HH:mm 格式的时间，可为 24:00$/, 'must be a time of day as HH:mm, or 24:00'],
  [/^必须是不超过 (\d+) 个字符的字符串$/, 'must be a string of at most $1 characters'],
  [/^必须是 global 或 campaign$/, 'must be global or campaign'],
  [/^必须是 ([\w-]+)$/, 'must be $1'],
  [/^必须是 (.+) 之一$/, 'must be one of $1'],
  [/^必须在 (\d+) 到 (\d+) 之间$/, 'must be from $1 to $2'],
  [/^必须有 (\d+) 到 (\d+) 个$/, 'must have $1 to $2 items'],
  [/^长度不能小于 (\d+) 个字符$/, 'must have at least $1 characters'],
  [/^(?:长度)?不能超过 (\d+) 个字符$/, 'must have at most $1 characters'],
  [/^字段个数不能小于 (\d+) 个$/, 'must have at least $1 members'],
  [/^字段个数不能超过 (\d+) 个$/, 'must have at most $1 members'],
  [/^元素个数不能小于 (\d+) 个$/, 'must have at least $1 items'],
  [/^(?:元素个数不能超过 (\d+) 个|最多 (\d+) [个项]|不能超过 (\d+) 项)$/, 'must have at most $1$2$3 items'],
  [/^最多 (\d+) 个字段$/, 'must have at most $1 members'],
  [/^最多 (\d+) 个变量$/, 'must have at most $1 variables'],
  [/^最多 (\d+) 个关键词$/, 'must have at most $1 keywords'],
  [/^不能小于 (-?[\d.]+)$/, 'must be at least $1'],
  [/^必须大于 (-?[\d.]+)$/, 'must be more than $1'],
  [/^不能超过 (-?[\d.]+)$/, 'must be at most $1'],
  [/^不能大于或等于 (-?[\d.]+)$/, 'must be less than $1'],
  [/^不能超过 (\d+) KiB$/, 'must be at most $1 KiB'],
  [/^格式不正确，应为 UUID$/, 'must be a UUID'],
  [/^格式不正确，应为 ISO 8601 时间$/, 'must be an ISO 8601 time'],
  [/^格式不正确，应为 (.+) 日期$/, 'must be a date as $1'],
  [/^格式不正确，应为时间$/, 'must be a time of day'],
  [/^格式不正确，应为网址$/, 'must be a URL'],
  [/^格式不正确，应为邮箱地址$/, 'must be an e-mail address'],
  [/^格式不正确，应为 IPv4 地址$/, 'must be an IPv4 address'],
  [/^格式不正确，应为 JSON$|^不是合法的 JSON$/, 'must be JSON'],
  [/^格式不正确，应为 (attempt:.+) 或 (request:.+)$/, 'must be $1 or $2'],
  [/^格式不正确$/, 'is of the wrong form'],
  [/^格式应为 HH:mm$/, 'must be a time of day as HH:mm'],
  [/^格式应为 HH:mm，可为 24:00$/, 'must be a time of day as HH:mm, or 24:00'],
  [/^应为带时区的 ISO 8601 时间，例如 (.+)$/, 'must be an ISO 8601 time with its zone, such as $1'],
  [/^不是合法的时间，应为带时区的 ISO 8601 或 (\S+ \S+)$/, 'must be an ISO 8601 time with its zone, or $1'],
  [/^应为 ISO 3166-1 两位国家或地区代码$/, 'must be a country code of two letters (ISO 3166-1)'],
  [/^应为 multipart 请求所带的文件$/, 'must be a file of a multipart request'],
  [/^只能含有字母、数字、(.+)，最多 (\d+) 个字符$/, 'may have letters, digits and $1 alone, at most $2 characters'],
  [/^只能含有 0-9、A-D、\* 和 #$/, 'may have 0-9, A-D, * and # alone'],
  [/^只能包含字母、数字、- 和 _，最多 (\d+) 个字符$/, 'may have letters, digits, - and _ alone, at most $1 characters'],
  [/^不能含有控制字符$|^含有不合法的字符$/, 'has characters that are not allowed'],
  [/^含有不支持的字段 (.+)$/, 'has members that are not known: $1'],
  [/^含有不合法的键$/, 'has a key that is not valid'],
  [/^含有不合法的元素$/, 'has an item that is not valid'],
  [/^必须恰好包含一次 (.+)$/, 'must contain $1 exactly once'],
  [/^不是可以拨打的号码$/, 'is no number that can be dialled'],
  [/^不是有效的游标$/, 'is no cursor of this list'],
  [/^不是有效的 id$/, 'is no id'],
  [/^不是已配置的交换机单元$|^「(.+)」不在 config\.cells 中$/, 'is no configured switch cell'],
  [/^不是已知的策略类型$|^策略类型未知$/, 'is no type of policy'],
  [/^与策略类型 (\w+) 不符，应为 (\w+)$/, 'does not fit the type $1: it must be $2'],
  [/^活动级策略必须指定活动$/, 'must be given for the scope campaign'],
  [/^至少需要一条启用的线路$/, 'must name at least one enabled line'],
  [/^线路 (\d+) 不存在$/, 'names line $1, which does not exist'],
  [/^在 (\w+) 模式下至少需要一个号码$/, 'must have at least one number in the mode $1'],
  [/^与 (numbers\[\d+\]\.number) 重复$/, 'repeats $1'],
  [/^没有对应的启用业务$/, 'is the code of no enabled business'],
  [/^所指的用户不存在$/, 'names a user that does not exist'],
  [/^所指的坐席组不存在$/, 'names a group that does not exist'],
  [/^对应的活动不存在$/, 'names a campaign that does not exist'],
  [/^不属于该活动$/, 'is not of this campaign'],
  [/^必须晚于 (\w+)$/, 'must be later than $1'],
  [/^必须与 (\w+) 同时设置$/, 'must be set together with $1'],
  [/^不能与 (\w+) 相同$/, 'must differ from $1'],
  [/^不能与原密码相同$/, 'must differ from the old password'],
  [/^不正确$/, 'is wrong'],
  [/^(?:不能与 (\w+) 同时使用|与 (\w+) 只能给出一个)$/, 'must not be given together with $1$2'],
  [/^只能与 (\w+) 一起使用$/, 'must be given together with $1'],
  [/^必须给出 first 或 last$/, 'must be given, or last'],
  [/^必须是不超过 (\d+) 个字符的非空字符串$/, 'must be a string of 1 to $1 characters'],
  [/^必须同时给出 (.+) 之一$/, 'must be given together with one of $1'],
  [/^必须同时给出 (.+)$/, 'must be given together with $1'],
  [/^与 (\w+) 不(?:同|一致)$/, 'differs from $1'],
  [/^与路径不一致，应为 (.+)$/, 'differs from the path: it must be $1'],
  [/^该列表不能按此排序$/, 'is nothing that this list is ordered by'],
  [/^只能是 MANUAL 或 IMPORT$/, 'must be MANUAL or IMPORT'],
  [/^只能用于地区 CN$/, 'goes with the region CN alone'],
  [/^必须是以逗号分隔的号码开头，如 21,1381234$/, 'must be beginnings of numbers, separated by commas, such as 21,1381234'],
  [/^与今天相距不能超过 (\d+) 天$/, 'must be within $1 days of today'],
  [/^重复出现，只能给一个值$/, 'stands more than once'],
  [/^重复：(.+)$/, 'has the same more than once: $1'],
  [/^必须为文件「(.+)」给出唯一的位置$/, 'must give the file $1 one place'],
  [/^「(.+)」处的变量必须为 null$/, 'must have null at $1'],
  [/^与前面的 key 重复$|^与前面的变量重名$/, 'repeats an earlier one'],
  [/^是空文件$/, 'is an empty file'],
  [/^只有表头，没有数据行$/, 'has a header and no rows'],
  [/^只能上传一个文件$/, 'must be one file'],
  [/^指定的列「(.+)」不在表头中$/, 'names a column that the header lacks: $1'],
  [/^列名「(.+)」重复$/, 'has the column $1 twice'],
  [/^最多 (\d+) 行数据$/, 'must have at most $1 rows'],
  [/^最多 (\d+) 列$/, 'must have at most $1 columns'],
  [/^表头中没有号码列，.+$/, 'has no column of numbers: name it phoneNumber, phone or mobile, or give mapping'],
  [/^不是可能的号码或号段，至少 (\d+) 位数字$/, 'is no possible number or prefix: at least $1 digits'],
  [/^没有表头，也不能确定.+$/, 'has no header, and several columns or none of numbers: give mapping'],
  [/^第 (\d+) 行不存在，或是空行$/, 'names the row $1, which is blank or not there'],
  [/^第 (\d+) 行开始的引号没有闭合$/, 'has a quote on line $1 that nothing closes'],
  [/^文件中没有列「(.+)」$/, 'names a column that the file lacks: $1'],
  [/^是旧版 Excel 工作簿.*$/, 'is an old Excel workbook (.xls), or an encrypted one: save it as XLSX or CSV'],
  [/^是网页.+$/, 'is a web page (HTML), as some programs write .xls files: save it as XLSX or CSV'],
  [/^是 ?XML 表格.+$/, 'is a spreadsheet in XML: save it as XLSX or CSV'],
  [/^工作簿中没有名为「(.*)」的工作表$/, 'has no sheet called $1'],
  [/^不支持的国家或地区代码「(.+)」$/, 'is no country that is known: $1'],
];

/** Language of texts for users. */
export type Language = 'zh' | 'en';

/** Most characters of a header or connection parameter that are parsed. */
const MAX_ACCEPTED_LENGTH = 200;

/**
 * Language for a client's messages, by its `Accept-Language`: Chinese unless English is preferred.
 *
 * Source: RFC 9110 12.5.4
 */
export function languageOf(accepted: unknown): Language {
  if (typeof accepted !== 'string') return 'zh';
  const ranges = accepted.slice(0, MAX_ACCEPTED_LENGTH).toLowerCase().split(',').map(rangeOf);
  const [first] = ranges.filter(({ of, weight }) => (of === 'zh' || of === 'en') && weight > 0).sort((a, b) => b.weight - a.weight);
  return first?.of === 'en' ? 'en' : 'zh';
}

function rangeOf(text: string): { of: string; weight: number } {
  const [, of = '', weight = '1'] = /^\s*([a-z]+)(?:-[\w-]*)?\s*(?:;\s*q=([\d.]+))?\s*$/.exec(text) ?? [];
  return { of, weight: Number(weight) };
}

interface Failure {
  code: string;
  reason?: string | undefined;
  field?: string | undefined;
  /** In Chinese. */
  message?: string;
  faults?: readonly InputFault[];
}

/** English message: the schema's description of the cause or, for an argument, its faults. Unlike the Chinese one it names no rows. */
export function englishOf(schema: GraphQLSchema, { code, reason, field, message = '', faults = [] }: Failure): string {
  if (code === 'INVALID_ARGUMENT' && field !== undefined) {
    const named = faults.length > 0 ? faults : [{ field, problem: message.slice(invalidArgument(field, '').message.length) }];
    return `${faultsIn('en', named)
      .map(fault => `${fault.field} ${fault.problem}`)
      .join('; ')}.`;
  }
  return descriptionOf(schema, 'RefusalReason', reason ?? code) ?? descriptionOf(schema, 'ErrorCode', code) ?? code;
}

/** Faults of an input in the language of the client. */
export function faultsIn(language: Language, faults: readonly InputFault[]): readonly InputFault[] {
  return language === 'zh' ? faults : faults.map(({ field, problem }) => ({ field, problem: problemInEnglish(problem) }));
}

function descriptionOf(schema: GraphQLSchema, name: string, value: string): string | null {
  const type = schema.getType(name);
  return (isEnumType(type) && type.getValue(value)?.description) || null;
}
