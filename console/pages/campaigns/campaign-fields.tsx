import { useQuery } from '@apollo/client/react';
import { MultiSelect, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { FormPair, FormPart } from '../../form/form.tsx';
import { SecondsInput } from '../../form/seconds-input.tsx';
import type { Form } from '../../form/use-form.ts';
import { ZoneSelect } from '../../ui/zone-select.tsx';
import { CampaignFormChoicesDocument, type CampaignFormChoicesQuery } from './campaign-form.generated.ts';
import { EMPTY, type FormValues } from './form-values.ts';

interface FieldsProps {
  form: Form<FormValues>;
  /** Whether a field with a single option selects it at once. */
  isNew?: boolean;
  /** Faults that the server reports while the user types, by field. */
  faults: Readonly<Record<string, string>>;
}

type Name = keyof FormValues;
type NumberName =
  | 'maxConcurrency'
  | 'maxRetries'
  | 'retryIntervalSeconds'
  | 'callbackAgainMinutes'
  | 'callbackMaxMisses'
  | 'anybodyAfterMinutes'
  | 'recordingDays';

const CALLBACK_FATES = ['AGAIN', 'NEXT_DAY', 'ANYBODY', 'GIVE_UP'] as const satisfies readonly FormValues['callbackMissed'][];

/** The settings of a campaign, each with its explanation. */
export function Fields({ form, isNew = false, faults }: FieldsProps) {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const { values, set } = form;
  const { data: choices } = useQuery(CampaignFormChoicesDocument);
  useOnlyChoices(form, isNew ? choices : undefined);
  const isTouched = (name: Name) => JSON.stringify(values[name]) !== JSON.stringify(EMPTY[name]);
  // The server names members; replace them with the labels of the fields.
  const inWords = (problem: string | undefined) =>
    problem?.replaceAll(/\b[a-z]+[A-Z]\w*/g, member =>
      member in EMPTY ? t('campaignForm.quoted', { name: t(`campaignForm.${member as Name}`) }) : member,
    );
  const common = (name: Name) => ({
    label: t(`campaignForm.${name}`),
    // An empty field that the user has not visited yet shows no fault.
    error: inWords(form.errorOf(name) ?? (isTouched(name) ? faults[name] : undefined)),
    // Focus the field that the user came to fix.
    autoFocus: query.get('field') === name,
  });
  const text = (name: 'workdayStart' | 'workdayEnd' | 'scheduledStartAt' | 'scheduledEndAt', type: string) => (
    <TextInput
      {...common(name)}
      // The native time input rejects 24:00.
      {...(type === 'end'
        ? { placeholder: 'HH:mm', maxLength: 5, inputMode: 'numeric' as const, title: t('campaignForm.endOfDay') }
        : { type })}
      value={values[name]}
      onChange={event => set({ [name]: event.currentTarget.value })}
    />
  );
  const number = (name: NumberName) => (
    <NumberInput
      {...common(name)}
      description={t(`campaignForm.about.${name}`)}
      allowDecimal={false}
      value={values[name]}
      onChange={value => set({ [name]: typeof value === 'number' ? value : '' })}
    />
  );
  return (
    <>
      <FormPart title={t('campaignForm.what')}>
        <TextInput {...common('name')} required value={values.name} onChange={event => set({ name: event.currentTarget.value })} />
        <Select
          {...common('businessCode')}
          description={t('campaignForm.about.businessCode')}
          required
          allowDeselect={false}
          searchable
          value={values.businessCode || null}
          onChange={value => set({ businessCode: value ?? '' })}
          data={(choices?.businesses ?? []).map(({ businessCode, businessName, script }) => {
            const name = businessName || businessCode;
            return { value: businessCode, label: script ? name : t('campaignForm.noScript', { name }) };
          })}
        />
        <TagsInput
          {...common('intentKeywords')}
          description={t('campaignForm.about.intentKeywords')}
          value={values.intentKeywords}
          onChange={intentKeywords => set({ intentKeywords })}
        />
        <Textarea
          {...common('description')}
          autosize
          minRows={2}
          value={values.description}
          onChange={event => set({ description: event.currentTarget.value })}
        />
      </FormPart>
      <FormPart title={t('campaignForm.how')}>
        <MultiSelect
          {...common('lineIds')}
          description={t('campaignForm.about.lineIds')}
          required
          value={values.lineIds}
          onChange={lineIds => set({ lineIds })}
          data={(choices?.lines ?? []).map(({ databaseId, name, isEnabled }) => ({
            value: databaseId,
            label: isEnabled ? name : `${name} (${t('wall.disabled')})`,
          }))}
        />
        <Select
          {...common('cellId')}
          description={t('campaignForm.about.cellId')}
          clearable
          placeholder={t('campaignForm.anyCell')}
          value={values.cellId || null}
          onChange={value => set({ cellId: value ?? '' })}
          data={(choices?.runtimeOverview?.cells ?? []).map(({ cellId }) => cellId)}
        />
        <FormPair>
          {number('maxConcurrency')}
          <SecondsInput
            {...common('callIntervalMs')}
            description={t('campaignForm.about.callIntervalMs')}
            value={values.callIntervalMs}
            change={callIntervalMs => set({ callIntervalMs })}
          />
        </FormPair>
      </FormPart>
      <FormPart title={t('campaignForm.when')}>
        <FormPair>
          {text('workdayStart', 'time')}
          {text('workdayEnd', 'end')}
        </FormPair>
        <ZoneSelect
          {...common('timeZone')}
          description={t('campaignForm.about.timeZone')}
          value={values.timeZone}
          choose={timeZone => set({ timeZone })}
        />
        <FormPair>
          {text('scheduledStartAt', 'datetime-local')}
          {text('scheduledEndAt', 'datetime-local')}
        </FormPair>
      </FormPart>
      <FormPart title={t('campaignForm.again')}>
        <FormPair>
          {number('maxRetries')}
          {number('retryIntervalSeconds')}
        </FormPair>
        <Switch
          label={t('campaignForm.retryAnsweredWithoutResult')}
          description={t('campaignForm.about.retryAnsweredWithoutResult')}
          checked={values.retryAnsweredWithoutResult}
          onChange={event => set({ retryAnsweredWithoutResult: event.currentTarget.checked })}
        />
        <Switch
          label={t('campaignForm.retryUnknown')}
          description={t('campaignForm.about.retryUnknown')}
          checked={values.retryUnknown}
          onChange={event => set({ retryUnknown: event.currentTarget.checked })}
        />
      </FormPart>
      <FormPart title={t('campaignForm.callbacks')}>
        <Select
          {...common('callbackMissed')}
          description={t('campaignForm.about.callbackMissed')}
          allowDeselect={false}
          value={values.callbackMissed}
          onChange={value => set({ callbackMissed: CALLBACK_FATES.find(fate => fate === value) ?? 'AGAIN' })}
          data={CALLBACK_FATES.map(fate => ({ value: fate, label: t(`callbackFate.${fate}`) }))}
        />
        <FormPair>
          {number('callbackAgainMinutes')}
          {number('callbackMaxMisses')}
        </FormPair>
        {number('anybodyAfterMinutes')}
      </FormPart>
      <FormPart title={t('campaignForm.records')}>{number('recordingDays')}</FormPart>
    </>
  );
}

type Choices = CampaignFormChoicesQuery | undefined;

/** Selects the business or the line when there is only one. */
function useOnlyChoices({ values, set }: Form<FormValues>, choices: Choices): void {
  useEffect(() => {
    const [business, ...otherBusinesses] = choices?.businesses ?? [];
    const [line, ...otherLines] = (choices?.lines ?? []).filter(({ isEnabled }) => isEnabled);
    set({
      ...(business && otherBusinesses.length === 0 && values.businessCode === '' ? { businessCode: business.businessCode } : {}),
      ...(line && otherLines.length === 0 && values.lineIds.length === 0 ? { lineIds: [line.databaseId] } : {}),
    });
    // Once, when the options have loaded.
  }, [choices]);
}
