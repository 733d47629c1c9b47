import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallRowFragment } from './call-row.generated.ts';

/** The party that hung up, by name for a user. Null when unknown. */
export function useWhoHungUp(): (call: Pick<CallRowFragment, 'hangupBy' | 'userHangup'>) => string | null {
  const { t } = useTranslation();
  return useCallback(({ hangupBy, userHangup }) => userHangup?.by ?? (hangupBy && t(`hangupBy.${hangupBy}`)), [t]);
}
