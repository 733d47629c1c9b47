import { useTranslation } from 'react-i18next';

/** A text that the server has in both languages, in the one of the page. */
export function useWords(): (words: { zh: string; en: string }) => string {
  const { i18n } = useTranslation();
  return ({ zh, en }) => (i18n.language.startsWith('zh') ? zh : en);
}
