import { useTranslation } from 'react-i18next';
import type { CallRowFragment } from './call-row.generated.ts';

/** Class that the runtime gives to a transferred call when no result rule of the script matches. */
const TRANSFERRED = 'transfer';

/** The script's class of a call, and the intent that the same result rule assigns. */
export function CallClass({ classification, intent }: Pick<CallRowFragment, 'classification' | 'intent'>) {
  const { t } = useTranslation();
  if (!classification) return intent;
  const name = classification === TRANSFERRED ? t('calls.transferred') : classification;
  const shown = name.length === 1 ? t('calls.ofClass', { name }) : name;
  return (
    <>
      {shown}
      {intent && <span className="quiet"> · {intent}</span>}
    </>
  );
}
