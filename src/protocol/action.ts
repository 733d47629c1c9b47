/** Every accepted `action`, in the order of the capability listing. Source: NLU §4 */
export const NLU_ACTIONS = ['decision', 'extract'] as const;

export type NluAction = (typeof NLU_ACTIONS)[number];

/** Header of the internal token. Source: NLU §5 */
export const NLU_TOKEN_HEADER = 'x-callout-internal-token';
