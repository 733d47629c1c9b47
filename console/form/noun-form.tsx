import { Alert } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Refusal } from '../api/refusal.ts';
import { sayDone } from '../ui/toast.ts';
import { useDisabledReason } from '../ui/use-disabled-reason.ts';
import { FormFields, useValueWords } from './fields.tsx';
import form from './form.module.css';
import { Form } from './form.tsx';
import { type Answer, changedNames, type Noun, type NounRow, pick } from './noun.ts';
import { useForm } from './use-form.ts';

interface NounFormProps<Row extends NounRow, Values extends object> {
  noun: Noun<Row, Values>;
  /** Null: a new row. */
  row: Row | null;
  close: () => void;
}

/** Creates or edits one row; users without the permission see the same fields read-only, with the reason. */
export function NounForm<Row extends NounRow, Values extends object>({ noun, row, close }: NounFormProps<Row, Values>) {
  const { t } = useTranslation();
  const denied = useDisabledReason(noun.needs);
  const why = denied ?? (row && noun.locked?.(row)) ?? null;
  const isReadOnly = why !== null;
  const send = useSend(noun, row);
  const state = useForm({
    initial: noun.valuesOf(row),
    send,
    done: async result => {
      if (result.__typename !== UNCHANGED) {
        sayDone(t(`${noun.text}.${row ? 'saved' : 'made'}`, { name: noun.nameOf(result as unknown as Row) }));
        await noun.listChanged();
      }
      close();
    },
  });
  const fields = <FormFields text={noun.text} fields={noun.fields(row)} form={state} isReadOnly={isReadOnly} />;
  if (isReadOnly)
    return (
      <div className={form.form}>
        <Alert color="gray">{t('noun.readOnly', { why })}</Alert>
        {fields}
      </div>
    );
  return (
    <Form form={state} action={t(row ? 'noun.save' : `${noun.text}.make`)} cancel={close}>
      {fields}
    </Form>
  );
}

/** Result that replaces the server's response when nothing was changed. */
const UNCHANGED = 'Unchanged';

/**
 * Sends only the changed fields. A conflicting change by another user appears at its field first; the next press overwrites it.
 *
 * Why: when two users edit one row, neither may overwrite a value that they have not seen
 */
function useSend<Row extends NounRow, Values extends object>(noun: Noun<Row, Values>, row: Row | null) {
  const { t } = useTranslation();
  const words = useValueWords();
  const known = useRef(noun.valuesOf(row));
  return async (values: Values): Promise<Exclude<Answer, null | undefined> | Refused | null | undefined> => {
    if (row === null) return noun.create(values);
    const mine = changedNames(known.current, values);
    if (mine.length === 0) return { __typename: UNCHANGED };
    const now = await noun.reload(row);
    if (now === null) return refused(t('noun.gone'));
    const fresh = noun.valuesOf(now);
    const fields = noun.fields(row);
    const theirs = changedNames(known.current, fresh).filter(
      name => mine.includes(name) && JSON.stringify(fresh[name]) !== JSON.stringify(values[name]),
    );
    known.current = { ...known.current, ...pick(fresh, theirs) };
    if (theirs.length === 0) return noun.update(row, pick(values, mine));
    return refused(
      t('noun.changedMeanwhile'),
      theirs.map(name => {
        const value = words(
          fields.find(field => field.name === name),
          fresh[name],
        );
        return { field: name, problem: t('noun.theirs', { value }) };
      }),
    );
  };
}

interface Refused extends Refusal {
  __typename: 'Refused';
  code: string;
}

function refused(message: string, faults: Refusal['faults'] = []): Refused {
  return { __typename: 'Refused', code: 'CONFLICT', message, faults };
}
