import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../text/format.ts';
import type { PreviewOutcomeRulesQuery } from './outcome-rules.generated.ts';

export type Preview = NonNullable<PreviewOutcomeRulesQuery['preview']>;

/** Effect that the rules would have had in the last days, in sentences. */
export function RulePreview({ preview }: { preview: Preview }) {
  const { t } = useTranslation();
  const { from, attempts, contacts, dialsSaved, reachedLost, triedAgain, reachedMore } = preview;
  if (from === null) return <Alert title={t('outcomeRules.preview')}>{t('outcomeRules.previewEmpty')}</Alert>;
  const counted = (key: string, count: number) => t(count === 0 ? `outcomeRules.${key}None` : `outcomeRules.${key}`, { count });
  return (
    <Alert title={t('outcomeRules.preview')} role="status" my="sm">
      <div>{t('outcomeRules.previewOf', { at: formatDateTime(from), attempts, contacts })}</div>
      <div>
        {counted('previewSaved', dialsSaved)} {dialsSaved > 0 && counted('previewLost', reachedLost)}
      </div>
      <div>
        {counted('previewAgain', triedAgain)} {triedAgain > 0 && counted('previewMore', reachedMore)}
      </div>
    </Alert>
  );
}
