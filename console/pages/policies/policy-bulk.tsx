import { useMutation } from '@apollo/client/react';
import { Alert } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChosenBar } from '../../table/bulk-bar.tsx';
import { ActButton } from '../../ui/act-button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { sayDone } from '../../ui/toast.ts';
import {
  DeletePoliciesDocument,
  DisablePoliciesDocument,
  EnablePoliciesDocument,
  PoliciesDocument,
  type PolicyOutcomeFragment,
  type PolicyRowFragment,
} from './policies.generated.ts';

/** Most policies that the server accepts in one command. */
const MOST_AT_ONCE = 100;

interface PolicyBulkProps {
  policies: readonly PolicyRowFragment[];
  clear: () => void;
  disabledReason: string | null;
}

/** Actions on the selected policies; a refusal names its policy. */
export function PolicyBulk({ policies, clear, disabledReason }: PolicyBulkProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<readonly string[]>([]);
  const [enable, enabling] = useMutation(EnablePoliciesDocument);
  const [disable, disabling] = useMutation(DisablePoliciesDocument);
  const [remove] = useMutation(DeletePoliciesDocument, { refetchQueries: [PoliciesDocument], awaitRefetchQueries: true });
  const ids = policies.map(({ databaseId }) => databaseId);
  const reason = disabledReason ?? (ids.length > MOST_AT_ONCE ? t('policies.tooMany', { count: MOST_AT_ONCE }) : null);

  /** Resolves to the refusals of single policies. */
  async function carryOut(run: () => Promise<{ data?: { outcomes: readonly PolicyOutcomeFragment[] | null } | undefined }>, done: string) {
    setRefused([]);
    const outcomes = (await run()).data?.outcomes ?? [];
    const nameOf = (id: string | null) => policies.find(({ databaseId }) => databaseId === id)?.name ?? '';
    const inTheWay = outcomes.filter(({ code }) => code !== null).map(({ databaseId, message }) => `${nameOf(databaseId)}: ${message}`);
    setRefused(inTheWay);
    if (inTheWay.length < outcomes.length) sayDone(t(done, { count: outcomes.length - inTheWay.length }));
    if (inTheWay.length === 0) clear();
    return inTheWay.length > 0 ? inTheWay.join('\n') : null;
  }

  const switched = (run: () => ReturnType<typeof enable>, done: string) =>
    void carryOut(run, done).catch((error: Error) => setRefused([error.message]));
  return (
    <>
      <ChosenBar count={policies.length} clear={clear}>
        <ActButton
          size="xs"
          variant="default"
          reason={reason}
          loading={enabling.loading}
          act={() => switched(() => enable({ variables: { ids } }), 'policies.enabledDone')}
        >
          {t('policies.enable')}
        </ActButton>
        <ActButton
          size="xs"
          variant="default"
          reason={reason}
          loading={disabling.loading}
          act={() => switched(() => disable({ variables: { ids } }), 'policies.disabledDone')}
        >
          {t('policies.disable')}
        </ActButton>
        <ConfirmButton
          size="xs"
          variant="light"
          color="red"
          reason={reason}
          title={t('policies.deleteTitle', { count: policies.length })}
          warning={t('policies.loses', { names: policies.map(({ name }) => name).join(t('policyWords.comma')) })}
          act={() => carryOut(() => remove({ variables: { ids } }), 'policies.deletedDone')}
        >
          {t('policies.delete')}
        </ConfirmButton>
      </ChosenBar>
      {refused.length > 0 && (
        <Alert color="red" role="alert" mb="sm">
          {refused.map(line => (
            <div key={line}>{line}</div>
          ))}
        </Alert>
      )}
    </>
  );
}
