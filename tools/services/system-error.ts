/** Whether the error has this code of the operating system, such as `ENOENT`. Compares the shape, because classes differ between realms. */
export function isSystemError(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
