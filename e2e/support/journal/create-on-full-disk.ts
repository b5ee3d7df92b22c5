// Runs as a separate process. The disk becomes full while a key is created, either before the request or after the secret is in the keychain. Prints
// the outcome as JSON.

import type { Secret } from '../../../electron/kernel/secret.ts'
import { minute } from '../../../shared/time.ts'
import { agreed, startWorkspace, value } from '../main/workspace.ts'
import { createFullDisk } from './full-disk.ts'

const disk = createFullDisk()
const workspace = await startWorkspace()
await workspace.connect()
await workspace.signIn()
const said: Record<string, unknown> = {}

const made = () => workspace.exchange.effects().keys.length
const keys = async () => value(await workspace.handlers()['keys.list']({})).keys.map(({ label, secret }) => `${label} ${secret}`)
const operations = () =>
  workspace
    .journal()
    .secretOperations.list('practice', 20)
    .map(({ kind, state }) => `${kind} ${state}`)
const space = () => {
  disk.free()
  workspace.clock.advance(minute)
}

async function signed(label: string): Promise<{ draftId: string; signature: string }> {
  const draft = value(await workspace.handlers()['keys.prepare']({ label, expiresInDays: 90, ipAllowlist: [] }))
  return { draftId: draft.id, signature: await workspace.sign(value(await workspace.handlers()['keys.ask']({ draftId: draft.id, ...agreed }))) }
}

const values = workspace.vault as Map<string, Secret> // safe cast: this test’s vault is a `Map`, although its declared type is read-only
const keep = values.set.bind(values)
values.set = (name, secret) => {
  if (name.startsWith('grant-signature/')) disk.fill()
  return keep(name, secret)
}
const { draftId, signature } = await signed('first')
const refused = await workspace.handlers()['keys.create']({ draftId, signature })
values.set = keep
said['before it is asked for'] = { refused, journal: workspace.journal().state(), made: made() }
space()
value(await workspace.handlers()['keys.create']({ draftId, signature: '' }))
said['asked for when there is space'] = { journal: workspace.journal().state(), made: made(), keys: await keys() }

const { set } = workspace.secrets
const fillWhenStored = (account: string, secret: Secret) => {
  if (account.startsWith('key/')) disk.fill()
  return set(account, secret)
}
Object.assign(workspace.secrets, { set: fillWhenStored })
await workspace.createKey('second')
said['stored, and not written down'] = { journal: workspace.journal().state(), made: made(), keys: await keys(), operations: operations() }
space()
said['written down when there is space'] = { journal: workspace.journal().state(), operations: operations() }

await workspace.createKey('third')
Object.assign(workspace.secrets, { set })
// Simulates a restart that loses everything in memory, while the disk is still full.
await workspace.restart()
await workspace.connect()
const unmatched = value(await workspace.handlers()['keys.unmatched']({}))
said['killed before it was written down'] = { journal: workspace.journal().state(), unmatched, made: made(), keys: await keys() }
space()
said['in the end'] = { journal: workspace.journal().state(), operations: operations() }
await workspace.restart()
await workspace.connect()
said['after one more start'] = { keys: await keys(), draft: value(await workspace.handlers()['keys.draft']({})) }
await workspace.stop()
process.stdout.write(JSON.stringify(said))
