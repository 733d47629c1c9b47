import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { businessZone } from '../text/business-zone.ts';
import { localIn } from '../text/local-time.ts';
import { timeIn } from '../text/zone.ts';
import { useNow } from './use-now.ts';

/** Refresh interval of what counts as today, in ms. */
const LOOK_MS = 60_000;

interface CustomersTimeProps {
  zones: readonly string[];
  /** UTC ms. */
  at: number;
}

/** An instant on the customer's clock, once for each of their time zones in which it differs from the business time zone's. */
export function CustomersTime({ zones, at }: CustomersTimeProps) {
  const { t } = useTranslation();
  const now = useNow(LOOK_MS);
  const here = localIn(businessZone(), at);
  return zones
    .filter(zone => localIn(zone, at) !== here)
    .map(zone => (
      <Text key={zone} size="sm" className="quiet">
        {t('callbacks.customersTime', timeIn(zone, at, now))}
      </Text>
    ));
}
