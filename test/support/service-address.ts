type ServiceVariable = 'CALLOUT_DATABASE_URL' | 'CALLOUT_REDIS_URL' | 'CALLOUT_NATS_URL';

/** Address of a service of this test run. Errors: Error that explains how to run tests with services. */
export function serviceAddress(variable: ServiceVariable): string {
  const address = process.env[variable];
  if (address) return address;
  throw new Error(`${variable} is not set: this test needs services; run it with \`npm run jest -- <file>\``);
}
