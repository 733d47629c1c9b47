import { useTranslation } from 'react-i18next';
import { type Field, FormFields } from '../../form/fields.tsx';
import { FormPart } from '../../form/form.tsx';
import type { Form } from '../../form/use-form.ts';
import { type AgentValues, NEW_USER } from './agent-values.ts';

/** The user who is made with the agent. */
export function NewUser({ form }: { form: Form<AgentValues> }) {
  const { t } = useTranslation();
  if (form.values.userId !== NEW_USER) return null;
  const fields: readonly Field<AgentValues>[] = [
    { kind: 'text', name: 'username', maxLength: 100, isNeeded: true },
    {
      kind: 'choice',
      name: 'role',
      isNeeded: true,
      choices: (['AGENT', 'SUPERVISOR'] as const).map(value => ({ value, label: t(`roles.${value}`) })),
    },
    { kind: 'secret', name: 'password', maxLength: 200, isNeeded: true, hasAbout: 'newPassword' },
  ];
  return (
    <FormPart title={t('agents.field.username')}>
      <FormFields text="users" fields={fields} form={form} isReadOnly={false} />
    </FormPart>
  );
}
