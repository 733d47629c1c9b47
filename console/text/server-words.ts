import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from './text.ts';

/**
 * Translates a Chinese message of the server: in Chinese the server's own words, which name rows and figures, else the console's text of
 * the key.
 *
 * Shape: `values` fill the placeholders of the console's text; `key` of the texts, such as `campaignPhase.WAITING_SLOT`
 */
export function useServerWords(): (key: string, chinese: string | null, values?: Record<string, unknown>) => string {
  const { t } = useTranslation();
  return useCallback((key, chinese, values = {}) => (currentLanguage() === 'zh' && chinese ? chinese : t(key, values)), [t]);
}
