import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ContactList } from './contact-list.tsx';

/** Contacts of every campaign. */
export function ContactsPage() {
  const { t } = useTranslation();
  return (
    <ContactList
      campaignId={null}
      empty={
        <>
          <p>{t('contacts.noneAtAll')}</p>
          <Button component={Link} to="/campaigns" variant="default">
            {t('contacts.toCampaigns')}
          </Button>
        </>
      }
    />
  );
}
