import { useQuery } from '@apollo/client/react';
import { NumberInput, SegmentedControl, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Form, FormPart } from '../../form/form.tsx';
import { useCommands } from '../../form/use-commands.ts';
import { type Form as FormState, useForm } from '../../form/use-form.ts';
import { Notice } from '../../ui/notice.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { DispositionTable } from './disposition-table.tsx';
import {
  BusinessDispositionsDocument,
  CampaignDispositionsDocument,
  type DispositionStatePartsFragment,
  SetBusinessDispositionsDocument,
  SetCampaignDispositionsDocument,
} from './dispositions.generated.ts';
import { inputOf, type SettingsInput, type SettingValues, valuesOf } from './setting-values.ts';

interface CampaignProps {
  campaignId: string;
  /** Why nothing can be changed, beside a missing permission; null: it can. */
  lock: string | null;
}

/** Dispositions and wrap-up of a campaign; what it has no say in comes from its business. */
export function CampaignDispositions({ campaignId, lock }: CampaignProps) {
  const { data, error, refetch } = useQuery(CampaignDispositionsDocument, { variables: { campaignId } });
  const { run } = useCommands();
  if (!data?.state) return error ? <Notice error={error} /> : <Skeleton height={300} />;
  const send = (input: SettingsInput) => run(SetCampaignDispositionsDocument, { campaignId, input });
  return <Settings key={data.state.version} state={data.state} send={send} changed={() => void refetch()} lock={lock} />;
}

/** Dispositions and wrap-up that the campaigns of a business follow. */
export function BusinessDispositions({ businessCode }: { businessCode: string }) {
  const { data, error, refetch } = useQuery(BusinessDispositionsDocument, { variables: { businessCode } });
  const { run } = useCommands();
  if (!data?.state) return error ? <Notice error={error} /> : <Skeleton height={300} />;
  const send = (input: SettingsInput) => run(SetBusinessDispositionsDocument, { businessCode, input });
  return <Settings key={data.state.version} state={data.state} send={send} changed={() => void refetch()} lock={null} />;
}

interface SettingsProps {
  state: DispositionStatePartsFragment;
  send: (input: SettingsInput) => Promise<{ __typename?: string } | null | undefined>;
  changed: () => void;
  lock: string | null;
}

function Settings({ state, send, changed, lock }: SettingsProps) {
  const { t } = useTranslation();
  const lacks = useDisabledReason('campaign:write');
  const form = useForm({
    initial: valuesOf(state),
    send: (values: SettingValues) => send(inputOf(values, state.version)),
    done: () => {
      sayDone(t('dispositions.saved'));
      changed();
    },
  });
  const disabledReason = lacks ?? lock;
  return (
    <>
      <Text mb="sm">{t(state.campaignId === null ? 'dispositions.aboutBusiness' : 'dispositions.aboutCampaign')}</Text>
      <Form form={form} action={t('dispositions.save')} disabledReason={disabledReason}>
        <TimeFields form={form} state={state} isFixed={disabledReason !== null} />
        <ListFields form={form} state={state} isFixed={disabledReason !== null} />
      </Form>
    </>
  );
}

interface FieldsProps {
  form: FormState<SettingValues>;
  state: DispositionStatePartsFragment;
  isFixed: boolean;
}

function TimeFields({ form: { values, set, errorOf }, state: { inherited, campaignId }, isFixed }: FieldsProps) {
  const { t } = useTranslation();
  const from = t(campaignId === null ? 'dispositions.ofServer' : 'dispositions.ofBusiness');
  const followed = { from, value: t(inherited.isRequired ? 'dispositions.isRequired.yes' : 'dispositions.isRequired.no') };
  return (
    <FormPart title={t('dispositions.wrapUp')}>
      <Stack gap="sm">
        <Switch
          label={t('dispositions.ownTime')}
          description={t('dispositions.follows', { from, value: t('dispositions.seconds', { count: inherited.wrapUpSeconds }) })}
          checked={values.hasOwnTime}
          disabled={isFixed}
          onChange={event => set({ hasOwnTime: event.currentTarget.checked })}
        />
        {values.hasOwnTime && (
          <NumberInput
            label={t('dispositions.wrapUpSeconds')}
            description={t('dispositions.wrapUpAbout')}
            maw={320}
            min={0}
            max={3_600}
            allowDecimal={false}
            disabled={isFixed}
            value={values.wrapUpSeconds}
            error={errorOf('wrapUpSeconds')}
            onChange={next => set({ wrapUpSeconds: typeof next === 'number' ? next : '' })}
          />
        )}
        <div>
          <Text id="disposition-required" fw={500}>
            {t('dispositions.isRequired.label')}
          </Text>
          <SegmentedControl
            aria-labelledby="disposition-required"
            disabled={isFixed}
            value={values.isRequired}
            onChange={next => set({ isRequired: next })}
            data={(['inherit', 'yes', 'no'] as const).map(value => ({ value, label: t(`dispositions.isRequired.${value}`) }))}
          />
          <Text className="quiet">
            {values.isRequired === 'inherit' ? t('dispositions.follows', followed) : t('dispositions.isRequired.about')}
          </Text>
        </div>
      </Stack>
    </FormPart>
  );
}

function ListFields({ form: { values, set, errorOf }, state: { inherited, campaignId }, isFixed }: FieldsProps) {
  const { t } = useTranslation();
  const from = t(campaignId === null ? 'dispositions.ofServer' : 'dispositions.ofBusiness');
  return (
    <FormPart title={t('dispositions.list')}>
      <Stack gap="sm">
        <Switch
          label={t('dispositions.ownList')}
          description={t('dispositions.follows', { from, value: t('dispositions.choices', { count: inherited.dispositions.length }) })}
          checked={values.hasOwnList}
          disabled={isFixed}
          onChange={event => set({ hasOwnList: event.currentTarget.checked })}
        />
        {errorOf('dispositions') !== undefined && (
          <Text role="alert" c="red">
            {errorOf('dispositions')}
          </Text>
        )}
        <DispositionTable
          rows={values.hasOwnList ? values.dispositions : inherited.dispositions}
          change={dispositions => set({ dispositions })}
          isFixed={isFixed || !values.hasOwnList}
        />
      </Stack>
    </FormPart>
  );
}
