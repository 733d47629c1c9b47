import { useQuery } from '@apollo/client/react';
import { Group, NumberInput, SegmentedControl, Skeleton, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { Form } from '../../form/form.tsx';
import { useCommands } from '../../form/use-commands.ts';
import { type Form as FormState, useForm } from '../../form/use-form.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { SecretModal } from '../webhooks/secret-modal.tsx';
import { type HookPartsFragment, PreDialHookDocument, RemovePreDialHookDocument, SetPreDialHookDocument } from './pre-dial.generated.ts';

const CHOICES = ['REFUSE', 'ALLOW'] as const;

interface HookValues {
  url: string;
  onFailure: (typeof CHOICES)[number];
  cacheSeconds: number | '';
}

function valuesOf(hook: HookPartsFragment | null): HookValues {
  const { url = '', onFailure = 'REFUSE', cacheSeconds = 60 } = hook ?? {};
  return { url, onFailure, cacheSeconds };
}

/** Settings of the campaign's pre-dial hook. */
export function PreDialHook({ campaignId }: { campaignId: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(PreDialHookDocument, { variables: { campaignId } });
  const [secret, setSecret] = useState<string | null>(null);
  if (!data) return error ? <Notice error={error} /> : <Skeleton height={160} />;
  const hook = data.preDialHook ?? null;
  return (
    <section className="sheet" style={{ padding: '14px 18px', marginTop: 16 }} aria-label={t('preDial.title')}>
      <Title order={2} mb="xs">
        {t('preDial.title')}
      </Title>
      <Text className="quiet" mb="sm">
        {t('preDial.about')}
      </Text>
      <HookForm
        key={hook?.updatedAt ?? 'none'}
        campaignId={campaignId}
        hook={hook}
        changed={told => {
          setSecret(told);
          void refetch();
        }}
      />
      <SecretModal secret={secret} close={() => setSecret(null)} />
    </section>
  );
}

interface HookFormProps {
  campaignId: string;
  hook: HookPartsFragment | null;
  /** A secret that was made. */
  changed: (secret: string | null) => void;
}

function HookForm({ campaignId, hook, changed }: HookFormProps) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const disabledReason = useDisabledReason('campaign:write');
  const form = useForm({
    initial: valuesOf(hook),
    send: (values: HookValues) =>
      run(SetPreDialHookDocument, {
        campaignId,
        input: { ...values, cacheSeconds: values.cacheSeconds === '' ? null : values.cacheSeconds },
      }),
    done: result => {
      sayDone(t('preDial.saved'));
      changed('secret' in result ? (result.secret ?? null) : null);
    },
  });
  async function remove(): Promise<string | null> {
    const result = await run(RemovePreDialHookDocument, { campaignId });
    if (isRefusal(result)) return result.message;
    sayDone(t('preDial.removed'));
    changed(null);
    return null;
  }
  return (
    <>
      <Form form={form} action={t('preDial.save')} disabledReason={disabledReason}>
        <HookFields form={form} isFixed={disabledReason !== null} />
      </Form>
      {hook && (
        <Group mt="sm">
          <ConfirmButton
            variant="default"
            act={remove}
            reason={disabledReason}
            title={t('preDial.removeAsks')}
            warning={t('preDial.removeMeans')}
          >
            {t('preDial.remove')}
          </ConfirmButton>
        </Group>
      )}
    </>
  );
}

function HookFields({ form: { values, set, errorOf }, isFixed }: { form: FormState<HookValues>; isFixed: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('preDial.url')}
        description={t('preDial.urlAbout')}
        error={errorOf('url')}
        disabled={isFixed}
        required={!isFixed}
        maxLength={2_000}
        autoComplete="off"
        value={values.url}
        onChange={event => set({ url: event.currentTarget.value })}
      />
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t('preDial.onFailure')}
        </Text>
        <SegmentedControl
          aria-label={t('preDial.onFailure')}
          disabled={isFixed}
          value={values.onFailure}
          onChange={value => set({ onFailure: value })}
          data={CHOICES.map(value => ({ value, label: t(`preDialFailure.${value}`) }))}
        />
      </div>
      <NumberInput
        label={t('preDial.cacheSeconds')}
        description={t('preDial.cacheAbout')}
        error={errorOf('cacheSeconds')}
        disabled={isFixed}
        min={0}
        max={3_600}
        allowDecimal={false}
        clampBehavior="none"
        value={values.cacheSeconds}
        onChange={next => set({ cacheSeconds: typeof next === 'number' ? next : '' })}
      />
    </>
  );
}
