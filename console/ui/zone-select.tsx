import { Select, type SelectProps } from '@mantine/core';

interface ZoneSelectProps extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  /** IANA name; '' for none. */
  value: string;
  choose: (zone: string) => void;
}

const ZONES = Intl.supportedValuesOf('timeZone');

/** A select of all IANA time zones, found by a part of the name. */
export function ZoneSelect({ value, choose, ...others }: ZoneSelectProps) {
  // The server knows names that the browser does not list, such as +08:00.
  const zones = value === '' || ZONES.includes(value) ? ZONES : [value, ...ZONES];
  return <Select {...others} searchable clearable limit={50} value={value || null} onChange={zone => choose(zone ?? '')} data={zones} />;
}
