import { enableCompileCache } from 'node:module';

enableCompileCache();
const { ROLES, runCommand } = await import('./compose/run-command.ts');
process.exitCode = await runCommand(ROLES, process.argv.slice(2));
// What a finished command has left open, a timer or an idle connection, does not keep its process.
setTimeout(() => process.exit(), 1_000).unref();
// Without this Node would close what is left by itself, and wait for ever for a request that it has lost count of (Environment::CleanupHandles).
process.once('beforeExit', () => process.exit());
