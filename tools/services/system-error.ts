/** True for a failure of the operating system with this code, `ENOENT`. By shape, not by class: classes differ between realms. */
export function isSystemError(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
