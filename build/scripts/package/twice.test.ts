import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { differences, hashesIn } from './twice.ts'

function folder(change: (at: string) => void = () => undefined): string {
  const at = mkdtempSync(join(tmpdir(), 'twice-'))
  onTestFinished(() => rmSync(at, { recursive: true, force: true }))
  for (const inside of ['linux-x64/app', 'work']) mkdirSync(join(at, inside), { recursive: true })
  writeFileSync(join(at, 'linux-x64/app/program'), 'one', { mode: 0o755 })
  writeFileSync(join(at, 'linux-x64/svc-desk.deb'), 'two')
  symlinkSync('/opt/program', join(at, 'linux-x64/link'))
  change(at)
  return at
}
const compared = (change: (at: string) => void) => differences(hashesIn(folder()), hashesIn(folder(change)))

test('the comparison of two package builds reports nothing for equal packages, and ignores files in which the packager logs its own run', () => {
  expect(compared((at) => writeFileSync(join(at, 'work/config'), at))).toEqual([])
  expect(compared((at) => writeFileSync(join(at, 'linux-x64/builder-debug.yml'), at))).toEqual([])
})

type Difference = [what: string, change: (at: string) => void, file: string]
const onAnySystem: Difference[] = [
  ['a byte', (at) => writeFileSync(join(at, 'linux-x64/svc-desk.deb'), 'twO'), 'linux-x64/svc-desk.deb'],
  ['a further file', (at) => writeFileSync(join(at, 'linux-x64/app/more'), ''), 'linux-x64/app/more'],
  ['a missing file', (at) => rmSync(join(at, 'linux-x64/svc-desk.deb')), 'linux-x64/svc-desk.deb'],
]
/** Windows’ file systems have no modes, and links there need a permission of the user. */
const onPosix: Difference[] = [
  ['a mode', (at) => chmodSync(join(at, 'linux-x64/app/program'), 0o644), 'linux-x64/app/program'],
  [
    'the target of a link',
    (at) => {
      rmSync(join(at, 'linux-x64/link'))
      symlinkSync('/opt/other', join(at, 'linux-x64/link'))
    },
    'linux-x64/link',
  ],
]
const finds = (_what: string, change: (at: string) => void, file: string) => expect(compared(change)).toEqual([file])
test.each(onAnySystem)('the comparison of two package builds finds this difference: %s', finds)
test.skipIf(process.platform === 'win32').each(onPosix)('the comparison of two package builds finds this difference: %s', finds)
