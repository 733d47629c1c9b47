import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { notDialledKey } from './not-dialled-key.ts';
import { useServerWords } from './server-words.ts';
import { currentLanguage } from './text.ts';

interface Why {
  reason: string;
  detail: string | null;
  message: string;
  rule: { row: number | null; version: number; author: string | null; isBudgetSpent: boolean } | null;
}

/** Why a contact is not dialled, with the outcome rule that decided so; the server's own words, which are Chinese, name it already. */
export function useNotDialledWords(): (why: Why) => string {
  const { t } = useTranslation();
  const words = useServerWords();
  return useCallback(
    ({ rule, message, ...why }) => {
      const text = words(notDialledKey(why), message);
      if (rule === null || currentLanguage() === 'zh') return text;
      const { row, version, author, isBudgetSpent } = rule;
      const by = t(row === null ? 'notDialledRule.otherwise' : 'notDialledRule.row', { row: (row ?? 0) + 1, version });
      return [text, by, isBudgetSpent && t('notDialledRule.spent'), author].filter(Boolean).join(' · ');
    },
    [t, words],
  );
}
