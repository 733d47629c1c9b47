import { useTranslation } from 'react-i18next';

/** Translates the error code of a delivery; an HTTP status or the message of a robot is shown as it is. */
export function useTroubleWords(): (error: string) => string {
  const { t, i18n } = useTranslation();
  return error => (i18n.exists(`webhookTrouble.${error}`) ? t(`webhookTrouble.${error}`) : error);
}
