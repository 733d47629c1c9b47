import { Alert, Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useForm } from '../../form/use-form.ts';
import { useCommands } from '../../form/use-commands.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { sayDone } from '../../ui/toast.ts';
import { RenameReportDocument, type SavedReportPartsFragment } from './reports.generated.ts';

const MAX_NAME_LENGTH = 64;

interface RenameProps {
  report: SavedReportPartsFragment;
  done: () => void;
}

/** Gives a saved report another name; its question stays. */
export function RenameButton(props: RenameProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
        {t('reports.rename')}
      </Button>
      <Dialog isOpen={isOpen} close={() => setOpen(false)} title={t('reports.renameTitle')}>
        <RenameForm {...props} close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function RenameForm({ report: { databaseId: id, name }, done, close }: RenameProps & { close: () => void }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const { values, set, errorOf, refused, isBusy, submit } = useForm({
    initial: { name },
    send: input => run(RenameReportDocument, { id, input }),
    done: () => {
      sayDone(t('reports.renamed', { name: values.name.trim() }));
      close();
      done();
    },
  });
  return (
    <form onSubmit={submit}>
      <TextInput
        label={t('reports.name')}
        maxLength={MAX_NAME_LENGTH}
        data-autofocus
        error={errorOf('name')}
        value={values.name}
        onChange={event => set({ name: event.currentTarget.value })}
      />
      {refused && (
        <Alert color="red" role="alert" mt="sm">
          {refused}
        </Alert>
      )}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={close}>
          {t('form.cancel')}
        </Button>
        <Button type="submit" loading={isBusy} disabled={values.name.trim() === ''}>
          {t('noun.save')}
        </Button>
      </Group>
    </form>
  );
}
