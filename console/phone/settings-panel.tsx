import { Button, Group, Progress, Select, Stack, Switch, Text } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { closeStream, meterStream, openMicrophone } from './microphone.ts';
import { mayNotify } from './notify.ts';
import { keepPhoneSettings, onPhoneSettings, phoneSettings } from './kept-settings.ts';
import type { PhoneSettings } from './phone-settings.ts';
import { playNotes } from './sounds.ts';

type DeviceName = 'microphoneId' | 'speakerId' | 'ringerId';

/** Devices and habits of the phone, kept in this browser. */
export function PhoneSettingsPanel() {
  const { t } = useTranslation();
  const settings = useSyncExternalStore(onPhoneSettings, phoneSettings);
  const devices = useDevices();
  return (
    <Stack gap="sm">
      <DeviceSelect name="microphoneId" kind="audioinput" devices={devices} settings={settings} />
      <Level settings={settings} />
      <DeviceSelect name="speakerId" kind="audiooutput" devices={devices} settings={settings} />
      <DeviceSelect name="ringerId" kind="audiooutput" devices={devices} settings={settings} />
      <Group>
        <Button size="xs" variant="default" onClick={() => playNotes('test')}>
          {t('phone.testSound')}
        </Button>
        <NotifyButton />
      </Group>
      <Choice name="answersItself" settings={settings} />
      <Choice name="isFiltered" settings={settings} />
      <Text size="xs" className="quiet">
        {t('phone.settingsAbout')}
      </Text>
    </Stack>
  );
}

interface DeviceProps {
  name: DeviceName;
  kind: MediaDeviceKind;
  devices: readonly MediaDeviceInfo[];
  settings: PhoneSettings;
}

function DeviceSelect({ name, kind, devices, settings }: DeviceProps) {
  const { t } = useTranslation();
  // The browser repeats the system's own device under this id.
  const own = devices.filter(device => device.kind === kind && device.deviceId !== '' && device.deviceId !== 'default');
  return (
    <Select
      size="xs"
      label={t(`phone.device.${name}`)}
      placeholder={t('phone.systemDevice')}
      clearable
      clearButtonProps={{ 'aria-label': t('phone.systemDevice') }}
      comboboxProps={{ withinPortal: false }}
      data={own.map(({ deviceId, label }, index) => ({ value: deviceId, label: label || t('phone.deviceNumber', { number: index + 1 }) }))}
      value={settings[name]}
      onChange={deviceId => keepPhoneSettings({ [name]: deviceId })}
    />
  );
}

function Choice({ name, settings }: { name: 'answersItself' | 'isFiltered'; settings: PhoneSettings }) {
  const { t } = useTranslation();
  return (
    <Switch
      size="xs"
      label={t(`phone.choice.${name}`)}
      description={t(`phone.choiceAbout.${name}`)}
      checked={settings[name]}
      onChange={({ currentTarget: { checked } }) => keepPhoneSettings({ [name]: checked })}
    />
  );
}

/** Shows whether the chosen microphone hears anything. */
function Level({ settings }: { settings: PhoneSettings }) {
  const { t } = useTranslation();
  const [level, setLevel] = useState(0);
  const [isDeaf, setDeaf] = useState(false);
  useEffect(() => {
    const closing = new AbortController();
    void meterMicrophone(closing.signal, setLevel).then(isHeard => setDeaf(!isHeard));
    return () => closing.abort();
  }, [settings.microphoneId, settings.isFiltered]);
  if (isDeaf) return <Text className="tone-failed">{t('phone.noLevel')}</Text>;
  return <Progress value={level * 100} transitionDuration={0} aria-label={t('phone.level')} color="green" />;
}

/** Resolves to false when the microphone cannot be opened. */
async function meterMicrophone(signal: AbortSignal, show: (level: number) => void): Promise<boolean> {
  const stream = await openMicrophone().catch(() => null);
  if (!stream) return false;
  if (signal.aborted) closeStream(stream);
  else {
    const stop = meterStream(stream, show);
    signal.addEventListener('abort', () => {
      stop();
      closeStream(stream);
    });
  }
  return true;
}

function NotifyButton() {
  const { t } = useTranslation();
  const [isAllowed, setAllowed] = useState(mayNotify);
  if (isAllowed || !('Notification' in window)) return null;
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => void Notification.requestPermission().then(permission => setAllowed(permission === 'granted'))}
    >
      {t('phone.allowNotifications')}
    </Button>
  );
}

/** The devices of now; names are known once the microphone was allowed. */
function useDevices(): readonly MediaDeviceInfo[] {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([]);
  useEffect(() => {
    const look = () => void navigator.mediaDevices.enumerateDevices().then(setDevices, () => undefined);
    look();
    navigator.mediaDevices.addEventListener('devicechange', look);
    return () => navigator.mediaDevices.removeEventListener('devicechange', look);
  }, []);
  return devices;
}
