import { useMutation, useQuery } from '@apollo/client/react';
import { MultiSelect, NumberInput, Select, Skeleton, Switch, TagsInput, Textarea, TextInput, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { Form, FormPair, FormPart } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useForm } from '../../parts/use-form.ts';
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

/** The key words stand in the business's part of a campaign. */
const SHOWN_AT = { businessConfig: 'intentKeywords' } as const;

function CampaignForm({ id, initial }: { id: string | null; initial: FormValues }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: choices } = useQuery(CampaignFormChoicesDocument);
  const [create] = useMutation(CreateCampaignDocument);
  const [update] = useMutation(UpdateCampaignDocument);
  const form = useForm({
    initial,
    shownAt: SHOWN_AT,
    send: async (typed: FormValues) => {
      const input = inputOf(typed);
      const { data } = id ? await update({ variables: { id, input } }) : await create({ variables: { input } });
      return data?.result;
    },
    done: campaign => navigate(`/campaigns/${campaign.databaseId}`),
  });
  const { values, set, errorOf } = form;

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
    <div className={styles.page}>
      <Title order={1}>{id ? values.name || t('pages.editCampaign') : t('pages.newCampaign')}</Title>
      <Form form={form} does={t(id ? 'campaignForm.save' : 'campaignForm.make')} cancel={() => void navigate(-1)}>
        <FormPart title={t('campaignForm.what')}>
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
        </FormPart>
        <FormPart title={t('campaignForm.how')}>
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
        </FormPart>
        <FormPart title={t('campaignForm.when')}>
          <FormPair>
            {text('workdayStart', 'time')}
            {text('workdayEnd', 'time')}
          </FormPair>
          <FormPair>
            {text('scheduledStartAt', 'datetime-local')}
            {text('scheduledEndAt', 'datetime-local')}
          </FormPair>
        </FormPart>
        <FormPart title={t('campaignForm.again')}>
          {number('maxRetries', 20)}
          {number('retryIntervalSeconds', 2_592_000)}
          <Switch
            label={t('campaignForm.retryAnsweredWithoutResult')}
            description={t('campaignForm.about.retryAnsweredWithoutResult')}
            checked={values.retryAnsweredWithoutResult}
            onChange={event => set({ retryAnsweredWithoutResult: event.currentTarget.checked })}
          />
        </FormPart>
      </Form>
    </div>
  );
}
