import { startServices } from '#tools/services/start-services.ts';

// Run by start-services.test.ts as a process of its own: starts services, reports it, and waits to be killed.
const [dataDir = ''] = process.argv.slice(2);
const { PATH } = process.env;
const services = await startServices({ dataDir, profile: 'test', env: { PATH }, log: () => undefined });
const pids = Object.values(services.handles).map(service => service.pid());
process.stdout.write(`${JSON.stringify(pids)}\n`);
process.stdin.resume();
