import { Button, Popover, SimpleGrid, TextInput } from '@mantine/core';
import { IconDialpad } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePhone } from './use-phone.ts';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;
const NOT_A_KEY = /[^\d*#]/g;

/** The keys of a telephone, for menus that ask for them: pressed, or typed into the field. */
export function Keypad() {
  const { t } = useTranslation();
  const { actions } = usePhone();
  const [sent, setSent] = useState('');
  const send = (tones: string) => {
    if (tones === '') return;
    actions.keys(tones);
    setSent(sent + tones);
  };
  return (
    <Popover position="top" withArrow trapFocus onClose={() => setSent('')}>
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconDialpad size={16} />}>
          {t('phone.keypad')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <TextInput
          aria-label={t('phone.keysSent')}
          placeholder={t('phone.keysSent')}
          data-autofocus
          size="xs"
          mb="xs"
          value={sent}
          onChange={({ currentTarget: { value } }) => send(value.slice(sent.length).replaceAll(NOT_A_KEY, ''))}
        />
        <SimpleGrid cols={3} spacing="xs">
          {KEYS.map(key => (
            <Button key={key} variant="default" onClick={() => send(key)}>
              {key}
            </Button>
          ))}
        </SimpleGrid>
      </Popover.Dropdown>
    </Popover>
  );
}
