#!/usr/bin/env node
// `svc-desk` from the source: keys of Svc Desk for commands in a terminal. Uses Node's built-ins only and runs on whatever
// Node is there; the command itself runs on one that is recent enough, in this very process where that is this one.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const entry = join(root, 'out/main/terminal.js')
/** As `setup/node.mjs` asks for. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const recent = major > 22 || (major === 22 && minor >= 18)

/** @param {string} sentence @returns {never} */
function fail(sentence) {
  process.stderr.write(`svc-desk: ${sentence}\n`)
  process.exit(69)
}

if (!existsSync(entry)) fail(`Svc Desk is not built yet. Run \`npm start\` or \`npm run build\` in ${root} once.`)
// Node's own words about SQLite being new are none of the user's.
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
    // Ctrl-C reaches the whole group in front by itself; the command knows, and takes a second one for nothing new.
    process.on(signal, () => child.kill(/** @type {NodeJS.Signals} */ (signal)))
  }
  child.once('error', (error) => fail(error.message))
  child.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 70) : 128 + (constants.signals[signal] ?? 0)))
}
