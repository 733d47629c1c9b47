import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/**
 * Describes a validation issue in Chinese; covers every issue code of zod. A message that the schema itself defines takes precedence.
 *
 * Shape:  follows the field's name, `不能为空`
 * Source: D2.1
 */
export function describeFault(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.input, issue.expected);
    case 'too_small':
      return describeTooSmall(issue);
    case 'too_big':
      return `${SIZE_SUBJECT[issue.origin] ?? ''}不能${issue.inclusive === false ? '大于或等于' : '超过'} ${issue.maximum}${SIZE_UNIT[issue.origin] ?? ''}`;
    case 'invalid_format':
      return `格式不正确${FORMATS[issue.format] ?? ''}`;
    case 'not_multiple_of':
      return `必须是 ${issue.divisor} 的倍数`;
    case 'unrecognized_keys':
      return `含有不支持的字段 ${describeKeys(issue.keys)}`;
    case 'invalid_value':
      return issue.input === undefined ? '不能为空' : describeChoice(issue.values.map(String));
    case 'invalid_union':
      return issue.input === undefined ? '不能为空' : '取值不合法';
    case 'invalid_key':
      return '含有不合法的键';
    case 'invalid_element':
      return '含有不合法的元素';
    case 'custom':
      return '不合法';
    default:
      return '不合法';
  }
}

/** Bounds on the keys quoted in a message: the client chooses their number and length. */
const MAX_KEYS_TOLD = 5;
const MAX_KEY_LENGTH = 64;

function describeKeys(keys: readonly string[]): string {
  const told = keys
    .slice(0, MAX_KEYS_TOLD)
    .map(key => (key.length > MAX_KEY_LENGTH ? `${key.slice(0, MAX_KEY_LENGTH).toWellFormed()}…` : key));
  return told.join('、') + (keys.length > told.length ? '…' : '');
}

/** Leaves out the empty text: in a filter it means "none" and is not a choice to offer. */
function describeChoice(values: readonly string[]): string {
  const told = values.filter(value => value !== '');
  return `必须是 ${told.join('、')}${told.length > 1 ? ' 之一' : ''}`;
}

function describeType(input: unknown, expected: string): string {
  if (input === undefined || input === null) return '不能为空';
  return `必须是${TYPES[expected] ?? `类型 ${expected}`}`;
}

function describeTooSmall(issue: Extract<Issue, { code: 'too_small' }>): string {
  if ((issue.origin === 'string' || issue.origin === 'array') && Number(issue.minimum) === 1) return '不能为空';
  const relation = issue.inclusive === false ? '必须大于' : '不能小于';
  return `${SIZE_SUBJECT[issue.origin] ?? ''}${relation} ${issue.minimum}${SIZE_UNIT[issue.origin] ?? ''}`;
}

const TYPES: Record<string, string> = {
  string: '字符串',
  number: '数字',
  int: '整数',
  boolean: '布尔值',
  object: '对象',
  record: '对象',
  array: '数组',
  null: ' null',
  date: '时间',
};

const SIZE_SUBJECT: Record<string, string> = { string: '长度', array: '元素个数', set: '元素个数', map: '元素个数', object: '字段个数' };
const SIZE_UNIT: Record<string, string> = { string: ' 个字符', array: ' 个', set: ' 个', map: ' 个', object: ' 个' };

const FORMATS: Record<string, string> = {
  uuid: '，应为 UUID',
  datetime: '，应为 ISO 8601 时间',
  date: '，应为 YYYY-MM-DD 日期',
  time: '，应为时间',
  url: '，应为网址',
  email: '，应为邮箱地址',
  ipv4: '，应为 IPv4 地址',
  json_string: '，应为 JSON',
};

/** `['contacts', 3, 'phoneNumber']` → `contacts[3].phoneNumber`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}
