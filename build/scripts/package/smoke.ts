import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demonstrate } from '../../../e2e/demo.ts'
import { commandPlace, programName, type Target } from '../../config/release.ts'
import { inRoot, runTool } from '../project.ts'
import type { Made } from './make.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const programIn = (unpacked: string, platform: Target['platform']): string =>
  platform === 'darwin' ? join(unpacked, 'Contents/MacOS/Svc Desk') : join(unpacked, programName(platform))

/** Switches that the packaged app must refuse, one of each kind. */
const refused = [
  ...['--remote-debugging-port=0', '--remote-debugging-pipe', '--inspect', '--inspect-brk=0', '--js-flags=--expose-gc'],
  ...['--load-extension=/tmp', '--proxy-server=127.0.0.1:1', '--host-resolver-rules=MAP', '--ignore-certificate-errors'],
]

/**
 * Tests a finished package as a user gets it. Unpacks a Debian package without installing it. The app must refuse dangerous switches and pass its
 * self-check, and `svc-desk` must pass its tests. If somebody changed its archive, the app must not start. On the stand-in, the app must also do the
 * main job. `installed`: the folder where a user installed the package, to test that instead; null otherwise. Returns the exit code.
 */
export async function smoke(made: Made, installed: string | null): Promise<number> {
  const { target, files, host } = made
  const deb = installed === null ? files.find((file) => file.endsWith('.deb')) : undefined
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-package-'))
  process.env.SVC_DESK_STAND_IN = inRoot('e2e/host')
  try {
    if (deb !== undefined) execFileSync('dpkg-deb', ['-x', deb, folder])
    const unpacked = installed ?? (deb === undefined ? made.unpacked : join(folder, 'opt/Svc Desk'))
    const program = programIn(unpacked, target.platform)
    const data = `--user-data-dir=${join(folder, 'data')}`
    for (const given of refused) {
      const { status, stderr } = spawnSync(program, [data, given], { encoding: 'utf8', timeout: 60_000 })
      if (status === 64 && stderr.includes(`Svc Desk does not start with ${given}`)) continue
      say(`FAILED: the app does not refuse ${given}: ${status} ${stderr}`)
      return 1
    }
    say(`ok     the app refuses ${refused.length} switches`)
    if (!selfCheck(program, data, join(folder, 'report.json'))) return 1
    // On Linux, Electron does not compare the archive with its hash.
    if ((host === 'stand-in' || target.platform !== 'linux') && !refusesChanges(unpacked, target.platform, folder)) return 1
    if (!(await tryCommand(join(unpacked, commandPlace(target.platform)), target))) return 1
    // Playwright needs a debugger, which the fuses of real Electron and the app itself refuse.
    return host === 'stand-in' ? await demonstrate({ kind: host, executable: program, packaged: true }) : 0
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

interface Report {
  readonly passed: boolean
  readonly steps: readonly { readonly name: string; readonly passed: boolean; readonly ms: number; readonly detail: string | null }[]
}

function selfCheck(program: string, data: string, file: string): boolean {
  const { status } = spawnSync(program, [data, '--self-check', file], { stdio: 'inherit', timeout: 300_000 })
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null // written by `createSelfCheck`
  for (const { name, passed, ms, detail } of report?.steps ?? [])
    say(`${passed ? 'ok    ' : 'FAILED'} self-check: ${name} (${ms} ms)${detail === null ? '' : `: ${detail}`}`)
  if (status === 0 && report?.passed === true) return true
  say(`FAILED: the self-check ended with ${status}${report === null ? ' and wrote no report' : ''}`)
  return false
}

/** Starts a copy of the app in whose archive one hash differs. Returns whether the app ends before it checks itself. */
function refusesChanges(unpacked: string, platform: Target['platform'], folder: string): boolean {
  const copy = join(folder, 'changed', platform === 'darwin' ? programName(platform) : '')
  cpSync(unpacked, copy, { recursive: true, verbatimSymlinks: true })
  const archive = join(copy, platform === 'darwin' ? 'Contents/Resources' : 'resources', 'app.asar')
  const bytes = readFileSync(archive)
  const name = '"hash":"'
  const at = bytes.indexOf(name) + name.length
  bytes.write(bytes.toString('latin1', at, at + 1) === '0' ? '1' : '0', at)
  writeFileSync(archive, bytes)
  const report = join(folder, 'changed.json')
  const { status } = spawnSync(programIn(copy, platform), [`--user-data-dir=${join(folder, 'changed-data')}`, '--self-check', report], {
    stdio: 'ignore',
    timeout: 300_000,
  })
  const refuses = status !== 0 && !existsSync(report)
  say(`${refuses ? 'ok    ' : 'FAILED'} the app does not start with a changed archive: it ended with ${status}`)
  return refuses
}

/** The number of timed runs of `svc-desk --help`, and the limit in ms for their median on an idle computer. */
const helpRuns = 10
const helpMs = 150

/**
 * Times `svc-desk --help`, and runs the tests of `svc-desk` with the packaged program. The tests need Linux. Returns false if the command or a test
 * fails.
 */
async function tryCommand(program: string, { platform }: Target): Promise<boolean> {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env
  const took = Array.from({ length: helpRuns }, () => {
    const began = performance.now()
    const { status, stdout } = spawnSync(program, ['--help'], { env, encoding: 'utf8' })
    return status === 0 && stdout.includes('Usage: svc-desk COMMAND') ? performance.now() - began : Number.NaN
  }).sort((a, b) => a - b)
  if (took.some(Number.isNaN)) {
    say('FAILED: svc-desk --help does not answer')
    return false
  }
  say(`ok     svc-desk --help without a display: ${took[helpRuns / 2]?.toFixed(0)} ms, the median of ${helpRuns} (limit on an idle computer: ${helpMs} ms)`)
  if (platform !== 'linux') return true
  const ran = await runTool('vitest', ['run', '--config', 'build/config/vitest.config.ts', '--testTimeout', '60000', 'electron/terminal'], {
    quiet: true,
    env: { SVC_DESK_PROGRAM: program },
  })
  const summary = ran.output.replace(/\p{Cc}\[\d+m/gu, '').match(/Tests .*/)?.[0] ?? ''
  if (ran.code !== 0) process.stdout.write(ran.output)
  say(`${ran.code === 0 ? 'ok    ' : 'FAILED'} the terminal’s tests with the packaged svc-desk: ${summary}`)
  return ran.code === 0
}
