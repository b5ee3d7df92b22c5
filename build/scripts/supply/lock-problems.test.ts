import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { agreed } from '../../config/agreed-packages.ts'
import { inRoot } from '../project.ts'
import { isLicenceAmong, type LockEntry, type LockFile, lockProblems, type Manifest } from './lock-problems.ts'

const lock = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')) as LockFile // npm's own file
const manifest = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as Manifest // npm's own file

const sealed: LockEntry = { version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==`, license: 'MIT' }
const withEntry = (path: string, entry: LockEntry): LockFile => ({ packages: { ...lock.packages, [path]: entry } })

test('the project’s dependencies comply with the agreed rules, for example on licences and checksums', () => {
  expect(Object.keys(lock.packages).length).toBeGreaterThan(300)
  expect(lockProblems(lock, manifest, agreed)).toEqual([])
})

test.each<[string, LockEntry, string]>([
  ['a script that runs at the installation', { ...sealed, hasInstallScript: true }, 'brings a script'],
  ['a host in the lock file', { ...sealed, resolved: 'https://packages.example/left-pad.tgz' }, 'a place of its own'],
  ['a repository', { ...sealed, resolved: 'git+ssh://git@code.example/left-pad.git#1' }, 'a place of its own'],
  ['no checksum', { version: '1.0.0', license: 'MIT' }, 'no checksum'],
  ['no checksum, though optional', { version: '1.0.0', license: 'MIT', optional: true, os: ['linux'] }, 'no checksum'],
  ['a weak checksum', { ...sealed, integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'no SHA-512'],
  ['a licence that asks for more', { ...sealed, license: 'GPL-3.0-only' }, 'GPL-3.0-only'],
  ['two licences, of which one asks for more', { ...sealed, license: 'MIT AND AGPL-3.0' }, 'AGPL-3.0'],
  ['a tool’s licence in what users get', { ...sealed, license: 'MPL-2.0' }, 'MPL-2.0'],
  ['no licence', { version: '1.0.0', integrity: sealed.integrity ?? '' }, 'not stated'],
])('the dependency check reports a package with %s, also when nested in another package', (_what, entry, problem) => {
  for (const path of ['node_modules/left-pad', 'node_modules/viem/node_modules/@scope/left-pad']) {
    const found = lockProblems(withEntry(path, entry), manifest, agreed)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(path)
    expect(found[0]).toContain(problem)
  }
})

test.each(['git+https://code.example/x.git', 'https://code.example/x.tgz', 'github:a/b', 'file:../x', '*', 'latest', 'npm:other@1.0.0'])(
  'the dependency check reports a dependency on %s',
  (spec) => {
    expect(lockProblems(lock, { ...manifest, dependencies: { ...manifest.dependencies, odd: spec } }, agreed)).toEqual([
      `package.json: odd comes from ${JSON.stringify(spec)}`,
    ])
  },
)

test('the dependency check reports an agreed exception as unnecessary if the package no longer needs it', () => {
  const more = { ...agreed, installScripts: { ...agreed.installScripts, 'node_modules/gone': 'was there' }, unsealed: [...agreed.unsealed, 'react'] }
  expect(lockProblems(lock, manifest, more)).toHaveLength(2)
})

test('the dependency check accepts “A OR B” if one of the two licences is allowed, and “A AND B” only if both are', () => {
  const ours = ['MIT', 'Apache-2.0']
  expect(['MIT', '(MIT OR GPL-3.0)', 'MIT AND Apache-2.0', '(Apache-2.0 AND MIT)'].map((one) => isLicenceAmong(one, ours))).toEqual([true, true, true, true])
  expect(['GPL-3.0', 'MIT AND GPL-3.0', 'SEE LICENSE IN x', ''].map((one) => isLicenceAmong(one, ours))).toEqual([false, false, false, false])
})
