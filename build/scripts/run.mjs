// The door of every npm script: `node build/scripts/run.mjs <task> [arguments]`.
// Uses Node's built-ins only and runs on whatever Node is there. Brings what is missing, then runs the task.
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
// What is stopped here is stopped there. A terminal's interrupt reaches both by itself: here its end is waited for.
process.on('SIGTERM', () => child.kill('SIGTERM')).on('SIGINT', () => {})
child.once('error', (error) => fail(String(error)))
child.once('close', (code) => process.exit(code ?? 1))
