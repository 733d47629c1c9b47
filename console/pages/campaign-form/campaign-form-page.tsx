import { useMutation, useQuery } from '@apollo/client/react';
import {
  Alert,
  Button,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Skeleton,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { Notice } from '../../parts/notice.tsx';
import {
  CampaignFormChoicesDocument,
  CampaignToEditDocument,
  CreateCampaignDocument,
  UpdateCampaignDocument,
} from './campaign-form.generated.ts';
import styles from './campaign-form.module.css';
import { EMPTY, type FormValues, inputOf, valuesOf } from './form-values.ts';

/** A campaign to be made, or changed when the address names one. */
export function CampaignFormPage() {
  const { id } = useParams();
  const { data, error } = useQuery(CampaignToEditDocument, { variables: { id: id ?? '' }, skip: !id, fetchPolicy: 'network-only' });
  if (!id) return <CampaignForm id={null} initial={EMPTY} />;
  if (error) return <Notice error={error} />;
  return data?.campaign ? <CampaignForm id={id} initial={valuesOf(data.campaign)} /> : <Skeleton height={400} />;
}

/** What the server said of a field, or of the whole. */
interface Refused {
  message: string;
  byField: Readonly<Record<string, string>>;
}

function CampaignForm({ id, initial }: { id: string | null; initial: FormValues }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [values, setValues] = useState(initial);
  const [refused, setRefused] = useState<Refused | null>(null);
  const { data: choices } = useQuery(CampaignFormChoicesDocument);
  const [create, creating] = useMutation(CreateCampaignDocument);
  const [update, updating] = useMutation(UpdateCampaignDocument);
  const set = (change: Partial<FormValues>) => setValues(before => ({ ...before, ...change }));
  const errorOf = (field: keyof FormValues) => refused?.byField[field];

  async function submit(event: FormEvent) {
    event.preventDefault();
    setRefused(null);
    try {
      const input = inputOf(values);
      const { data } = id ? await update({ variables: { id, input } }) : await create({ variables: { input } });
      const result = data?.result;
      if (result?.__typename === 'Campaign') await navigate(`/campaigns/${result.databaseId}`);
      else if (result && 'message' in result) setRefused(refusedOf(result));
    } catch (error) {
      setRefused({ message: error instanceof Error ? error.message : String(error), byField: {} });
    }
  }

  const text = (field: 'name' | 'workdayStart' | 'workdayEnd' | 'scheduledStartAt' | 'scheduledEndAt', type = 'text') => (
    <TextInput
      type={type}
      label={t(`campaignForm.${field}`)}
      value={values[field]}
      error={errorOf(field)}
      onChange={event => set({ [field]: event.currentTarget.value })}
    />
  );
  const number = (field: 'maxConcurrency' | 'maxRetries' | 'retryIntervalSeconds' | 'callIntervalMs', max: number) => (
    <NumberInput
      label={t(`campaignForm.${field}`)}
      description={t(`campaignForm.about.${field}`)}
      min={field === 'maxConcurrency' ? 1 : 0}
      max={max}
      allowDecimal={false}
      value={values[field]}
      error={errorOf(field)}
      onChange={value => set({ [field]: typeof value === 'number' ? value : '' })}
    />
  );
  return (
    <form onSubmit={event => void submit(event)} className={styles.form}>
      <Title order={1}>{id ? values.name || t('pages.editCampaign') : t('pages.newCampaign')}</Title>
      {refused && Object.keys(refused.byField).length === 0 && (
        <Alert color="red" role="alert">
          {refused.message}
        </Alert>
      )}
      <Part title={t('campaignForm.what')}>
        <TextInput
          label={t('campaignForm.name')}
          required
          maxLength={128}
          value={values.name}
          error={errorOf('name')}
          onChange={event => set({ name: event.currentTarget.value })}
        />
        <Select
          label={t('campaignForm.businessCode')}
          description={t('campaignForm.about.businessCode')}
          required
          searchable
          value={values.businessCode || null}
          error={errorOf('businessCode')}
          onChange={value => set({ businessCode: value ?? '' })}
          data={(choices?.businesses ?? []).map(({ businessCode, businessName }) => ({
            value: businessCode,
            label: `${businessName} (${businessCode})`,
          }))}
        />
        <TagsInput
          label={t('campaignForm.intentKeywords')}
          description={t('campaignForm.about.intentKeywords')}
          value={values.intentKeywords}
          error={errorOf('intentKeywords')}
          onChange={intentKeywords => set({ intentKeywords })}
        />
        <Textarea
          label={t('campaignForm.description')}
          maxLength={2000}
          autosize
          minRows={2}
          value={values.description}
          error={errorOf('description')}
          onChange={event => set({ description: event.currentTarget.value })}
        />
      </Part>
      <Part title={t('campaignForm.how')}>
        <MultiSelect
          label={t('campaignForm.lineIds')}
          description={t('campaignForm.about.lineIds')}
          required
          value={values.lineIds}
          error={errorOf('lineIds')}
          onChange={lineIds => set({ lineIds })}
          data={(choices?.lines ?? []).map(({ databaseId, name, isEnabled }) => ({
            value: databaseId,
            label: isEnabled ? name : `${name} (${t('wall.disabled')})`,
          }))}
        />
        <Select
          label={t('campaignForm.cellId')}
          clearable
          placeholder={t('campaignForm.anyCell')}
          value={values.cellId || null}
          error={errorOf('cellId')}
          onChange={value => set({ cellId: value ?? '' })}
          data={(choices?.runtimeOverview?.cells ?? []).map(({ cellId }) => cellId)}
        />
        {number('maxConcurrency', 10_000)}
        {number('callIntervalMs', 3_600_000)}
      </Part>
      <Part title={t('campaignForm.when')}>
        <div className={styles.pair}>
          {text('workdayStart', 'time')}
          {text('workdayEnd', 'time')}
        </div>
        <div className={styles.pair}>
          {text('scheduledStartAt', 'datetime-local')}
          {text('scheduledEndAt', 'datetime-local')}
        </div>
      </Part>
      <Part title={t('campaignForm.again')}>
        {number('maxRetries', 20)}
        {number('retryIntervalSeconds', 2_592_000)}
        <Switch
          label={t('campaignForm.retryAnsweredWithoutResult')}
          description={t('campaignForm.about.retryAnsweredWithoutResult')}
          checked={values.retryAnsweredWithoutResult}
          onChange={event => set({ retryAnsweredWithoutResult: event.currentTarget.checked })}
        />
      </Part>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => void navigate(-1)}>
          {t('campaignForm.cancel')}
        </Button>
        <Button type="submit" loading={creating.loading || updating.loading}>
          {t(id ? 'campaignForm.save' : 'campaignForm.make')}
        </Button>
      </Group>
    </form>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={`sheet ${styles.part}`}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

interface Refusal {
  message: string;
  field: string | null;
  faults?: readonly { field: string; problem: string }[];
}

/** `input.lineIds[0]` is a fault of `lineIds`. */
function refusedOf({ message, field, faults = [] }: Refusal): Refused {
  const told = faults.length > 0 ? faults.map(fault => [nameOf(fault.field), fault.problem]) : field ? [[nameOf(field), message]] : [];
  return { message, byField: Object.fromEntries(told.filter(([name]) => name && name in EMPTY) as [string, string][]) };
}

function nameOf(path: string): string {
  return path.replace(/^input\./, '').split(/[.[]/)[0] === 'businessConfig'
    ? 'intentKeywords'
    : (path.replace(/^input\./, '').split(/[.[]/)[0] ?? '');
}
