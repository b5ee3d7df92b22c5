import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fail, root, say } from './project.mjs'

const home = join(root, 'node_modules/keytar')
const addon = join(home, 'build/Release/keytar.node')
const stamp = join(home, 'build/loads')

/**
 * Whether the keychain addon can be loaded. Tries it in a child process, because a broken addon can crash the process that loads it.
 * @param {string} node
 */
const loads = (node) => existsSync(addon) && spawnSync(node, ['-e', `require(${JSON.stringify(addon)})`], { stdio: 'ignore' }).status === 0

/**
 * Makes keytar’s native addon usable. On macOS and Windows, fetches the prebuilt addon. On Linux, compiles the addon against the N-API headers that
 * npm installed, without network access or node-gyp.
 * @param {string} node
 */
export function ensureKeytar(node) {
  if (existsSync(stamp) && existsSync(addon) && readFileSync(stamp, 'utf8') === process.arch) return
  if (!loads(node)) {
    if (process.platform === 'linux') compile()
    else fetchPrebuild()
    if (!loads(node)) fail('the keychain addon was built but does not load')
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, process.arch)
}

function compile() {
  say("building the keychain's addon")
  const require = createRequire(join(home, 'package.json'))
  const flags = spawnSync('pkg-config', ['--cflags', '--libs', 'libsecret-1'], { encoding: 'utf8' })
  if (flags.status !== 0) {
    say('libsecret is not there to build against; the app will say that there is no keychain')
    return
  }
  mkdirSync(dirname(addon), { recursive: true })
  const draft = `${addon}.${process.pid}`
  const compiler = process.env.CXX ?? 'c++'
  execFileSync(
    compiler,
    [
      '-shared',
      '-fPIC',
      '-O2',
      '-std=c++17',
      '-DNAPI_VERSION=8',
      '-DNODE_GYP_MODULE_NAME=keytar',
      '-DBUILDING_NODE_EXTENSION',
      `-I${require('node-api-headers').include_dir}`,
      `-I${dirname(require.resolve('node-addon-api/package.json'))}`,
      ...['async', 'main', 'keytar_posix'].map((name) => join(home, 'src', `${name}.cc`)),
      '-o',
      draft,
      ...flags.stdout.trim().split(/\s+/),
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  renameSync(draft, addon)
}

function fetchPrebuild() {
  say("fetching the keychain's prebuilt addon")
  spawnSync('npm', ['run', 'install', '--ignore-scripts=false'], { cwd: home, stdio: 'inherit', shell: true })
}
