import { Alert, Button, Group } from '@mantine/core';
import { type FormEvent, type MouseEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../ui/act-button.tsx';
import styles from './form.module.css';
import type { Form as FormState } from './use-form.ts';

interface FormProps {
  form: Pick<FormState<object>, 'refused' | 'isBusy' | 'submit'>;
  /** Label of the submit button: the action in words. */
  action: string;
  /** Absent: there is nothing to go back to. */
  cancel?: () => void;
  /** Why the form is read-only; null when it can be sent. */
  disabledReason?: string | null;
  children: ReactNode;
}

/** Fields of a form with its two buttons. A refusal of the whole form appears beside the buttons, where the user looks after sending. */
export function Form({ form: { refused, isBusy, submit }, action, cancel, disabledReason = null, children }: FormProps) {
  const { t } = useTranslation();
  return (
    <form onSubmit={submit} onInvalidCapture={event => sayWhatIsMissing(event, t('form.required'))} className={styles.form}>
      {disabledReason === null ? (
        children
      ) : (
        <fieldset disabled className={styles.reading}>
          {children}
        </fieldset>
      )}
      {refused && (
        <Alert color="red" role="alert">
          {refused}
        </Alert>
      )}
      <Group justify="flex-end" gap="sm">
        {cancel && (
          <Button variant="default" onClick={cancel}>
            {t('form.cancel')}
          </Button>
        )}
        {disabledReason === null ? (
          <Button type="submit" loading={isBusy} onClick={judgeAnew}>
            {action}
          </Button>
        ) : (
          <ActButton act={submit} reason={disabledReason}>
            {action}
          </ActButton>
        )}
      </Group>
    </form>
  );
}

/** Sets the message in the language of the page; the browser's own messages are in its own language. */
function sayWhatIsMissing({ target }: FormEvent, words: string): void {
  if (isField(target) && target.validity.valueMissing) target.setCustomValidity(words);
}

/** Clears custom validity messages: a field keeps one until it is reset, whatever was typed since. */
function judgeAnew({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>): void {
  for (const field of form?.elements ?? []) if (isField(field)) field.setCustomValidity('');
}

function isField(element: unknown): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

/** Fields that belong together, under a heading. */
export function FormPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={`sheet ${styles.part}`}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

/** Two short fields beside each other where there is room. */
export function FormPair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>;
}
