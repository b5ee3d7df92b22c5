import { execFileSync } from 'node:child_process'
import type { OldEntry } from './old-folder.ts'
import { root } from './project.ts'

const script = `
const keytar = require('keytar')
const [service, account] = process.argv.slice(1)
const asked = account === undefined ? keytar.findCredentials(service) : keytar.getPassword(service, account)
asked.then((value) => process.stdout.write(JSON.stringify({ value })))
`

const ask = (...args: string[]): unknown => {
  const answer = execFileSync(process.execPath, ['-e', script, ...args], { cwd: root, encoding: 'utf8', timeout: 20_000 })
  return (JSON.parse(answer) as { value: unknown }).value // safe cast: the script above wrote this shape
}

/** Reads an entry of the system keychain in a separate process, independent of the app. */
export const readKeyring = (service: string, account: string): string | null => ask(service, account) as string | null // safe cast: keytar returns text or null

/** The secrets that the practice profile stores for a key. Usually one; two during a rotation that is not verified yet. */
export function keptSecrets(keyId: string): string[] {
  return practiceEntries()
    .filter(({ account }) => account.includes(`/${keyId}/`))
    .map(({ secret }) => secret)
}

/** Adds entries to the OS keychain, as an earlier run of the app would have done. */
export function keepInKeyring(entries: readonly OldEntry[]): void {
  const keep = `
const keytar = require('keytar')
for (const { service, account, secret } of JSON.parse(require('node:fs').readFileSync(0, 'utf8'))) keytar.setPassword(service, account, secret)
`
  execFileSync(process.execPath, ['-e', keep], { cwd: root, input: JSON.stringify(entries), timeout: 20_000 })
}

const practiceService = 'Svc Desk Practice'

/** All entries of the practice profile in the system keychain. */
export function practiceEntries(): OldEntry[] {
  const entries = ask(practiceService) as { account: string; password: string }[] // safe cast: keytar returns entries of this shape
  return entries.map(({ account, password }) => ({ service: practiceService, account, secret: password }))
}

/** Replaces all entries of the practice profile in the system keychain, except `spared`. */
export function replacePracticeEntries(spared: readonly OldEntry[], entries: readonly OldEntry[]): void {
  const replace = `
const keytar = require('keytar')
const { service, spared, entries } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
const replace = async () => {
  const old = (await keytar.findCredentials(service)).filter(({ account }) => !spared.includes(account))
  for (const { account } of old) await keytar.deletePassword(service, account)
  for (const { account, secret } of entries) await keytar.setPassword(service, account, secret)
}
replace()
`
  const input = { service: practiceService, spared: spared.map(({ account }) => account), entries }
  execFileSync(process.execPath, ['-e', replace], { cwd: root, input: JSON.stringify(input), timeout: 20_000 })
}
