import { useTranslation } from 'react-i18next';
import type { CallRowFragment } from './call-row.generated.ts';

/** As the runtime names a call that it handed over where no rule of the script fits. */
const TRANSFERRED = 'transfer';

/** The script's class of a call and what it stands for: the intent that the same rule gives. */
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
