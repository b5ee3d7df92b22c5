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
  const entries = ask('Svc Desk Practice') as { account: string; password: string }[] // safe cast: keytar returns entries of this shape
  return entries.filter(({ account }) => account.includes(`/${keyId}/`)).map(({ password }) => password)
}

/** Adds entries to the OS keychain, as an earlier run of the app would have done. */
export function keepInKeyring(entries: readonly OldEntry[]): void {
  const keep = `
const keytar = require('keytar')
for (const { service, account, secret } of JSON.parse(require('node:fs').readFileSync(0, 'utf8'))) keytar.setPassword(service, account, secret)
`
  execFileSync(process.execPath, ['-e', keep], { cwd: root, input: JSON.stringify(entries), timeout: 20_000 })
}
