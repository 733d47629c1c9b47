import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallRowFragment } from './call-row.generated.ts';

/** Who ended a call: the user by name, else which party. Null: nobody knows. */
export function useWhoHungUp(): (call: Pick<CallRowFragment, 'hangupBy' | 'userHangup'>) => string | null {
  const { t } = useTranslation();
  return useCallback(({ hangupBy, userHangup }) => userHangup?.by ?? (hangupBy && t(`hangupBy.${hangupBy}`)), [t]);
}
