import { Badge, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ConferenceRowFragment } from './conferences.generated.ts';

/** Status of a conference and of its customer as a label. */
export function ConferenceState({ status, customerState }: Pick<ConferenceRowFragment, 'status' | 'customerState'>) {
  const { t } = useTranslation();
  const color = status === 'LIVE' ? 'violet' : status === 'ROUTING' ? 'yellow' : 'gray';
  return (
    <>
      <Badge variant="light" color={color} radius="sm" tt="none">
        {t(`conferenceStatus.${status}`)}
      </Badge>{' '}
      <Text span size="xs" className="quiet">
        {t(`customerState.${customerState}`)}
      </Text>
    </>
  );
}
