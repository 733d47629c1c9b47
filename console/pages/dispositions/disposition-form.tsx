import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { useQuery } from '@apollo/client/react';
import { Alert, Radio, Skeleton, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { Form, FormPart } from '../../form/form.tsx';
import { useCommands } from '../../form/use-commands.ts';
import { type Form as FormState, useForm } from '../../form/use-form.ts';
import { formatDateTime } from '../../text/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { sayDone } from '../../ui/toast.ts';
import { ResultInput } from '../results/result-input.tsx';
import { type DispositionFormQuery, DispositionFormDocument, SaveDispositionDocument } from './dispositions.generated.ts';
import { givenOf, type DispositionValues, initialValues } from './disposition-values.ts';
import { WrapUpClock } from './wrap-up-clock.tsx';

interface DispositionFormProps {
  /** `attempt:<attemptId>` or `request:<requestId>`. */
  callKey: string;
  /** Called after it was saved. */
  saved?: () => void;
  /** Shows nothing where the user may not say what came of the call. */
  isQuiet?: boolean;
  /** Shown to a user who has not spoken in the call, and therefore has nothing to say of it. */
  unspoken?: ReactNode;
}

/** Form for a call's disposition, during the call or after it: Ctrl+Enter saves. Renders nothing where there are no choices. */
export function DispositionForm({ callKey, saved, isQuiet = false, unspoken }: DispositionFormProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(DispositionFormDocument, { variables: { callKey }, fetchPolicy: 'cache-and-network' });
  if (error && unspoken !== undefined && isForbidden(error)) return unspoken;
  if (error) return isQuiet ? null : <Notice error={error} />;
  if (!data) return isQuiet ? null : <Skeleton height={160} />;
  const { form, wrapUpAgent } = data;
  if (!form || form.choices.length === 0) return null;
  const again = () => {
    void refetch();
    saved?.();
  };
  return (
    <Stack component="section" className="sheet" gap="sm" p="md" aria-label={t('dispositions.ofCall')}>
      {wrapUpAgent?.activity.wrapUp && <WrapUpClock agent={wrapUpAgent} changed={() => void refetch()} />}
      <Choices key={callKey} callKey={callKey} known={form} saved={again} />
    </Stack>
  );
}

function isForbidden(error: Error): boolean {
  return CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.['code'] === 'FORBIDDEN';
}

type Known = NonNullable<DispositionFormQuery['form']>;

function Choices({ callKey, known, saved }: { callKey: string; known: Known; saved: () => void }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const { timeZone } = useMe();
  const form = useForm({
    initial: initialValues(known, timeZone ?? 'UTC'),
    send: (values: DispositionValues) => run(SaveDispositionDocument, { callKey, input: givenOf(values, known.fields) }),
    done: () => {
      sayDone(t('dispositions.form.saved'));
      saved();
    },
    shownAt: { callback: 'dueAt' },
  });
  const choice = known.choices.find(({ code }) => code === form.values.code);
  return (
    // Keys are watched for the whole form, whichever field has the focus.
    <div
      onKeyDown={event => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.submit();
      }}
    >
      {known.saved && (
        <Text className="quiet" mb="xs">
          {t('dispositions.form.savedAt', { at: formatDateTime(known.saved.updatedAt) })}
        </Text>
      )}
      <Form form={form} action={t('dispositions.form.save')}>
        <ChoiceField form={form} known={known} />
        <Textarea
          label={t('dispositions.form.note')}
          required={choice?.needsNote === true}
          maxLength={2_000}
          autosize
          minRows={2}
          value={form.values.note}
          error={form.errorOf('note')}
          onChange={event => form.set({ note: event.currentTarget.value })}
        />
        <ResultFields form={form} known={known} />
        {known.contactId !== null && <CallbackFields form={form} isNeeded={choice?.needsCallback === true} />}
        <Switch
          label={t('dispositions.form.doNotCall')}
          checked={form.values.doNotCall}
          onChange={event => form.set({ doNotCall: event.currentTarget.checked })}
        />
        <Text className="quiet">{t('dispositions.form.keys')}</Text>
      </Form>
    </div>
  );
}

interface PartProps {
  form: FormState<DispositionValues>;
  known: Known;
}

function ChoiceField({ form, known }: PartProps) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('dispositions.form.choice')}
      required
      value={form.values.code}
      error={form.errorOf('code')}
      onChange={code => form.set({ code })}
    >
      <Stack gap={6} mt={4}>
        {known.choices.map(({ code, label, category }) => (
          <Radio key={code} value={code} label={label} description={t(`dispositions.category.${category}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** The fields that the call's script collects, filled in by hand. */
function ResultFields({ form, known }: PartProps) {
  const { t } = useTranslation();
  const { fields } = form.values;
  if (known.fields.length === 0) return null;
  const put = (key: string, value: string) => form.set({ fields: { ...fields, [key]: value } });
  return (
    <FormPart title={t('dispositions.form.fields')}>
      {known.fields.map(field => (
        <ResultInput key={field.key} field={field} value={fields[field.key] ?? ''} set={value => put(field.key, value)} />
      ))}
      {form.errorOf('fields') !== undefined && <Alert color="red">{form.errorOf('fields')}</Alert>}
    </FormPart>
  );
}

function CallbackFields({ form, isNeeded }: { form: FormState<DispositionValues>; isNeeded: boolean }) {
  const { t } = useTranslation();
  const { dueAt } = form.values;
  return (
    <TextInput
      type="datetime-local"
      label={t('dispositions.form.callback')}
      description={t(isNeeded ? 'dispositions.form.callbackNeeded' : 'dispositions.form.callbackAbout')}
      required={isNeeded}
      value={dueAt}
      error={form.errorOf('dueAt')}
      onChange={event => form.set({ dueAt: event.currentTarget.value })}
    />
  );
}
