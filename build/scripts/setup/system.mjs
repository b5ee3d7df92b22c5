import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fail, say } from './project.mjs'

/**
 * Debian packages that the app needs: tools that build keytar’s addon, a keyring, Chromium (for the stand-in for Electron) and a Japanese font.
 * Linux only.
 */
const debianPackages = [
  ...['g++', 'pkg-config', 'libsecret-1-dev', 'libglib2.0-bin', 'dbus-daemon', 'gnome-keyring', 'xvfb', 'ca-certificates'],
  'fonts-ipafont-gothic',
]
/** What only the stand-in for Electron needs. Ubuntu has no such packages. */
const standInPackages = ['chromium', 'chromium-headless-shell']
/** Additional Debian packages for making packages of the app: `strip`, the tools for AppImages, and Debian’s own package checker. */
const packagingPackages = ['binutils', 'squashfs-tools', 'desktop-file-utils', 'lintian']
/** What some tests need. Where it cannot be installed, those tests are skipped. */
const testPackages = ['python3-requests', 'python3-httpx', 'postgresql', 'openssh-server', 'podman', 'pass', 'gpg', 'systemd']
const testTasks = new Set(['test', 'unit', 'prove'])
/** Runs the tests of `npm run windows`. */
const winePackages = ['wine', 'wine64']
/** Tasks that need no Debian packages. */
const tasksWithoutSystem = new Set(['sandbox'])

/**
 * Returns the packages that are not installed.
 * @param {string[]} names
 */
function missing(names) {
  const asked = spawnSync('dpkg-query', ['-W', `-f=\${Package} \${db:Status-Status}\n`, ...names], { encoding: 'utf8' })
  const installed = new Set(
    (asked.stdout ?? '')
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  )
  return names.filter((name) => !installed.has(name))
}

/**
 * Installs the Debian packages that the task needs, as root or through sudo. If neither is possible, prints the command to run and ends. Does
 * nothing on macOS and Windows, which have their own keychain and a prebuilt addon.
 * @param {string} task
 */
export function ensureSystem(task) {
  if (process.platform !== 'linux' || tasksWithoutSystem.has(task)) return
  const needed = task === 'windows' ? winePackages : process.env.SVC_DESK_HOST === 'electron' ? debianPackages : [...debianPackages, ...standInPackages]
  if (!existsSync('/usr/bin/dpkg-query')) {
    say(`this is not a Debian system; it must have the likes of: ${needed.join(' ')}`)
    return
  }
  const required = missing(task === 'package' ? [...needed, ...packagingPackages] : needed)
  const wanted = [...required, ...(testTasks.has(task) ? missing(testPackages) : [])]
  if (wanted.length === 0) return
  const elevate = process.getuid?.() === 0 ? [] : spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n'] : null
  if (elevate === null && required.length === 0) return
  if (elevate === null)
    fail(`these Debian packages are missing. Run once as root:\n  apt-get update && apt-get install -y --no-install-recommends ${required.join(' ')}`)
  say(`installing Debian packages: ${wanted.join(' ')}`)
  const apt = [...elevate, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3', '-qq']
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', ...wanted]]) {
    const [command = 'apt-get', ...args] = [...apt, ...step]
    const ran = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    if (ran.status !== 0 && required.length === 0) return say(`no ${wanted.join(' ')}: tests that need them are skipped`)
    if (ran.status !== 0) fail(`${step[0]} failed:\n${(ran.stdout ?? '').slice(-2_000)}${(ran.stderr ?? '').slice(-2_000)}`)
  }
}
