// Every npm script starts with this file: `node build/scripts/run.mjs <task> [arguments]`.
// It uses only Node’s built-in modules, so it also runs on an old Node. It installs missing tools and packages, then runs the task.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureKeytar } from './setup/keytar.mjs'
import { ensureNode } from './setup/node.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { fail, root } from './setup/project.mjs'
import { ensureSystem } from './setup/system.mjs'

const [task, ...rest] = process.argv.slice(2)
const file = join(root, 'build/scripts/tasks', `${task}.ts`)
if (!task || !existsSync(file)) fail(`No such task: ${task ?? '(none)'}`)

const node = ensureNode()
ensurePackages(node)
ensureSystem(task)
ensureKeytar(node)

const args = rest[0] === '--' ? rest.slice(1) : rest
const child = spawn(node, ['--disable-warning=ExperimentalWarning', file, ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: `${join(node, '..')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}` },
})
// Passes SIGTERM on to the task. Ctrl-C sends SIGINT to both processes, so this process ignores SIGINT and waits for the task to end.
process.on('SIGTERM', () => child.kill('SIGTERM')).on('SIGINT', () => {})
child.once('error', (error) => fail(String(error)))
child.once('close', (code) => process.exit(code ?? 1))
