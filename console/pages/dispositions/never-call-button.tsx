import type { ButtonProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { useMe } from '../../api/me.ts';
import { useCommands } from '../../form/use-commands.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { sayDone } from '../../ui/toast.ts';
import { ListCallDocument } from './dispositions.generated.ts';

const MAX_REASON = 500;

interface NeverCallProps extends Pick<ButtonProps, 'size' | 'variant' | 'color'> {
  /** `attempt:<attemptId>` or `request:<requestId>`. */
  callKey: string;
  number: string;
  /** Why the user may not do it; null when they may. */
  reason?: string | null;
}

/** Puts the number of a call on the do-not-call list: an agent who hears the wish may note it, without a right to the rest of the list. */
export function NeverCallOfCallButton({ callKey, number, reason = null, ...look }: NeverCallProps) {
  const { t } = useTranslation();
  const { run } = useCommands();
  async function act(why: string): Promise<string | null> {
    const result = await run(ListCallDocument, { callKey, reason: why || null });
    if (isRefusal(result)) return result.message;
    sayDone(t('person.added', { number: formatPhone(number) }));
    return null;
  }
  return (
    <ConfirmButton
      {...look}
      act={act}
      reason={reason}
      title={t('person.addTitle', { number: formatPhone(number) })}
      warning={t('person.addLoses')}
      input={{ label: t('person.why'), example: t('person.whyExample'), maxLength: MAX_REASON }}
    >
      {t('person.add')}
    </ConfirmButton>
  );
}

/** Why the user may not list the number of a call; null when they may. `mayDispose`: as the server says of the call. */
export function useListingDisabledReason(mayDispose: boolean): string | null {
  const { t } = useTranslation();
  const { may } = useMe();
  return mayDispose || may('compliance:write') !== false ? null : t('dispositions.notOwnCall');
}
