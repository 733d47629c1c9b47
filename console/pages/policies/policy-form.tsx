import { NumberInput, SegmentedControl, Select, Switch, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Refusal } from '../../api/refusal.ts';
import { CampaignSelect } from '../../form/campaign-select.tsx';
import { Form, FormPair, FormPart } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import type { UpdatePolicyMutation } from './policies.generated.ts';
import { POLICY_KINDS, usePolicyTypes } from './policy-kinds.tsx';
import type { PolicyType, PolicyValues } from './policy-values.ts';

type Result = NonNullable<UpdatePolicyMutation['result']>;

interface PolicyFormProps {
  initial: PolicyValues;
  action: string;
  cancel: () => void;
  /** Why the form is read-only. */
  disabledReason: string | null;
  send: (values: PolicyValues) => Promise<Result | null | undefined>;
  done: (policy: Exclude<Result, Refusal>) => unknown;
}

/** Name, type and scope of a policy, and the fields of its type. */
export function PolicyForm({ initial, action, cancel, disabledReason, send, done }: PolicyFormProps) {
  const { t } = useTranslation();
  const types = usePolicyTypes();
  const form = useForm({
    initial,
    send: async (values: PolicyValues) => {
      const result = await send(values);
      return result && atFormFields(result, values.type);
    },
    done,
  });
  const { values, set, errorOf } = form;
  return (
    <Form form={form} action={action} cancel={cancel} disabledReason={disabledReason}>
      <FormPart title={t('policyForm.what')}>
        <TextInput
          label={t('policies.name')}
          required
          maxLength={128}
          value={values.name}
          error={errorOf('name')}
          onChange={event => set({ name: event.currentTarget.value })}
        />
        <Select
          label={t('policies.type')}
          allowDeselect={false}
          value={values.type}
          error={errorOf('type')}
          onChange={type => type && set({ type })}
          data={types}
          maxDropdownHeight={360}
        />
        <Text className="quiet" size="sm">
          {t(`policyAbout.${values.type}`)}
        </Text>
      </FormPart>
      <FormPart title={t(`policyType.${values.type}`)}>{POLICY_KINDS[values.type].fields({ values, set, errorOf })}</FormPart>
      <FormPart title={t('policyForm.whom')}>
        <SegmentedControl
          aria-label={t('policies.scope')}
          value={values.scope}
          onChange={scope => set({ scope })}
          data={(['GLOBAL', 'CAMPAIGN'] as const).map(value => ({ value, label: t(`policyScope.${value}`) }))}
        />
        {values.scope === 'CAMPAIGN' && (
          <CampaignSelect
            label={t('policyForm.campaign')}
            value={values.campaignId}
            error={errorOf('campaignId')}
            choose={campaignId => set({ campaignId })}
          />
        )}
        <FormPair>
          <NumberInput
            label={t('policies.priority')}
            description={t('policyForm.aboutPriority')}
            min={-1_000_000}
            max={1_000_000}
            allowDecimal={false}
            value={values.priority}
            error={errorOf('priority')}
            onChange={priority => set({ priority: typeof priority === 'number' ? priority : '' })}
          />
          <Switch
            mt={26}
            label={t('policyForm.isEnabled')}
            description={t('policyForm.aboutEnabled')}
            checked={values.isEnabled}
            onChange={event => set({ isEnabled: event.currentTarget.checked })}
          />
        </FormPair>
      </FormPart>
    </Form>
  );
}

/** Maps the paths of the server to fields of the form: `config.dates[2]` to `dates`; where the form has another name, to that. */
function atFormFields<Result extends object>(result: Result, type: PolicyType): Result {
  if (!('code' in result)) return result;
  const { field, faults = [] } = result as Pick<Refusal, 'field' | 'faults'>;
  const formField = (path: string) => {
    const own = path.replace(/^(input\.)?(config\.|settings\.\w+\.)?/, '');
    return POLICY_KINDS[type].renamed?.[own.split(/[.[]/)[0] ?? ''] ?? own;
  };
  return { ...result, field: field && formField(field), faults: faults.map(fault => ({ ...fault, field: formField(fault.field) })) };
}
