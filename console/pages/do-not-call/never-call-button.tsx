import { useMutation } from '@apollo/client/react';
import type { ButtonProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { RefusedError } from '../../api/refused-error.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { CallAgainDocument, NeverCallDocument } from './never-call.generated.ts';

const MAX_REASON = 500;

const READ_AGAIN = { refetchQueries: 'active', awaitRefetchQueries: true } as const;

interface NeverCallProps extends Pick<ButtonProps, 'variant' | 'color'> {
  number: string;
}

/**
 * Puts a number on the do-not-call list and reloads what the page shows of it, including contacts that waited for the entry. It can be
 * undone for a moment.
 */
export function NeverCallButton({ number, ...look }: NeverCallProps) {
  const { t } = useTranslation();
  const lacks = useDisabledReason('compliance:write');
  const [add] = useMutation(NeverCallDocument, READ_AGAIN);
  const [remove] = useMutation(CallAgainDocument, READ_AGAIN);
  async function act(why: string): Promise<string | null> {
    const { data } = await add({ variables: { input: { phoneNumber: number, reason: why || null } } });
    const entry = data?.result;
    if (isRefusal(entry)) return entry.message;
    sayDone(t('person.added', { number: formatPhone(number) }), entry ? () => undo(entry.databaseId) : undefined);
    return null;
  }
  async function undo(id: string): Promise<string> {
    const { data } = await remove({ variables: { id } });
    if (isRefusal(data?.result)) throw new RefusedError(data.result.message);
    return t('person.removed', { number: formatPhone(number) });
  }
  return (
    <ConfirmButton
      {...look}
      act={act}
      reason={lacks}
      title={t('person.addTitle', { number: formatPhone(number) })}
      warning={t('person.addLoses')}
      input={{ label: t('person.why'), example: t('person.whyExample'), maxLength: MAX_REASON }}
    >
      {t('person.add')}
    </ConfirmButton>
  );
}
