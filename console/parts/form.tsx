import { Alert, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from './act-button.tsx';
import styles from './form.module.css';
import type { Form as FormState } from './use-form.ts';

interface FormProps {
  form: Pick<FormState<object>, 'refused' | 'isBusy' | 'submit'>;
  /** On the button: what the form does, in words. */
  does: string;
  cancel: () => void;
  /** Why it may only be read; null when it may be sent. */
  whyNot?: string | null;
  children: ReactNode;
}

/** The fields of a form, what was said of the whole, and the two ways out. */
export function Form({ form: { refused, isBusy, submit }, does, cancel, whyNot = null, children }: FormProps) {
  const { t } = useTranslation();
  return (
    <form onSubmit={submit} className={styles.form}>
      {refused && (
        <Alert color="red" role="alert">
          {refused}
        </Alert>
      )}
      {whyNot === null ? (
        children
      ) : (
        <fieldset disabled className={styles.reading}>
          {children}
        </fieldset>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={cancel}>
          {t('form.cancel')}
        </Button>
        {whyNot === null ? (
          <Button type="submit" loading={isBusy}>
            {does}
          </Button>
        ) : (
          <ActButton act={submit} reason={whyNot}>
            {does}
          </ActButton>
        )}
      </Group>
    </form>
  );
}

/** Fields that belong together, under a name. */
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
