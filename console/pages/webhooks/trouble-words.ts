import { useTranslation } from 'react-i18next';

/** What went wrong with a delivery, for readers: the server has a code, an HTTP status or the words of a robot. */
export function useTroubleWords(): (error: string) => string {
  const { t, i18n } = useTranslation();
  return error => (i18n.exists(`webhookTrouble.${error}`) ? t(`webhookTrouble.${error}`) : error);
}
