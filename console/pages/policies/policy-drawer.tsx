import { useMutation, useQuery } from '@apollo/client/react';
import { Alert, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/notice.tsx';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useWords } from '../rule-packs/use-words.ts';
import {
  CreatePolicyDocument,
  type CreatePolicyMutationVariables,
  PoliciesDocument,
  PolicyToEditDocument,
  UpdatePolicyDocument,
} from './policies.generated.ts';
import { PolicyForm } from './policy-form.tsx';
import { POLICY_KINDS } from './policy-kinds.tsx';
import { EMPTY, type PolicyValues, valuesOf } from './policy-values.ts';

interface PolicyDrawerProps {
  /** Row id, `new`, or null when closed. */
  id: string | null;
  /** Undefined for a new one, and while it is not known. */
  name: string | undefined;
  close: () => void;
  disabledReason: string | null;
}

/** One policy beside the list: to read, to change or to create. */
export function PolicyDrawer({ id, name, close, disabledReason }: PolicyDrawerProps) {
  const { t } = useTranslation();
  const isNew = id === 'new';
  return (
    <SideDrawer isOpen={id !== null} close={close} title={isNew ? t('policies.make') : (name ?? t('policies.one'))} size="lg">
      {isNew && <NewPolicy close={close} />}
      {id !== null && !isNew && <KnownPolicy key={id} id={id} close={close} disabledReason={disabledReason} />}
    </SideDrawer>
  );
}

function NewPolicy({ close }: Pick<PolicyDrawerProps, 'close'>) {
  const { t } = useTranslation();
  const [create] = useMutation(CreatePolicyDocument, { refetchQueries: [PoliciesDocument] });
  return (
    <PolicyForm
      initial={EMPTY}
      action={t('policies.create')}
      cancel={close}
      disabledReason={null}
      send={async values => (await create({ variables: { input: inputOf(values) } })).data?.result}
      done={({ name }) => {
        sayDone(t('policies.created', { name }));
        close();
      }}
    />
  );
}

function KnownPolicy({ id, close, disabledReason }: Omit<PolicyDrawerProps, 'name'> & { id: string }) {
  const { t } = useTranslation();
  // Not cached: its lists are long, and the cache holds the rows of the list without them.
  const { data, error } = useQuery(PolicyToEditDocument, { variables: { id }, fetchPolicy: 'no-cache' });
  const [update] = useMutation(UpdatePolicyDocument);
  const words = useWords();
  if (error) return <Notice error={error} />;
  if (!data) return <Skeleton height={320} />;
  if (!data.policy) return <span className="quiet">{t('policies.gone')}</span>;
  const initial: PolicyValues = valuesOf(data.policy);
  const { rule } = data.policy;
  return (
    <>
      {rule && (
        <Alert color="gray" mb="md" title={words(rule.source)}>
          {words(rule.text)} {t('policies.locked')}
        </Alert>
      )}
      <PolicyForm
        initial={initial}
        action={t('policies.save')}
        cancel={close}
        disabledReason={rule ? t('policies.locked') : disabledReason}
        send={async values => (await update({ variables: { id, input: inputOf(values) } })).data?.result}
        done={({ name }) => {
          sayDone(t('policies.saved', { name }));
          close();
        }}
      />
    </>
  );
}

function inputOf(values: PolicyValues): CreatePolicyMutationVariables['input'] {
  const { name, scope, campaignId, priority, isEnabled } = values;
  return {
    name: name.trim(),
    scope,
    campaignId: scope === 'CAMPAIGN' ? campaignId || null : null,
    priority: priority === '' ? null : priority,
    isEnabled,
    settings: POLICY_KINDS[values.type].input(values),
  };
}
