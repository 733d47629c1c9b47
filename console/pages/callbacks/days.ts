/** Local days as `2026-12-01`, in the browser's time zone: instants on pages are in it, too. */
export function dayOf(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

export function addDays(day: string, by: number): string {
  const at = new Date(`${day}T12:00`);
  at.setDate(at.getDate() + by);
  return dayOf(at);
}

/** The days of the week that contains the day, Monday first. */
export function weekOf(day: string): string[] {
  const weekday = (new Date(`${day}T12:00`).getDay() + 6) % 7;
  return Array.from({ length: 7 }, (_, index) => addDays(day, index - weekday));
}

/** Whether the text is a day of the calendar. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && addDays(text, 0) === text;
}

/** The local midnight that begins the day, as an instant. */
export function startOfDay(day: string): string {
  return new Date(`${day}T00:00`).toISOString();
}
