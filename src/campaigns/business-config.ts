import { z } from 'zod';
import { MAX_MONITORING_PRIORITY } from './decisions/campaign-bounds.ts';
import { boundedJson } from '#kernel/fields.ts';

export const MONITORING_MODES = ['strict', 'elastic', 'unattended'] as const;
const MAX_VARIABLES = 200;
const MAX_VARIABLE_NAME_LENGTH = 128;
const MAX_VARIABLE_LENGTH = 4_000;
/** Limit of the input before members that are not strings are dropped, in characters of JSON. */
const MAX_RAW_VARIABLES_LENGTH = 2 * 1024 * 1024;
/** Source: D5.4 */
const MAX_INTENT_KEYWORDS = 200;
const MAX_KEYWORD_LENGTH = 64;
/** Limit of the input before blanks and duplicates are dropped. */
const MAX_RAW_KEYWORDS = 10 * MAX_INTENT_KEYWORDS;

/** Members that are not strings are dropped: variables are injected as text only. Source: OCS 2.6 */
const variables = boundedJson(z.record(z.string().max(MAX_VARIABLE_NAME_LENGTH), z.json()), MAX_RAW_VARIABLES_LENGTH)
  .transform(members => Object.fromEntries(Object.entries(members).filter(isText)))
  .refine(members => Object.keys(members).length <= MAX_VARIABLES, `最多 ${MAX_VARIABLES} 个变量`)
  .refine(
    members => Object.values(members).every(value => value.length <= MAX_VARIABLE_LENGTH),
    `变量的值不能超过 ${MAX_VARIABLE_LENGTH} 个字符`,
  );

const intentKeywords = z
  .array(z.string().trim().max(MAX_KEYWORD_LENGTH))
  .max(MAX_RAW_KEYWORDS)
  .transform(words => [...new Set(words.filter(word => word !== ''))])
  .refine(words => words.length <= MAX_INTENT_KEYWORDS, `最多 ${MAX_INTENT_KEYWORDS} 个关键词`);

/** Source: OCS 2.6, D5.4 */
export const businessConfigInput = z.strictObject({
  variables: variables.exactOptional(),
  intentKeywords: intentKeywords.exactOptional(),
  monitoringMode: z.enum(MONITORING_MODES).exactOptional(),
  monitoringPriority: z.int().min(0).max(MAX_MONITORING_PRIORITY).exactOptional(),
});

/** The stored and returned form. */
export const businessConfig = z.object({
  variables: z.record(z.string(), z.string()).exactOptional(),
  intentKeywords: z.array(z.string()).exactOptional(),
  monitoringMode: z.enum(MONITORING_MODES).exactOptional(),
  monitoringPriority: z.int().exactOptional(),
});

export type MonitoringMode = (typeof MONITORING_MODES)[number];
export type BusinessConfig = z.output<typeof businessConfig>;

function isText(member: [string, unknown]): member is [string, string] {
  return typeof member[1] === 'string';
}
