import { NumberInput, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { Form } from './use-form.ts';

interface Choice {
  value: string;
  label: string;
}

interface Common<Values> {
  name: keyof Values & string;
  isNeeded?: boolean;
  /** Whether `about.<name>` of the noun's texts explains the field; a string names another key of `about`. */
  hasAbout?: boolean | string;
  /** Why the field is read-only; null when it is not. */
  fixed?: string | null;
}

/** Declaration of one field of a form. */
export type Field<Values> = Common<Values> &
  (
    | { kind: 'text' | 'long' | 'secret'; maxLength: number }
    | { kind: 'count'; min: number; max: number }
    | { kind: 'switch' }
    /** `any`: placeholder while nothing is selected. */
    | { kind: 'choice'; choices: readonly Choice[]; any?: string }
    | { kind: 'own'; draw: (form: Form<Values>, isFixed: boolean) => ReactNode }
  );

interface FormFieldsProps<Values extends object> {
  /** Section of the texts. */
  text: string;
  fields: readonly Field<Values>[];
  form: Form<Values>;
  isReadOnly: boolean;
}

export function FormFields<Values extends object>({ fields, ...rest }: FormFieldsProps<Values>) {
  return fields.map(field => <FormField key={field.name} field={field} {...rest} />);
}

function FormField<Values extends object>({
  text,
  field,
  form,
  isReadOnly,
}: Omit<FormFieldsProps<Values>, 'fields'> & { field: Field<Values> }) {
  const { t } = useTranslation();
  const { name, hasAbout = false, fixed = null } = field;
  const [query] = useSearchParams();
  const isAsked = query.get('field') === name;
  const isFixed = isReadOnly || fixed !== null;
  const isNeeded = field.isNeeded === true && !isFixed;
  if (field.kind === 'own') return field.draw(form, isFixed);
  const value = form.values[name];
  const set = (next: unknown) => form.set({ [name]: next } as Partial<Values>);
  const common = {
    label: t(`${text}.field.${name}`),
    description: fixed ?? (hasAbout ? t(`${text}.about.${hasAbout === true ? name : hasAbout}`) : undefined),
    error: form.errorOf(name),
    disabled: isFixed,
    // A link to a field opens the form there; a drawer that is still opening moves the focus itself.
    autoFocus: isAsked,
    'data-autofocus': isAsked || undefined,
  };
  if (field.kind === 'switch') return <Switch {...common} checked={value === true} onChange={event => set(event.currentTarget.checked)} />;
  if (field.kind === 'choice')
    return (
      <Select
        {...common}
        required={isNeeded}
        searchable={field.choices.length > 8}
        clearable={!isNeeded}
        clearButtonProps={{ 'aria-label': t('filters.any', { name: common.label }) }}
        allowDeselect={!isNeeded}
        placeholder={field.any}
        value={String(value) || null}
        onChange={chosen => set(chosen ?? '')}
        data={field.choices}
      />
    );
  if (field.kind === 'count')
    return (
      <NumberInput
        {...common}
        required={isNeeded}
        min={field.min}
        max={field.max}
        allowDecimal={false}
        clampBehavior="none"
        value={value as number | ''}
        onChange={next => set(typeof next === 'number' ? next : '')}
      />
    );
  const typed = { ...common, required: isNeeded, maxLength: field.maxLength, value: String(value) };
  if (field.kind === 'long') return <Textarea {...typed} autosize minRows={2} onChange={event => set(event.currentTarget.value)} />;
  if (field.kind === 'secret')
    return (
      <PasswordInput
        {...typed}
        // Keeps the browser from filling in the user's own password.
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
        onChange={event => set(event.currentTarget.value)}
      />
    );
  return <TextInput {...typed} autoComplete="off" onChange={event => set(event.currentTarget.value)} />;
}

/** The value of a field in words, for values that fit in a few. */
export function useValueWords(): <Values>(field: Field<Values> | undefined, value: unknown) => string {
  const { t } = useTranslation();
  return (field, value) => {
    if (field === undefined || field.kind === 'own' || field.kind === 'secret') return t('noun.another');
    if (field.kind === 'switch') return t(value === true ? 'noun.yes' : 'noun.no');
    if (field.kind === 'choice') return field.choices.find(choice => choice.value === value)?.label ?? (String(value) || t('noun.nothing'));
    return String(value) || t('noun.nothing');
  };
}
