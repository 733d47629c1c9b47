import { useMutation } from '@apollo/client/react';
import type { ButtonProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ConfirmButton } from './confirm-button.tsx';
import { NeverCallDocument } from './never-call.generated.ts';
import { isRefusal } from './refusal.ts';
import { sayDone } from './toast.ts';
import { useMayOrWhy } from './use-may-or-why.ts';

const MAX_REASON = 500;

interface NeverCallProps extends Pick<ButtonProps, 'variant' | 'color'> {
  number: string;
  /** Whether it stands there already. */
  isListed?: boolean;
}

/** Puts a number on the do-not-call list; whatever is shown of it is read anew: contacts that wait for the entry, too. */
export function NeverCallButton({ number, isListed = false, ...look }: NeverCallProps) {
  const { t } = useTranslation();
  const lacks = useMayOrWhy('compliance:write');
  const [add] = useMutation(NeverCallDocument, { refetchQueries: 'active', awaitRefetchQueries: true });
  async function act(why: string): Promise<string | null> {
    const { data } = await add({ variables: { input: { phoneNumber: number, reason: why || null } } });
    if (isRefusal(data?.result)) return data.result.message;
    sayDone(t('person.added', { number }));
    return null;
  }
  return (
    <ConfirmButton
      {...look}
      act={act}
      reason={lacks ?? (isListed ? t('person.isListed') : null)}
      title={t('person.addTitle', { number })}
      loses={t('person.addLoses')}
      asks={{ label: t('person.why'), example: t('person.whyExample'), maxLength: MAX_REASON }}
    >
      {t('person.add')}
    </ConfirmButton>
  );
}
