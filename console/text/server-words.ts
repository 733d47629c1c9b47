import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from './text.ts';

/**
 * What the server says in Chinese, in the reader's language: its own words, which name rows and figures, or what the console knows of the key.
 *
 * Shape: `values` are what the console's words name; `key` of the texts, such as `campaignPhase.WAITING_SLOT`
 */
export function useServerWords(): (key: string, chinese: string | null, values?: Record<string, unknown>) => string {
  const { t } = useTranslation();
  return useCallback((key, chinese, values) => (currentLanguage() === 'zh' && chinese ? chinese : t(key, values)), [t]);
}
