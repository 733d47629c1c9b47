import { useMutation } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { type Bulk, type LeftRow, type ReportProgress } from '../../table/use-bulk.ts';
import { formatCount } from '../../text/format.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { NeverCallManyDocument } from './never-call.generated.ts';

/** Numbers per command. */
const CHUNK = 100;
const MAX_REASON = 500;

/** Puts the numbers of the selected rows on the do-not-call list, so that no campaign dials them. */
export function DoNotCallButton({ numbers, bulk }: { numbers: readonly string[]; bulk: Bulk }) {
  const { t } = useTranslation();
  const [add] = useMutation(NeverCallManyDocument, { fetchPolicy: 'no-cache' });
  const distinct = [...new Set(numbers)];

  async function run(reason: string, report: ReportProgress) {
    const left: LeftRow[] = [];
    for (let from = 0; from < distinct.length; from += CHUNK) {
      const piece = distinct.slice(from, from + CHUNK);
      const inputs = piece.map(phoneNumber => ({ phoneNumber, ...(reason && { reason }) }));
      const outcomes = (await add({ variables: { inputs } })).data?.outcomes ?? [];
      for (const [index, name] of piece.entries()) {
        const outcome = outcomes[index];
        if (outcome?.code) left.push({ name, why: outcome.message ?? outcome.code });
      }
      report(from + piece.length);
    }
    return { done: distinct.length - left.length, left: left.length, reasons: left };
  }

  return (
    <ConfirmButton
      size="xs"
      variant="default"
      reason={useDisabledReason('compliance:write')}
      title={t('bulk.doNotCallTitle', { count: distinct.length, shown: formatCount(distinct.length) })}
      warning={t('bulk.doNotCallLoses')}
      input={{ label: t('bulk.doNotCallReason'), maxLength: MAX_REASON }}
      act={reason => bulk.run(report => run(reason, report))}
    >
      {t('bulk.doNotCall')}
    </ConfirmButton>
  );
}
