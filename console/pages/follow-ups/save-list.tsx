import { Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { Form } from '../../form/form.tsx';
import { useCommands } from '../../form/use-commands.ts';
import { useForm } from '../../form/use-form.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { CreateFollowUpListDocument, type CreateFollowUpListMutationVariables } from './follow-ups.generated.ts';

/** The filter that is kept: of calls or of contacts. */
export type SavedFilter = Pick<CreateFollowUpListMutationVariables['input'], 'calls' | 'contacts'>;

/** Same bound as the server's. */
const MAX_NAME = 64;

/** Keeps the filter of the list that is shown as a follow-up list. */
export function SaveListButton({ filter, reason = null }: { filter: SavedFilter; reason?: string | null }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActButton variant="default" reason={reason} act={() => setOpen(true)}>
        {t('followUps.save')}
      </ActButton>
      <Dialog isOpen={isOpen} close={() => setOpen(false)} title={t('followUps.saveTitle')}>
        {isOpen && <SaveForm filter={filter} close={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

function SaveForm({ filter, close }: { filter: SavedFilter; close: () => void }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const form = useForm({
    initial: { name: '', isShared: false },
    send: ({ name, isShared }) =>
      run(CreateFollowUpListDocument, { input: { name: name.trim(), isShared, address: pathname + search, ...filter } }),
    done: () => {
      sayDone(t('followUps.saved'));
      close();
      void navigate('/follow-ups');
    },
  });
  return (
    <Form form={form} action={t('followUps.save')} cancel={close}>
      <Text className="quiet">{t('followUps.saveAbout')}</Text>
      <TextInput
        label={t('followUps.name')}
        placeholder={t('followUps.nameExample')}
        required
        maxLength={MAX_NAME}
        data-autofocus
        value={form.values.name}
        error={form.errorOf('name')}
        onChange={event => form.set({ name: event.currentTarget.value })}
      />
      <ShareSwitch isShared={form.values.isShared} set={isShared => form.set({ isShared })} />
    </Form>
  );
}

/** Whether everybody sees a list; disabled, with the reason, for who may not share. */
export function ShareSwitch({ isShared, set }: { isShared: boolean; set: (isShared: boolean) => void }) {
  const { t } = useTranslation();
  const lacks = useDisabledReason('contact:write');
  return (
    <Switch
      label={t('followUps.share')}
      description={lacks ?? t('followUps.shareAbout')}
      disabled={lacks !== null}
      checked={isShared}
      onChange={event => set(event.currentTarget.checked)}
    />
  );
}
