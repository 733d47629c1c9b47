import { z } from 'zod';
import { NLU_LIMITS } from './limits.ts';

/** Every accepted `action`, in the order of the capability listing. Source: NLU §4 */
export const NLU_ACTIONS = ['decision', 'extract'] as const;

export type NluAction = (typeof NLU_ACTIONS)[number];

/** Header of the internal token. Source: NLU §5 */
export const NLU_TOKEN_HEADER = 'x-callout-internal-token';

export const utteranceText = z
  .string({ error: issue => (issue.input === undefined ? '不能缺少' : '必须是字符串') })
  .refine(isShortEnough, `不能超过 ${NLU_LIMITS.maxTextChars} 个字符`);

/** Omitted or null selects the action's default profile [D13.1]. */
export const profileName = z.string({ error: '必须是字符串' }).nullish();

/** A required, non-blank name inside a list item. */
export const itemKey = z
  .string({ error: issue => (issue.input === undefined ? '不能缺少' : '必须是字符串') })
  .refine(key => key.trim() !== '', '不能为空');

export const itemText = z.string({ error: issue => (issue.input === undefined ? '不能缺少' : '必须是字符串') });

export const itemObject = { error: '必须是对象' } as const;

/** A list of 1..64 items whose keys differ [D13.4]. */
export function keyedList<Item extends z.ZodType<{ key: string }>>(item: Item) {
  return z
    .array(item, { error: issue => (issue.input === undefined ? '不能缺少' : '必须是数组') })
    .min(1, '不能为空')
    .max(NLU_LIMITS.maxItems, `不能超过 ${NLU_LIMITS.maxItems} 项`)
    .superRefine((items, context) => {
      const seen = new Set<string>();
      items.forEach((entry, index) => {
        if (seen.has(entry.key)) context.addIssue({ code: 'custom', path: [index, 'key'], message: '与前面的 key 重复' });
        seen.add(entry.key);
      });
    });
}

/** Counts characters, not UTF-16 units, but only when the cheap bound does not decide. */
function isShortEnough(text: string): boolean {
  if (text.length <= NLU_LIMITS.maxTextChars) return true;
  if (text.length > 2 * NLU_LIMITS.maxTextChars) return false;
  return Array.from(text).length <= NLU_LIMITS.maxTextChars;
}
