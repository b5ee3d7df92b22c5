#!/usr/bin/env node
// Runs the command `svc-desk` from the source. This file uses only Node’s built-in modules, so it also starts on an old Node. If the Node is recent
// enough, the command runs in this process. Otherwise a newer Node that setup downloaded runs it.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const entry = join(root, 'out/main/terminal.js')
/** The version of the running Node. The minimum below is the same as in `setup/node.mjs`. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const recent = major > 22 || (major === 22 && minor >= 18)

/**
 * Prints the error and ends the process.
 * @param {string} sentence @returns {never}
 */
function fail(sentence) {
  process.stderr.write(`svc-desk: ${sentence}\n`)
  process.exit(69)
}

if (!existsSync(entry)) fail(`Svc Desk is not built yet. Run \`npm start\` or \`npm run build\` in ${root} once.`)
// Hides Node’s own warnings, for example that SQLite support is experimental, because they do not concern the user.
process.removeAllListeners('warning')
if (recent) await import(pathToFileURL(entry).href)
else {
  const toolchain = join(root, '.toolchain')
  const node = (existsSync(toolchain) ? readdirSync(toolchain) : [])
    .filter((name) => name.startsWith('node-'))
    .map((name) => join(toolchain, name, 'bin/node'))
    .find((path) => existsSync(path))
  if (node === undefined) fail(`Node ${process.versions.node} is too old. Run \`npm start\` in ${root} once to install a newer one.`)
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', entry, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGCONT']) {
    // Ctrl-C already sends SIGINT to the command, so the command gets the signal twice. It ignores the second one.
    process.on(signal, () => child.kill(/** @type {NodeJS.Signals} */ (signal)))
  }
  child.once('error', (error) => fail(error.message))
  child.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 70) : 128 + (constants.signals[signal] ?? 0)))
}
