import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fail, root, say } from './project.mjs'

const stamp = join(root, 'node_modules/.installed-from')

const lockDigest = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')

/**
 * Installs the packages of the lock file if the lock file has changed since the last installation.
 * @param {string} node
 */
export function ensurePackages(node) {
  const digest = lockDigest()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  say('installing packages')
  const windows = process.platform === 'win32'
  const install = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: windows,
    env: { ...process.env, PATH: `${dirname(node)}${windows ? ';' : ':'}${process.env.PATH ?? ''}` },
  })
  if (install.status !== 0) fail('npm ci failed')
  writeFileSync(stamp, digest)
}
