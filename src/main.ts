import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runCommand } = await import('./compose/run-command.ts');
process.exitCode = await runCommand(process.argv.slice(2));
