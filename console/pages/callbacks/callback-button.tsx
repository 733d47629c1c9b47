import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../../ui/act-button.tsx';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { ContactCallback } from './contact-callback.tsx';

interface CallbackButtonProps {
  campaignId: string;
  contactId: string;
  /** Customer of the promised callback, as the drawer's title. */
  title: string;
}

/** Promises a contact a callback, or moves the promise, from any page that shows the contact. */
export function CallbackButton({ campaignId, contactId, title }: CallbackButtonProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const reason = useDisabledReason('contact:write');
  return (
    <>
      <ActButton size="xs" variant="default" reason={reason} act={() => setOpen(true)}>
        {t('contacts.callback')}
      </ActButton>
      <SideDrawer isOpen={isOpen} close={() => setOpen(false)} title={title}>
        <ContactCallback campaignId={campaignId} contactId={contactId} close={() => setOpen(false)} />
      </SideDrawer>
    </>
  );
}
