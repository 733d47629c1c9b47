import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMe } from '../api/me.ts';
import { signOut } from '../api/sign-in.ts';
import { usePhone } from '../phone/use-phone.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Preferences } from './preferences.tsx';

/** Menu of the user: name, preferences of this browser, and sign-out; opens when it mounts. */
export function PersonMenu({ button }: { button: ReactElement }) {
  const { t } = useTranslation();
  const { user, may } = useMe();
  const { call } = usePhone();
  const [isAsked, setAsked] = useState(false);
  // Without its page the phone of the browser is gone, and with it whoever is on it.
  const isInCall = call !== null && call.phase !== 'ended';
  const leave = () => (isInCall ? setAsked(true) : void signOut());
  return (
    <>
      <Menu position="bottom-end" width={280} defaultOpened>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{user && `${user.username} · ${t(`roles.${user.role}`)}`}</Menu.Label>
          <Stack gap="xs" px="sm" pb="xs" fz="xs">
            <Preferences isCentred={false} />
          </Stack>
          <Menu.Divider />
          <Menu.Item component={Link} to="/account">
            {t('shell.account')}
          </Menu.Item>
          {user && may('campaign:dispatch') && (
            <Menu.Item component={Link} to="/exports">
              {t('shell.myFiles')}
            </Menu.Item>
          )}
          <Menu.Item onClick={leave}>{t('shell.signOut')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog isOpen={isAsked} close={() => setAsked(false)} title={t('shell.signOutInCall')}>
        <Text>{t('shell.signOutInCallLoses')}</Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" data-autofocus onClick={() => setAsked(false)}>
            {t('shell.stay')}
          </Button>
          <Button color="red" onClick={() => void signOut()}>
            {t('shell.signOutAnyway')}
          </Button>
        </Group>
      </Dialog>
    </>
  );
}
