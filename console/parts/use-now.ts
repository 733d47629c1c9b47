import { useEffect, useState } from 'react';

/** The browser's clock, read anew every `everyMs`: ages and countdowns go on while nothing else happens. */
export function useNow(everyMs = 1_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
