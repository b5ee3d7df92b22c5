// The disk fills up while a key is made: before it is asked for, or when its secret is in the keychain. What becomes of it, as JSON.

import type { Secret } from '../../../electron/kernel/secret.ts'
import { minute } from '../../../shared/time.ts'
import { agreed, startDesk, value } from '../main/desk.ts'
import { createFullDisk } from './full-disk.ts'

const disk = createFullDisk()
const desk = await startDesk()
await desk.connect()
await desk.signIn()
const said: Record<string, unknown> = {}

const made = () => desk.exchange.effects().keys.length
const keys = async () => value(await desk.handlers()['keys.list']({})).keys.map(({ label, secret }) => `${label} ${secret}`)
const operations = () =>
  desk
    .journal()
    .secretOperations.list('practice', 20)
    .map(({ kind, state }) => `${kind} ${state}`)
const space = () => {
  disk.free()
  desk.clock.advance(minute)
}

async function signed(label: string): Promise<{ draftId: string; signature: string }> {
  const draft = value(await desk.handlers()['keys.prepare']({ label, expiresInDays: 90, ipAllowlist: [] }))
  return { draftId: draft.id, signature: await desk.sign(value(await desk.handlers()['keys.ask']({ draftId: draft.id, ...agreed }))) }
}

const values = desk.vault as Map<string, Secret> // the rig's own, seen without its methods that change it
const keep = values.set.bind(values)
values.set = (name, secret) => {
  if (name.startsWith('grant-signature/')) disk.fill()
  return keep(name, secret)
}
const { draftId, signature } = await signed('first')
const refused = await desk.handlers()['keys.create']({ draftId, signature })
values.set = keep
said['before it is asked for'] = { refused, journal: desk.journal().state(), made: made() }
space()
value(await desk.handlers()['keys.create']({ draftId, signature: '' }))
said['asked for when there is space'] = { journal: desk.journal().state(), made: made(), keys: await keys() }

const { set } = desk.secrets
const fillWhenStored = (account: string, secret: Secret) => {
  if (account.startsWith('key/')) disk.fill()
  return set(account, secret)
}
Object.assign(desk.secrets, { set: fillWhenStored })
await desk.createKey('second')
said['stored, and not written down'] = { journal: desk.journal().state(), made: made(), keys: await keys(), operations: operations() }
space()
said['written down when there is space'] = { journal: desk.journal().state(), operations: operations() }

await desk.createKey('third')
Object.assign(desk.secrets, { set })
// The process dies with what it had in memory, and starts while the disk is still full.
await desk.restart()
await desk.connect()
const orphans = value(await desk.handlers()['keys.orphans']({}))
said['killed before it was written down'] = { journal: desk.journal().state(), orphans, made: made(), keys: await keys() }
space()
said['in the end'] = { journal: desk.journal().state(), operations: operations() }
await desk.restart()
await desk.connect()
said['after one more start'] = { keys: await keys(), draft: value(await desk.handlers()['keys.draft']({})) }
await desk.stop()
process.stdout.write(JSON.stringify(said))
