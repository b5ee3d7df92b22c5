import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { migrations } from '../../../electron/store/journal/migrations.ts'
import { release, type Target } from '../../config/release.ts'
import { ensureBuilt } from '../app-build.ts'
import { inPrivateDesktop } from '../desktop.ts'
import { type Checked, checkDeb, checkUnpacked } from '../package/check.ts'
import { drawIcons, resourcesFolder } from '../package/icons.ts'
import { type Made, makePackages } from '../package/make.ts'
import { checkRelease, installersIn, pinnedForm, readSigningKey, writeRelease } from '../package/sign.ts'
import { smoke } from '../package/smoke.ts'
import { readManifest } from '../package/stage.ts'
import { buildTwice } from '../package/twice.ts'
import { inRoot, root } from '../project.ts'
import { line, nothing } from '../tally.ts'

const folder = inRoot('out/packages')
const list = `${folder}/made.json`
const serverFolder = `${folder}/release`
const own: Target = { platform: process.platform as Target['platform'], arch: process.arch as Target['arch'] } // safe cast: setup supports only these systems

/** The packages to make: for this system, and on Linux also unpacked folders for other systems, so that their contents can be checked. */
const targets: readonly Target[] = process.platform === 'linux' ? [own, { platform: 'darwin', arch: 'arm64' }, { platform: 'win32', arch: 'x64' }] : [own]

async function make(): Promise<void> {
  await ensureBuilt('product')
  rmSync(folder, { recursive: true, force: true })
  const made: Made[] = []
  for (const target of targets) {
    const one = await makePackages(target, folder)
    made.push(one)
    process.stdout.write(`${target.platform} ${target.arch}, on ${one.host}: ${relative(root, one.unpacked)}\n`)
    for (const file of one.files) process.stdout.write(`  ${relative(root, file)}\n`)
  }
  writeFileSync(list, JSON.stringify(made))
}

function readMade(): Made[] {
  if (!existsSync(list)) throw new Error('there are no packages yet: run `npm run package` first')
  return JSON.parse(readFileSync(list, 'utf8')) as Made[] // written by `make`
}

async function check(): Promise<boolean> {
  const tally = nothing()
  const report = (checked: readonly Checked[]): void => {
    for (const { name, problem } of checked) {
      process.stdout.write(problem === null ? `  ok     ${name}\n` : `  FAILED ${name}: ${problem}\n`)
      tally[problem === null ? 'passed' : 'failed'] += 1
    }
  }
  for (const made of readMade()) {
    const { target, files, host } = made
    process.stdout.write(`${target.platform} ${target.arch}\n`)
    const debs = host === 'stand-in' ? files.filter((file) => file.endsWith('.deb')) : []
    report([...(await checkUnpacked(made)), ...debs.flatMap(checkDeb)])
  }
  if (existsSync(serverFolder)) {
    process.stdout.write('release\n')
    report(checkRelease(serverFolder, release.updateKeys, Date.now()))
  }
  process.stdout.write(`${line(tally)}\n`)
  return tally.failed === 0
}

/** Writes the folder for the update server: the packages, and the release statement, signed with each of the keys. */
function sign(keyFiles: readonly string[]): void {
  // This check covers only packages made on this computer. `folder` may also contain packages that another computer made.
  if (readMade().some(({ host, files }) => host === 'stand-in' && files.length > 0) && process.env.SVC_DESK_HOST !== 'stand-in')
    throw new Error('these packages contain the stand-in and are not for users; SVC_DESK_HOST=stand-in signs them all the same')
  const keys = keyFiles.map(readSigningKey)
  for (const key of keys) process.stdout.write(`signs with ${pinnedForm(key)}\n`)
  if (!keys.some((key) => release.updateKeys.includes(pinnedForm(key))))
    throw new Error('no app takes this release: updateKeys in build/config/release.ts has none of these keys')
  const installers = installersIn(folder)
  writeRelease(serverFolder, {
    version: readManifest().version,
    minimum: release.minimumVersion,
    journal: migrations.length,
    installers,
    keys,
    nowMs: Date.now(),
  })
  process.stdout.write(`${installers.length} packages: ${relative(root, serverFolder)}\n`)
}

function ownPackage(): Made {
  const made = readMade().find(({ target }) => target.platform === own.platform && target.arch === own.arch)
  if (made === undefined) throw new Error('there is no package of this system: run `npm run package` first')
  return made
}

if (process.argv.includes('--smoke')) {
  // Runs with a private keyring, because the key is only for play money and must not remain in the user’s keychain.
  const inside = await inPrivateDesktop()
  const at = process.argv.indexOf('--installed')
  process.exit(inside ?? (await smoke(ownPackage(), at < 0 ? null : (process.argv[at + 1] ?? null))))
}
const signAt = process.argv.indexOf('--sign')
if (signAt >= 0) sign(process.argv.slice(signAt + 1).filter((word) => !word.startsWith('--')))
else if (process.argv.includes('--icons')) await drawIcons(resourcesFolder)
else if (process.argv.includes('--twice')) process.exit(buildTwice() ? 0 : 1)
else if (process.argv.includes('--check')) process.exit((await check()) ? 0 : 1)
else await make()
